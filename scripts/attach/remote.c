/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "remote.h"

#include "common/message.h"
#include "remote_memory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#define LOOK_NS UINT64_C(20000000)

enum {
	STACK_BYTES = 256 << 10, /* that of the thread may be as small as PTHREAD_STACK_MIN */
	TEXT_BYTES = 32 << 10,   /* at its low end */
	INNER_BYTES = 16 << 10,  /* above: for calls that are made while another one waits */
	SAID_AFTER_LOOKS = 150,
	SEARCHED_BYTES = 4 << 20
};

static uint64_t find_instruction(const unsigned char *text, size_t size, uint64_t address,
				 const struct instruction *wanted)
{
	for (size_t i = 0; i + wanted->size <= size; i += wanted->step)
		if (memcmp(text + i, wanted->bytes, wanted->size) == 0)
			return address + i;
	return 0;
}

int remote_prepare(struct remote *remote, pid_t process, const struct object *libc)
{
	size_t size = libc->text_end - libc->text_start;

	*remote = (struct remote){0};
	if (size > SEARCHED_BYTES)
		size = SEARCHED_BYTES;
	unsigned char *text = malloc(size);
	int error = text ? memory_read(process, libc->text_start, text, size) : -ENOMEM;
	if (!error) {
		remote->system_call =
			find_instruction(text, size, libc->text_start, &registers_system_call);
		remote->trap = find_instruction(text, size, libc->text_start, &registers_trap);
	}
	free(text);
	return error || (remote->system_call && remote->trap) ? error : -ENOENT;
}

static int error_of(struct remote *remote, enum stop stop)
{
	remote->crash = remote->tracee->crash;
	return stop == STOP_GONE ? -ESRCH : -EFAULT;
}

static enum stop look(struct remote *remote)
{
	return remote->help ? remote->help(remote, LOOK_NS) : tracee_wait(remote->tracee, LOOK_NS);
}

/* Waits as long as it takes: a call that has begun cannot be taken back. Whoever it waits for runs.
 */
static enum stop finish(struct remote *remote, int request)
{
	enum stop stop = tracee_resume(remote->tracee, request, LOOK_NS);

	for (int looks = 1; stop == STOP_LATE; looks++) {
		if (looks == SAID_AFTER_LOOKS)
			message_say("thread %ld of process %ld has been in %s for 3 s, waiting for "
				    "another thread; it cannot be taken back, so ptrace-attach "
				    "waits for its end",
				    (long)remote->tracee->thread, (long)remote->tracee->process,
				    remote->what);
		stop = look(remote);
	}
	return stop;
}

static int make_system_call(struct remote *remote, long number, const uint64_t arguments[6],
			    uint64_t *result)
{
	pid_t thread = remote->tracee->thread;
	registers_general general = remote->saved.general;
	int error = tracee_set_mask(remote->tracee, ALL_SIGNALS);

	registers_set_system_call(&general, remote->system_call, number, arguments);
	if (!error)
		error = registers_write_call(thread, &general);
	for (int i = 0; i < 2 && !error; i++) { /* its begin, its end */
		enum stop stop = finish(remote, PTRACE_SYSCALL);
		if (stop != STOP_CALL)
			return error_of(remote, stop);
	}
	if (!error)
		error = registers_read_general(thread, &general);
	*result = registers_result(&general);
	bool is_failure = !error && *result > (uint64_t)-4096;
	return is_failure ? (int)*result : error;
}

/* Blocked while a function runs: no handler of the program runs on our stack, and none of a
 * cancellation, which would leave it. What an instruction raises must be open, or the kernel would
 * take the program's handler away; SIGTRAP always, the others where the thread would get them.
 * libc's handler of SIGSETXID may run anywhere: a system call, and words that the other thread
 * waits for. */
static uint64_t calling_mask(const struct remote *remote)
{
	static const int raised[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
	uint64_t open = SIGNAL_BIT(SIGTRAP);

	if (!remote->is_on_signal_stack)
		open |= SIGNAL_BIT(TRACEE_SIGSETXID);
	for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++)
		open |= SIGNAL_BIT(raised[i]) & ~remote->saved_mask;
	return ~open;
}

/* The function returns to the trap. */
static int go_to_trap(struct remote *remote, const registers_general *general)
{
	struct tracee *tracee = remote->tracee;
	int error = registers_write_call(tracee->thread, general);

	if (!error)
		error = tracee_set_mask(tracee, calling_mask(remote));
	if (error)
		return error;
	tracee->trap = remote->trap + registers_trap.pc_after;
	enum stop stop = finish(remote, PTRACE_CONT);
	tracee->trap = 0;
	return stop == STOP_TRAP ? 0 : error_of(remote, stop);
}

/* On a stack that ends there. */
static int call_on(struct remote *remote, uint64_t end, uint64_t function,
		   const uint64_t arguments[3], uint64_t *result)
{
	registers_general general = remote->saved.general;
	int error =
		memory_write(remote->tracee->process, end - 8, &remote->trap, sizeof remote->trap);

	registers_set_function(&general, function, arguments, end, remote->trap);
	if (!error)
		error = go_to_trap(remote, &general);
	if (!error)
		error = registers_read_general(remote->tracee->thread, &general);
	*result = registers_result(&general);
	return error;
}

