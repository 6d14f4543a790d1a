/* SPDX-License-Identifier: MIT */
/* Two threads that counted events. */
#include "tests/programs/profile_scenes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MILLION 1000000ull

enum { EVENT_INSTRUCTIONS = 1, EVENT_CYCLES, EVENT_MISSES, EVENT_FAULTS, EVENT_BRANCHES };

static void add_event(struct builder *builder, const char *name, uint32_t type, uint64_t config,
		      const struct row_events *more)
{
	struct row_events row = *more;

	row.name = builder_text(builder, name);
	row.unit = builder_text(builder, "count");
	row.type = type;
	row.config = config;
	builder_add(builder, TABLE_events, FORMAT_NO_OWNER, &row);
}

static void add_events(struct builder *builder)
{
	const struct row_events counted = {.flags = EVENT_COUNTED, .group = 1};
	const struct row_events refused = {.error = ENOENT, .refused = 2, .group = 2};
	const struct row_events user = {.flags = EVENT_COUNTED | EVENT_KERNEL_REFUSED, .group = 3};

	add_event(builder, "instructions", 0, 1, &counted);
	add_event(builder, "cycles", 0, 0, &counted);
	add_event(builder, "cache-misses", 0, 3, &refused);
	add_event(builder, "page-faults", 1, 2, &counted);
	add_event(builder, "branch-misses", 0, 5, &user);
}

static void add_metrics(struct builder *builder)
{
	static const char *const metrics[][4] = {
		{"IPC", "", "instructions / cycles", "@1 @2 /"},
		{"GHz", "GHz", "cycles / CPU time / 1e9", "@2 cpu_seconds / 1e9 /"},
		{"fault rate", "1/s", "page-faults / elapsed time", "@4 elapsed_seconds /"},
		{"miss ratio", "", "cache-misses / instructions", "@3 @1 /"},
		{"damaged", "", "cycles +", "@2 +"},
	};

	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		struct row_metrics row = {
			.name = builder_text(builder, metrics[i][0]),
			.unit = builder_text(builder, metrics[i][1]),
			.formula = builder_text(builder, metrics[i][2]),
			.steps = builder_text(builder, metrics[i][3]),
		};

		builder_add(builder, TABLE_metrics, FORMAT_NO_OWNER, &row);
	}
}

static void add_count(struct builder *builder, uint32_t thread, uint32_t event, uint64_t count,
		      uint64_t enabled_ms, uint64_t running_ms)
{
	struct row_event_counts row = {.event = event,
				       .count = count,
				       .enabled_ns = enabled_ms * MILLION,
				       .running_ns = running_ms * MILLION};

	builder_add(builder, TABLE_event_counts, thread, &row);
}

struct sampled {
	uint32_t callpath;
	uint8_t level, cause;
	uint64_t instructions, cycles, branches, samples;
};

static void add_one(struct builder *builder, uint32_t thread, const struct sampled *sampled,
		    uint16_t event, uint64_t count)
{
	struct row_event_samples row = {.callpath = sampled->callpath,
					.event = event,
					.level = sampled->level,
					.cause = sampled->cause,
					.count = count,
					.samples = sampled->samples};

	builder_add(builder, TABLE_event_samples, thread, &row);
}

static void add_sampled(struct builder *builder, uint32_t thread, const struct sampled *sampled)
{
	add_one(builder, thread, sampled, EVENT_INSTRUCTIONS, sampled->instructions);
	add_one(builder, thread, sampled, EVENT_CYCLES, sampled->cycles);
	add_one(builder, thread, sampled, EVENT_BRANCHES, sampled->branches);
}

/* Thread 1000 (1200 ms of CPU time) and 1001 (1000 ms), as in the scene "workers": thread 1000
 * executes two instructions per cycle in `serial`, alone, and half of one in `holder`, in company;
 * 1001 one in `worker`, alone, and half of one in company, a part of it in a wait for a mutex. Of
 * branch misses the first thread counted half of the time, the second one a fourth. */
