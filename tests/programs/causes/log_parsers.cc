/* SPDX-License-Identifier: MIT */
/* Reads access logs: a parser thread for each of three files, of which one holds most lines, beside
 * a thread that writes messages and one that ticks for a progress display. The cause is the unequal
 * share of the parsers; fixed, they take pieces of all files from one counter. The logger's queue
 * and the totals' lock are hardly ever contended.
 *
 * cause: one parser has two thirds of all lines, the other parsers have ended long before
 * finding: imbalance
 * change: parse_lines .*ran alone
 * place: parse_file|LogFile
 * build: c++
 */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{
const uint32_t piece_lines = 4096;

struct LogFile {
	std::string name;
	uint32_t seed;
	uint32_t lines;
};

struct Totals {
	std::mutex lock;
	uint64_t bytes = 0, errors = 0, paths = 0;
};

class Logger
{
      public:
	void write(std::string text)
	{
		std::lock_guard<std::mutex> guard(lock);
		queue.push_back(std::move(text));
		filled.notify_one();
	}

	void close()
	{
		std::lock_guard<std::mutex> guard(lock);
		closed = true;
		filled.notify_one();
	}

	void drain()
	{
		std::unique_lock<std::mutex> guard(lock);
		while (!closed || !queue.empty()) {
			filled.wait(guard, [this] { return closed || !queue.empty(); });
			while (!queue.empty()) {
				written += queue.front().size();
				queue.pop_front();
			}
		}
	}

	size_t written = 0;

      private:
	std::mutex lock;
	std::condition_variable filled;
	std::deque<std::string> queue;
	bool closed = false;
};

Totals totals;
Logger logger;
std::atomic<uint64_t> lines_done;
std::atomic<bool> finished;

uint32_t next_random(uint32_t &state)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* One line of the log, as the server would have written it. */
size_t make_line(const LogFile &file, uint32_t number, char *line)
{
	uint32_t state = file.seed + number * 2654435761u + 1;
	uint32_t host = next_random(state), path = next_random(state) % 5000;
	unsigned status = next_random(state) % 50 ? 200 : 500, size = next_random(state) % 100000;

	return (size_t)sprintf(line, "10.%u.%u.%u \"GET /item/%u\" %u %u", host >> 24,
			       host >> 16 & 255, host & 255, path, status, size);
}

struct Entry {
	unsigned status, size;
	uint64_t path;
};

Entry parse_line(const char *line)
{
	const char *quote = strchr(line, '"');
	Entry entry = {0, 0, 14695981039346656037u};

	for (quote++; *quote && *quote != '"'; quote++)
		entry.path = (entry.path ^ (unsigned char)*quote) * 1099511628211u;
	sscanf(quote + 1, "%u %u", &entry.status, &entry.size);
	return entry;
}

void parse_lines(const LogFile &file, uint32_t from, uint32_t to)
{
	uint64_t bytes = 0, errors = 0, paths = 0;
	char line[128];

	for (uint32_t i = from; i < to; i++) {
		make_line(file, i, line);
		Entry entry = parse_line(line);
		bytes += entry.size;
		errors += entry.status == 500;
		paths += entry.path & 0xffff;
	}
	std::lock_guard<std::mutex> guard(totals.lock);
	totals.bytes += bytes;
	totals.errors += errors;
	totals.paths += paths;
	lines_done += to - from;
}

void parse_file(const LogFile &file)
{
	for (uint32_t i = 0; i < file.lines; i += piece_lines)
		parse_lines(file, i, std::min(file.lines, i + piece_lines));
	logger.write("parsed " + file.name);
}

void parse_pieces(const std::vector<LogFile> &files, std::atomic<uint32_t> &next)
{
	for (uint32_t piece = next++;; piece = next++) {
		for (const LogFile &file : files) {
			uint32_t pieces = (file.lines + piece_lines - 1) / piece_lines;
			if (piece < pieces) {
				parse_lines(file, piece * piece_lines,
					    std::min(file.lines, (piece + 1) * piece_lines));
				break;
			}
			piece -= pieces;
			if (&file == &files.back())
				return logger.write("parsed the rest");
		}
	}
}

void tick()
{
	while (!finished)
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
} // namespace

int main(int argc, char **)
{
	std::vector<LogFile> files = {
		{"frontend.log", 1, 550000}, {"api.log", 2, 3400000}, {"images.log", 3, 600000}};
	std::atomic<uint32_t> next(0);
	std::vector<std::thread> parsers;
	std::thread writer([] { logger.drain(); }), ticker(tick);

	for (const LogFile &file : files)
		parsers.push_back(argc > 1 ? std::thread([&] { parse_pieces(files, next); })
					   : std::thread(parse_file, std::cref(file)));
	for (std::thread &parser : parsers)
		parser.join();
	finished = true;
	logger.close();
	writer.join();
	ticker.join();
	printf("%lu lines, %lu bytes, %lu errors, paths %lx\n", (unsigned long)lines_done.load(),
	       (unsigned long)totals.bytes, (unsigned long)totals.errors,
	       (unsigned long)totals.paths);
	return 0;
}
