/* SPDX-License-Identifier: MIT */
#include "preload/life/sealed_guest.h"

#include "preload/thread/thread.h"

__thread bool sealed_guest_is_here;

static __thread struct {
	int pid; /* the child's */
	struct thread *thread;
	bool was_unobserved;
} guest;

void sealed_guest_put_back(void)
{
	guest.thread = thread_self;
	guest.was_unobserved = thread_is_unobserved;
	thread_set_current(NULL);
	thread_is_unobserved = true;
	sealed_guest_is_here = true;
}

void sealed_guest_begin(int pid)
{
	guest.pid = pid;
	sealed_guest_put_back();
}

bool sealed_guest_lift(void)
{
	if (!sealed_guest_is_here)
		return false;
	sealed_guest_is_here = false;
	thread_is_unobserved = guest.was_unobserved;
	thread_set_current(guest.thread);
	return true;
}

void sealed_guest_ended(int pid)
{
	if (guest.pid == pid)
		sealed_guest_lift();
}
