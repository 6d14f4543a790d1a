/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_words.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the scale of a median run counts; mixed if ranks have several threads. */
static const char *unit_of(const struct scaling *it)
{
	const struct scaling_run *run = scaling_median(it, it->count - 1);

	if (run->scale.kind == SCALE_GIVEN)
		return NULL;
	if (run->scale.kind == SCALE_MPI)
		return run->are_ranks ? "rank" : "thread of all ranks";
	return "thread";
}

char *scaling_p_text(const struct scaling *it, double p)
{
	const char *unit = unit_of(it);

	if (!unit)
		return memory_print("p = %s", quantity_plain(p).text);
	size_t word = strcspn(unit, " ");

	return memory_print("%s %.*s%s%s", quantity_plain(p).text, (int)word, unit,
			    p == 1 ? "" : "s", unit + word);
}

char *scaling_scale_text(const struct scaling *it)
{
	const struct scaling_run *last = scaling_median(it, it->count - 1);
	const char *const kinds[] = {
		[SCALE_GIVEN] = "as given with the runs",
		[SCALE_MPI] = last->are_ranks ? "MPI ranks"
					      : "threads that execute the program, of all ranks",
		[SCALE_OPENMP] = "threads of the largest OpenMP team",
		[SCALE_THREADS] = "most threads alive at once, without those that wait for others "
				  "to end",
	};

	const char *per = it->runs[0].per;
	char *requests = it->requests > 0 ? memory_print("; times: for %s %s%s each",
							 quantity_count(it->requests).text,
							 per ? "of " : "requests", per ? per : "")
					  : memory_copy_text("");
	char *text =
		memory_print("%s, %s scaling; p: %s%s", last->program,
			     it->is_weak ? "weak" : "strong", kinds[last->scale.kind], requests);

	free(requests);
	return text;
}

/* The words before whoever caused a wait for an object of that kind. */
static const char *blame_words(const char *key)
{
	static const struct {
		const char *kind, *words;
	} rows[] = {
		{"barrier ", "last to arrive: "},
		{"condition ", "woken by "},
		{"semaphore ", "posted by "},
		{"futex ", "woken or moved by "},
		{"once ", "run by "},
		{"call ", "in "},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strncmp(key, rows[i].kind, strlen(rows[i].kind)))
			return rows[i].words;
	return "held by ";
}

char *scaling_blame_text(const struct scaling_cause *cause)
{
	bool is_call = cause->kind == COST_MPI;

	if ((!is_call && cause->kind != COST_WAIT) || !*cause->place)
		return NULL;
	return memory_print("%s%s", is_call ? "called by " : blame_words(cause->key), cause->place);
}

/* Kinds with only one row: what they are, and what the first line says of them. */
static const struct {
	const char *text, *phrase;
} singles[COST_KINDS] = {
	[COST_SERIAL] = {"one thread works alone",
			 "serial time, in which the other threads have nothing to do"},
	[COST_ABSENT] = {"threads ended or not begun", "time of threads that have ended early, or "
						       "not begun"},
	[COST_BLOCKED] = {"page faults, other system calls", "page faults and other system calls"},
	[COST_READY] = {"no processor free", "waiting for a free processor"},
	[COST_IDLE] = {"waiting for work", "waiting for work"},
	[COST_REST] = {"[rest]", "not explained"},
};

char *scaling_cause_text(const struct scaling_cause *cause)
{
	if (singles[cause->kind].text)
		return memory_copy_text(singles[cause->kind].text);
	return memory_copy_text(cause->kind == COST_ROUTINE || cause->kind == COST_REGION
					? cause->place
					: cause->key);
}

/* "waiting for mutex table_lock, held by insert (x.c:40)" */
static char *cause_phrase(const struct scaling_cause *cause)
{
	static const char *const phrases[COST_KINDS] = {
		[COST_ROUTINE] = "more CPU time of ",
		[COST_WAIT] = "waiting for ",
		[COST_MPI] = "time in ",
		[COST_REGION] = "waiting in the OpenMP region ",
	};

	if (singles[cause->kind].phrase)
		return memory_copy_text(singles[cause->kind].phrase);
	char *text = scaling_cause_text(cause), *blame = scaling_blame_text(cause);
	char *phrase = memory_print("%s%s%s%s", phrases[cause->kind], text, blame ? ", " : "",
				    blame ? blame : "");

	free(text);
	free(blame);
	return phrase;
}

/* ": 62 % of the lost time is ..." */
static char *loss_text(const struct scaling *it)
{
	if (it->end_cause == it->cause_count)
		return memory_copy_text("");
	const struct scaling_cause *cause = &it->causes[it->end_cause];
	double lost = it->points[it->end_point].lost_ns, part = cause->lost_ns[it->end_point];

	if (!(lost > 0))
		return memory_copy_text("");
	char *phrase = cause_phrase(cause), *share = text_percent(100 * part / lost);
	char *text = memory_print(": %s of the lost time is %s", share, phrase);

	free(phrase);
	free(share);
	return text;
}

char *scaling_verdict_text(const struct scaling *it)
{
	const struct scaling_point *point = &it->points[it->end_point];
	char *p = scaling_p_text(it, point->p), *loss = loss_text(it);
	char *efficiency = text_percent(100 * point->efficiency), *text;

	switch (it->end) {
	case SCALING_STOPS:
		text = memory_print("stops scaling at %s (efficiency %s)%s", p, efficiency, loss);
		break;
	case SCALING_LOSES:
		text = memory_print("loses efficiency from %s on (%s)%s", p, efficiency, loss);
		break;
	default:
		text = memory_print("scales to %s (efficiency %s)%s", p, efficiency, loss);
	}
	free(p);
	free(loss);
	free(efficiency);
	return text;
}

char *scaling_difference_text(double ns)
{
	char *size = text_seconds(fabs(ns)), *text;

	text = memory_print("%s%s", ns < 0 && strcmp(size, "0 s") ? "-" : "", size);
	free(size);
	return text;
}

char *scaling_share_text(double share)
{
	bool is_nothing = fabs(share) < 0.0005 || (share < 0 && share > -0.005);

	return text_percent(is_nothing ? 0 : 100 * share);
}
