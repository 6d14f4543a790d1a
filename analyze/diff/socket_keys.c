/* SPDX-License-Identifier: MIT */
#include "analyze/diff/socket_keys.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"

#include <stdlib.h>
#include <string.h>

/* ---- names in texts: "tcp 127.0.0.1:7812, accepted" */

struct name {
	const char *text; /* begins with the protocol */
	size_t port;      /* where ":7812" begins */
	size_t port_bytes;
	size_t bytes;
};

static size_t address_bytes(const char *at)
{
	if (*at != '[')
		return strspn(at, "0123456789.");
	size_t bytes = strspn(at + 1, "0123456789abcdef:.");

	return at[1 + bytes] == ']' ? bytes + 2 : 0;
}

static size_t role_bytes(const char *at)
{
	static const char *const roles[] = {", accepted", ", listening"};

	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (!strncmp(at, roles[i], strlen(roles[i])))
			return strlen(roles[i]);
	return 0;
}

static bool is_of_this_machine(const char *address)
{
	static const char *const beginnings[] = {"127.", "[::1]", "[::ffff:7f"};

	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (!strncmp(address, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* at: where a protocol begins. */
static bool read_name(const char *at, struct name *name)
{
	const char *address = at + strlen("tcp ");
	size_t bytes = address_bytes(address);
	const char *port = address + bytes;
	size_t digits = *port == ':' ? strspn(port + 1, "0123456789") : 0;

	if (!bytes || !digits)
		return false;
	size_t role = role_bytes(port + 1 + digits);

	*name = (struct name){.text = at,
			      .port = (size_t)(port - at),
			      .port_bytes = 1 + digits,
			      .bytes = (size_t)(port - at) + 1 + digits + role};
	return role || is_of_this_machine(address);
}

/* The first name from `from` on; false: there is none. */
static bool next_name(const char *text, const char *from, struct name *name)
{
	for (const char *at = from; *at; at++)
		if ((!strncmp(at, "tcp ", 4) || !strncmp(at, "udp ", 4)) &&
		    (at == text || at[-1] == ' ') && read_name(at, name))
			return true;
	return false;
}

/* ---- which ports are kept */

struct known {
	const char *name;
	size_t runs[2];  /* that have it, of each side */
	size_t last_run; /* the number of the last one, over both sides, from 1 on */
};

struct names_of_sides {
	struct keyed_table *table; /* of struct known */
	struct text_set *texts;
	size_t runs[2];
};

static unsigned hash_known(const void *row)
{
	return hash_text(((const struct known *)row)->name, 0);
}

static bool are_equal(const void *a, const void *b)
{
	return !strcmp(((const struct known *)a)->name, ((const struct known *)b)->name);
}

static struct known known_of(const struct names_of_sides *names, const struct name *name)
{
	char *text = memory_print("%.*s", (int)name->bytes, name->text);
	struct known known = {.name = text_set_keep(names->texts, text)};

	free(text);
	return known;
}

static void note(struct names_of_sides *names, const char *text, size_t side, size_t run)
{
	struct name name;

	for (const char *at = text; next_name(text, at, &name); at = name.text + name.bytes) {
		const struct known probe = known_of(names, &name);
		struct known *known = keyed_table_enter(names->table, &probe, NULL);

		known->runs[side] += known->last_run != run;
		known->last_run = run;
	}
}

static void note_runs(struct names_of_sides *names, const struct side *side, size_t number,
		      size_t *run)
{
	names->runs[number] = side->count;
	for (size_t i = 0; i < side->count; i++) {
		const struct figures *figures = side->runs[i].figures;

		++*run;
		for (size_t j = 0; j < figures->count; j++)
			note(names, figures->rows[j].key, number, *run);
	}
}

static bool is_kept(const struct names_of_sides *names, const struct name *name)
{
	const struct known probe = known_of(names, name);
	const struct known *known = keyed_table_find(names->table, &probe);

	return known && 2 * known->runs[0] >= names->runs[0] &&
	       2 * known->runs[1] >= names->runs[1];
}

/* ---- leaving the others out */

/* NULL: there is nothing to leave out. Released by the caller. */
static char *without_ports(const struct names_of_sides *names, const char *text)
{
	char *shorter = memory_allocate(strlen(text) + 1, 1), *end = shorter;
	const char *done = text; /* copied so far */
	struct name name;

	for (const char *at = text; next_name(text, at, &name); at = name.text + name.bytes) {
		if (is_kept(names, &name))
			continue;
		size_t bytes = (size_t)(name.text + name.port - done);

		memcpy(end, done, bytes);
		end += bytes;
		done = name.text + name.port + name.port_bytes;
	}
	strcpy(end, done);
	if (done != text)
		return shorter;
	free(shorter);
	return NULL;
}

static bool has_any_to_leave_out(const struct names_of_sides *names, const struct figures *figures)
{
	for (size_t i = 0; i < figures->count; i++) {
		char *key = without_ports(names, figures->rows[i].key);

		free(key);
		if (key)
			return true;
	}
	return false;
}

static void add_without(struct figures *figures, const struct names_of_sides *names,
			const struct figure *figure)
{
	struct figure shorter = *figure;
	const char **const texts[] = {&shorter.key, &shorter.shown, &shorter.at, &shorter.subject,
				      &shorter.place};
	char *made[sizeof texts / sizeof *texts];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		made[i] = *texts[i] ? without_ports(names, *texts[i]) : NULL;
		if (made[i])
			*texts[i] = made[i];
	}
	figures_add(figures, &shorter);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(made[i]);
}

static void leave_out(struct side_run *run, const struct names_of_sides *names)
{
	if (!has_any_to_leave_out(names, run->figures))
		return;
	struct figures *figures = figures_create();

	figures->neighbours = run->figures->neighbours;
	for (size_t i = 0; i < run->figures->count; i++)
		add_without(figures, names, &run->figures->rows[i]);
	figures_destroy(run->figures);
	run->figures = figures;
}

void socket_keys_match(struct side sides[2])
{
	struct names_of_sides names = {
		.table = keyed_table_create_by(sizeof(struct known), hash_known, are_equal),
		.texts = text_set_create()};
	size_t run = 0;

	for (size_t side = 0; side < 2; side++)
		note_runs(&names, &sides[side], side, &run);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side].count; i++)
			leave_out(&sides[side].runs[i], &names);
	keyed_table_destroy(names.table);
	text_set_destroy(names.texts);
}
