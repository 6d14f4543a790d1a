/* SPDX-License-Identifier: MIT */
#include "run_claim.h"

#include "job_file.h"
#include "process_stat.h"
#include "run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME ".claim"

bool run_claim_is_name(const char *name)
{
	return strcmp(name, NAME) == 0 ||
	       strncmp(name, RUN_FILE_SCRATCH, strlen(RUN_FILE_SCRATCH)) == 0;
}

void run_claim_name_start(char text[RUN_CLAIM_SIZE], const struct launcher_job *job, pid_t process)
{
	struct process_stat stat = {.pid = process};
	char boot[64], hash[17];

	if (job->key[0]) {
		job_file_hash(job, hash);
		snprintf(text, RUN_CLAIM_SIZE, "job %s\n", hash);
		return;
	}
	process_boot_id(boot, sizeof boot);
	process_stat_read(process, &stat);
	snprintf(text, RUN_CLAIM_SIZE, "process %s %ld %llu\n", boot, (long)process,
		 (unsigned long long)stat.start_ns);
}

enum run_claim run_claim_find(int directory, const char *start)
{
	char text[RUN_CLAIM_SIZE] = "";
	int file = openat(directory, NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (file < 0)
		return RUN_CLAIM_NONE;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	if (length == 0) /* without hard links it is made in two steps */
		return RUN_CLAIM_NONE;
	return length > 0 && strcmp(text, start) == 0 ? RUN_CLAIM_OURS : RUN_CLAIM_OTHER;
}

enum run_claim run_claim_take(int directory, const char *start, int *error)
{
	*error = run_file_write_new(directory, NAME, start);
	if (!*error)
		return RUN_CLAIM_OURS;
	if (*error != EEXIST)
		return RUN_CLAIM_NONE;
	*error = 0;
	return run_claim_find(directory, start) == RUN_CLAIM_OURS ? RUN_CLAIM_OURS
								  : RUN_CLAIM_OTHER;
}

void run_claim_give_back(int directory)
{
	unlinkat(directory, NAME, 0);
}
