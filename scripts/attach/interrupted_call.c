/* SPDX-License-Identifier: MIT */
#include "interrupted_call.h"

#include "proc_text.h"

#include <errno.h>
#include <sys/ptrace.h>

#define SECOND_NS UINT64_C(1000000000)

void interrupted_call_read(struct interrupted_call *call, const struct tracee *tracee,
			   const struct candidate *candidate, const registers_general *general)
{
	long number = registers_call_number(tracee->thread, general);

	*call = (struct interrupted_call){
		.waiting = waiting_call_find(number), .number = number, .again = *general};
	if (call->waiting == candidate->call)
		call->first_argument = &candidate->arguments[0];
	call->is_broken = call->waiting && (int64_t)registers_result(general) == -EINTR &&
			  registers_call_again(&call->again, number, call->first_argument);
	call->is_again =
		call->is_broken || registers_restart(tracee->thread, &call->again,
						     call->waiting && call->waiting->has_rest);
}

static bool is_signal_pending(const struct tracee *tracee)
{
	pid_t process = tracee->process, thread = tracee->thread;
	uint64_t blocked = proc_text_set(process, thread, "SigBlk");
	uint64_t pending =
		proc_text_set(process, thread, "SigPnd") | proc_text_set(process, thread, "ShdPnd");

	return (pending & ~blocked) != 0;
}

void interrupted_call_leave(const struct interrupted_call *call, const struct tracee *tracee)
{
	registers_general general;

	if (call->is_broken && registers_read_general(tracee->thread, &general) == 0 &&
	    (int64_t)registers_result(&general) == -EINTR)
		registers_go_on(tracee->thread, &general, call->number, call->first_argument,
				is_signal_pending(tracee));
}

/* A call that ends with EINTR would do so again when the thread is let go at its begin: it is let
 * go where it was stopped the first time, behind it. */
int interrupted_call_enter(const struct interrupted_call *call, struct tracee *tracee,
			   uint64_t mask)
{
	int error = tracee_enter_call(tracee, mask);

	if (error || !call->is_broken)
		return error;
	if (tracee_resume_to_stop(tracee, SECOND_NS) != STOP_INTERRUPTED)
		return -ESRCH;
	interrupted_call_leave(call, tracee);
	return 0;
}
