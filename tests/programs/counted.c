/* SPDX-License-Identifier: MIT */
/* counted KIND [N]: programs of which events are counted.
 *
 *   faults     three threads and the first touch 1,000, 2,000, 3,000 and 500 new pages, and tell
 *              what getrusage says of it
 *   loops      three threads and the first execute 2, 4, 6 and 1 times N instructions in loops
 *   closing    closes all descriptors from 3 on, in each way that there is, and prints what the
 *              calls say
 *   replacing  puts a file of its own on each number above 700, while threads count, and prints
 *              what is read from it
 *   failing    dup2 and dup3 onto such numbers that fail, or are made in a vfork child; then it
 *              touches 900 pages
 *   forking    a child prints its descriptors from 3 on, touches 700 pages, and executes itself
 *   short      5,000 threads that touch one page each
 *   asleep     calls that return EINTR if a signal arrives in them, between touched pages */
#include "truth.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { PAGE = 4096, STEP = 250, HIGHEST = 2000 };

static __attribute__((noinline)) void touch_pages(long pages)
{
	char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(memory, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		memory[i * PAGE] = 1; /* here */
	munmap(memory, (size_t)pages * PAGE);
}

static long faults_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

struct work {
	long pages, faults, tid; /* pages: or rounds */
};

static void *fault(void *pointer)
{
	struct work *work = pointer;
	long before = faults_now();

	work->tid = gettid();
	for (long i = 0; i < work->pages; i += STEP) {
		touch_pages(STEP);
		BURN(0.012); /* samples take the records of page faults: there is room for 1,000 */
	}
	work->faults = faults_now() - before;
	return NULL;
}

static void faults(void)
{
	struct work works[] = {{1000, 0, 0}, {2000, 0, 0}, {3000, 0, 0}, {500, 0, 0}};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, fault, &works[i]);
	fault(&works[3]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 4; i++) {
		char name[24];
		snprintf(name, sizeof name, "%ld", works[i].tid);
		truth(name, (double)works[i].faults);
	}
	truth_end();
}

/* ---- instructions ---- */

/* Two instructions a round. */
static NOINLINE void execute(long rounds)
{
#if defined(__x86_64__)
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(rounds) : : "cc"); /* hot */
#elif defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc"); /* hot */
#endif
}

static void *loop(void *pointer)
{
	struct work *work = pointer;

	work->tid = gettid();
	execute(work->pages);
	return NULL;
}

static void loops(long rounds)
{
	struct work works[] = {
		{rounds, 0, 0}, {2 * rounds, 0, 0}, {3 * rounds, 0, 0}, {rounds / 2, 0, 0}};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, loop, &works[i]);
	loop(&works[3]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 4; i++) {
		char name[24];
		snprintf(name, sizeof name, "%ld", works[i].tid);
		truth(name, 2.0 * (double)works[i].pages);
	}
	truth_end();
}

/* ---- descriptors ---- */

static void *spin(void *seconds)
{
	BURN(*(double *)seconds);
	return NULL;
}

static void closing(void)
{
	static double seconds = 0.3;
	pthread_t other;
	int closed = 0, refused = 0;

	pthread_create(&other, NULL, spin, &seconds);
	BURN(0.05);
	for (int i = 3; i < HIGHEST; i++)
		if (!close(i))
			closed++;
		else if (errno == EBADF)
			refused++;
	printf("closed %d, refused %d\n", closed, refused);
	int file = open("/dev/null", O_RDONLY);
	printf("range %d", close_range(3, ~0u, 0));
	printf(" %d\n", fcntl(file, F_GETFD) < 0);
	file = open("/dev/null", O_RDONLY);
	closefrom(3);
	printf("from %d\n", fcntl(file, F_GETFD) < 0);
	touch_pages(400);
	BURN(0.05);
	pthread_join(other, NULL);
}

static void replacing(void)
{
	static double seconds = 0.3;
	pthread_t other;
	char path[] = "/tmp/counted-XXXXXX", letters[HIGHEST + 1] = {0};
	int file = mkstemp(path), taken = 0;

	unlink(path);
	memset(letters, 'x', HIGHEST);
	if (write(file, letters, HIGHEST) != HIGHEST)
		printf("no room\n");
	lseek(file, 0, SEEK_SET);
	pthread_create(&other, NULL, spin, &seconds);
	BURN(0.05);
	for (int i = 700; i < 900; i++)
		taken += (i % 2 ? dup2(file, i) : dup3(file, i, O_CLOEXEC)) == i;
	BURN(0.1);
	pthread_join(other, NULL);
	BURN(0.05);
	printf("taken %d, place %ld, read %zd\n", taken, (long)lseek(file, 0, SEEK_CUR),
	       read(file, letters, HIGHEST));
}

static void failing(void)
{
	BURN(0.02);
	printf("%d", dup2(999, 768));
	printf(" %d", dup2(768, 768));
	printf(" %d", dup3(768, 768, 0));
	printf(" %d", dup3(1, 768, 12345));
	printf(" %d %d", fcntl(768, F_GETFD), dup(768));
	printf(" %d\n", fcntl(768, F_DUPFD, 10));
	fflush(stdout);
	pid_t child = vfork();
	if (!child) {
		dup2(1, 768);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	touch_pages(900);
	BURN(0.02);
}

static void forking(const char *self)
{
	BURN(0.02);
	fflush(stdout);
	if (!fork()) {
		for (int i = 3; i < HIGHEST; i++)
			if (fcntl(i, F_GETFD) >= 0)
				printf("%d is open\n", i);
		BURN(0.02); /* its profile begins with its first sample */
		touch_pages(700);
		fflush(stdout);
		execl(self, self, "faults", NULL);
	}
	int status = 0;
	wait(&status);
	printf("child %d\n", status);
}

/* ---- threads ---- */

static void *touch_one(void *unused)
{
	touch_pages(1);
	return unused;
}

static void short_threads(void)
{
	for (int i = 0; i < 5000; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, touch_one, NULL);
		pthread_join(thread, NULL);
	}
}

static void asleep(void)
{
	struct epoll_event event;
	int epoll = epoll_create1(0), failed = 0;

	for (int i = 0; i < 40; i++) {
		struct timespec nap = {.tv_nsec = 1000000};
		touch_pages(100);
		failed += epoll_wait(epoll, &event, 1, 1) < 0;
		touch_pages(100);
		failed += poll(NULL, 0, 1) < 0;
		touch_pages(100);
		failed += nanosleep(&nap, NULL) < 0;
	}
	printf("interrupted %d\n", failed);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	if (!strcmp(kind, "faults"))
		faults();
	else if (!strcmp(kind, "loops") && argc > 2)
		loops(atol(argv[2]));
	else if (!strcmp(kind, "closing"))
		closing();
	else if (!strcmp(kind, "replacing"))
		replacing();
	else if (!strcmp(kind, "failing"))
		failing();
	else if (!strcmp(kind, "forking"))
		forking(argv[0]);
	else if (!strcmp(kind, "short"))
		short_threads();
	else if (!strcmp(kind, "asleep"))
		asleep();
	return 0;
}
