/* SPDX-License-Identifier: MIT */
/* The words for the numbers of a profile, as tables. */
#include "analyze/export/sqlite_vocabulary.h"

#include "analyze/model/common/vocabulary_text.h"

#include <stddef.h>
#include <strings.h>

static const char *const concurrency_kinds[] = {
	[CONCURRENCY_ON_PROCESSOR] = "on processor",
	[CONCURRENCY_USEFUL] = "useful",
	[CONCURRENCY_UNSEEN_ON_PROCESSOR] = "on processor, from waits alone",
	[CONCURRENCY_UNSEEN_USEFUL] = "useful, from waits alone",
	[CONCURRENCY_WINDOWS_ON_PROCESSOR] = "on processor, part seen in windows",
	[CONCURRENCY_WINDOWS_USEFUL] = "useful, part seen in windows",
};

static const char *concurrency_kind(uint64_t kind)
{
	return kind < sizeof concurrency_kinds / sizeof *concurrency_kinds ? concurrency_kinds[kind]
									   : NULL;
}

static const char *metric(uint64_t number)
{
#define METRIC_TEXT(name, text) text,
	static const char *const texts[] = {TIMELINE_METRIC_LIST(METRIC_TEXT)};
#undef METRIC_TEXT

	return texts[number];
}

static const char *mpi_class(uint64_t number)
{
#define CLASS_TEXT(name, text) text,
	static const char *const texts[] = {MPI_CLASS_LIST(CLASS_TEXT)};
#undef CLASS_TEXT

	return texts[number];
}

static const char *section_kind(uint64_t number)
{
#define KIND_TEXT(name, text) text,
	static const char *const texts[] = {SECTION_KIND_LIST(KIND_TEXT)};
#undef KIND_TEXT

	return texts[number];
}

/* Only numbers that have a word; off_by_cause_ns has one more cause. */
static const char *cause(uint64_t number)
{
	return number == CAUSE_PREEMPTED ? "preempted"
	       : number < CAUSE_COUNT    ? vocabulary_cause(number)
					 : NULL;
}

static const struct {
	const char *table, *column;
	uint64_t count;
	const char *(*text)(uint64_t number);
} vocabularies[] = {
	{"causes", "cause", CAUSE_LIMIT, cause},
	{"kinds", "kind", OBJECT_KIND_COUNT, vocabulary_kind},
	{"constructs", "construct", OMP_CONSTRUCT_COUNT, vocabulary_construct},
	{"metrics", "metric", TIMELINE_METRIC_COUNT, metric},
	{"mpi_classes", "class", MPI_CLASS_COUNT, mpi_class},
	{"concurrency_kinds", "kind", CONCURRENCY_WINDOWS_USEFUL + 1, concurrency_kind},
	{"section_kinds", "kind", SECTION_KIND_COUNT, section_kind},
};

static void write_operations(struct sqlite_store *store)
{
	sqlite_store_run(store, "CREATE TABLE operations (operation INTEGER PRIMARY KEY, name "
				"TEXT, call TEXT, kind INTEGER)");
	sqlite3_stmt *insert =
		sqlite_store_prepare(store, "INSERT INTO operations VALUES (?, ?, ?, ?)");

	for (uint64_t i = 0; i < OP_COUNT; i++) {
		struct sqlite_row row = sqlite_row_begin(store, insert);

		sqlite_row_number(&row, i);
		sqlite_row_text(&row, vocabulary_operation(i));
		sqlite_row_text(&row, vocabulary_call(i));
		sqlite_row_number(&row, vocabulary_operand(i));
		sqlite_row_end(&row);
	}
	sqlite3_finalize(insert);
}

void sqlite_vocabulary_write(struct sqlite_store *store)
{
	write_operations(store);
	for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++) {
		sqlite_store_run(store, "CREATE TABLE %s (%s INTEGER PRIMARY KEY, name TEXT)",
				 vocabularies[i].table, vocabularies[i].column);
		for (uint64_t number = 0; number < vocabularies[i].count; number++) {
			const char *text = vocabularies[i].text(number);

			if (text)
				sqlite_store_run(store, "INSERT INTO %s VALUES (%d, '%q')",
						 vocabularies[i].table, (int)number, text);
		}
	}
}

bool sqlite_vocabulary_has(const char *name)
{
	for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++)
		if (!strcasecmp(vocabularies[i].table, name))
			return true;
	return !strcasecmp(name, "operations");
}
