/* SPDX-License-Identifier: MIT */
/* AArch64: registers as DWARF numbers them, where a signal's context keeps them, and glibc's symbol
 * versions. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum {
	ARCH_REGISTERS = 33, /* x0 to x30, sp, and the pc in a column that we add */
	ARCH_FP = 29,
	ARCH_SP = 31,
	ARCH_RETURN = 30,
	ARCH_PC = 32,
	ARCH_RETURN_SAVED = 0, /* a leaf function keeps it in x30 */
};

/* The first version of libc's symbols here, which most calls still have. */
#define ARCH_OLDEST_VERSION       "GLIBC_2.17"
#define ARCH_COND_VERSION         ARCH_OLDEST_VERSION
#define ARCH_SPAWN_VERSION        ARCH_OLDEST_VERSION
#define ARCH_AFFINITY_VERSION     ARCH_OLDEST_VERSION
#define ARCH_OLD_AFFINITY_VERSION ARCH_OLDEST_VERSION
#define ARCH_OLD_EXIT_VERSION     ARCH_OLDEST_VERSION
#define ARCH_HAS_OLD_CALLS        0

/* What the kernel has in the vDSO; the second would be named so, no kernel has it yet. */
#define ARCH_VDSO_CLOCK     "__kernel_clock_gettime"
#define ARCH_VDSO_PROCESSOR "__kernel_getcpu"

/* The largest page that a kernel may be built for. */
enum { ARCH_PAGE_MOST = 65536 };

static inline void arch_registers_of(const ucontext_t *context, uint64_t registers[ARCH_REGISTERS])
{
	for (int i = 0; i < 31; i++)
		registers[i] = context->uc_mcontext.regs[i];
	registers[ARCH_SP] = context->uc_mcontext.sp;
	registers[ARCH_PC] = context->uc_mcontext.pc;
}

static inline uint64_t arch_ip_of(const ucontext_t *context)
{
	return context->uc_mcontext.pc;
}

static inline uint64_t arch_sp_of(const ucontext_t *context)
{
	return context->uc_mcontext.sp;
}

/* How the kernel calls a handler: the frame, at the stack pointer, is a siginfo_t and the context;
 * behind them lies a record that links to the interrupted frame, and x29 points to it. The handler
 * returns to `mov x8, #139; svc #0` (rt_sigreturn), in the vDSO, which has no unwind information
 * for it. */
enum { ARCH_SIGNAL_CONTEXT = 128, ARCH_SIGNAL_FRAME_MOST = 1 << 16 };

static inline bool arch_is_signal_return(const uint32_t code[2])
{
	return code[0] == 0xd2801168 && code[1] == 0xd4000001;
}

/* The signal whose handler is about to begin, judged by what the kernel leaves in registers; 0:
 * none is. */
static inline int arch_signal_of(const ucontext_t *context)
{
	uint64_t number = context->uc_mcontext.regs[0];
	uint64_t frame_bytes = context->uc_mcontext.regs[ARCH_FP] - context->uc_mcontext.sp;

	if (frame_bytes < ARCH_SIGNAL_CONTEXT + sizeof *context ||
	    frame_bytes > ARCH_SIGNAL_FRAME_MOST)
		return 0;
	return number > 0 && number <= 64 ? (int)number : 0;
}

/* At the first instruction of that handler: what it has interrupted; NULL if the program called
 * it. */
static inline const ucontext_t *arch_interrupted(const ucontext_t *context)
{
	const uint32_t *back = (const uint32_t *)context->uc_mcontext.regs[ARCH_RETURN];

	return arch_is_signal_return(back)
		       ? (const ucontext_t *)(context->uc_mcontext.sp + ARCH_SIGNAL_CONTEXT)
		       : NULL;
}

enum { ARCH_SYSTEM_CALL_BYTES = 4 };

/* `svc #0` */
static inline bool arch_is_system_call(uint64_t pc)
{
	return *(const uint32_t *)pc == 0xd4000001;
}

static inline bool arch_is_behind_call(const ucontext_t *context)
{
	return arch_is_system_call(context->uc_mcontext.pc - ARCH_SYSTEM_CALL_BYTES);
}

/* If the thread is before a system call, its number: as it is when the kernel has interrupted the
 * call and will make it again. */
static inline long arch_call_number(const ucontext_t *context)
{
	return (long)context->uc_mcontext.regs[8];
}

static inline bool arch_is_before_call(const ucontext_t *context)
{
	return arch_is_system_call(context->uc_mcontext.pc);
}

/* The call before which it is ends with EINTR instead. */
static inline void arch_end_call(ucontext_t *context)
{
	context->uc_mcontext.regs[0] = (uint64_t)-EINTR;
	context->uc_mcontext.pc += ARCH_SYSTEM_CALL_BYTES;
}

/* Accesses that are not aligned cannot be forbidden by a program. */
static inline void arch_allow_unaligned(void)
{
}

/* Return addresses are in a register here; a call that a signal handler injects is not
 * recognized. */
enum { ARCH_HAS_MADE_UP_CALLS = 0, ARCH_CALL_MOST = 4 };

static inline bool arch_is_beginning(uint64_t pc)
{
	(void)pc;
	return false;
}

