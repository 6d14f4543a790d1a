/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/process_life.h"

#include "analyze/memory.h"

#include <string.h>
#include <sys/wait.h>

static bool is_same_host(const struct profile *a, const struct profile *b)
{
	return !strcmp(a->process.host, b->process.host);
}

static bool has_successor(const struct run_files *files, const struct profile *profile)
{
	for (size_t i = 0; i < files->process_count; i++) {
		const struct profile *other = files->processes[i].profile;

		if (other->header.pid == profile->header.pid && is_same_host(other, profile) &&
		    other->header.sequence == profile->header.sequence + 1)
			return true;
	}
	return false;
}

/* What its parent saw of its end; NULL: it has no profiled parent that waited. */
static const struct profile_child *find_childs_end(const struct run_files *files,
						   const struct profile *profile)
{
	for (size_t i = 0; i < files->process_count; i++) {
		const struct profile *parent = files->processes[i].profile;

		if (parent->header.pid != profile->process.parent_pid ||
		    !is_same_host(parent, profile))
			continue;
		for (size_t c = 0; c < parent->children.count; c++) {
			const struct profile_child *child = &parent->children.rows[c];

			if (child->pid == profile->header.pid &&
			    child->end_ns >= profile->header.start_ns)
				return child;
		}
	}
	return NULL;
}

static void set_wait_status(struct process_life *life, int status)
{
	bool is_killed = WIFSIGNALED(status);

	life->state = is_killed ? LIFE_KILLED : LIFE_EXITED;
	life->code = is_killed ? WTERMSIG(status) : WEXITSTATUS(status);
}

static uint64_t last_sign_of_life(const struct profile *profile)
{
	uint64_t last = profile->header.heartbeat_ns;

	for (size_t i = 0; i < profile->threads.count; i++)
		if (profile->threads.rows[i].updated_ns > last)
			last = profile->threads.rows[i].updated_ns;
	return last;
}

/* No end in the file: the process runs, or something else than itself ended it. */
static void find_missing_end(const struct run_files *files, size_t process,
			     struct process_life *life)
{
	const struct profile *profile = files->processes[process].profile;
	const struct profile_child *seen;

	if (has_successor(files, profile)) {
		life->state = LIFE_REPLACED;
	} else if (files->processes[process].is_alive) {
		life->state = LIFE_RUNNING;
		life->end_ns = files->now_ns;
	} else if ((seen = find_childs_end(files, profile))) {
		set_wait_status(life, (int)seen->status);
		if (seen->end_ns > life->end_ns)
			life->end_ns = seen->end_ns;
	}
}

struct process_life process_life_of(const struct run_files *files, size_t process)
{
	const struct profile *profile = files->processes[process].profile;
	const struct format_header *header = &profile->header;
	struct process_life life = {
		.state = LIFE_UNKNOWN,
		.end_ns = header->end_ns ? header->end_ns : last_sign_of_life(profile),
	};

	switch (header->state) {
	case FORMAT_STATE_EXITED:
		life.state = LIFE_EXITED;
		life.code = header->status;
		break;
	case FORMAT_STATE_REPLACED:
		life.state = LIFE_REPLACED;
		break;
	case FORMAT_STATE_REAPED:
		set_wait_status(&life, header->status);
		break;
	default:
		find_missing_end(files, process, &life);
	}
	if (life.end_ns < header->start_ns)
		life.end_ns = header->start_ns;
	life.is_complete = life.state == LIFE_EXITED || life.state == LIFE_REPLACED;
	return life;
}

static char *signal_text(int number)
{
	const char *name = sigabbrev_np(number);

	return name ? memory_print("killed by SIG%s", name)
		    : memory_print("killed by signal %d", number);
}

char *process_life_text(const struct process_life *life)
{
	switch (life->state) {
	case LIFE_EXITED:
		return memory_print("exited %d", life->code);
	case LIFE_KILLED:
		return signal_text(life->code);
	case LIFE_REPLACED:
		return memory_copy_text("replaced by exec");
	case LIFE_RUNNING:
		return memory_copy_text("running");
	default:
		return memory_copy_text("ended without a word");
	}
}
