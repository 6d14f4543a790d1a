/* SPDX-License-Identifier: MIT */
/* Reading a thread's file of /proc.
 *
 * By the thread's own number, /proc/TID/FILE, not below /proc/PID/task: the kernel remembers each
 * name that was looked up, and forgets those of a thread when the thread is gone. If they are below
 * the process's, whoever waits for the process has to forget them too, and spins in wait4 while a
 * thread that just ended, and lost its processor, is at it: up to 0.4 s of CPU time of a shell. */
#pragma once

#include "small_file.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether /proc numbers threads as this process does: one mounted for an outer namespace tells its
 * number there first, so that NSpid has two or more. */
static inline bool thread_file_find_numbers(uint64_t pid)
{
	char buffer[512];

	if (small_file_read("/proc/self/status", buffer, sizeof buffer) <= 0)
		return false;
	const char *numbers = strstr(buffer, "\nNSpid:\t");
	if (!numbers)
		return false;
	numbers += strlen("\nNSpid:\t");
	return text_read_number(&numbers) == pid && *numbers == '\n';
}

/* The same, asked once in each process: a fork child may be in another namespace. */
static inline bool thread_file_numbers_are_ours(void)
{
	static uint64_t known; /* pid << 1 | answer; atomic */
	uint64_t pid = (uint64_t)getpid();
	uint64_t found = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (found >> 1 != pid) {
		found = pid << 1 | thread_file_find_numbers(pid);
		__atomic_store_n(&known, found, __ATOMIC_RELAXED);
	}
	return found & 1;
}

static inline long thread_file_read(int32_t tid, const char *file, char *buffer, size_t capacity)
{
	char path[64];
	struct text text = TEXT(path);

	if (tid == getpid()) {
		text_add(&text, "/proc/self");
	} else {
		text_add(&text, thread_file_numbers_are_ours() ? "/proc/" : "/proc/self/task/");
		text_add_number(&text, (uint64_t)tid);
	}
	text_add(&text, file);
	return small_file_read(path, buffer, capacity);
}

static inline long thread_file_read_own(const char *file, char *buffer, size_t capacity)
{
	char path[64];
	struct text text = TEXT(path);
	int32_t tid = (int32_t)syscall(SYS_gettid);

	if (tid == getpid() || thread_file_numbers_are_ours())
		return thread_file_read(tid, file, buffer, capacity);
	text_add(&text, "/proc/thread-self");
	text_add(&text, file);
	return small_file_read(path, buffer, capacity);
}
