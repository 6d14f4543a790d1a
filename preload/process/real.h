/* SPDX-License-Identifier: MIT */
/* The originals: real.pthread_create(...) is libc's (or the next interposer's). Calls of MPI and
 * OpenMP libraries, which may be loaded later or more than once, are looked up by those rooms.
 *
 * Context: all are resolved at once by the constructor, or by the first wrapped call if a library's
 * constructor runs before ours. After real_resolve every pointer is set: for a symbol that this
 * libc lacks, to a function that returns ENOSYS. */
#pragma once

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* What code compiled with -finstrument-functions calls, and the names that _FORTIFY_SOURCE calls:
 * in no header of the system's, or only sometimes. */
ssize_t __read_chk(int number, void *to, size_t size, size_t room);
ssize_t __pread_chk(int number, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int number, void *to, size_t size, off64_t at, size_t room);
ssize_t __recv_chk(int number, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int number, void *restrict to, size_t size, size_t room, int flags,
		       __SOCKADDR_ARG who, socklen_t *restrict who_size);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int at, const char *path, int flags);
int __openat64_2(int at, const char *path, int flags);
int __underflow(FILE *file);
int __printf_chk(int flag, const char *restrict format, ...);
int __fprintf_chk(FILE *restrict file, int flag, const char *restrict format, ...);
int __vprintf_chk(int flag, const char *restrict format, va_list more);
int __vfprintf_chk(FILE *restrict file, int flag, const char *restrict format, va_list more);
char *__fgets_chk(char *restrict to, size_t room, int size, FILE *restrict file);
char *__fgets_unlocked_chk(char *restrict to, size_t room, int size, FILE *restrict file);
size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file);
size_t __fread_unlocked_chk(void *restrict to, size_t room, size_t size, size_t count,
			    FILE *restrict file);
int __poll_chk(struct pollfd *descriptors, nfds_t count, int time_ms, size_t room);
int __ppoll_chk(struct pollfd *descriptors, nfds_t count, const struct timespec *time,
		const sigset_t *mask, size_t room);
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);
void __longjmp_chk(struct __jmp_buf_tag *buffer, int value);
int __sigpause(int word, int is_number);

/* As they were at first: a mask of 128 bytes. */
int old_sched_setaffinity(pid_t tid, const cpu_set_t *processors);
int old_pthread_setaffinity_np(pthread_t thread, const cpu_set_t *processors);

/* Some are deprecated. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct real {
#define REAL(symbol)                          __typeof__(symbol) *symbol;
#define REAL_VERSION(member, symbol, version) __typeof__(symbol) *member;
#define REAL_OLD(member, symbol)              __typeof__(symbol) *member;
#define REAL_AS(member, symbol, version)      __typeof__(member) *member;
#include "preload/process/real.def"
#undef REAL
#undef REAL_VERSION
#undef REAL_OLD
#undef REAL_AS
	bool is_ready;
};
#pragma GCC diagnostic pop

extern struct real real;

void real_resolve(void);

/* Whether all calls that lock and unlock mutexes are libc's own. If another library stands behind
 * us, which may define only some of them, each call is passed on as the program made it. */
extern bool real_has_libcs_mutexes;

/* Whether a library behind us has hooks of -finstrument-functions; libc's do nothing. */
extern bool real_has_hooks;

/* What lies behind a FILE of a descriptor, libc's table of its functions; NULL: not known. */
extern const void *real_file_jumps;

/* Where the hooks of -pg go on: libc's, or those of another library behind us; until real_resolve,
 * and where there are none, nowhere: those of libc do nothing before the program's own code runs.
 * For assembler. */
#define HIDDEN __attribute__((visibility("hidden")))
extern void (*real_next_mcount)(void) HIDDEN;
extern void (*real_next__mcount)(void) HIDDEN;
extern void (*real_next___fentry__)(void) HIDDEN;

/* The trylock that wrappers of mutexes use: libc's; or, with another library behind us, one that
 * calls lock if the mutex is free. */
extern int (*real_mutex_try)(pthread_mutex_t *mutex);

/* Where the first thread's stack begins, as the loader knows it; 0: not known. */
uint64_t real_stack_end(void);

/* The loader's lock-free search for the object at an address (glibc 2.35); NULL: this libc has
 * none. Looked up and not linked, so that libptrace.so also starts with an older libc. */
struct dl_find_object;
typedef int real_find_object_function(void *address, struct dl_find_object *result);
extern real_find_object_function *real_find_object;

/* For wrappers that run before the constructor. */
static inline void real_need(void)
{
	if (__builtin_expect(!real.is_ready, 0))
		real_resolve();
}