void scene_tell_counted(struct builder *builder)
{
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	add_events(builder);
	add_metrics(builder);
	add_count(builder, paths.first, EVENT_INSTRUCTIONS, 3000 * MILLION, 1200, 1200);
	add_count(builder, paths.first, EVENT_CYCLES, 2000 * MILLION, 1200, 1200);
	add_count(builder, paths.first, EVENT_FAULTS, 100, 1200, 1200);
	add_count(builder, paths.first, EVENT_BRANCHES, 10 * MILLION, 1200, 600);
	add_count(builder, paths.second, EVENT_INSTRUCTIONS, 1500 * MILLION, 1000, 1000);
	add_count(builder, paths.second, EVENT_CYCLES, 2000 * MILLION, 1000, 1000);
	add_count(builder, paths.second, EVENT_FAULTS, 50, 1000, 1000);
	add_count(builder, paths.second, EVENT_BRANCHES, 5 * MILLION, 1000, 250);

	const struct sampled first[] = {
		{paths.serial, 1, 0, 2400 * MILLION, 1200 * MILLION, 6 * MILLION, 200},
		{paths.holder, 2, 0, 300 * MILLION, 600 * MILLION, 3 * MILLION, 30},
	};
	const struct sampled second[] = {
		{paths.worker, 1, 0, 1000 * MILLION, 1000 * MILLION, 3 * MILLION, 120},
		{paths.worker, 2, 0, 350 * MILLION, 700 * MILLION, 1 * MILLION, 70},
		{paths.worker, 2, CAUSE_MUTEX, 50 * MILLION, 100 * MILLION, 0, 10},
	};

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		add_sampled(builder, paths.first, &first[i]);
	for (size_t i = 0; i < sizeof second / sizeof *second; i++)
		add_sampled(builder, paths.second, &second[i]);
}

/* Of the two threads, `worker` reads in company 7.5 million lines that another core had modified,
 * with 200 million instructions; alone it reads 0.03 million, with 600 million. */
void scene_tell_shared_lines(struct builder *builder)
{
	enum { INSTRUCTIONS = 1, CYCLES, MODIFIED };
	const struct row_events counted = {.flags = EVENT_COUNTED, .group = 1};
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	add_event(builder, "instructions", 0, 1, &counted);
	add_event(builder, "cycles", 0, 0, &counted);
	add_event(builder, "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM", 4, 0x4d2, &counted);
	add_count(builder, paths.second, INSTRUCTIONS, 800 * MILLION, 1000, 1000);
	add_count(builder, paths.second, CYCLES, 2000 * MILLION, 1000, 1000);
	add_count(builder, paths.second, MODIFIED, 7530000, 1000, 1000);

	const struct {
		struct sampled sampled;
		uint64_t modified;
	} samples[] = {
		{{paths.worker, 1, 0, 600 * MILLION, 600 * MILLION, 0, 120}, 30000},
		{{paths.worker, 2, 0, 200 * MILLION, 1400 * MILLION, 0, 80}, 7500000},
	};

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		const struct sampled *sampled = &samples[i].sampled;

		add_one(builder, paths.second, sampled, INSTRUCTIONS, sampled->instructions);
		add_one(builder, paths.second, sampled, CYCLES, sampled->cycles);
		add_one(builder, paths.second, sampled, MODIFIED, samples[i].modified);
	}
}

/* References to nowhere, counts beyond all sense, formulas that are none. */
void scene_tell_strange_counts(struct builder *builder)
{
	static const char *const steps[] = {"",         "/",      "@1 @1", "@9 1 +",
					    "@1 0 /",   "1e999",  "@",     "@99999999999999999999",
					    "cpu @1 +", "@1 @1 /"};
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	add_events(builder);
	add_event(builder, "", 99, UINT64_MAX, &(struct row_events){.error = 4095});
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		char name[] = {'m', (char)('a' + i), 0};
		struct row_metrics row = {.name = builder_text(builder, name),
					  .steps = builder_text(builder, steps[i])};

		builder_add(builder, TABLE_metrics, FORMAT_NO_OWNER, &row);
	}
	add_count(builder, paths.first, EVENT_INSTRUCTIONS, UINT64_MAX, UINT64_MAX / MILLION, 0);
	add_count(builder, paths.first, EVENT_CYCLES, UINT64_MAX, UINT64_MAX / MILLION, 1);
	add_count(builder, paths.first, EVENT_FAULTS, 1, 1, 1000);
	add_count(builder, paths.first, 0, 7, 1, 1);
	add_count(builder, paths.first, 999, 7, 1, 1);
	add_count(builder, paths.second, EVENT_CYCLES, UINT64_MAX, 1, 1);

	const struct sampled odd = {99999, 255, 200, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0};

	add_sampled(builder, paths.first, &odd);
	add_one(builder, paths.second, &odd, 0, 5);
	add_one(builder, paths.second, &odd, 999, 5);
}
