/* SPDX-License-Identifier: MIT */
/* What the key "mpi" takes from sections. Context: pure. */
#pragma once

struct json_object;
struct report;

/* All ranks, in their order. */
struct json_object *report_ranks_rows(const struct report *report);
