/* SPDX-License-Identifier: MIT */
/* A web crawler: a scheduler finds addresses one at a time and puts them into a queue from which
 * twenty threads take them. The cause is that each address wakes all of them by notify_all, and one
 * finds work; fixed, it is notify_one. Innocent: the lock of the set of known hosts, and a thread
 * that saves the state from time to time.
 *
 * cause: notify_all wakes all fetchers for each address, of which one finds it
 * finding: wake-ups
 * place: AddressQueue|queue|fetch_pages|not_empty
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace
{
const unsigned fetchers = 20, addresses = 11000;

uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

class AddressQueue
{
      public:
	explicit AddressQueue(bool wakes_one) : wakes_one(wakes_one)
	{
	}

	void put(uint64_t address)
	{
		std::lock_guard<std::mutex> guard(lock);
		addresses.push_back(address);
		if (wakes_one)
			not_empty.notify_one();
		else
			not_empty.notify_all();
	}

	void close()
	{
		std::lock_guard<std::mutex> guard(lock);
		closed = true;
		not_empty.notify_all();
	}

	bool take(uint64_t &address)
	{
		std::unique_lock<std::mutex> guard(lock);
		not_empty.wait(guard, [this] { return closed || !addresses.empty(); });
		if (addresses.empty())
			return false;
		address = addresses.front();
		addresses.pop_front();
		return true;
	}

      private:
	std::mutex lock;
	std::condition_variable not_empty;
	std::deque<uint64_t> addresses;
	bool closed = false, wakes_one;
};

struct Hosts {
	std::mutex lock;
	std::set<unsigned> known;
};

Hosts hosts;
std::atomic<uint64_t> checksum;
std::atomic<bool> finished;

uint64_t digest(uint64_t seed, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		seed = mix(seed + i);
	return seed;
}

void remember_host(uint64_t address)
{
	std::lock_guard<std::mutex> guard(hosts.lock);
	hosts.known.insert((unsigned)(address % 97));
}

void fetch_pages(AddressQueue &queue)
{
	uint64_t address;

	while (queue.take(address)) {
		checksum += digest(address, 6000);
		if (address % 16 == 0)
			remember_host(address);
	}
}

void find_addresses(AddressQueue &queue)
{
	uint64_t page = 1;

	for (unsigned i = 0; i < addresses; i++) {
		page = digest(page + i, 12000);
		queue.put(page);
	}
	queue.close();
}

void save_state()
{
	while (!finished) {
		std::this_thread::sleep_for(std::chrono::milliseconds(60));
		std::lock_guard<std::mutex> guard(hosts.lock);
		hosts.known.insert(0);
	}
}
} // namespace

int main(int argc, char **)
{
	AddressQueue queue(argc > 1);
	std::vector<std::thread> threads;
	std::thread saver(save_state);

	hosts.known.insert(0);
	for (unsigned i = 0; i < fetchers; i++)
		threads.emplace_back(fetch_pages, std::ref(queue));
	find_addresses(queue);
	for (std::thread &thread : threads)
		thread.join();
	finished = true;
	saver.join();
	printf("%u addresses, %zu hosts, pages %lx\n", addresses, hosts.known.size(),
	       (unsigned long)checksum.load());
	return 0;
}
