/* SPDX-License-Identifier: MIT */
/* What every test program needs: clocks, known amounts of work and of waiting, and a way to say the
 * truth. The truth is a JSON object on the last line of stdout, or in the file that TRUTH_FILE
 * names. */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
/* At the end of a function: forbids a tail call, so that the function's frame is there during its
 * last call. */
#define KEEP __asm__ volatile("" ::: "memory")

static inline double clock_seconds(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double now(void)
{
	return clock_seconds(CLOCK_MONOTONIC);
}

static inline double cpu(void)
{
	return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Macros, so that the samples fall into the routine that uses them. BURN: CPU time; SPIN: elapsed
 * time. */
#define SPIN_ON(clock, seconds)                                                                    \
	do {                                                                                       \
		double end_ = clock() + (seconds);                                                 \
		while (clock() < end_)                                                             \
			for (volatile int i_ = 0; i_ < 100000; i_++)                               \
				;                                                                  \
	} while (0)
#define BURN(seconds) SPIN_ON(cpu, seconds)
#define SPIN(seconds) SPIN_ON(now, seconds)

static inline struct timespec span(double seconds)
{
	struct timespec t;
	t.tv_sec = (time_t)seconds;
	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	return t;
}

static inline struct timespec deadline(clockid_t id, double seconds)
{
	return span(clock_seconds(id) + seconds);
}

/* Sleeps and waits that no wrapper sees. */
static inline void nap_raw(double seconds)
{
	struct timespec t = span(seconds);
	syscall(SYS_nanosleep, &t, NULL);
}

static inline void await_raw(const volatile int *word, int least)
{
	while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < least)
		nap_raw(0.0003);
}

/* Whether the kernel has that process or thread asleep. */
static inline int is_asleep_raw(long number)
{
	char path[40], text[512] = "";

	snprintf(path, sizeof path, "/proc/%ld/stat", number);
	long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	syscall(SYS_read, file, text, sizeof text - 1);
	syscall(SYS_close, file);
	const char *name_end = strrchr(text, ')');
	return name_end && name_end[1] && name_end[2] == 'S';
}

static inline int increment(volatile int *word)
{
	return __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
}

static char truth_text[16384] = "{";

static inline void truth(const char *name, double value)
{
	size_t used = strlen(truth_text);
	snprintf(truth_text + used, sizeof truth_text - used, "%s\"%s\": %.9f",
		 used > 1 ? ", " : "", name, value);
}

/* Writes a text at once and without buffers to a new file, or to stdout if `path` is NULL. By
 * syscall(), since these calls are the test's and not the program's: a disk that is busy would add
 * waits to it. */
static inline void truth_write(const char *path, const char *text)
{
	long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : 1;

	if (syscall(SYS_write, fd, text, strlen(text)) < 0)
		_exit(99);
	if (path)
		syscall(SYS_close, fd);
}

/* Says all of it: the program may be about to die. */
static inline void truth_end(void)
{
	strcat(truth_text, "}\n");
	truth_write(getenv("TRUTH_FILE"), truth_text);
}
