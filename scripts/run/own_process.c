/* SPDX-License-Identifier: MIT */
#include "own_process.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
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

/* Without /proc: the name that the kernel was given, which has a slash also if PATH was searched.
 */
static bool find_own(char own[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);

	if (length > 0) {
		own[length] = '\0';
		return true;
	}
	const char *given = (const char *)getauxval(AT_EXECFN);
	return given && realpath(given, own);
}

void own_process_beside(char *path, size_t size, const char *relative)
{
	char own[PATH_MAX];

	*path = '\0';
	if (!find_own(own))
		return;
	*strrchr(own, '/') = '\0'; /* an absolute path has a slash */
	if (snprintf(path, size, "%s/%s", own, relative) >= (int)size)
		*path = '\0';
}
