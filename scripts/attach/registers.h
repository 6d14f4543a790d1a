/* SPDX-License-Identifier: MIT */
/* The registers of a thread that ptrace(2) has stopped, and how a call of a function or of the
 * system is put into them. One file per architecture, arch/ARCH/registers.c.
 *
 * Context: ptrace-attach, the thread is in a ptrace stop. Functions return 0 or a negative errno.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

typedef struct user_regs_struct registers_general;

enum { REGISTERS_VECTOR_MAX = 32 << 10 }; /* AMX: 11 KiB; SVE of 2048 bits: 9 KiB */

/* Everything that a function may change. */
struct registers {
	registers_general general;
	int vector_set; /* of ELF notes */
	size_t vector_bytes;
	_Alignas(64) unsigned char vector[REGISTERS_VECTOR_MAX];
};

/* Instructions that are looked for in the text of libc, which is executable anyway. */
struct instruction {
	unsigned char bytes[4];
	size_t size;
	size_t step;       /* instructions begin at multiples of it */
	uint64_t pc_after; /* how far behind its begin the thread is when it has stopped there */
};
extern const struct instruction registers_system_call, registers_trap;

int registers_read(pid_t thread, struct registers *registers);
int registers_write(pid_t thread, const struct registers *registers);

/* Of the general ones alone. */
int registers_read_general(pid_t thread, registers_general *general);
/* Also says that the thread is in no system call which the kernel should restart. */
int registers_write_call(pid_t thread, const registers_general *general);

uint64_t registers_pc(const registers_general *general);
uint64_t registers_result(const registers_general *general);
/* Arguments are in the order of the calling convention; the function returns to `back`. */
void registers_set_function(registers_general *general, uint64_t function,
			    const uint64_t arguments[3], uint64_t stack_end, uint64_t back);
void registers_set_system_call(registers_general *general, uint64_t instruction, long number,
			       const uint64_t arguments[6]);
void registers_set_result(registers_general *general, uint64_t result);

/* Of the call that has ended or was stopped. first_argument: NULL if it is not known from before.
 * False: then it is needed. */
bool registers_arguments(const registers_general *general, const uint64_t *first_argument,
			 uint64_t arguments[6]);

void registers_set_pc(registers_general *general, uint64_t pc);

/* Where libc finds what belongs to the thread: the block begins there, or ends there. */
uint64_t registers_thread_pointer(pid_t thread, const registers_general *general);
extern const bool registers_block_is_before;

/* The thread stops before the instruction at that address, by a register of the processor for it;
 * 0: it does not any more. -ENOSYS: not here. */
int registers_stop_at(pid_t thread, uint64_t address);

/* The system call in which the thread was stopped; -1: in none. */
long registers_call_number(pid_t thread, const registers_general *general);
/* The registers before the begin of the call that has ended. first_argument: NULL if it is not
 * known from before. False: then it is needed. */
bool registers_call_again(registers_general *general, long number, const uint64_t *first_argument);
/* The registers before the begin of the call that the kernel would go on with by itself. False: it
 * would go on with none. has_rest: a call with a time-out, which goes on with what is left of it.
 */
bool registers_restart(pid_t thread, registers_general *general, bool has_rest);
/* The call that the stop has ended with EINTR goes on when the thread does, unless a handler runs
 * first. is_pending: one will, where the kernel cannot be told to decide. */
void registers_go_on(pid_t thread, registers_general *general, long number,
		     const uint64_t *first_argument, bool is_pending);
