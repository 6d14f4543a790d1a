/* SPDX-License-Identifier: MIT */
#include "restartable.h"

#include "remote_memory.h"

#include <linux/rseq.h>
#include <stddef.h>
#include <sys/ptrace.h>

/* As the headers of Linux 5.13 have it. */
struct configuration {
	uint64_t area;
	uint32_t size, signature, flags, unused;
};
enum { GET_CONFIGURATION = 0x420f };

/* The sequence that the thread has entered, or has left and not yet forgotten. */
static int read_sequence(pid_t process, uint64_t area, struct rseq_cs *sequence)
{
	uint64_t address = 0;
	int error = memory_read(process, area + offsetof(struct rseq, rseq_cs), &address,
				sizeof address);

	return error || !address ? -1 : memory_read(process, address, sequence, sizeof *sequence);
}

/* One with flags goes on where it was (before Linux 6.1), and without its signature the kernel ends
 * the program, as it would have by itself. */
void restartable_abort(pid_t process, pid_t thread, registers_general *general)
{
	struct configuration own;
	struct rseq_cs sequence;
	uint32_t signature;

	if (ptrace((enum __ptrace_request)GET_CONFIGURATION, thread, sizeof own, &own) < 0 ||
	    !own.area || read_sequence(process, own.area, &sequence) < 0)
		return;
	if (registers_pc(general) - sequence.start_ip >= sequence.post_commit_offset ||
	    sequence.flags)
		return;
	if (memory_read(process, sequence.abort_ip - sizeof signature, &signature,
			sizeof signature) == 0 &&
	    signature == own.signature)
		registers_set_pc(general, sequence.abort_ip);
}
