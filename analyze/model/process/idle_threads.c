/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/idle_threads.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/process.h"

#include <math.h>

/* Did it wait for processes, which work, for most of its life? */
static bool has_others_work(const struct thread_time *time)
{
	return time->by_cause_ns[CAUSE_PROCESS] > time->lifetime_ns / 2;
}

static bool has_any_others_work(const struct process *process)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (has_others_work(&process->threads[i]))
			return true;
	return false;
}

/* The library polls in a rank: ranks are judged as ranks. */
static double worked_ns(const struct process *process, const struct thread_time *time)
{
	return (double)(process->rank == MPI_NO_RANK ? thread_time_worked(time)
						     : thread_time_cpu(time));
}

/* Of the threads of a process none of which worked, chance decides which one was the busiest. */
double idle_busiest_ns(const struct process *process)
{
	const struct thread_time *busiest = NULL;

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];

		if (!busiest || worked_ns(process, time) > worked_ns(process, busiest))
			busiest = time;
	}
	if (!busiest)
		return 0;
	bool has_worked = worked_ns(process, busiest) >= finding_limits.helper_least;

	if (process->has_work_elsewhere ||
	    (has_worked ? has_others_work(busiest) : has_any_others_work(process)))
		return INFINITY;
	return has_worked ? worked_ns(process, busiest) : 0;
}

bool idle_waits_for(enum cause cause)
{
	static const bool is[CAUSE_LIMIT] = {
		[CAUSE_CONDITION] = true, [CAUSE_SEMAPHORE] = true, [CAUSE_SLEEP] = true,
		[CAUSE_SIGNAL] = true,    [CAUSE_OTHER] = true,     [CAUSE_FUTEX] = true,
		[CAUSE_READ] = true,      [CAUSE_EVENTS] = true,    [CAUSE_ACCEPT] = true,
		[CAUSE_IPC] = true,
	};

	return is[cause];
}

uint64_t idle_wait_ns(const struct thread_time *time, enum cause cause)
{
	uint64_t ns = time->by_cause_ns[cause];
	uint64_t turns_ns = cause == CAUSE_FUTEX ? time->turns_ns : 0;

	return idle_waits_for(cause) && ns > turns_ns ? ns - turns_ns : 0;
}

static double idle_waits_ns(const struct thread_time *time)
{
	double ns = 0;

	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		ns += (double)idle_wait_ns(time, cause);
	return ns;
}

/* Near the limit it is that of the middle one of its role. */
static double compared_cpu_ns(const struct thread_time *time, double limit_ns)
{
	double cpu_ns = (double)thread_time_cpu(time);
	bool is_near = cpu_ns * finding_limits.idle_near >= limit_ns &&
		       cpu_ns < finding_limits.idle_near * limit_ns;

	return is_near && time->role ? time->role_share * (double)time->lifetime_ns : cpu_ns;
}

bool idle_thread(const struct thread_time *time, double busiest_ns)
{
	double life_ns = (double)time->lifetime_ns;
	double able_ns =
		life_ns - (double)time->ready_ns - (double)time->by_cause_ns[CAUSE_STOPPED];
	double limit_ns = fmin(finding_limits.helper_life * life_ns,
			       finding_limits.helper_busiest * busiest_ns);

	return compared_cpu_ns(time, limit_ns) < limit_ns &&
	       idle_waits_ns(time) >= finding_limits.idle_life * able_ns;
}

bool idle_whoever_waits(enum cause cause)
{
	return cause == CAUSE_EVENTS || cause == CAUSE_ACCEPT || cause == CAUSE_SIGNAL;
}

/* At most the whole, whatever a damaged file says. */
uint64_t idle_requests_ns(const struct thread_time *time, enum cause cause)
{
	uint64_t ns = time->by_cause_ns[cause], requests_ns = time->requests_ns[cause];

	return requests_ns < ns ? requests_ns : ns;
}

uint64_t idle_always_ns(const struct thread_time *time, enum cause cause)
{
	return idle_whoever_waits(cause) ? time->by_cause_ns[cause] : idle_requests_ns(time, cause);
}

void idle_take_out(struct thread_time *time, double busiest_ns)
{
	bool is_idle = idle_thread(time, busiest_ns);

	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		uint64_t ns = is_idle ? idle_wait_ns(time, cause) : idle_always_ns(time, cause);

		time->idle_ns += ns;
		time->by_cause_ns[cause] -= ns;
	}
}

uint64_t idle_time_ns(const struct thread_time *time, double busiest_ns)
{
	struct thread_time copy = *time;

	idle_take_out(&copy, busiest_ns);
	return copy.idle_ns - time->idle_ns;
}
