/* SPDX-License-Identifier: MIT */
/* The assembler takes the files in as they are, from the root of the source tree, where everything
 * is built: no generated source and no tool that a build would need besides. The Makefile says what
 * this object depends on. */
#include "analyze/page/html_assets.h"

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
