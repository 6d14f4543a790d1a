/* SPDX-License-Identifier: MIT */
/* What threads of one name did with their lifetimes: a bar for each state. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/run/thread_groups.h"
#include "analyze/model/run/thread_lines.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_screen.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups below this share of the working time of all are left out, and states below this share of
 * a group's lifetime. */
#define GROUP_PERCENT 10
#define STATE_PERCENT 1
/* A group has what a run has, if it has so much of it. */
#define OWN_PERCENT 90
/* What has so much of something has all of it, for the reader. */
#define ALL_PERCENT 99.5

/* A line below a group: one or more states. */
struct part {
	const char *name;
	unsigned states; /* bits 1 << state */
	double ns;
};

#define BIT(state) (1u << STATE_##state)

static const struct part parts[] = {
	{"running", BIT(USER) | BIT(SYSTEM), 0},
	{"no processor", BIT(READY), 0},
	{"locks", BIT(LOCK), 0},
	{"conditions", BIT(CONDITION), 0},
	{"barriers, joins", BIT(BARRIER), 0},
	{"MPI", BIT(MPI), 0},
	{"OpenMP", BIT(OPENMP), 0},
	{"input, output", BIT(IO), 0},
	{"sleep", BIT(SLEEP), 0},
	{"idle", BIT(IDLE), 0},
	{"other waits", BIT(OTHER), 0},
};

enum { PARTS = sizeof parts / sizeof *parts };

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return (a->ns < b->ns) - (a->ns > b->ns);
}

static void measure_parts(const struct thread_time *time, struct part measured[PARTS])
{
	for (size_t i = 0; i < PARTS; i++) {
		measured[i] = parts[i];
		for (unsigned state = 0; state < STATE_COUNT; state++)
			if (parts[i].states & 1u << state)
				measured[i].ns += (double)thread_state_ns(time, state);
	}
	qsort(measured, PARTS, sizeof *measured, compare_parts);
}

/* ---- what a part was for */

/* What has most of something, and how much all have. */
struct leader {
	double most_ns, sum_ns;
	const char *name;
	const struct sync_site *site; /* NULL: unknown */
};

static void lead(struct leader *leader, double ns, const char *name, const struct sync_site *site)
{
	leader->sum_ns += ns;
	if (ns > leader->most_ns) {
		leader->most_ns = ns;
		leader->name = name;
		leader->site = site;
	}
}

/* Where idle threads waited most; NULL: it is not known. */
static const struct sync_site *main_idler(const struct sync_row *row)
{
	const struct sync_site *most = NULL;

	for (size_t i = 0; i < row->waiters.count; i++) {
		const struct sync_site *site = &row->waiters.rows[i];

		if (site->idle_ns && (!most || site->idle_ns > most->idle_ns))
			most = site;
	}
	return most;
}

/* Of the waits of the whole run. */
static struct leader leader_of_waits(const struct report *report, unsigned states)
{
	const struct synchronization *all = &report->run->synchronization;
	struct leader leader = {0};

	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *row = &all->rows[i];

		if (states & BIT(IDLE))
			lead(&leader, (double)row->idle_ns, all->names[row->object],
			     main_idler(row));
		else if (states & 1u << thread_state_of(row->cause))
			lead(&leader, (double)sync_row_working_ns(row), all->names[row->object],
			     sync_row_main_waiter(row));
	}
	return leader;
}

/* Of the waits of the whole run. What has no object has rows of its own, if any: the sum is of
 * all. */
static struct leader leader_of_openmp(const struct report *report)
{
	struct leader leader = leader_of_waits(report, BIT(OPENMP));
	const struct omp *omp = &report->run->omp;
	double ends_ns = 0;

	for (size_t i = 0; i < omp->regions.count; i++)
		ends_ns += omp->regions.rows[i].join_ns;
	lead(&leader, ends_ns, "ends of regions", NULL);
	leader.sum_ns = fmax(leader.sum_ns, omp->totals.wait_ns);
	return leader;
}

/* Some of these waits spin, or have no processor, and it is not known which: for how long all
 * others were blocked at most tells whether the leader has most of it. */
static bool leads_openmp(const struct report *report, const struct leader *leader,
			 double blocked_ns)
{
	double all_ns = report->run->omp.totals.blocked_ns;

	return blocked_ns * 100 >= all_ns * OWN_PERCENT &&
	       2 * (leader->sum_ns - leader->most_ns) <= blocked_ns;
}

/* Are they this part's, and no other group's? And is there no more time than the leader's of which
 * it is not known what it was for? */
static bool leads(const struct leader *leader, double part_ns)
{
	return leader->sum_ns * OWN_PERCENT / 100 <= part_ns &&
	       leader->most_ns >= part_ns - leader->sum_ns;
}

/* "table_lock 88 % at add_word (words.c:86)" */
static char *waits_text(const struct report *report, const struct part *part)
{
	bool is_openmp = part->states & BIT(OPENMP);
	struct leader leader =
		is_openmp ? leader_of_openmp(report) : leader_of_waits(report, part->states);

	if (!leader.name ||
	    !(is_openmp ? leads_openmp(report, &leader, part->ns) : leads(&leader, part->ns)))
		return memory_copy_text("");
	char *place =
		leader.site ? report_place(report, leader.site->routine, leader.site->line) : NULL;
	double percent = 100 * leader.most_ns / fmax(leader.sum_ns, part->ns);
	char *share = percent < ALL_PERCENT ? memory_print(" %s", quantity_percent(percent).text)
					    : memory_copy_text("");
	char *text = memory_print("%s%s%s%s", leader.name, share, place ? " at " : "",
				  place ? place : "");

	free(share);
	free(place);
	return text;
}

