/* SPDX-License-Identifier: MIT */
/* Processes: fork, exec, spawn, exit, and waiting for children. vfork is not wrapped, because its
 * child would return through a frame that its parent needs again. In a vfork child, which runs in
 * its parent's memory, the lifecycle does nothing. */
#include "arch.h"
#include "preload/base/kernel_call.h"
#include "preload/life/exec.h"
#include "preload/life/lifecycle.h"
#include "preload/base/system.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/samples/sample_call.h"
#include "preload/waits/wait_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static void count(enum operation operation, uint64_t caller)
{
	struct thread *thread = sync_thread();

	if (thread)
		activity_count(thread, NULL, operation, caller);
}

/* In the parent: what the kernel took to copy the process. */
static void count_time(uint64_t routine, const struct site *site, pid_t pid)
{
	if (pid)
		sample_call_count(thread_self, routine, site);
}

EXPORTED pid_t fork(void)
{
	count(OP_FORK, CALLER_HERE);
	pid_t pid = real.fork(); /* the rest is done in atfork handlers, as for daemon, forkpty */

	count_time((uint64_t)real.fork, SITE_HERE, pid);
	return pid;
}

EXPORTED pid_t _Fork(void)
{
	count(OP_FORK, CALLER_HERE);
	lifecycle_before_fork();
	pid_t pid = real._Fork();
	lifecycle_after_fork(pid == 0);
	count_time((uint64_t)real._Fork, SITE_HERE, pid);
	return pid;
}

/* ---- exec ---- */

static struct exec_target target_at(int directory, const char *path, bool is_searched)
{
	return (struct exec_target){directory, path, is_searched};
}

/* EXEC(name, parameters, arguments, target, environment) */
#define EXEC(name, parameters, arguments, target, environment)                                     \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		const struct exec_target to = target;                                              \
                                                                                                   \
		if (!exec_is_slept_through(environment))                                           \
			count(OP_EXEC, CALLER_HERE);                                               \
		const struct exec_attempt attempt = exec_begin(&to, environment);                  \
		int result = real.name arguments;                                                  \
		int error = errno;                                                                 \
		exec_has_failed(&attempt);                                                         \
		errno = error;                                                                     \
		return result;                                                                     \
	}

EXEC(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp),
     target_at(AT_FDCWD, path, false), envp)
EXEC(execv, (const char *path, char *const argv[]), (path, argv), target_at(AT_FDCWD, path, false),
     __environ)
EXEC(execvp, (const char *file, char *const argv[]), (file, argv), target_at(AT_FDCWD, file, true),
     __environ)
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp),
     target_at(AT_FDCWD, file, true), envp)
EXEC(fexecve, (int fd, char *const argv[], char *const envp[]), (fd, argv, envp),
     target_at(fd, NULL, false), envp)
EXEC(execveat, (int directory, const char *path, char *const argv[], char *const envp[], int flags),
     (directory, path, argv, envp, flags),
     target_at(directory, flags &AT_EMPTY_PATH ? NULL : path, false), envp)

/* The number of an execl's arguments, with the final NULL. */
static size_t count_arguments(va_list *list)
{
	size_t number = 1;

	while (va_arg(*list, char *))
		number++;
	return number + 1;
}

static void copy_arguments(char **argv, const char *first, size_t number, va_list *list)
{
	argv[0] = (char *)first;
	for (size_t i = 1; i < number; i++)
		argv[i] = va_arg(*list, char *);
}

/* Collects the arguments on the stack, as libc does: exec must work where memory cannot be
 * allocated. */
#define COLLECT(argv, first)                                                                       \
	va_list list;                                                                              \
	va_start(list, first);                                                                     \
	size_t number = count_arguments(&list);                                                    \
	va_end(list);                                                                              \
	char *argv[number];                                                                        \
	va_start(list, first);                                                                     \
	copy_arguments(argv, first, number, &list);

EXPORTED int execl(const char *path, const char *first, ...)
{
	COLLECT(argv, first)
	va_end(list);
	return execv(path, argv);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
	COLLECT(argv, first)
	va_end(list);
	return execvp(file, argv);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
	COLLECT(argv, first)
	char *const *envp = va_arg(list, char *const *);
	va_end(list);
	return execve(path, argv, envp);
}

/* ---- spawn ---- */

/* The call waits until the child has become another program. */

/* SPAWN(name, original) */
#define SPAWN(name, original)                                                                      \
	EXPORTED __typeof__(posix_spawn) name;                                                     \
	EXPORTED int name(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, \
			  const posix_spawnattr_t *attributes, char *const argv[],                 \
			  char *const envp[])                                                      \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		exec_note_environment(envp);                                                       \
		if (!thread)                                                                       \
			return real.original(pid, file, actions, attributes, argv, envp);          \
		struct wait_call call =                                                            \
			wait_call_begin(thread, CAUSE_PROCESS, OP_SPAWN, NULL, SITE_HERE);         \
		int error = real.original(pid, file, actions, attributes, argv, envp);             \
		wait_call_end(&call, error ? OUTCOME_FAILED : OUTCOME_DONE);                       \
		return error;                                                                      \
	}

