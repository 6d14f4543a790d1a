/* SPDX-License-Identifier: MIT */
#include "preload/io/command_stream.h"

#include "preload/io/io_descriptors.h"
#include "preload/io/io_stream.h"
#include "preload/waits/wait_call.h"

int command_stream_close(struct thread *thread, FILE *stream, int (*close)(FILE *),
			 const struct site *site)
{
	struct wait_call call;

	if (thread) {
		io_stream_count_last(stream, site);
		call = wait_call_begin(thread, CAUSE_PROCESS, OP_PCLOSE, NULL, site);
	}
	io_descriptor_closes(stream->_fileno);
	int status = close(stream);
	if (thread)
		wait_call_end(&call, status < 0 ? OUTCOME_FAILED : OUTCOME_DONE);
	return status;
}
