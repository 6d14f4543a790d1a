/* SPDX-License-Identifier: MIT */
#include "waiting_call.h"

#include <stddef.h>
#include <sys/syscall.h>

#define CALL(name, is_restarted, has_rest) {SYS_##name, #name, is_restarted, has_rest},
static const struct waiting_call calls[] = {
#include "waiting_calls.def"
};

const struct waiting_call *waiting_call_find(long number)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}
