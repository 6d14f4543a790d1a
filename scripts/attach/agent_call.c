/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "agent_call.h"

#include "common/message.h"
#include "injection.h"
#include "tracee.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static const struct answer {
	int begin; /* negative errno */
	const char *text;
} begin_answers[] =
	{
		{-EALREADY, "is being profiled already (attached to, or started under ptrace-run)"},
		{-EACCES,
		 "cannot write to the run directory: choose one with -o DIR that it may write to"},
		{-ENOSPC,
		 "has no room for a profile in the run directory: choose another with -o DIR"},
		{-EBADF,
		 "has standard input, output or error closed, and threads that might be given their "
		 "numbers at any moment: the profiler opens no file there"},
		{-EAGAIN, "is busy with what must end first: try again, or a longer --wait"},
},
  end_answers[] = {
	  {-EALREADY,
	   "is not attached to: it was started under ptrace-run, and is profiled to its end"},
	  {-EPERM,
	   "is not attached to: it was started under ptrace-run, and is profiled to its end"},
	  {-EINVAL, "is not being profiled"},
	  {-ENOENT, "is not being profiled"},
	  {-ESRCH, "is not being profiled"},
	  {-EAGAIN, "is busy with what must end first: try again, or a longer --wait"},
};

enum {
	BEGIN_ANSWERS = sizeof begin_answers / sizeof begin_answers[0],
	END_ANSWERS = sizeof end_answers / sizeof end_answers[0],
};

static const char *answer_text(const struct answer *answers, int count, int answer)
{
	for (int i = 0; i < count; i++)
		if (answers[i].begin == answer)
			return answers[i].text;
	return NULL;
}

/* The library may ask for another moment. */
static bool call(struct injection *injection)
{
	uint64_t until = tracee_now() + injection->wait_ns;
	bool is_called;

	while ((is_called = injection_run(injection)) && injection->answer == -EAGAIN &&
	       tracee_now() < until)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return is_called;
}

static bool judge(const struct target *target, const struct injection *injection, bool is_called,
		  const char *text)
{
	long process = (long)target->process;

	if (!is_called)
		message_say("process %ld (%s) %s", process, target->name, injection->failure);
	else if (injection->answer && text)
		message_say("process %ld (%s) %s", process, target->name, text);
	else if (injection->answer)
		message_say("process %ld (%s): the library says %s", process, target->name,
			    strerror(-injection->answer));
	return is_called && injection->answer == 0;
}

static void tell(const struct target *target, const struct injection *injection, const char *verb)
{
	message_say("%s process %ld (%s); thread %ld stood still for %.1f ms%s", verb,
		    (long)target->process, target->name, (long)injection->thread,
		    (double)injection->stood_ns / 1e6,
		    injection->is_repeated
			    ? "; the call in which it waited began anew, with its whole time-out"
			    : "");
}

bool agent_call_begin(const struct target *target, const char *library, const char *settings,
		      size_t size, const struct attach_options *options)
{
	struct injection injection = {.process = target->process,
				      .library = library,
				      .function = "ptrace_attach_begin",
				      .argument = settings,
				      .argument_size = size,
				      .wait_ns = options->wait_ns,
				      .is_forced = options->is_forced};
	bool is_called = call(&injection);

	if (!judge(target, &injection, is_called,
		   answer_text(begin_answers, BEGIN_ANSWERS, injection.answer)))
		return false;
	if (!options->is_quiet)
		tell(target, &injection, "attached to");
	return true;
}

bool agent_call_end(const struct target *target, const struct attach_options *options)
{
	struct injection injection = {.process = target->process,
				      .function = "ptrace_attach_end",
				      .wait_ns = options->wait_ns,
				      .is_forced = options->is_forced};
	bool is_called = call(&injection);

	if (!judge(target, &injection, is_called,
		   answer_text(end_answers, END_ANSWERS, injection.answer)))
		return false;
	if (!options->is_quiet)
		tell(target, &injection, "detached from");
	return true;
}
