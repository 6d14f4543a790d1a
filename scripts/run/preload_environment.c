/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "preload_environment.h"

#include "message.h"
#include "own_path.h"
#include "sanitizer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Set for the program: the run directory that an outer ptrace-run reports on. */
#define JOB_VARIABLE "PTRACE_JOB"
#define LIBRARY_NAME "libptrace.so"
#define SEPARATORS   ": \t\n" /* ld.so splits LD_PRELOAD at any of these, and knows no quotes */

static struct {
	char library[PATH_MAX];
	char *old_preload; /* NULL: there was none */
} environment;

static void find_library(void)
{
	const char *given = getenv("PTRACE_LIBRARY");
	char *absolute;

	if (given && *given) {
		absolute = realpath(given, NULL);
	} else {
		own_path_beside(environment.library, sizeof environment.library,
				"../lib/" LIBRARY_NAME);
		given = environment.library;
		absolute = realpath(given, NULL);
	}
	if (!absolute || access(absolute, R_OK) < 0)
		message_fail(
			STATUS_CANNOT_PROFILE,
			"cannot read the profiling library %s: %s; PTRACE_LIBRARY=FILE names another",
			given, strerror(errno));
	if (strpbrk(absolute, SEPARATORS) || strlen(absolute) >= sizeof environment.library)
		message_fail(
			STATUS_CANNOT_PROFILE,
			"LD_PRELOAD cannot hold the path '%s' (a blank, a colon, or too long); "
			"PTRACE_LIBRARY=FILE names a copy elsewhere",
			absolute);
	strcpy(environment.library, absolute);
	free(absolute);
}

/* Ours comes before what is there already, but behind the runtime of a sanitizer, which must be the
 * first. */
static void set_preload(void)
{
	const char *old = environment.old_preload ? environment.old_preload : "";
	char *words = strdup(old), *rest = NULL, *list;
	size_t size = strlen(old) + strlen(environment.library) + 2;
	bool is_placed = false;

	list = calloc(1, size + 1);
	if (!words || !list)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	for (char *word = strtok_r(words, SEPARATORS, &rest); word;
	     word = strtok_r(NULL, SEPARATORS, &rest)) {
		if (strcmp(word, environment.library) == 0)
			continue;
		if (!is_placed && !sanitizer_is_runtime(word)) {
			strcat(strcat(list, environment.library), ":");
			is_placed = true;
		}
		strcat(strcat(list, word), ":");
	}
	if (!is_placed)
		strcat(list, environment.library);
	else
		list[strlen(list) - 1] = '\0';
	setenv("LD_PRELOAD", list, 1);
	free(words);
	free(list);
}

/* AddressSanitizer ends a program when any library was loaded before its runtime. Putting the
 * runtime into LD_PRELOAD would force it on every program that this one starts, too; its own option
 * harms nobody, and the last setting counts. */
static void allow_sanitizer(const struct program *program)
{
	const char *old = getenv("ASAN_OPTIONS");
	char *options;

	if (!sanitizer_insists(program->sanitizer))
		return;
	if (asprintf(&options, "%s%sverify_asan_link_order=0", old ? old : "",
		     old && *old ? ":" : "") < 0)
		return;
	setenv("ASAN_OPTIONS", options, 1);
	free(options);
}

static void set_if_given(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
}

void preload_environment_set(const struct options *options, const struct program *program,
			     const char *directory)
{
	const char *old = getenv("LD_PRELOAD");

	find_library();
	environment.old_preload = old ? strdup(old) : NULL;
	set_preload();
	allow_sanitizer(program);
	setenv("PTRACE_OUTPUT", directory, 1);
	setenv(JOB_VARIABLE, directory, 1);
	set_if_given("PTRACE_SAMPLE", options->sample);
	set_if_given("PTRACE_SIGNAL", options->signal);
	set_if_given("PTRACE_SYNC", options->without_sync ? "0" : NULL);
	set_if_given("PTRACE_MPI", options->without_mpi ? "0" : NULL);
	set_if_given("PTRACE_OPENMP", options->without_openmp ? "0" : NULL);
	set_if_given("PTRACE_SWITCHES", options->without_switches ? "0" : NULL);
}

void preload_environment_restore(void)
{
	if (environment.old_preload)
		setenv("LD_PRELOAD", environment.old_preload, 1);
	else
		unsetenv("LD_PRELOAD");
}

const char *preload_environment_library(void)
{
	return environment.library;
}

bool preload_environment_is_inner(const char *directory)
{
	const char *job = getenv(JOB_VARIABLE);

	return job && strcmp(job, directory) == 0;
}
