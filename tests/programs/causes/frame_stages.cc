/* SPDX-License-Identifier: MIT */
/* A video player: two threads decode the slices of each frame, a third one shows the frame when all
 * of its slices are there. The cause is that it spins on an atomic counter meanwhile, and takes the
 * time from the decoders; fixed, it waits for a condition. Innocent: the lock of the subtitles, and
 * a thread that adjusts the clock.
 *
 * cause: present_frames spins on a variable, and keeps a processor, while frames are decoded
 * finding: busy-wait
 * place: present_frames|await_frame
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{
const unsigned decoders = 2, frames = 250, slices = 16, width = 240;

struct Frame {
	std::atomic<unsigned> slices_done{0};
	int16_t pixels[slices * width];
};

struct Subtitles {
	std::mutex lock;
	std::string text;
	unsigned changes = 0;
};

std::vector<Frame> film(frames);
Subtitles subtitles;
std::atomic<unsigned> next_slice;
std::atomic<bool> finished;
std::mutex frame_lock;
std::condition_variable frame_ready;
bool blocks;
uint64_t shown;

/* One row of transformed blocks, back to pixels. */
void decode_slice(unsigned number)
{
	Frame &frame = film[number / slices];
	int16_t *row = frame.pixels + number % slices * width;
	uint32_t state = number * 2654435761u + 1;
	int32_t block[8];

	for (unsigned x = 0; x < width; x++) {
		for (int pass = 0; pass < 110; pass++) {
			for (int32_t &value : block) {
				state = state * 1664525 + 1013904223;
				value = (int32_t)(state >> 18);
			}
			for (int i = 0; i < 4; i++) {
				int32_t sum = block[i] + block[7 - i],
					difference = block[i] - block[7 - i];
				block[i] = (sum * 181) >> 8;
				block[7 - i] = (difference * 139) >> 8;
			}
			row[x] = (int16_t)(row[x] + block[pass & 7]);
		}
	}
}

void decode_slices()
{
	for (unsigned number = next_slice++; number < frames * slices; number = next_slice++) {
		decode_slice(number);
		if (++film[number / slices].slices_done == slices && blocks) {
			std::lock_guard<std::mutex> guard(frame_lock);
			frame_ready.notify_one();
		}
		if (number % 64 == 0) {
			std::lock_guard<std::mutex> guard(subtitles.lock);
			subtitles.text = std::to_string(number / 64);
			subtitles.changes++;
		}
	}
}

void await_frame(const Frame &frame)
{
	if (blocks) {
		std::unique_lock<std::mutex> guard(frame_lock);
		frame_ready.wait(guard, [&] { return frame.slices_done == slices; });
		return;
	}
	while (frame.slices_done.load(std::memory_order_acquire) < slices)
		;
}

void present_frames()
{
	for (const Frame &frame : film) {
		await_frame(frame);
		for (int16_t pixel : frame.pixels)
			shown = shown * 31 + (uint16_t)pixel;
	}
}

void adjust_clock()
{
	while (!finished) {
		std::this_thread::sleep_for(std::chrono::milliseconds(40));
		std::lock_guard<std::mutex> guard(subtitles.lock);
		subtitles.text.clear();
	}
}
} // namespace

int main(int argc, char **)
{
	std::vector<std::thread> threads;

	blocks = argc > 1;
	std::thread clock(adjust_clock), presenter(present_frames);
	for (unsigned i = 0; i < decoders; i++)
		threads.emplace_back(decode_slices);
	for (std::thread &thread : threads)
		thread.join();
	presenter.join();
	finished = true;
	clock.join();
	printf("%u frames, %u subtitles, picture %lx\n", frames, subtitles.changes,
	       (unsigned long)shown);
	return 0;
}
