/* SPDX-License-Identifier: MIT */
/* harm_fd_low KIND SECONDS: short threads come and go, and touch no descriptor, while the first
 * thread
 *   close, fclose, range   closes its standard input in that way and opens a file, which must be
 *                          number 0
 *   fork                   forks children, which must have the descriptors 0, 1 and 2 and no other
 *   vfork                  does the first in vfork children
 *   cancel                 is cancelled in close, which then must not close
 *   errno                  closes what is open and what is not
 * Prints how often it was not so. */
#include "truth.h"
#include <sys/wait.h>

static volatile int is_over;

/* Off the processor for an instant, so that there is something to be known of it. */
static void *live_shortly(void *unused)
{
	nap_raw(0.00001);
	return unused;
}

static void *come_and_go(void *unused)
{
	while (!is_over) {
		pthread_t t;
		pthread_create(&t, NULL, live_shortly, NULL);
		pthread_join(t, NULL);
	}
	return unused;
}

static void free_input(const char *kind)
{
	if (!strcmp(kind, "close"))
		close(0);
	else if (!strcmp(kind, "range"))
		close_range(0, 0, 0);
	else if (stdin)
		fclose(stdin);
}

static int exchange_input(const char *kind)
{
	free_input(kind);
	for (volatile int i = 0; i < 300; i++)
		;
	int file = open("/dev/null", O_RDONLY);
	if (!strcmp(kind, "fclose"))
		stdin = fdopen(file, "r");
	if (file == 0)
		return 0;
	dup2(file, 0);
	if (strcmp(kind, "fclose")) /* else it is the stream's */
		close(file);
	return 1;
}

static int look_in_child(void)
{
	pid_t child = fork();
	int status, others = 0;

	if (child == 0) {
		for (int fd = 3; fd < 100; fd++)
			others += fcntl(fd, F_GETFD) >= 0;
		_exit(others);
	}
	waitpid(child, &status, 0);
	return status != 0;
}

static volatile int is_cancelled;

static void *close_when_cancelled(void *file)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	await_raw(&is_cancelled, 1);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	close(*(int *)file);
	return NULL;
}

static int cancel_in_close(void)
{
	int file = dup(0);
	pthread_t t;
	void *result;

	is_cancelled = 0;
	pthread_create(&t, NULL, close_when_cancelled, &file);
	pthread_cancel(t);
	is_cancelled = 1;
	pthread_join(t, &result);
	return result != PTHREAD_CANCELED || close(file);
}

/* errno as it was, or what it has to be. */
static int close_wrongly(void)
{
	errno = 7;
	int keeps = close(dup(0)) == 0 && errno == 7;
	int tells = close(-1) == -1 && errno == EBADF && close(1000) == -1 && errno == EBADF;
	return !keeps || !tells;
}

/* Its memory is its parent's, its descriptors are not. */
static int close_in_vfork_child(void)
{
	int status;
	pid_t child = vfork();

	if (child == 0) {
		close(0);
		_exit(open("/dev/null", O_RDONLY));
	}
	waitpid(child, &status, 0);
	return status != 0 || fcntl(0, F_GETFD) < 0;
}

static const struct {
	const char *name;
	int (*attempt)(void);
} kinds[] = {
	{"fork", look_in_child},
	{"cancel", cancel_in_close},
	{"errno", close_wrongly},
	{"vfork", close_in_vfork_child},
};

static int attempt(const char *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (!strcmp(kind, kinds[i].name))
			return kinds[i].attempt();
	return exchange_input(kind);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "close";
	double end = now() + (argc > 2 ? atof(argv[2]) : 1);
	long wrong = 0, times = 0;
	pthread_t threads[3];

	close_range(3, ~0u, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, come_and_go, NULL);
	for (; now() < end; times++)
		wrong += attempt(kind);
	is_over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("wrong: %ld\n", wrong);
	fprintf(stderr, "of %ld\n", times);
	return 0;
}
