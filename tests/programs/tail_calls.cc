// SPDX-License-Identifier: MIT
// Ways by which optimised C++ ends in a jump; as tail_calls.c, one shape for each number on the
// command line.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#define ROUTINE __attribute__((noinline))

static std::mutex lock;
static std::condition_variable ready;
static volatile long work_done;
static volatile bool stop, is_ready;

static ROUTINE void keep()
{
	for (int i = 0; i < 2000000; i++)
		work_done = work_done + 1;
}

// 1: a member function
struct account {
	long balance = 0;
	ROUTINE void close(long by)
	{
		lock.lock();
		keep();
		balance += by;
		lock.unlock(); // 1
	}
	virtual ~account() = default;
	virtual void end() = 0;
};

// 2: a virtual function: called through a pointer, its name is not known; nor is what it jumps to
struct savings : account {
	ROUTINE void end() override
	{
		work_done = work_done + 1;
		lock.unlock();
	}
};

static ROUTINE void by_virtual(account *one)
{
	lock.lock();
	keep();
	one->end();
}

// 3: a template; 4: in a namespace without a name
template <typename T> struct box {
	static ROUTINE void put(T by)
	{
		lock.lock();
		keep();
		work_done = work_done + by;
		lock.unlock(); // 3
	}
};

namespace
{
ROUTINE void nameless(long by)
{
	lock.lock();
	keep();
	work_done = work_done - by;
	lock.unlock(); // 4
}
} // namespace

// 5: a lambda
static const auto lambda = [](long by) ROUTINE {
	lock.lock();
	keep();
	work_done = work_done + 3 * by;
	lock.unlock(); // 5
};

// 6: another end frees memory
static ROUTINE void frees(long *memory)
{
	if (memory) {
		delete memory;
		return;
	}
	lock.lock();
	keep();
	lock.unlock(); // 6
}

// 7: a signal, by a function of C++'s library, which jumps as well
static ROUTINE void announce()
{
	keep();
	is_ready = true;
	ready.notify_one(); // 7
}

// 8: the same, with another end that gives the lock back
static ROUTINE void give_back()
{
	work_done = work_done + 1;
	lock.unlock();
}

static ROUTINE void announce_or_give_back()
{
	keep();
	if (stop) {
		lock.lock();
		give_back();
		return;
	}
	is_ready = true;
	ready.notify_one(); // 8
}

static void hold(int shape, savings *one, void (*volatile close)(savings *, long))
{
	switch (shape) {
	case 1:
		one->close(shape);
		break;
	case 2:
		by_virtual(one);
		break;
	case 3:
		box<long>::put(shape);
		break;
	case 4:
		nameless(shape);
		break;
	case 5:
		lambda(shape);
		break;
	case 6:
		frees(work_done < 0 ? new long : nullptr);
		break;
	case 7:
		announce();
		break;
	case 8:
		announce_or_give_back();
		break;
	default:
		close(one, shape);
	}
	work_done = work_done + 1;
}

static void wait_for_lock()
{
	while (!stop) {
		lock.lock();
		lock.unlock();
		std::this_thread::sleep_for(std::chrono::microseconds(200));
	}
}

static void wait_for_signal()
{
	std::unique_lock<std::mutex> held(lock);

	while (!stop)
		if (ready.wait_for(held, std::chrono::milliseconds(500)) ==
		    std::cv_status::no_timeout)
			is_ready = false;
}

int main(int count, char **words)
{
	int shape = count > 1 ? std::atoi(words[1]) : 0;
	savings one;
	std::thread thread(shape == 7 || shape == 8 ? wait_for_signal : wait_for_lock);

	for (int i = 0; i < 20; i++) {
		hold(shape, &one, nullptr);
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	}
	stop = true;
	thread.join();
	return 0;
}
