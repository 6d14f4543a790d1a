/* SPDX-License-Identifier: MIT */
#include "preload/process/process_row.h"

#include "common/stat_line.h"
#include "preload/base/clock.h"
#include "preload/base/small_file.h"
#include "preload/base/system.h"
#include "preload/base/text.h"
#include "preload/file/store.h"
#include "preload/process/affinity.h"
#include "preload/process/module_map.h"
#include "preload/process/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { COMMAND_BYTES = 1500, STAT_BYTES = 1000, ONLINE_BYTES = 512 };

/* The number that every kernel gives the outermost namespace (PROC_PID_INIT_INO). */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCu

struct row_process *process_row;

static unsigned quota; /* processors of the control group's; 0: it has none */

/* Of cgroup v2, "max 100000" or "150000 100000": rounded up. */
static void read_quota(void)
{
	char buffer[64];
	const char *cursor = buffer;

	quota = 0;
	if (small_file_read("/sys/fs/cgroup/cpu.max", buffer, sizeof buffer) <= 0 ||
	    buffer[0] == 'm')
		return;
	uint64_t time = text_read_number(&cursor);
	uint64_t period = text_read_number(&cursor);
	quota = period ? (unsigned)((time + period - 1) / period) : 0;
}

static unsigned cut_by_quota(unsigned count)
{
	return quota && quota < count ? quota : count ? count : 1;
}

/* Of the kernel's list, "0-3,6". */
static unsigned count_online(void)
{
	char list[ONLINE_BYTES];
	const char *at = list;
	uint64_t count = 0;

	if (small_file_read("/sys/devices/system/cpu/online", list, sizeof list) <= 0)
		return 1;
	while (*at >= '0' && *at <= '9') {
		uint64_t first = text_read_number(&at);
		uint64_t last = *at == '-' ? (at++, text_read_number(&at)) : first;
		count += last - first + 1;
		at += *at == ',';
	}
	return count ? (unsigned)count : 1;
}

unsigned process_count_processors(void)
{
	int allowed = CPU_COUNT(affinity_processors());

	return cut_by_quota(allowed ? (unsigned)allowed : count_online());
}

/* The lowest of the affinity, + 1: it differs between processes of one machine that are bound to
 * different processors. */
static unsigned first_processor(void)
{
	for (unsigned i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, affinity_processors()))
			return i + 1;
	return 0;
}

void process_row_set_processors(void)
{
	process_row->processors = process_count_processors();
	process_row->processor_first = first_processor();
}

static uint64_t begin_cpu_ns;

void process_row_begin_cpu(uint64_t cpu_ns)
{
	begin_cpu_ns = cpu_ns;
}

void process_row_read_cpu(void)
{
	process_row->cpu_clock_ns = clock_process_cpu_ns() - begin_cpu_ns;
}

const char *process_host(void)
{
	static char host[65];
	struct utsname names;

	if (host[0] || kernel_call(SYS_uname, &names))
		return host[0] ? host : "host";
	for (size_t i = 0; i < sizeof host - 1 && names.nodename[i]; i++) {
		char c = names.nodename[i];
		bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
				(c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
		host[i] = is_plain ? c : '_';
	}
	return host[0] ? host : "host";
}

static const char *const *arguments; /* until the first profile is opened */

void process_row_know_arguments(const char *const *of_main)
{
	arguments = of_main;
}

/* As /proc/self/cmdline: each with the zero at its end. Returns the length. */
static long copy_arguments(char *buffer, size_t size)
{
	size_t length = 0;

	for (const char *const *argument = arguments; *argument && length < size; argument++) {
		size_t room = size - length, bytes = strnlen(*argument, room - 1);
		memcpy(buffer + length, *argument, bytes);
		buffer[length + bytes] = '\0';
		length += bytes + 1;
	}
	arguments = NULL;
	return (long)length;
}

/* The arguments, joined by blanks. */
static uint64_t command(void)
{
	char buffer[COMMAND_BYTES];
	long length = arguments ? copy_arguments(buffer, sizeof buffer)
				: small_file_read("/proc/self/cmdline", buffer, sizeof buffer);

	for (long i = 0; i + 1 < length; i++)
		if (!buffer[i])
			buffer[i] = ' ';
	return length > 0 ? store_string(buffer) : 0;
}

/* Containers number their processes from 1, so a number means something only within its
 * namespace. */
static uint64_t pid_namespace(void)
{
	struct stat status;
	int saved = errno;
	bool is_known = system_status_of("/proc/self/ns/pid", &status, 0) == 0;

	errno = saved;
	return is_known ? status.st_ino : 0;
}

static bool is_contained(uint64_t namespace)
{
	return namespace && namespace != FIRST_PID_NAMESPACE;
}

static uint64_t born_ticks(void)
{
	char line[STAT_BYTES];
	long length = small_file_read("/proc/self/stat", line, sizeof line);
	const char *at = length > 0 ? stat_line_field(line, STAT_BORN) : NULL;

	return at ? text_read_number(&at) : 0;
}

/* No samples come between two ticks, whatever was asked. */
static uint64_t real_period_ns(void)
{
	uint64_t asked_ns = settings.sample_period_ns, tick_ns = clock_tick_ns();

	return asked_ns && asked_ns < tick_ns ? tick_ns : asked_ns;
}

int process_row_open(int pid)
{
	struct format_block *block =
		store_block(TABLE_process, sizeof(struct row_process), FORMAT_NO_OWNER, 0, 1);

	if (!block)
		return -ENOSPC;
	process_row = store_rows(block);
	process_row->parent_pid = (uint32_t)system_parent_pid();
	process_row->pid_namespace = pid_namespace();
	process_row->born_ticks = is_contained(process_row->pid_namespace) ? born_ticks() : 0;
	process_row->command = command();
	process_row->executable = store_string(module_map_program());
	process_row->host = store_string(process_host());
	read_quota();
	process_row_set_processors();
	process_row->processors_online = cut_by_quota(count_online());
	process_row->sample_period_ns = real_period_ns();
	process_row->io_is_counted = settings.sync;
	__atomic_store_n(&process_row->pid, (uint32_t)pid, __ATOMIC_RELEASE);
	return 0;
}
