/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "injection.h"

#include "call_filter.h"
#include "candidates.h"
#include "interrupted_call.h"
#include "loader_locks.h"
#include "remote_memory.h"
#include "moving_call.h"
#include "object.h"
#include "proc_text.h"
#include "remote.h"
#include "restartable.h"
#include "safe_point.h"
#include "thread_block.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A thread that is where it cannot be used, and runs, is given so long to come out of it. */
enum { WAY_OUT_NS = 20000000, PAUSE_NS = 1000000, LONG_PAUSE_NS = 20000000 };

enum { IMAGE_BYTES = 1024 };

/* Addresses of functions of libc in the process. */
struct addresses {
	uint64_t dlopen, dlerror;
	struct remote_locals locals;
	struct thread_block block;
	struct loader_locks locks;
	char image[IMAGE_BYTES]; /* auxv, which is another one after an exec */
};

#define HELD "another thread was in the dynamic linker, or in what that had called"

static bool fail(struct injection *injection, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool fail(struct injection *injection, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(injection->failure, sizeof injection->failure, format, arguments);
	va_end(arguments);
	return false;
}

static bool prepare(struct injection *injection, struct remote *remote, struct addresses *at)
{
	struct object libc;

	memset(at->image, 0, sizeof at->image);
	proc_text_read(injection->process, "auxv", at->image, sizeof at->image);
	if (!object_find(injection->process, "libc.so.6", "", &libc))
		return fail(injection, "has no libc.so.6 of glibc in it");
	if (libc.is_deleted)
		return fail(injection,
			    "uses a libc that is no longer on the disk (an update?): restart it");
	at->dlopen = object_symbol(injection->process, &libc, "dlopen");
	at->dlerror = object_symbol(injection->process, &libc, "dlerror");
	at->locals.errno_location = object_symbol(injection->process, &libc, "__errno_location");
	uint64_t of_errno = object_value(injection->process, &libc, "errno");
	uint64_t of_message = object_value(injection->process, &libc, "__libc_dlerror_result");
	if (of_errno && of_message)
		at->locals.message_offset = (int64_t)(of_message - of_errno);
	loader_locks_prepare(&at->locks, injection->process, &libc);
	thread_block_prepare(&at->block, injection->process, &libc);
	if (!at->dlopen || !at->dlerror || !at->locals.errno_location)
		return fail(injection, "has a glibc older than 2.34");
	int error = remote_prepare(remote, injection->process, &libc);
	if (error)
		return fail(injection, "cannot be read: %s", strerror(-error));
	return true;
}

/* dlopen failed. Taking its message leaves none to the program; the second call frees it. */
static void take_dlerror(struct injection *injection, struct remote *remote,
			 const struct addresses *at)
{
	uint64_t address = 0, unused;
	char text[300] = "";

	if (remote_call(remote, "dlerror", at->dlerror, 0, 0, &address) == 0 && address) {
		for (size_t i = 0; i + 1 < sizeof text; i++)
			if (memory_read(injection->process, address + i, text + i, 1) < 0 ||
			    !text[i])
				break;
		remote_call(remote, "dlerror", at->dlerror, 0, 0, &unused);
	}
	fail(injection, "cannot load the library: %s", text);
}

static int load(struct injection *injection, struct remote *remote, const struct addresses *at)
{
	uint64_t path, handle = 0;
	int error = remote_put(remote, injection->library, strlen(injection->library) + 1, &path);

	remote->help = loader_locks_untangle;
	remote->help_context = &at->locks;
	if (!error)
		error = remote_call(remote, "dlopen", at->dlopen, path, RTLD_NOW | RTLD_LOCAL,
				    &handle);
	remote->help = NULL;
	if (error || handle)
		return error;
	take_dlerror(injection, remote, at);
	return -ENOEXEC;
}

static int call_library(struct injection *injection, struct remote *remote,
			const struct addresses *at)
{
	struct object library;
	uint64_t argument = 0, answer = 0;
	bool is_there = object_find(injection->process, "libptrace", ".so", &library);
	int error = is_there || !injection->library ? 0 : load(injection, remote, at);

	if (error)
		return error;
	if (!is_there && !object_find(injection->process, "libptrace", ".so", &library))
		return fail(injection, "has no libptrace.so in it"), -ENOEXEC;
	uint64_t function = object_symbol(injection->process, &library, injection->function);
	if (!function)
		return fail(injection, "has a %s in it that has no %s", library.path,
			    injection->function),
		       -ENOEXEC;
	if (injection->argument)
		error = remote_put(remote, injection->argument, injection->argument_size,
				   &argument);
	if (!error)
		error = remote_call(remote, injection->function, function, argument, 0, &answer);
	injection->answer = (int)(int32_t)answer;
	return error;
}

static void say_error(struct injection *injection, const struct remote *remote, int error)
{
	if (error == -ESRCH)
		fail(injection, "has ended meanwhile, or executed another program");
	else if (error == -EFAULT && remote->crash)
		fail(injection, "let %s end with %s; it goes on where it was", remote->what,
		     strsignal(remote->crash));
	else if (error != -ENOEXEC)
		fail(injection, "cannot be made to call %s: %s", remote->what ?: "mmap",
		     strerror(-error));
}

/* Addresses are those of the program that ran when they were looked for. */
static bool is_same_image(const struct injection *injection, const struct addresses *at)
{
	char image[IMAGE_BYTES] = "";

	proc_text_read(injection->process, "auxv", image, sizeof image);
	return memcmp(image, at->image, sizeof image) == 0;
}

/* An instruction of its own has raised a signal that it has yet to see: it must be open for the
 * library's sake, and would be taken for one that the library has raised. */
static bool is_about_to_handle(pid_t process, pid_t thread)
{
	const uint64_t raised = SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGILL) |
				SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGSYS) | SIGNAL_BIT(SIGTRAP);

	return proc_text_set(process, thread, "SigPnd") &
	       ~proc_text_set(process, thread, "SigBlk") & raised;
}

