/* SPDX-License-Identifier: MIT */
/* A desk asks a feed for one quote after the other and deals by it, and analysts compute beside
 * that. The feed was made nice, as it needs little: but while the analysts have the processors it
 * does not get on, and the desk waits for it.
 *
 * cause: others wait for a thread of the lowest priority
 * finding: low-priority
 * place: write_quote|run_feed
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { QUOTES = 60, ANALYSTS = 2 };
enum { WRITING = 3000000, DEALING = 3000000, STUDYING = 180000000 }; /* rounds */

static sem_t asked, written;
static uint64_t quote;
static bool fixed;

static uint64_t churn(uint64_t value, int rounds)
{
	for (int i = 0; i < rounds; i++)
		value = value * 6364136223846793005u + 1442695040888963407u;
	return value;
}

static void write_quote(void)
{
	quote = churn(quote, WRITING);
}

static void *run_feed(void *unused)
{
	if (!fixed)
		setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
	for (int i = 0; i < QUOTES; i++) {
		sem_wait(&asked);
		write_quote();
		sem_post(&written);
	}
	return unused;
}

static void *run_desk(void *sum)
{
	for (int i = 0; i < QUOTES; i++) {
		sem_post(&asked);
		sem_wait(&written);
		*(uint64_t *)sum += churn(quote, DEALING);
	}
	return NULL;
}

static void *study(void *sum)
{
	*(uint64_t *)sum = churn(1, STUDYING);
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t feed, desk, analysts[ANALYSTS];
	uint64_t dealt = 0, studied[ANALYSTS];

	fixed = count > 1 && !strcmp(arguments[1], "fixed");
	sem_init(&asked, 0, 0);
	sem_init(&written, 0, 0);
	for (int i = 0; i < ANALYSTS; i++)
		pthread_create(&analysts[i], NULL, study, &studied[i]);
	pthread_create(&feed, NULL, run_feed, NULL);
	pthread_create(&desk, NULL, run_desk, &dealt);
	pthread_join(desk, NULL);
	pthread_join(feed, NULL);
	for (int i = 0; i < ANALYSTS; i++)
		pthread_join(analysts[i], NULL);
	printf("%llu\n", (unsigned long long)(dealt + studied[0] + studied[1]));
	return 0;
}
