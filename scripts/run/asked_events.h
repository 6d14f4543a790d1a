/* SPDX-License-Identifier: MIT */
/* The LIST of --events as it is written: names with commas between them, NAME@PERIOD, and {a,b,c}
 * for events that shall be counted together. What the names mean is not known here. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EVENT_LIST_MAX = 64, EVENT_LIST_TEXT_MAX = 4096 };

struct event_list {
	int count;
	struct event_item {
		const char *name;
		uint64_t period; /* 0: none */
		int braces;      /* 0: outside; else which pair of braces, from 1 */
	} items[EVENT_LIST_MAX];
	char text[EVENT_LIST_TEXT_MAX]; /* of the names */
};

/* Blanks around names do not count. False: error says what is wrong. */
bool event_list_parse(const char *text, struct event_list *list, char *error, size_t size);
