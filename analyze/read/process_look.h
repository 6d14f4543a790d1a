/* SPDX-License-Identifier: MIT */
/* What the kernel says of a process that lives: how far its threads have come, words of its memory,
 * which pipes it holds.
 *
 * Context: reads /proc and the process's memory, and changes nothing in it. Memory can be read
 * where the kernel permits (the same user and, with Yama, an ancestor or root). Only of processes
 * for which process_is_alive, and whose numbers are those of this place: process_look_number. */
#pragma once

#include "analyze/read/profile.h"

/* Its number here; 0: it is in another container, and is not looked at. */
uint32_t process_look_number(const struct profile *profile);

/* Times are schedstat's, since the thread began: on a processor, and waiting for one. A thread that
 * runs now is accounted up to the last tick. */
struct thread_look {
	char state;    /* of proc(5) stat: 'R', 'S', 'D', ...; 0: there is no such thread */
	bool is_timed; /* the times are known */
	uint64_t cpu_ns;
	uint64_t ready_ns;
};

struct thread_look thread_look_at(uint32_t pid, uint64_t tid);

/* How many threads it has; 0: not known. */
size_t process_look_threads(uint32_t pid);

/* False: it must not be read. */
bool process_look_word(uint32_t pid, uint64_t address, uint32_t *word);

/* Inode of the pipe that the thread's system call is on, which reads or writes; 0: of none, or it
 * is not told. */
uint64_t process_look_pipe_of_call(uint32_t pid, uint64_t tid);

/* Has it an end of the pipe with that inode open: the one to write to, or to read from? */
bool process_look_pipe(uint32_t pid, uint64_t inode, bool is_writer);
