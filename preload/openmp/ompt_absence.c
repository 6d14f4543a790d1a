/* SPDX-License-Identifier: MIT */
#include "preload/openmp/ompt_absence.h"

#include "preload/base/direct.h"
#include "preload/file/note.h"
#include "preload/process/module_map.h"
#include "preload/process/settings.h"
#include "preload/thread/thread.h"

#include <dlfcn.h>
#include <errno.h>

/* Only its address, which the loader finds: that dlsym finds nothing costs libc's first memory in
 * every program without it. */
extern char __kmpc_fork_call[] __attribute__((weak));

void ompt_absence_note(void)
{
	int saved = errno;

	if (settings.openmp && thread_current() && __kmpc_fork_call) {
		if (settings.omp_tool_is_disabled)
			note_once(NOTE_OMP_NO_TOOL, 0);
		/* the program's own definition comes before ours */
		else if (!module_map_is_own(
				 (uint64_t)direct.dlsym(RTLD_DEFAULT, "ompt_start_tool")))
			note_once(NOTE_OMP_OTHER_TOOL, 0);
		direct.dlerror(); /* a name that was not found is no error of the program */
	}
	errno = saved;
}
