/* SPDX-License-Identifier: MIT */
/* The assembler includes the files as they are, by their paths from the root of the source tree,
 * where everything is built: that needs neither generated sources nor another tool. The Makefile
 * has the dependencies of this object. */
#include "analyze/page/html_page.h"

#define ASSET(name, file)                                                                          \
	__asm__(".pushsection .rodata\n"                                                           \
		".global " #name "\n"                                                              \
		".hidden " #name "\n" #name ":\n"                                                  \
		".incbin \"analyze/page/" file "\"\n"                                              \
		".byte 0\n"                                                                        \
		".popsection\n")

ASSET(html_page_css, "page.css");
ASSET(html_page_js, "page.js");
ASSET(html_flame_js, "flame.js");