enum attempt { ATTEMPT_DONE, ATTEMPT_FAILED, ATTEMPT_NOT_HERE };

/* A library that crashed, and is survived, leaves no lock behind either. */
static int call_locked(struct injection *injection, struct remote *remote,
		       const struct addresses *at)
{
	int error = call_library(injection, remote, at);
	const char *what = remote->what;
	int end_error = error == -ESRCH ? 0 : loader_locks_give(&at->locks, remote);

	if (error)
		remote->what = what;
	return error ?: end_error;
}

static enum attempt inject(struct injection *injection, struct remote *remote,
			   const struct addresses *at, struct tracee *tracee,
			   const struct registers *registers, const struct interrupted_call *call)
{
	int error = remote_begin(remote, tracee, registers, &at->locals);

	if (!error)
		error = loader_locks_take(&at->locks, remote);
	bool is_busy = error == -EBUSY;
	if (!error)
		error = call_locked(injection, remote, at);
	if (is_busy)
		fail(injection, HELD);
	else if (error)
		say_error(injection, remote, error);
	int end_error = error == -ESRCH ? 0 : remote_end(remote, call);
	if (end_error && (!error || is_busy))
		say_error(injection, remote, end_error);
	if (is_busy && !end_error)
		return ATTEMPT_NOT_HERE;
	return error || end_error ? ATTEMPT_FAILED : ATTEMPT_DONE;
}

/* Where the thread stands; a call that the stop has cut is finished before. False: it is gone. */
static bool read_stopped(struct tracee *tracee, const struct candidate *candidate,
			 struct registers *registers, struct interrupted_call *call)
{
	if (registers_read(tracee->thread, registers) < 0)
		return false;
	interrupted_call_read(call, tracee, candidate, &registers->general);
	int finished = moving_call_finish(tracee, &registers->general, call->first_argument);
	if (finished <= 0)
		return finished == 0;
	if (registers_read(tracee->thread, registers) < 0)
		return false;
	interrupted_call_read(call, tracee, candidate, &registers->general);
	return true;
}

/* Why no call may be put upon the stopped thread; NULL: nothing speaks against it. */
static const char *find_obstacle(const struct injection *injection, const struct addresses *at,
				 const struct tracee *tracee, const registers_general *general,
				 const struct interrupted_call *call)
{
	pid_t thread = tracee->thread;

	if (!thread_block_is_own(&at->block, injection->process, thread, general))
		return "has the thread-local variables of another one, or none of libc's";
	if (loader_locks_are_held(&at->locks, injection->process))
		return "was not asked: " HELD;
	if (is_about_to_handle(injection->process, thread))
		return "was about to handle a signal";
	if (call->waiting && moving_call_is_again(tracee, general, call->first_argument))
		return "was in a call that may hold a part of its data";
	if (call_filter_dispatches(thread))
		return "has its system calls answered by the program (syscall user dispatch, as in "
		       "an emulator)";
	if (!injection->is_forced && call_filter_is_closed(injection->process, thread))
		return call_filter_obstacle;
	return NULL;
}

