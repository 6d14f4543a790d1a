/* SPDX-License-Identifier: MIT */
#include "preload/io/stream_lock.h"

#include "preload/base/direct.h"
#include "preload/process/real.h"

/* All that are wrapped and take the lock, and those that may come with them. */
static bool are_calls_libcs(void)
{
	const void *const calls[] = {
		real.getc,        real.fgetc,          real.getchar,  real.fgets,
		real.__fgets_chk, real.getline,        real.getdelim, real.fread,
		real.__fread_chk, real.putc,           real.fputc,    real.putchar,
		real.puts,        real.fputs,          real.fwrite,   real.vfprintf,
		real.fflush,      real.__vfprintf_chk, real.fclose,   real.freopen,
	};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (!direct_is_libcs(calls[i]))
			return false;
	return true;
}

/* Determined once. */
static bool can_take(void)
{
	static int answer; /* atomic; 0: not known, 1: yes, 2: no */
	int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);

	if (unlikely(!known)) {
		known = direct.flockfile && direct.ftrylockfile && direct.funlockfile &&
					direct.cleanup_push && direct.cleanup_pop &&
					are_calls_libcs()
				? 1
				: 2;
		__atomic_store_n(&answer, known, __ATOMIC_RELAXED);
	}
	return known == 1;
}

static void give_up(void *file)
{
	direct.funlockfile(file);
}

bool stream_lock_take(struct stream_lock *lock, FILE *file, bool takes_lock)
{
	lock->file = NULL;
	if (!stream_lock_is_needed(file, takes_lock))
		return true;
	if (unlikely(!can_take()))
		return false;
	direct.flockfile(file);
	direct.cleanup_push(&lock->undo, give_up, file);
	lock->file = file;
	return true;
}

void stream_lock_give(struct stream_lock *lock)
{
	if (!lock->file)
		return;
	direct.cleanup_pop(&lock->undo, false);
	direct.funlockfile(lock->file);
}

bool stream_lock_try(FILE *file)
{
	return can_take() && !direct.ftrylockfile(file);
}

void stream_lock_leave(FILE *file)
{
	direct.funlockfile(file);
}
