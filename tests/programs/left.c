/* SPDX-License-Identifier: MIT */
/* left KIND: waits that never return to their caller, and what runs instead.
 *
 *   sleep   a time-out jumps out of a sleep; then the thread computes
 *   read    a time-out jumps out of reading a pipe; then the thread computes, naps unseen, computes
 *   own     a handler jumps out of the profiler's own code, at several places (x86-64); then the
 *           thread sleeps, repeatedly
 *   cancel  a thread is cancelled in a condition's wait, and computes in its cleanup handler
 *   async   threads are cancelled asynchronously, wherever they are; then the process sleeps
 *   above   a handler on an alternate stack above the thread's stack sleeps while the thread waits
 *   deeper  a time-out jumps out of a sleep; then a routine that lies deeper on the stack sleeps
 *   causes  waits for semaphores and a condition that cancellation, a signal or a time-out ends
 *   killed  threads are in their first wait when the process kills itself
 *
 * Truth: seconds of waiting, of CPU time where it matters, and counts. */
#include "truth.h"
#ifdef __x86_64__
#include "own_code.h"
#endif
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

enum { SLEEPS = 200 };

static sigjmp_buf out;

static void jump(int number)
{
	(void)number;
	siglongjmp(out, 1);
}

static void *nothing(void *unused)
{
	return unused;
}

static void be_parallel(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
}

static NOINLINE void compute(void *seconds)
{
	double before = cpu(), begin = now();
	BURN(*(double *)seconds);
	truth("computed", cpu() - before);
	truth("computing", now() - begin);
}

static void time_out(double seconds)
{
	struct itimerval timer = {.it_value.tv_usec = (suseconds_t)(seconds * 1e6)};
	signal(SIGALRM, jump);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* usleep, which nothing else here calls */
static NOINLINE void doze(void)
{
	usleep(1000);
	KEEP;
}

static void sleep_often(void)
{
	double begin = now();
	for (int i = 0; i < SLEEPS; i++)
		doze();
	truth("dozed", now() - begin);
	truth("dozes", SLEEPS);
}

static void leave_sleep(void)
{
	struct timespec long_time = {100, 0};
	double begin = now();
	if (!sigsetjmp(out, 1)) {
		time_out(0.1);
		nanosleep(&long_time, NULL);
	}
	truth("waited", now() - begin);
}

static void leave_read(void)
{
	int ends[2];
	char byte;
	if (pipe(ends))
		abort();
	double begin = now();
	if (!sigsetjmp(out, 1)) {
		time_out(0.1);
		if (read(ends[0], &byte, 1) != 1)
			abort();
	}
	truth("waited", now() - begin);
}

#ifdef __x86_64__
/* The trap flag raises SIGTRAP behind each instruction of a sleep; the handler counts those of the
 * profiler's, and jumps out of one. */
enum { TRAP_FLAG = 0x100, FIRST_STEP = 10, LAST_STEP = 150, STEP_DISTANCE = 20 };

static volatile int steps_left, is_over;

static void step(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	uintptr_t at = (uintptr_t)registers[REG_RIP];
	(void)number;
	(void)info;
	if (is_over)
		registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	else
		registers[REG_EFL] |= TRAP_FLAG;
	if (!is_over && is_own_code(at) && steps_left-- == 0)
		siglongjmp(out, 1);
}

/* True: it was left. */
static int leave_own_at(int place)
{
	struct timespec short_time = {0, 1};
	steps_left = place;
	is_over = 0;
	if (sigsetjmp(out, 1))
		return 1;
	raise(SIGTRAP);
	nanosleep(&short_time, NULL);
	is_over = 1;
	raise(SIGTRAP);
	return 0;
}

static void leave_own(void)
{
	struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
	struct timespec short_time = {0, 1};
	int jumped = 0;
	dl_iterate_phdr(find_own_code, NULL);
	nanosleep(&short_time,
		  NULL); /* makes what only the first one makes, with signals blocked */
	nanosleep(&short_time, NULL);
	sigaction(SIGTRAP, &action, NULL);
	for (int place = FIRST_STEP; own_begin && place <= LAST_STEP; place += STEP_DISTANCE)
		jumped += leave_own_at(place);
	truth("jumped", jumped);
}
#else
static void leave_own(void)
{
}
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int is_waiting;

static void clean_up(void *begin)
{
	double seconds = 0.4;
	truth("waited", now() - *(double *)begin);
	compute(&seconds);
	pthread_mutex_unlock(&mutex);
}

static void *wait_for_ever(void *unused)
{
	double begin;
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean_up, &begin);
	begin = now();
	is_waiting = 1;
	for (;;)
		pthread_cond_wait(&condition, &mutex);
	pthread_cleanup_pop(1);
	return unused;
}

/* Not before it waits. */
static void cancel_waiting(void *(*routine)(void *))
{
	pthread_t thread;
	is_waiting = 0;
	pthread_create(&thread, NULL, routine, NULL);
	await_raw(&is_waiting, 1);
	nap_raw(0.1);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
}

static void cancel(void *(*routine)(void *), double after)
{
	pthread_t thread;
	pthread_create(&thread, NULL, routine, NULL);
	nap_raw(after);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
}

static void *sleep_for_ever(void *unused)
{
	struct timespec time = {0, 25000};
	int old;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;)
		nanosleep(&time, NULL);
	return unused;
}

