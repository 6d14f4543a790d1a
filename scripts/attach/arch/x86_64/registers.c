/* SPDX-License-Identifier: MIT */
/* x86-64: System V calling convention, `syscall`, `int3`. */
#include "scripts/attach/registers.h"

#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* In rax, negative, where a call was interrupted with which the kernel may go on
 * (include/linux/errno.h of the kernel); a program never sees them. */
enum { RESTART_SYS = 512, RESTART_NO_INTERRUPT, RESTART_NO_HANDLER, RESTART_BLOCK = 516 };

enum { DIRECTION_FLAG = 0x400, SYSTEM_CALL_BYTES = 2 };

const struct instruction registers_system_call = {{0x0f, 0x05}, 2, 1, SYSTEM_CALL_BYTES};
const struct instruction registers_trap = {{0xcc}, 1, 1, 1};

static int transfer(enum __ptrace_request request, pid_t thread, int set, struct iovec *area)
{
	return ptrace(request, thread, (void *)(intptr_t)set, area) < 0 ? -errno : 0;
}

int registers_read_general(pid_t thread, registers_general *general)
{
	return transfer(PTRACE_GETREGSET, thread, NT_PRSTATUS,
			&(struct iovec){general, sizeof *general});
}

int registers_write_call(pid_t thread, const registers_general *general)
{
	registers_general call = *general;

	call.orig_rax = (unsigned long long)-1;
	return transfer(PTRACE_SETREGSET, thread, NT_PRSTATUS, &(struct iovec){&call, sizeof call});
}

int registers_read(pid_t thread, struct registers *registers)
{
	struct iovec vector = {registers->vector, sizeof registers->vector};
	int error = registers_read_general(thread, &registers->general);

	registers->vector_set = NT_X86_XSTATE;
	if (!error)
		error = transfer(PTRACE_GETREGSET, thread, NT_X86_XSTATE, &vector);
	if (error == -ENODEV || error == -EINVAL) { /* a processor without XSAVE */
		vector = (struct iovec){registers->vector, sizeof registers->vector};
		registers->vector_set = NT_PRFPREG;
		error = transfer(PTRACE_GETREGSET, thread, NT_PRFPREG, &vector);
	}
	registers->vector_bytes = vector.iov_len;
	return error;
}

int registers_write(pid_t thread, const struct registers *registers)
{
	struct iovec vector = {(void *)registers->vector, registers->vector_bytes};
	int error = transfer(PTRACE_SETREGSET, thread, registers->vector_set, &vector);

	return transfer(PTRACE_SETREGSET, thread, NT_PRSTATUS,
			&(struct iovec){(void *)&registers->general, sizeof registers->general})
		       ?: error;
}

uint64_t registers_pc(const registers_general *general)
{
	return general->rip;
}

uint64_t registers_result(const registers_general *general)
{
	return general->rax;
}

void registers_set_result(registers_general *general, uint64_t result)
{
	general->rax = result;
}

bool registers_arguments(const registers_general *general, const uint64_t *first_argument,
			 uint64_t arguments[6])
{
	(void)first_argument; /* still in rdi */
	arguments[0] = general->rdi;
	arguments[1] = general->rsi;
	arguments[2] = general->rdx;
	arguments[3] = general->r10;
	arguments[4] = general->r8;
	arguments[5] = general->r9;
	return true;
}

void registers_set_pc(registers_general *general, uint64_t pc)
{
	general->rip = pc;
}

const bool registers_block_is_before = false;

uint64_t registers_thread_pointer(pid_t thread, const registers_general *general)
{
	(void)thread;
	return general->fs_base;
}

/* The return address lies at stack_end - 8: the function begins as behind a call instruction. */
void registers_set_function(registers_general *general, uint64_t function,
			    const uint64_t arguments[3], uint64_t stack_end, uint64_t back)
{
	(void)back; /* in memory: the caller has put it there */
	general->rip = function;
	general->rsp = stack_end - 8;
	general->rbp = 0;
	general->rax = 0;
	general->rdi = arguments[0];
	general->rsi = arguments[1];
	general->rdx = arguments[2];
	general->eflags &= ~(unsigned long long)DIRECTION_FLAG;
}

void registers_set_system_call(registers_general *general, uint64_t instruction, long number,
			       const uint64_t arguments[6])
{
	general->rip = instruction;
	general->rax = (unsigned long long)number;
	general->rdi = arguments[0];
	general->rsi = arguments[1];
	general->rdx = arguments[2];
	general->r10 = arguments[3];
	general->r8 = arguments[4];
	general->r9 = arguments[5];
}

long registers_call_number(pid_t thread, const registers_general *general)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, thread, (void *)(general->rip - SYSTEM_CALL_BYTES), 0);
	bool is_behind_call = !errno && (word & 0xffff) == 0x050f;

	return is_behind_call ? (long)general->orig_rax : -1;
}

bool registers_call_again(registers_general *general, long number, const uint64_t *first_argument)
{
	(void)first_argument; /* still in rdi */
	general->rip -= SYSTEM_CALL_BYTES;
	general->rax = (unsigned long long)number;
	general->orig_rax = (unsigned long long)-1;
	return true;
}

bool registers_restart(pid_t thread, registers_general *general, bool has_rest)
{
	long result = -(long)general->rax, number = (long)general->orig_rax;

	(void)thread;
	(void)has_rest;
	if (number < 0 || (result != RESTART_SYS && result != RESTART_NO_INTERRUPT &&
			   result != RESTART_NO_HANDLER && result != RESTART_BLOCK))
		return false;
	return registers_call_again(general,
				    result == RESTART_BLOCK ? __NR_restart_syscall : number, NULL);
}

void registers_go_on(pid_t thread, registers_general *general, long number,
		     const uint64_t *first_argument, bool is_pending)
{
	(void)first_argument;
	(void)is_pending;
	general->rax = (unsigned long long)-RESTART_NO_HANDLER;
	general->orig_rax = (unsigned long long)number;
	transfer(PTRACE_SETREGSET, thread, NT_PRSTATUS, &(struct iovec){general, sizeof *general});
}

/* Of the debug registers the first has the address; the eighth says that it is of an instruction,
 * and of this thread alone. */
int registers_stop_at(pid_t thread, uint64_t address)
{
	const size_t first = offsetof(struct user, u_debugreg[0]);
	const size_t control = offsetof(struct user, u_debugreg[7]);

	if (ptrace(PTRACE_POKEUSER, thread, (void *)control, (void *)0) < 0 ||
	    ptrace(PTRACE_POKEUSER, thread, (void *)first, (void *)address) < 0)
		return -errno;
	if (address && ptrace(PTRACE_POKEUSER, thread, (void *)control, (void *)1) < 0)
		return -errno;
	return 0;
}
