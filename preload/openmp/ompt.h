/* SPDX-License-Identifier: MIT */
/* OMPT, the tools interface of OpenMP 5, as far as it is used here, so that building needs no
 * omp-tools.h. Names, values and arguments from the OpenMP API Specification 5.1, chapter 4. */
#pragma once

#include <stdint.h>

/* A word that the runtime keeps for the tool; zero at first. */
typedef union {
	uint64_t value;
	void *ptr;
} ompt_data_t;

typedef void (*ompt_callback_t)(void);
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_set_callback_t)(int event, ompt_callback_t callback);

typedef struct {
	int (*initialize)(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data);
	void (*finalize)(ompt_data_t *tool_data);
	ompt_data_t tool_data;
} ompt_start_tool_result_t;

typedef uint64_t ompt_wait_id_t;

/* Events: numbers of ompt_set_callback. */
enum {
	OMPT_THREAD_BEGIN = 1,
	OMPT_THREAD_END = 2,
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_TASK_SCHEDULE = 6,
	OMPT_IMPLICIT_TASK = 7,
	OMPT_CONTROL_TOOL = 11,
	OMPT_SYNC_REGION_WAIT = 16,
	OMPT_MUTEX_RELEASED = 17,
	OMPT_DEPENDENCES = 18,
	OMPT_WORK = 20,
	OMPT_MASKED = 21,
	OMPT_SYNC_REGION = 23,
	OMPT_LOCK_INIT = 24,
	OMPT_LOCK_DESTROY = 25,
	OMPT_MUTEX_ACQUIRE = 26,
	OMPT_MUTEX_ACQUIRED = 27,
	OMPT_NEST_LOCK = 28,
	OMPT_CANCEL = 30,
	OMPT_REDUCTION = 31,
};

enum { OMPT_SCOPE_BEGIN = 1, OMPT_SCOPE_END = 2 };

/* Of cancel: a cancellation, or a point that finds it; otherwise a task that is dropped. */
enum { OMPT_CANCEL_ACTIVATED = 16, OMPT_CANCEL_DETECTED = 32 };

/* Of thread_begin. */
enum { OMPT_THREAD_WORKER = 2 };

/* Of parallel_begin. */
enum { OMPT_PARALLEL_LEAGUE = 0x40000000 };

/* Of implicit_task and task_create. */
enum {
	OMPT_TASK_INITIAL = 1,
	OMPT_TASK_TASKWAIT = 16,
	OMPT_TASK_UNDEFERRED = 0x08000000,
	OMPT_TASK_UNTIED = 0x10000000,
};

/* Of task_schedule: why the prior task is left. */
enum {
	OMPT_TASK_COMPLETE = 1,
	OMPT_TASK_CANCEL = 3,
	OMPT_TASK_DETACH = 4,
	OMPT_TASK_EARLY_FULFILL = 5,
	OMPT_TASK_LATE_FULFILL = 6,
};

enum {
	OMPT_SYNC_BARRIER = 1,
	OMPT_SYNC_BARRIER_IMPLICIT = 2,
	OMPT_SYNC_BARRIER_EXPLICIT = 3,
	OMPT_SYNC_BARRIER_IMPLEMENTATION = 4,
	OMPT_SYNC_TASKWAIT = 5,
	OMPT_SYNC_TASKGROUP = 6,
	OMPT_SYNC_BARRIER_WORKSHARE = 8,
	OMPT_SYNC_BARRIER_PARALLEL = 9,
	OMPT_SYNC_BARRIER_TEAMS = 10,
	OMPT_SYNC_COUNT,
};

enum {
	OMPT_MUTEX_LOCK = 1,
	OMPT_MUTEX_TEST_LOCK = 2,
	OMPT_MUTEX_NEST_LOCK = 3,
	OMPT_MUTEX_TEST_NEST_LOCK = 4,
	OMPT_MUTEX_CRITICAL = 5,
	OMPT_MUTEX_ATOMIC = 6,
	OMPT_MUTEX_ORDERED = 7,
	OMPT_MUTEX_COUNT,
};

enum {
	OMPT_WORK_LOOP = 1,
	OMPT_WORK_SECTIONS = 2,
	OMPT_WORK_SINGLE_EXECUTOR = 3,
	OMPT_WORK_SINGLE_OTHER = 4,
	OMPT_WORK_WORKSHARE = 5,
	OMPT_WORK_DISTRIBUTE = 6,
	OMPT_WORK_TASKLOOP = 7,
	OMPT_WORK_COUNT,
};
