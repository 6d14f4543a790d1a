/* SPDX-License-Identifier: MIT */
/* What a program has of its limits of memory: the same under the profiler as without it.
 *
 *   sizes THREADS   so many threads, which wait and count; then the kernel's figures of the
 * process, in KiB: addresses, data, and what mlockall locks lock            an ordinary user locks
 * all memory, within the limit that is usual (8 MiB) data            RLIMIT_DATA of 16 MiB: a
 * thread with a stack of 8 MiB, and 6 MiB besides thread          a thread with a stack of 8 MiB,
 * under the limits that the caller has set */
#include "truth.h"

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { THREADS_MOST = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_there, all_told;

static void limit_to(int resource, rlim_t bytes)
{
	struct rlimit limit = {bytes, bytes};

	if (setrlimit(resource, &limit))
		exit(9);
}

static void *work(void *nothing)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&mutex);
		usleep(10);
		pthread_mutex_unlock(&mutex);
	}
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&all_told);
	return nothing;
}

static void print_sizes(void)
{
	char line[200];
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof line, status))
		if (!strncmp(line, "VmSize:", 7) || !strncmp(line, "VmData:", 7) ||
		    !strncmp(line, "VmLck:", 6))
			fputs(line, stdout);
	if (status)
		fclose(status);
}

static void sizes(int threads)
{
	pthread_t others[THREADS_MOST];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all_there, NULL, (unsigned)threads);
	pthread_barrier_init(&all_told, NULL, (unsigned)threads);
	for (int i = 1; i < threads; i++)
		pthread_create(&others[i], &small, work, NULL);
	pthread_barrier_wait(&all_there);
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		printf("not locked: %s\n", strerror(errno));
	print_sizes();
	pthread_barrier_wait(&all_told);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
}

/* What an ordinary user has: 8 MiB, and no right to lock more. */
static void limit_locking(void)
{
	struct __user_cap_header_struct version = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct rights[2] = {0};

	limit_to(RLIMIT_MEMLOCK, 8 << 20);
	if (syscall(SYS_capget, &version, rights))
		exit(9);
	rights[0].effective &= ~(1u << CAP_IPC_LOCK);
	if (syscall(SYS_capset, &version, rights))
		exit(9);
}

static bool has_more(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	       MAP_FAILED;
}

static void lock(void)
{
	limit_locking();
	printf("present: %d\n", mlockall(MCL_CURRENT));
	printf("future: %d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
	/* what is left is the program's */
	printf("4 MiB more: %d\n", has_more(4 << 20));
}

/* Nothing is left for the profile, which has to grow for so many mutexes. */
static void brim(void)
{
	static pthread_mutex_t many[4000];

	limit_locking();
	printf("future: %d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
	while (has_more(4096))
		;
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
			pthread_mutex_init(&many[i], NULL);
			pthread_mutex_lock(&many[i]);
			pthread_mutex_unlock(&many[i]);
		}
	printf("counted\n");
}

static void *nothing(void *argument)
{
	return argument;
}

static void thread(void)
{
	pthread_attr_t usual;
	pthread_t one;

	pthread_attr_init(&usual);
	pthread_attr_setstacksize(&usual, 8 << 20);
	int error = pthread_create(&one, &usual, nothing, NULL);
	printf("thread: %d\n", error);
	if (!error)
		pthread_join(one, NULL);
}

static void data(void)
{
	limit_to(RLIMIT_DATA, 16 << 20);
	thread();
	printf("6 MiB: %d\n", malloc(6 << 20) != NULL);
}

int main(int count, char **words)
{
	const char *what = count > 1 ? words[1] : "";

	if (!strcmp(what, "sizes"))
		sizes(atoi(words[2]));
	else if (!strcmp(what, "lock"))
		lock();
	else if (!strcmp(what, "brim"))
		brim();
	else if (!strcmp(what, "data"))
		data();
	else if (!strcmp(what, "thread"))
		thread();
	else
		return 2;
	return 0;
}
