/* SPDX-License-Identifier: MIT */
/* A control: a product of matrices in blocks, which two threads take from a counter. Both are busy
 * to the end. The lock of the results is taken once for each block, a condition tells the end to a
 * thread that waits for nothing else, and a watchdog sleeps. `fixed` is the same.
 *
 * cause: none
 * finding: nothing
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
const unsigned side = 896, block = 64, blocks = side / block, threads_wanted = 2;

std::vector<float> left(side *side), right(side *side), product(side *side);
std::atomic<unsigned> next_block;
std::atomic<bool> finished;

struct Results {
	std::mutex lock;
	std::condition_variable complete;
	unsigned done = 0;
	double trace = 0;
};

Results results;

void multiply_block(unsigned row, unsigned column)
{
	for (unsigned inner = 0; inner < side; inner += block)
		for (unsigned i = row; i < row + block; i++)
			for (unsigned k = inner; k < inner + block; k++) {
				float factor = left[i * side + k];
				for (unsigned j = column; j < column + block; j++)
					product[i * side + j] += factor * right[k * side + j];
			}
}

double trace_of(unsigned row, unsigned column)
{
	double sum = 0;

	for (unsigned i = row; i < row + block && row == column; i++)
		sum += product[i * side + i];
	return sum;
}

void multiply_blocks()
{
	for (unsigned number = next_block++; number < blocks * blocks; number = next_block++) {
		unsigned row = number / blocks * block, column = number % blocks * block;
		for (int power = 0; power < 5; power++)
			multiply_block(row, column);
		std::lock_guard<std::mutex> guard(results.lock);
		results.trace += trace_of(row, column);
		if (++results.done == blocks * blocks)
			results.complete.notify_all();
	}
}

void await_results()
{
	std::unique_lock<std::mutex> guard(results.lock);

	results.complete.wait(guard, [] { return results.done == blocks * blocks; });
}

void watch()
{
	while (!finished)
		std::this_thread::sleep_for(std::chrono::milliseconds(50));
}
} // namespace

int main()
{
	std::vector<std::thread> threads;

	for (unsigned i = 0; i < side * side; i++) {
		left[i] = (float)(i % 7);
		right[i] = (float)(i % 5);
	}
	std::thread watchdog(watch), waiter(await_results);
	for (unsigned i = 0; i < threads_wanted; i++)
		threads.emplace_back(multiply_blocks);
	for (std::thread &thread : threads)
		thread.join();
	waiter.join();
	finished = true;
	watchdog.join();
	printf("%u blocks, trace %.0f\n", results.done, results.trace);
	return 0;
}
