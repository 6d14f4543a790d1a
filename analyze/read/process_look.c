/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/process_look.h"

#include "analyze/base/memory.h"
#include "common/proc_file.h"
#include "common/stat_line.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

uint32_t process_look_number(const struct profile *profile)
{
	struct stat ours;
	uint64_t theirs = profile->process.pid_namespace;

	if (theirs && (stat("/proc/self/ns/pid", &ours) || ours.st_ino != theirs))
		return 0;
	return profile->header.pid;
}

struct thread_look thread_look_at(uint32_t pid, uint64_t tid)
{
	struct thread_look look = {0};
	char text[1024];

	proc_file_read(text, sizeof text, "/proc/%u/task/%" PRIu64 "/stat", pid, tid);
	look.state = stat_line_state(text);
	if (!look.state)
		return look;
	proc_file_read(text, sizeof text, "/proc/%u/task/%" PRIu64 "/schedstat", pid, tid);
	look.is_timed = sscanf(text, "%" SCNu64 " %" SCNu64, &look.cpu_ns, &look.ready_ns) == 2;
	return look;
}

size_t process_look_threads(uint32_t pid)
{
	char threads[24];

	proc_file_value(threads, sizeof threads, "Threads", "/proc/%u/status", pid);
	return strtoul(threads, NULL, 10);
}

bool process_look_word(uint32_t pid, uint64_t address, uint32_t *word)
{
	struct iovec here = {word, sizeof *word},
		     there = {(void *)(uintptr_t)address, sizeof *word};

	return process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) == (ssize_t)sizeof *word;
}

/* proc(5) syscall: the call's number, and its arguments in hexadecimal; "running". */
uint64_t process_look_pipe_of_call(uint32_t pid, uint64_t tid)
{
	char path[80], text[256], name[64] = "";
	unsigned long long descriptor, inode;

	proc_file_read(text, sizeof text, "/proc/%u/task/%" PRIu64 "/syscall", pid, tid);
	if (sscanf(text, "%*d %llx", &descriptor) != 1)
		return 0;
	snprintf(path, sizeof path, "/proc/%u/fd/%llu", pid, descriptor);
	if (readlink(path, name, sizeof name - 1) < 0)
		return 0;
	return sscanf(name, "pipe:[%llu]", &inode) == 1 ? inode : 0;
}

static bool is_pipe(uint32_t pid, const char *number, const char *wanted)
{
	char *path = memory_print("/proc/%u/fd/%s", pid, number), name[64] = "";
	ssize_t length = readlink(path, name, sizeof name - 1);

	free(path);
	return length > 0 && !strcmp(name, wanted);
}

/* The mode with which the descriptor was opened, as open(2) has it. */
static int mode_of(uint32_t pid, const char *number)
{
	char text[256];

	proc_file_read(text, sizeof text, "/proc/%u/fdinfo/%s", pid, number);
	const char *flags = proc_file_field(text, "flags");
	return flags ? (int)strtoul(flags, NULL, 8) & O_ACCMODE : -1;
}

bool process_look_pipe(uint32_t pid, uint64_t inode, bool is_writer)
{
	char *path = memory_print("/proc/%u/fd", pid);
	char *wanted = memory_print("pipe:[%llu]", (unsigned long long)inode);
	DIR *all = opendir(path);
	const struct dirent *entry;
	bool has = false;

	while (all && !has && (entry = readdir(all))) {
		if (!isdigit((unsigned char)*entry->d_name) || !is_pipe(pid, entry->d_name, wanted))
			continue;
		int mode = mode_of(pid, entry->d_name);

		has = mode == O_RDWR || mode == (is_writer ? O_WRONLY : O_RDONLY);
	}
	if (all)
		closedir(all);
	free(path);
	free(wanted);
	return has;
}
