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

/* "12 ns", "789 us", "45.6 ms", "1.23 s", "999 s", "16.7 min", "1.00 h", "200 h"; from 1000 h on
 * all digits before the point: "1234 h". */
struct quantity quantity_seconds(double ns);
struct quantity quantity_percent(double percent); /* "48 %", "4.8 %" */
struct quantity quantity_number(double number);   /* "1.43" */
struct quantity quantity_count(double count);     /* "7190121" */
/* A count and what is counted: "0 threads", "1 thread", "2 processes". */
struct quantity quantity_things(double count, const char *thing);
/* A number that a user gave, or the mean of few: "4", "2.5", "1048576", never an exponent; at most
 * six decimals. */
struct quantity quantity_plain(double number);
struct quantity quantity_factor(double factor); /* "x1.5", "x12", "x250", "x0.55" */
struct quantity quantity_size(uint64_t bytes);  /* "512 B", "1.50 KiB", "12.3 MiB"; "0 B" */
/* Of what hardware counts, is_whole: "850", "47.9 k", "4.50 G"; and of what is formed of it:
 * "1.13", "0.0042". */
struct quantity quantity_amount(double amount, bool is_whole);
/* Of events: "850", "47.9 thousand", "2.98 million", "1.20 billion". */
struct quantity quantity_rate(double per_second);
