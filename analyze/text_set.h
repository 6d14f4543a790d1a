/* SPDX-License-Identifier: MIT */
/* Texts, each kept once: equal texts are the same pointer. Context: pure; the set owns them. */
#pragma once

/* The empty text of all sets; NULL is kept as it, too. */
extern const char text_nothing[];

struct text_set;

struct text_set *text_set_create(void);
void text_set_destroy(struct text_set *set);
const char *text_set_keep(struct text_set *set, const char *text);
