/* SPDX-License-Identifier: MIT */
/* interrupted OPERATION DISTANCE [MOST]
 * interrupted OPERATION HANDLER PLACE:TIME...   some of these processes alone, as their lines say
 *
 * A handler of the program at exactly one instruction of a wrapped call, for each of them in a
 * process of its own. Of the places of the operation every DISTANCE-th is taken, by each handler
 * another one; MOST: so few for each handler, and those alone to which the work comes in a hurry.
 * The operation is repeated afterwards; nothing disturbs that. Handlers:
 *
 *   calls  locks another mutex, posts semaphores, sleeps, writes to a pipe
 *   fork   makes a child that ends at once
 *   jump   leaves by siglongjmp, and the operation with it
 *   leap   calls, and then jumps
 *
 * Prints a line for each process: its number, handler and place; whether the signal was sent, how
 * often it was handled, the call that was left (- if none), the status as wait says it, and how
 * often it made each call.
 *
 * Faults that were put into the library by hand, and found: activity_begin without busy_begin
 * (meet: 503 of 1,552 processes had other counts); a row of counts that is begun without asking
 * whether a handler was quicker, and emptied (post_many: a call is missing); holds whose number
 * stays odd after a jump (post_awaited: nobody ends the later waits). Not found: a table of counts
 * whose number of rows is stored before its place, since what a handler counts then lies in the new
 * table. */
#include "single_steps.h"

#include <semaphore.h>
#include <setjmp.h>

enum { REPEATS = 3, TIME_LIMIT = 120, MANY = 8 };

/* ---- what was done: the truth ---- */

#define CALLS(CALL)                                                                                \
	CALL(MUTEX_LOCK)                                                                           \
	CALL(UNLOCKS)                                                                              \
	CALL(SEM_POST)                                                                             \
	CALL(SEM_WAIT)                                                                             \
	CALL(COND_TIMEDWAIT)                                                                       \
	CALL(COND_WAIT)                                                                            \
	CALL(COND_SIGNAL)                                                                          \
	CALL(BARRIER_WAIT)                                                                         \
	CALL(READ) CALL(WRITE) CALL(CREATE) CALL(JOIN) CALL(FORK) CALL(WAIT_CHILD) CALL(NANOSLEEP)

#define CALL_NAME(name)   #name,
#define CALL_NUMBER(name) CALL_##name,
static const char *const call_names[] = {CALLS(CALL_NAME)};
enum call { CALLS(CALL_NUMBER) CALL_COUNT, CALL_NONE = -1 };

static struct {
	struct steps steps;
	volatile long did[CALL_COUNT]; /* atomic: calls that began */
	volatile int under_way, left;  /* enum call, of the first thread */
	volatile int handled;
} * shared;

static __thread int is_first; /* the thread that is stepped through */

static int begin_call(enum call call)
{
	int outer = shared->under_way;

	if (is_first)
		shared->under_way = call; /* first: what a jump leaves here may count or not */
	__atomic_fetch_add(&shared->did[call], 1, __ATOMIC_SEQ_CST);
	return outer;
}

static void end_call(int outer)
{
	if (is_first)
		shared->under_way = outer;
}

