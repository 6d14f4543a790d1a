/* SPDX-License-Identifier: MIT */
/* Correlates each of many price series with all series before it, for several windows of time. Of
 * the triangle of pairs the OpenMP threads get equal numbers of rows, so that the last one has most
 * of the pairs. Innocent: one thread makes and normalises the series first, the strongest pairs are
 * kept under a lock that a pair of a thousand takes, and a thread waits on a condition for alarms
 * that do not come.
 *
 * cause: equal numbers of rows of a triangle are unequal work, and the schedule is static
 * finding: omp-imbalance
 * place: correlate
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES = 900, DAYS = 1536, WINDOWS = 4, STRONGEST = 32 };

struct alarms {
	pthread_mutex_t mutex;
	pthread_cond_t rung;
	bool closed;
	int pending, handled;
};

static double prices[SERIES][DAYS];
static double row_sums[SERIES];
static struct alarms alarms = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, 0};
static omp_lock_t strongest_lock;
static long strong_pairs;

static void normalise(double *series)
{
	double mean = 0, square = 0;

	for (int day = 0; day < DAYS; day++)
		mean += series[day] / DAYS;
	for (int day = 0; day < DAYS; day++) {
		series[day] -= mean;
		square += series[day] * series[day];
	}
	for (int day = 0; day < DAYS; day++)
		series[day] /= sqrt(square / DAYS);
}

static void make_series(void)
{
	unsigned short state[3] = {1, 2, 3};

	for (int i = 0; i < SERIES; i++) {
		double price = 100, drift = erand48(state) - 0.5;
		for (int day = 0; day < DAYS; day++) {
			price += drift + 8 * (erand48(state) - 0.5);
			prices[i][day] = price;
		}
		normalise(prices[i]);
	}
}

static double correlate(const double *a, const double *b, int days)
{
	double sum = 0;

	for (int day = 0; day < days; day++)
		sum += a[day] * b[day];
	return sum / days;
}

static void keep_strong_pair(double value)
{
	if (fabs(value) < 0.97)
		return;
	omp_set_lock(&strongest_lock);
	strong_pairs++;
	omp_unset_lock(&strongest_lock);
}

static void correlate_row(int row, int days)
{
	double sum = 0;

	for (int other = 0; other < row; other++) {
		double value = correlate(prices[row], prices[other], days);
		sum += fabs(value);
		keep_strong_pair(value);
	}
	row_sums[row] += sum;
}

static void correlate_window(int days, bool on_demand)
{
	if (on_demand) {
#pragma omp parallel for schedule(dynamic, 4)
		for (int row = 0; row < SERIES; row++)
			correlate_row(row, days);
	} else {
#pragma omp parallel for
		for (int row = 0; row < SERIES; row++)
			correlate_row(row, days);
	}
}

static void *handle_alarms(void *unused)
{
	pthread_mutex_lock(&alarms.mutex);
	while (!alarms.closed) {
		alarms.handled += alarms.pending;
		alarms.pending = 0;
		pthread_cond_wait(&alarms.rung, &alarms.mutex);
	}
	pthread_mutex_unlock(&alarms.mutex);
	return unused;
}

static void ring(bool close)
{
	pthread_mutex_lock(&alarms.mutex);
	alarms.pending++;
	alarms.closed = close;
	pthread_cond_signal(&alarms.rung);
	pthread_mutex_unlock(&alarms.mutex);
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t handler;
	double sum = 0;

	omp_init_lock(&strongest_lock);
	pthread_create(&handler, NULL, handle_alarms, NULL);
	make_series();
	for (int window = 1; window <= WINDOWS; window++) {
		correlate_window(DAYS / WINDOWS * window, fixed);
		ring(false);
	}
	ring(true);
	pthread_join(handler, NULL);
	for (int row = 0; row < SERIES; row++)
		sum += row_sums[row];
	printf("%.6f %ld\n", sum, strong_pairs);
	return 0;
}
