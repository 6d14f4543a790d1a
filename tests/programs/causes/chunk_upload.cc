/* SPDX-License-Identifier: MIT */
/* A backup tool: four threads compress chunks and send them over one connection, whose lock keeps
 * chunks in one piece. The other side is busy for every sixth chunk, and the sender tries again
 * after a pause. The cause is that it sleeps with the connection's lock held; fixed, it lets go
 * meanwhile. Innocent: the lock of the index, and a thread that shows progress.
 *
 * cause: the pause before a second attempt is slept while the connection's lock is held
 * finding: lock-contention sleep
 * place: send_chunk|back_off|connection
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
const unsigned uploaders = 4, chunks = 1500, chunk_bytes = 32768;

struct Connection {
	std::mutex lock;
	uint64_t chunks_sent = 0, bytes_sent = 0, checksum = 0;
};

struct Index {
	std::mutex lock;
	std::vector<uint32_t> sizes;
};

Connection connection;
Index chunk_index;
bool pauses_unlocked;
std::atomic<unsigned> next_chunk;
std::atomic<bool> finished;

void read_chunk(unsigned number, std::vector<uint8_t> &data)
{
	uint32_t state = number * 2654435761u + 1;

	for (uint8_t &byte : data) {
		state = state * 1664525 + 1013904223;
		byte = (uint8_t)((state >> 24) % 11 ? number : state >> 20);
	}
}

/* Runs and their lengths, after a search for the best of some predictors. */
size_t compress(const std::vector<uint8_t> &data, std::vector<uint8_t> &packed)
{
	unsigned best = 0, most = 0;

	for (unsigned distance = 1; distance <= 30; distance++) {
		unsigned equal = 0;
		for (size_t i = distance; i < data.size(); i++)
			equal += data[i] == data[i - distance];
		if (equal > most) {
			most = equal;
			best = distance;
		}
	}
	packed.clear();
	packed.push_back((uint8_t)best);
	for (size_t i = 0, run = 0; i < data.size(); i++, run++)
		if (i + 1 == data.size() || data[i + 1] != data[i] || run == 255) {
			packed.push_back(data[i]);
			packed.push_back((uint8_t)run);
			run = 0;
		}
	return packed.size();
}

bool is_accepted(unsigned number, unsigned attempt)
{
	return attempt || number % 6;
}

void back_off(std::unique_lock<std::mutex> &guard)
{
	if (pauses_unlocked)
		guard.unlock();
	std::this_thread::sleep_for(std::chrono::milliseconds(4));
	if (pauses_unlocked)
		guard.lock();
}

void send_chunk(unsigned number, const std::vector<uint8_t> &packed)
{
	std::unique_lock<std::mutex> guard(connection.lock);

	for (unsigned attempt = 0; !is_accepted(number, attempt); attempt++)
		back_off(guard);
	uint64_t sum = number;
	for (uint8_t byte : packed)
		sum = (sum ^ byte) * 0x100000001b3u;
	connection.chunks_sent++;
	connection.bytes_sent += packed.size();
	connection.checksum += sum;
}

void upload()
{
	std::vector<uint8_t> data(chunk_bytes), packed;

	for (unsigned number = next_chunk++; number < chunks; number = next_chunk++) {
		read_chunk(number, data);
		size_t size = compress(data, packed);
		send_chunk(number, packed);
		std::lock_guard<std::mutex> guard(chunk_index.lock);
		chunk_index.sizes[number] = (uint32_t)size;
	}
}

void show_progress()
{
	while (!finished) {
		std::this_thread::sleep_for(std::chrono::milliseconds(100));
		std::lock_guard<std::mutex> guard(chunk_index.lock);
		chunk_index.sizes[0] |= 0;
	}
}
} // namespace

int main(int argc, char **)
{
	std::vector<std::thread> threads;
	uint64_t sizes = 0;

	pauses_unlocked = argc > 1;
	chunk_index.sizes.resize(chunks);
	std::thread progress(show_progress);
	for (unsigned i = 0; i < uploaders; i++)
		threads.emplace_back(upload);
	for (std::thread &thread : threads)
		thread.join();
	finished = true;
	progress.join();
	for (uint32_t size : chunk_index.sizes)
		sizes += size;
	printf("%lu chunks, %lu bytes, %lu in the index, checksum %lx\n",
	       (unsigned long)connection.chunks_sent, (unsigned long)connection.bytes_sent,
	       (unsigned long)sizes, (unsigned long)connection.checksum);
	return 0;
}
