/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "preload_environment.h"

#include "common/message.h"
#include "event_settings.h"
#include "library_path.h"
#include "sanitizer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Set for the program: the run directory that an outer ptrace-run reports on. */
#define JOB_VARIABLE      "PTRACE_JOB"
#define IN_PLACE_VARIABLE "PTRACE_IN_PLACE"
#define LIBRARY_NAME      "libptrace.so"
/* Contains a link to the library for each value of $LIB (made by the Makefile), and one for a
 * script that evaluates LD_PRELOAD once more. */
#define LINKS      "/libptrace"
#define SEPARATORS ": \t\n" /* ld.so splits LD_PRELOAD at any of these, and has no quotes */

static struct {
	char library[PATH_MAX];
	char word[PATH_MAX + 32]; /* the library as a word of LD_PRELOAD */
	char *old_preload;        /* NULL: there was none */
} environment;

/* ld.so would replace these; any other `$` is an ordinary character. */
static bool holds_token(const char *path)
{
	static const char *const tokens[] = {"$LIB",      "${LIB}",    "$ORIGIN",
					     "${ORIGIN}", "$PLATFORM", "${PLATFORM}"};

	for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++)
		if (strstr(path, tokens[i]))
			return true;
	return false;
}

static void find_library(void)
{
	library_path_find(environment.library, sizeof environment.library);
	if (strpbrk(environment.library, SEPARATORS) || holds_token(environment.library))
		message_fail(STATUS_CANNOT_PROFILE,
			     "LD_PRELOAD cannot hold the path '%s' (a blank, a colon, or a $LIB); "
			     "PTRACE_LIBRARY=FILE names a copy elsewhere",
			     environment.library);
}

/* The directory of links beside the library, if it leads to this one. In a path with $LIB glibc
 * finds the library, wherever this system has its own; musl, which cannot run with it, takes the
 * path literally, finds nothing, and continues silently. */
static void choose_word(void)
{
	const char *slash = strrchr(environment.library, '/');
	int length = (int)(slash - environment.library);
	char link[PATH_MAX + 32];
	struct stat library, target;

	snprintf(environment.word, sizeof environment.word, "%s", environment.library);
	snprintf(link, sizeof link, "%.*s" LINKS "/" LIBRARY_NAME, length, environment.library);
	if (stat(environment.library, &library) == 0 && stat(link, &target) == 0 &&
	    target.st_ino == library.st_ino && target.st_dev == library.st_dev)
		snprintf(environment.word, sizeof environment.word,
			 "%.*s" LINKS "/$LIB/" LIBRARY_NAME, length, environment.library);
}

static bool is_ours(const char *word)
{
	return strcmp(word, environment.library) == 0 || strcmp(word, environment.word) == 0;
}

/* Our library precedes those that are there already, but follows the runtime of a sanitizer, which
 * must be the first. */
static void set_preload(void)
{
	const char *old = environment.old_preload ? environment.old_preload : "";
	char *words = strdup(old), *rest = NULL, *list;
	size_t size = strlen(old) + strlen(environment.word) + 2;
	bool is_placed = false;

	list = calloc(1, size + 1);
	if (!words || !list)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	for (char *word = strtok_r(words, SEPARATORS, &rest); word;
	     word = strtok_r(NULL, SEPARATORS, &rest)) {
		if (is_ours(word))
			continue;
		if (!is_placed && !sanitizer_is_runtime(word)) {
			strcat(strcat(list, environment.word), ":");
			is_placed = true;
		}
		strcat(strcat(list, word), ":");
	}
	if (!is_placed)
		strcat(list, environment.word);
	else
		list[strlen(list) - 1] = '\0';
	setenv("LD_PRELOAD", list, 1);
	free(words);
	free(list);
}

/* AddressSanitizer ends a program if any library was loaded before its runtime. Adding the runtime
 * to LD_PRELOAD would force it on every program that this one starts, too; its own option does no
 * harm, and the last setting counts. */
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
			     const char *directory, bool is_in_place)
{
	const char *old = getenv("LD_PRELOAD");

	find_library();
	choose_word();
	environment.old_preload = old ? strdup(old) : NULL;
	set_preload();
	allow_sanitizer(program);
	setenv("PTRACE_OUTPUT", directory, 1);
	setenv(JOB_VARIABLE, directory, 1);
	if (is_in_place)
		setenv(IN_PLACE_VARIABLE, "1", 1);
	else
		unsetenv(IN_PLACE_VARIABLE);
	counters_set_environment();
	set_if_given("PTRACE_SAMPLE", options->sample);
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

bool preload_environment_is_outer_gone(void)
{
	return getenv(IN_PLACE_VARIABLE) != NULL;
}
