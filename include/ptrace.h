/* SPDX-License-Identifier: MIT */
/* Named parts of a run: a program tells the profiler what it is about to do.
 *
 *     ptrace_begin("solve");
 *     ...
 *     ptrace_end("solve");
 *
 * Under ptrace-run the report has a row for each name. Without it each call is a test and nothing
 * else: nothing is linked with, and the same program runs everywhere, linked statically or not.
 * What the calls mean in full, in other languages too: docs/sections.md, and ptrace.h(3).
 *
 * Context: any thread, at any time, signal handlers too (what one of them tells in the middle of
 * the profiler is not recorded, and the report has a note). No call changes errno, ends the
 * program, allocates memory or waits for another thread.
 * Names: texts in UTF-8 that end with NUL. Their first 255 bytes are copied, so that the text may
 * go away. Two texts with the same bytes are the same name. 64 names have rows of their own.
 * Errors: none is told to the program. What does not fit (an end without its begin, too many
 * names) is left out, and the report has a note. */
#ifndef LIBPTRACE_PTRACE_H
#define LIBPTRACE_PTRACE_H

#include <stddef.h>
#include <stdint.h>

/* What a thread waits for: places of ptrace_times.wait_ns. A release may add some. */
enum ptrace_wait {
	PTRACE_WAIT_OTHER = 0, /* in no known call: page faults, the loader */
	PTRACE_WAIT_MUTEX = 1,
	PTRACE_WAIT_RWLOCK = 2,
	PTRACE_WAIT_SPINLOCK = 3,
	PTRACE_WAIT_CONDITION = 4,
	PTRACE_WAIT_BARRIER = 5,
	PTRACE_WAIT_SEMAPHORE = 6,
	PTRACE_WAIT_ONCE = 7,
	PTRACE_WAIT_JOIN = 8,
	PTRACE_WAIT_SLEEP = 9,
	PTRACE_WAIT_PROCESS = 10,
	PTRACE_WAIT_SIGNAL = 11,
	PTRACE_WAIT_MPI = 12,
	PTRACE_WAIT_OPENMP = 13,
	PTRACE_WAIT_FUTEX = 14,
	PTRACE_WAIT_READ = 15,
	PTRACE_WAIT_WRITE = 16,
	PTRACE_WAIT_EVENTS = 17,
	PTRACE_WAIT_ACCEPT = 18,
	PTRACE_WAIT_CONNECT = 19,
	PTRACE_WAIT_OPEN = 20,
	PTRACE_WAIT_DISK = 21,
	PTRACE_WAIT_FILE_LOCK = 22,
	PTRACE_WAIT_IPC = 23,
	PTRACE_WAIT_STOPPED = 24
};

#define PTRACE_WAITS  32 /* places of wait_ns: causes, and room for new ones */
#define PTRACE_LEVELS 64 /* places of level_ns */

/* What ptrace_times() tells, all in ns. Differences of two readings are of the time in between. */
struct ptrace_times {
	uint64_t bytes; /* of this structure as the program knows it; set by ptrace_times() */
	/* of the thread that calls, since it began */
	uint64_t elapsed_ns;            /* its life: CPU time + ready + blocked */
	uint64_t user_ns;               /* CPU time in the program's own code */
	uint64_t system_ns;             /* CPU time in the kernel */
	uint64_t ready_ns;              /* it could run, and no processor was free */
	uint64_t blocked_ns;            /* it waited */
	uint64_t wait_ns[PTRACE_WAITS]; /* in waits that have ended, by cause (enum ptrace_wait);
					   spinning and being ready in them is in here, too */
	/* of the process, since it began */
	uint64_t levels;                  /* places of level_ns that are in use */
	uint64_t level_ns[PTRACE_LEVELS]; /* T_i: elapsed time with exactly i threads at once on a
					     processor; the last place also has all above it */
};

/* ---- how a call finds the tool (nothing below is for programs) ----
 *
 * Each call reads the address that the dynamic linker bound the name to, and is done if there is
 * none. Compilers would read it from the code where that is not position-independent, and there
 * the linker has put 0 for a weak name that it did not know: preloading comes too late for it. So
 * the address is read from the global offset table in every model of code, each time anew, as
 * ptrace-attach may fill it in while the program runs. */
