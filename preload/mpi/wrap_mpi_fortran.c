/* SPDX-License-Identifier: MIT */
/* Fortran routines that call no C function: one wrapper for each row of mpi_fortran.def and each
 * spelling that compilers give to the name. If a library does call C, that call is nested in this
 * one, and does not count. */
#include "preload/base/call_args.h"
#include "preload/mpi/mpi_call_record.h"
#include "preload/mpi/mpi_real.h"
#include "preload/stacks/site.h"

enum { ERROR_OTHER = 16 };

/* Fortran passes addresses, also of handles: mpi_enter gets zeros instead, which are no
 * communicator. */
#define NOTHING ((mpi_word[MPI_ARGUMENTS_MOST]){0})

/* The original of one spelling. If all calls go to one library it is remembered; several threads
 * then write the same. */
static void *original(void **known, const char *name, const struct site *site, bool *is_measured)
{
	void *function = __atomic_load_n(known, __ATOMIC_RELAXED);

	*is_measured = true;
	if (function)
		return function;
	function = mpi_real_find(name, site->caller, is_measured);
	if (mpi_real_serves_all())
		__atomic_store_n(known, function, __ATOMIC_RELAXED);
	return function;
}

/* The call's error code, its last argument, which a program in mpi_f08 may leave out. */
static int error_of(mpi_word word)
{
	return word ? *(const int32_t *)word : 0;
}

static void complain(mpi_word word)
{
	if (word)
		*(int32_t *)word = ERROR_OTHER;
}

#define WRAP(symbol, call, arity)                                                                  \
	EXPORTED void symbol(WORDS_##arity);                                                       \
	EXPORTED void symbol(WORDS_##arity)                                                        \
	{                                                                                          \
		static void *known;                                                                \
		struct mpi_state state;                                                            \
		const struct site *site = SITE_HERE;                                               \
		bool is_measured;                                                                  \
		void (*next)(WORDS_##arity) =                                                      \
			(void (*)(WORDS_##arity))original(&known, #symbol, site, &is_measured);    \
		if (unlikely(!next)) {                                                             \
			complain(a##arity);                                                        \
			return;                                                                    \
		}                                                                                  \
		is_measured = is_measured && mpi_enter(&state, MPI_CALL_##call, NOTHING, site);    \
		next(VALUES_##arity);                                                              \
		if (is_measured)                                                                   \
			mpi_leave(&state, NOTHING, error_of(a##arity));                            \
	}

/* gfortran and most others append one underscore, g77 two, XL none; some use capitals. */
#define FORTRAN_CALL(call, arity, lower, upper)                                                    \
	WRAP(lower, call, arity)                                                                   \
	WRAP(lower##_, call, arity)                                                                \
	WRAP(lower##__, call, arity)                                                               \
	WRAP(upper, call, arity)                                                                   \
	WRAP(lower##_f08_, call, arity)
#include "preload/mpi/mpi_fortran.def"
#undef FORTRAN_CALL
