/* SPDX-License-Identifier: MIT */
/* Renders a map of tiles. The cause is that each tile, which takes some microseconds, is started by
 * std::async and so in a thread of its own; fixed, two threads take the tiles from a counter.
 * Innocent: the lock of the cache of legends, a thread that looks at the memory.
 *
 * cause: a thread is started for each of 40000 tiny tiles
 * finding: short-threads
 * place: async|render_tile|render_map|Tile|thread
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{
const unsigned tiles_x = 200, tiles_y = 200, tile_side = 96, in_flight = 64;

struct Legends {
	std::mutex lock;
	std::map<unsigned, std::string> texts;
};

Legends legends;
std::atomic<bool> finished;
std::atomic<unsigned> looks;

struct Tile {
	unsigned x, y;
};

uint32_t height_at(unsigned x, unsigned y)
{
	uint32_t seed = x * 374761393u + y * 668265263u;

	seed = (seed ^ (seed >> 13)) * 1274126177u;
	return seed ^ (seed >> 16);
}

const std::string &legend_of(unsigned zone)
{
	std::lock_guard<std::mutex> guard(legends.lock);
	std::string &text = legends.texts[zone];

	if (text.empty())
		text = "zone " + std::to_string(zone);
	return text;
}

/* Shades by slope; every hundredth tile has a legend. */
uint64_t render_tile(Tile tile)
{
	uint64_t sum = 0;

	for (unsigned y = 0; y < tile_side; y++)
		for (unsigned x = 0; x < tile_side; x++) {
			unsigned px = tile.x * tile_side + x, py = tile.y * tile_side + y;
			uint32_t slope = height_at(px + 1, py) - height_at(px, py + 1);
			sum += (slope >> 24) * (slope & 0xff);
		}
	if ((tile.x + tile.y * tiles_x) % 100 == 0)
		sum += legend_of(tile.x % 10).size();
	return sum;
}

uint64_t render_map()
{
	std::vector<std::future<uint64_t>> rendered(in_flight);
	uint64_t sum = 0;

	for (unsigned i = 0; i < tiles_x * tiles_y; i++) {
		std::future<uint64_t> &slot = rendered[i % in_flight];
		if (slot.valid())
			sum += slot.get();
		slot = std::async(std::launch::async, render_tile, Tile{i % tiles_x, i / tiles_x});
	}
	for (std::future<uint64_t> &slot : rendered)
		sum += slot.get();
	return sum;
}

uint64_t render_shared()
{
	std::atomic<unsigned> next(0);
	std::vector<std::thread> threads;
	uint64_t sums[2], sum = 0;

	for (uint64_t &mine : sums)
		threads.emplace_back([&] {
			uint64_t own = 0;
			for (unsigned i = next++; i < tiles_x * tiles_y; i = next++)
				own += render_tile(Tile{i % tiles_x, i / tiles_x});
			mine = own;
		});
	for (std::thread &thread : threads)
		thread.join();
	for (uint64_t mine : sums)
		sum += mine;
	return sum;
}

void watch_memory()
{
	while (!finished) {
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		looks++;
	}
}
} // namespace

int main(int argc, char **)
{
	std::thread watchdog(watch_memory);
	uint64_t sum = argc > 1 ? render_shared() : render_map();

	finished = true;
	watchdog.join();
	printf("%u tiles, %zu legends, shades %lx\n", tiles_x * tiles_y, legends.texts.size(),
	       (unsigned long)sum);
	return 0;
}
