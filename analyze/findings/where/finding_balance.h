/* SPDX-License-Identifier: MIT */
/* Which rank computes how much more than another one, as a sentence. Context: pure. */
#pragma once

#include "analyze/model/mpi/mpi_balance.h"

/* "rank 1 computes 48 % more than rank 0", of more ranks also how much more than their mean; mark:
 * of the grade, in front of the numbers. NULL: there is no such difference. Released by the
 * caller. */
char *finding_balance_text(const struct mpi *mpi, const char *mark);
