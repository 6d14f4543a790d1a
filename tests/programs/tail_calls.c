/* SPDX-License-Identifier: MIT */
/* Ways by which an optimised routine ends in a jump, one shape for each number on the command line
 * (tests/cases/tail_calls.py). In each, main calls a routine that takes the lock, keeps it for a
 * while, and ends in a jump that gives it back; another thread waits for the lock. What comes last
 * in a way is the routine that is to be blamed.
 *
 * Compiled with -O2; nothing here may be inlined or copied. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#define ROUTINE __attribute__((noinline, noclone))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *volatile the_lock = &lock;
static pthread_spinlock_t spinlock;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static volatile long work_done;
static volatile int stop, choice;
static void (*volatile pointer)(void);

#ifdef LIBRARY
void outside_hog(pthread_mutex_t *mutex, volatile long *sum);
void outside_step(void (*then)(void));
#endif

static ROUTINE void keep(void)
{
	for (int i = 0; i < 2000000; i++)
		work_done++;
}

static void take(void)
{
	pthread_mutex_lock(the_lock);
	keep();
}

/* 1: directly */
static ROUTINE void direct(void)
{
	take();
	pthread_mutex_unlock(the_lock); /* 1 */
}

/* 2: through one more, 3: through two more */
static ROUTINE void give_back(void)
{
	work_done++;
	pthread_mutex_unlock(the_lock); /* 2 3 4 */
}

static ROUTINE void through_one(void)
{
	take();
	give_back();
}

static ROUTINE void step(void)
{
	work_done++;
	give_back();
}

static ROUTINE void through_two(void)
{
	take();
	step();
}

/* 4: from two places, to the same routine */
static ROUTINE void two_places(void)
{
	take();
	if (choice) {
		work_done = 7;
		give_back();
	} else {
		work_done = 9;
		give_back();
	}
}

/* 5: one of two routines */
static ROUTINE void way_a(void)
{
	work_done += 3;
	pthread_mutex_unlock(the_lock);
}

static ROUTINE void way_b(void)
{
	work_done -= 3;
	pthread_mutex_unlock(the_lock);
}

static ROUTINE void either(void)
{
	take();
	if (choice)
		way_a();
	else
		way_b();
}

/* 6: directly or through another one */
static ROUTINE void shortcut(void)
{
	take();
	if (choice)
		pthread_mutex_unlock(the_lock);
	else
		give_back();
}

/* 7: through a pointer */
static ROUTINE void by_pointer(void)
{
	take();
	pointer();
}

/* 8: directly or through a pointer */
static ROUTINE void perhaps_by_pointer(void)
{
	take();
	if (choice)
		pthread_mutex_unlock(the_lock); /* 8 */
	else
		pointer();
}

/* 9: two that jump to each other in turn */
static ROUTINE void even(long n);

static ROUTINE void odd(long n)
{
	work_done++;
	if (n <= 0)
		pthread_mutex_unlock(the_lock);
	else
		even(n - 1);
}

static ROUTINE void even(long n)
{
	work_done--;
	if (n < -5)
		pthread_mutex_unlock(the_lock);
	else
		odd(n - 1);
}

/* 10: called through a pointer itself */
/* 11: another end, which is not on the way */
static ROUTINE void other_end(void *memory)
{
	if (memory) {
		free(memory);
		return;
	}
	take();
	pthread_mutex_unlock(the_lock); /* 11 */
}

/* 12: the jump is in code that was inlined */
static inline __attribute__((always_inline)) void inlined_end(void)
{
	work_done++;
	pthread_mutex_unlock(the_lock); /* 12 */
}

static ROUTINE void with_inlined(void)
{
	take();
	inlined_end();
}

/* 13: nothing is missing: the call is no jump */
static ROUTINE void no_jump(void)
{
	take();
	pthread_mutex_unlock(the_lock); /* 13 */
	work_done++;
}

