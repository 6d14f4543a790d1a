/* SPDX-License-Identifier: MIT */
#include "job_file.h"

#include "common/fnv.h"
#include "common/real_clock.h"
#include "own_process.h"
#include "process_stat.h"
#include "run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PREFIX_JOB    ".job-"
#define PREFIX_TOLD   ".told-"
#define PREFIX_FAILED ".failed-"
#define PREFIX_BEGUN  ".begun-"
#define PREFIX_NEW    ".new-job-"

enum {
	HEAD_BYTES = 1024, /* the text; the ranks' bytes follow */
	RANK_STARTED = 's',
	RANK_ENDED = 'e',
	RANK_IN_PLACE = 'p',
	GRACE_ROUNDS = 20,
	GRACE_NS = 20000000,
	/* The clock of one host, in ticks: */
	SAME_HOST_SLACK_NS = 20000000,
};

/* Two hosts: their clocks differ, and one starts its ranks before the other has its launcher. */
static const uint64_t OTHER_HOST_SLACK_NS = UINT64_C(120000000000);

/* Names of the files that a job leaves, each followed by its hash. */
static const char *const prefixes[] = {PREFIX_JOB, PREFIX_TOLD, PREFIX_FAILED, PREFIX_BEGUN};

enum { PREFIX_COUNT = sizeof prefixes / sizeof prefixes[0] };

