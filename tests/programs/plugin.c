/* SPDX-License-Identifier: MIT */
/* A plug-in that locks, starts a thread, and computes. */
#include "truth.h"

int plugin_work(int number);

static pthread_mutex_t plugin_lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *number)
{
	pthread_mutex_lock(&plugin_lock);
	sum += (int)(long)number;
	pthread_mutex_unlock(&plugin_lock);
	return NULL;
}

int plugin_work(int number)
{
	pthread_t t;
	pthread_create(&t, NULL, add, (void *)(long)number);
	for (volatile int i = 0; i < 100000; i++)
		;
	add((void *)(long)number);
	pthread_join(t, NULL);
	return sum;
}
