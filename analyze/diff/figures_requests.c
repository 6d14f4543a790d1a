/* SPDX-License-Identifier: MIT */
/* Figures of what servers answered, by program: how many requests, how many a second, what one
 * cost, and how long they took. */
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/model/run/run_units.h"

static void add(const struct extract *extract, const char *key, const char *metric,
		enum figure_unit unit, enum figure_sense sense, double value)
{
	const struct figure figure =
		figure_exact(SECTION_REQUESTS, key, metric, unit, sense, value);

	figures_add(extract->figures, &figure);
}

/* share: of the value, for which other programs may account. */
static void add_disturbed(const struct extract *extract, const char *key, const char *metric,
			  enum figure_unit unit, enum figure_sense sense, double value,
			  double share)
{
	struct figure figure = figure_exact(SECTION_REQUESTS, key, metric, unit, sense, value);

	figure.disturbance = value * share;
	figures_add(extract->figures, &figure);
}

/* It lies anywhere between its bounds: an error of a quarter of their distance, which counts three
 * times, covers that. */
static void add_share(const struct extract *extract, const struct request_server *server,
		      const char *metric, double percent)
{
	struct histogram_percentile at = request_percentile(&server->times, percent);
	struct figure figure = figure_exact(SECTION_REQUESTS, server->program, metric, UNIT_NS,
					    SENSE_LESS, at.value);

	figure.error = (at.high - at.low) / 4;
	figure.grade = GRADE_ESTIMATED;
	figures_add(extract->figures, &figure);
}

static void add_lengths(const struct extract *extract, const struct request_server *server)
{
	const struct {
		const char *metric;
		double percent;
	} shares[] = {{"half", 50}, {"90 %", 90}, {"99 %", 99}};

	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		add_share(extract, server, shares[i].metric, shares[i].percent);
}

static void add_server(const struct extract *extract, const struct request_server *server)
{
	double requests = (double)server->times.count;
	double elapsed = (double)extract->run->elapsed_ns * 1e-9;

	add(extract, server->program, "requests", UNIT_COUNT, SENSE_NEUTRAL, requests);
	if (elapsed > 0)
		add_disturbed(extract, server->program, REQUESTS_A_SECOND, UNIT_NUMBER, SENSE_MORE,
			      requests / elapsed,
			      extract->load.elapsed_ns / (double)extract->run->elapsed_ns);
	add_disturbed(extract, server->program, "CPU each", UNIT_NS, SENSE_LESS,
		      request_cpu_ns(server), extract->load.share);
	add(extract, server->program, "locks each", UNIT_NS, SENSE_LESS, request_locks_ns(server));
	add(extract, server->program, "mean", UNIT_NS, SENSE_LESS, request_mean_ns(&server->times));
	add_lengths(extract, server);
}

/* Of the units of work that the user named. */
static void add_units(const struct extract *extract)
{
	const struct run *run = extract->run;
	const char *per = run->units.per;

	add(extract, per, "units", UNIT_COUNT, SENSE_NEUTRAL, (double)run->units.count);
	add_disturbed(extract, per, UNITS_A_SECOND, UNIT_NUMBER, SENSE_MORE,
		      run_units_per_second(run),
		      extract->load.elapsed_ns / (double)run->elapsed_ns);
	add_disturbed(extract, per, "CPU each", UNIT_NS, SENSE_LESS, run_units_cpu_ns(run),
		      extract->load.share);
	add(extract, per, "locks each", UNIT_NS, SENSE_LESS, run_units_locks_ns(run));
}

void extract_requests(const struct extract *extract)
{
	const struct requests *requests = &extract->run->requests;

	for (size_t i = 0; i < requests->server_count; i++)
		add_server(extract, &requests->servers[i]);
	if (extract->run->units.per)
		add_units(extract);
}
