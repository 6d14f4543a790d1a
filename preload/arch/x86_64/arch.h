/* SPDX-License-Identifier: MIT */
/* x86-64: registers as DWARF numbers them, where a signal's context keeps them, and glibc's symbol
 * versions. */
#pragma once

#include <cpuid.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum {
	ARCH_REGISTERS = 17,
	ARCH_FP = 6,      /* rbp */
	ARCH_SP = 7,      /* rsp */
	ARCH_RETURN = 16, /* the return address's column */
	ARCH_PC = 16,
	ARCH_RETURN_SAVED = 1, /* a call pushes it; no rule in CFI: outermost frame */
};

/* The first version of libc's symbols here; since which version calls are as today that were others
 * before; and versions of those others. */
#define ARCH_OLDEST_VERSION       "GLIBC_2.2.5"
#define ARCH_COND_VERSION         "GLIBC_2.3.2"
#define ARCH_SPAWN_VERSION        "GLIBC_2.15"
#define ARCH_AFFINITY_VERSION     "GLIBC_2.3.4"
#define ARCH_OLD_AFFINITY_VERSION "GLIBC_2.3.3"
#define ARCH_OLD_EXIT_VERSION     "GLIBC_2.10"
/* Of conditions, spawn and affinity there are others. */
#define ARCH_HAS_OLD_CALLS 1

/* What the kernel has in the vDSO. */
#define ARCH_VDSO_CLOCK     "__vdso_clock_gettime"
#define ARCH_VDSO_PROCESSOR "__vdso_getcpu"

/* The largest page that a kernel may be built for. */
enum { ARCH_PAGE_MOST = 4096 };

static inline void arch_registers_of(const ucontext_t *context, uint64_t registers[ARCH_REGISTERS])
{
	static const uint8_t place[ARCH_REGISTERS] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
		REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
	};

	for (int i = 0; i < ARCH_REGISTERS; i++)
		registers[i] = (uint64_t)context->uc_mcontext.gregs[place[i]];
}

