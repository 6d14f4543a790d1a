/* SPDX-License-Identifier: MIT */
/* harm_setxid SCENE: a thread changes the process's user and groups, to what they are, by all of
 * libc's calls. Each of them sends a signal to every other thread and waits until that has taken
 * it, while the main thread is in the scene. A program that does not end is ended by SIGALRM. */
#include "truth.h"
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <ucontext.h>

enum { ROUNDS = 30, SECONDS = 60, STACK = 65536, OBJECTS = 64 };

static int asked[2], told[2]; /* pipes */
static volatile int is_wanted, has_changed, are_done;

/* ---- the thread that changes them */

static void change_all(void)
{
	static const uid_t same_user = (uid_t)-1;
	static const gid_t same_group = (gid_t)-1;
	gid_t groups[64];
	int count = getgroups(64, groups);

	/* whether a user may is not the question */
	int refused = setuid(getuid()) + setgid(getgid()) + seteuid(geteuid()) +
		      setegid(getegid()) + setreuid(same_user, same_user) +
		      setregid(same_group, same_group) +
		      setresuid(same_user, same_user, same_user) +
		      setresgid(same_group, same_group, same_group);
	refused += setgroups((size_t)count, groups) + initgroups("root", getgid());
	if (refused > 0)
		abort();
}

static void *change_when_asked(void *argument)
{
	char byte;
	while (read(asked[0], &byte, 1) < 0 && errno == EINTR)
		;
	change_all();
	if (write(told[1], &byte, 1) != 1)
		abort();
	return argument;
}

static void *change_when_wanted(void *argument)
{
	while (!is_wanted)
		;
	change_all();
	has_changed = 1;
	return argument;
}

static void *change_often(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		change_all();
		nap_raw(0.0005);
	}
	are_done = 1;
	return argument;
}

static void *change_for_ever(void *argument)
{
	for (;;)
		change_all();
	return argument;
}

static void ask_and_wait(void)
{
	char byte = 1;
	if (write(asked[1], &byte, 1) != 1)
		abort();
	while (read(told[0], &byte, 1) < 0 && errno == EINTR)
		;
}

static pthread_t begin(void *(*routine)(void *))
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, routine, NULL))
		abort();
	return thread;
}

/* ---- handlers on an alternate stack */

static void on_alternate_stack(void (*handler)(int))
{
	static char memory[STACK];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER};
	if (sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
		abort();
}

static void wait_in_handler(int number)
{
	(void)number;
	ask_and_wait();
}

static void handler_waits(void)
{
	on_alternate_stack(wait_in_handler);
	pthread_t thread = begin(change_when_asked);
	raise(SIGUSR1);
	pthread_join(thread, NULL);
}

static void spin_in_handler(int number)
{
	(void)number;
	is_wanted = 1;
	while (!has_changed)
		;
}

static void handler_spins(void)
{
	on_alternate_stack(spin_in_handler);
	pthread_t thread = begin(change_when_wanted);
	raise(SIGUSR1);
	pthread_join(thread, NULL);
}

static sigjmp_buf back;
static ucontext_t outside;
static volatile bool was_left;

static void jump_plainly(int number)
{
	(void)number;
	_longjmp(back, 1);
}

static void jump(int number)
{
	(void)number;
	longjmp(back, 1);
}

static void jump_with_mask(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void set_context(int number)
{
	(void)number;
	setcontext(&outside);
}

static void after_jump(void (*handler)(int))
{
	on_alternate_stack(handler);
	pthread_t thread = begin(change_when_asked);
	if (!sigsetjmp(back, handler == jump_with_mask))
		raise(SIGUSR1);
	ask_and_wait();
	pthread_join(thread, NULL);
}

static void after_jumps(void)
{
	after_jump(jump_plainly);
	after_jump(jump);
	after_jump(jump_with_mask);
}

static void after_context(void)
{
	on_alternate_stack(set_context);
	pthread_t thread = begin(change_when_asked);
	getcontext(&outside);
	if (!was_left) {
		was_left = true;
		raise(SIGUSR1);
	}
	ask_and_wait();
	pthread_join(thread, NULL);
}

/* ---- what the main thread does again and again meanwhile */

static void fail_to_exec(void)
{
	char *arguments[] = {"nothing", NULL};
	execv("/nonexistent/nothing", arguments);
	execv("/", arguments);
	execvp("nothing-of-this-name", arguments);
}

static void spawn(void)
{
	extern char **environ;
	char *arguments[] = {"true", NULL};
	pid_t child;
	if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ))
		abort();
	waitpid(child, NULL, 0);
}

static void fork_child(void)
{
	pid_t child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
}

static void open_pipe(void)
{
	FILE *pipe = popen(":", "r");
	if (pipe)
		pclose(pipe);
}

static void *nothing(void *argument)
{
	return argument;
}

static void make_thread(void)
{
	pthread_join(begin(nothing), NULL);
}

/* New objects: the profile grows. */
static void lock_new(void)
{
	for (int i = 0; i < OBJECTS; i++) {
		pthread_mutex_t *lock = malloc(sizeof *lock);
		pthread_mutex_init(lock, NULL);
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
	}
}

static void block_all(void)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	BURN(0.001);
}

static void beside(void (*act)(void))
{
	pthread_t thread = begin(change_often);
	while (!are_done)
		act();
	pthread_join(thread, NULL);
}

/* ---- exit */

static void leave_process(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int status;
		pid_t child = fork();
		if (!child) {
			alarm(SECONDS);
			begin(change_for_ever);
			nap_raw(0.001);
			exit(i);
		}
		waitpid(child, &status, 0);
		if (status != i << 8)
			printf("child %d: status %x\n", i, status);
	}
}

static const struct scene {
	const char *name;
	void (*play)(void);
	void (*beside)(void);
} scenes[] = {
	{"handler_waits", handler_waits, NULL},
	{"handler_spins", handler_spins, NULL},
	{"after_jumps", after_jumps, NULL},
	{"after_context", after_context, NULL},
	{"failing_exec", NULL, fail_to_exec},
	{"spawn", NULL, spawn},
	{"fork", NULL, fork_child},
	{"popen", NULL, open_pipe},
	{"thread", NULL, make_thread},
	{"growth", NULL, lock_new},
	{"blocked", NULL, block_all},
	{"exit", leave_process, NULL},
};

int main(int argc, char **argv)
{
	if (pipe(asked) || pipe(told))
		abort();
	alarm(SECONDS);
	for (size_t i = 0; argc > 1 && i < sizeof scenes / sizeof *scenes; i++) {
		if (strcmp(scenes[i].name, argv[1]))
			continue;
		if (scenes[i].play)
			scenes[i].play();
		else
			beside(scenes[i].beside);
		printf("%s: done\n", argv[1]);
		return 0;
	}
	return 2;
}