SPAWN(today_posix_spawn, posix_spawn)
SPAWN(today_posix_spawnp, posix_spawnp)
VERSION(today_posix_spawn, posix_spawn, "@@" ARCH_SPAWN_VERSION)
VERSION(today_posix_spawnp, posix_spawnp, "@@" ARCH_SPAWN_VERSION)

#if ARCH_HAS_OLD_CALLS
/* For programs linked before 2012 they run a script without `#!` by the shell. */
SPAWN(old_posix_spawn, old_posix_spawn)
SPAWN(old_posix_spawnp, old_posix_spawnp)
VERSION(old_posix_spawn, posix_spawn, "@" ARCH_OLDEST_VERSION)
VERSION(old_posix_spawnp, posix_spawnp, "@" ARCH_OLDEST_VERSION)
#endif

/* ---- exit ---- */

/* EXIT(name, original) */
#define EXIT(name, original)                                                                       \
	EXPORTED void name(int status);                                                            \
	EXPORTED void name(int status)                                                             \
	{                                                                                          \
		real_need();                                                                       \
		lifecycle_end_process(status);                                                     \
		real.original(status);                                                             \
		__builtin_unreachable();                                                           \
	}

EXIT(_exit, _exit)
EXIT(_Exit, _Exit)
/* For programs linked before 2016 it also runs destructors of thread-local objects. */
EXIT(today_quick_exit, quick_exit)
EXIT(old_quick_exit, old_quick_exit)
VERSION(today_quick_exit, quick_exit, "@@GLIBC_2.24")
VERSION(old_quick_exit, quick_exit, "@" ARCH_OLD_EXIT_VERSION)

/* ---- waiting for children ---- */

/* How often the calling thread gave up its processor: a call for a child that has already ended
 * returns at once. */
static long voluntary_switches(const struct thread *thread)
{
	struct rusage usage = {0};

	if (thread)
		system_usage(&usage);
	return usage.ru_nvcsw;
}

/* CHILD(name, parameters, arguments, may_wait): one of the parameters is `status`; returns the
 * pid. */
#define CHILD(name, parameters, arguments, may_wait)                                               \
	EXPORTED pid_t name parameters                                                             \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		int seen = 0;                                                                      \
                                                                                                   \
		if (!status)                                                                       \
			status = &seen;                                                            \
		bool is_measured =                                                                 \
			thread && (may_wait) &&                                                    \
			activity_begin(thread, CAUSE_PROCESS, OP_WAIT_CHILD, NULL, SITE_HERE);     \
		long switches = voluntary_switches(thread);                                        \
		pid_t pid = real.name arguments;                                                   \
		bool was_awaited = pid > 0 && voluntary_switches(thread) != switches;              \
		if (is_measured)                                                                   \
			activity_end(thread, pid < 0 ? OUTCOME_FAILED : OUTCOME_DONE);             \
		else if (thread)                                                                   \
			activity_count(thread, NULL, OP_WAIT_CHILD, CALLER_HERE);                  \
		if (pid > 0 && (WIFEXITED(*status) || WIFSIGNALED(*status)))                       \
			lifecycle_record_child(pid, *status, was_awaited);                         \
		return pid;                                                                        \
	}

CHILD(wait, (int *status), (status), true)
CHILD(waitpid, (pid_t which, int *status, int options), (which, status, options),
      !(options & WNOHANG))
CHILD(wait3, (int *status, int options, struct rusage *usage), (status, options, usage),
      !(options & WNOHANG))
CHILD(wait4, (pid_t which, int *status, int options, struct rusage *usage),
      (which, status, options, usage), !(options & WNOHANG))

/* The status as wait would return it, from what waitid returned. */
static int wait_status(const siginfo_t *info)
{
	if (info->si_code == CLD_EXITED)
		return (info->si_status & 0xff) << 8;
	return info->si_status | (info->si_code == CLD_DUMPED ? 0x80 : 0);
}

EXPORTED int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	struct thread *thread = sync_thread();

	bool is_measured = thread && !(options & WNOHANG) &&
			   activity_begin(thread, CAUSE_PROCESS, OP_WAIT_CHILD, NULL, SITE_HERE);
	long switches = voluntary_switches(thread);
	int result = real.waitid(type, id, info, options);
	bool was_awaited = voluntary_switches(thread) != switches;
	if (is_measured)
		activity_end(thread, result ? OUTCOME_FAILED : OUTCOME_DONE);
	else if (thread)
		activity_count(thread, NULL, OP_WAIT_CHILD, CALLER_HERE);
	bool has_ended = !result && info && info->si_pid && (options & WEXITED) &&
			 (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
			  info->si_code == CLD_DUMPED);
	if (has_ended)
		lifecycle_record_child(info->si_pid, wait_status(info), was_awaited);
	return result;
}

ALIAS(__fork, fork)
ALIAS(__wait, wait)
ALIAS(__waitpid, waitpid)
