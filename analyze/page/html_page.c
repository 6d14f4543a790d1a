/* SPDX-License-Identifier: MIT */
#include "analyze/page/html_page.h"

#include "common/utf8.h"

#include <string.h>

/* ---- texts */

/* Control characters, and characters that change the direction of the text around them: none is
 * worth showing, and some make a name look like another one. */
static bool is_invisible(const char *character, size_t bytes)
{
	const unsigned char *byte = (const unsigned char *)character;

	switch (bytes) {
	case 1:
		return (byte[0] < 0x20 && byte[0] != '\n' && byte[0] != '\t') || byte[0] == 0x7f;
	case 2: /* U+0080 to U+009F */
		return byte[0] == 0xc2 && byte[1] < 0xa0;
	case 3: /* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 */
		return byte[0] == 0xe2 &&
		       ((byte[1] == 0x80 && (byte[2] == 0x8e || byte[2] == 0x8f ||
					     (byte[2] >= 0xaa && byte[2] <= 0xae))) ||
			(byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9));
	default:
		return false;
	}
}

static const char *entity_of(char character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_text(FILE *out, const char *text)
{
	while (text && *text) {
		size_t bytes = utf8_bytes(text);
		const char *entity = entity_of(*text);

		if (entity)
			fputs(entity, out);
		else if (!bytes || is_invisible(text, bytes))
			fputs(UTF8_REPLACEMENT, out);
		else
			fwrite(text, 1, bytes, out);
		text += bytes ? bytes : 1;
	}
}

void html_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	html_text(out, value);
	fputc('"', out);
}

void html_element(FILE *out, const char *tag, const char *class, const char *text)
{
	fprintf(out, "<%s", tag);
	if (class)
		html_attribute(out, "class", class);
	fputc('>', out);
	html_text(out, text);
	fprintf(out, "</%s>", tag);
}

void html_more(FILE *out, size_t missing)
{
	if (missing)
		fprintf(out, "<p class=\"more\">and %zu more (--top 0 shows all)</p>\n", missing);
}

void html_anchored(FILE *out, const char *anchor, const char *text)
{
	if (anchor) {
		fputs("<a href=\"#", out);
		html_text(out, anchor);
		fputs("\">", out);
	}
	html_text(out, text);
	if (anchor)
		fputs("</a>", out);
}

/* ---- the frame */

/* The policy comes first: it applies to what follows it. */
static void print_head(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
	      "form-action 'none'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n",
	      out);
	html_element(out, "title", NULL, title);
	fputs("\n<style>\n", out);
	fputs(html_page_css, out);
	fputs("</style>\n</head>\n<body>\n", out);
}

static void print_contents(FILE *out, const struct html_page *page)
{
	if (!page->link_count)
		return;
	fputs("<nav aria-label=\"Contents\">\n<ul>\n", out);
	for (size_t i = 0; i < page->link_count; i++) {
		fputs("<li><a href=\"#", out);
		html_text(out, page->links[i].id);
		fputs("\">", out);
		html_text(out, page->links[i].title);
		fputs("</a></li>\n", out);
	}
	fputs("</ul>\n</nav>\n", out);
}

void html_page_begin(FILE *out, const struct html_page *page)
{
	print_head(out, page->title);
	fputs("<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n", out);
	html_element(out, "h1", NULL, page->title);
	fputc('\n', out);
	if (page->summary) {
		html_element(out, "p", "summary", page->summary);
		fputc('\n', out);
	}
	fputs("</header>\n<div class=\"body\">\n", out);
	print_contents(out, page);
	fputs("<main id=\"content\">\n", out);
}

void html_page_end(FILE *out, const struct html_page *page)
{
	fputs("</main>\n</div>\n<footer>", out);
	html_element(out, "p", NULL, page->program);
	fputs("</footer>\n<script>\n", out);
	fputs(html_page_js, out);
	fputs(html_flame_js, out);
	fputs("</script>\n</body>\n</html>\n", out);
}

/* The line breaks of the help are for terminals; here it flows. */
void html_section_begin(FILE *out, const struct html_link *link, const char *defines,
			const char *help)
{
	fputs("<section", out);
	html_attribute(out, "id", link->id);
	fputs(">\n", out);
	html_element(out, "h2", NULL, link->title);
	fputc('\n', out);
	if (defines && *defines) {
		html_element(out, "p", "defines", defines);
		fputc('\n', out);
	}
	if (help && *help) {
		fputs("<details class=\"help\"><summary>Definitions</summary><p>", out);
		html_text(out, help);
		fputs("</p></details>\n", out);
	}
}

void html_section_end(FILE *out)
{
	fputs("</section>\n", out);
}
