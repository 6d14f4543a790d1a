/* SPDX-License-Identifier: MIT */
/* futexes_cxx KIND: the parts of C++20's library that wait by futexes. latch, barrier, semaphore,
 * atomic, initialised (a static variable): one thread waits for another, which works for 0.1 s. */
#include "truth.h"

#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch start(1);
static std::barrier<> meeting(2);
static std::counting_semaphore<8> pieces(0);
static std::atomic<int> number(0);
static double waited;

static int make_table()
{
	BURN(0.15);
	return 7;
}

static NOINLINE void use_table()
{
	static volatile int table = make_table();

	(void)table;
	KEEP;
}

/* Names in the global namespace, and members of a class. */
struct consumer {
	NOINLINE void wait_for_start()
	{
		start.wait();
		KEEP;
	}

	NOINLINE void meet()
	{
		meeting.arrive_and_wait();
		KEEP;
	}

	NOINLINE void take_piece()
	{
		pieces.acquire();
		KEEP;
	}

	NOINLINE void wait_for_number()
	{
		number.wait(0);
		KEEP;
	}

	NOINLINE void find_table()
	{
		nap_raw(0.1);
		use_table();
		KEEP;
	}
};

static NOINLINE void begin_start()
{
	BURN(0.1);
	start.count_down();
	KEEP;
}

static NOINLINE void meet_late()
{
	BURN(0.1);
	meeting.arrive_and_wait();
	KEEP;
}

static NOINLINE void give_piece()
{
	BURN(0.1);
	pieces.release();
	KEEP;
}

static NOINLINE void set_number()
{
	BURN(0.1);
	number = 1;
	number.notify_all();
	KEEP;
}

static const struct {
	const char *name;
	void (consumer::*wait)();
	void (*work)();
} kinds[] = {
	{"latch", &consumer::wait_for_start, begin_start},
	{"barrier", &consumer::meet, meet_late},
	{"semaphore", &consumer::take_piece, give_piece},
	{"atomic", &consumer::wait_for_number, set_number},
	{"initialised", &consumer::find_table, use_table},
};

int main(int, char **arguments)
{
	for (const auto &kind : kinds) {
		if (!arguments[1] || strcmp(kind.name, arguments[1]))
			continue;
		std::thread waiter([&kind] {
			double begin = now();
			(consumer().*kind.wait)();
			waited = now() - begin;
		});
		nap_raw(0.05);
		kind.work();
		waiter.join();
	}
	truth("waited", waited);
	truth_end();
}
