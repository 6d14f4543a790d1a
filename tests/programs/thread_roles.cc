/* SPDX-License-Identifier: MIT */
/* thread_roles [one]: threads of std::thread that run a routine, a member, a functor, a lambda, a lambda within
 * std::function, and one that only waits; of `one` all run the same routine. Each line says the number of a thread and
 * what it runs. */
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <mutex>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;
static bool is_done;
static volatile long sink;

static void __attribute__((noinline)) say(const char *role)
{
	std::lock_guard<std::mutex> guard(lock);

	printf("%ld\t%s\n", (long)syscall(SYS_gettid), role);
}

/* CPU time, so that samples come however busy the machine is. */
static void __attribute__((noinline)) burn(long milliseconds)
{
	struct timespec now;

	do {
		for (int i = 0; i < 10000; i++)
			sink = sink * 3 + i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < milliseconds);
}

static void __attribute__((noinline)) parse_file(long milliseconds)
{
	say("parse_file");
	burn(milliseconds);
	sink++;
}

static void __attribute__((noinline)) sleeper()
{
	say("sleeper");
	std::unique_lock<std::mutex> guard(lock);

	changed.wait(guard, [] { return is_done; });
	sink++;
}

struct writer {
	long milliseconds;
	void __attribute__((noinline)) run(int)
	{
		say("writer::run");
		burn(milliseconds);
		sink++;
	}
	void operator()() const
	{
		say("writer");
		burn(milliseconds);
		sink++;
	}
};

static void start_all(std::vector<std::thread> &threads, writer &one)
{
	std::function<void()> kept = [] {
		say("start_all::{lambda()#1}");
		burn(80);
		sink++;
	};

	threads.emplace_back(&writer::run, &one, 1);
	threads.emplace_back(one);
	threads.emplace_back([] {
		say("start_all::{lambda()#2}");
		burn(160);
		sink++;
	});
	threads.emplace_back(kept);
	threads.emplace_back(sleeper);
}

int main(int count, char **words)
{
	bool is_one = count > 1 && !strcmp(words[1], "one");
	std::vector<std::thread> threads;
	writer one{120};

	say("main");
	threads.emplace_back(parse_file, 100);
	threads.emplace_back(parse_file, 100);
	if (!is_one)
		start_all(threads, one);
	for (size_t i = 0; i < threads.size(); i++) {
		if (i + 1 == threads.size()) {
			std::lock_guard<std::mutex> guard(lock);

			is_done = true;
			changed.notify_all();
		}
		threads[i].join();
	}
	return 0;
}
