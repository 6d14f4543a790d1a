/* SPDX-License-Identifier: MIT */
/* masters one | many | exit: threads of pthread that each start regions and end: one after the
 * other, a few at once, or while the initial thread has left by pthread_exit. Known: regions and
 * members; a runtime makes and ends workers for each of them. */
#include "omp_truth.h"

enum { ONE = 60, MANY = 6, EACH = 3, TEAM = 2 };
static const double part = 0.0005;
static int bodies, ended;

static NOINLINE void of_thread(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(TEAM)
	{
		burn(part);
		increment(&bodies);
	}
	region_end(&run);
	KEEP;
}

static void *master(void *unused)
{
	for (int i = 0; i < EACH; i++)
		of_thread();
	increment(&ended);
	return unused;
}

static pthread_t start(void *(*body)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL))
		abort();
	return thread;
}

static int tell(int masters)
{
	check(ended == masters && bodies == masters * EACH * TEAM, "bodies of all masters");
	counted("parallel", (long long)masters * EACH);
	truth("masters", masters);
	return end();
}

static void *last(void *unused)
{
	master(unused);
	exit(tell(1));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "one";
	pthread_t threads[MANY];

	omp_set_dynamic(0);
	if (!strcmp(how, "exit")) {
		start(last);
		pthread_exit(NULL);
	}
	if (!strcmp(how, "one")) {
		for (int i = 0; i < ONE; i++)
			pthread_join(start(master), NULL);
		return tell(ONE);
	}
	for (int i = 0; i < MANY; i++)
		threads[i] = start(master);
	for (int i = 0; i < MANY; i++)
		pthread_join(threads[i], NULL);
	return tell(MANY);
}
