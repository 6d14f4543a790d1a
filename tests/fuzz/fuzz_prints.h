/* SPDX-License-Identifier: MIT */
/* Outputs that are made in one file and listed, or made again, in another. */
#pragma once

#include "tests/fuzz/fuzz_outputs.h"

void fuzz_print_text(struct fuzz_subject *subject);
void fuzz_print_json(struct fuzz_subject *subject);
void fuzz_print_diff_text(struct fuzz_subject *subject);
void fuzz_print_diff_json(struct fuzz_subject *subject);
void fuzz_print_diff_page(struct fuzz_subject *subject);
void fuzz_print_diff_markdown(struct fuzz_subject *subject);
void fuzz_print_diff_junit(struct fuzz_subject *subject);
void fuzz_print_scaling(struct fuzz_subject *subject);
void fuzz_print_merged(struct fuzz_subject *subject);
void fuzz_print_top(struct fuzz_subject *subject);
