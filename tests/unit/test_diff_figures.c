/* SPDX-License-Identifier: MIT */
/* Keys of figures; tables that the program does not know. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/diff/headline.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* "mutex queue_lock": no key of the scenes' figures contains a line, an address or a number. */
START_TEST(keys)
{
	char *text = figure_key_without_lines("created at main (x.c:12)");

	ck_assert_str_eq(text, "created at main (x.c)");
	free(text);
	text = figure_key_without_lines("f (x.c:1) > [mutex at g (y.c:22)] > std::h:3");
	ck_assert_str_eq(text, "f (x.c) > [mutex at g (y.c)] > std::h:3");
	free(text);
}
END_TEST

START_TEST(figures_are_the_models)
{
	struct scene_run scene;
	const struct run *run = scene_run_of(&scene, "workers");
	struct figures *figures = extract_figures(run);
	const struct figure *elapsed =
		figures_find(figures, SECTION_OVERVIEW, "elapsed time", "time");
	double waits = 0, self = 0;

	ck_assert_double_eq(elapsed->value, (double)run->elapsed_ns);
	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *figure = &figures->rows[i];

		if (figure->section == SECTION_WAITS && !strcmp(figure->metric, "wait"))
			waits += figure->value;
		if (figure->section == SECTION_ROUTINES && !strcmp(figure->metric, "self"))
			self += figure->value;
		ck_assert_ptr_null(strstr(figure->key, "0x"));
	}
	for (size_t i = 0; i < run->synchronization.count; i++)
		waits -= (double)run->synchronization.rows[i].wait_ns;
	ck_assert_double_eq_tol(waits, 0, 1);
	ck_assert_double_eq_tol(self, (double)run->cpu_ns, 1);
	figures_destroy(figures);
	scene_run_clear(&scene);
}
END_TEST

/* What a change of the waits for one object may be, if they are of that cause. */
static enum figure_role role_of(enum cause cause)
{
	struct scene_run scene;
	const struct run *run = scene_run_of(&scene, "workers");
	struct figures *figures;
	enum figure_role role = ROLE_DECIDES;

	for (size_t i = 0; i < run->synchronization.count; i++)
		run->synchronization.rows[i].cause = cause;
	figures = extract_figures(run);
	for (size_t i = 0; i < figures->count; i++)
		if (figures->rows[i].section == SECTION_WAITS &&
		    !strcmp(figures->rows[i].metric, "wait"))
			role = figures->rows[i].role;
	figures_destroy(figures);
	scene_run_clear(&scene);
	return role;
}

START_TEST(waits_for_work_explain_nothing)
{
	ck_assert_int_eq(role_of(CAUSE_MUTEX), ROLE_CAUSE);
	ck_assert_int_eq(role_of(CAUSE_DISK), ROLE_CAUSE);
	ck_assert_int_eq(role_of(CAUSE_READ), ROLE_SYMPTOM);
	ck_assert_int_eq(role_of(CAUSE_CONDITION), ROLE_SYMPTOM);
	ck_assert_int_eq(role_of(CAUSE_EVENTS), ROLE_EXPLAINS);
	ck_assert_int_eq(role_of(CAUSE_ACCEPT), ROLE_EXPLAINS);
	ck_assert_int_eq(role_of(CAUSE_SIGNAL), ROLE_EXPLAINS);
}
END_TEST

/* Whatever a profile holds, a run does not differ from itself. */
START_TEST(scenes_do_not_differ)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const struct run *run = scene_run_of(&scene, scenes[i].name);
		struct side sides[2];

		for (size_t side = 0; side < 2; side++) {
			sides[side] = (struct side){memory_allocate(1, sizeof *sides->runs), 1};
			sides[side].runs[0] =
				(struct side_run){.figures = extract_figures(run),
						  .elapsed_ns = (double)run->elapsed_ns};
		}
		struct changes changes = changes_of(sides, 0);
		char *headline = headline_text(&changes, sides);

		ck_assert_int_eq(strncmp(headline, "no significant change", 21), 0);
		ck_assert_int_eq(changes_status(&changes), 0);
		for (size_t j = 0; j < changes.count; j++)
			ck_assert(changes.rows[j].verdict <= VERDICT_NONE);
		free(headline);
		changes_clear(&changes);
		side_clear(&sides[0]);
		side_clear(&sides[1]);
		scene_run_clear(&scene);
	}
}
END_TEST

/* ---- a table of a later version */

struct __attribute__((packed)) row_further {
	uint32_t callpath;
	uint32_t device;
	uint64_t address;
	uint64_t name;
	uint64_t transfers_ns;
	uint64_t bytes;
	uint64_t longest_ns;
	uint32_t thread;
	uint32_t unused;
};

static const char further_schema[] =
	"table transfers: what goes to devices\n"
	"column u32 callpath none callpaths key: who\n"
	"column u32 device none key key: number\n"
	"column u64 address address key key: in memory\n"
	"column str name none key key: of the device\n"
	"column u64 transfers_ns ns value sum: time\n"
	"column u64 bytes bytes value sum: size\n"
	"column u64 longest_ns ns value max: longest\n"
	"column u32 thread none threads key: whose\n"
	"column u32 unused none internal first: for the writer alone\n";

static void tell_transfers(struct builder *builder)
{
	struct row_modules module = {.start = 0x400000,
				     .end = 0x500000,
				     .path = builder_text(builder, "/nowhere/program")};

	builder->further_schema = further_schema;
	builder->further_row_bytes = sizeof(struct row_further);
	builder->header.start_ns = 1000;
	builder->header.end_ns = 2000;

	uint32_t number = builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	uint32_t path = builder_callpath(builder, 0, (uint16_t)number, 0x2010);
	struct row_further row = {.callpath = path,
				  .device = 3,
				  .address = 0xabcd,
				  .name = builder_text(builder, "card"),
				  .transfers_ns = 100,
				  .bytes = 4096,
				  .longest_ns = 60,
				  .thread = 1};

	builder_add(builder, TABLE_COUNT, FORMAT_NO_OWNER, &row);
	row.address = 0xef00;
	row.transfers_ns = 50;
	row.longest_ns = 40;
	row.thread = 2;
	builder_add(builder, TABLE_COUNT, FORMAT_NO_OWNER, &row);
}

START_TEST(table_of_a_later_version)
{
	static const char key[] = "transfers: callpath=worker, device=3, name=card";
	struct scene_run scene;
	struct figures *figures =
		extract_figures(scene_run_told(&scene, tell_transfers, RUN_PATHS));
	const struct figure *time = figures_find(figures, SECTION_TABLES, key, "transfers_ns");
	const struct figure *bytes = figures_find(figures, SECTION_TABLES, key, "bytes");
	const struct figure *longest = figures_find(figures, SECTION_TABLES, key, "longest_ns");

	ck_assert(time && bytes && longest);
	ck_assert_double_eq(time->value, 150);
	ck_assert_int_eq(time->unit, UNIT_NS);
	ck_assert_int_eq(time->sense, SENSE_NEUTRAL);
	ck_assert_double_eq(bytes->value, 8192);
	ck_assert_int_eq(bytes->unit, UNIT_BYTES);
	ck_assert_double_eq(longest->value, 60);
	for (size_t i = 0; i < figures->count; i++)
		ck_assert(figures->rows[i].section != SECTION_TABLES ||
			  !strcmp(figures->rows[i].key, key));
	figures_destroy(figures);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("figures of runs", keys, figures_are_the_models, waits_for_work_explain_nothing,
	  scenes_do_not_differ, table_of_a_later_version)
