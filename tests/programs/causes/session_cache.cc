/* SPDX-License-Identifier: MIT */
/* A cache of web sessions: request threads look sessions up, renew them and evict old ones, each
 * time under the lock of the shard that a session is in. The cause is that there is one shard, so
 * that one lock guards everything; fixed, there are sixteen. A watchdog and a thread of metrics
 * sleep most of the time and take their own lock now and then.
 *
 * cause: all requests take the lock of the only shard, and verify the session's signature under it
 * finding: lock-contention
 * place: shards|SessionCache::(renew|find)|serve_requests
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
const unsigned most_shards = 16, slots_per_shard = 4096, request_threads = 2, requests = 230000;
const unsigned session_words = 96;

struct Session {
	uint64_t key;
	uint64_t used;
	uint64_t words[session_words];
};

struct Shard {
	std::mutex lock;
	uint64_t hits, misses;
	std::vector<Session> slots;
};

struct Metrics {
	std::mutex lock;
	uint64_t samples, stalls;
};

Shard shards[most_shards];
unsigned shards_in_use = 1;
Metrics metrics;
std::atomic<uint64_t> served;
std::atomic<bool> stopping;

uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

class SessionCache
{
      public:
	/* The signature of the session, which is renewed, or made anew where another one had its
	 * slot. */
	static uint64_t renew(uint64_t key, uint64_t now)
	{
		Shard &shard = shards[mix(key) % shards_in_use];
		std::lock_guard<std::mutex> guard(shard.lock);
		Session &session = find(shard, key);

		session.used = now;
		return sign(session);
	}

      private:
	static Session &find(Shard &shard, uint64_t key)
	{
		Session &session = shard.slots[mix(key * 31) % shard.slots.size()];

		if (session.key == key) {
			shard.hits++;
			return session;
		}
		shard.misses++;
		session.key = key;
		for (unsigned i = 0; i < session_words; i++)
			session.words[i] = mix(key + i);
		return session;
	}

	static uint64_t sign(const Session &session)
	{
		uint64_t signature = session.key;

		for (int pass = 0; pass < 14; pass++)
			for (unsigned i = 0; i < session_words; i++)
				signature = (signature ^ session.words[i]) * 0x100000001b3u;
		return signature;
	}
};

/* What the request itself takes: its page from a template. */
uint64_t render_page(uint64_t signature)
{
	uint64_t page = signature;

	for (int i = 0; i < 300; i++)
		page = mix(page + i);
	return page;
}

void serve_requests(unsigned thread, uint64_t &checksum)
{
	uint64_t sum = 0, state = thread + 1;

	for (unsigned i = 0; i < requests; i++) {
		state = mix(state + 0x9e3779b97f4a7c15u);
		sum += render_page(SessionCache::renew(1 + state % 3000, i));
		served.fetch_add(1, std::memory_order_relaxed);
	}
	checksum = sum;
}

void watch()
{
	uint64_t seen = 0;

	while (!stopping) {
		std::this_thread::sleep_for(std::chrono::milliseconds(50));
		std::lock_guard<std::mutex> guard(metrics.lock);
		metrics.stalls += served == seen;
		seen = served;
	}
}

void sample_metrics()
{
	while (!stopping) {
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
		std::lock_guard<std::mutex> guard(metrics.lock);
		metrics.samples++;
	}
}
} // namespace

int main(int argc, char **)
{
	uint64_t checksums[request_threads], sum = 0;
	std::vector<std::thread> threads;

	shards_in_use = argc > 1 ? most_shards : 1;
	for (unsigned i = 0; i < shards_in_use; i++)
		shards[i].slots.resize(most_shards * slots_per_shard / shards_in_use);
	std::thread watchdog(watch), sampler(sample_metrics);
	for (unsigned i = 0; i < request_threads; i++)
		threads.emplace_back(serve_requests, i, std::ref(checksums[i]));
	for (std::thread &thread : threads)
		thread.join();
	stopping = true;
	watchdog.join();
	sampler.join();
	for (uint64_t checksum : checksums)
		sum += checksum;
	printf("%lu requests served, pages %lx\n", (unsigned long)served.load(),
	       (unsigned long)sum);
	return 0;
}
