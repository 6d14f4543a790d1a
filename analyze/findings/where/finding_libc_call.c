/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_libc_call.h"

#include "analyze/findings/where/finding_called.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/run/run.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define NAMES(array) array, COUNT(array)

static const char *const random_calls[] = {"rand",    "srand",     "random",
					   "srandom", "initstate", "setstate"};
static const char *const time_calls[] = {"localtime", "localtime_r", "gmtime",     "gmtime_r",
					 "ctime",     "ctime_r",     "mktime",     "timelocal",
					 "tzset",     "strftime",    "strftime_l", "tz_convert"};
static const char *const locale_calls[] = {"setlocale", "newlocale", "duplocale", "freelocale"};
static const char *const environment_calls[] = {"getenv",   "secure_getenv", "setenv",
						"unsetenv", "putenv",        "clearenv"};
static const char *const stream_calls[] = {
	"fputc",   "putc",     "putchar",    "fgetc",      "getc",   "getchar", "ungetc", "fputs",
	"puts",    "fgets",    "getline",    "getdelim",   "fwrite", "fread",   "printf", "fprintf",
	"vprintf", "vfprintf", "fputwc",     "putwc",      "fgetwc", "getwc",   "scanf",  "fscanf",
	"vfscanf", "fflush",   "fseek",      "fseeko",     "ftell",  "ftello",  "rewind", "feof",
	"ferror",  "clearerr", "printf_chk", "fprintf_chk"};

const struct finding_libc_call finding_libc_calls[] = {
	{"rand or random",
	 "Give each thread a state of its own: rand_r, random_r, or a generator of the program's.",
	 NAMES(random_calls)},
	{"the conversion of times (localtime, localtime_r, mktime, strftime)",
	 "Convert once for many uses: keep the result per thread, for as long as the second or the "
	 "day lasts.",
	 NAMES(time_calls)},
	{"setlocale or newlocale",
	 "Make locales once, before threads begin; a thread chooses one by uselocale.",
	 NAMES(locale_calls)},
	{"getenv or setenv", "Read the environment once, before threads begin.",
	 NAMES(environment_calls)},
	{"stdio (fputc, fgetc, fputs, fprintf)",
	 "Lock once for many calls: flockfile, putc_unlocked, getc_unlocked, funlockfile; or give "
	 "each thread a buffer of its own, and write that as a whole. A stream that a single "
	 "thread uses needs no lock: __fsetlocking(FILE, FSETLOCKING_BYCALLER).",
	 NAMES(stream_calls)},
};
const size_t finding_libc_call_count = COUNT(finding_libc_calls);

bool finding_is_libc(const struct run *run, size_t node)
{
	const struct routine *routine = names_routine(run->names, run->paths.nodes[node].routine);
	const char *base = runtime_base_name(routine->module);

	return !strncmp(base, "libc.so", strlen("libc.so")) ||
	       !strncmp(base, "libc-", strlen("libc-"));
}

bool finding_is_libc_wait(const char *name)
{
	return !strncmp(name, "__lll_lock_wa", strlen("__lll_lock_wa"));
}

static const struct finding_libc_call *call_of(const char *name)
{
	for (size_t i = 0; i < COUNT(finding_libc_calls); i++)
		if (finding_is_named(name, finding_libc_calls[i].names,
				     finding_libc_calls[i].count))
			return &finding_libc_calls[i];
	return NULL;
}

/* The outermost call is the one that a program would replace. */
struct finding_libc_path finding_libc_path(const struct run *run, size_t node)
{
	struct finding_libc_path path = {0};

	if (!finding_is_libc(run, node))
		return path;
	for (; node; node = run->paths.nodes[node].parent) {
		const struct routine *routine =
			names_routine(run->names, run->paths.nodes[node].routine);

		if (*routine->module && !routine->is_runtime)
			break;
		if (!finding_is_libc(run, node))
			continue;
		const struct finding_libc_call *call = call_of(routine->name);

		path.is_waiting |= finding_is_libc_wait(routine->name);
		if (call)
			path.call = call;
	}
	path.user = node;
	if (!node)
		path.call = NULL;
	return path;
}
