/* SPDX-License-Identifier: MIT */
/* The rule on the lock of malloc. The C library takes its low-level locks inline, so that no
 * wrapper sees them: a wait shows as samples in their routines below malloc or free, and as time in
 * which the thread was blocked for no known cause. Needs the tree of call paths (RUN_PATHS);
 * without it nothing is found. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_callers.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_libc_call.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_allocator(const char *name)
{
	static const char *const names[] = {
		"malloc",          "free",         "cfree",         "calloc",
		"realloc",         "reallocarray", "memalign",      "aligned_alloc",
		"posix_memalign",  "valloc",       "pvalloc",       "malloc_trim",
		"__libc_malloc",   "__libc_free",  "__libc_calloc", "__libc_realloc",
		"__libc_memalign", "_int_malloc",  "_int_free",     "_int_realloc",
		"_int_memalign"};

	return is_one_of(name, names, COUNT(names));
}

/* Calls in which a thread may be blocked as well, by the ends of their names (__libc_read,
 * __GI___poll): only samples tell which of them it was. */
static bool is_blocking_call(const char *name)
{
	static const char *const ends[] = {
		"read",      "write",   "pread64",  "pwrite64",   "readv",       "writev",
		"poll",      "select",  "recv",     "recvfrom",   "recvmsg",     "send",
		"sendto",    "sendmsg", "accept",   "accept4",    "connect",     "fsync",
		"fdatasync", "open64",  "openat64", "epoll_wait", "epoll_pwait", "sendfile64",
		"flock",     "fcntl64", "ioctl",    "syscall"};
	size_t length = strlen(name);

	for (size_t i = 0; i < COUNT(ends); i++) {
		size_t end = strlen(ends[i]);

		if (length >= end && !strcmp(name + length - end, ends[i]))
			return true;
	}
	return false;
}

/* ---- samples */

struct lock_time {
	double cpu_ns;                /* in the routines of the lock, below the allocator */
	double own_ns;                /* in the rest of the allocator */
	double other_ns;              /* in calls that may block */
	double samples;               /* of cpu_ns */
	struct finding_callers users; /* of the allocator */
};

struct allocation {
	size_t user; /* the node that called the allocator; 0: the path does not end in it */
	bool is_locking;
};

/* The C library's frames at the end of a node's path: do they begin with the allocator, and is
 * there a lock below it? */
static struct allocation allocation_of(const struct run *run, size_t node)
{
	struct allocation found = {0};
	bool is_locking = false, is_allocating = false;

	for (; node; node = run->paths.nodes[node].parent) {
		const struct routine *routine =
			names_routine(run->names, run->paths.nodes[node].routine);

		if (!routine->is_runtime)
			break;
		is_locking |= finding_is_libc_wait(routine->name);
		is_allocating |= is_allocator(routine->name);
		found.is_locking |= is_locking && is_allocator(routine->name);
	}
	found.user = is_allocating ? node : 0;
	return found;
}

static struct lock_time lock_time_of(const struct run *run)
{
	struct lock_time time = {0};

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];
		double ns = (double)node->self.cpu_ns;

		if (node->kind != PATH_CODE || !(ns > 0))
			continue;
		struct allocation allocation = allocation_of(run, i);

		if (allocation.user && !allocation.is_locking) {
			time.own_ns += ns;
		} else if (allocation.user) {
			time.cpu_ns += ns;
			finding_callers_add(&time.users, run->paths.nodes, allocation.user, ns);
			time.samples += (double)node->self.samples;
		} else if (is_blocking_call(names_routine(run->names, node->routine)->name))
			time.other_ns += ns;
	}
	return time;
}

/* ---- blocked */

/* The lock is held for microseconds; a thread that was blocked for long was blocked for something
 * else. */
static double short_blocks_ns(const struct thread_time *time, unsigned causes)
{
	double switches = time->thread ? (double)time->thread->voluntary_switches : 0;

	return fmin(finding_blocked_ns(time, causes), finding_limits.allocator_wait * switches);
}

/* Going to sleep for the lock takes about as much CPU time as for anything else. */
static double blocked_ns(const struct run *run, const struct lock_time *time)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ns += finding_working_ns(&run->processes[i], short_blocks_ns, FINDING_CAUSE(OTHER));
	if (time->samples < finding_limits.allocator_samples)
		return 0;
	return ns * time->cpu_ns / (time->cpu_ns + time->other_ns);
}

double finding_allocator_blocked_ns(const struct run *run)
{
	struct lock_time time = lock_time_of(run);
	double ns = blocked_ns(run, &time);

	finding_callers_clear(&time.users);
	return ns;
}

/* ---- the rule */

static void tell(const struct run *run, struct finding *finding, const struct lock_time *time,
		 double waiting_ns)
{
	char *place = finding_callers_place(&time->users, run);

	finding->evidence = memory_print(
		"about %s of waiting, mostly in %s: %s of CPU time inside of the lock and "
		"%s blocked; malloc and free themselves took %s",
		quantity_seconds(time->cpu_ns + waiting_ns).text, place,
		quantity_seconds(time->cpu_ns).text, quantity_seconds(waiting_ns).text,
		quantity_seconds(time->own_ns).text);
	free(place);
	finding->grade = GRADE_ESTIMATED;
	finding_callers_tell(&time->users, run, finding);
}

/* Allocating less saves the time of malloc and free as well as the waits; where there are next to
 * no waits, the allocator is no problem of threads. */
double judge_allocator(const struct run *run, struct finding *finding)
{
	struct lock_time time = lock_time_of(run);
	double waiting_ns = blocked_ns(run, &time), lock_ns = time.cpu_ns + waiting_ns;

	if (time.samples < finding_limits.allocator_samples ||
	    lock_ns < finding_limits.part * time.own_ns) {
		finding_callers_clear(&time.users);
		return NAN;
	}
	const struct finding_loss loss = {.idle_ns = waiting_ns,
					  .work_ns = time.cpu_ns + time.own_ns};

	tell(run, finding, &time, waiting_ns);
	finding_callers_clear(&time.users);
	return finding_stake(run, finding, &loss);
}
