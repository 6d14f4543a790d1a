/* SPDX-License-Identifier: MIT */
/* Figures and changes of them in words, for the text, the headline and the page. All results are
 * released by the caller. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

char *words_value(double value, enum figure_unit unit); /* "1.21 s", "12", "4.00 KiB", "47 %" */
/* "+48 %", "x2.0" from a doubling on, "+13 points" for percentages; "" for what is new. */
char *words_change(const struct change *change);
char *words_effect(const struct change *change); /* "+0.41 s"; "" for none */
/* How large the change would have to be, in its direction, in the form of words_change; "> 100 %":
 * not even the disappearance of the figure would do; "" for what is new. */
char *words_limit(const struct change *change);
/* The verdict, in brackets if the effect is too small to count. */
char *words_verdict(const struct change *change);
char *words_amount(const struct change *change);     /* "0.41 s": how much, without a sign */
const char *words_more(const struct change *change); /* "more" or "less" */
const char *words_name(const struct figure *figure);
