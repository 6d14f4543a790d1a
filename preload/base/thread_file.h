/* SPDX-License-Identifier: MIT */
/* Reading a thread's file of /proc.
 *
 * By the thread's own number, /proc/TID/FILE, not below /proc/PID/task: the kernel caches each name
 * that was looked up, and drops those of a thread when the thread ends. Names below the process's
 * directory have to be dropped also by the process that waits for it, which spins in wait4 while a
 * thread that has just ended, and lost its processor, is dropping them: this took up to 0.4 s of a
 * shell's CPU time. */
#pragma once

#include "preload/base/kernel_call.h"
#include "preload/base/small_file.h"
#include "preload/base/system.h"
#include "preload/base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether /proc numbers threads as this process does. If it was mounted for an outer namespace,
 * NSpid has two or more numbers, the outer one first. */
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

/* The same, asked once in each process, because a fork child may be in another namespace. */
static inline bool thread_file_numbers_are_ours(int pid)
{
	static uint64_t known; /* pid << 1 | answer; atomic */
	uint64_t found = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (found >> 1 != (uint64_t)pid) {
		found = (uint64_t)pid << 1 | thread_file_find_numbers((uint64_t)pid);
		__atomic_store_n(&known, found, __ATOMIC_RELAXED);
	}
	return found & 1;
}

/* other: the thread's directory if /proc does not know it by the number that it has here; NULL: the
 * one below the process's. */
static inline long thread_file_read_in(int pid, int32_t tid, const char *other, const char *file,
				       char *buffer, size_t capacity)
{
	char path[64];
	struct text text = TEXT(path);

	if (tid == pid) {
		text_add(&text, "/proc/self");
	} else if (thread_file_numbers_are_ours(pid)) {
		text_add(&text, "/proc/");
		text_add_number(&text, (uint64_t)tid);
	} else if (other) {
		text_add(&text, other);
	} else {
		text_add(&text, "/proc/self/task/");
		text_add_number(&text, (uint64_t)tid);
	}
	text_add(&text, file);
	return small_file_read(path, buffer, capacity);
}

static inline long thread_file_read(int32_t tid, const char *file, char *buffer, size_t capacity)
{
	return thread_file_read_in(system_pid(), tid, NULL, file, buffer, capacity);
}

/* The calling thread's, which knows its numbers. */
static inline long thread_file_read_own(int pid, int32_t tid, const char *file, char *buffer,
					size_t capacity)
{
	return thread_file_read_in(pid, tid, "/proc/thread-self", file, buffer, capacity);
}
