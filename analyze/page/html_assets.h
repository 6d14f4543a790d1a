/* SPDX-License-Identifier: MIT */
/* Style and script of the pages: the files page.css, page.js, flame.js of this folder, as they were
 * when the program was built. They are files of their own so that they can be written, read and
 * checked in their own languages; they are compiled into the program because a page, and the
 * program that makes it, are each a single file. Context: constants. */
#pragma once

extern const char html_page_css[], html_page_js[], html_flame_js[];
