/* SPDX-License-Identifier: MIT */
/* A library that stands before libgomp: its critical sections without a name know their owner, and
 * end the program if another thread leaves them. Its lock looks like libgomp's. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

void GOMP_critical_start(void);
void GOMP_critical_end(void);

static int word;
static pthread_t owner;

__attribute__((noinline, cold)) static void wait_for_word(void)
{
	while (!__sync_bool_compare_and_swap(&word, 0, 1))
		sched_yield();
}

void GOMP_critical_start(void)
{
	if (!__sync_bool_compare_and_swap(&word, 0, 1))
		wait_for_word();
	owner = pthread_self();
}

__attribute__((noinline, cold)) static void refuse(void)
{
	fprintf(stderr, "not the owner\n");
	abort();
}

void GOMP_critical_end(void)
{
	pthread_t known = owner;
	int was = __atomic_exchange_n(&word, 0, __ATOMIC_SEQ_CST);

	if (!was || known != pthread_self())
		refuse();
}
