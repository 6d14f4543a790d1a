/* SPDX-License-Identifier: MIT */
#include "preload/counters/event_numbers.h"

#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"
#include "preload/base/patience.h"

#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	/* Shells use 63 and below, and 255; select() ends at 1,024, and so does the descriptor
	 * table that such a number makes the kernel allocate. */
	LOWEST = 768,
	NUMBERS = 16384,
	WORD = 64,
	WORDS = NUMBERS / WORD,
	PATIENCE_NS = 20000000, /* a read takes some microseconds */
};

bool event_numbers_are_used;

static struct {
	uint64_t words[WORDS]; /* atomic: a bit for each number */
	uint32_t count;        /* atomic */
	uint32_t reads;        /* atomic: under way */
} numbers;

static uint64_t bit_of(unsigned number)
{
	return UINT64_C(1) << number % WORD;
}

static bool is_ours(int number)
{
	return number >= 0 && number < NUMBERS &&
	       __atomic_load_n(&numbers.words[number / WORD], __ATOMIC_SEQ_CST) &
		       bit_of((unsigned)number);
}

/* False: it was not ours. */
static bool remove_number(int number)
{
	if (number < 0 || number >= NUMBERS)
		return false;
	uint64_t bit = bit_of((unsigned)number);
	uint64_t before = __atomic_fetch_and(&numbers.words[number / WORD], ~bit, __ATOMIC_SEQ_CST);
	if (!(before & bit))
		return false;
	__atomic_fetch_sub(&numbers.count, 1, __ATOMIC_RELAXED);
	return true;
}

unsigned event_numbers_limit(void)
{
	struct rlimit limit = {0};
	int saved = errno;

	if (kernel_call(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) || limit.rlim_cur > NUMBERS)
		limit.rlim_cur = NUMBERS;
	errno = saved;
	return (unsigned)limit.rlim_cur;
}

/* The lowest number to move to. */
static int lowest_of(unsigned limit)
{
	return limit >= LOWEST + LOWEST / 3 ? LOWEST : (int)(limit - limit / 4);
}

int event_numbers_keep(struct descriptor *descriptor)
{
	unsigned limit = event_numbers_limit();

	if (__atomic_add_fetch(&numbers.count, 1, __ATOMIC_RELAXED) <= limit / 4)
		descriptors_move(descriptor, lowest_of(limit));
	int number = descriptor->number;
	if (number < lowest_of(limit) || number >= NUMBERS) {
		__atomic_fetch_sub(&numbers.count, 1, __ATOMIC_RELAXED);
		descriptors_close(descriptor);
		return -EMFILE;
	}
	__atomic_fetch_or(&numbers.words[number / WORD], bit_of((unsigned)number),
			  __ATOMIC_SEQ_CST);
	event_numbers_are_used = true;
	descriptors_keep(descriptor); /* after it is known: a fork may follow at once */
	return number;
}

void event_numbers_close(int number)
{
	int saved = errno;

	if (remove_number(number))
		kernel_call(SYS_close, number);
	errno = saved;
}

/* Counted first, then looked: a thread that takes the number does it the other way round. */
bool event_numbers_begin_read(int number)
{
	__atomic_fetch_add(&numbers.reads, 1, __ATOMIC_SEQ_CST);
	if (likely(is_ours(number)))
		return true;
	event_numbers_end_read();
	return false;
}

void event_numbers_end_read(void)
{
	__atomic_fetch_sub(&numbers.reads, 1, __ATOMIC_SEQ_CST);
}

int event_numbers_next(unsigned first, unsigned last)
{
	last = last < NUMBERS ? last : NUMBERS - 1;
	for (unsigned number = first; number <= last; number++) {
		uint64_t word = __atomic_load_n(&numbers.words[number / WORD], __ATOMIC_RELAXED);
		if (word & bit_of(number))
			return (int)number;
		if (!word)
			number |= WORD - 1;
	}
	return -1;
}

void event_numbers_yield(int number)
{
	struct patience patience = {0};

	if (!remove_number(number))
		return;
	while (__atomic_load_n(&numbers.reads, __ATOMIC_SEQ_CST) &&
	       patience_left(&patience, PATIENCE_NS))
		;
}

void event_numbers_forget(void)
{
	int number = -1, saved = errno;

	while (event_numbers_are_used &&
	       (number = event_numbers_next((unsigned)(number + 1), NUMBERS)) >= 0)
		if (remove_number(number))
			kernel_call(SYS_close, number);
	numbers.count = numbers.reads = 0;
	event_numbers_are_used = false;
	errno = saved;
}