/* "count_word 22 %, hash_word 8.2 %": the most self time, of this group's CPU time. */
static char *routines_text(const struct report *report, double cpu_ns)
{
	enum { ROUTINES = 3, LEAST_PERCENT = 5 };
	const struct routine_times *all = &report->run->routines;
	char *text = memory_copy_text("");

	if (cpu_ns * 100 < (double)report->run->cpu_ns * OWN_PERCENT)
		return text;
	for (size_t i = 0; i < all->count && i < ROUTINES; i++) {
		const struct routine_time *row = &all->rows[i];
		double percent = 100 * row->self_ns / (double)report->run->cpu_ns;

		if (percent < LEAST_PERCENT)
			continue;
		char *longer = memory_print("%s%s%s %s", text, *text ? ", " : "",
					    names_routine(report->run->names, row->routine)->name,
					    quantity_percent(percent).text);

		free(text);
		text = longer;
	}
	return text;
}

static char *note_text(const struct report *report, const struct part *part)
{
	if (part->states & BIT(USER))
		return routines_text(report, part->ns);
	if (part->states & (BIT(READY) | BIT(OTHER)))
		return memory_copy_text("");
	return waits_text(report, part);
}

/* ---- lines */

#define PART_COLUMNS 36 /* in front of the bar */
#define NOTE_COLUMNS 32 /* of what it was for; the bar has the rest */
#define BAR_LEAST    8
#define BAR_MOST     24

static unsigned bar_cells(const struct report *report)
{
	unsigned taken = PART_COLUMNS + 2 + NOTE_COLUMNS;
	unsigned cells = report->width > taken ? report->width - taken : 0;

	unsigned room = report->width > PART_COLUMNS ? report->width - PART_COLUMNS : 1;

	if (cells > BAR_MOST)
		return BAR_MOST;
	return cells >= BAR_LEAST ? cells : room < BAR_LEAST ? room : BAR_LEAST;
}

static void print_part(const struct report *report, const struct thread_group *group,
		       const struct part *part)
{
	double share = part->ns / (double)group->time.lifetime_ns;
	unsigned cells = bar_cells(report), taken = PART_COLUMNS + cells + 2;
	unsigned room = report->width > taken ? report->width - taken : 0;
	char *bar = text_bar(share, cells, report->is_utf8);
	char *note = note_text(report, part);
	char *fitted = room > 4 ? text_fit(note, room, report->is_utf8) : memory_copy_text("");
	int blanks = *fitted ? (int)(cells - text_columns(bar)) + 2 : 0;

	char *line = memory_print("    %-15s %8s %5s  %s%*s%s", part->name,
				  quantity_seconds(part->ns).text,
				  quantity_percent(100 * share).text, bar, blanks, "", fitted);
	size_t length = strlen(line);

	while (length && line[length - 1] == ' ')
		length--;
	fprintf(report->out, "%.*s\n", (int)length, line);
	free(line);
	free(bar);
	free(note);
	free(fitted);
}

static void print_title(const struct report *report, const struct thread_group *group)
{
	char *text = group->threads > 1
			     ? memory_print("%llu x %s: %s", (unsigned long long)group->threads,
					    group->name,
					    quantity_seconds((double)group->time.lifetime_ns).text)
			     : memory_print("%s: %s", group->name,
					    quantity_seconds((double)group->time.lifetime_ns).text);

	report_print_wrapped(report, "  ", text);
	free(text);
}

static bool is_shown(const struct thread_group *group, const struct part *part)
{
	return part->ns > 0 && part->ns * 100 >= (double)group->time.lifetime_ns * STATE_PERCENT;
}

/* Returns how many lines it printed. */
static unsigned print_group(const struct report *report, const struct thread_group *group,
			    unsigned most)
{
	struct part measured[PARTS];
	unsigned count = 0;

	measure_parts(&group->time, measured);
	print_title(report, group);
	for (; count < PARTS && count + 1 < most && is_shown(group, &measured[count]); count++)
		print_part(report, group, &measured[count]);
	return count + 1;
}

void report_screen_groups(const struct report *report, const struct thread_groups *groups,
			  unsigned most)
{
	double sum_ns = 0;
	unsigned lines = 0;

	for (size_t i = 0; i < groups->count; i++)
		sum_ns += groups->rows[i].is_of_library ? 0
							: thread_group_working_ns(&groups->rows[i]);
	for (size_t i = 0; i < groups->count && lines + 2 <= most; i++) {
		const struct thread_group *group = &groups->rows[i];

		if (!group->time.lifetime_ns || group->is_of_library ||
		    thread_group_working_ns(group) * 100 < sum_ns * GROUP_PERCENT)
			break;
		lines += print_group(report, group, most - lines);
	}
}

/* ---- JSON */

static struct json_object *states_json(const struct thread_time *time)
{
	struct json_object *object = json_object_new_object();

	for (unsigned state = 0; state < STATE_COUNT; state++)
		json_add(object, thread_state_text(state),
			 json_seconds(thread_state_ns(time, state)));
	return object;
}

struct json_object *report_thread_groups_json(const struct report *report)
{
	struct thread_groups groups = thread_groups_of(report->run);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < groups.count; i++) {
		const struct thread_group *group = &groups.rows[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "name", json_text(group->name));
		json_add(object, "threads", json_count(group->threads));
		json_add(object, "lifetime_seconds", json_seconds(group->time.lifetime_ns));
		json_add(object, "states", states_json(&group->time));
		json_object_array_add(list, object);
	}
	free(groups.rows);
	return list;
}