#define DO(name, call)                                                                             \
	do {                                                                                       \
		int outer_ = begin_call(CALL_##name);                                              \
		(void)!(call);                                                                     \
		end_call(outer_);                                                                  \
	} while (0)

/* ---- what is called ---- */

struct objects {
	pthread_mutex_t mutex, others;
	pthread_cond_t condition;
	pthread_barrier_t barrier;
	sem_t semaphore, many[MANY], posted[MANY];
};
static struct objects objects, unused;
static int pipe_ends[2], handlers_pipe[2];
static volatile bool is_signalled;

static void lock_and_unlock(void)
{
	DO(MUTEX_LOCK, pthread_mutex_lock(&objects.mutex));
	DO(UNLOCKS, pthread_mutex_unlock(&objects.mutex));
}

static void lock(void)
{
	DO(MUTEX_LOCK, pthread_mutex_lock(&objects.mutex));
}

static void unlock(void)
{
	DO(UNLOCKS, pthread_mutex_unlock(&objects.mutex));
}

static void post(void)
{
	DO(SEM_POST, sem_post(&objects.semaphore));
}

static void take(void)
{
	DO(SEM_WAIT, sem_wait(&objects.semaphore));
}

static void post_and_take(void)
{
	post();
	take();
}

/* Enough objects that the table of calls becomes larger in the middle of it. */
static void post_many(void)
{
	for (int i = 0; i < MANY; i++)
		DO(SEM_POST, sem_post(&objects.many[i]));
}

static void time_out(void)
{
	struct timespec until = deadline(CLOCK_REALTIME, 0.002);
	volatile int result = 0;

	lock();
	while (!result)
		DO(COND_TIMEDWAIT,
		   result = pthread_cond_timedwait(&objects.condition, &objects.mutex, &until));
	unlock();
}

static void wait_for_signal(void)
{
	lock();
	while (!is_signalled)
		DO(COND_WAIT, pthread_cond_wait(&objects.condition, &objects.mutex));
	is_signalled = false;
	unlock();
}

/* Who waits is asleep: the mutex, which a jump would leave locked, is not needed. */
static void give_signal(void)
{
	is_signalled = true;
	DO(COND_SIGNAL, pthread_cond_signal(&objects.condition));
}

static void meet(void)
{
	DO(BARRIER_WAIT, pthread_barrier_wait(&objects.barrier));
}

static void write_byte(void)
{
	DO(WRITE, write(pipe_ends[1], "", 1));
}

static void read_byte(void)
{
	char byte;
	DO(READ, read(pipe_ends[0], &byte, 1));
}

static void write_and_read(void)
{
	write_byte();
	read_byte();
}

static void *nothing(void *unused_argument)
{
	return unused_argument;
}

static void give_birth(void)
{
	pthread_t thread;

	DO(CREATE, pthread_create(&thread, NULL, nothing, NULL));
	DO(JOIN, pthread_join(thread, NULL));
}

static NOINLINE void compute(void)
{
	BURN(0.03);
}

/* What the helper does: `before` at once, `later` when the first thread is asleep, or its work is
 * over. Without `before` and with is_waiting, the work begins when the helper is asleep in `later`.
 */
struct operation {
	const char *name;
	void (*work)(void);
	void (*before)(void), (*later)(void);
	void (*wake)(void);  /* lets the helper go that waits, if the work was left */
	void (*again)(void); /* what a handler may do at the same places, with the same objects */
	bool from_sample;
	bool has_locks; /* of libc's, which must neither be left nor copied */
};

static const struct operation operations[] = {
	{"lock", lock_and_unlock, 0, 0, 0, 0, 0, 0},
	{"lock_taken", lock_and_unlock, lock, unlock, 0, 0, 0, 0},
	{"post", post, 0, 0, 0, post, 0, 0},
	{"post_many", post_many, 0, 0, 0, post_many, 0, 0},
	{"post_awaited", post, 0, take, post, 0, 0, 0},
	{"take", post_and_take, 0, 0, 0, post_and_take, 0, 0},
	{"take_awaited", take, 0, post, 0, 0, 0, 0},
	{"time_out", time_out, 0, 0, 0, 0, 0, 0},
	{"signal", give_signal, 0, wait_for_signal, give_signal, 0, 0, 1},
	{"meet", meet, 0, 0, 0, 0, 0, 0},
	{"read", write_and_read, 0, 0, 0, 0, 0, 0},
	{"read_awaited", read_byte, 0, write_byte, 0, 0, 0, 0},
	{"birth", give_birth, 0, 0, 0, 0, 0, 1},
	{"sample", compute, 0, 0, 0, 0, 1, 0},
};
static const struct operation *operation;

/* ---- the handler ---- */

enum { HANDLER_CALLS = 1, HANDLER_FORKS = 2, HANDLER_JUMPS = 4 };
static const struct handler {
	const char *name;
	int does;
} handlers[] = {
	{"calls", HANDLER_CALLS},
	{"fork", HANDLER_FORKS},
	{"jump", HANDLER_JUMPS},
	{"leap", HANDLER_CALLS | HANDLER_JUMPS},
};
enum { HANDLERS = sizeof handlers / sizeof *handlers };
static int handler_does;
static sigjmp_buf outside;
static volatile bool may_jump;

static void doze(void)
{
	struct timespec short_time = {0, 1};

	DO(NANOSLEEP, nanosleep(&short_time, NULL));
}

/* So many that the table of calls becomes larger in the middle of the work that does so, too. */
static void make_calls(void)
{
	DO(MUTEX_LOCK, pthread_mutex_lock(&objects.others));
	DO(UNLOCKS, pthread_mutex_unlock(&objects.others));
	for (int i = 0; i < MANY; i++)
		DO(SEM_POST, sem_post(&objects.posted[i]));
	doze();
	DO(WRITE, write(handlers_pipe[1], "", 1));
	if (operation->again)
		operation->again();
}

static void make_child(void)
{
	pid_t child;
	int status;

	DO(FORK, child = fork());
	if (!child)
		_exit(0);
	DO(WAIT_CHILD, waitpid(child, &status, 0));
}

static void handle(int number)
{
	int saved = errno;

	(void)number;
	shared->handled++;
	if (handler_does & HANDLER_CALLS)
		make_calls();
	if (handler_does & HANDLER_FORKS)
		make_child();
	errno = saved;
	if (handler_does & HANDLER_JUMPS && may_jump) {
		may_jump = false;
		siglongjmp(outside, 1);
	}
}

/* ---- the helper ---- */

static volatile int rounds_begun, rounds_ready, rounds_done, is_over;
static volatile bool is_working, may_go_on;
static pid_t first, helper;

/* The first thread also sleeps between the rounds. */
static void await_asleep(pid_t thread)
{
	while (!(is_asleep_raw(thread) && (thread != first || is_working)) && !may_go_on)
		nap_raw(0.0003);
}

static void *help(void *unused_argument)
{
	helper = (pid_t)syscall(SYS_gettid);
	for (int round = 1;; round++) {
		await_raw(&rounds_begun, round);
		if (is_over)
			return unused_argument;
		if (operation->before)
			operation->before();
		increment(&rounds_ready);
		if (!operation->wake)
			await_asleep(first);
		operation->later();
		increment(&rounds_done);
	}
}

static void begin_round(void)
{
	if (!operation->later)
		return;
	may_go_on = false;
	await_raw(&rounds_ready, increment(&rounds_begun));
	if (operation->wake)
		await_asleep(helper);
	is_working = true;
}

/* The helper has done its part, also if the first thread has left its own. */
static void end_round(void)
{
	is_working = false;
	may_go_on = true;
	for (double begin = now(); rounds_done < rounds_begun; nap_raw(0.0003))
		if (operation->wake && now() > begin + 0.2) {
			operation->wake();
			begin = now();
		}
}

/* ---- the child ---- */

static void set_up(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

	is_first = 1;
	first = (pid_t)syscall(SYS_gettid);
	alarm(TIME_LIMIT);
	sigaction(SIGUSR1, &action, NULL);
	if (pipe(pipe_ends) || pipe(handlers_pipe))
		_exit(92);
	lock_and_unlock(); /* a process without calls has no profile yet: that takes a million steps
			    */
}

/* What a jump has left half done in libc's objects is none of the profiler's business. */
static void renew(void)
{
	char byte;

	shared->left = shared->under_way;
	shared->under_way = CALL_NONE;
	objects = unused;
	is_signalled = false;
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	while (syscall(SYS_read, pipe_ends[0], &byte, 1) == 1)
		;
	fcntl(pipe_ends[0], F_SETFL, 0);
}

static void work_disturbed(void)
{
	begin_round();
	if (!sigsetjmp(outside, 1)) {
		may_jump = true;
		steps_begin();
		operation->work();
		shared->steps.is_over = true;
		may_jump = false;
		end_round();
	} else {
		end_round();
		renew();
	}
}

static int be_child(void)
{
	pthread_t thread;

	set_up();
	steps_let_trace();
	if (operation->later)
		DO(CREATE, pthread_create(&thread, NULL, help, NULL));
	work_disturbed();
	for (int i = 0; i < REPEATS; i++) {
		doze(); /* what a jump has left is closed at the thread's next wait */
		begin_round();
		operation->work();
		end_round();
	}
	is_over = 1;
	increment(&rounds_begun);
	if (operation->later)
		DO(JOIN, pthread_join(thread, NULL));
	return 0;
}

/* ---- the parent ---- */

static void say(pid_t child, const char *handler, const struct step_place *place, int status)
{
	char line[1024];
	int used = snprintf(line, sizeof line, "%d %s %lx:%u %d %d %s %d", child, handler,
			    (unsigned long)(place->code - own_begin), place->time,
			    shared->steps.was_sent, shared->handled,
			    shared->left < 0 ? "-" : call_names[shared->left], status);

	for (int i = 0; i < CALL_COUNT; i++)
		used += snprintf(line + used, sizeof line - (size_t)used, " %s=%ld", call_names[i],
				 shared->did[i]);
	line[used++] = '\n';
	line[used] = 0;
	truth_write(NULL, line);
}

static pid_t make(void)
{
	memset(shared, 0, sizeof *shared);
	shared->under_way = shared->left = CALL_NONE;
	pid_t child = fork();
	if (!child)
		exit(be_child());
	return child;
}

/* False: it did not come to that place. */
static bool disturb(const struct handler *handler, const struct step_place *place, bool is_slow)
{
	bool is_own = place->code >= own_begin && place->code < own_end;

	handler_does = handler->does;
	if (operation->has_locks && handler_does & ~HANDLER_CALLS && !is_own)
		return true;
	pid_t child = make();
	say(child, handler->name, place,
	    steps_disturb(child, operation->from_sample, is_slow, place, &shared->steps));
	return shared->steps.was_sent;
}

static void record(void)
{
	pid_t child = make();
	int status = steps_record(child, operation->from_sample, &shared->steps);

	say(child, "none", &(struct step_place){own_begin, 0}, status);
}

static const struct operation *chosen(const char *name)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (!strcmp(name, operations[i].name))
			return &operations[i];
	exit(2);
}

