/* SPDX-License-Identifier: MIT */
/* How a number with its unit reads, wherever it is printed: in tables, in sentences, on pages.
 *
 * Three digits and the unit that makes them readable; "?" for what is not known (NAN, infinite).
 * Counts have all their digits: they are exact, and are compared with those of other tools.
 * Context: pure. A text is a value, so that it may stand among the arguments of a print function:
 * print("%s of waiting", quantity_seconds(ns).text). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct quantity {
	char text[32];
};

struct quantity quantity_seconds(double ns);      /* "1.23 s", "45.6 ms", "789 us", "12 ns" */
struct quantity quantity_percent(double percent); /* "48 %", "4.8 %" */
struct quantity quantity_number(double number);   /* "1.43" */
struct quantity quantity_count(double count);     /* "7190121" */
struct quantity quantity_size(uint64_t bytes);    /* "512 B", "1.50 KiB", "12.3 MiB"; "0 B" */
/* Of what hardware counts, is_whole: "850", "47.9 k", "4.50 G"; and of what is formed of it:
 * "1.13", "0.0042". */
struct quantity quantity_amount(double amount, bool is_whole);
/* Of events: "850", "47.9 thousand", "2.98 million". */
struct quantity quantity_rate(double per_second);
