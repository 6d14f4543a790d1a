/* SPDX-License-Identifier: MIT */
/* harm_file_growth KIND [ARGUMENT]: two threads use more and more locks, so that the profile has to
 * grow, after the process has
 *   nothing     done nothing
 *   limited     forbidden itself to write files (RLIMIT_FSIZE 0)
 *   jailed DIR  gone into another root directory, and become nobody
 *   moved       removed the run directory that PTRACE_OUTPUT names, if any
 *   crowded     opened all descriptors that it may
 *   silent      closed its standard files; for a second it tries to write to them
 * Prints what a lock costs, on standard error, and "ok". */
#include "truth.h"
#include <ftw.h>
#include <sys/resource.h>

enum { LOCKS = 6000, ROUNDS = 100 };

static pthread_mutex_t locks[LOCKS];
static int written;
static double lock_ns;

static void *use_locks(void *unused)
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < LOCKS; i++) {
			pthread_mutex_lock(&locks[i]);
			pthread_mutex_unlock(&locks[i]);
		}
	return unused;
}

static void use_locks_in_threads(void)
{
	double begin = now();
	pthread_t t;

	pthread_create(&t, NULL, use_locks, NULL);
	use_locks(NULL);
	pthread_join(t, NULL);
	lock_ns = (now() - begin) / LOCKS / ROUNDS * 1e9;
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void limited(const char *unused)
{
	(void)unused;
	limit_files(0);
	use_locks_in_threads();
	limit_files(RLIM_INFINITY);
}

static void jailed(const char *directory)
{
	if (chroot(directory) || chdir("/") || setgid(65534) || setuid(65534))
		exit(77);
	use_locks_in_threads();
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	if (place->level)
		remove(path);
	return 0;
}

static void remove_files(const char *directory)
{
	nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ptrace-run may be writing run.json meanwhile. */
static void moved(const char *unused)
{
	const char *output = getenv("PTRACE_OUTPUT");

	(void)unused;
	for (int i = 0; i < 1000 && output && rmdir(output) < 0 && errno == ENOTEMPTY; i++)
		remove_files(output);
	use_locks_in_threads();
}

static void crowded(const char *unused)
{
	struct rlimit limit = {32, 32};

	(void)unused;
	setrlimit(RLIMIT_NOFILE, &limit);
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	use_locks_in_threads();
}

/* As a program does that does not look at what printf returns. */
static void *write_on(void *unused)
{
	for (double end = now() + 1; now() < end;)
		for (int fd = 0; fd < 3; fd++)
			written += write(fd, "standard", 8) >= 0;
	return unused;
}

static void silent(const char *unused)
{
	int output = dup(1), errors = dup(2);
	pthread_t t;

	(void)unused;
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	pthread_create(&t, NULL, write_on, NULL);
	use_locks_in_threads();
	pthread_join(t, NULL);
	dup2(output, 1);
	dup2(errors, 2);
}

static void nothing(const char *unused)
{
	(void)unused;
	use_locks_in_threads();
}

static const struct {
	const char *name;
	void (*run)(const char *argument);
} kinds[] = {
	{"nothing", nothing}, {"limited", limited}, {"jailed", jailed},
	{"moved", moved},     {"crowded", crowded}, {"silent", silent},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof kinds[0]; i++)
		if (!strcmp(argv[1], kinds[i].name))
			kinds[i].run(argc > 2 ? argv[2] : "");
	fprintf(stderr, "%.1f ns\n", lock_ns);
	printf("ok, %d written\n", written);
	return 0;
}
