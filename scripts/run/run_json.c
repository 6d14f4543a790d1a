/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "common/message.h"
#include "common/utf8.h"
#include "new_directory.h"

#include "own_process.h"
#include "run_file.h"
#include "write_problem.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JSON is UTF-8, an argument may be any bytes: those that are no characters become U+FFFD. */
static struct json_object *new_text(const char *bytes)
{
	char *text = malloc(3 * strlen(bytes) + 1), *end = text;

	if (!text)
		return json_object_new_string("");
	while (*bytes) {
		size_t length = utf8_bytes(bytes);

		end = length ? mempcpy(end, bytes, length) : stpcpy(end, UTF8_REPLACEMENT);
		bytes += length ? length : 1;
	}
	*end = '\0';
	struct json_object *object = json_object_new_string_len(text, (int)(end - text));
	free(text);
	return object;
}

static struct json_object *new_time(const struct timespec *start)
{
	char text[40];
	struct tm local;

	localtime_r(&start->tv_sec, &local);
	size_t length = strftime(text, sizeof text - 1, "%Y-%m-%dT%H:%M:%S%z", &local);
	memmove(text + length - 1, text + length - 2, 3); /* +0100 to +01:00 */
	text[length - 2] = ':';
	return json_object_new_string(text);
}

static struct json_object *new_description(const struct launcher_job *job, char **command,
					   pid_t child, const struct timespec *start)
{
	struct json_object *description = json_object_new_object();
	struct json_object *words = json_object_new_array();
	char seconds[40], *directory = getcwd(NULL, 0);

	snprintf(seconds, sizeof seconds, "%lld.%06ld", (long long)start->tv_sec,
		 start->tv_nsec / 1000);
	for (char **word = command; *word; word++)
		json_object_array_add(words, new_text(*word));

	json_object_object_add(description, "format", json_object_new_string("ptrace-run"));
	json_object_object_add(description, "version", json_object_new_int(1));
	json_object_object_add(description, "command", words);
	json_object_object_add(description, "directory", directory ? new_text(directory) : NULL);
	json_object_object_add(description, "start", new_time(start));
	json_object_object_add(description, "start_unix",
			       json_object_new_double_s(strtod(seconds, NULL), seconds));
	json_object_object_add(description, "host", new_text(own_process_host()));
	json_object_object_add(description, "tool_version", json_object_new_string(PTRACE_VERSION));
	json_object_object_add(description, "pid", json_object_new_int64(child));
	bool has_job = job->key[0] != '\0';
	json_object_object_add(description, "job", has_job ? new_text(job->key) : NULL);
	json_object_object_add(description, "ranks",
			       has_job ? json_object_new_int(job->ranks) : NULL);
	free(directory);
	return description;
}

int run_directory_describe(const struct run_directory *run, const struct launcher_job *job,
			   char **command, pid_t child, const struct timespec *start)
{
	struct json_object *description = new_description(job, command, child, start);
	int error = run_file_write_once(run->file, "run.json", description);

	if (error) {
		char why[200];

		write_problem_text(run->path, error, why, sizeof why);
		message_say("cannot write %s/run.json: %s", run->path, why);
	}
	json_object_put(description);
	return error;
}
