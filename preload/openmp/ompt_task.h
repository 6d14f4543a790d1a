/* SPDX-License-Identifier: MIT */
/* Callbacks of OMPT on explicit tasks. Arguments from the OpenMP API Specification 5.1, 4.5.2.
 *
 * An untied task is run in parts, each by any thread, and libomp (14) reports its end to the thread
 * whose part returns last. That may be the first part, which has passed on the task but not
 * returned yet, while another thread has run the task to its end; to that thread nothing is
 * reported. So the thread with the report counts the task, and the other one leaves it at its next
 * callback (ompt_task_settle). Context: own thread. */
#pragma once

#include "preload/openmp/ompt.h"
#include "preload/openmp/ompt_pool.h"

void ompt_task_create(ompt_data_t *parent, const void *frame, ompt_data_t *data, int flags,
		      int has_dependences, const void *code);
void ompt_task_dependences(ompt_data_t *data, const void *dependences, int count);
void ompt_task_schedule(ompt_data_t *left, int status, ompt_data_t *taken);

/* The thread runs `current` now (NULL: no explicit task of its innermost member): leaves untied
 * tasks whose end was not reported to it. */
void ompt_task_settle(struct omp_thread *omp, const struct ompt_task *current);