static inline uint64_t arch_ip_of(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

static inline uint64_t arch_sp_of(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
}

/* A signal's handler returns to code of libc, which has unwind information, with the stack pointer
 * at the context. */
enum { ARCH_SIGNAL_CONTEXT = 0 };

static inline bool arch_is_signal_return(const uint32_t code[2])
{
	(void)code;
	return false;
}

/* The signal whose handler is about to begin, judged by what the kernel leaves in registers; 0:
 * none is. */
static inline int arch_signal_of(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	greg_t frame = registers[REG_RSP], number = registers[REG_RDI];

	/* the frame: return address, context, siginfo_t */
	if (registers[REG_RDX] != frame + 8 || registers[REG_RSI] != frame + 312)
		return 0;
	return number > 0 && number <= 64 ? (int)number : 0;
}

/* At the first instruction of that handler: what it has interrupted. */
static inline const ucontext_t *arch_interrupted(const ucontext_t *context)
{
	return (const ucontext_t *)context->uc_mcontext.gregs[REG_RDX];
}

enum { ARCH_SYSTEM_CALL_BYTES = 2 };

/* `syscall` */
static inline bool arch_is_system_call(const uint8_t *code)
{
	return code[0] == 0x0f && code[1] == 0x05;
}

static inline bool arch_is_behind_call(const ucontext_t *context)
{
	return arch_is_system_call((const uint8_t *)arch_ip_of(context) - ARCH_SYSTEM_CALL_BYTES);
}

/* If the thread is before a system call, its number: as it is when the kernel has interrupted the
 * call and will make it again. */
static inline long arch_call_number(const ucontext_t *context)
{
	return (long)context->uc_mcontext.gregs[REG_RAX];
}

static inline bool arch_is_before_call(const ucontext_t *context)
{
	return arch_is_system_call((const uint8_t *)arch_ip_of(context));
}

/* The call before which it is ends with EINTR instead. */
static inline void arch_end_call(ucontext_t *context)
{
	context->uc_mcontext.gregs[REG_RAX] = -EINTR;
	context->uc_mcontext.gregs[REG_RIP] += ARCH_SYSTEM_CALL_BYTES;
}

/* A routine begins at pc, the instruction to be executed next, with `push %rbp; mov %rsp,%rbp`: its
 * return address is on top of the stack. */
static inline bool arch_is_beginning(uint64_t pc)
{
	const uint8_t *code = (const uint8_t *)pc;

	return code[0] == 0x55 && (pc & 4095) <= 4092 && code[1] == 0x48 && code[2] == 0x89 &&
	       code[3] == 0xe5;
}

/* In a signal handler: the program may have forbidden itself accesses that are not aligned, and the
 * kernel does not allow them again for handlers. The return from the handler puts the flag back. */
static inline void arch_allow_unaligned(void)
{
	const unsigned long long alignment_check = 1 << 18;
	unsigned long long flags = __builtin_ia32_readeflags_u64();

	if (flags & alignment_check)
		__builtin_ia32_writeeflags_u64(flags & ~alignment_check);
}

/* The instruction that ends here may be a call; the longest has 7 bytes. */
enum { ARCH_HAS_MADE_UP_CALLS = 1, ARCH_CALL_MOST = 7 };

static inline bool arch_may_end_call(const uint8_t *end)
{
	for (int i = 2; i <= ARCH_CALL_MOST; i++)
		if (end[-i] == 0xff && (end[1 - i] & 0x38) == 0x10)
			return true;
	return end[-5] == 0xe8;
}

/* A system call that has just ended, as registers and code still tell; number: -1: they do not. */
struct arch_call {
	long number;
	uint64_t argument[6];
};

/* The thread is where a system call with this error returns to, or by chance the register is so. */
static inline bool arch_may_have_failed(const ucontext_t *context, int error)
{
	return context->uc_mcontext.gregs[REG_RAX] == -error;
}

/* Bytes before pc that arch_call_before reads. */
enum { ARCH_CALL_CODE = 8 };

/* The call's number was where its result is now. Compilers put it there right before the call, from
 * a constant (mov $N,%eax) or from a register, which still has it. */
static inline long arch_number_before(const ucontext_t *context, const uint8_t *end)
{
	static const uint8_t place[16] = {
		REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
		REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};
	uint8_t prefix = (end[-3] & 0xf0) == 0x40 ? end[-3] : 0;
	unsigned from = (end[-1] >> 3 & 7u) + (prefix & 4 ? 8 : 0);

	if (end[-5] == 0xb8 && end[-6] != 0x41)
		return end[-4] | end[-3] << 8 | end[-2] << 16 | (long)end[-1] << 24;
	if (end[-2] != 0x89 || (end[-1] & 0xc7) != 0xc0 || prefix & 1)
		return -1;
	/* of these two the kernel makes something else */
	return place[from] == REG_RCX || place[from] == REG_R11
		       ? -1
		       : (long)context->uc_mcontext.gregs[place[from]];
}

static inline bool arch_call_before(const ucontext_t *context, struct arch_call *call)
{
	static const uint8_t place[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
	const uint8_t *code = (const uint8_t *)arch_ip_of(context) - ARCH_SYSTEM_CALL_BYTES;

	if (!arch_is_system_call(code))
		return false;
	call->number = arch_number_before(context, code);
	for (int i = 0; i < 6; i++)
		call->argument[i] = (uint64_t)context->uc_mcontext.gregs[place[i]];
	return true;
}

/* Makes the call again when the handler returns: what the kernel itself does after SA_RESTART. */
static inline void arch_repeat_call(ucontext_t *context, long number)
{
	context->uc_mcontext.gregs[REG_RAX] = number;
	context->uc_mcontext.gregs[REG_RIP] -= 2;
}

/* A counter that is quick to read (10 ns): its ticks in about a microsecond at most; and for how
 * many the rate that was measured in 2 ms is good enough: 0.5 to 1 ms at 2 to 4 GHz. */
enum { ARCH_TICKS_SHORT = 2000, ARCH_TICKS_STEADY = 1 << 21 };

static inline uint64_t arch_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/* A counter of the processor's, as perf_event numbers it from 0, in the low bits. */
static inline uint64_t arch_counter(uint32_t index)
{
	return __builtin_ia32_rdpmc((int)index);
}

/* What config1 of struct perf_event_attr has to say so that a thread may read the counter: nothing
 * here. */
#define ARCH_READABLE_COUNTER 0u

/* Ticks in about a quarter of a microsecond, at most. */
static inline uint64_t arch_ticks_close(void)
{
	return 500;
}

/* Whether the processor has the instruction below: nearly all of 64 bits do. */
static inline bool arch_may_fetch_to_write(void)
{
	unsigned eax, ebx, ecx, edx;

	__cpuid(0x80000001, eax, ebx, ecx, edx);
	return (ecx & bit_PRFCHW) != 0;
}

/* Asks for the cache line that is written to soon; no address faults. */
static inline void arch_fetch_to_write(const void *address)
{
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
}

/* Where a known instruction ends; NULL: it is another one. */
static inline const uint8_t *arch_behind(const uint8_t *code, const char *known, size_t length)
{
	return memcmp(code, known, length) == 0 ? code + length : NULL;
}

/* endbr64 */
static inline const uint8_t *arch_behind_landing(const uint8_t *code)
{
	const uint8_t *behind = arch_behind(code, "\xf3\x0f\x1e\xfa", 4);

	return behind ? behind : code;
}

/* The word that an operand behind `code` names by its distance. */
static inline uint64_t arch_near_word(const uint8_t *operand)
{
	int32_t distance;

	memcpy(&distance, operand, sizeof distance);
	return (uint64_t)(operand + sizeof distance) + (uint64_t)(int64_t)distance;
}

/* The word that a routine takes as a lock if it is 0, or releases, and that is all it does then; 0:
 * it is another routine. */
enum { ARCH_LOCK_CODE = 32 };

static inline uint64_t arch_lock_taken(const uint8_t code[ARCH_LOCK_CODE])
{
	const uint8_t *at = arch_behind_landing(code);
	const uint8_t *zero = arch_behind(at, "\x31\xc0\xba\x01\0\0\0", 7); /* 0 and 1 */

	zero = zero ? zero : arch_behind(at, "\xba\x01\0\0\0\x31\xc0", 7);
	at = zero ? arch_behind(zero, "\xf0\x0f\xb1\x15", 4) : NULL; /* lock cmpxchg %edx,WORD */
	bool returns = at && at[4] == 0x75 && at[6] == 0xc3;         /* jne; ret */
	return returns ? arch_near_word(at) : 0;
}

static inline uint64_t arch_lock_released(const uint8_t code[ARCH_LOCK_CODE])
{
	const uint8_t *at = arch_behind(arch_behind_landing(code), "\x31\xc0\x87\x05", 4);
	/* test %eax,%eax; js; ret */
	bool returns = at && arch_behind(at + 4, "\x85\xc0\x78", 3) && at[8] == 0xc3;

	return returns ? arch_near_word(at) : 0;
}

/* Return addresses are plain here (AArch64 may sign them). */
static inline uint64_t arch_strip(uint64_t address)
{
	return address;
}

/* The stack pointer that longjmp will set: glibc keeps it behind rbx, rbp and r12 to r15, rotated
 * and disguised by a word at the thread pointer (PTR_MANGLE). Nonsense where libc has another form.
 */
static inline uint64_t arch_jump_sp(const void *buffer)
{
	uint64_t sp = ((const uint64_t *)buffer)[6];

	__asm__("ror $17, %0\n\txor %%fs:48, %0" : "+r"(sp));
	return sp;
}

/* An address not below the lowest one of a thread's stack, which glibc made of so many bytes. The
 * thread pointer points to the thread's descriptor at the stack's end; descriptor and alignment
 * take less than this. Thread-local memory lies below, and is part of those bytes. */
enum { ARCH_DESCRIPTOR_MOST = 16384 };

static inline uint64_t arch_stack_low(uint64_t thread_pointer, uint64_t bytes)
{
	return thread_pointer - bytes + ARCH_DESCRIPTOR_MOST;
}

/* One system call with its six words; a negative errno if it fails. */
static inline long arch_kernel_call(long number, const long words[6])
{
	register long fourth __asm__("r10") = words[3];
	register long fifth __asm__("r8") = words[4];
	register long sixth __asm__("r9") = words[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(fourth),
			   "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}
