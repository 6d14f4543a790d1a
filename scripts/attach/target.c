/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "target.h"

#include "call_filter.h"
#include "common/proc_file.h"
#include "object.h"
#include "proc_text.h"
#include "scripts/run/program_elf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CAPABILITY_PTRACE = 19, SECCOMP_STRICT = 1 };

enum { KERNEL_THREADS = 2 }; /* kthreadd, the parent of all others */

static void object_to(struct target *target, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void object_to(struct target *target, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(target->obstacle, sizeof target->obstacle, format, arguments);
	va_end(arguments);
}

static bool may_trace_all(void)
{
	return proc_text_set(getpid(), 0, "CapEff") >> CAPABILITY_PTRACE & 1;
}

static void check_existence(struct target *target, const char *library)
{
	(void)library;
	if (kill(target->process, 0) < 0 && errno == ESRCH) {
		target->is_gone = true;
		object_to(target, "does not exist");
	} else if (proc_text_number(target->process, 0, "Pid") != target->process)
		object_to(target, "cannot be seen in /proc (hidepid, or another pid namespace)");
	else if (proc_text_number(target->process, 0, "Tgid") != target->process)
		object_to(target, "is a thread of process %ld: attach to that",
			  proc_text_number(target->process, 0, "Tgid"));
	else if (target->process == getpid())
		object_to(target, "is ptrace-attach itself");
}

static void check_state(struct target *target, const char *library)
{
	bool has_memory = proc_text_has_memory(target->process);
	char state[8];

	(void)library;
	proc_text_field(target->process, 0, "State", state, sizeof state);
	if (state[0] == 'Z' && proc_text_number(target->process, 0, "Threads") > 1)
		object_to(target,
			  "has threads, but its first one has ended (pthread_exit in main), and "
			  "with it all that /proc says of the process");
	else if (state[0] == 'Z' || state[0] == 'X')
		object_to(target, "has ended, and its parent has not yet asked how (a zombie)");
	else if (!has_memory && (target->process == KERNEL_THREADS ||
				 proc_text_number(target->process, 0, "PPid") == KERNEL_THREADS))
		object_to(target, "is a thread of the kernel, and no program");
	else if (!has_memory)
		object_to(target, "is about to end");
	else if (state[0] == 'T')
		object_to(target, "is stopped: let it go on first (kill -CONT %ld)",
			  (long)target->process);
}

static void check_tracer(struct target *target, const char *library)
{
	long tracer = proc_text_number(target->process, 0, "TracerPid");
	char name[64] = "";

	(void)library;
	if (!tracer)
		return;
	proc_text_field((pid_t)tracer, 0, "Name", name, sizeof name);
	object_to(target, "is being traced already, by %s (process %ld): end that first", name,
		  tracer);
}

static void check_user(struct target *target, const char *library)
{
	char users[80], groups[80], scope[16];
	unsigned real = 0, effective = 0, group = 0;

	(void)library;
	proc_text_field(target->process, 0, "Uid", users, sizeof users);
	proc_text_field(target->process, 0, "Gid", groups, sizeof groups);
	sscanf(users, "%u %u", &real, &effective);
	sscanf(groups, "%*u %u", &group);
	target->user = effective;
	target->group = group;
	if (may_trace_all())
		return;
	if (real != getuid() || effective != getuid()) {
		object_to(
			target,
			"belongs to another user (%u): run ptrace-attach as that user, or as root",
			effective);
		return;
	}
	if (proc_file_read(scope, sizeof scope, "/proc/sys/kernel/yama/ptrace_scope") &&
	    scope[0] != '0')
		object_to(target,
			  "may not be traced: kernel.yama.ptrace_scope is %c; run ptrace-attach as "
			  "root%s",
			  scope[0],
			  scope[0] == '3' ? " after a new start of the machine with another value"
					  : ", or set it to 0 (sysctl kernel.yama.ptrace_scope=0)");
}

static void check_program(struct target *target, const char *library)
{
	char path[40];
	struct elf_facts facts;
	struct object musl;

	(void)library;
	snprintf(path, sizeof path, "/proc/%ld/exe", (long)target->process);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) {
		object_to(target, "has an executable that cannot be read: %s%s", strerror(errno),
			  errno == EACCES ? "; run ptrace-attach as root" : "");
		return;
	}
	if (elf_facts_read(file, &facts) && facts.obstacle[0])
		object_to(target, "%s", facts.obstacle);
	close(file);
	if (!target->obstacle[0] && object_find(target->process, "ld-musl-", "", &musl))
		object_to(target, "runs with musl libc, and the profiler needs glibc");
}

/* Its environment at its start; what was longer is not looked at. */
static bool is_preloaded(pid_t process)
{
	static char environment[256 << 10];
	long length = proc_text_read(process, "environ", environment, sizeof environment);

	for (long at = 0; at < length; at += (long)strlen(environment + at) + 1)
		if (!strncmp(environment + at, "LD_PRELOAD=", 11))
			return strstr(environment + at, "libptrace.so") != NULL;
	return false;
}

static void check_profiled(struct target *target, const char *library)
{
	struct object ours;

	(void)library;
	if (is_preloaded(target->process) &&
	    object_find(target->process, "libptrace.so", "", &ours))
		object_to(target, "was started under ptrace-run, and is profiled from its begin to "
				  "its end");
}

static void check_protection(struct target *target, const char *library)
{
	char features[80];
	long seccomp = proc_text_number(target->process, 0, "Seccomp");

	(void)library;
	proc_text_field(target->process, 0, "x86_Thread_features", features, sizeof features);
	if (seccomp == SECCOMP_STRICT)
		object_to(target, "may only read, write and end (seccomp, strict)");
	else if (strstr(features, "shstk"))
		object_to(target, "has a shadow stack, on which no call can be put: start it with "
				  "GLIBC_TUNABLES=glibc.cpu.x86_shstk=off");
	else if (proc_text_set(target->process, 0, "SigIgn") >> (SIGTRAP - 1) & 1)
		object_to(target, "ignores SIGTRAP, which a call put upon it ends with");
	target->is_filtered = call_filter_is_any_closed(target->process);
}

bool target_sees(pid_t process, const char *path)
{
	char other[PATH_MAX + 40];
	struct stat here, there;

	snprintf(other, sizeof other, "/proc/%ld/root%s", (long)process, path);
	return stat(path, &here) == 0 && stat(other, &there) == 0 && here.st_dev == there.st_dev &&
	       here.st_ino == there.st_ino;
}

static void check_library(struct target *target, const char *library)
{
	if (library && !target_sees(target->process, library))
		object_to(target,
			  "sees other files (a container?): make %s reachable there under the same "
			  "path, as the same file (a mount), or run ptrace-attach inside",
			  library);
}

/* Of one that exists and does not end. In this order: each relies on those before it. */
static void (*const checks[])(struct target *, const char *) = {
	check_tracer, check_user, check_program, check_profiled, check_protection, check_library,
};

void target_check(struct target *target, pid_t process, const char *library)
{
	*target = (struct target){.process = process};
	check_existence(target, library);
	if (!target->obstacle[0])
		check_state(target, library);
	for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !target->obstacle[0]; i++) {
		checks[i](target, library);
		if (target->obstacle[0] && !proc_text_has_memory(process))
			object_to(target, "has ended, or is about to end");
	}
	proc_text_field(process, 0, "Name", target->name, sizeof target->name);
}
