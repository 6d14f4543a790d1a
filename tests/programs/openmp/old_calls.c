/* SPDX-License-Identifier: MIT */
/* The calls that gcc before 4.9 made of regions: the team is started, the first thread calls the
 * body itself, and ends the team. As that compiler made them, with loops and sections of that form,
 * nested, and one after the other from one frame. Known: regions, bodies, iterations. */
#include "omp_truth.h"

void GOMP_parallel_start(void (*body)(void *), void *data, unsigned threads);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_dynamic_start(void (*body)(void *), void *data, unsigned threads,
				      long start, long end, long step, long chunk);
bool GOMP_loop_dynamic_next(long *start, long *end);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_sections_start(void (*body)(void *), void *data, unsigned threads,
				  unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

enum { EXECUTIONS = 4, ITERATIONS = 50, SECTIONS = 5 };
static const double part = 0.003;
static int bodies, iterations, sections, inner_bodies;

struct shared {
	struct region_run run;
	int words[4];
};

static NOINLINE void plain_body(void *data)
{
	struct shared *shared = data;
	struct stretch mine = stretch_begin();

	check(shared->words[3] == 42, "the data of a body");
	burn(part * (1 + omp_get_thread_num()));
	increment(&bodies);
	stretch_end(&shared->run, &mine);
}

static NOINLINE void plain(void)
{
	struct shared shared = {region_begin("plain_body", 0), {1, 2, 3, 42}};

	GOMP_parallel_start(plain_body, &shared, 2);
	check(omp_get_num_threads() == 2 && omp_get_thread_num() == 0,
	      "the team of a started region");
	plain_body(&shared);
	GOMP_parallel_end();
	region_end(&shared.run);
	KEEP;
}

static NOINLINE void loop_body(void *data)
{
	long from, to;

	(void)data;
	while (GOMP_loop_dynamic_next(&from, &to))
		for (long i = from; i < to; i++)
			increment(&iterations);
	GOMP_loop_end_nowait();
}

static NOINLINE void loop(void)
{
	struct region_run run = region_begin("loop_body", 0);
	GOMP_parallel_loop_dynamic_start(loop_body, NULL, 2, 0, ITERATIONS, 1, 3);
	loop_body(NULL);
	GOMP_parallel_end();
	region_end(&run);
	KEEP;
}

static NOINLINE void sections_body(void *data)
{
	(void)data;
	while (GOMP_sections_next())
		increment(&sections);
	GOMP_sections_end_nowait();
}

static NOINLINE void some_sections(void)
{
	struct region_run run = region_begin("sections_body", 0);
	GOMP_parallel_sections_start(sections_body, NULL, 2, SECTIONS);
	sections_body(NULL);
	GOMP_parallel_end();
	region_end(&run);
	KEEP;
}

static NOINLINE void inner_body(void *data)
{
	(void)data;
	increment(&inner_bodies);
	burn(part / 3);
}

/* Both kinds of region below one that was started in the old way. */
static NOINLINE void outer_body(void *data)
{
	(void)data;
	GOMP_parallel_start(inner_body, NULL, 2);
	inner_body(NULL);
	GOMP_parallel_end();
#pragma omp parallel num_threads(2)
	increment(&inner_bodies);
}

static NOINLINE void nested(void)
{
	struct region_run run = region_begin("outer_body", 0);
	GOMP_parallel_start(outer_body, NULL, 2);
	outer_body(NULL);
	GOMP_parallel_end();
	region_end(&run);
	KEEP;
}

int main(void)
{
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	for (int i = 0; i < EXECUTIONS; i++) {
		plain();
		loop();
		some_sections();
		nested();
	}
	check(bodies == 2 * EXECUTIONS, "bodies");
	check(iterations == ITERATIONS * EXECUTIONS, "iterations");
	check(sections == SECTIONS * EXECUTIONS, "sections");
	check(inner_bodies == 2 * (2 + 2) * EXECUTIONS, "inner bodies");
	counted("parallel", EXECUTIONS * (4 + 4));
	truth("executions", EXECUTIONS);
	truth("part", part);
	return end();
}
