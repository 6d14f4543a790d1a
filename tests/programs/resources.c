/* SPDX-License-Identifier: MIT */
/* resources KIND: close (all descriptors from 3 on, then threads, locks and a fork), left N (only N
 * descriptors are left to the program that it then becomes: more arguments), big (forks with much
 * memory under samples), free (may the program still open as many files as natively?). */
#include "truth.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	BURN(0.1);
	return unused;
}

static void two_threads(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
}

static void close_all(void)
{
	two_threads();
	syscall(SYS_close_range, 3, 1023, 0);
	int fd = open("/dev/null", O_RDWR); /* the numbers are the program's now */
	printf("%d\n", fd);
	two_threads();
	if (fork() == 0) {
		two_threads();
		exit(fd == 3);
	}
	int status;
	wait(&status);
	printf("%d %d\n", WEXITSTATUS(status), fcntl(3, F_GETFD) >= 0);
	truth("locks", 4000);
}

static void leave(int left, char **command)
{
	struct rlimit limit = {(rlim_t)left + 3, (rlim_t)left + 3};
	syscall(SYS_close_range, 3, 1023, 0);
	setrlimit(RLIMIT_NOFILE, &limit);
	execv(command[0], command);
	exit(127);
}

static void big(void)
{
	size_t size = (size_t)1 << 30;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	madvise(memory, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size / 2; i += 4096)
		memory[i] = 1;
	for (int i = 0; i < 10; i++) {
		BURN(0.02);
		pid_t child = fork();
		if (child == 0)
			_exit(i);
		int status;
		waitpid(child, &status, 0);
		printf("%d\n", WEXITSTATUS(status));
	}
}

static void count_free(void)
{
	struct rlimit limit = {64, 64};
	int number = 0;
	setrlimit(RLIMIT_NOFILE, &limit);
	two_threads();
	while (open("/dev/null", O_RDONLY) >= 0)
		number++;
	closefrom(40); /* the truth needs one */
	printf("%s\n", number >= 40 ? "enough" : "too few");
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "close"))
		close_all();
	else if (!strcmp(kind, "left") && argc > 3)
		leave(atoi(argv[2]), argv + 3);
	else if (!strcmp(kind, "big"))
		big();
	else if (!strcmp(kind, "free"))
		count_free();
	else
		return 2;
	fflush(stdout);
	truth_end();
	return 0;
}
