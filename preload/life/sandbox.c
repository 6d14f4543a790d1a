/* SPDX-License-Identifier: MIT */
#include "preload/life/sandbox.h"

#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"
#include "preload/base/system.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/file/vocabulary.h"
#include "preload/life/lifecycle_parts.h"
#include "preload/life/sealed_guest.h"
#include "preload/life/thread_record.h"
#include "preload/process/real.h"
#include "preload/samples/handler_relay.h"
#include "preload/samples/sampler.h"

#include <errno.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

/* ---- sealing: from then on no wrapper makes a system call that the program did not make */

/* The figures end here. False: the process has no profile of its own. */
static bool close_profile(enum note_code why)
{
	struct thread *self = thread_self;

	if (state_now() != STATE_ACTIVE || !store_header() || thread_were_wiped())
		return false;
	note_once(why, 0);
	lifecycle_close_profile(FORMAT_STATE_RUNNING, 0);
	if (self)
		lifecycle_end_thread(self);
	store_seal();
	return true;
}

/* Other threads may be sealed with this one. */
static void take_records_away(void)
{
	for (uint32_t i = 0, count = thread_count(); i < count; i++)
		if (thread_at(i) && thread_at(i) != thread_self)
			thread_record_take_away(thread_at(i));
}

static void seal(enum note_code why)
{
	sampler_seal();
	handler_relay_end();
	bool has_profile = close_profile(why);
	take_records_away();
	lifecycle_forget_self();
	descriptors_before_fork(); /* not in the middle of a stretch: and none begins later */
	kernel_is_sealed = true;
	__atomic_store_n(&life.state, has_profile ? STATE_SEALED : STATE_SHUT, __ATOMIC_RELEASE);
}

static bool is_vfork_child(int pid)
{
	enum lifecycle_state state = state_now();
	bool knows_pid = state == STATE_ASLEEP || state == STATE_ACTIVE || state == STATE_DETACHED;

	return knows_pid && life.pid != pid && !thread_were_wiped();
}

/* From now on a system call of ours, or reading a clock, may kill the process: its profile ends
 * here, except for how the process ends. Not from signal handlers. Never changes errno. */
static void sealed_begin(enum note_code why)
{
	int saved = errno;

	if (lifecycle_is_sealed())
		return;
	int pid = system_pid();
	if (is_vfork_child(pid))
		sealed_guest_begin(pid);
	else
		seal(why);
	errno = saved;
}

/* ---- ways into it */

void *sandbox_real_syscall;

void sandbox_before_prctl(int option, unsigned long argument)
{
	bool is_filter = option == PR_SET_SECCOMP && argument != SECCOMP_MODE_DISABLED;
	/* system calls become signals to the program, except from one range of its code */
	bool is_dispatch = option == PR_SET_SYSCALL_USER_DISPATCH && argument == PR_SYS_DISPATCH_ON;

	real_need();
	if (is_filter || is_dispatch)
		sealed_begin(NOTE_SANDBOX);
	else if (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV)
		sealed_begin(NOTE_NO_CLOCK);
}

void *sandbox_before_syscall(long number, unsigned long first, unsigned long second,
			     const void *third)
{
	/* libseccomp tests the kernel with a NULL filter */
	bool is_filter = first == SECCOMP_SET_MODE_FILTER && third;

	real_need();
	sandbox_real_syscall = (void *)real.syscall;
	if (number == SYS_seccomp && (first == SECCOMP_SET_MODE_STRICT || is_filter))
		sealed_begin(NOTE_SANDBOX);
	if (number == SYS_prctl)
		sandbox_before_prctl((int)first, second);
	return sandbox_real_syscall;
}