/* 14: the caller has jumped as well, to a routine that computes: for 15 ms of the processor, as one
 * sample takes at least a tick of the kernel's */
static ROUTINE void jumped_to(void)
{
	take();
	clock_t end = clock() + CLOCKS_PER_SEC * 15 / 1000;

	while (clock() < end)
		keep();
	pthread_mutex_unlock(the_lock); /* 14 */
}

static ROUTINE void jumps(void)
{
	work_done++;
	jumped_to();
}

/* 15: spinlock, 16: rwlock, 17: semaphore */
static ROUTINE void spin_holder(void)
{
	pthread_spin_lock(&spinlock);
	keep();
	pthread_spin_unlock(&spinlock); /* 15 */
}

static ROUTINE void rwlock_holder(void)
{
	pthread_rwlock_wrlock(&rwlock);
	keep();
	pthread_rwlock_unlock(&rwlock); /* 16 */
}

static ROUTINE void semaphore_holder(void)
{
	sem_wait(&semaphore);
	keep();
	sem_post(&semaphore); /* 17 */
}

/* 18: recursion: calls itself, and the last one jumps */
static ROUTINE void recursive(long n)
{
	if (n > 0) {
		recursive(n - 1);
		work_done++;
		return;
	}
	take();
	pthread_mutex_unlock(the_lock); /* 18 */
}

/* 19: a routine of another object, 20: through one of another object, which jumps through a pointer
 */
#ifdef LIBRARY
static ROUTINE void by_library(void)
{
	outside_hog(the_lock, &work_done);
}

static ROUTINE void through_library(void)
{
	take();
	outside_step(give_back);
}
#else
static void by_library(void)
{
}
static void through_library(void)
{
}
#endif

/* In main, so that the compiler knows each callee. */
static ROUTINE void hold(int shape)
{
	switch (shape) {
	case 1:
		direct();
		break;
	case 2:
		through_one();
		break;
	case 3:
		through_two();
		break;
	case 4:
		two_places();
		break;
	case 5:
		either();
		break;
	case 6:
		shortcut();
		break;
	case 7:
		by_pointer();
		break;
	case 8:
		perhaps_by_pointer();
		break;
	case 9:
		take();
		even(4);
		break;
	case 10:
		pointer = direct;
		pointer();
		break;
	case 11:
		other_end(shape > 100 ? malloc(1) : NULL);
		break;
	case 12:
		with_inlined();
		break;
	case 13:
		no_jump();
		break;
	case 14:
		jumps();
		break;
	case 15:
		spin_holder();
		break;
	case 16:
		rwlock_holder();
		break;
	case 17:
		semaphore_holder();
		break;
	case 18:
		recursive(3);
		break;
	case 19:
		by_library();
		break;
	case 20:
		through_library();
		break;
	}
	work_done++;
}

static void wait_once(int shape)
{
	if (shape == 15) {
		pthread_spin_lock(&spinlock);
		pthread_spin_unlock(&spinlock);
	} else if (shape == 16) {
		pthread_rwlock_wrlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
	} else if (shape == 17) {
		sem_wait(&semaphore);
		sem_post(&semaphore);
	} else {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

static void *waiter(void *shape)
{
	while (!stop) {
		wait_once((int)(long)shape);
		nanosleep(&(struct timespec){0, 200000}, NULL);
	}
	return NULL;
}

int main(int count, char **words)
{
	int shape = count > 1 ? atoi(words[1]) : 0;
	pthread_t thread;

	choice = 1;
	pointer = give_back;
	pthread_spin_init(&spinlock, 0);
	sem_init(&semaphore, 0, 1);
	pthread_create(&thread, NULL, waiter, (void *)(long)shape);
	for (int i = 0; i < 20; i++) {
		hold(shape);
		nanosleep(&(struct timespec){0, 1000000}, NULL);
	}
	stop = 1;
	pthread_join(thread, NULL);
	return 0;
}
