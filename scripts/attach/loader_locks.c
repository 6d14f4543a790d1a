/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "loader_locks.h"

#include "remote_memory.h"
#include "proc_text.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <time.h>

enum {
	SEARCHED_BYTES = 4096, /* of the loader's data, whose first part are the namespaces */
	PART_BYTES = 512,
	NAMESPACES_MAX = 16,
	LOCKS_MAX = 3, /* of dlopen, of the list of objects, of thread-local storage (glibc 2.34) */
	LOCAL_STORAGE = 2,
	GLOBAL_BYTES = 8192, /* the list of stacks is behind what is searched */
	LENT_NS = 1000000,
};

static bool is_recursive(const char *data, size_t at)
{
	pthread_mutex_t mutex;

	if (at + sizeof mutex > SEARCHED_BYTES)
		return false;
	memcpy(&mutex, data + at, sizeof mutex);
	return mutex.__data.__kind == PTHREAD_MUTEX_RECURSIVE_NP;
}

static int count_locks(const char *data, size_t at)
{
	int count = 0;

	while (count < LOCKS_MAX &&
	       is_recursive(data, at + (size_t)count * sizeof(pthread_mutex_t)))
		count++;
	return count;
}

/* They lie behind the number of namespaces, one behind the other; each namespace has a lock as
 * well, but by itself. 0: there is no such place. */
static size_t find_locks(const char *data, int *count)
{
	for (size_t at = sizeof(size_t); at < SEARCHED_BYTES; at += sizeof(size_t)) {
		size_t namespaces;

		memcpy(&namespaces, data + at - sizeof namespaces, sizeof namespaces);
		*count = count_locks(data, at);
		if (namespaces >= 1 && namespaces <= NAMESPACES_MAX && *count >= 2)
			return at;
	}
	return 0;
}

void loader_locks_prepare(struct loader_locks *locks, pid_t process, const struct object *libc)
{
	char data[SEARCHED_BYTES] = "";
	struct object loader;
	int count;

	*locks = (struct loader_locks){0};
	if (!object_find(process, "ld-linux-", "", &loader) || loader.is_deleted)
		return;
	uint64_t global = object_symbol(process, &loader, "_rtld_global");
	for (size_t at = 0; global && at < sizeof data; at += PART_BYTES)
		if (memory_read(process, global + at, data + at, PART_BYTES) < 0)
			break;
	size_t at = find_locks(data, &count);
	locks->try_lock = object_symbol(process, libc, "pthread_mutex_trylock");
	locks->unlock = object_symbol(process, libc, "pthread_mutex_unlock");
	if (!at || !locks->try_lock || !locks->unlock)
		return;
	locks->global = global;
	locks->first = global + at;
	locks->count = count;
}

static bool is_held(const struct loader_locks *locks, pid_t process, int first)
{
	pthread_mutex_t mutexes[LOCKS_MAX];

	if (!locks->first || memory_read(process, locks->first, mutexes,
					 (size_t)locks->count * sizeof mutexes[0]) < 0)
		return false;
	for (int i = first; i < locks->count; i++)
		if (mutexes[i].__data.__lock || mutexes[i].__data.__owner)
			return true;
	return false;
}

bool loader_locks_are_held(const struct loader_locks *locks, pid_t process)
{
	return is_held(locks, process, 0);
}

int loader_locks_take(const struct loader_locks *locks, struct remote *remote)
{
	uint64_t busy = 0;

	if (!locks->first)
		return 0;
	int error = remote_call(remote, "pthread_mutex_trylock", locks->try_lock, locks->first, 0,
				&busy);
	if (error)
		return error;
	if ((uint32_t)busy)
		return -EBUSY;
	if (!is_held(locks, remote->tracee->process, 1))
		return 0;
	return loader_locks_give(locks, remote) ?: -EBUSY;
}

int loader_locks_give(const struct loader_locks *locks, struct remote *remote)
{
	uint64_t unused;

	if (!locks->first)
		return 0;
	return remote_call(remote, "pthread_mutex_unlock", locks->unlock, locks->first, 0, &unused);
}

static uint64_t local_storage_lock(const struct loader_locks *locks)
{
	return locks->first + LOCAL_STORAGE * sizeof(pthread_mutex_t);
}

/* The thread has the lock of thread-local storage (or another one: then it cannot give it), and
 * waits for one of the loader that is not among the locks. */
static bool is_tangled(const struct loader_locks *locks, const struct tracee *tracee)
{
	uint64_t arguments[6], end = local_storage_lock(locks) + sizeof(pthread_mutex_t);
	long number;

	if (locks->count <= LOCAL_STORAGE || !is_held(locks, tracee->process, LOCAL_STORAGE) ||
	    !proc_text_call(tracee->process, tracee->thread, &number, arguments) ||
	    number != SYS_futex)
		return false;
	return arguments[0] - locks->global < GLOBAL_BYTES &&
	       arguments[0] - locks->first >= end - locks->first;
}

/* 0, or a negative errno. */
static int lend(const struct loader_locks *locks, struct remote *remote)
{
	uint64_t lock = local_storage_lock(locks), refused = 0;
	int error = remote_call_within(remote, locks->unlock, lock, &refused);

	if ((uint32_t)refused)
		return error;
	do {
		nanosleep(&(struct timespec){.tv_nsec = LENT_NS}, NULL);
		error = error ?: remote_call_within(remote, locks->try_lock, lock, &refused);
	} while (!error && (uint32_t)refused);
	return error;
}

enum stop loader_locks_untangle(struct remote *remote, uint64_t limit_ns)
{
	const struct loader_locks *locks = remote->help_context;
	struct tracee *tracee = remote->tracee;

	if (!is_tangled(locks, tracee))
		return tracee_wait(tracee, limit_ns);
	enum stop stop = tracee_interrupt(tracee, limit_ns);
	if (stop != STOP_INTERRUPTED) {
		tracee->is_told = false;
		return stop;
	}
	if (is_tangled(locks, tracee) && lend(locks, remote) == -ESRCH)
		return STOP_GONE;
	return tracee_resume(tracee, PTRACE_CONT, limit_ns);
}
