/* SPDX-License-Identifier: MIT */
#include "preload/waits/wait_call.h"

#include <errno.h>
#include <threads.h>

enum outcome wait_call_outcome(int error)
{
	switch (error) {
	case 0:
	case EOWNERDEAD:
		return OUTCOME_DONE;
	case ETIMEDOUT:
		return OUTCOME_TIMEOUT;
	default:
		return OUTCOME_FAILED;
	}
}

enum outcome wait_call_c11_outcome(int result)
{
	switch (result) {
	case thrd_success:
		return OUTCOME_DONE;
	case thrd_timedout:
		return OUTCOME_TIMEOUT;
	default:
		return OUTCOME_FAILED;
	}
}
