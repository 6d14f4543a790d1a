/* SPDX-License-Identifier: MIT */
/* A stage of a pipeline that knows what it does with its time. It reads blocks from its standard
 * input, works on each for so long by the clock of its own thread, and writes it to its standard
 * output.
 *
 *   pipe_stage NAME source|filter|sink|ask|split BLOCKS BYTES WORK_US [SLEEP_US]
 *
 * A source does not read, a sink does not write; `ask` writes a block and then reads the answer;
 * `split` also writes each block to descriptor 3.
 * BLOCKS is for those that begin: the others go on until their input ends. The last line of its
 * standard error says how long its calls took, what it used, and how many bytes went through. */
#include "truth.h"

#include <stdbool.h>

static struct {
	double reading, writing, began;
	unsigned long long bytes_in, bytes_out;
} told;

/* False: the input ended. */
static bool read_block(char *block, size_t size)
{
	for (size_t done = 0; done < size;) {
		double begin = now();
		ssize_t got = read(0, block + done, size - done);

		told.reading += now() - begin;
		if (got <= 0)
			return false;
		done += (size_t)got;
		told.bytes_in += (unsigned long long)got;
	}
	return true;
}

static bool write_block(int to, const char *block, size_t size)
{
	for (size_t done = 0; done < size;) {
		double begin = now();
		ssize_t put = write(to, block + done, size - done);

		told.writing += now() - begin;
		if (put <= 0)
			return false;
		done += (size_t)put;
		told.bytes_out += (unsigned long long)put;
	}
	return true;
}

NOINLINE static void work_on_block(double seconds)
{
	double end = cpu() + seconds;

	while (cpu() < end)
		for (volatile int i = 0; i < 1000; i++)
			;
	KEEP;
}

static void rest(double seconds)
{
	struct timespec time = span(seconds);

	if (seconds > 0)
		nanosleep(&time, NULL);
}

static void tell(const char *name)
{
	fprintf(stderr,
		"{\"stage\": \"%s\", \"pid\": %d, \"reading\": %.9f, \"writing\": %.9f, "
		"\"cpu\": %.9f, \"elapsed\": %.9f, \"bytes_in\": %llu, \"bytes_out\": %llu}\n",
		name, (int)getpid(), told.reading, told.writing, cpu(), now() - told.began,
		told.bytes_in, told.bytes_out);
}

int main(int count, char **arguments)
{
	if (count < 6)
		return 2;
	bool asks = !strcmp(arguments[2], "ask"), begins = asks || !strcmp(arguments[2], "source");
	bool ends = !strcmp(arguments[2], "sink"), splits = !strcmp(arguments[2], "split");
	unsigned long blocks = strtoul(arguments[3], NULL, 10),
		      size = strtoul(arguments[4], NULL, 10);
	double work = 1e-6 * strtod(arguments[5], NULL);
	double sleep = count > 6 ? 1e-6 * strtod(arguments[6], NULL) : 0;
	char *block = calloc(1, size);

	told.began = now();
	for (unsigned long i = 0; (!begins || i < blocks) && (begins || read_block(block, size));
	     i++) {
		rest(sleep);
		work_on_block(work);
		if ((!ends && !write_block(1, block, size)) ||
		    (splits && !write_block(3, block, size)) || (asks && !read_block(block, size)))
			break;
	}
	free(block);
	tell(arguments[1]);
	return 0;
}
