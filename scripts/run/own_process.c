/* SPDX-License-Identifier: MIT */
#include "own_process.h"

#include <stdbool.h>
#include <unistd.h>

pid_t own_process_number(void)
{
	static pid_t number;

	if (!number)
		number = getpid();
	return number;
}

const char *own_process_host(void)
{
	static char host[256];
	static bool is_known;

	if (!is_known)
		gethostname(host, sizeof host - 1);
	is_known = true;
	return host;
}
