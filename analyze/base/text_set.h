/* SPDX-License-Identifier: MIT */
/* Interned texts: equal texts are the same pointer. A thousand processes of one program share its
 * name. Context: pure. Texts live as long as the set. */
#pragma once

struct text_set;

struct text_set *text_set_create(void);
void text_set_destroy(struct text_set *set);
const char *text_set_keep(struct text_set *set, const char *text);
