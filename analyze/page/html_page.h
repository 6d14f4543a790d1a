/* SPDX-License-Identifier: MIT */
/* The frame of an HTML page: head, contents, sections, foot; and the only functions that write
 * texts.
 *
 * The page is one file: style and script are inside, and its content security policy forbids it to
 * load anything else. Without script it shows everything; a script makes it more convenient. Names
 * come from programs that may be hostile: whatever is not a literal of ours is written by html_text
 * or html_attribute. Context: pure but for `out`; UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct html_link {
	const char *id; /* of a section */
	const char *title;
};

struct html_page {
	const char *title;   /* of the document; also its heading */
	const char *summary; /* one line below the heading; NULL: none */
	const char
		*program; /* the program that makes the page, for the foot: "ptrace-report 1.0" */
	const struct html_link *links;
	size_t link_count;
};

void html_page_begin(FILE *out, const struct html_page *page);
void html_page_end(FILE *out, const struct html_page *page);

/* defines: one sentence below the title; help: the rest, behind a disclosure; both may be NULL. */
void html_section_begin(FILE *out, const struct html_link *link, const char *defines,
			const char *help);
void html_section_end(FILE *out);

/* Writes a text escaped for any place: no markup, no control characters, valid UTF-8. NULL is an
 * empty text. */
void html_text(FILE *out, const char *text);
/* ` name="value"`. The name is ours. */
void html_attribute(FILE *out, const char *name, const char *value);
/* <tag class="class">text</tag>; class may be NULL. Tag and class are ours. */
void html_element(FILE *out, const char *tag, const char *class, const char *text);
/* The text; with an anchor it is a link to that place of this page. */
void html_anchored(FILE *out, const char *anchor, const char *text);
/* How many rows are not shown: "and 5 more (--top 0 shows all)"; nothing if none are missing. */
void html_more(FILE *out, size_t missing);

/* Style and script of the pages: the files page.css, page.js, flame.js of this folder, as they were
 * when the program was built. They are files of their own so that they can be written, read and
 * checked in their own languages; they are compiled into the program because a page, and the
 * program that makes it, are each a single file. */
extern const char html_page_css[], html_page_js[], html_flame_js[];
