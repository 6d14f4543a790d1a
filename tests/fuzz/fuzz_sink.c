/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz_sink.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

void fuzz_sink_open(struct fuzz_sink *sink)
{
	*sink = (struct fuzz_sink){0};
	sink->out = open_memstream(&sink->text, &sink->bytes);
}

void fuzz_sink_close(struct fuzz_sink *sink)
{
	fclose(sink->out);
	free(sink->text);
}

void fuzz_sink_close_json(struct fuzz_sink *sink)
{
	fflush(sink->out);
	struct json_object *root = json_tokener_parse(sink->text);

	if (!root)
		abort();
	json_object_put(root);
	fuzz_sink_close(sink);
}

void fuzz_sink_close_page(struct fuzz_sink *sink)
{
	static const char end[] = "</html>\n";

	fflush(sink->out);
	if (strlen(sink->text) != sink->bytes || sink->bytes < strlen(end) ||
	    strcmp(sink->text + sink->bytes - strlen(end), end) != 0)
		abort();
	fuzz_sink_close(sink);
}
