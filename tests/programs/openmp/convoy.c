/* SPDX-License-Identifier: MIT */
/* convoy SCENE: the first thread of a team holds a critical section, or a lock, for a tenth of a
 * second after all others have begun to wait for it; each of these holds it for an instant only.
 * Facts: the others' waiting time (waited), and how much of that had passed when the culprit
 * released it (least): all of it is the culprit's. */
#include "omp_truth.h"

#define HELD 0.1

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static volatile int held, arrived;
static double given, waited, begun;
static volatile long count;

static void keep(void)
{
	increment(&held);
	await_raw(&arrived, omp_get_num_threads() - 1);
	nap_raw(HELD);
	given = now();
}

static NOINLINE void critical_culprit(void)
{
#pragma omp critical(convoy)
	keep();
	KEEP;
}
static NOINLINE void critical_victim(void)
{
#pragma omp critical(convoy)
	count++;
	KEEP;
}

static NOINLINE void lock_culprit(void)
{
	omp_set_lock(&lock);
	keep();
	omp_unset_lock(&lock);
	KEEP;
}
static NOINLINE void lock_victim(void)
{
	omp_set_lock(&lock);
	count++;
	omp_unset_lock(&lock);
	KEEP;
}

static NOINLINE void nest_culprit(void)
{
	omp_set_nest_lock(&nest_lock);
	keep();
	omp_unset_nest_lock(&nest_lock);
	KEEP;
}
static NOINLINE void nest_victim(void)
{
	omp_set_nest_lock(&nest_lock);
	count++;
	omp_unset_nest_lock(&nest_lock);
	KEEP;
}

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, name##_culprit, name##_victim                                               \
	}
static const struct scene {
	const char *name;
	void (*culprit)(void), (*victim)(void);
} scenes[] = {ROW(critical), ROW(lock), ROW(nest)};

static void come(const struct scene *scene)
{
	await_raw(&held, 1);
	double begin = now();
	increment(&arrived);
	scene->victim();
	double time = now() - begin;
#pragma omp critical(guard)
	{
		waited += time;
		begun += begin;
	}
}

int main(int argc, char **argv)
{
	const struct scene *scene = NULL;
	int team = 0;

	for (unsigned i = 0; argc == 2 && i < sizeof scenes / sizeof *scenes; i++)
		if (strcmp(argv[1], scenes[i].name) == 0)
			scene = &scenes[i];
	if (!scene)
		return 2;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
#pragma omp parallel
	{
#pragma omp master
		team = omp_get_num_threads();
		if (omp_get_thread_num() == 0)
			scene->culprit();
		else
			come(scene);
	}
	truth("waited", waited);
	truth("least", (team - 1) * given - begun);
	truth_end();
	return 0;
}
