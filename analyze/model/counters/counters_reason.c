/* SPDX-License-Identifier: MIT */
/* Why an event was not counted, or not everywhere, in words. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/counters/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of perf_event_open, with the remedy where there is one. */
static const struct {
	int error;
	const char *text;
} errors[] = {
	{ENOENT, "this processor, or virtual machine, does not have it"},
	{EOPNOTSUPP, "this processor, or virtual machine, does not have it"},
	{ENODEV, "this processor, or virtual machine, does not have it"},
	{ENXIO, "this processor, or virtual machine, does not have it"},
	{EACCES, "not allowed to this user: sysctl kernel.perf_event_paranoid=2 or less"},
	{EPERM, "not allowed, as by a container's seccomp profile: --cap-add PERFMON, or "
		"--security-opt seccomp=FILE with perf_event_open"},
	{ENOSYS, "not allowed: the system call perf_event_open does not exist here, or is hidden"},
	{EBUSY, "another user holds the counter (a watchdog: sysctl kernel.nmi_watchdog=0)"},
	{EMFILE, "too many open files: raise ulimit -n"},
	{ENFILE, "too many open files on this machine: raise sysctl fs.file-max"},
	{ENOMEM,
	 "no memory that may be locked: raise ulimit -l, or sysctl kernel.perf_event_mlock_kb"},
	{EDQUOT, "to count it in each of many short threads would exceed the budget"},
	{EINVAL, "this kernel does not take it"},
	{E2BIG, "this kernel does not take it"},
};

static char *error_text(uint64_t error)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if ((uint64_t)errors[i].error == error)
			return memory_copy_text(errors[i].text);
	if (!error)
		return memory_copy_text("no thread counted it");
	return memory_print("error %llu of perf_event_open", (unsigned long long)error);
}

#define SILENT_TEXT                                                                                 \
	"no counter was ever free: its group needs more than there are, or another user holds one " \
	"(a watchdog: sysctl kernel.nmi_watchdog=0)"

/* "; " between two reasons; takes ownership of the text. */
static char *join(char *reasons, char *text)
{
	char *longer;

	if (!reasons)
		return text;
	longer = memory_print("%s; %s", reasons, text);
	free(reasons);
	free(text);
	return longer;
}

static char *threads_text(uint64_t count, const char *what)
{
	return memory_print("%llu thread%s %s", (unsigned long long)count, count == 1 ? "" : "s",
			    what);
}

static char *add_missing(char *reasons, const struct counter *counter)
{
	if (counter->refused) {
		char *error = error_text(counter->error);
		char *what = memory_print("could not count it: %s", error);

		reasons = join(reasons, threads_text(counter->refused, what));
		free(error);
		free(what);
	}
	if (counter->silent)
		reasons = join(reasons,
			       threads_text(counter->silent, "never counted it: " SILENT_TEXT));
	if (counter->unasked > counter->refused)
		reasons = join(reasons, threads_text(counter->unasked - counter->refused,
						     "did not count it"));
	return reasons;
}

char *counters_reason(const struct counter *counter)
{
	char *reasons = NULL;

	if (!counter->threads && counter->flags & EVENT_COUNTED && !counter->silent)
		return memory_copy_text("threads that counted it were not read before they ended: "
					"the process was killed, or the program took their "
					"descriptors");
	if (!counter->threads)
		return counter->silent && !counter->error ? memory_copy_text(SILENT_TEXT)
							  : error_text(counter->error);
	if (counter->flags & EVENT_KERNEL_REFUSED)
		reasons = memory_copy_text("of the program only: the kernel's part is not allowed "
					   "(sysctl kernel.perf_event_paranoid=1 or less)");
	if (counter->running_ns < counter->enabled_ns)
		reasons = join(reasons,
			       memory_copy_text("took turns with other events, and is scaled"));
	if (counter->left_out_ns)
		reasons = join(reasons,
			       memory_print("threads ran for %s before it was counted, or after "
					    "the program took its descriptor",
					    quantity_seconds((double)counter->left_out_ns).text));
	if (counter->excess)
		reasons = join(
			reasons,
			memory_print("samples have %llu more than the threads counted, which is a "
				     "defect of the profiler",
				     (unsigned long long)counter->excess));
	return add_missing(reasons, counter);
}
