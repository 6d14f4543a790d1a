/* SPDX-License-Identifier: MIT */
/* Counts the words of a text in two threads, each word in a counter that has a mutex of its own.
 * Nobody ever waits for them to speak of: the cause is what locking costs, for each single word.
 * Fixed, each thread counts for itself and adds up at the end. Innocent: the lock of the list of
 * long words, a thread that shows progress.
 *
 * cause: a mutex is taken for every increment of a counter
 * finding: fine-locks
 * place: count_word|counters|Counter
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
const unsigned threads_wanted = 2, buckets = 8192;
const uint64_t words_each = 80000000;

struct Counter {
	std::mutex lock;
	uint64_t count = 0;
};

struct LongWords {
	std::mutex lock;
	uint64_t found = 0;
};

std::vector<Counter> counters(buckets);
LongWords long_words;
std::atomic<bool> finished;

uint64_t next_word(uint64_t &state)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1du;
}

void count_word(uint64_t word)
{
	Counter &counter = counters[word % buckets];
	std::lock_guard<std::mutex> guard(counter.lock);

	counter.count++;
}

void note_long(uint64_t word)
{
	if (word >> 46)
		return;
	std::lock_guard<std::mutex> guard(long_words.lock);
	long_words.found++;
}

void count_in_place(uint64_t seed)
{
	for (uint64_t i = 0; i < words_each; i++) {
		uint64_t word = next_word(seed);
		count_word(word >> 11);
		note_long(word);
	}
}

void count_apart(uint64_t seed)
{
	std::vector<uint64_t> mine(buckets);

	for (uint64_t i = 0; i < words_each; i++) {
		uint64_t word = next_word(seed);
		mine[(word >> 11) % buckets]++;
		note_long(word);
	}
	for (unsigned i = 0; i < buckets; i++) {
		std::lock_guard<std::mutex> guard(counters[i].lock);
		counters[i].count += mine[i];
	}
}

void show_progress()
{
	while (!finished)
		std::this_thread::sleep_for(std::chrono::milliseconds(40));
}
} // namespace

int main(int argc, char **)
{
	std::vector<std::thread> threads;
	uint64_t sum = 0;
	std::thread progress(show_progress);

	for (unsigned i = 0; i < threads_wanted; i++)
		threads.emplace_back(argc > 1 ? count_apart : count_in_place,
				     88172645463325252u + i);
	for (std::thread &thread : threads)
		thread.join();
	finished = true;
	progress.join();
	for (unsigned i = 0; i < buckets; i++)
		sum += counters[i].count * (i + 1);
	printf("%lu words, %lu long ones, checksum %lx\n",
	       (unsigned long)(threads_wanted * words_each), (unsigned long)long_words.found,
	       (unsigned long)sum);
	return 0;
}
