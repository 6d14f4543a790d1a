/* SPDX-License-Identifier: MIT */
/* Who has most of a loss that is spread over many rows: a routine waits for many objects, and an
 * object has rows for each operation. Parts of one key add up; so a routine has all of what it
 * waits for, however many objects there are. Context: pure. */
#pragma once

#include <stddef.h>

struct finding_share {
	size_t key; /* a routine, or an object */
	unsigned line;
	double part;
};

struct finding_shares {
	struct finding_share *rows;
	size_t count, capacity;
};

/* The key with most of the whole, and the line that has most of that. */
struct finding_most {
	size_t key;
	unsigned line;
	double part, whole;
	size_t among; /* keys that have a part in it (finding_limits.part); 0: nothing was added */
};

/* Parts of nothing are left out. */
void finding_shares_add(struct finding_shares *shares, size_t key, unsigned line, double part);
/* Releases what was added. */
struct finding_most finding_shares_most(struct finding_shares *shares);
