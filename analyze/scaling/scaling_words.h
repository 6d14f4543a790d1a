/* SPDX-License-Identifier: MIT */
/* Scaling in plain words, the same in text, JSON and pages. Context: pure. All results are released
 * by the caller. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* "4 threads", "1 rank", "p = 3" if the user gave it. */
char *scaling_p_text(const struct scaling *scaling, double p);
/* "words, strong scaling; p: MPI ranks" */
char *scaling_scale_text(const struct scaling *scaling);
/* "mutex table_lock", "MPI_Allreduce", "insert (x.c:40)"; without the kind of loss. */
char *scaling_cause_text(const struct scaling_cause *cause);
/* "held by insert (x.c:40)", "called by step (x.c:7)"; NULL: there is nobody to name. */
char *scaling_blame_text(const struct scaling_cause *cause);
/* The first line of the report: what limits scaling. */
char *scaling_verdict_text(const struct scaling *scaling);
/* "1.20 s", "-35.0 ms": a difference. */
char *scaling_difference_text(double ns);
/* "76 %", "-3 %"; never "-0 %". */
char *scaling_share_text(double share);
