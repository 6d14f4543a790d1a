/* SPDX-License-Identifier: MIT */
/* Calls by versions that programs linked long ago are bound to, beside those of today:
 *   old_calls spawn      the first posix_spawn runs a script without `#!` by /bin/sh
 *   old_calls affinity   the first calls that bind to processors get no size of the mask
 *   old_calls search     what dlsym and dlvsym find
 *   old_calls quick, old_calls quick_old    quick_exit; the first one destroys thread-local objects
 */
#include "truth.h"
#include <dlfcn.h>
#include <sched.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

/* OLD(result, name, version, arguments) */
#define OLD(result, name, version, arguments)                                                      \
	result old_##name arguments;                                                               \
	__asm__(".symver old_" #name ", " #name "@" version)
#define SPAWN_ARGUMENTS                                                                            \
	(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,     \
	 char *const[], char *const[])
typedef int spawn_function SPAWN_ARGUMENTS;

OLD(int, posix_spawn, "GLIBC_2.2.5", SPAWN_ARGUMENTS);
OLD(int, posix_spawnp, "GLIBC_2.2.5", SPAWN_ARGUMENTS);
/* The third argument is what happens to be in the register. */
OLD(int, sched_setaffinity, "GLIBC_2.3.3", (pid_t, const cpu_set_t *, unsigned long));
OLD(int, pthread_setaffinity_np, "GLIBC_2.3.3", (pthread_t, const cpu_set_t *, unsigned long));
OLD(_Noreturn void, quick_exit, "GLIBC_2.10", (int));

static char script[] = "./old_calls.script";

static void spawn(const char *name, spawn_function *function)
{
	char *arguments[] = {script, NULL};
	int status = 0;
	pid_t child;

	int error = function(&child, script, NULL, NULL, arguments, environ);
	if (!error)
		waitpid(child, &status, 0);
	printf("%s: %s, status %d\n", name, strerror(error), WEXITSTATUS(status));
}

static void call_spawn(void)
{
	int file = open(script, O_CREAT | O_WRONLY, 0700);

	if (file < 0 || write(file, "exit 7\n", 7) != 7)
		printf("cannot write %s\n", script);
	close(file);
	spawn("first posix_spawn", old_posix_spawn);
	spawn("first posix_spawnp", old_posix_spawnp);
	spawn("posix_spawn", posix_spawn);
	spawn("posix_spawnp", posix_spawnp);
	unlink(script);
	fflush(stdout);
	truth("SPAWN", 4);
	truth("WAIT_CHILD", 2);
	truth("pid", getpid());
	truth_end();
}

static void tell_affinity(const char *name, int result, int only)
{
	cpu_set_t now;

	CPU_ZERO(&now);
	sched_getaffinity(0, sizeof now, &now);
	printf("%s: %d, %d in the mask, that one: %d\n", name, result, CPU_COUNT(&now),
	       !!CPU_ISSET(only, &now));
}

static void call_affinity(void)
{
	cpu_set_t all, one;
	int only = CPU_SETSIZE - 1;

	sched_getaffinity(0, sizeof all, &all);
	while (!CPU_ISSET(only, &all))
		only--;
	CPU_ZERO(&one);
	CPU_SET(only, &one);
	tell_affinity("first sched_setaffinity", old_sched_setaffinity(0, &one, 0x1234), only);
	tell_affinity("sched_setaffinity", sched_setaffinity(0, sizeof all, &all), only);
	tell_affinity("first pthread_setaffinity_np",
		      old_pthread_setaffinity_np(pthread_self(), &one, 0x1234), only);
	tell_affinity("pthread_setaffinity_np",
		      pthread_setaffinity_np(pthread_self(), sizeof all, &all), only);
}

/* A search without version finds today's call. */
static void call_search(void)
{
	static const struct {
		const char *name, *old, *today;
	} calls[] = {
		{"posix_spawn", "GLIBC_2.2.5", "GLIBC_2.15"},
		{"posix_spawnp", "GLIBC_2.2.5", "GLIBC_2.15"},
		{"sched_setaffinity", "GLIBC_2.3.3", "GLIBC_2.3.4"},
		{"pthread_setaffinity_np", "GLIBC_2.3.3", "GLIBC_2.3.4"},
		{"quick_exit", "GLIBC_2.10", "GLIBC_2.24"},
		{"pthread_cond_wait", "GLIBC_2.2.5", "GLIBC_2.3.2"},
	};

	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		void *found = dlsym(RTLD_DEFAULT, calls[i].name);
		void *old = dlvsym(RTLD_DEFAULT, calls[i].name, calls[i].old);
		void *today = dlvsym(RTLD_DEFAULT, calls[i].name, calls[i].today);

		printf("%s: today's %d, the first one %d\n", calls[i].name, found && found == today,
		       found == old);
	}
}

extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);
extern void *__dso_handle;

static void destroy(void *text)
{
	puts(text);
	fflush(stdout);
}

static void quick(void)
{
	puts("at_quick_exit");
	fflush(stdout);
}

int main(int count, char **arguments)
{
	const char *scene = count > 1 ? arguments[1] : "";

	if (!strcmp(scene, "spawn"))
		call_spawn();
	if (!strcmp(scene, "affinity"))
		call_affinity();
	if (!strcmp(scene, "search"))
		call_search();
	if (strncmp(scene, "quick", 5))
		return 0;
	at_quick_exit(quick);
	__cxa_thread_atexit_impl(destroy, "thread-local object destroyed", &__dso_handle);
	if (!strcmp(scene, "quick_old"))
		old_quick_exit(4);
	quick_exit(5);
}
