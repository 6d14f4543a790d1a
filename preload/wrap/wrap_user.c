/* SPDX-License-Identifier: MIT */
/* Root's rights are given up, as by the workers of a daemon: what needs them is done before. */
#include "preload/life/lifecycle.h"
#include "preload/process/real.h"

#include <grp.h>
#include <unistd.h>

#define CHANGES_USER(name, parameters, arguments)                                                  \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		real_need();                                                                       \
		lifecycle_before_new_user();                                                       \
		return real.name arguments;                                                        \
	}

CHANGES_USER(setuid, (uid_t user), (user))
CHANGES_USER(seteuid, (uid_t user), (user))
CHANGES_USER(setreuid, (uid_t user, uid_t effective), (user, effective))
CHANGES_USER(setresuid, (uid_t user, uid_t effective, uid_t saved), (user, effective, saved))
CHANGES_USER(chroot, (const char *path), (path))
