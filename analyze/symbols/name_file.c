/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/name_file.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Columns of the table of names; texts by number, 0: none. */
enum column {
	KIND,
	OBJECT,
	ADDRESS,
	OTHER,
	SCOPE,
	COUNT, /* of names of the answer: this row and those that follow */
	ROUTINE,
	FILE_NAME,
	LINE,
	FIRST,
	LAST,
	BEGIN,
	INLINED,
	OBJECT_PATH,
	COLUMN_COUNT
};

#define COLUMNS                                                                                    \
	"kind, object, address, other, scope, count, routine, file, line, first, last, begin, "    \
	"inlined, path"

/* CRC-32 of all texts, each with its final zero, and of all rows: SQLite itself does not notice
 * bytes that changed. */
struct checksums {
	uLong texts, names;
};

static void add_text(struct checksums *checksums, const char *text)
{
	checksums->texts = crc32_z(checksums->texts, (const unsigned char *)text, strlen(text) + 1);
}

static void add_row(struct checksums *checksums, const sqlite3_int64 values[COLUMN_COUNT])
{
	checksums->names = crc32_z(checksums->names, (const unsigned char *)values,
				   COLUMN_COUNT * sizeof *values);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *text)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) != SQLITE_OK)
		return NULL;
	return statement;
}

/* ---- reading */

struct reading {
	sqlite3 *database;
	sqlite3_stmt *row; /* of names */
	sqlite3_int64 values[COLUMN_COUNT];
	struct name_answers *answers;
	const char **texts; /* by number - 1 */
	size_t text_count, text_capacity;
	struct checksums wanted, found;
};

static bool is_of_identity(struct reading *reading, const char *identity)
{
	sqlite3_stmt *row =
		prepare(reading->database, "SELECT identity, texts_crc32, names_crc32 FROM about");
	bool is_same = row && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_text(row, 0) &&
		       !strcmp((const char *)sqlite3_column_text(row, 0), identity);

	if (is_same)
		reading->wanted = (struct checksums){(uLong)sqlite3_column_int64(row, 1),
						     (uLong)sqlite3_column_int64(row, 2)};
	sqlite3_finalize(row);
	return is_same;
}

static bool read_texts(struct reading *reading)
{
	sqlite3_stmt *row = prepare(reading->database, "SELECT text FROM texts ORDER BY number");
	int result = SQLITE_ERROR;

	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(row, 0);

		if (!text)
			break;
		add_text(&reading->found, text);
		reading->texts = memory_grow(reading->texts, reading->text_count,
					     &reading->text_capacity, sizeof *reading->texts);
		reading->texts[reading->text_count++] = name_answers_text(reading->answers, text);
	}
	sqlite3_finalize(row);
	return result == SQLITE_DONE && reading->found.texts == reading->wanted.texts;
}

/* False: there is no such text. */
static bool find_text(const struct reading *reading, enum column column, const char **text)
{
	sqlite3_int64 number = reading->values[column];

	*text = NULL;
	if (!number)
		return true;
	if (number < 0 || (size_t)number > reading->text_count)
		return false;
	*text = reading->texts[number - 1];
	return true;
}

static bool next_row(struct reading *reading)
{
	if (sqlite3_step(reading->row) != SQLITE_ROW)
		return false;
	for (int column = 0; column < COLUMN_COUNT; column++)
		reading->values[column] = sqlite3_column_int64(reading->row, column);
	add_row(&reading->found, reading->values);
	return true;
}

static bool read_question(const struct reading *reading, struct name_question *question)
{
	*question = (struct name_question){
		.kind = (uint32_t)reading->values[KIND],
		.object = (uint32_t)reading->values[OBJECT],
		.address = (uint64_t)reading->values[ADDRESS],
		.other = (uint64_t)reading->values[OTHER],
	};
	return find_text(reading, SCOPE, &question->scope);
}