/* The thread stands. In the call it was seen in, or anywhere if it computes. */
static enum attempt try_stopped(struct injection *injection, struct remote *remote,
				const struct addresses *at, struct tracee *tracee,
				const struct candidate *candidate, struct stack_view *view)
{
	struct registers registers;
	struct interrupted_call call;
	struct safe_point point;

	if (!read_stopped(tracee, candidate, &registers, &call))
		return ATTEMPT_NOT_HERE;
	injection->is_repeated =
		call.is_broken || (call.waiting == candidate->call && candidate->is_timed);
	bool is_safe = safe_point_is(view, tracee->thread, call.waiting != NULL, &point);
	if (!is_safe)
		fail(injection, "thread %ld was %s", (long)tracee->thread, point.reason);
	if (!is_safe && !call.waiting && point.way_out) {
		bool is_out = tracee_run_to(tracee, point.way_out, WAY_OUT_NS);
		if (!read_stopped(tracee, candidate, &registers, &call))
			return ATTEMPT_NOT_HERE;
		is_safe = is_out && safe_point_is(view, tracee->thread, false, &point);
	}
	const char *obstacle = find_obstacle(injection, at, tracee, &registers.general, &call);
	if (is_safe && obstacle) {
		fail(injection, "thread %ld %s", (long)tracee->thread, obstacle);
		is_safe = false;
	}
	if (is_safe && is_same_image(injection, at)) {
		restartable_abort(injection->process, tracee->thread, &registers.general);
		return inject(injection, remote, at, tracee, &registers, &call);
	}
	interrupted_call_leave(&call, tracee);
	if (is_safe)
		say_error(injection, remote, -ESRCH);
	return is_safe ? ATTEMPT_FAILED : ATTEMPT_NOT_HERE;
}

static enum attempt try_thread(struct injection *injection, struct remote *remote,
			       const struct addresses *at, const struct candidate *candidate,
			       struct stack_view *view)
{
	struct tracee tracee;

	/* one that waits is not disturbed in vain */
	if (candidate->call && loader_locks_are_held(&at->locks, injection->process)) {
		fail(injection, HELD);
		return ATTEMPT_NOT_HERE;
	}
	int error = tracee_stop(&tracee, injection->process, candidate->thread);

	if (error == -EPERM || error == -EACCES || error == -ETIMEDOUT) {
		fail(injection,
		     error == -ETIMEDOUT ? "does not let thread %ld be stopped"
					 : "may not be traced (thread %ld)",
		     (long)candidate->thread);
		return ATTEMPT_FAILED;
	}
	if (error)
		return ATTEMPT_NOT_HERE;
	injection->attempts++;
	injection->thread = candidate->thread;
	enum attempt attempt = try_stopped(injection, remote, at, &tracee, candidate, view);
	injection->stood_ns = tracee_let_go(&tracee);
	return attempt;
}

/* Once through all threads, the best first. */
static enum attempt try_all(struct injection *injection, struct remote *remote,
			    const struct addresses *at)
{
	struct candidates candidates = {.count = 0};
	struct stack_view *view = stack_view_open(injection->process);
	enum attempt attempt = ATTEMPT_NOT_HERE;

	if (view)
		candidates_find(&candidates, injection->process, injection->is_forced);
	else if (proc_text_has_memory(injection->process))
		fail(injection, "has call stacks that cannot be read");
	else {
		fail(injection, "has ended, or is about to end");
		attempt = ATTEMPT_FAILED;
	}
	if (candidates.left_out[0])
		fail(injection, "%s", candidates.left_out);
	for (int i = 0; i < candidates.count && attempt == ATTEMPT_NOT_HERE; i++)
		attempt = try_thread(injection, remote, at, &candidates.list[i], view);
	stack_view_close(view);
	return attempt;
}

bool injection_run(struct injection *injection)
{
	struct remote remote;
	struct addresses at = {0};
	uint64_t until = tracee_now() + injection->wait_ns;
	enum attempt attempt;

	/* one that has just begun has not loaded libc yet; of one that ends, anything may be
	 * missing */
	while (!prepare(injection, &remote, &at)) {
		if (!proc_text_has_memory(injection->process))
			return fail(injection, "has ended, or is about to end");
		if (tracee_now() >= until)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
	}
	fail(injection, "has no thread that could be stopped");
	/* the longer nothing is found, the less it is disturbed */
	for (long pause_ns = PAUSE_NS;
	     (attempt = try_all(injection, &remote, &at)) == ATTEMPT_NOT_HERE &&
	     tracee_now() < until;
	     pause_ns = pause_ns < LONG_PAUSE_NS ? pause_ns + PAUSE_NS / 4 : pause_ns)
		nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
	if (attempt == ATTEMPT_NOT_HERE) {
		char last[sizeof injection->failure];

		snprintf(last, sizeof last, "%s", injection->failure);
		fail(injection,
		     "was at no place where a library can be loaded, at %u stops in %.3g s (the last "
		     "time %.250s): try again, with a longer --wait, or start it under ptrace-run",
		     injection->attempts, (double)injection->wait_ns / 1e9, last);
	}
	return attempt == ATTEMPT_DONE;
}
