/* SPDX-License-Identifier: MIT */
/* What ptrace-attach calls in the program: two functions of C, the only ones of ours that are
 * called by name from outside.
 *
 * Context: a thread of the program that was stopped at a place where it holds no lock of libc, on a
 * stack of its own, with all signals blocked but those that an instruction raises and SIGSETXID, of
 * which samples are discarded. Other threads run. */
#include "preload/attach/attach.h"

#include "preload/attach/imports.h"
#include "preload/file/note.h"
#include "preload/life/lifecycle.h"
#include "preload/process/entry.h"
#include "preload/process/settings.h"
#include "preload/thread/thread.h"

#include <errno.h>

static int is_following; /* atomic: a thread looks for objects that were loaded since */

/* The thread may hold locks of the program, so it waits for none of ours. */
static void follow(void)
{
	if (__atomic_exchange_n(&is_following, 1, __ATOMIC_ACQUIRE))
		return;
	if (imports_are_stale())
		imports_redirect();
	__atomic_store_n(&is_following, 0, __ATOMIC_RELEASE);
}

int ptrace_attach_begin(const char *texts)
{
	int saved = errno;

	if (!settings_read_given(texts))
		return -E2BIG;
	int error = lifecycle_attach();
	if (!error) {
		if (entry_behind("__kmpc_fork_call", NULL))
			note_once(NOTE_ATTACH_OMPT, 0);
		long changed = imports_redirect();
		if (changed < 0)
			note_once(NOTE_ATTACH_IMPORTS, (uint32_t)-changed);
		lifecycle_attach_threads();
		entry_follow = follow;
	}
	lifecycle_calm();
	errno = saved;
	return error;
}

int ptrace_attach_end(void)
{
	int saved = errno;

	entry_follow = NULL;
	if (!__atomic_exchange_n(&is_following, 1, __ATOMIC_ACQUIRE)) {
		imports_restore();
		__atomic_store_n(&is_following, 0, __ATOMIC_RELEASE);
	} else {
		entry_follow = follow;
		return -EAGAIN; /* for some microseconds */
	}
	int error = lifecycle_detach();
	lifecycle_calm();
	errno = saved;
	return error;
}
