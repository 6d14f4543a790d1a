/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "processors_file.h"

#include "common/real_clock.h"
#include "own_process.h"
#include "run_file.h"

#include <json-c/json.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* On a busy machine this process may lose the processor between the counts and the clock, for some
 * ticks: such a reading is repeated. */
enum { PROCESSORS_MOST = 16384, COUNTS = 8, READINGS_MOST = 8, READING_NS_GOOD = 1000000 };

struct reading {
	uint64_t time_ns;   /* CLOCK_MONOTONIC, in the middle of reading */
	uint64_t within_ns; /* how long reading took */
	uint64_t busy_ns, idle_ns, steal_ns;
	uint64_t own_ns;      /* CPU time of ptrace-run and of the processes that it waited for */
	uint64_t children_ns; /* of these processes alone */
	bool is_known;
};

static struct {
	struct reading start;
	cpu_set_t *set; /* that the program may use */
} used;

static uint64_t tick_ns(void)
{
	return 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
}

static uint64_t nanoseconds(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

static uint64_t cpu_ns_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

static uint64_t now_ns(void)
{
	return real_clock_ns(CLOCK_MONOTONIC);
}

/* The fields are user nice system idle iowait irq softirq steal; guests are in user and nice
 * already. */
static void add_processor(struct reading *reading, const char *line, uint64_t tick)
{
	unsigned long long ticks[COUNTS] = {0};

	if (sscanf(line, "%*s %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1],
		   &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) < COUNTS)
		return;
	reading->busy_ns += (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * tick;
	reading->idle_ns += (ticks[3] + ticks[4]) * tick;
	reading->steal_ns += ticks[7] * tick;
	reading->is_known = true;
}

static struct reading read_once(void)
{
	struct reading reading = {0};
	uint64_t begin_ns = now_ns();
	char line[512], buffer[4096]; /* libc would ask the file for the size of one */
	unsigned number;
	uint64_t tick = tick_ns();
	FILE *file = used.set ? fopen("/proc/stat", "re") : NULL;

	if (file)
		setvbuf(file, buffer, _IOFBF, sizeof buffer);
	while (file && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0)
		if (sscanf(line, "cpu%u ", &number) == 1 && number < PROCESSORS_MOST &&
		    CPU_ISSET_S(number, CPU_ALLOC_SIZE(PROCESSORS_MOST), used.set))
			add_processor(&reading, line, tick);
	if (file)
		fclose(file);
	reading.children_ns = cpu_ns_of(RUSAGE_CHILDREN);
	reading.own_ns = cpu_ns_of(RUSAGE_SELF) + reading.children_ns;
	reading.within_ns = now_ns() - begin_ns;
	reading.time_ns = begin_ns + reading.within_ns / 2;
	return reading;
}

/* Of several readings the one that took the least time. */
static struct reading read_now(void)
{
	struct reading best = read_once();

	for (int i = 1; i < READINGS_MOST && best.within_ns > READING_NS_GOOD; i++) {
		struct reading again = read_once();

		if (again.within_ns < best.within_ns)
			best = again;
	}
	return best;
}

void processors_used_begin(void)
{
	size_t size = CPU_ALLOC_SIZE(PROCESSORS_MOST);

	used.set = CPU_ALLOC(PROCESSORS_MOST);
	if (used.set)
		CPU_ZERO_S(size, used.set);
	if (used.set && sched_getaffinity(0, size, used.set) < 0) {
		CPU_FREE(used.set);
		used.set = NULL;
	}
	used.start = read_now();
}

static struct json_object *new_reading(const struct reading *reading)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "monotonic_ns",
			       json_object_new_int64((int64_t)reading->time_ns));
	json_object_object_add(object, "within_ns",
			       json_object_new_int64((int64_t)reading->within_ns));
	json_object_object_add(object, "busy_ns", json_object_new_int64((int64_t)reading->busy_ns));
	json_object_object_add(object, "idle_ns", json_object_new_int64((int64_t)reading->idle_ns));
	json_object_object_add(object, "steal_ns",
			       json_object_new_int64((int64_t)reading->steal_ns));
	return object;
}

static struct json_object *new_numbers(void)
{
	struct json_object *numbers = json_object_new_array();
	size_t size = CPU_ALLOC_SIZE(PROCESSORS_MOST);

	for (int i = 0; i < PROCESSORS_MOST; i++)
		if (CPU_ISSET_S((size_t)i, size, used.set))
			json_object_array_add(numbers, json_object_new_int(i));
	return numbers;
}

void processors_used_end(int directory)
{
	struct reading end = read_now();

	if (!used.start.is_known || !end.is_known)
		return;
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "format", json_object_new_string("ptrace-run processors"));
	json_object_object_add(object, "version", json_object_new_int(1));
	json_object_object_add(object, "host", json_object_new_string(own_process_host()));
	json_object_object_add(object, "processors", new_numbers());
	json_object_object_add(object, "tick_ns", json_object_new_int64((int64_t)tick_ns()));
	json_object_object_add(object, "start", new_reading(&used.start));
	json_object_object_add(object, "end", new_reading(&end));
	json_object_object_add(object, "own_cpu_ns",
			       json_object_new_int64((int64_t)(end.own_ns - used.start.own_ns)));
	json_object_object_add(
		object, "children_cpu_ns",
		json_object_new_int64((int64_t)(end.children_ns - used.start.children_ns)));
	run_file_write_once(directory, "processors.json", object);
	json_object_put(object);
}
