/* SPDX-License-Identifier: MIT */
/* A fork within a call of the runtime, which returns in both processes: the profiler's knowledge of
 * the thread is gone when it comes back in the child. No runtime forks by itself; a handler of the
 * program, which a signal starts in the middle of a call, may.
 *
 *   -DLIBRARY   a runtime for one thread, which can be told to fork in its n-th call
 *   neither     the program: harm_fork fork|clone|handler; a child for each call, each of which
 *               goes on to the end. clone: without libc's knowledge. The exit status says how many
 *               of them did not end as they should.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void fork_in_call(int number, const char *how);
bool fork_came(void);
pid_t fork_child(void);

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel_start(void (*body)(void *), void *data, unsigned threads);
void GOMP_parallel_end(void);
void GOMP_barrier(void);
bool GOMP_loop_dynamic_start(long from, long to, long step, long chunk, long *first, long *last);
bool GOMP_loop_dynamic_next(long *first, long *last);
bool GOMP_loop_ordered_dynamic_next(long *first, long *last);
void GOMP_loop_end(void);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_doacross_wait(long first, ...);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes,
	       long alignment, bool is_undeferred, unsigned flags, void **depend, int priority);
void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes,
		   long alignment, unsigned flags, unsigned long tasks, int priority, long from,
		   long to, long step);
void GOMP_taskwait(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_teams_reg(void (*body)(void *), void *data, unsigned teams, unsigned limit,
		    unsigned flags);
void GOMP_target_end_data(void);
void omp_init_lock(int *lock);
void omp_set_lock(int *lock);
int omp_test_lock(int *lock);
void omp_unset_lock(int *lock);
void omp_destroy_lock(int *lock);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);

#if defined LIBRARY

static struct {
	int number, calls;
	const char *how;
	pid_t child;
	bool came;
} told;

void fork_in_call(int number, const char *how)
{
	told.number = number;
	told.how = how;
	told.calls = 0;
	told.came = false;
}

bool fork_came(void)
{
	return told.came;
}

pid_t fork_child(void)
{
	return told.child;
}

static void fork_here(int signal_number)
{
	(void)signal_number;
	told.child =
		strcmp(told.how, "clone") ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void called(void)
{
	if (++told.calls != told.number)
		return;
	told.came = true;
	if (strcmp(told.how, "handler")) {
		fork_here(0);
		return;
	}
	signal(SIGUSR1, fork_here);
	raise(SIGUSR1);
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
	(void)threads;
	(void)flags;
	called();
	body(data);
	called();
}

void GOMP_parallel_start(void (*body)(void *), void *data, unsigned threads)
{
	(void)body;
	(void)data;
	(void)threads;
	called();
}

void GOMP_parallel_end(void)
{
	called();
}

void GOMP_barrier(void)
{
	called();
}

static bool piece(long *first, long *last, bool is_first)
{
	called();
	*first = 0;
	*last = 1;
	return is_first;
}

bool GOMP_loop_dynamic_start(long from, long to, long step, long chunk, long *first, long *last)
{
	(void)from;
	(void)to;
	(void)step;
	(void)chunk;
	return piece(first, last, true);
}

bool GOMP_loop_dynamic_next(long *first, long *last)
{
	return piece(first, last, false);
}

bool GOMP_loop_ordered_dynamic_next(long *first, long *last)
{
	return piece(first, last, false);
}

void GOMP_loop_end(void)
{
	called();
}

unsigned GOMP_sections_start(unsigned count)
{
	called();
	return count;
}

unsigned GOMP_sections_next(void)
{
	called();
	return 0;
}

void GOMP_sections_end(void)
{
	called();
}

bool GOMP_single_start(void)
{
	called();
	return true;
}

void *GOMP_single_copy_start(void)
{
	called();
	return NULL;
}

void GOMP_single_copy_end(void *data)
{
	(void)data;
	called();
}

void GOMP_critical_start(void)
{
	called();
}

void GOMP_critical_end(void)
{
	called();
}

void GOMP_critical_name_start(void **name)
{
	(void)name;
	called();
}

void GOMP_critical_name_end(void **name)
{
	(void)name;
	called();
}

void GOMP_ordered_start(void)
{
	called();
}

void GOMP_ordered_end(void)
{
	called();
}

void GOMP_doacross_wait(long first, ...)
{
	(void)first;
	called();
}

void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes,
	       long alignment, bool is_undeferred, unsigned flags, void **depend, int priority)
{
	(void)copy;
	(void)bytes;
	(void)alignment;
	(void)is_undeferred;
	(void)flags;
	(void)depend;
	(void)priority;
	called();
	body(data);
	called();
}

void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes,
		   long alignment, unsigned flags, unsigned long tasks, int priority, long from,
		   long to, long step)
{
	(void)copy;
	(void)bytes;
	(void)alignment;
	(void)flags;
	(void)tasks;
	(void)priority;
	(void)step;
	((long *)data)[0] = from;
	((long *)data)[1] = to;
	called();
	body(data);
	called();
}

void GOMP_taskwait(void)
{
	called();
}

void GOMP_taskgroup_start(void)
{
	called();
}

void GOMP_taskgroup_end(void)
{
	called();
}

void GOMP_teams_reg(void (*body)(void *), void *data, unsigned teams, unsigned limit,
		    unsigned flags)
{
	(void)teams;
	(void)limit;
	(void)flags;
	called();
	body(data);
	called();
}

void GOMP_target_end_data(void)
{
	called();
}

void omp_init_lock(int *lock)
{
	*lock = 0;
	called();
}

void omp_set_lock(int *lock)
{
	*lock = 1;
	called();
}

/* Always taken, so that whoever tries first has to wait. */
int omp_test_lock(int *lock)
{
	(void)lock;
	called();
	return 0;
}

