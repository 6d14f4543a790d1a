/* SPDX-License-Identifier: MIT */
/* A program whose threads run before the profiler is attached to it, and after it has left.
 *
 *   attach_self LIBRARY DIRECTORY ROUNDS SECONDS
 *
 * One thread spins, four contend for a lock, one sleeps on a condition throughout, one is created
 * while the profiler is there. The first thread loads the library, begins and ends a profile ROUNDS
 * times for SECONDS each, and prints what happened meanwhile: each thread's number, its CPU time,
 * and its counts of calls; then the mappings, descriptors and memory before and after. */
#include <dlfcn.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOCKERS = 4, HOLD_NS = 200000 };

struct worker {
	pthread_t handle;
	_Atomic int tid;
	_Atomic uint64_t locks;
	uint64_t locks_before, cpu_before_ns;
	uint64_t locks_during, cpu_during_ns;
};

static struct worker spinner, lockers[LOCKERS], sleeper, late;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, still = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static _Atomic int is_over, is_woken;
static _Atomic uint64_t work;

static uint64_t read_ns(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now)
		       ? 0
		       : (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_of(const struct worker *worker)
{
	clockid_t clock;

	return pthread_getcpuclockid(worker->handle, &clock) ? 0 : read_ns(clock);
}

__attribute__((noinline)) void busy_loop(uint64_t until)
{
	for (uint64_t i = 0; i < until; i++)
		atomic_fetch_add_explicit(&work, 1, memory_order_relaxed);
}

__attribute__((noinline)) void hold_lock(void)
{
	uint64_t until = read_ns(CLOCK_THREAD_CPUTIME_ID) + HOLD_NS;

	pthread_mutex_lock(&lock);
	while (read_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
	pthread_mutex_unlock(&lock);
}

static void *spin(void *argument)
{
	struct worker *worker = argument;

	worker->tid = (int)syscall(SYS_gettid);
	while (!is_over)
		busy_loop(100000);
	return NULL;
}

static void *contend(void *argument)
{
	struct worker *worker = argument;

	worker->tid = (int)syscall(SYS_gettid);
	while (!is_over) {
		hold_lock();
		worker->locks++;
		usleep(1000);
	}
	return NULL;
}

static void *sleep_throughout(void *argument)
{
	struct worker *worker = argument;

	worker->tid = (int)syscall(SYS_gettid);
	pthread_mutex_lock(&still);
	while (!is_woken)
		pthread_cond_wait(&never, &still);
	pthread_mutex_unlock(&still);
	return NULL;
}

static int count_entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

static int count_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	int count = 0, letter;

	while (file && (letter = getc(file)) != EOF)
		count += letter == '\n';
	if (file)
		fclose(file);
	return count;
}

static long resident_pages(void)
{
	long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (file && fscanf(file, "%ld %ld", &size, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident;
}

static void print_use(const char *when)
{
	printf("%s mappings %d descriptors %d pages %ld\n", when, count_lines("/proc/self/maps"),
	       count_entries("/proc/self/fd"), resident_pages());
}

static void start(struct worker *worker, void *(*routine)(void *))
{
	if (pthread_create(&worker->handle, NULL, routine, worker))
		exit(3);
	while (!worker->tid)
		usleep(1000);
}

static void read_all(int is_end)
{
	struct worker *all[] = {&spinner,    &lockers[0], &lockers[1],
				&lockers[2], &lockers[3], &late};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint64_t cpu_ns = all[i]->tid ? cpu_of(all[i]) : 0, locks = all[i]->locks;
		if (is_end) {
			all[i]->cpu_during_ns = cpu_ns - all[i]->cpu_before_ns;
			all[i]->locks_during = locks - all[i]->locks_before;
		} else {
			all[i]->cpu_before_ns = cpu_ns;
			all[i]->locks_before = locks;
		}
	}
}

typedef int begin_function(const char *settings);
typedef int end_function(void);

/* Threads are still on their way out of what was before, as ptrace-attach knows. Beside load one may
 * lose its processor there. */
static bool is_to_try_again(int error)
{
	static int tries;

	if (error != -EAGAIN || tries++ == 30000)
		return false;
	usleep(1000);
	return true;
}

static void attach(begin_function *begin, end_function *end, const char *settings, double seconds,
		   int is_last)
{
	uint64_t called_ns = read_ns(CLOCK_MONOTONIC);
	uint64_t called_cpu_ns = read_ns(CLOCK_THREAD_CPUTIME_ID);
	int error = begin(settings);

	while (is_to_try_again(error))
		error = begin(settings);
	uint64_t cpu_ns = read_ns(CLOCK_THREAD_CPUTIME_ID) - called_cpu_ns;
	uint64_t since_ns = read_ns(CLOCK_MONOTONIC);

	read_all(0);
	if (!error && is_last) {
		start(&late, contend);
		printf("begin took_ns %llu cpu_ns %llu\n",
		       (unsigned long long)(since_ns - called_ns), (unsigned long long)cpu_ns);
	}
	usleep((useconds_t)(seconds * 1e6));
	read_all(1);
	uint64_t elapsed_ns = read_ns(CLOCK_MONOTONIC) - since_ns;
	if (!error)
		error = end();
	while (is_to_try_again(error))
		error = end();
	if (error)
		printf("error %d\n", error);
	if (is_last)
		printf("elapsed_ns %llu\n", (unsigned long long)elapsed_ns);
}

int main(int count, char *arguments[])
{
	char settings[4096] = {0};

	if (count < 5)
		return 2;
	start(&spinner, spin);
	for (int i = 0; i < LOCKERS; i++)
		start(&lockers[i], contend);
	start(&sleeper, sleep_throughout);
	usleep(100000);
	void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 4;
	}
	begin_function *begin = (begin_function *)dlsym(library, "ptrace_attach_begin");
	end_function *end = (end_function *)dlsym(library, "ptrace_attach_end");
	if (!begin || !end)
		return 5;
	snprintf(settings, sizeof settings - 1, "PTRACE_OUTPUT=%s", arguments[2]);
	int rounds = atoi(arguments[3]);
	for (int i = 0; i < rounds; i++) {
		attach(begin, end, settings, atof(arguments[4]), i == rounds - 1);
		if (i == 4)
			print_use("early");
	}
	print_use("end");
	is_over = is_woken = 1;
	pthread_cond_broadcast(&never);
	printf("spinner %d cpu_ns %llu\n", spinner.tid, (unsigned long long)spinner.cpu_during_ns);
	for (int i = 0; i < LOCKERS; i++)
		printf("locker %d cpu_ns %llu locks %llu\n", lockers[i].tid,
		       (unsigned long long)lockers[i].cpu_during_ns,
		       (unsigned long long)lockers[i].locks_during);
	printf("sleeper %d\n", sleeper.tid);
	printf("late %d cpu_ns %llu locks %llu\n", late.tid, (unsigned long long)late.cpu_during_ns,
	       (unsigned long long)late.locks_during);
	pthread_join(spinner.handle, NULL);
	for (int i = 0; i < LOCKERS; i++)
		pthread_join(lockers[i].handle, NULL);
	pthread_join(sleeper.handle, NULL);
	if (late.tid)
		pthread_join(late.handle, NULL);
	printf("done\n");
	return 0;
}