/* clang-format off */
#ifdef __cplusplus
# define PTRACE_INLINE_ inline
# if __cplusplus >= 201103L
#  define PTRACE_NOTHROW_ noexcept
# else
#  define PTRACE_NOTHROW_ throw()
# endif
#else
# define PTRACE_INLINE_ static __inline__
# define PTRACE_NOTHROW_
#endif

#ifndef LIBPTRACE_TYPES_ALONE /* defined by the tool, which defines the calls */
#if defined __GNUC__ && defined __ELF__

#ifdef __cplusplus
# define PTRACE_NAME_(symbol) /* C++ has names of its own for functions */
#else
# define PTRACE_NAME_(symbol) __asm__(symbol "_if_there")
#endif
#ifdef __clang__ /* it knows of no function to which an address of the linker's may lead */
# define PTRACE_UNCHECKED_ , __no_sanitize__("cfi-icall")
#else
# define PTRACE_UNCHECKED_
#endif
#define PTRACE_CALL_(result, name, arguments) \
	PTRACE_INLINE_ result name arguments PTRACE_NOTHROW_ PTRACE_NAME_(#name) \
		__attribute__((__always_inline__, __unused__, __no_instrument_function__ PTRACE_UNCHECKED_)); \
	PTRACE_INLINE_ result name arguments PTRACE_NOTHROW_

#if defined __INTEL_COMPILER || defined __NVCOMPILER || defined __PGI || defined __TINYC__
# define PTRACE_PLAINLY_ /* they do not take all of gcc's assembler */
#elif defined __x86_64__ && defined __LP64__ && defined __code_model_large__
# define PTRACE_FIND_(call, symbol) do { \
	void *ptrace_table_; \
	__asm__ __volatile__(".weak\t" #symbol "\n" \
		"1:\t{leaq\t1b(%%rip), %1|lea\t%1, [rip+1b]}\n\t" \
		"{movabsq\t$_GLOBAL_OFFSET_TABLE_-1b, %0|movabs\t%0, OFFSET _GLOBAL_OFFSET_TABLE_-1b}\n\t" \
		"{addq\t%0, %1|add\t%1, %0}\n\t" \
		"{movabsq\t$" #symbol "@GOT, %0|movabs\t%0, OFFSET " #symbol "@GOT}\n\t" \
		"{movq\t(%1,%0), %0|mov\t%0, QWORD PTR [%1+%0]}" \
		: "=&r"(call), "=&r"(ptrace_table_) : : "cc"); \
	} while (0)
#elif defined __x86_64__ && defined __LP64__
# define PTRACE_FIND_(call, symbol) \
	__asm__ __volatile__(".weak\t" #symbol "\n\t" \
		"{movq\t" #symbol "@GOTPCREL(%%rip), %0|mov\t%0, QWORD PTR " #symbol "@GOTPCREL[rip]}" \
		: "=r"(call))
#elif defined __aarch64__ && defined __LP64__ && !defined __AARCH64_CMODEL_LARGE__
# define PTRACE_FIND_(call, symbol) \
	__asm__ __volatile__(".weak\t" #symbol "\n\t" \
		"adrp\t%0, :got:" #symbol "\n\tldr\t%0, [%0, :got_lo12:" #symbol "]" : "=r"(call))
#else
# define PTRACE_PLAINLY_
#endif
#ifdef PTRACE_PLAINLY_ /* it arrives where code is position-independent */
# define PTRACE_FIND_(call, symbol) do { \
	extern __typeof__(*(call)) symbol##_ __asm__(#symbol) __attribute__((__weak__)); \
	(call) = symbol##_; \
	} while (0)
#endif

#else /* no ELF, no tool */
# define PTRACE_CALL_(result, name, arguments) PTRACE_INLINE_ result name arguments PTRACE_NOTHROW_
# define PTRACE_FIND_(call, symbol) ((call) = 0)
#endif
/* clang-format on */

/* ---- the calls ---- */

/* From here on the calling thread is in the section `name`, within the section in which it is
 * (at most 16 levels). A name that is begun again inside itself is the same section: it is counted
 * again, its time is not. Cost under the tool: a begin and its end take some 61 ns. */
