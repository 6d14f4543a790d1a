/* SPDX-License-Identifier: MIT */
/* A server whose threads ask for the present configuration at each request, and get it as a
 * std::shared_ptr by value: all of them count up and down in the same place. Fixed, each takes a
 * handle once for many requests. Innocent: the lock of the totals.
 *
 * cause: all threads change the reference count of one std::shared_ptr
 * finding: atomics
 * place: present|is_allowed|serve
 * build: c++
 */
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
const unsigned servers = 2;
const long rounds = 400, requests = 50000;

struct Configuration {
	long limit = 3;
};

std::shared_ptr<const Configuration> current = std::make_shared<Configuration>();
bool is_fixed;
std::mutex totals_lock;
long allowed;

__attribute__((noinline)) std::shared_ptr<const Configuration> present()
{
	return current;
}

__attribute__((noinline)) bool is_allowed(const Configuration &configuration, long request)
{
	return request % 7 < configuration.limit;
}

void serve()
{
	for (long round = 0; round < rounds; round++) {
		std::shared_ptr<const Configuration> kept = present();
		long count = 0;

		for (long i = 0; i < requests; i++)
			count += is_fixed ? is_allowed(*kept, i) : is_allowed(*present(), i);
		std::lock_guard<std::mutex> guard(totals_lock);
		allowed += count;
	}
}
} // namespace

int main(int argc, char **)
{
	std::vector<std::thread> threads;

	is_fixed = argc > 1;
	for (unsigned i = 0; i < servers; i++)
		threads.emplace_back(serve);
	for (auto &thread : threads)
		thread.join();
	std::printf("%ld requests allowed\n", allowed);
}