bool job_file_is_name(const char *name)
{
	for (size_t i = 0; i < PREFIX_COUNT; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return strncmp(name, PREFIX_NEW, strlen(PREFIX_NEW)) == 0;
}

/* The key itself is in the file. */
void job_file_hash(const struct launcher_job *job, char text[17])
{
	uint64_t hash = fnv_bytes(FNV_START, job->key, strlen(job->key));

	snprintf(text, 17, "%016llx", (unsigned long long)hash);
}

static void make_name(char *name, size_t size, const char *prefix, const struct launcher_job *job)
{
	char hash[17];

	job_file_hash(job, hash);
	snprintf(name, size, "%s%s", prefix, hash);
}

/* On NFS another host sees only what has reached the server. */
static int open_job(int directory, const struct launcher_job *job, int flags)
{
	char name[64];
	struct statfs system;

	make_name(name, sizeof name, PREFIX_JOB, job);
	if (fstatfs(directory, &system) == 0 && system.f_type == NFS_SUPER_MAGIC)
		flags |= O_DSYNC;
	return openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

static bool is_recent(const struct launcher_job *job, const char *boot, uint64_t boot_ns,
		      uint64_t real_ns)
{
	char own_boot[64];

	if (!job->start_ns)
		return true;
	process_boot_id(own_boot, sizeof own_boot);
	if (strcmp(boot, own_boot) == 0)
		return boot_ns + SAME_HOST_SLACK_NS >= job->start_ns;
	uint64_t age_ns = real_clock_ns(CLOCK_BOOTTIME) - job->start_ns;
	return real_ns + OTHER_HOST_SLACK_NS >= real_clock_ns(CLOCK_REALTIME) - age_ns;
}

/* The four lines of the head: what it is, key, boot, times. */
static bool judge_head(char *head, const struct launcher_job *job)
{
	unsigned long long boot_ns, real_ns;
	char *lines[4] = {head};

	for (int i = 1; i < 4; i++) {
		lines[i] = strchr(lines[i - 1], '\n');
		if (!lines[i])
			return false;
		*lines[i]++ = '\0';
	}
	return strcmp(lines[1], job->key) == 0 &&
	       sscanf(lines[3], "%llu %llu", &boot_ns, &real_ns) == 2 &&
	       is_recent(job, lines[2], boot_ns, real_ns);
}

bool job_file_matches(int directory, const struct launcher_job *job)
{
	char head[HEAD_BYTES + 1] = "";
	int file = open_job(directory, job, O_RDONLY);

	if (file < 0)
		return false;
	ssize_t length = pread(file, head, HEAD_BYTES, 0);
	close(file);
	return length == HEAD_BYTES && judge_head(head, job);
}

static bool write_head(int file, const struct launcher_job *job)
{
	char head[HEAD_BYTES + 1], boot[64];

	memset(head, '\n', sizeof head);
	process_boot_id(boot, sizeof boot);
	int length = snprintf(head, sizeof head, "ptrace-run job of %d ranks\n%s\n%s\n%llu %llu\n",
			      job->ranks, job->key, boot,
			      (unsigned long long)real_clock_ns(CLOCK_BOOTTIME),
			      (unsigned long long)real_clock_ns(CLOCK_REALTIME));
	head[length] = '\n';
	errno = ENOSPC; /* which a short write means */
	return write(file, head, HEAD_BYTES) == HEAD_BYTES;
}

int job_file_publish(int directory, const struct launcher_job *job)
{
	char name[64], scratch[128];

	if (job_file_matches(directory, job))
		return 0;
	make_name(name, sizeof name, PREFIX_JOB, job);
	snprintf(scratch, sizeof scratch, PREFIX_NEW "%.39s.%ld", own_process_host(),
		 (long)own_process_number());
	int file = openat(directory, scratch, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  0600);
	if (file < 0)
		return errno;
	int error = write_head(file, job) ? 0 : errno;
	if (close(file) < 0 && !error)
		error = errno;
	if (error)
		unlinkat(directory, scratch, 0);
	else
		error = run_file_give_name(directory, scratch, name);
	return error == EEXIST && job_file_matches(directory, job) ? 0 : error;
}

void job_file_discard(int directory, const struct launcher_job *job)
{
	char name[64];

	for (size_t i = 0; i < PREFIX_COUNT; i++) {
		make_name(name, sizeof name, prefixes[i], job);
		unlinkat(directory, name, 0);
	}
}

static void put(int directory, const struct launcher_job *job, char state)
{
	int file = open_job(directory, job, O_WRONLY);

	if (file < 0)
		return;
	if (pwrite(file, &state, 1, HEAD_BYTES + job->rank) < 0)
		errno = 0; /* the disk is full: then no rank reports on the job */
	close(file);
}

void job_file_start(int directory, const struct launcher_job *job, bool is_in_place)
{
	put(directory, job, is_in_place ? RANK_IN_PLACE : RANK_STARTED);
}

void job_file_end(int directory, const struct launcher_job *job)
{
	put(directory, job, RANK_ENDED);
}

struct census {
	int running, ended, in_place;
};

static struct census count(int directory, const struct launcher_job *job)
{
	struct census census = {0};
	char *states = calloc(1, (size_t)job->ranks);
	int file = open_job(directory, job, O_RDONLY);

	if (states && file >= 0 && pread(file, states, (size_t)job->ranks, HEAD_BYTES) > 0)
		for (int rank = 0; rank < job->ranks; rank++) {
			census.running += states[rank] == RANK_STARTED;
			census.ended += states[rank] == RANK_ENDED;
			census.in_place += states[rank] == RANK_IN_PLACE;
		}
	if (file >= 0)
		close(file);
	free(states);
	return census;
}

static bool is_first(int directory, const struct launcher_job *job, const char *prefix)
{
	char name[64];

	make_name(name, sizeof name, prefix, job);
	int file =
		openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file >= 0)
		close(file);
	return file >= 0;
}

bool job_file_is_over(int directory, const struct launcher_job *job)
{
	struct census census = count(directory, job);

	return !census.running && !census.in_place;
}

bool job_file_is_first_in_place(int directory, const struct launcher_job *job)
{
	return is_first(directory, job, PREFIX_BEGUN);
}

bool job_file_is_last(int directory, const struct launcher_job *job, int *profiled)
{
	const struct timespec pause = {.tv_nsec = GRACE_NS};
	struct census census = count(directory, job);

	for (int i = 0;
	     i < GRACE_ROUNDS && !census.running && census.ended + census.in_place < job->ranks;
	     i++) {
		nanosleep(&pause, NULL);
		census = count(directory, job);
	}
	*profiled = census.ended + census.in_place;
	return !census.running && census.ended > 0 && is_first(directory, job, PREFIX_TOLD);
}

bool job_file_is_first_to_fail(int directory, const struct launcher_job *job)
{
	return is_first(directory, job, PREFIX_FAILED);
}