static bool read_name(const struct reading *reading, struct kept_name *name)
{
	name->place.line = (unsigned)reading->values[LINE];
	name->place.first = (unsigned)reading->values[FIRST];
	name->place.last = (unsigned)reading->values[LAST];
	name->place.begin = (unsigned)reading->values[BEGIN];
	name->place.is_inlined = reading->values[INLINED] != 0;
	return find_text(reading, ROUTINE, &name->place.routine) &&
	       find_text(reading, FILE_NAME, &name->place.file) &&
	       find_text(reading, OBJECT_PATH, &name->path) && name->place.routine;
}

/* The answer that begins in the current row. */
static bool read_answer(struct reading *reading)
{
	enum { NAMES_MAX = 4096 }; /* 64 routines, each with 64 inlined ones */
	struct name_question question;
	sqlite3_int64 count = reading->values[COUNT], known = 0;

	if (!read_question(reading, &question) || count < 0 || count > NAMES_MAX)
		return false;
	struct kept_name *names = memory_allocate((size_t)count + 1, sizeof *names);

	while (known < count && (!known || next_row(reading)) && read_name(reading, &names[known]))
		known++;
	if (known == count)
		name_answers_add(reading->answers, &question, names, (size_t)count);
	free(names);
	return known == count;
}

static bool read_answers(struct reading *reading)
{
	bool is_whole;

	reading->row = prepare(reading->database, "SELECT " COLUMNS " FROM names ORDER BY rowid");
	is_whole = reading->row;
	while (is_whole && next_row(reading))
		is_whole = read_answer(reading);
	sqlite3_finalize(reading->row);
	return is_whole && reading->found.names == reading->wanted.names;
}

/* "file:PATH?immutable=1", so that SQLite looks for no journal beside the file (sqlite.org,
 * "Uniform Resource Identifiers"). Released by the caller. */
static char *uri_of(const char *path)
{
	char *uri = memory_allocate(3 * strlen(path) + sizeof "file:?immutable=1", 1);
	char *at = stpcpy(uri, "file:");

	for (; *path; path++)
		if (strchr("%?#", *path))
			at += sprintf(at, "%%%02X", (unsigned char)*path);
		else
			*at++ = *path;
	stpcpy(at, "?immutable=1");
	return uri;
}

