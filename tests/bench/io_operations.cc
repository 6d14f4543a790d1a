/* SPDX-License-Identifier: MIT */
/* Calls that do not wait, many times: `io_operations NAME COUNT` prints the median and the best of
 * 25 batches, in nanoseconds of CPU time a call. Run natively and under the profiler in alternation
 * by tests/bench/bench_io.py. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <semaphore>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 25, FILE_BYTES = 4096 };

static int zeros, file, nowhere;
static uint32_t word;
static std::counting_semaphore<2> places(1);

static void read_byte()
{
	char byte;

	if (read(zeros, &byte, 1) != 1)
		abort();
}

static void pread_byte()
{
	char byte;

	if (pread(file, &byte, 1, 0) != 1)
		abort();
}

static void write_byte()
{
	if (write(nowhere, "", 1) != 1)
		abort();
}

static void get_pid()
{
	syscall(SYS_getpid);
}

static void wake_nobody()
{
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

static void take_place()
{
	places.acquire();
	places.release();
}

static const struct {
	const char *name;
	void (*run)();
} operations[] = {{"read", read_byte},	   {"pread", pread_byte}, {"write", write_byte},
		  {"getpid", get_pid},	   {"wake", wake_nobody}, {"semaphore", take_place}};

static void open_files()
{
	char name[] = "/tmp/io_operations.XXXXXX", bytes[FILE_BYTES] = {0};

	zeros = open("/dev/zero", O_RDONLY);
	nowhere = open("/dev/null", O_WRONLY);
	file = mkstemp(name);
	unlink(name);
	if (zeros < 0 || nowhere < 0 || write(file, bytes, sizeof bytes) != FILE_BYTES)
		exit(3);
}

static double cpu_ns()
{
	timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	long count = atol(argv[2]);
	open_files();
	for (const auto &operation : operations) {
		double batches[BATCHES];
		if (strcmp(argv[1], operation.name))
			continue;
		for (double &ns : batches) {
			double start = cpu_ns();
			for (long i = 0; i < count; i++)
				operation.run();
			ns = (cpu_ns() - start) / (double)count;
		}
		std::sort(batches, batches + BATCHES);
		printf("%.3f %.3f\n", batches[BATCHES / 2], batches[0]);
		return 0;
	}
	return 2;
}
