/* SPDX-License-Identifier: MIT */
/* The numbers in columns of a profile: causes, operations, kinds of object. They are part of the
 * file format: numbers never change their meaning, new ones are added at the end. Each list is a
 * table, from which the names are made too. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* CAUSE(NAME, class, text): what a thread waits for. 0 is "no wrapped wait": page faults, the
 * loader, preemption. Class: a LOCK that others hold, input and output (IO), or something ELSE. */
#define CAUSE_LIST(CAUSE)                                                                          \
	CAUSE(OTHER, ELSE, "other")                                                                \
	CAUSE(MUTEX, LOCK, "mutex")                                                                \
	CAUSE(RWLOCK, LOCK, "rwlock")                                                              \
	CAUSE(SPINLOCK, LOCK, "spinlock")                                                          \
	CAUSE(CONDITION, ELSE, "condition")                                                        \
	CAUSE(BARRIER, ELSE, "barrier")                                                            \
	CAUSE(SEMAPHORE, ELSE, "semaphore")                                                        \
	CAUSE(ONCE, ELSE, "once")                                                                  \
	CAUSE(JOIN, ELSE, "join")                                                                  \
	CAUSE(SLEEP, ELSE, "sleep")                                                                \
	CAUSE(PROCESS, ELSE, "process")                                                            \
	CAUSE(SIGNAL, ELSE, "signal")                                                              \
	CAUSE(MPI, ELSE, "mpi")                                                                    \
	CAUSE(OPENMP, ELSE, "openmp")                                                              \
	CAUSE(FUTEX, ELSE, "futex")                                                                \
	CAUSE(READ, IO, "read")                                                                    \
	CAUSE(WRITE, IO, "write")                                                                  \
	CAUSE(EVENTS, IO, "events")                                                                \
	CAUSE(ACCEPT, IO, "accept")                                                                \
	CAUSE(CONNECT, IO, "connect")                                                              \
	CAUSE(OPEN, IO, "open")                                                                    \
	CAUSE(DISK, IO, "disk")                                                                    \
	CAUSE(FILE_LOCK, IO, "file_lock")                                                          \
	CAUSE(IPC, IO, "ipc")                                                                      \
	CAUSE(STOPPED, ELSE, "stopped")

enum cause {
#define CAUSE_ENUM(name, class, text) CAUSE_##name,
	CAUSE_LIST(CAUSE_ENUM)
#undef CAUSE_ENUM
		CAUSE_COUNT,
	CAUSE_LIMIT = 32,                  /* length of the column type `causes32` */
	CAUSE_PREEMPTED = CAUSE_LIMIT - 1, /* in off_by_cause_ns only */
};

enum cause_class { CAUSE_CLASS_ELSE, CAUSE_CLASS_LOCK, CAUSE_CLASS_IO };

