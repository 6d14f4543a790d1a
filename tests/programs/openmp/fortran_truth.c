/* SPDX-License-Identifier: MIT */
/* omp_truth.h for the Fortran program, by bind(C). A region is told by the name of its routine as
 * Fortran writes it, and by its line. */
#include "omp_truth.h"

void region_of_fortran(struct region_run *run, const char *routine, int line);
void end_region_of_fortran(const struct region_run *run);
void begin_stretch_of_fortran(struct stretch *stretch);
void end_stretch_of_fortran(const struct region_run *run, const struct stretch *stretch);
void burn_of_fortran(double seconds);
void fact_of_fortran(const char *name, int number, double value);
void count_of_fortran(const char *construct, int count);
void check_of_fortran(int is_right, const char *what);
double work_of_fortran(int thread);
int end_of_fortran(void);

void region_of_fortran(struct region_run *run, const char *routine, int line)
{
	*run = region_begin(routine, line);
}

void end_region_of_fortran(const struct region_run *run)
{
	region_end(run);
}

void begin_stretch_of_fortran(struct stretch *stretch)
{
	*stretch = stretch_begin();
}

void end_stretch_of_fortran(const struct region_run *run, const struct stretch *stretch)
{
	stretch_end(run, stretch);
}

void burn_of_fortran(double seconds)
{
	burn(seconds);
}

/* A negative number is none. */
void fact_of_fortran(const char *name, int number, double value)
{
	char numbered[64];

	snprintf(numbered, sizeof numbered, number < 0 ? "%s" : "%s_%d", name, number);
	truth(numbered, value);
}

void count_of_fortran(const char *construct, int count)
{
	counted(construct, count);
}

void check_of_fortran(int is_right, const char *what)
{
	check(is_right, what);
}

double work_of_fortran(int thread)
{
	return region_truths[0].threads[thread].cpu;
}

int end_of_fortran(void)
{
	return end();
}
