/* SPDX-License-Identifier: MIT */
/* Calls that a library preloaded beside the profiler may stand in for (lockcalls.c), each a known
 * number of times, in three threads that compute and use many locks, so that samples come and the
 * profile grows inside and outside of them; and once more in a handler of the exit. */
#include "truth.h"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

enum { THREADS = 3, ROUNDS = 3000, LOOPS = 60000 };

static void call_all(void)
{
	struct stat status;
	struct rusage usage;
	struct timespec time;
	struct timeval moment;
	cpu_set_t set;
	char text[100];

	int file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (read(file, text, sizeof text) != sizeof text || fstat(file, &status) ||
	    lstat("/", &status) || ftruncate(file, 0) == 0)
		_exit(3);
	close(file);
	getrusage(RUSAGE_THREAD, &usage);
	clock_gettime(CLOCK_MONOTONIC, &time);
	gettimeofday(&moment, NULL);
	if (readlink("/proc/self/exe", text, sizeof text) < 1 || sched_getcpu() < 0 ||
	    sched_getaffinity(0, sizeof set, &set) < 0 || !getauxval(AT_PAGESZ) || getpid() < 1 ||
	    !getenv("PATH") || sysconf(_SC_PAGESIZE) < 1)
		_exit(4);
	munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
}

static void *work(void *unused)
{
	pthread_mutex_t *locks = calloc(ROUNDS, sizeof *locks);

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_init(&locks[i], NULL);
		pthread_mutex_lock(&locks[i]);
		pthread_mutex_unlock(&locks[i]);
		call_all();
		for (volatile int j = 0; j < LOOPS / 10; j++)
			;
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	atexit(call_all);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 7;
}