static inline bool arch_may_end_call(const uint8_t *end)
{
	(void)end;
	return true;
}

/* A system call that has just ended: its result is where its first argument was, so that none can
 * be made again. */
struct arch_call {
	long number;
	uint64_t argument[6];
};

enum { ARCH_CALL_CODE = 4 };

static inline bool arch_may_have_failed(const ucontext_t *context, int error)
{
	return context->uc_mcontext.regs[0] == (uint64_t)-error;
}

static inline bool arch_call_before(const ucontext_t *context, struct arch_call *call)
{
	(void)context;
	(void)call;
	return false;
}

static inline void arch_repeat_call(ucontext_t *context, long number)
{
	(void)context;
	(void)number;
}

/* A counter that is quick to read. It runs at 24 MHz or more, and at 1 GHz since ARMv8.6. Its ticks
 * in about a microsecond at most; and for how many the rate that was measured in 2 ms is good
 * enough: 2.6 ms at 24 MHz. */
enum { ARCH_TICKS_SHORT = 24, ARCH_TICKS_STEADY = 1 << 16 };

static inline uint64_t arch_ticks(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

/* A counter of the processor's, as perf_event numbers it from 0: the event counters, and at 31 the
 * counter of cycles. It is selected by writing its number, which is not allowed here, so each has
 * an instruction of its own. */
#define ARCH_COUNTER(n)                                                                            \
	case n:                                                                                    \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));                      \
		break;

static inline uint64_t arch_counter(uint32_t index)
{
	uint64_t value = 0;

	switch (index) {
		ARCH_COUNTER(0)
		ARCH_COUNTER(1)
		ARCH_COUNTER(2)
		ARCH_COUNTER(3)
		ARCH_COUNTER(4)
		ARCH_COUNTER(5)
		ARCH_COUNTER(6)
		ARCH_COUNTER(7)
		ARCH_COUNTER(8)
		ARCH_COUNTER(9)
		ARCH_COUNTER(10)
		ARCH_COUNTER(11)
		ARCH_COUNTER(12)
		ARCH_COUNTER(13)
		ARCH_COUNTER(14)
		ARCH_COUNTER(15)
		ARCH_COUNTER(16)
		ARCH_COUNTER(17)
		ARCH_COUNTER(18)
		ARCH_COUNTER(19)
		ARCH_COUNTER(20)
		ARCH_COUNTER(21)
		ARCH_COUNTER(22)
		ARCH_COUNTER(23)
		ARCH_COUNTER(24)
		ARCH_COUNTER(25)
		ARCH_COUNTER(26)
		ARCH_COUNTER(27)
		ARCH_COUNTER(28)
		ARCH_COUNTER(29)
		ARCH_COUNTER(30)
	case 31:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	}
	return value;
}
#undef ARCH_COUNTER

/* What config1 of struct perf_event_attr has to say so that a thread may read the counter. (Not
 * that it has 64 bits: two counters make one of those on older processors, which cannot be read.)
 */
#define ARCH_READABLE_COUNTER 2u

/* The word that a routine takes as a lock, or releases. Not looked for here. */
enum { ARCH_LOCK_CODE = 32 };

static inline uint64_t arch_lock_taken(const uint8_t code[ARCH_LOCK_CODE])
{
	(void)code;
	return 0;
}

static inline uint64_t arch_lock_released(const uint8_t code[ARCH_LOCK_CODE])
{
	(void)code;
	return 0;
}

static inline bool arch_may_fetch_to_write(void)
{
	return true;
}

/* Asks for the cache line that is written to soon; no address faults. */
static inline void arch_fetch_to_write(const void *address)
{
	__builtin_prefetch(address, 1);
}

/* Ticks in about a quarter of a microsecond, and the two by which a coarse counter may be wrong. */
static inline uint64_t arch_ticks_close(void)
{
	uint64_t frequency;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	return (frequency >> 22) + 2;
}

/* Removes the signature that pointer authentication puts into the upper bits: user addresses have
 * 48 bits here. */
static inline uint64_t arch_strip(uint64_t address)
{
	return address & 0x0000ffffffffffffu;
}

/* The stack pointer that longjmp will set; 0: not known. glibc disguises it by a word of its own.
 */
static inline uint64_t arch_jump_sp(const void *buffer)
{
	(void)buffer;
	return 0;
}

/* An address not below the lowest one of a thread's stack, which glibc made of so many bytes.
 * Thread-local memory lies between the thread pointer and the stack's end, and is part of those
 * bytes: its size is not known, so half of the stack is left out. */
static inline uint64_t arch_stack_low(uint64_t thread_pointer, uint64_t bytes)
{
	return thread_pointer - bytes / 2;
}

/* One system call with its six words; a negative errno if it fails. */
static inline long arch_kernel_call(long number, const long words[6])
{
	register long call __asm__("x8") = number;
	register long first __asm__("x0") = words[0];
	register long second __asm__("x1") = words[1];
	register long third __asm__("x2") = words[2];
	register long fourth __asm__("x3") = words[3];
	register long fifth __asm__("x4") = words[4];
	register long sixth __asm__("x5") = words[5];

	__asm__ volatile("svc 0"
			 : "+r"(first)
			 : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "memory");
	return first;
}
