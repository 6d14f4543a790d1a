/* SPDX-License-Identifier: MIT */
/* exceptions KIND: throw (in a loop, in two threads), locks (through locks, waits and thread
 * functions), cancel (deferred, inside every blocking call that is wrapped, with destructors on the
 * stack), async, exit. */
#include "truth.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <semaphore.h>
#include <shared_mutex>
#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>

static std::atomic<int> destroyed, caught, cleaned, entered;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static pthread_t sleeper;

struct Witness {
	~Witness()
	{
		destroyed++;
	}
};

static void throw_once(int depth)
{
	Witness witness;
	if (depth == 0)
		throw std::runtime_error("expected");
	throw_once(depth - 1);
}

static void throw_much(int times)
{
	for (int i = 0; i < times; i++)
		try {
			throw_once(8);
		} catch (const std::runtime_error &) {
			caught++;
		}
}

static void throw_through_locks()
{
	std::mutex lock;
	std::shared_timed_mutex shared;
	std::timed_mutex timed;
	std::condition_variable condition;
	for (int i = 0; i < 200; i++)
		try {
			std::unique_lock<std::mutex> one(lock);
			std::shared_lock<std::shared_timed_mutex> two(
				shared, std::chrono::milliseconds(1000));
			std::unique_lock<std::timed_mutex> three(timed,
								 std::chrono::milliseconds(1000));
			if (i % 20 == 0)
				condition.wait_for(one, std::chrono::milliseconds(1));
			throw_once(3);
		} catch (const std::exception &) {
			caught += lock.try_lock() && shared.try_lock() && timed.try_lock();
			lock.unlock();
			shared.unlock();
			timed.unlock();
		}
}

static void clean(void *)
{
	cleaned++;
}

static void unlock(void *m)
{
	pthread_mutex_unlock(static_cast<pthread_mutex_t *>(m));
}

static void far(struct timespec *t, clockid_t id)
{
	*t = deadline(id, 30);
}

static void block(int how)
{
	struct timespec t;
	sigset_t set;
	int number, status;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	switch (how) {
	case 0:
		pthread_mutex_lock(&mutex);
		pthread_cleanup_push(unlock, &mutex);
		pthread_cond_wait(&never, &mutex);
		pthread_cleanup_pop(1);
		break;
	case 1:
		pthread_mutex_lock(&mutex);
		pthread_cleanup_push(unlock, &mutex);
		far(&t, CLOCK_REALTIME);
		pthread_cond_timedwait(&never, &mutex, &t);
		pthread_cleanup_pop(1);
		break;
	case 2:
		pthread_mutex_lock(&mutex);
		pthread_cleanup_push(unlock, &mutex);
		far(&t, CLOCK_MONOTONIC);
		pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &t);
		pthread_cleanup_pop(1);
		break;
	case 3:
		sem_wait(&empty);
		break;
	case 4:
		far(&t, CLOCK_REALTIME);
		sem_timedwait(&empty, &t);
		break;
	case 5:
		far(&t, CLOCK_MONOTONIC);
		sem_clockwait(&empty, CLOCK_MONOTONIC, &t);
		break;
	case 6:
		pthread_join(sleeper, nullptr);
		break;
	case 7:
		far(&t, CLOCK_REALTIME);
		pthread_timedjoin_np(sleeper, nullptr, &t);
		break;
	case 8:
		t = span(30);
		nanosleep(&t, nullptr);
		break;
	case 9:
		t = span(30);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, nullptr);
		break;
	case 10:
		usleep(30000000);
		break;
	case 11:
		sleep(30);
		break;
	case 12:
		sigwait(&set, &number);
		break;
	case 13:
		sigwaitinfo(&set, nullptr);
		break;
	case 14:
		t = span(30);
		sigtimedwait(&set, nullptr, &t);
		break;
	case 15:
		waitpid(getpid() == 1 ? 0 : -1, &status, 0);
		break;
	case 16:
		pause();
		break;
	}
}
enum { WAYS = 17 };

static NOINLINE void block_below(int how, int depth)
{
	Witness witness;
	if (depth)
		block_below(how, depth - 1);
	else {
		entered++;
		block(how);
	}
	KEEP;
}

static void *to_be_cancelled(void *how)
{
	pthread_cleanup_push(clean, nullptr);
	block_below((int)(long)how, 4);
	pthread_cleanup_pop(0);
	return nullptr;
}

static void cancel_everywhere()
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, nullptr);
	sem_init(&empty, 0, 0);
	pid_t child = fork();
	if (child == 0) {
		nap_raw(50);
		_exit(0);
	}
	pthread_create(
		&sleeper, nullptr,
		[](void *p) -> void * {
			nap_raw(50);
			return p;
		},
		nullptr);
	for (long how = 0; how < WAYS; how++) {
		for (int early = 0; early < 2; early++) { /* early: cancelled before it blocks */
			pthread_t thread;
			void *result;
			int seen = entered, dead = destroyed;
			pthread_create(&thread, nullptr, to_be_cancelled, (void *)how);
			if (!early) {
				while (entered == seen)
					nap_raw(0.001);
				nap_raw(0.005);
			}
			pthread_cancel(thread);
			pthread_join(thread, &result);
			int gone = destroyed - dead;
			printf("%ld %d: %s, %s\n", how, early,
			       result == PTHREAD_CANCELED ? "cancelled" : "not cancelled",
			       gone == 5 ? "5 destructors" : "destructors lost");
		}
	}
	kill(child, SIGKILL);
	waitpid(child, nullptr, 0);
}

static void *compute_forever(void *)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
	entered++;
	for (volatile long i = 0;; i++)
		;
}

static NOINLINE void exit_at(int depth)
{
	Witness witness;
	if (depth > 0)
		exit_at(depth - 1);
	else
		pthread_exit((void *)7);
	KEEP;
}

static void *exit_below(void *depth)
{
	exit_at((int)(long)depth);
	return nullptr;
}

int main(int, char **argv)
{
	pthread_t thread;
	void *result;
	std::string kind = argv[1] ? argv[1] : "";
	if (kind == "throw") {
		std::thread other([] { throw_much(20000); });
		throw_much(20000);
		other.join();
	} else if (kind == "locks") {
		std::thread other(throw_through_locks);
		throw_through_locks();
		other.join();
	} else if (kind == "cancel") {
		cancel_everywhere();
		printf("%d cleaned up\n", cleaned.load());
	} else if (kind == "async") {
		for (int i = 0; i < 20; i++) {
			int seen = entered;
			pthread_create(&thread, nullptr, compute_forever, nullptr);
			while (entered == seen)
				nap_raw(0.001);
			nap_raw(0.01);
			pthread_cancel(thread);
			pthread_join(thread, &result);
			puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
		}
	} else if (kind == "exit") {
		pthread_create(&thread, nullptr, exit_below, (void *)10);
		pthread_join(thread, &result);
		printf("%ld, %d destructors\n", (long)result, destroyed.load());
		pthread_create(
			&thread, nullptr,
			[](void *) -> void * {
				nap_raw(0.05);
				puts("last");
				fflush(stdout);
				return nullptr;
			},
			nullptr);
		fflush(stdout);
		pthread_exit(nullptr); /* the process ends with the other thread */
	}
	if (kind != "cancel")
		printf("%d destroyed, %d caught\n", destroyed.load(), caught.load());
	return 0;
}