int remote_call(struct remote *remote, const char *what, uint64_t function, uint64_t first,
		uint64_t second, uint64_t *result)
{
	const uint64_t arguments[3] = {first, second, 0};

	remote->what = what;
	return call_on(remote, remote->stack + remote->stack_size - 64, function, arguments,
		       result);
}

int remote_call_within(struct remote *remote, uint64_t function, uint64_t argument,
		       uint64_t *result)
{
	const uint64_t arguments[3] = {argument, 0, 0};
	remote_help *help = remote->help;
	uint64_t trap = remote->tracee->trap;
	struct registers waiting;
	int error = registers_read(remote->tracee->thread, &waiting);

	if (error)
		return error;
	remote->help = NULL;
	error = call_on(remote, remote->stack + TEXT_BYTES + INNER_BYTES, function, arguments,
			result);
	remote->help = help;
	remote->tracee->trap = trap;
	return error == -ESRCH ? error : registers_write(remote->tracee->thread, &waiting) ?: error;
}

static int map_stack(struct remote *remote)
{
	const uint64_t arguments[6] = {0,
				       STACK_BYTES,
				       PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE,
				       (uint64_t)-1,
				       0};

	remote->what = "mmap";
	int error = make_system_call(remote, SYS_mmap, arguments, &remote->stack);
	if (error)
		remote->stack = 0;
	remote->stack_size = STACK_BYTES;
	remote->texts = remote->stack;
	return error;
}

/* A handler would begin at the top of that stack again, where the program's frames are. */
static int look_at_signal_stack(struct remote *remote)
{
	const uint64_t arguments[6] = {0, remote->stack};
	stack_t stack;
	uint64_t unused;

	remote->what = "sigaltstack";
	int error = make_system_call(remote, SYS_sigaltstack, arguments, &unused);
	if (!error)
		error = memory_read(remote->tracee->process, remote->stack, &stack, sizeof stack);
	remote->is_on_signal_stack = !error && stack.ss_flags & SS_ONSTACK;
	return error;
}

/* dlopen would free a message that the program has yet to ask dlerror for: it sees none. */
static int save_locals(struct remote *remote, const struct remote_locals *locals)
{
	const uint64_t none = 0;
	pid_t process = remote->tracee->process;
	uint64_t address;
	int error = remote_call(remote, "__errno_location", locals->errno_location, 0, 0, &address);

	if (!error)
		error = memory_read(process, address, &remote->saved_errno,
				    sizeof remote->saved_errno);
	if (error)
		return error;
	remote->errno_address = address;
	if (!locals->message_offset)
		return 0;
	address += (uint64_t)locals->message_offset;
	error = memory_read(process, address, &remote->saved_message, sizeof remote->saved_message);
	if (!error)
		error = memory_write(process, address, &none, sizeof none);
	if (!error)
		remote->message_address = address;
	return error;
}

static int restore_locals(struct remote *remote)
{
	pid_t process = remote->tracee->process;
	int error = 0;

	if (remote->message_address)
		error = memory_write(process, remote->message_address, &remote->saved_message,
				     sizeof remote->saved_message);
	if (remote->errno_address)
		error = memory_write(process, remote->errno_address, &remote->saved_errno,
				     sizeof remote->saved_errno)
				?: error;
	return error;
}

int remote_begin(struct remote *remote, struct tracee *tracee, const struct registers *registers,
		 const struct remote_locals *locals)
{
	remote->tracee = tracee;
	remote->saved = *registers;
	int error = tracee_get_mask(tracee, &remote->saved_mask);
	if (!error)
		error = map_stack(remote);
	if (!error)
		error = look_at_signal_stack(remote);
	return error ?: save_locals(remote, locals);
}

int remote_end(struct remote *remote, const struct interrupted_call *call)
{
	const uint64_t arguments[6] = {remote->stack, remote->stack_size};
	struct tracee *tracee = remote->tracee;
	uint64_t unused;
	int error = restore_locals(remote);

	remote->what = "munmap";
	if (remote->stack && !remote->crash)
		error = make_system_call(remote, SYS_munmap, arguments, &unused) ?: error;
	if (call->is_again)
		remote->saved.general = call->again;
	error = registers_write(tracee->thread, &remote->saved) ?: error;
	if (call->is_again)
		return interrupted_call_enter(call, tracee, remote->saved_mask) ?: error;
	return tracee_set_mask(tracee, remote->saved_mask) ?: error;
}

int remote_put(struct remote *remote, const void *bytes, size_t size, uint64_t *address)
{
	size_t room = (size + 15) & ~(size_t)15;

	if (remote->texts + room > remote->stack + TEXT_BYTES)
		return -E2BIG;
	*address = remote->texts;
	remote->texts += room;
	return memory_write(remote->tracee->process, *address, bytes, size);
}
