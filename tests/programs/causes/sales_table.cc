/* SPDX-License-Identifier: MIT */
/* Loads a table of sales from text and then sums it up by region in two threads. The cause is the
 * loading, which the main thread does alone, several calls deep and in functions that are all
 * inlined; fixed, two threads load a half each. Innocent: the lock of the warnings, a thread that
 * looks whether someone wants to stop.
 *
 * cause: load_table parses all rows in the main thread before the others start
 * finding: sequential
 * place: load_table|parse_rows
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{
const unsigned rows = 12000000, regions = 64, threads_wanted = 2;

struct Sale {
	uint16_t region, item;
	float price;
};

struct Warnings {
	std::mutex lock;
	unsigned count = 0;
};

std::vector<Sale> table(rows);
Warnings warnings;
std::atomic<bool> finished;

/* The text as an export of the shop would have it; row by row, so that it needs no room. */
class Export
{
      public:
	explicit Export(unsigned row) : row(row)
	{
	}

	const char *next_line()
	{
		uint32_t state = row++ * 2654435761u + 12345;
		char *end = line;

		state ^= state >> 15;
		end = put_number(end, state % regions, ',');
		end = put_number(end, (state >> 6) % 60000, ',');
		end = put_number(end, (state >> 8) % 5000, '.');
		put_number(end, 10 + state % 90, '\n');
		return line;
	}

      private:
	static char *put_number(char *end, uint32_t number, char last)
	{
		char digits[12];
		int size = 0;

		do {
			digits[size++] = (char)('0' + number % 10);
			number /= 10;
		} while (number);
		while (size)
			*end++ = digits[--size];
		*end++ = last;
		return end;
	}

	unsigned row;
	char line[64];
};

inline uint32_t parse_number(const char *&text)
{
	uint32_t number = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (uint32_t)(*text - '0');
	text++;
	return number;
}

inline double parse_price(const char *&text)
{
	double whole = parse_number(text);

	return whole + parse_number(text) / 100.0;
}

inline Sale parse_row(const char *text)
{
	Sale sale;

	sale.region = (uint16_t)parse_number(text);
	sale.item = (uint16_t)parse_number(text);
	sale.price = (float)parse_price(text);
	return sale;
}

void warn()
{
	std::lock_guard<std::mutex> guard(warnings.lock);
	warnings.count++;
}

__attribute__((noinline)) void parse_rows(unsigned first, unsigned last)
{
	Export text(first);

	for (unsigned i = first; i < last; i++) {
		table[i] = parse_row(text.next_line());
		if (table[i].price > 4999.98)
			warn();
	}
}

__attribute__((noinline)) void load_table(bool in_halves)
{
	if (!in_halves)
		return parse_rows(0, rows);
	std::thread half(parse_rows, 0, rows / 2);
	parse_rows(rows / 2, rows);
	half.join();
}

void sum_up(unsigned thread, std::vector<double> &sums)
{
	for (unsigned i = thread; i < rows; i += threads_wanted) {
		double price = table[i].price;
		for (int year = 0; year < 9; year++)
			price = std::sqrt(price * (1 + year * 0.01) * (table[i].item % 10 + 1));
		sums[table[i].region] += price;
	}
}

void look_for_stop()
{
	while (!finished)
		std::this_thread::sleep_for(std::chrono::milliseconds(30));
}
} // namespace

int main(int argc, char **)
{
	std::vector<std::vector<double>> sums(threads_wanted, std::vector<double>(regions));
	std::vector<std::thread> threads;
	std::thread stopper(look_for_stop);
	double total = 0;

	load_table(argc > 1);
	for (unsigned i = 0; i < threads_wanted; i++)
		threads.emplace_back(sum_up, i, std::ref(sums[i]));
	for (std::thread &thread : threads)
		thread.join();
	finished = true;
	stopper.join();
	for (const std::vector<double> &part : sums)
		for (double sum : part)
			total += sum;
	printf("%u rows, %u warnings, total %.4f\n", rows, warnings.count, total);
	return 0;
}
