/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/switches.h"

#include "preload/base/descriptors.h"
#include "preload/base/pages.h"
#include "preload/base/system.h"
#include "preload/process/affinity.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	/* about 1,360, 680 and 170 records of 24 bytes, and not less than a page, which may have 64
	 * KiB; counted against perf_event_mlock_kb, 512 KiB and a page per processor and user */
	CPU_RING_BYTES = 8 * 4096,
	THREAD_RING_BYTES = 4 * 4096,
	SMALL_RING_BYTES = 4096,
	FEW_THREADS = 32, /* of more threads, each has a small ring: it switches less often */
};

struct ring {
	struct perf_event_mmap_page *page;
	uint32_t cpu;
	uint32_t bytes; /* without the first page */
};

static struct {
	struct ring rings[SWITCH_CPUS];
	unsigned count;
	uint32_t page_bytes;
	bool lack_memory;
} switches;

/* What follows the header of a record, with sample_type TID | TIME. */
struct sample_id {
	uint32_t pid, tid;
	uint64_t time;
};

/* tid 0: of the caller and all threads that it starts, on that processor; else of that thread, on
 * any processor (cpu -1). */
static int open_event(struct descriptor *event, uint32_t tid, int cpu)
{
	struct perf_event_attr attributes = {
		.size = sizeof attributes,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.context_switch = 1,
		.task = 1, /* for the end of a thread, which is no switch */
		.sample_id_all = 1,
		.inherit = tid == 0,
		.inherit_thread = tid == 0, /* not into forked children */
		.exclude_kernel = 1,        /* or EACCES at paranoid 2 */
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = 1u << 30, /* nobody polls */
	};

	return descriptors_open_event(event, &attributes, (int)tid, cpu, -1);
}

static int open_ring(uint32_t tid, int cpu, uint32_t bytes)
{
	struct descriptor event;
	int error = open_event(&event, tid, cpu);

	switches.lack_memory = false;
	if (error)
		return error;
	descriptors_move_up(&event);
	switches.page_bytes = (uint32_t)pages_size();
	if (bytes < switches.page_bytes)
		bytes = switches.page_bytes;
	void *page = pages_map(NULL, bytes + switches.page_bytes, PROT_READ | PROT_WRITE,
			       MAP_SHARED, event.number, 0, &error);
	descriptors_close(&event);
	switches.lack_memory = error == EPERM || error == ENOMEM || error == EAGAIN;
	if (!error)
		switches.rings[switches.count++] = (struct ring){page, (uint32_t)cpu, bytes};
	return -error;
}

int switches_open(void)
{
	const cpu_set_t *processors = affinity_processors();
	int saved = errno, error = CPU_COUNT(processors) ? 0 : -ENODEV;

	for (uint32_t cpu = 0; !error && cpu < CPU_SETSIZE && cpu < SWITCH_CPUS; cpu++) {
		if (CPU_ISSET(cpu, processors))
			error = open_ring(0, (int)cpu, CPU_RING_BYTES);
		if (error == -ENODEV)
			error = 0; /* it went offline: nobody runs there */
	}
	if (error)
		switches_close();
	errno = saved;
	return error;
}

/* Instead of the ring of a thread that has ended, or of a parent's: it stays empty. */
static struct perf_event_mmap_page nothing;

int switches_open_threads(const uint32_t *tids, unsigned count)
{
	int saved = errno, error = 0;

	for (unsigned i = 0; !error && i < count; i++) {
		error = open_ring(tids[i], -1,
				  count > FEW_THREADS ? SMALL_RING_BYTES : THREAD_RING_BYTES);
		if (error == -ESRCH) {
			switches.rings[switches.count++] = (struct ring){&nothing, UINT32_MAX, 0};
			error = 0;
		}
	}
	if (error)
		switches_close();
	errno = saved;
	return error;
}

void switches_close(void)
{
	for (unsigned i = 0; i < switches.count; i++)
		if (switches.rings[i].page != &nothing)
			pages_free(switches.rings[i].page,
				   switches.rings[i].bytes + switches.page_bytes);
	switches.count = 0;
}

/* A signal handler may fork in the middle of a drain, which then goes on in the child: the rings
 * that it reads are empty. */
void switches_forget(void)
{
	for (unsigned i = 0; i < switches.count; i++)
		switches.rings[i].page = &nothing;
	switches.count = 0;
}

bool switches_lack_memory(void)
{
	return switches.lack_memory;
}

bool switches_are_open(void)
{
	return switches.count > 0;
}

unsigned switches_count(void)
{
	return switches.count;
}

uint32_t switches_here(void)
{
	int cpu = system_processor();

	for (unsigned i = 0; i < switches.count; i++)
		if (switches.rings[i].cpu == (uint32_t)cpu)
			return i;
	return UINT32_MAX;
}

uint64_t switches_tail(unsigned ring)
{
	return switches.rings[ring].page->data_tail;
}

bool switches_have_news(unsigned ring)
{
	const struct perf_event_mmap_page *page = switches.rings[ring].page;

	return __atomic_load_n(&page->data_head, __ATOMIC_RELAXED) != page->data_tail;
}

void switches_consume(unsigned ring, uint64_t position)
{
	/* release: the kernel may overwrite the records before */
	__atomic_store_n(&switches.rings[ring].page->data_tail, position, __ATOMIC_RELEASE);
}

/* Records are multiples of 8 bytes, so a word never wraps. */
static void copy_out(const struct ring *ring, uint64_t position, void *to, size_t bytes)
{
	const char *data = (const char *)ring->page + switches.page_bytes;

	for (size_t i = 0; i < bytes; i += 8)
		memcpy((char *)to + i, data + (position + i) % ring->bytes, 8);
}

/* Fills in what a record says; false: it is of no interest. */
static bool interpret(const struct ring *ring, uint64_t position,
		      const struct perf_event_header *header, struct switch_record *record)
{
	struct sample_id id;

	copy_out(ring, position + header->size - sizeof id, &id, sizeof id);
	record->time_ns = id.time;
	record->tid = id.tid;
	if (header->type == PERF_RECORD_SWITCH) {
		if (!(header->misc & PERF_RECORD_MISC_SWITCH_OUT))
			record->kind = SWITCH_IN;
		else if (header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			record->kind = SWITCH_OUT_PREEMPTED;
		else
			record->kind = SWITCH_OUT_BLOCKED;
		return true;
	}
	if (header->type == PERF_RECORD_EXIT) {
		uint32_t pids[4]; /* pid, parent's pid, tid, parent's tid */
		copy_out(ring, position + sizeof *header, pids, sizeof pids);
		record->kind = SWITCH_EXIT;
		record->tid = pids[2];
		return true;
	}
	if (header->type == PERF_RECORD_LOST) {
		uint64_t lost;
		copy_out(ring, position + sizeof *header + 8, &lost, sizeof lost);
		record->kind = SWITCH_LOST;
		record->tid = (uint32_t)lost;
		return true;
	}
	return false;
}

bool switches_next(unsigned number, uint64_t *position, struct switch_record *record)
{
	const struct ring *ring = &switches.rings[number];
	/* acquire: records before the head are whole */
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);

	while (*position < head) {
		struct perf_event_header header;
		uint64_t at = *position;

		copy_out(ring, at, &header, sizeof header);
		if (header.size < sizeof header)
			return false;
		*position = at + header.size;
		record->position = *position;
		if (interpret(ring, at, &header, record))
			return true;
	}
	return false;
}
