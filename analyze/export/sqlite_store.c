/* SPDX-License-Identifier: MIT */
/* An SQLite database while it is written. */
#include "analyze/export/sqlite_store.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/export/export_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A part of the memory that an export may use; it saves writing most pages twice. */
#define CACHE_KIB 32768

struct sqlite_store {
	sqlite3 *database;
	char *path, *unfinished;
};

/* Removed when the program ends, unless it was finished: die() may come at any time. */
static const char *unfinished_path;

static void remove_unfinished(void)
{
	if (unfinished_path)
		unlink(unfinished_path);
}

static void remove_at_exit(char *path)
{
	static bool is_registered;

	unfinished_path = path;
	if (!is_registered)
		atexit(remove_unfinished);
	is_registered = true;
}

static void check(const struct sqlite_store *store, int result)
{
	if (result != SQLITE_OK && result != SQLITE_DONE)
		die("cannot write %s: %s", store->path, sqlite3_errmsg(store->database));
}

/* The application id is in bytes 68 to 71 of the header, which begins with "SQLite format 3"
 * (sqlite.org, "Database File Format"). */
static int is_ours(FILE *file)
{
	unsigned char header[100];

	if (fread(header, sizeof header, 1, file) != 1 ||
	    memcmp(header, "SQLite format 3", sizeof "SQLite format 3"))
		return 0;
	return ((uint32_t)header[68] << 24 | (uint32_t)header[69] << 16 |
		(uint32_t)header[70] << 8 | header[71]) == SQLITE_STORE_APPLICATION;
}

static void check_target(const char *path)
{
	struct stat status;
	FILE *file = NULL;

	if (stat(path, &status))
		return; /* opening reports what is wrong, if anything is */
	if (!S_ISREG(status.st_mode))
		die("%s is no file: a database needs one, give another -o FILE", path);
	if (status.st_size && (file = fopen(path, "re")) && is_ours(file)) {
		fclose(file);
		return;
	}
	if (status.st_size)
		die("%s exists and is no database of ptrace-export: remove it, or give another -o "
		    "FILE",
		    path);
}

void sqlite_store_run(struct sqlite_store *store, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	char *text = sqlite3_vmprintf(format, arguments);
	va_end(arguments);
	if (!text)
		die("out of memory");
	check(store, sqlite3_exec(store->database, text, NULL, NULL, NULL));
	sqlite3_free(text);
}

sqlite3_stmt *sqlite_store_prepare(struct sqlite_store *store, const char *format, ...)
{
	va_list arguments;
	sqlite3_stmt *statement = NULL;

	va_start(arguments, format);
	char *text = sqlite3_vmprintf(format, arguments);
	va_end(arguments);
	if (!text)
		die("out of memory");
	check(store, sqlite3_prepare_v2(store->database, text, -1, &statement, NULL));
	sqlite3_free(text);
	return statement;
}

struct sqlite_store *sqlite_store_create(const char *path)
{
	struct sqlite_store *store = memory_allocate(1, sizeof *store);

	check_target(path);
	store->path = memory_copy_text(path);
	store->unfinished = memory_print("%s.%ld.unfinished", path, (long)getpid());
	remove_at_exit(store->unfinished);
	unlink(store->unfinished);
	check(store,
	      sqlite3_open_v2(store->unfinished, &store->database,
			      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			      NULL));
	/* No journal: nobody else uses the file yet, and an incomplete one is deleted. */
	sqlite_store_run(store, "PRAGMA journal_mode = OFF");
	sqlite_store_run(store, "PRAGMA synchronous = OFF");
	sqlite_store_run(store, "PRAGMA locking_mode = EXCLUSIVE");
	sqlite_store_run(store, "PRAGMA page_size = 8192");
	sqlite_store_run(store, "PRAGMA cache_size = -%d", CACHE_KIB);
	sqlite_store_run(store, "PRAGMA application_id = %d", SQLITE_STORE_APPLICATION);
	sqlite_store_run(store, "BEGIN");
	return store;
}

void sqlite_store_finish(struct sqlite_store *store)
{
	sqlite_store_run(store, "COMMIT");
	check(store, sqlite3_close(store->database));
	if (rename(store->unfinished, store->path))
		die("cannot write %s: %s", store->path, strerror(errno));
	unfinished_path = NULL;
	free(store->unfinished);
	free(store->path);
	free(store);
}

/* ---- rows */

struct sqlite_row sqlite_row_begin(struct sqlite_store *store, sqlite3_stmt *statement)
{
	return (struct sqlite_row){store, statement, 0};
}

void sqlite_row_number(struct sqlite_row *row, uint64_t number)
{
	char text[24];

	if (number <= INT64_MAX) {
		check(row->store,
		      sqlite3_bind_int64(row->statement, ++row->next, (sqlite3_int64)number));
		return;
	}
	snprintf(text, sizeof text, "%llu", (unsigned long long)number);
	check(row->store,
	      sqlite3_bind_text(row->statement, ++row->next, text, -1, SQLITE_TRANSIENT));
}

void sqlite_row_real(struct sqlite_row *row, double number)
{
	check(row->store, isnan(number) ? sqlite3_bind_null(row->statement, ++row->next)
					: sqlite3_bind_double(row->statement, ++row->next, number));
}

void sqlite_row_text(struct sqlite_row *row, const char *text)
{
	char *clean = text ? export_text(text) : NULL;

	check(row->store, clean ? sqlite3_bind_text(row->statement, ++row->next, clean, -1, free)
				: sqlite3_bind_null(row->statement, ++row->next));
}

void sqlite_row_null(struct sqlite_row *row)
{
	check(row->store, sqlite3_bind_null(row->statement, ++row->next));
}

void sqlite_row_end(struct sqlite_row *row)
{
	check(row->store, sqlite3_step(row->statement));
	check(row->store, sqlite3_reset(row->statement));
}
