/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/process/process_life.h"

#include "analyze/base/memory.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* Do process numbers mean the same for both? */
static bool has_same_numbers(const struct run_process *a, const struct run_process *b)
{
	return !strcmp(a->process.host, b->process.host) &&
	       a->process.pid_namespace == b->process.pid_namespace;
}

static bool has_successor(const struct run_files *files, const struct run_process *process)
{
	for (size_t i = 0; i < files->process_count + files->other_count; i++) {
		const struct run_process *other = run_files_process(files, i);

		if (other->header.pid == process->header.pid && has_same_numbers(other, process) &&
		    other->header.sequence == process->header.sequence + 1 &&
		    other->process.born_ticks == process->process.born_ticks)
			return true;
	}
	return false;
}

/* Its end as its parent saw it; NULL: it has no profiled parent that waited for it. */
static const struct profile_child *find_childs_end(const struct run_files *files,
						   const struct run_process *process)
{
	for (size_t i = 0; i < files->process_count + files->other_count; i++) {
		const struct run_process *parent = run_files_process(files, i);

		if (parent->header.pid != process->process.parent_pid ||
		    !has_same_numbers(parent, process))
			continue;
		for (size_t c = 0; c < parent->child_count; c++) {
			const struct profile_child *child = &parent->children[c];

			if (child->pid == process->header.pid &&
			    child->end_ns >= process->header.start_ns)
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

/* Did it end by itself: by the system call, or by a signal for what it did? */
static bool is_own_doing(const struct process_life *life)
{
	static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (life->code == signals[i])
			return true;
	return life->state != LIFE_KILLED;
}

/* Its parent may have waited for it long after its end. A process that ends by itself is on a
 * processor, so it has left samples up to then. When a process was killed by another one is not
 * known, but whoever kills a process mostly waits for it next. */
static uint64_t last_instant(const struct run_process *process, const struct process_life *life,
			     const struct profile_child *seen)
{
	bool has_samples = is_own_doing(life) && !process->is_idle;
	uint64_t known_ns = has_samples ? seen->alive_ns : seen->end_ns;

	return known_ns > process->last_sign_ns ? known_ns : process->last_sign_ns;
}

/* No end in the file: the process is still running, or was ended from outside. */
static void find_missing_end(const struct run_files *files, const struct run_process *process,
			     struct process_life *life)
{
	const struct profile_child *seen;

	if (has_successor(files, process)) {
		life->state = LIFE_REPLACED;
	} else if (process->is_alive) {
		life->state = LIFE_RUNNING;
		life->end_ns = files->now_ns;
	} else if ((seen = find_childs_end(files, process))) {
		set_wait_status(life, (int)seen->status);
		life->end_ns = last_instant(process, life, seen);
	}
}

/* What was found out when it was merged. */
static struct process_life life_of_merged(const struct merged_processes *row)
{
	struct process_life life = row->life;

	if (life.state > LIFE_SAVED)
		life.state = LIFE_UNKNOWN;
	return life;
}

struct process_life process_life_of(const struct run_files *files, size_t index)
{
	const struct run_process *process = &files->processes[index];
	const struct format_header *header = &process->header;

	if (process->merged)
		return life_of_merged(process->merged);
	struct process_life life = {
		.state = LIFE_UNKNOWN,
		.end_ns = header->end_ns ? header->end_ns : process->last_sign_ns,
	};

	switch (header->state) {
	case FORMAT_STATE_EXITED:
		life.state = LIFE_EXITED;
		life.code = header->status;
		break;
	case FORMAT_STATE_REPLACED:
		life.state = LIFE_REPLACED;
		break;
	case FORMAT_STATE_DETACHED:
		life.state = LIFE_DETACHED;
		break;
	case FORMAT_STATE_SAVED:
		life.state = LIFE_SAVED;
		break;
	case FORMAT_STATE_REAPED:
		set_wait_status(&life, header->status);
		break;
	default:
		find_missing_end(files, process, &life);
	}
	if (life.end_ns < header->start_ns)
		life.end_ns = header->start_ns;
	life.is_complete = life.state == LIFE_EXITED || life.state == LIFE_REPLACED ||
			   life.state == LIFE_DETACHED;
	return life;
}

bool process_life_has_parent(const struct run_files *files, size_t index)
{
	const struct run_process *process = &files->processes[index];

	for (size_t i = 0; i < files->process_count + files->other_count; i++) {
		const struct run_process *other = run_files_process(files, i);

		if (other->header.pid == process->process.parent_pid &&
		    has_same_numbers(other, process))
			return true;
	}
	return false;
}

bool process_life_is_needed(const struct run_files *files, size_t index)
{
	return files->processes[index].rank_count || !process_life_has_parent(files, index);
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
		return memory_print("exited %d", (int)life->code);
	case LIFE_KILLED:
		return signal_text((int)life->code);
	case LIFE_REPLACED:
		return memory_copy_text("replaced by exec");
	case LIFE_RUNNING:
		return memory_copy_text("running");
	case LIFE_DETACHED:
		return memory_copy_text("detached");
	case LIFE_SAVED:
		return memory_copy_text("saved while it ran");
	default:
		return memory_copy_text("ended without a word");
	}
}