PTRACE_CALL_(void, ptrace_begin, (const char *name))
{
	void (*call)(const char *) PTRACE_NOTHROW_;

	PTRACE_FIND_(call, libptrace_begin);
	if (call)
		call(name);
}

/* The end of the calling thread's section `name`, and of those within it that have not ended; NULL:
 * of the innermost one. A thread ends what it began itself. */
PTRACE_CALL_(void, ptrace_end, (const char *name))
{
	void (*call)(const char *) PTRACE_NOTHROW_;

	PTRACE_FIND_(call, libptrace_end);
	if (call)
		call(name);
}

/* From here on the whole process is in the phase `name`, whichever thread calls: the phase before
 * ends. NULL: there is none from now on. */
PTRACE_CALL_(void, ptrace_phase, (const char *name))
{
	void (*call)(const char *) PTRACE_NOTHROW_;

	PTRACE_FIND_(call, libptrace_phase);
	if (call)
		call(name);
}

/* A value at this instant: a step, a size, a residual in units of the caller's own. The report has
 * how often it was told, its first, last, smallest and largest. Cost under the tool: some 15 ns
 * a call. */
PTRACE_CALL_(void, ptrace_mark, (const char *name, int64_t value))
{
	void (*call)(const char *, int64_t) PTRACE_NOTHROW_;

	PTRACE_FIND_(call, libptrace_mark);
	if (call)
		call(name, value);
}

/* `bytes` bytes of memory from `address` on are called `name`: locks in it have that name in the
 * report. Where several contain an address, the one that was told last counts. */
PTRACE_CALL_(void, ptrace_name, (const void *address, size_t bytes, const char *name))
{
	void (*call)(const void *, size_t, const char *) PTRACE_NOTHROW_;

	PTRACE_FIND_(call, libptrace_name);
	if (call)
		call(address, bytes, name);
}

/* Where the time of the calling thread went, and how parallel the process was, up to now. Returns
 * 0. Returns -1 without the tool, and leaves *times as it is; and where the tool cannot tell, as in
 * a signal handler that interrupts it. Fields that the tool that is there does not know are 0. Cost
 * under the tool: some system calls, about 10 us. */
/* clang-format off */
#if defined __cplusplus && defined __GNUC__ && !defined __clang__
# pragma GCC diagnostic push
# pragma GCC diagnostic ignored "-Wshadow" /* call and structure have one name */
#endif
PTRACE_CALL_(int, ptrace_times, (struct ptrace_times *times))
{
	static const struct ptrace_times none = {sizeof none, 0, 0, 0, 0, 0, {0}, 0, {0}};
	int (*call)(struct ptrace_times *) PTRACE_NOTHROW_;

	PTRACE_FIND_(call, libptrace_times);
	if (!call || !times)
		return -1;
	*times = none;
	return call(times);
}
#if defined __cplusplus && defined __GNUC__ && !defined __clang__
# pragma GCC diagnostic pop
#endif
/* clang-format on */

/* ---- C++: a section that ends with its scope, also when an exception passes ----
 *
 *     ptrace::section guard("solve");
 *
 * The text of the name has to live as long as the guard. <sys/ptrace.h> has a function of the name
 * of this namespace: in a file that includes both, that one first, the class is ptrace_section.
 * LIBPTRACE_NO_NAMESPACE, defined before this header, leaves the namespace out as well. */
#if defined __cplusplus && __cplusplus >= 201103L
/* clang-format off */
class ptrace_section
{
public:
#if __cplusplus >= 201703L /* a guard without a name of its own would end where it begins */
	[[nodiscard]]
#endif
	explicit ptrace_section(const char *name) noexcept : name_(name)
	{
		ptrace_begin(name_);
	}
	~ptrace_section()
	{
		ptrace_end(name_);
	}
	ptrace_section(const ptrace_section &) = delete;
	ptrace_section &operator=(const ptrace_section &) = delete;

private:
	const char *name_;
};
/* clang-format on */

#if !defined LIBPTRACE_NO_NAMESPACE && !defined _SYS_PTRACE_H
namespace ptrace
{
using section = ::ptrace_section;
}
#endif
#endif

#endif /* LIBPTRACE_TYPES_ALONE */
#endif
