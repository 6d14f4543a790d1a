/* SPDX-License-Identifier: MIT */
#include "analyze/read/processors_used.h"

#include "analyze/base/memory.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A count of nanoseconds below `key`; false: there is none. */
static bool read_ns(struct json_object *object, const char *key, uint64_t *ns)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
		return false;
	*ns = (uint64_t)json_object_get_int64(value);
	return true;
}

/* How long a reading may have taken if the file does not say so: ptrace-run up to 0.1.0. */
#define WITHIN_NS_UNTOLD 1000000

struct reading {
	uint64_t time_ns, within_ns, busy_ns, idle_ns, steal_ns;
};

static bool read_reading(struct json_object *root, const char *key, struct reading *reading)
{
	struct json_object *object;

	if (!json_object_object_get_ex(root, key, &object))
		return false;
	if (!read_ns(object, "within_ns", &reading->within_ns))
		reading->within_ns = WITHIN_NS_UNTOLD;
	return read_ns(object, "monotonic_ns", &reading->time_ns) &&
	       read_ns(object, "busy_ns", &reading->busy_ns) &&
	       read_ns(object, "idle_ns", &reading->idle_ns) &&
	       read_ns(object, "steal_ns", &reading->steal_ns);
}

/* Kernels have let single counters go back by a little. */
static uint64_t difference(uint64_t end, uint64_t begin)
{
	return end > begin ? end - begin : 0;
}

static bool read_between(struct json_object *root, struct processors_used *used)
{
	struct reading begin, end;

	if (!read_reading(root, "start", &begin) || !read_reading(root, "end", &end) ||
	    end.time_ns <= begin.time_ns)
		return false;
	used->begin_ns = begin.time_ns;
	used->end_ns = end.time_ns;
	used->within_ns = begin.within_ns + end.within_ns;
	used->busy_ns = difference(end.busy_ns, begin.busy_ns);
	used->idle_ns = difference(end.idle_ns, begin.idle_ns);
	used->steal_ns = difference(end.steal_ns, begin.steal_ns);
	return true;
}

static bool read_format(struct json_object *root)
{
	struct json_object *format;

	return json_object_object_get_ex(root, "format", &format) &&
	       json_object_is_type(format, json_type_string) &&
	       !strcmp(json_object_get_string(format), "ptrace-run processors");
}

static bool read_where(struct json_object *root, struct processors_used *used)
{
	struct json_object *host, *processors;

	if (!json_object_object_get_ex(root, "host", &host) ||
	    !json_object_is_type(host, json_type_string) ||
	    !json_object_object_get_ex(root, "processors", &processors) ||
	    !json_object_is_type(processors, json_type_array))
		return false;
	snprintf(used->host, sizeof used->host, "%s", json_object_get_string(host));
	used->count = json_object_array_length(processors);
	return used->count > 0;
}

struct processors_used processors_used_read(const char *directory)
{
	struct processors_used used = {0};
	char *path = memory_print("%s/processors.json", directory);
	struct json_object *root = access(path, F_OK) ? NULL : json_object_from_file(path);

	used.is_known = read_format(root) && read_where(root, &used) && read_between(root, &used) &&
			read_ns(root, "tick_ns", &used.tick_ns) &&
			read_ns(root, "own_cpu_ns", &used.own_ns);
	used.are_children_known =
		used.is_known && read_ns(root, "children_cpu_ns", &used.children_ns);
	json_object_put(root);
	free(path);
	return used;
}
