/* SPDX-License-Identifier: MIT */
/* An SQLite database while it is written: in one transaction, into a file beside the requested one,
 * which replaces that one when everything is written.
 *
 * Context: one thread. Any failure ends the program with a line and status 2, and nothing of the
 * new file is left. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

/* What identifies the file (pragma application_id): "PTRC". */
#define SQLITE_STORE_APPLICATION 0x50545243

struct sqlite_store;

/* Refuses to replace a file that was not written by sqlite_store_finish. */
struct sqlite_store *sqlite_store_create(const char *path);
void sqlite_store_finish(struct sqlite_store *store);

/* Runs statements without results; printf-like, by the rules of sqlite3_mprintf: "%w" inside "" is
 * a name, '%q' a text. */
void sqlite_store_run(struct sqlite_store *store, const char *format, ...);
/* Released by the caller with sqlite3_finalize, before the store is finished. */
sqlite3_stmt *sqlite_store_prepare(struct sqlite_store *store, const char *format, ...);

/* The parameters of a statement, one after the other. */
struct sqlite_row {
	struct sqlite_store *store;
	sqlite3_stmt *statement;
	int next;
};

struct sqlite_row sqlite_row_begin(struct sqlite_store *store, sqlite3_stmt *statement);
/* Numbers above 2^63 - 1 would be negative in SQLite: they become decimal texts. */
void sqlite_row_number(struct sqlite_row *row, uint64_t number);
void sqlite_row_real(struct sqlite_row *row, double number);    /* NAN: NULL */
void sqlite_row_text(struct sqlite_row *row, const char *text); /* copied; NULL: NULL */
void sqlite_row_null(struct sqlite_row *row);
void sqlite_row_end(struct sqlite_row *row);