void omp_unset_lock(int *lock)
{
	*lock = 0;
}

void omp_destroy_lock(int *lock)
{
	*lock = 0;
	called();
}

int omp_get_thread_num(void)
{
	return 0;
}

int omp_get_num_threads(void)
{
	return 1;
}

int omp_get_max_threads(void)
{
	return 1;
}

#else

static int done;

static void count(void *data)
{
	(void)data;
	GOMP_taskwait();
	done++;
}

static void waits(void)
{
	GOMP_barrier();
	GOMP_taskwait();
	GOMP_taskgroup_start();
	GOMP_taskgroup_end();
	GOMP_single_start();
	GOMP_single_copy_end(GOMP_single_copy_start());
}

static void pieces(void)
{
	long first, last;

	for (bool more = GOMP_loop_dynamic_start(0, 1, 1, 1, &first, &last); more;)
		more = GOMP_loop_dynamic_next(&first, &last);
	GOMP_loop_ordered_dynamic_next(&first, &last);
	GOMP_doacross_wait(0, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L,
			   0L, 0L, 0L, 0L, 0L, 0L, 0L);
	GOMP_loop_end();
	for (unsigned section = GOMP_sections_start(1); section;)
		section = GOMP_sections_next();
	GOMP_sections_end();
}

static void locks(void)
{
	static void *name;
	int lock;

	for (int i = 0; i < 2; i++) { /* the second time it looks as if somebody held them */
		GOMP_critical_start();
		GOMP_critical_name_start(&name);
		GOMP_ordered_start();
		GOMP_ordered_end();
	}
	GOMP_critical_name_end(&name);
	GOMP_critical_end();
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	omp_test_lock(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
}

static void tasks(void)
{
	long data[16] = {0};

	GOMP_task(count, data, NULL, sizeof data, 8, true, 0, NULL, 0);
	GOMP_taskloop(count, data, NULL, sizeof data, 8, 0, 1, 0, 0, 1, 1);
	GOMP_teams_reg(count, NULL, 1, 1, 0);
	GOMP_target_end_data();
}

static void body(void *data)
{
	(void)data;
	waits();
	pieces();
	locks();
	tasks();
	done++;
}

static void all_calls(void)
{
	done = 0;
	GOMP_parallel(body, NULL, 1, 0);
	GOMP_parallel_start(body, NULL, 1);
	body(NULL);
	GOMP_parallel_end();
}

enum { DONE = 8, CHILD_STATUS = 9 };

/* False: there are fewer calls than that. */
static bool with_fork_in(int number, const char *how, int *wrong)
{
	int status = 0;

	fork_in_call(number, how);
	all_calls();
	if (fork_came() && !fork_child())
		exit(done == DONE ? CHILD_STATUS : 1);
	if (!fork_came())
		return false;
	if (waitpid(fork_child(), &status, 0) < 0 || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != CHILD_STATUS) {
		fprintf(stderr, "wrong: the child of call %d, status %#x\n", number, status);
		++*wrong;
	}
	return true;
}

int main(int arguments, char **argument)
{
	int number = 0, wrong = 0;

	if (arguments < 2)
		return 2;
	while (with_fork_in(++number, argument[1], &wrong))
		;
	printf("%d children came to harm\n", wrong);
	return wrong != 0;
}

#endif