static void disturb_one(const char *handler, const char *words)
{
	unsigned long code = 0;
	struct step_place place = {.time = 1};

	sscanf(words, "%lx:%u", &code, &place.time);
	place.code = own_begin + code;
	for (int i = 0; i < HANDLERS; i++)
		if (!strcmp(handler, handlers[i].name))
			(void)(disturb(&handlers[i], &place, false) ||
			       disturb(&handlers[i], &place, true));
}

static void disturb_all(long distance, long most)
{
	record();
	if (most)
		distance = steps_list.count / most + 1;
	for (long i = 0; i < HANDLERS; i++)
		for (long at = i * distance / HANDLERS; at < steps_list.count; at += distance)
			if (!disturb(&handlers[i], &steps_list.places[at], false) && !most)
				disturb(&handlers[i], &steps_list.places[at], true);
}

int main(int count, char **words)
{
	if (count < 3)
		return 2;
	if (!STEPS_ARE_KNOWN)
		return 0;
	operation = chosen(words[1]);

	pthread_barrier_init(&objects.barrier, NULL, 1);
	unused = objects;
	dl_iterate_phdr(find_own_code, NULL);
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	long distance = atol(words[2]);
	if (distance)
		disturb_all(distance, count > 3 ? atol(words[3]) : 0);
	for (int i = 3; i < count && !distance; i++)
		disturb_one(words[2], words[i]);
	return 0;
}
