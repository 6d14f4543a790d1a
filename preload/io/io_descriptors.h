/* SPDX-License-Identifier: MIT */
/* What descriptors stand for: for each number below 4096 a word with its generation, which changes
 * when the number is closed, and its row of `objects`.
 *
 * The kernel is asked only after a wait, or after 16 calls or 64 KiB on a number, and before the
 * first wait of a fork child: programs that open a million files and read each once do not pay for
 * it. Numbers are also closed by raw system
 * calls and inside libc, which nobody sees: after a wait, device and inode are compared again.
 * Context: any thread; closing from vfork children and signal handlers, too, where a forgotten row
 * is found again. errno is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/file/vocabulary.h"

enum {
	IO_DESCRIPTORS = 4096,
	IO_USES = 16,        /* a number that was used so often is looked up; */
	IO_USE_BYTES = 4096, /* so many bytes are a further use */
};

/* In a word, below the generation: */
enum {
	IO_ROW = 0xffff,
	IO_ACCEPTED = 1 << 16,
	IO_LOOKED_UP = 1 << 17,
	IO_STREAM = 1 << 18,    /* pipe, socket, terminal, eventfd and the like */
	IO_UNWAITING = 1 << 19, /* such a one was O_NONBLOCK when it was looked up */
};
#define IO_GENERATION (UINT64_C(1) << 32)

extern uint64_t io_descriptor_words[IO_DESCRIPTORS] __attribute__((visibility("hidden")));
extern uint8_t io_descriptor_uses[IO_DESCRIPTORS] __attribute__((visibility("hidden")));

/* 0, with no row, for numbers beyond the table. */
static inline uint64_t io_descriptor_word(int number)
{
	return likely((unsigned)number < IO_DESCRIPTORS)
		       ? __atomic_load_n(&io_descriptor_words[number], __ATOMIC_RELAXED)
		       : IO_LOOKED_UP;
}

/* A call used it; true: it is time to look it up. Two threads may count one use; nothing depends on
 * it. */
static inline bool io_descriptor_use(int number, uint64_t word, uint64_t bytes)
{
	if (likely(word & IO_LOOKED_UP))
		return false;
	uint8_t *uses = &io_descriptor_uses[number];
	uint64_t more = *uses + 1 + bytes / IO_USE_BYTES;
	*uses = (uint8_t)(more < IO_USES ? more : IO_USES);
	return more >= IO_USES;
}

/* This is a vfork child, whose numbers are its own, and whose memory is not. */
bool io_descriptor_is_of_parent(void);

/* Before a number is closed, and before another one is put in its place. */
static inline void io_descriptor_closes(int number)
{
	if ((unsigned)number >= IO_DESCRIPTORS)
		return;
	uint64_t word = __atomic_load_n(&io_descriptor_words[number], __ATOMIC_RELAXED);
	if (unlikely(word & (IO_LOOKED_UP | IO_ACCEPTED) && io_descriptor_is_of_parent()))
		return;
	io_descriptor_uses[number] = 0;
	__atomic_store_n(&io_descriptor_words[number], (word | (IO_GENERATION - 1)) + 1,
			 __ATOMIC_RELAXED);
}

/* The number is new: if it was closed where nobody saw it, it is forgotten now. */
static inline void io_descriptor_opens(int number)
{
	if ((unsigned)number < IO_DESCRIPTORS && unlikely((uint32_t)io_descriptor_word(number)))
		io_descriptor_closes(number);
}

void io_descriptors_close(unsigned first, unsigned last);

/* accept made it. */
void io_descriptor_accepted(int number);

/* dup and its kin made the number `to`, or it was not closed after all: it is accepted if the word
 * is that of such a socket. to: -1: none. */
void io_descriptor_copied(uint64_t word, int to);

/* It is O_NONBLOCK no longer. */
void io_descriptor_waits(int number, uint64_t word);

/* The row for the number; word: as it was before the call; 0: not known, or closed meanwhile.
 * place: the caller. */
uint16_t io_descriptor_find(int number, uint64_t word, enum operation operation, uint64_t place);