static void storm(void)
{
	double end = now() + 2;
	unsigned number = 0;
	while (now() < end)
		cancel(sleep_for_ever, 0.0015 + number++ % 300 * 1e-6);
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	truth("cpu", (double)time.tv_sec + 1e-9 * (double)time.tv_nsec);
}

static sem_t semaphore;
static char *above;

static int handled;

static void sleep_in_handler(int number)
{
	(void)number;
	doze();
	__atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

static void *wait_below(void *unused)
{
	stack_t stack = {.ss_sp = above, .ss_size = 65536};
	int here;
	sigaltstack(&stack, NULL);
	truth("above", (char *)&here < above);
	is_waiting = 1;
	double begin = now();
	while (sem_wait(&semaphore))
		;
	truth("waited", now() - begin);
	return unused;
}

static void interrupt_below(void)
{
	struct sigaction action = {.sa_handler = sleep_in_handler,
				   .sa_flags = SA_ONSTACK | SA_RESTART};
	char *space =
		mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;
	above = space + (1 << 19);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, space, 1 << 19);
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, &attributes, wait_below, NULL);
	await_raw(&is_waiting, 1);
	for (int i = 0; i < 20; i++) {
		nap_raw(0.01);
		pthread_kill(thread, SIGUSR1);
		await_raw(&handled, i + 1); /* or two signals could become one */
	}
	nap_raw(0.05);
	sem_post(&semaphore);
	pthread_join(thread, NULL);
}

static sem_t cancelled_semaphore, interrupted_semaphore, late_semaphore;
static pthread_cond_t left_condition = PTHREAD_COND_INITIALIZER;
static volatile int waiting, woken[2];

static void *wait_for_semaphore(void *unused)
{
	is_waiting = 1;
	sem_wait(&cancelled_semaphore);
	return unused;
}

static void interrupt(int number)
{
	(void)number;
}

static void *wait_for_signal(void *unused)
{
	struct sigaction action = {.sa_handler = interrupt};
	struct timespec until;
	sigaction(SIGUSR1, &action, NULL);
	is_waiting = 1;
	truth("interrupted", sem_wait(&interrupted_semaphore));
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	truth("timed_out", sem_timedwait(&late_semaphore, &until));
	return unused;
}

static void unlock(void *begin)
{
	truth("waited", now() - *(double *)begin);
	pthread_mutex_unlock(&mutex);
}

static void *wait_for_condition(void *number)
{
	double begin = now();
	pthread_mutex_lock(&mutex);
	waiting++;
	pthread_cleanup_push(unlock, &begin);
	pthread_cond_wait(&left_condition, &mutex);
	pthread_cleanup_pop(0);
	woken[(long)number] = 1;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* Of two that wait one is signalled, and later the other cancelled. */
static void cancel_after_signal(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_for_condition, (void *)i);
	while (waiting < 2)
		nap_raw(0.001);
	nap_raw(0.1);
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&left_condition);
	pthread_mutex_unlock(&mutex);
	while (!woken[0] && !woken[1])
		nap_raw(0.001);
	nap_raw(0.1);
	pthread_cancel(threads[woken[0] ? 1 : 0]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void end_in_all_ways(void)
{
	pthread_t thread;
	sem_init(&cancelled_semaphore, 0, 0);
	sem_init(&interrupted_semaphore, 0, 0);
	sem_init(&late_semaphore, 0, 0);
	cancel_waiting(wait_for_semaphore);
	is_waiting = 0;
	pthread_create(&thread, NULL, wait_for_signal, NULL);
	await_raw(&is_waiting, 1);
	nap_raw(0.1);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	cancel_after_signal();
}

static void *wait_at_once(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

/* The name goes on to the thread that it starts. */
static void *start_another(void *unused)
{
	pthread_t thread;
	pthread_setname_np(pthread_self(), "starter");
	pthread_create(&thread, NULL, wait_at_once, NULL);
	return wait_at_once(unused);
}

static void die_while_others_wait(void)
{
	pthread_t threads[2];
	pthread_mutex_lock(&mutex);
	pthread_create(&threads[0], NULL, wait_at_once, NULL);
	pthread_create(&threads[1], NULL, start_another, NULL);
	nap_raw(0.3);
	truth_end();
	raise(SIGKILL);
}

static NOINLINE void sleep_deeper(int depth)
{
	volatile char room[256] = {0};
	if (depth + room[0])
		sleep_deeper(depth - 1);
	else
		sleep_often();
	KEEP;
}

int main(int count, char **arguments)
{
	const char *kind = count > 1 ? arguments[1] : "sleep";
	double seconds = 0.4;
	be_parallel();
	if (!strcmp(kind, "sleep")) {
		leave_sleep();
		compute(&seconds);
	} else if (!strcmp(kind, "read")) {
		leave_read();
		compute(&seconds);
		double begin = now();
		nap_raw(0.3);
		truth("napped", now() - begin);
		compute(&seconds);
	} else if (!strcmp(kind, "own")) {
		leave_own();
		compute(&seconds);
		sleep_often();
	} else if (!strcmp(kind, "cancel")) {
		cancel_waiting(wait_for_ever);
	} else if (!strcmp(kind, "async")) {
		storm();
	} else if (!strcmp(kind, "above")) {
		interrupt_below();
	} else if (!strcmp(kind, "causes")) {
		end_in_all_ways();
	} else if (!strcmp(kind, "killed")) {
		die_while_others_wait();
	} else if (!strcmp(kind, "deeper")) {
		leave_sleep();
		sleep_deeper(10);
	}
	truth_end();
	return 0;
}
