/* SPDX-License-Identifier: MIT */
#include "preload/thread/thread_proc.h"

#include "common/stat_line.h"
#include "preload/base/system.h"
#include "preload/base/text.h"
#include "preload/base/thread_file.h"
#include "preload/file/schema.h"
#include "preload/process/process_row.h"
#include "preload/thread/thread.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum { TICKS_SECOND = 100 /* of times in /proc (USER_HZ) */ };

static char other_text[8192]; /* `status` is long */

/* Run delay (ns), the second number of schedstat. Returns 0 or a negative errno; -EAGAIN: not now,
 * else this kernel has none. length: as small_file_read returned it. */
static int find_run_delay(const char *text, long length, uint64_t *delay_ns)
{
	uint64_t cpu_ns = text_read_number(&text);

	*delay_ns = text_read_number(&text);
	return length < 0 ? (int)length : cpu_ns > 0 ? 0 : -ENODATA;
}

int thread_proc_own_delay(const struct thread *thread, uint64_t *delay_ns)
{
	char text[96];
	long length = thread_file_read_own((int)process_row->pid, thread->tid, "/schedstat", text,
					   sizeof text);

	return find_run_delay(text, length, delay_ns);
}

/* Reads a file of another thread in /proc into other_text. Returns its length; 0 or negative:
 * none. */
static long read_other(const struct thread *thread, const char *file)
{
	return thread_file_read(thread->tid, file, other_text, sizeof other_text);
}

void thread_proc_name(struct thread *thread)
{
	long length = read_other(thread, "/comm");

	if (length > 1 && length <= 16) {
		other_text[length - 1] = '\0';
		memcpy(thread->row->name, other_text, (size_t)length);
	}
}

bool thread_proc_delay(const struct thread *thread, uint64_t *delay_ns)
{
	long length = read_other(thread, "/schedstat");

	return !find_run_delay(other_text, length, delay_ns);
}

static const char *after_word(const char *text, const char *word)
{
	const char *found = strstr(text, word);

	return found ? found + strlen(word) : "";
}

/* From the last lines of /proc/TID/status. */
bool thread_proc_switches(const struct thread *thread, uint64_t *voluntary, uint64_t *involuntary)
{
	if (read_other(thread, "/status") <= 0)
		return false;
	const char *given_up = after_word(other_text, "\nvoluntary_ctxt_switches:");
	const char *taken = after_word(other_text, "\nnonvoluntary_ctxt_switches:");
	if (!*given_up || !*taken)
		return false;
	*voluntary = text_read_number(&given_up);
	*involuntary = text_read_number(&taken);
	return true;
}

/* In /proc/PID/task stat is the thread's; in /proc/TID it would be the whole process's. */
static long read_other_stat(const struct thread *thread)
{
	char path[64];
	struct text text = TEXT(path);

	text_add(&text, "/proc/self/task/");
	text_add_number(&text, (uint64_t)thread->tid);
	text_add(&text, "/stat");
	return small_file_read(path, other_text, sizeof other_text);
}

/* Name, state, 6 numbers, minor faults, those of children, major faults, those of children, times
 * in user and in system. */
bool thread_proc_stat(const struct thread *thread, struct thread_stat *stat)
{
	const uint64_t tick_ns = 1000000000u / TICKS_SECOND;

	if (read_other_stat(thread) <= 0)
		return false;
	const char *state = stat_line_field(other_text, STAT_STATE);
	const char *faults = stat_line_field(other_text, STAT_MINOR_FAULTS);
	const char *time = stat_line_field(other_text, STAT_SYSTEM);
	if (!state || !faults || !time)
		return false;
	stat->state = state[1];
	stat->minor_faults = text_read_number(&faults);
	text_read_number(&faults);
	stat->major_faults = text_read_number(&faults);
	stat->system_ns = text_read_number(&time) * tick_ns;
	return true;
}

/* The kernel's own call returns 20 - nice, so that it is never negative. */
enum { PRIORITY_OF_NICE_0 = 20 };

static void read_processors(struct thread *thread, int tid)
{
	cpu_set_t own = {0}; /* the kernel writes as much as it has processors */
	struct processor_set now = {0};

	if (kernel_call(SYS_sched_getaffinity, tid, sizeof own, &own) <= 0)
		return;
	now.count = (uint32_t)CPU_COUNT(&own);
	while (now.first < CPU_SETSIZE && !CPU_ISSET(now.first, &own))
		now.first++;
	now.first++;
	thread_processors_note(&thread->processors, thread->row, now);
}

void thread_proc_scheduling(struct thread *thread, int tid)
{
	struct row_threads *row = thread->row;
	int saved = errno;
	long policy = kernel_call(SYS_sched_getscheduler, tid);
	long priority = kernel_call(SYS_getpriority, PRIO_PROCESS, tid);

	if (policy >= 0)
		row->policy = (uint8_t)((policy & ~SCHED_RESET_ON_FORK) + 1);
	if (priority > 0)
		row->nice = (uint8_t)(PRIORITY_OF_NICE_0 - priority + 21);
	read_processors(thread, tid);
	errno = saved;
}
