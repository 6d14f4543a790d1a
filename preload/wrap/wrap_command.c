/* SPDX-License-Identifier: MIT */
/* Commands that libc runs: system, and streams of popen. It starts them, and waits for their end,
 * past the wrappers of posix_spawn and waitpid. */
#include "preload/io/command_stream.h"
#include "preload/io/io_descriptors.h"
#include "preload/io/io_stream.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/wait_call.h"

/* Without a command it only asks whether there is a shell. */
EXPORTED int system(const char *command)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.system(command);
	if (!command) {
		activity_count(thread, NULL, OP_SYSTEM, CALLER_HERE);
		return real.system(command);
	}
	struct wait_call call = wait_call_begin(thread, CAUSE_PROCESS, OP_SYSTEM, NULL, SITE_HERE);
	int status = real.system(command);
	wait_call_end(&call, status < 0 ? OUTCOME_FAILED : OUTCOME_DONE);
	return status;
}

/* Returns when the command's process has become a shell. */
static FILE *open_stream(const char *command, const char *mode, const struct site *site)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.popen(command, mode);
	struct wait_call call = wait_call_begin(thread, CAUSE_PROCESS, OP_POPEN, NULL, site);
	FILE *stream = real.popen(command, mode);
	wait_call_end(&call, stream ? OUTCOME_DONE : OUTCOME_FAILED);
	return stream;
}

EXPORTED FILE *popen(const char *command, const char *mode)
{
	FILE *stream = open_stream(command, mode, SITE_HERE);

	if (!stream)
		return NULL;
	io_descriptor_opens(stream->_fileno);
	io_stream_is_opened_by_popen(stream);
	return stream;
}

EXPORTED int pclose(FILE *stream)
{
	return command_stream_close(sync_thread(), stream, real.pclose, SITE_HERE);
}

ALIAS(_IO_popen, popen)
