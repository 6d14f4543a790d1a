/* SPDX-License-Identifier: MIT */
/* What is wrong with an option, in getopt's words: it repeats what was typed as it is, so it is
 * asked once more about words that can be shown. argv[0] begins the line. */
#pragma once

#include <getopt.h>

void option_error_say(int argc, char **argv, const char *letters, const struct option *table);
