/* SPDX-License-Identifier: MIT */
/* A plug-in of the program `unload`, built under several names: each is loaded at the same
 * addresses as the others. */
#include "truth.h"
#include <semaphore.h>

#define JOIN(name, what)  name##_##what
#define NAMED(name, what) JOIN(name, what)

NOINLINE void NAMED(NAME, work)(double seconds)
{
	BURN(seconds);
}

NOINLINE void NAMED(NAME, wait)(sem_t *semaphore)
{
	sem_wait(semaphore);
	KEEP;
}

void plugin_run(double seconds, sem_t *semaphore, int waits);
void plugin_run(double seconds, sem_t *semaphore, int waits)
{
	NAMED(NAME, work)(seconds);
	for (int i = 0; i < waits; i++)
		NAMED(NAME, wait)(semaphore);
	KEEP;
}
