/* SPDX-License-Identifier: MIT */
/* Objects that are gone as soon as a call has taken effect. One thread acts; another one, which
 * sees the effect, ends the object and unmaps its memory, while the first one is still returning.
 * Then whoever looks at the object after the call gets SIGSEGV. All memory of malloc is of such
 * pages.
 *
 *   freed_objects SCENE ROUNDS    a scene of the table below; half of the rounds on one processor,
 *                                 where a wake-up in the call lets the other thread run at once
 *   freed_objects locks           streams whose calls are cancelled or left by a jump: who holds
 *                                 their locks afterwards */
#include "truth.h"

#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PAGE = 4096, HEAD = 64, MANY = 2 * PAGE, LINES = 100 };

/* ---- memory that is unmapped when it is freed ---- */

static void *map(size_t size)
{
	void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return place == MAP_FAILED ? NULL : place;
}

void *malloc(size_t size)
{
	size_t whole = (size + HEAD + PAGE - 1) / PAGE * PAGE;
	size_t *head = map(whole);

	if (!head)
		return NULL;
	head[0] = whole;
	return (char *)head + HEAD;
}

void free(void *place)
{
	int saved = errno;
	size_t *head = (size_t *)(void *)((char *)place - HEAD);

	if (place)
		munmap(head, head[0]);
	errno = saved;
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

void *realloc(void *place, size_t size)
{
	char *larger = malloc(size);
	size_t had = place ? ((size_t *)(void *)((char *)place - HEAD))[0] - HEAD : 0;

	if (larger && place)
		memcpy(larger, place, had < size ? had : size);
	free(place);
	return larger;
}

/* ---- the two threads ---- */

struct scene {
	const char *name;
	void (*make)(void), (*act)(void), (*end)(void);
};

static sem_t begun, acted, held;
static const struct scene *scene;

static void *actor(void *rounds)
{
	for (long i = 0; i < (long)rounds; i++) {
		sem_wait(&begun);
		scene->act();
		sem_post(&acted);
	}
	return NULL;
}

static void play(long rounds)
{
	pthread_t thread;

	pthread_create(&thread, NULL, actor, (void *)rounds);
	for (long i = 0; i < rounds; i++) {
		scene->make();
		sem_post(&begun);
		scene->end();
		sem_wait(&acted);
	}
	pthread_join(thread, NULL);
}

/* ---- streams that are written ---- */

static FILE *stream;
static int ends[2];
static char many[MANY + 1];

static void make_writer(int mode)
{
	if (pipe(ends))
		exit(4);
	stream = fdopen(ends[1], "w");
	setvbuf(stream, NULL, mode, 0);
}

static void make_unbuffered(void)
{
	make_writer(_IONBF);
}

static void make_of_lines(void)
{
	make_writer(_IOLBF);
}

/* With a buffer that is made. */
static void make_buffered(void)
{
	make_writer(_IOFBF);
	fputc('x', stream);
}

static void put(void)
{
	fputc('x', stream);
}

static void put_line(void)
{
	fputs("line\n", stream);
}

static void write_many(void)
{
	fwrite(many, 1, MANY, stream);
}

static void flush(void)
{
	fflush(stream);
}

static void print_line(void)
{
	fprintf(stream, "%d\n", ends[0]);
}

static void print_many(void)
{
	fprintf(stream, "%d%s", ends[0], many);
}

static void close_writer(void)
{
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		exit(4);
	fclose(stream);
	close(ends[0]);
}

/* ---- streams that are read ---- */

static void make_reader(void)
{
	if (pipe(ends))
		exit(4);
	fcntl(ends[1], F_SETPIPE_SZ, PAGE);
	stream = fdopen(ends[0], "r");
}

static void get(void)
{
	fgetc(stream);
}

static void get_text(void)
{
	char line[100];

	fgets(line, sizeof line, stream);
}

static void get_line(void)
{
	char *line = NULL;
	size_t room = 0;

	getline(&line, &room, stream);
	free(line);
}

static void get_block(void)
{
	char block[5];

	fread(block, 1, sizeof block, stream);
}

/* Twice what the pipe holds: written when the other thread has read half of it. */
static void close_reader(void)
{
	if (write(ends[1], many, 2 * PAGE) != 2 * PAGE)
		exit(4);
	fclose(stream);
	close(ends[1]);
}

/* ---- streams that are opened anew ---- */

static void make_reopened(void)
{
	stream = fopen("/dev/null", "w");
}

/* Waits for the other end. */
static void reopen(void)
{
	freopen("fifo", "w", stream);
}

static void close_reopened(void)
{
	int end = open("fifo", O_RDONLY);

	flockfile(stream); /* until then freopen has it, and fclose would want libc's list before */
	funlockfile(stream);
	fclose(stream);
	close(end);
}

static void make_lines(void)
{
	FILE *file = fopen("lines", "w");

	for (int i = 0; i < LINES; i++)
		fputs("a line of text\n", file);
	fclose(file);
	stream = fopen("lines", "r");
}

static void get_lines(void)
{
	char line[100];

	for (int i = 0; i < 2 * LINES; i++) {
		if (!fgets(line, sizeof line, stream))
			rewind(stream);
		for (volatile int k = 0; k < i * 37 % 4000; k++)
			;
	}
}

/* Frees the buffer each time; the stream is closed when the other thread is done with it. */
static void reopen_lines(void)
{
	for (int i = 0; i < LINES; i++)
		freopen("lines", "r", stream);
	sem_wait(&acted);
	fclose(stream);
	sem_post(&acted);
}

/* ---- locks and what else threads wait for ---- */

static struct objects {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spinlock;
	pthread_barrier_t barrier;
	pthread_once_t once;
	sem_t semaphore;
	int word, is_set;
	char name[16];
} * objects;

static void unmap(void)
{
	munmap(objects, PAGE);
}

static void make_mutex(int type)
{
	pthread_mutexattr_t attributes;

	objects = map(PAGE);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutex_init(&objects->mutex, &attributes);
	pthread_cond_init(&objects->condition, NULL);
}

static void make_normal(void)
{
	make_mutex(PTHREAD_MUTEX_NORMAL);
}

static void make_default(void)
{
	make_mutex(PTHREAD_MUTEX_DEFAULT);
}

static void make_recursive(void)
{
	make_mutex(PTHREAD_MUTEX_RECURSIVE);
}

static void make_checking(void)
{
	make_mutex(PTHREAD_MUTEX_ERRORCHECK);
}

static void hold_mutex(void)
{
	pthread_mutex_lock(&objects->mutex);
	sem_post(&held);
	pthread_mutex_unlock(&objects->mutex);
}

static void end_mutex(void)
{
	sem_wait(&held);
	pthread_mutex_lock(&objects->mutex);
	pthread_mutex_unlock(&objects->mutex);
	pthread_mutex_destroy(&objects->mutex);
	unmap();
}

static void set_and_signal(void)
{
	pthread_mutex_lock(&objects->mutex);
	objects->is_set = 1;
	pthread_cond_signal(&objects->condition);
	pthread_mutex_unlock(&objects->mutex);
}

static void set_and_broadcast(void)
{
	pthread_mutex_lock(&objects->mutex);
	objects->is_set = 1;
	pthread_cond_broadcast(&objects->condition);
	pthread_mutex_unlock(&objects->mutex);
}

static void end_condition(void)
{
	pthread_mutex_lock(&objects->mutex);
	while (!objects->is_set)
		pthread_cond_wait(&objects->condition, &objects->mutex);
	pthread_mutex_unlock(&objects->mutex);
	pthread_cond_destroy(&objects->condition);
	pthread_mutex_destroy(&objects->mutex);
	unmap();
}

static void make_others(void)
{
	objects = map(PAGE);
	pthread_rwlock_init(&objects->rwlock, NULL);
	pthread_spin_init(&objects->spinlock, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&objects->barrier, NULL, 2);
	sem_init(&objects->semaphore, 0, 0);
}

static void hold_to_write(void)
{
	pthread_rwlock_wrlock(&objects->rwlock);
	sem_post(&held);
	pthread_rwlock_unlock(&objects->rwlock);
}

static void hold_to_read(void)
{
	pthread_rwlock_rdlock(&objects->rwlock);
	sem_post(&held);
	pthread_rwlock_unlock(&objects->rwlock);
}

static void end_rwlock(void)
{
	sem_wait(&held);
	pthread_rwlock_wrlock(&objects->rwlock);
	pthread_rwlock_unlock(&objects->rwlock);
	pthread_rwlock_destroy(&objects->rwlock);
	unmap();
}

static void hold_spinlock(void)
{
	pthread_spin_lock(&objects->spinlock);
	sem_post(&held);
	pthread_spin_unlock(&objects->spinlock);
}

static void end_spinlock(void)
{
	sem_wait(&held);
	pthread_spin_lock(&objects->spinlock);
	pthread_spin_unlock(&objects->spinlock);
	pthread_spin_destroy(&objects->spinlock);
	unmap();
}

static void post(void)
{
	sem_post(&objects->semaphore);
}

static void end_semaphore(void)
{
	sem_wait(&objects->semaphore);
	sem_destroy(&objects->semaphore);
	unmap();
}

static void arrive(void)
{
	pthread_barrier_wait(&objects->barrier);
}

static void end_barrier(void)
{
	arrive();
	pthread_barrier_destroy(&objects->barrier); /* waits for those that are leaving */
	unmap();
}

static void nothing(void)
{
}

static void tell(void)
{
	sem_post(&held);
}

static void run_once(void)
{
	pthread_once(&objects->once, tell);
}

static void end_once(void)
{
	sem_wait(&held);
	pthread_once(&objects->once, nothing); /* waits for the routine */
	unmap();
}

static void set_and_wake(void)
{
	__atomic_store_n(&objects->word, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &objects->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void end_futex(void)
{
	while (!__atomic_load_n(&objects->word, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &objects->word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	unmap();
}

/* ---- threads ---- */

static pthread_t first;

static void make_name(void)
{
	static int number;

	objects = map(PAGE);
	snprintf(objects->name, sizeof objects->name, "name %d", ++number % 10000);
}

static void set_name(void)
{
	pthread_setname_np(first, objects->name);
}

static void end_name(void)
{
	char name[16] = "";

	while (strcmp(name, objects->name)) {
		sched_yield();
		syscall(SYS_prctl, 16 /* PR_GET_NAME */, name);
	}
	unmap();
}

static void *at_once(void *unused)
{
	return unused;
}

/* Its stack is the program's, and goes when it is joined. */
static void join(void)
{
	enum { STACK = 256 << 10 };
	pthread_attr_t attributes;
	pthread_t thread;
	void *stack = map(STACK);

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, STACK);
	if (pthread_create(&thread, &attributes, at_once, NULL))
		exit(4);
	pthread_join(thread, NULL);
	munmap(stack, STACK);
}

static const struct scene scenes[] = {
	{"putc", make_unbuffered, put, close_writer},
	{"puts", make_of_lines, put_line, close_writer},
	{"write", make_buffered, write_many, close_writer},
	{"flush", make_buffered, flush, close_writer},
	{"print_line", make_of_lines, print_line, close_writer},
	{"print_unbuffered", make_unbuffered, print_line, close_writer},
	{"print_many", make_buffered, print_many, close_writer},
	{"getc", make_reader, get, close_reader},
	{"gets", make_reader, get_text, close_reader},
	{"getline", make_reader, get_line, close_reader},
	{"read", make_reader, get_block, close_reader},
	{"reopen", make_reopened, reopen, close_reopened},
	{"lines", make_lines, get_lines, reopen_lines},
	{"mutex_normal", make_normal, hold_mutex, end_mutex},
	{"mutex_default", make_default, hold_mutex, end_mutex},
	{"mutex_recursive", make_recursive, hold_mutex, end_mutex},
	{"mutex_checking", make_checking, hold_mutex, end_mutex},
	{"signal", make_default, set_and_signal, end_condition},
	{"broadcast", make_default, set_and_broadcast, end_condition},
	{"rwlock_written", make_others, hold_to_write, end_rwlock},
	{"rwlock_read", make_others, hold_to_read, end_rwlock},
	{"spinlock", make_others, hold_spinlock, end_spinlock},
	{"semaphore", make_others, post, end_semaphore},
	{"barrier", make_others, arrive, end_barrier},
	{"once", make_others, run_once, end_once},
	{"futex", make_others, set_and_wake, end_futex},
	{"name", make_name, set_name, end_name},
	{"join", nothing, join, nothing},
};

/* ---- calls that are left ---- */

static sigjmp_buf back;

static void jump(int number)
{
	siglongjmp(back, number);
}

static void *read_until_cancelled(void *unused)
{
	get_text();
	return unused;
}

static void *flush_until_cancelled(void *unused)
{
	flush();
	return unused;
}

static void *try_lock(void *unused)
{
	(void)unused;
	return (void *)(long)ftrylockfile(stream);
}

static long tried_by_another(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, try_lock, NULL);
	pthread_join(thread, &result);
	return (long)result;
}

static void cancel(const char *what, void *(*routine)(void *))
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, routine, NULL);
	usleep(20000);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("%s: cancelled %d, lock %ld\n", what, result == PTHREAD_CANCELED,
	       tried_by_another());
	fflush(stdout);
}

static void *jump_out(void *unused)
{
	struct itimerspec once = {.it_value = {0, 20000000}};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	timer_t timer;

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	if (!sigsetjmp(back, 1)) {
		timer_settime(timer, 0, &once, NULL);
		get_text();
	}
	timer_delete(timer);
	funlockfile(stream); /* libc's own, which the jump has left */
	printf("jumped: lock %ld\n", tried_by_another());
	fflush(stdout);
	return unused;
}

static void leave_calls(void)
{
	struct sigaction action = {.sa_handler = jump};
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	make_reader();
	cancel("reading", read_until_cancelled);
	make_reader();
	pthread_create(&thread, NULL, jump_out, NULL);
	pthread_join(thread, NULL);
	make_buffered();
	fcntl(ends[1], F_SETPIPE_SZ, PAGE);
	if (write(ends[1], many, PAGE) != PAGE)
		exit(4);
	cancel("flushing", flush_until_cancelled);
	_exit(0);
}

/* ---- */

static void on_one_processor(void)
{
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof all, &all);
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	sched_setaffinity(0, sizeof one, &one);
}

int main(int count, char **arguments)
{
	memset(many, 'x', MANY);
	many[50] = '\n';
	first = pthread_self();
	if (count == 2 && !strcmp(arguments[1], "locks"))
		leave_calls();
	mkfifo("fifo", 0600);
	for (size_t i = 0; count > 2 && i < sizeof scenes / sizeof *scenes; i++)
		if (!strcmp(scenes[i].name, arguments[1]))
			scene = &scenes[i];
	if (!scene)
		return 2;
	play(atol(arguments[2]) / 2);
	on_one_processor();
	play(atol(arguments[2]) / 2);
	printf("%s: done\n", scene->name);
	return 0;
}