/* The causes of a class, as bits 1 << cause. */
enum cause_bits {
#define CAUSE_LOCK_BIT(name, class, text)                                                          \
	| (CAUSE_CLASS_##class == CAUSE_CLASS_LOCK) << CAUSE_##name
#define CAUSE_IO_BIT(name, class, text) | (CAUSE_CLASS_##class == CAUSE_CLASS_IO) << CAUSE_##name
	CAUSES_OF_LOCKS = 0 CAUSE_LIST(CAUSE_LOCK_BIT),
	CAUSES_OF_IO = 0 CAUSE_LIST(CAUSE_IO_BIT),
#undef CAUSE_LOCK_BIT
#undef CAUSE_IO_BIT
};

static inline bool cause_is_lock(uint64_t cause)
{
	return cause < CAUSE_COUNT && CAUSES_OF_LOCKS >> cause & 1;
}

static inline bool cause_is_io(uint64_t cause)
{
	return cause < CAUSE_COUNT && CAUSES_OF_IO >> cause & 1;
}

/* KIND(NAME, text): what an object is; the texts are those of "kind" in the report's JSON. */
#define OBJECT_KIND_LIST(KIND)                                                                     \
	KIND(NONE, "none")                                                                         \
	KIND(MUTEX, "mutex")                                                                       \
	KIND(RWLOCK, "rwlock")                                                                     \
	KIND(SPINLOCK, "spinlock")                                                                 \
	KIND(CONDITION, "condition")                                                               \
	KIND(BARRIER, "barrier")                                                                   \
	KIND(SEMAPHORE, "semaphore")                                                               \
	KIND(ONCE, "once")                                                                         \
	KIND(JOIN, "join")                                                                         \
	KIND(CRITICAL, "critical")                                                                 \
	KIND(OMP_LOCK, "omp_lock")                                                                 \
	KIND(ORDERED, "ordered")                                                                   \
	KIND(ATOMIC, "atomic")                                                                     \
	KIND(FUTEX, "futex")                                                                       \
	KIND(FILE, "file")                                                                         \
	KIND(DIRECTORY, "directory")                                                               \
	KIND(PIPE, "pipe")                                                                         \
	KIND(SOCKET, "socket")                                                                     \
	KIND(TERMINAL, "terminal")                                                                 \
	KIND(DEVICE, "device")                                                                     \
	KIND(EVENTFD, "eventfd")                                                                   \
	KIND(TIMERFD, "timerfd")                                                                   \
	KIND(SIGNALFD, "signalfd")                                                                 \
	KIND(EPOLL, "epoll")                                                                       \
	KIND(INOTIFY, "inotify")                                                                   \
	KIND(QUEUE, "queue")                                                                       \
	KIND(DESCRIPTOR, "descriptor")

enum object_kind {
#define KIND_ENUM(name, text) OBJECT_##name,
	OBJECT_KIND_LIST(KIND_ENUM)
#undef KIND_ENUM
		OBJECT_KIND_COUNT,
};

/* OPERATION(NAME, call, object kind, text): a wrapped call. The text is that of "operation" in the
 * report's JSON. Variants of a call (clock, C11, both symbol versions) are one operation; a call
 * with a time-out is another, and so is one that only tries. */
#define OPERATION_LIST(OPERATION)                                                                  \
	OPERATION(NONE, "", NONE, "none")                                                          \
	OPERATION(MUTEX_LOCK, "pthread_mutex_lock", MUTEX, "lock")                                 \
	OPERATION(MUTEX_TRYLOCK, "pthread_mutex_trylock", MUTEX, "trylock")                        \
	OPERATION(MUTEX_TIMEDLOCK, "pthread_mutex_timedlock", MUTEX, "timedlock")                  \
	OPERATION(RWLOCK_READ, "pthread_rwlock_rdlock", RWLOCK, "read_lock")                       \
	OPERATION(RWLOCK_WRITE, "pthread_rwlock_wrlock", RWLOCK, "write_lock")                     \
	OPERATION(RWLOCK_TRYREAD, "pthread_rwlock_tryrdlock", RWLOCK, "read_trylock")              \
	OPERATION(RWLOCK_TRYWRITE, "pthread_rwlock_trywrlock", RWLOCK, "write_trylock")            \
	OPERATION(RWLOCK_UNLOCK, "pthread_rwlock_unlock", RWLOCK, "unlock")                        \
	OPERATION(SPIN_LOCK, "pthread_spin_lock", SPINLOCK, "lock")                                \
	OPERATION(SPIN_TRYLOCK, "pthread_spin_trylock", SPINLOCK, "trylock")                       \
	OPERATION(SPIN_UNLOCK, "pthread_spin_unlock", SPINLOCK, "unlock")                          \
	OPERATION(COND_WAIT, "pthread_cond_wait", CONDITION, "wait")                               \
	OPERATION(COND_TIMEDWAIT, "pthread_cond_timedwait", CONDITION, "timedwait")                \
	OPERATION(COND_SIGNAL, "pthread_cond_signal", CONDITION, "signal")                         \
	OPERATION(COND_BROADCAST, "pthread_cond_broadcast", CONDITION, "broadcast")                \
	OPERATION(BARRIER_WAIT, "pthread_barrier_wait", BARRIER, "wait")                           \
	OPERATION(SEM_WAIT, "sem_wait", SEMAPHORE, "wait")                                         \
	OPERATION(SEM_TRYWAIT, "sem_trywait", SEMAPHORE, "trywait")                                \
	OPERATION(SEM_TIMEDWAIT, "sem_timedwait", SEMAPHORE, "timedwait")                          \
	OPERATION(SEM_POST, "sem_post", SEMAPHORE, "post")                                         \
	OPERATION(ONCE, "pthread_once", ONCE, "once")                                              \
	OPERATION(JOIN, "pthread_join", JOIN, "join")                                              \
	OPERATION(TRYJOIN, "pthread_tryjoin_np", JOIN, "tryjoin")                                  \
	OPERATION(TIMEDJOIN, "pthread_timedjoin_np", JOIN, "timedjoin")                            \
	OPERATION(CREATE, "pthread_create", NONE, "create")                                        \
	OPERATION(DETACH, "pthread_detach", NONE, "detach")                                        \
	OPERATION(EXIT, "pthread_exit", NONE, "exit")                                              \
	OPERATION(CANCEL, "pthread_cancel", NONE, "cancel")                                        \
	OPERATION(SETNAME, "pthread_setname_np", NONE, "setname")                                  \
	OPERATION(NANOSLEEP, "nanosleep", NONE, "nanosleep")                                       \
	OPERATION(CLOCK_NANOSLEEP, "clock_nanosleep", NONE, "clock_nanosleep")                     \
	OPERATION(USLEEP, "usleep", NONE, "usleep")                                                \
	OPERATION(SLEEP, "sleep", NONE, "sleep")                                                   \
	OPERATION(YIELD, "sched_yield", NONE, "yield")                                             \
	OPERATION(FORK, "fork", NONE, "fork")                                                      \
	OPERATION(EXEC, "execve", NONE, "exec")                                                    \
	OPERATION(SPAWN, "posix_spawn", NONE, "spawn")                                             \
	OPERATION(WAIT_CHILD, "waitpid", NONE, "wait_child")                                       \
	OPERATION(SIGWAIT, "sigwait", NONE, "sigwait")                                             \
	OPERATION(MUTEX_INIT, "pthread_mutex_init", MUTEX, "init")                                 \
	OPERATION(MUTEX_DESTROY, "pthread_mutex_destroy", MUTEX, "destroy")                        \
	OPERATION(CRITICAL, "omp critical", CRITICAL, "lock")                                      \
	OPERATION(OMP_SET_LOCK, "omp_set_lock", OMP_LOCK, "lock")                                  \
	OPERATION(OMP_TEST_LOCK, "omp_test_lock", OMP_LOCK, "trylock")                             \
	OPERATION(ORDERED, "omp ordered", ORDERED, "wait")                                         \
	OPERATION(ATOMIC, "omp atomic", ATOMIC, "lock")                                            \
	OPERATION(RWLOCK_TIMEDREAD, "pthread_rwlock_timedrdlock", RWLOCK, "read_timedlock")        \
	OPERATION(RWLOCK_TIMEDWRITE, "pthread_rwlock_timedwrlock", RWLOCK, "write_timedlock")      \
	OPERATION(SIGTIMEDWAIT, "sigtimedwait", NONE, "sigtimedwait")                              \
	OPERATION(FUTEX_WAIT, "futex wait", FUTEX, "wait")                                         \
	OPERATION(FUTEX_TIMEDWAIT, "futex timed wait", FUTEX, "timedwait")                         \
	OPERATION(FUTEX_WAKE, "futex wake", FUTEX, "wake")                                         \
	OPERATION(FUTEX_REQUEUE, "futex requeue", FUTEX, "requeue")                                \
	OPERATION(FUTEX_LOCK, "futex lock_pi", FUTEX, "lock")                                      \
	OPERATION(FUTEX_TRYLOCK, "futex trylock_pi", FUTEX, "trylock")                             \
	OPERATION(FUTEX_UNLOCK, "futex unlock_pi", FUTEX, "unlock")                                \
	OPERATION(FUTEX_WAIT_ANY, "futex waitv", NONE, "wait_any")                                 \
	OPERATION(READ, "read", DESCRIPTOR, "read")                                                \
	OPERATION(PREAD, "pread", DESCRIPTOR, "pread")                                             \
	OPERATION(READV, "readv", DESCRIPTOR, "readv")                                             \
	OPERATION(PREADV, "preadv", DESCRIPTOR, "preadv")                                          \
	OPERATION(RECV, "recv", DESCRIPTOR, "recv")                                                \
	OPERATION(RECVFROM, "recvfrom", DESCRIPTOR, "recvfrom")                                    \
	OPERATION(RECVMSG, "recvmsg", DESCRIPTOR, "recvmsg")                                       \
	OPERATION(RECVMMSG, "recvmmsg", DESCRIPTOR, "recvmmsg")                                    \
	OPERATION(WRITE, "write", DESCRIPTOR, "write")                                             \
	OPERATION(PWRITE, "pwrite", DESCRIPTOR, "pwrite")                                          \
	OPERATION(WRITEV, "writev", DESCRIPTOR, "writev")                                          \
	OPERATION(PWRITEV, "pwritev", DESCRIPTOR, "pwritev")                                       \
	OPERATION(SEND, "send", DESCRIPTOR, "send")                                                \
	OPERATION(SENDTO, "sendto", DESCRIPTOR, "sendto")                                          \
	OPERATION(SENDMSG, "sendmsg", DESCRIPTOR, "sendmsg")                                       \
	OPERATION(SENDMMSG, "sendmmsg", DESCRIPTOR, "sendmmsg")                                    \
	OPERATION(SENDFILE, "sendfile", DESCRIPTOR, "sendfile")                                    \
	OPERATION(SPLICE, "splice", DESCRIPTOR, "splice")                                          \
	OPERATION(TEE, "tee", DESCRIPTOR, "tee")                                                   \
	OPERATION(VMSPLICE, "vmsplice", DESCRIPTOR, "vmsplice")                                    \
	OPERATION(COPY_FILE_RANGE, "copy_file_range", DESCRIPTOR, "copy_file_range")               \
	OPERATION(POLL, "poll", NONE, "poll")                                                      \
	OPERATION(SELECT, "select", NONE, "select")                                                \
	OPERATION(EPOLL_WAIT, "epoll_wait", DESCRIPTOR, "epoll_wait")                              \
	OPERATION(ACCEPT, "accept", DESCRIPTOR, "accept")                                          \
	OPERATION(CONNECT, "connect", DESCRIPTOR, "connect")                                       \
	OPERATION(OPEN, "open", NONE, "open")                                                      \
	OPERATION(FSYNC, "fsync", DESCRIPTOR, "fsync")                                             \
	OPERATION(FDATASYNC, "fdatasync", DESCRIPTOR, "fdatasync")                                 \
	OPERATION(MSYNC, "msync", NONE, "msync")                                                   \
	OPERATION(SYNC, "sync", NONE, "sync")                                                      \
	OPERATION(SYNCFS, "syncfs", DESCRIPTOR, "syncfs")                                          \
	OPERATION(SYNC_FILE_RANGE, "sync_file_range", DESCRIPTOR, "sync_file_range")               \
	OPERATION(FLOCK, "flock", DESCRIPTOR, "flock")                                             \
	OPERATION(LOCKF, "lockf", DESCRIPTOR, "lockf")                                             \
	OPERATION(FCNTL_LOCK, "fcntl lock", DESCRIPTOR, "fcntl_lock")                              \
	OPERATION(MSGRCV, "msgrcv", NONE, "msgrcv")                                                \
	OPERATION(MSGSND, "msgsnd", NONE, "msgsnd")                                                \
	OPERATION(SEMOP, "semop", NONE, "semop")                                                   \
	OPERATION(SEMTIMEDOP, "semtimedop", NONE, "semtimedop")                                    \
	OPERATION(MQ_RECEIVE, "mq_receive", DESCRIPTOR, "mq_receive")                              \
	OPERATION(MQ_TIMEDRECEIVE, "mq_timedreceive", DESCRIPTOR, "mq_timedreceive")               \
	OPERATION(MQ_SEND, "mq_send", DESCRIPTOR, "mq_send")                                       \
	OPERATION(MQ_TIMEDSEND, "mq_timedsend", DESCRIPTOR, "mq_timedsend")                        \
	OPERATION(PAUSE, "pause", NONE, "pause")                                                   \
	OPERATION(SIGSUSPEND, "sigsuspend", NONE, "sigsuspend")                                    \
	OPERATION(FREAD, "fread", DESCRIPTOR, "fread")                                             \
	OPERATION(FWRITE, "fwrite", DESCRIPTOR, "fwrite")                                          \
	OPERATION(GETLINE, "getline", DESCRIPTOR, "getline")                                       \
	OPERATION(GETC, "getc", DESCRIPTOR, "getc")                                                \
	OPERATION(FFLUSH, "fflush", DESCRIPTOR, "fflush")                                          \
	OPERATION(PRINTF, "printf", DESCRIPTOR, "printf")                                          \
	OPERATION(SYSTEM, "system", NONE, "system")                                                \
	OPERATION(PCLOSE, "pclose", NONE, "pclose")                                                \
	OPERATION(POPEN, "popen", NONE, "popen")                                                   \
	OPERATION(URING_ENTER, "io_uring_enter", DESCRIPTOR, "io_uring_enter")

enum operation {
#define OPERATION_ENUM(name, call, kind, text) OP_##name,
	OPERATION_LIST(OPERATION_ENUM)
#undef OPERATION_ENUM
		OP_COUNT,
};

/* Bits of the column callpaths.flags. */
enum callpath_flags {
	CALLPATH_EXACT = 1,
	CALLPATH_MARK = 2,
	CALLPATH_UNUSED = 4,
	CALLPATH_PRESENT = 8, /* always set: no row begins with 8 bytes of 0 */
	CALLPATH_PYTHON = 16,
};

/* MARK(NAME, text): a row of callpaths that is no code; reports show the text instead of a
 * routine. */
#define CALLPATH_MARK_LIST(MARK)                                                                   \
	MARK(TRUNCATED, "[truncated]")                                                             \
	MARK(OTHER, "[other]")                                                                     \
	MARK(STILL_HELD, "[still held]")                                                           \
	MARK(UNKNOWN_HOLDER, "[unknown]")                                                          \
	MARK(THREAD_WAITING, "[joined thread not running]")                                        \
	MARK(TIMEOUT, "[time-out]")                                                                \
	MARK(KERNEL, "[kernel]")                                                                   \
	MARK(OTHER_PROCESS, "[another process?]")

enum callpath_mark {
#define MARK_ENUM(name, text) MARK_##name,
	CALLPATH_MARK_LIST(MARK_ENUM)
#undef MARK_ENUM
		MARK_COUNT,
	/* from here on: what is below the mark was in the section of that number less this one */
	MARK_SECTIONS = 256,
};

/* SECTION(NAME, text): what a section was told by. */
#define SECTION_KIND_LIST(SECTION)                                                                 \
	SECTION(NONE, "none")                                                                      \
	SECTION(CODE, "section")                                                                   \
	SECTION(PHASE, "phase")                                                                    \
	SECTION(MARK, "mark")                                                                      \
	SECTION(OTHER, "other")

enum section_kind {
#define SECTION_ENUM(name, text) SECTION_##name,
	SECTION_KIND_LIST(SECTION_ENUM)
#undef SECTION_ENUM
		SECTION_KIND_COUNT,
};

enum {
	SECTION_LIMIT = 80,       /* numbers of sections, 0 (none) included */
	SECTION_NAMES = 64,       /* sections with names of their own, phases and marks included */
	SECTION_LEVELS = 16,      /* one within the other */
	SECTION_NAME_BYTES = 256, /* of a name, its NUL included */
	SECTION_LONGEST = 8,      /* of a thread and a section in section_longest */
};

/* Bits of the columns threads.flags and objects.flags; kinds of the table concurrency. */
enum thread_flags {
	THREAD_FIRST = 1,
	THREAD_ADOPTED = 2,
	THREAD_ALIVE = 4,
	THREAD_UNSAMPLED = 8,
	THREAD_OF_MPI = 16,
	THREAD_OF_OPENMP = 32,
};
/* Column events.flags. */
enum event_flags {
	EVENT_WITHOUT_KERNEL = 1,
	EVENT_WITHOUT_USER = 2,
	EVENT_KERNEL_REFUSED = 4,
	EVENT_COUNTED = 8,
	EVENT_READ_DIRECTLY = 16,
};
enum object_flags {
	OBJECT_INITIALISED = 1,
	OBJECT_DESTROYED = 2,
	OBJECT_MANY = 4,
	OBJECT_SHARED = 8,
};
enum concurrency_kind {
	/* seen by switch records, or by the clock of a single thread */
	CONCURRENCY_ON_PROCESSOR = 1,
	CONCURRENCY_USEFUL = 2,
	/* the rest of the time, without records: threads in no wait */
	CONCURRENCY_UNSEEN_ON_PROCESSOR = 3,
	CONCURRENCY_UNSEEN_USEFUL = 4,
	/* the part of 1 and 2 seen in windows, which the rest is assumed to be like */
	CONCURRENCY_WINDOWS_ON_PROCESSOR = 5,
	CONCURRENCY_WINDOWS_USEFUL = 6,
};

/* METRIC(NAME, text): what the table timeline counts. */
#define TIMELINE_METRIC_LIST(METRIC)                                                               \
	METRIC(NONE, "none")                                                                       \
	METRIC(USEFUL, "useful")                                                                   \
	METRIC(ON_PROCESSOR, "on processor")

enum timeline_metric {
#define METRIC_ENUM(name, text) TIMELINE_##name,
	TIMELINE_METRIC_LIST(METRIC_ENUM)
#undef METRIC_ENUM
		TIMELINE_METRIC_COUNT,
};

/* MPI_CLASS(NAME, text): what kind of MPI call it is. */
#define MPI_CLASS_LIST(CLASS)                                                                      \
	CLASS(NONE, "none")                                                                        \
	CLASS(LOCAL, "local")                                                                      \
	CLASS(SEND, "send")                                                                        \
	CLASS(RECEIVE, "receive")                                                                  \
	CLASS(SENDRECV, "sendrecv")                                                                \
	CLASS(PROBE, "probe")                                                                      \
	CLASS(START, "start")                                                                      \
	CLASS(COMPLETION, "completion")                                                            \
	CLASS(COLLECTIVE, "collective")                                                            \
	CLASS(ONE_SIDED, "one-sided")                                                              \
	CLASS(SYNCHRONIZATION, "synchronization")                                                  \
	CLASS(FILE, "file")                                                                        \
	CLASS(LIFE, "life")

enum mpi_class {
#define CLASS_ENUM(name, text) MPI_CLASS_##name,
	MPI_CLASS_LIST(CLASS_ENUM)
#undef CLASS_ENUM
		MPI_CLASS_COUNT,
};

/* Column process.quick_clock. */
enum quick_clock { QUICK_CLOCK_UNKNOWN, QUICK_CLOCK_COUNTER, QUICK_CLOCK_KERNEL };

/* Column mpi_process.abi and .flags. */
enum mpi_abi_kind { MPI_ABI_NONE, MPI_ABI_OPEN_MPI, MPI_ABI_MPICH, MPI_ABI_STANDARD };
enum mpi_process_flags {
	MPI_FINALIZED = 1,
	MPI_SWITCHED_OFF = 2,
	MPI_ABORTED = 4,
	MPI_SPAWNED = 8
};

/* Columns omp_process.runtime, .wait_policy and .flags. */
enum omp_runtime { OMP_NONE, OMP_LIBGOMP, OMP_OMPT };
enum omp_wait_policy { OMP_WAIT_UNSET, OMP_WAIT_ACTIVE, OMP_WAIT_PASSIVE };
enum omp_process_flags { OMP_PROC_BIND = 1 };

/* Columns omp_regions.kind and .flags. */
enum omp_region_kind { OMP_REGION_NONE, OMP_REGION_PARALLEL };
enum omp_region_flags { OMP_REGION_AT_ENTRY = 1, OMP_REGION_RECURSIVE = 2 };

/* Column omp_tasks.flags. */
enum omp_tasks_flags { OMP_TASKS_AT_ENTRY = 1, OMP_TASKS_UNTIMED = 2 };

/* CONSTRUCT(NAME, text, what its time is): column omp_constructs.construct. WAIT: waiting for the
 * other threads of the team, without tasks run meanwhile. RUNTIME: spent in the runtime for the
 * construct itself (of a loop: handing out its pieces). LOCK: waiting for a lock. REGION: elapsed.
 * COUNT: none, the construct is only counted. */
#define OMP_CONSTRUCT_LIST(CONSTRUCT)                                                              \
	CONSTRUCT(NONE, "none", COUNT)                                                             \
	CONSTRUCT(BARRIER, "barrier", WAIT)                                                        \
	CONSTRUCT(IMPLICIT_BARRIER, "implicit barrier", WAIT)                                      \
	CONSTRUCT(LOOP_END, "end of loop", WAIT)                                                   \
	CONSTRUCT(SECTIONS_END, "end of sections", WAIT)                                           \
	CONSTRUCT(SINGLE_END, "end of single", WAIT)                                               \
	CONSTRUCT(TASKWAIT, "taskwait", WAIT)                                                      \
	CONSTRUCT(TASKGROUP, "taskgroup", WAIT)                                                    \
	CONSTRUCT(TASKLOOP, "taskloop", WAIT)                                                      \
	CONSTRUCT(REDUCTION, "reduction", WAIT)                                                    \
	CONSTRUCT(DOACROSS, "ordered depend(sink)", WAIT)                                          \
	CONSTRUCT(LOOP, "loop", RUNTIME)                                                           \
	CONSTRUCT(SECTIONS, "sections", RUNTIME)                                                   \
	CONSTRUCT(SINGLE, "single", COUNT)                                                         \
	CONSTRUCT(MASKED, "masked", COUNT)                                                         \
	CONSTRUCT(TASKYIELD, "taskyield", COUNT)                                                   \
	CONSTRUCT(CANCEL, "cancel", COUNT)                                                         \
	CONSTRUCT(CRITICAL, "critical", LOCK)                                                      \
	CONSTRUCT(OMP_LOCK, "lock", LOCK)                                                          \
	CONSTRUCT(ORDERED, "ordered", LOCK)                                                        \
	CONSTRUCT(ATOMIC, "atomic", LOCK)                                                          \
	CONSTRUCT(TEAMS, "teams", REGION)                                                          \
	CONSTRUCT(TARGET, "target", REGION)                                                        \
	CONSTRUCT(WORKSHARE, "workshare", COUNT)                                                   \
	CONSTRUCT(DISTRIBUTE, "distribute", COUNT)

enum omp_construct {
#define CONSTRUCT_ENUM(name, text, time) OMP_CONSTRUCT_##name,
	OMP_CONSTRUCT_LIST(CONSTRUCT_ENUM)
#undef CONSTRUCT_ENUM
		OMP_CONSTRUCT_COUNT,
};
enum omp_construct_time {
	OMP_TIME_COUNT,
	OMP_TIME_WAIT,
	OMP_TIME_RUNTIME,
	OMP_TIME_LOCK,
	OMP_TIME_REGION,
};

/* NOTE(NAME, text): a note's code and its text. %u in the text stands for the column detail. */
#define NOTE_LIST(NOTE)                                                                                                                                                             \
	NOTE(NONE, "")                                                                                                                                                              \
	NOTE(NO_SWITCHES,                                                                                                                                                           \
	     "the kernel refuses context-switch records (error %u): T_i is estimated from the waits")                                                                               \
	NOTE(SWITCHES_STOPPED,                                                                                                                                                      \
	     "context-switch records would have exceeded the budget (%u switches a second) and were taken in windows")                                                              \
	NOTE(SWITCHES_OFF,                                                                                                                                                          \
	     "context-switch records were switched off: T_i is estimated from the waits")                                                                                           \
	NOTE(NO_TIMER,                                                                                                                                                              \
	     "a thread could not get a sampling timer (error %u): its CPU time is [unsampled]")                                                                                     \
	NOTE(SAMPLING_SLOWED,                                                                                                                                                       \
	     "samples would have exceeded the budget: the period was lengthened to %u us")                                                                                          \
	NOTE(NO_SCHEDSTAT, "run delay is not available: ready time is unknown (error %u)")                                                                                          \
	NOTE(FILE_FULL,                                                                                                                                                             \
	     "the profile reached its size limit: rows that do not fit are aggregated into [other]")                                                                                \
	NOTE(FILE_GROWTH,                                                                                                                                                           \
	     "the profile could not grow (error %u): rows that do not fit are aggregated into [other]")                                                                             \
	NOTE(CALLPATHS_FULL,                                                                                                                                                        \
	     "no room for further call paths: what they stand for is charged to the innermost routine, callers unknown")                                                            \
	NOTE(OBJECTS_FULL, "the table of locks is full: further ones are shown together")                                                                                           \
	NOTE(THREAD_ADOPTED,                                                                                                                                                        \
	     "a thread was not started by a wrapped call: it is seen from its first wrapped call")                                                                                  \
	NOTE(THREADS_FOLDED,                                                                                                                                                        \
	     "short threads share rows of the thread table: the time that some were ready is guessed to 0.05 ms")                                                                   \
	NOTE(ENVIRONMENT_CLEARED,                                                                                                                                                   \
	     "a program was started with an environment without the profiler: it is not profiled")                                                                                  \
	NOTE(NO_UNWIND, "call paths need glibc 2.35 or newer: only the innermost place is known")                                                                                   \
	NOTE(LOST_SWITCHES, "context-switch records were lost: parts of T_i are estimated")                                                                                         \
	NOTE(TICK_LIMIT, "the kernel's tick limits samples to %u a second of CPU time and thread")                                                                                  \
	NOTE(MPI_UNKNOWN,                                                                                                                                                           \
	     "an MPI library of unknown kind: calls are counted and timed, without bytes and peers")                                                                                \
	NOTE(MPI_REQUESTS_FULL,                                                                                                                                                     \
	     "more MPI requests at once than the table holds: some have no time in flight, and no bytes received")                                                                  \
	NOTE(MPI_SWITCHED_OFF,                                                                                                                                                      \
	     "MPI_Pcontrol(0) switched the recording of MPI calls off for some time")                                                                                               \
	NOTE(OMP_OTHER_TOOL,                                                                                                                                                        \
	     "another tool uses the OpenMP runtime's tools interface (OMPT): its regions are not seen")                                                                             \
	NOTE(OMP_REGIONS_FULL,                                                                                                                                                      \
	     "the table of OpenMP regions is full: further ones are shown together")                                                                                                \
	NOTE(OMP_LARGE_TASKS,                                                                                                                                                       \
	     "no memory for OpenMP tasks with data of more than %u bytes, or of C++ loops: they are counted only")                                                                  \
	NOTE(OMP_NO_TOOL,                                                                                                                                                           \
	     "OMP_TOOL=disabled: LLVM's OpenMP runtime tells nobody of its regions, and they are not seen")                                                                         \
	NOTE(THREADS_UNOBSERVED,                                                                                                                                                    \
	     "no room for further threads beside %u: some ran unobserved, and are in no figure")                                                                                    \
	NOTE(SANDBOX,                                                                                                                                                               \
	     "a sandbox (seccomp) may kill for any system call: from its beginning on nothing more is measured")                                                                    \
	NOTE(SMALL_STACK,                                                                                                                                                           \
	     "a stack of %u bytes has no room for samples: its thread's CPU time is [unsampled]")                                                                                   \
	NOTE(STACK_SWITCHED,                                                                                                                                                        \
	     "a signal handler left its alternate stack by swapcontext: its thread's further CPU time is [unsampled]")                                                              \
	NOTE(NO_CLOCK,                                                                                                                                                              \
	     "the program forbade itself the processor's counter: from then on nothing more is measured")                                                                           \
	NOTE(READY_REFUSED,                                                                                                                                                         \
	     "ready time could not be read while standard input, output or error was closed: of some threads it is unknown")                                                        \
	NOTE(OMP_FIRST_ENDED,                                                                                                                                                       \
	     "the first thread that used LLVM's OpenMP runtime ended before others: locks and critical sections are not seen from then on")                                         \
	NOTE(SWITCHES_LEFT,                                                                                                                                                         \
	     "a thread was moved to processors that the process might not use before: context-switch records were taken in windows from then on")                                   \
	NOTE(EVENTS_REFUSED,                                                                                                                                                        \
	     "a thread could not count an event (error %u): its counts are missing")                                                                                                \
	NOTE(EVENTS_CLOSED,                                                                                                                                                         \
	     "the program closed descriptors that it had not opened, and events were counted by them: some threads' later counts are missing")                                      \
	NOTE(EVENTS_CROWDED,                                                                                                                                                        \
	     "the limit of descriptors is %u, of which events take at most a quarter: further threads count none")                                                                  \
	NOTE(EVENTS_COSTLY,                                                                                                                                                         \
	     "to count events in each of many short threads would have exceeded the budget: some count none")                                                                       \
	NOTE(EVENTS_LOST,                                                                                                                                                           \
	     "the kernel had no room for records of an event's own samples (%u at once): they are [unsampled]")                                                                     \
	NOTE(EVENTS_SPLIT,                                                                                                                                                          \
	     "the processor cannot count a group of events at once: it was split, and its parts take turns")                                                                        \
	NOTE(CALLS_DEEP,                                                                                                                                                            \
	     "more than %u instrumented calls were under way in a thread: deeper ones are counted, their time is their caller's")                                                   \
	NOTE(CALLS_LEFT,                                                                                                                                                            \
	     "signal handlers did not come back to the profiler, or made more than %u instrumented calls in the middle of it: all are counted, so many each time are not timed")    \
	NOTE(CALLS_NO_MEMORY,                                                                                                                                                       \
	     "there was no memory to count a thread's instrumented calls: they are missing")                                                                                        \
	NOTE(ATTACHED,                                                                                                                                                              \
	     "the program ran already when it was attached to: of %u threads neither the locks held nor the waits begun before are known")                                          \
	NOTE(ATTACH_IMPORTS,                                                                                                                                                        \
	     "the imports of some libraries could not be led to the profiler (error %u): their calls are not seen")                                                                 \
	NOTE(ATTACH_OMPT,                                                                                                                                                           \
	     "LLVM's OpenMP runtime tells of its regions only those who were there when it began: attached to later, regions are not seen")                                         \
	NOTE(SWITCHES_FILTERED,                                                                                                                                                     \
	     "a seccomp filter, as of containers, refuses perf_event_open: --cap-add PERFMON or --security-opt seccomp=FILE allow it")                                              \
	NOTE(SWITCHES_PARANOID,                                                                                                                                                     \
	     "kernel.perf_event_paranoid is %u, and refuses context-switch records: sysctl kernel.perf_event_paranoid=2 allows them")                                               \
	NOTE(SWITCHES_MEMORY,                                                                                                                                                       \
	     "no more memory may be locked for context-switch records: raise sysctl kernel.perf_event_mlock_kb, or ulimit -l")                                                      \
	NOTE(SWITCHES_KILLED,                                                                                                                                                       \
	     "a seccomp filter kills for perf_event_open, so it was not called: allow it (of a systemd unit: SystemCallFilter=perf_event_open)")                                    \
	NOTE(MPI_UNSEEN,                                                                                                                                                            \
	     "an MPI library was opened by dlopen and called by dlsym: its calls are not seen, and the process is shown as no rank of a job")                                       \
	NOTE(MPI_ATTACHED,                                                                                                                                                          \
	     "MPI was initialized before the process was attached to: of requests made before, bytes and peers are not known, and collective calls are not compared between ranks") \
	NOTE(MPI_SECOND,                                                                                                                                                            \
	     "the program calls a second MPI library: its calls are not seen, and what is told of MPI is of the one that it called first")                                          \
	NOTE(PYTHON_VERSION,                                                                                                                                                        \
	     "functions of Python have no names: they are read of CPython 3.9 to 3.13, and this is 3.%u")                                                                           \
	NOTE(PYTHON_BUILD,                                                                                                                                                          \
	     "functions of Python have no names: they are not read of free-threaded and of altered builds of CPython")                                                              \
	NOTE(PYTHON_FULL,                                                                                                                                                           \
	     "no room for further Python functions: they are shown as [other Python code]")                                                                                         \
	NOTE(SECTION_ENDS,                                                                                                                                                          \
	     "ends of sections that had not begun in their thread since the profile began were ignored")                                                                            \
	NOTE(SECTION_NAMES, "more than %u names of sections: further ones are [other]")                                                                                             \
	NOTE(SECTIONS_DEEP,                                                                                                                                                         \
	     "more than %u sections were open in a thread, one within the other: deeper ones are not counted")                                                                      \
	NOTE(SECTIONS_BUSY,                                                                                                                                                         \
	     "sections that signal handlers told in the middle of the profiler were not counted")                                                                                   \
	NOTE(SECTION_ROUTINE,                                                                                                                                                       \
	     "number %u of the routines of --section-routine was called by no object that imports it: calls within one object are not seen")

enum note_code {
#define NOTE_ENUM(name, text) NOTE_##name,
	NOTE_LIST(NOTE_ENUM)
#undef NOTE_ENUM
		NOTE_COUNT,
};
