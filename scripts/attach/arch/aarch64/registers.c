/* SPDX-License-Identifier: MIT */
/* AArch64: AAPCS64, `svc 0`, `brk`. */
#include "scripts/attach/registers.h"

#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

enum { INSTRUCTION_BYTES = 4, FRAME_POINTER = 29, LINK_REGISTER = 30, CALL_NUMBER = 8 };

const struct instruction registers_system_call = {
	{0x01, 0x00, 0x00, 0xd4}, 4, INSTRUCTION_BYTES, INSTRUCTION_BYTES};
/* abort() of glibc ends in `brk 1000` */
const struct instruction registers_trap = {{0x00, 0x7d, 0x20, 0xd4}, 4, INSTRUCTION_BYTES, 0};

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
	int none = -1;
	int error = transfer(PTRACE_SETREGSET, thread, NT_PRSTATUS,
			     &(struct iovec){(void *)general, sizeof *general});

	return transfer(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL,
			&(struct iovec){&none, sizeof none})
		       ?: error;
}

int registers_read(pid_t thread, struct registers *registers)
{
	struct iovec vector = {registers->vector, sizeof registers->vector};
	int error = registers_read_general(thread, &registers->general);

	registers->vector_set = NT_ARM_SVE; /* contains the others */
	if (!error)
		error = transfer(PTRACE_GETREGSET, thread, NT_ARM_SVE, &vector);
	if (error == -EINVAL || error == -EIO || error == -ENODEV) { /* without SVE */
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

	return registers_write_call(thread, &registers->general) ?: error;
}

uint64_t registers_pc(const registers_general *general)
{
	return general->pc;
}

uint64_t registers_result(const registers_general *general)
{
	return general->regs[0];
}

void registers_set_result(registers_general *general, uint64_t result)
{
	general->regs[0] = result;
}

/* The first one lies where the result is. */
bool registers_arguments(const registers_general *general, const uint64_t *first_argument,
			 uint64_t arguments[6])
{
	if (!first_argument)
		return false;
	arguments[0] = *first_argument;
	for (int i = 1; i < 6; i++)
		arguments[i] = general->regs[i];
	return true;
}

void registers_set_pc(registers_general *general, uint64_t pc)
{
	general->pc = pc;
}

const bool registers_block_is_before = true;

uint64_t registers_thread_pointer(pid_t thread, const registers_general *general)
{
	uint64_t pointer = 0;

	(void)general;
	transfer(PTRACE_GETREGSET, thread, NT_ARM_TLS, &(struct iovec){&pointer, sizeof pointer});
	return pointer;
}

void registers_set_function(registers_general *general, uint64_t function,
			    const uint64_t arguments[3], uint64_t stack_end, uint64_t back)
{
	general->pc = function;
	general->sp = stack_end;
	general->regs[FRAME_POINTER] = 0;
	general->regs[LINK_REGISTER] = back;
	for (int i = 0; i < 3; i++)
		general->regs[i] = arguments[i];
	general->pstate &= ~0xc00ULL; /* BTYPE: no indirect branch led here */
}

void registers_set_system_call(registers_general *general, uint64_t instruction, long number,
			       const uint64_t arguments[6])
{
	general->pc = instruction;
	general->regs[CALL_NUMBER] = (unsigned long long)number;
	for (int i = 0; i < 6; i++)
		general->regs[i] = arguments[i];
	general->pstate &= ~0xc00ULL;
}

static bool is_call_at(pid_t thread, uint64_t pc)
{
	errno = 0;
	long pair = ptrace(PTRACE_PEEKTEXT, thread, (void *)(uintptr_t)(pc & ~7ULL), 0);

	return !errno && ((unsigned long)pair >> (pc & 4 ? 32 : 0) & 0xffffffff) == 0xd4000001;
}

/* A call that goes on has its instruction before it already, one that has ended behind it. */
long registers_call_number(pid_t thread, const registers_general *general)
{
	bool is_call = is_call_at(thread, general->pc) ||
		       is_call_at(thread, general->pc - INSTRUCTION_BYTES);

	return is_call ? (long)general->regs[CALL_NUMBER] : -1;
}

bool registers_call_again(registers_general *general, long number, const uint64_t *first_argument)
{
	if (!first_argument)
		return false;
	general->pc -= INSTRUCTION_BYTES;
	general->regs[0] = *first_argument;
	general->regs[CALL_NUMBER] = (unsigned long long)number;
	return true;
}

/* Whoever stops here sees the call before its begin. The kernel itself would go on with that
 * number, with which a call ends when it would have ended. */
bool registers_restart(pid_t thread, registers_general *general, bool has_rest)
{
	if (!is_call_at(thread, general->pc))
		return false;
	if (has_rest)
		general->regs[CALL_NUMBER] = __NR_restart_syscall;
	return true;
}

/* It has decided before it stopped. */
void registers_go_on(pid_t thread, registers_general *general, long number,
		     const uint64_t *first_argument, bool is_pending)
{
	if (!is_pending && registers_call_again(general, number, first_argument))
		registers_write_call(thread, general);
}

/* The kernel has a set of registers for it (NT_ARM_HW_BREAK), which was never tried here. */
int registers_stop_at(pid_t thread, uint64_t address)
{
	(void)thread;
	(void)address;
	return -ENOSYS;
}
