/* SPDX-License-Identifier: MIT */
/* Style and script of the pages: the files page.css, page.js, flame.js of this folder, as they were
 * when the program was built. They are texts of their own because they are written, read and
 * checked in their own languages; they are part of the program because a page, and the program that
 * makes it, are each one file. Context: constants. */
#pragma once

extern const char html_page_css[], html_page_js[], html_flame_js[];
