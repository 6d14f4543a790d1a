/* SPDX-License-Identifier: MIT */
/* Which page of the documentation defines the figures of a section. Context: pure. */
#pragma once

/* Its path from the root of the source, and below the directory of installed documents; "" for a
 * section that has none. */
const char *section_page(const char *section);
