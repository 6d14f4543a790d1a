/* SPDX-License-Identifier: MIT */
/* Each call of ptrace.h once; prints what ptrace_times() said. Also C89. */
#include <ptrace.h>

#include <stdio.h>
#include <string.h>

static char table[64];

static void inner(void)
{
	ptrace_begin("inner");
	ptrace_end(NULL);
}

int main(void)
{
	struct ptrace_times times;
	void (*volatile begin)(const char *) = ptrace_begin;
	int status;

	memset(&times, 0xff, sizeof times);
	ptrace_phase("read");
	ptrace_name(table, sizeof table, "table");
	ptrace_begin("solve");
	ptrace_mark("step", -2);
	inner();
	begin("by address");
	ptrace_end("by address");
	ptrace_end("solve");
	ptrace_phase(NULL);
	status = ptrace_times(&times);
	if (status)
		printf("alone\n");
	else
		printf("%d %d %d %d\n", (int)times.bytes, (int)times.elapsed_ns,
		       (int)times.wait_ns[PTRACE_WAIT_MUTEX],
		       (int)times.level_ns[PTRACE_LEVELS - 1]);
	return 0;
}
