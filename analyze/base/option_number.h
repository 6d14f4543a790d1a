/* SPDX-License-Identifier: MIT */
/* A number on a command line of the analyzer. */
#pragma once

#define OPTION_ROWS_MAX      1000000000 /* --top */
#define OPTION_WIDTH_DEFAULT 100        /* --width */
#define OPTION_WIDTH_MIN     60
#define OPTION_WIDTH_MAX     10000

/* option: as it is written ("--top"). Ends the program with a line and status 2 for what is no
 * number between the two, included. */
unsigned long option_number(const char *option, const char *text, unsigned long least,
			    unsigned long most);
