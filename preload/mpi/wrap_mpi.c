/* SPDX-License-Identifier: MIT */
/* MPI_* and PMPI_*: one wrapper for each row of mpi_calls.def and each of its two names. */
#include "preload/base/call_args.h"
#include "preload/base/text.h"
#include "preload/life/section_calls.h"
#include "preload/mpi/mpi_call_record.h"
#include "preload/mpi/mpi_process.h"
#include "preload/mpi/mpi_real.h"
#include "preload/stacks/site.h"

#include <errno.h>
#include <stdarg.h>

#define WRAP(symbol, entry, call, arity)                                                           \
	EXPORTED int symbol(WORDS_##arity);                                                        \
	EXPORTED int symbol(WORDS_##arity)                                                         \
	{                                                                                          \
		mpi_word words[] = {VALUES_##arity};                                               \
		struct mpi_state state;                                                            \
		const struct site *site = SITE_HERE;                                               \
		bool is_measured = true;                                                           \
		int (*next)(WORDS_##arity) =                                                       \
			(int (*)(WORDS_##arity))mpi_next[entry][MPI_CALL_##call];                  \
		if (unlikely(!mpi_real_serves_all()))                                              \
			next = (int (*)(WORDS_##arity))mpi_real_route(entry, MPI_CALL_##call,      \
								      site->caller, &is_measured); \
		if (unlikely(!next))                                                               \
			return mpi_missing(MPI_CALL_##call, words);                                \
		is_measured = is_measured && mpi_enter(&state, MPI_CALL_##call, words, site);      \
		int result = next(ELEMENTS_##arity);                                               \
		if (is_measured)                                                                   \
			mpi_leave(&state, words, result);                                          \
		return result;                                                                     \
	}

#define MPI_CALL(call, arity, class, ...)                                                          \
	WRAP(MPI_##call, ENTRY_MPI, call, arity)                                                   \
	WRAP(PMPI_##call, ENTRY_PMPI, call, arity)
#define MPI_CALLS(call, arity, class, ...)                                                         \
	MPI_CALL(call, arity, class)                                                               \
	MPI_CALL(call##_c, arity, class)
#define MPI_LEFT(call, why)
#include "preload/mpi/mpi_calls.def"
#undef MPI_CALL
#undef MPI_CALLS
#undef MPI_LEFT

/* The one call with variable arguments, of which three are passed on. Level 0 switches recording
 * off, any other level on (MPI-3.1, 14.2.4); higher ones than 1, whose meaning is left to tools,
 * are phases. */
enum { LEVEL_OFF = 0, LEVEL_ON = 1 };

static void begin_phase(int32_t level, const struct site *site)
{
	char name[32];
	struct text text = TEXT(name);

	text_add(&text, "MPI_Pcontrol ");
	text_add_number(&text, (uint64_t)level);
	section_call_phase(name, site);
}

static int pcontrol(const char *name, int32_t level, va_list rest, const struct site *site)
{
	mpi_word word[3];
	bool is_measured;
	int (*next)(int, ...) = (int (*)(int, ...))mpi_real_find(name, site->caller, &is_measured);

	for (int i = 0; i < 3; i++)
		word[i] = va_arg(rest, mpi_word);
	if (is_measured)
		mpi_process_pause(level == LEVEL_OFF, clock_now_ns());
	if (is_measured && level > LEVEL_ON)
		begin_phase(level, site);
	return next ? next(level, word[0], word[1], word[2]) : 0;
}

EXPORTED int MPI_Pcontrol(const int level, ...);
EXPORTED int MPI_Pcontrol(const int level, ...)
{
	va_list rest;

	va_start(rest, level);
	int result = pcontrol("MPI_Pcontrol", level, rest, SITE_HERE);
	va_end(rest);
	return result;
}

EXPORTED int PMPI_Pcontrol(const int level, ...);
EXPORTED int PMPI_Pcontrol(const int level, ...)
{
	va_list rest;

	va_start(rest, level);
	int result = pcontrol("PMPI_Pcontrol", level, rest, SITE_HERE);
	va_end(rest);
	return result;
}
