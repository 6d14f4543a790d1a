/* SPDX-License-Identifier: MIT */
/* Message sizes by call, as the key "sizes" of "mpi" in the JSON has them. */
#pragma once

#include "analyze/report/report.h"

struct json_object *report_mpi_sizes_json(const struct mpi *mpi);