struct name_answers *name_file_read(const char *path, const char *identity)
{
	struct reading reading = {.answers = name_answers_create()};
	char *uri = uri_of(path);
	bool is_read = sqlite3_open_v2(uri, &reading.database,
				       SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK &&
		       is_of_identity(&reading, identity) && read_texts(&reading) &&
		       read_answers(&reading);

	sqlite3_close(reading.database);
	free(uri);
	free(reading.texts);
	if (is_read) {
		name_answers_age(reading.answers);
		return reading.answers;
	}
	name_answers_destroy(reading.answers);
	return NULL;
}

/* ---- writing */

/* Texts are numbered when they are first written. */
struct text_number {
	const char *text; /* the one copy of it */
	sqlite3_int64 number;
};

struct writing {
	sqlite3 *database;
	sqlite3_stmt *text, *name;
	struct keyed_table *numbers;
	struct checksums checksums;
	bool is_good;
};

static void insert(struct writing *writing, sqlite3_stmt *row)
{
	writing->is_good &= sqlite3_step(row) == SQLITE_DONE;
	sqlite3_reset(row);
}

static sqlite3_int64 number_of(struct writing *writing, const char *text)
{
	const struct text_number probe = {.text = text};
	bool is_new;

	if (!text)
		return 0;
	struct text_number *known = keyed_table_enter(writing->numbers, &probe, &is_new);
	if (is_new) {
		known->number = (sqlite3_int64)keyed_table_count(writing->numbers);
		sqlite3_bind_int64(writing->text, 1, known->number);
		sqlite3_bind_text(writing->text, 2, text, -1, SQLITE_STATIC);
		insert(writing, writing->text);
		add_text(&writing->checksums, text);
	}
	return known->number;
}

static void write_answer(struct writing *writing, const struct name_answer *answer)
{
	static const struct kept_name none = {.path = NULL};
	const struct name_question *question = &answer->question;

	for (size_t i = 0; i < answer->count || !i; i++) {
		const struct kept_name *name = answer->count ? &answer->names[i] : &none;
		const sqlite3_int64 values[COLUMN_COUNT] = {
			[KIND] = question->kind,
			[OBJECT] = question->object,
			[ADDRESS] = (sqlite3_int64)question->address,
			[OTHER] = (sqlite3_int64)question->other,
			[SCOPE] = number_of(writing, question->scope),
			[COUNT] = (sqlite3_int64)answer->count,
			[ROUTINE] = number_of(writing, name->place.routine),
			[FILE_NAME] = number_of(writing, name->place.file),
			[LINE] = name->place.line,
			[FIRST] = name->place.first,
			[LAST] = name->place.last,
			[BEGIN] = name->place.begin,
			[INLINED] = name->place.is_inlined,
			[OBJECT_PATH] = number_of(writing, name->path),
		};

		for (int column = 0; column < COLUMN_COUNT; column++)
			sqlite3_bind_int64(writing->name, column + 1, values[column]);
		insert(writing, writing->name);
		add_row(&writing->checksums, values);
	}
}

static bool begin(struct writing *writing, const char *path)
{
	/* nobody reads it before it is complete, and what a failure of the machine leaves is not
	 * used */
	static const char tables[] =
		"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
		"CREATE TABLE about(identity TEXT, texts_crc32 INTEGER, names_crc32 INTEGER);"
		"CREATE TABLE texts(number INTEGER PRIMARY KEY, text TEXT);"
		"CREATE TABLE names(" COLUMNS ");";

	if (sqlite3_open_v2(path, &writing->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			    NULL) != SQLITE_OK ||
	    sqlite3_exec(writing->database, tables, NULL, NULL, NULL) != SQLITE_OK)
		return false;
	writing->text = prepare(writing->database, "INSERT INTO texts VALUES (?, ?)");
	writing->name =
		prepare(writing->database,
			"INSERT INTO names VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	return writing->text && writing->name;
}

static void finish(struct writing *writing, const char *identity)
{
	sqlite3_stmt *about = prepare(writing->database, "INSERT INTO about VALUES (?, ?, ?)");

	writing->is_good &= about != NULL;
	if (!about)
		return;
	sqlite3_bind_text(about, 1, identity, -1, SQLITE_STATIC);
	sqlite3_bind_int64(about, 2, (sqlite3_int64)writing->checksums.texts);
	sqlite3_bind_int64(about, 3, (sqlite3_int64)writing->checksums.names);
	insert(writing, about);
	sqlite3_finalize(about);
	writing->is_good &=
		sqlite3_exec(writing->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

/* It depends on other objects, and this report did not ask for it. */
static bool is_old(const struct name_answer *answer)
{
	return answer->question.scope && !answer->is_used;
}

/* In the file, what was used last comes last: old answers that are too many are left out from the
 * first on. */
static void write_answers(struct writing *writing, const struct name_answers *answers,
			  size_t old_max)
{
	size_t count = name_answers_count(answers), old = 0;

	for (size_t i = 0; i < count; i++)
		old += is_old(name_answers_at(answers, i));
	for (size_t i = 0; writing->is_good && i < count && old; i++)
		if (is_old(name_answers_at(answers, i)) && old-- <= old_max)
			write_answer(writing, name_answers_at(answers, i));
	for (size_t i = 0; writing->is_good && i < count; i++)
		if (!is_old(name_answers_at(answers, i)))
			write_answer(writing, name_answers_at(answers, i));
}

bool name_file_write(const char *path, const char *identity, const struct name_answers *answers,
		     size_t old_max)
{
	struct writing writing = {
		.numbers = keyed_table_create(sizeof(struct text_number), sizeof(const char *)),
	};

	writing.is_good = begin(&writing, path);
	write_answers(&writing, answers, old_max);
	sqlite3_finalize(writing.text);
	sqlite3_finalize(writing.name);
	if (writing.is_good)
		finish(&writing, identity);
	writing.is_good &= sqlite3_close(writing.database) == SQLITE_OK;
	keyed_table_destroy(writing.numbers);
	return writing.is_good;
}
