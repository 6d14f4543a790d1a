/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_unseen.h"

#include "preload/base/direct.h"
#include "preload/file/note.h"
#include "preload/mpi/mpi_real.h"
#include "preload/process/linkage.h"
#include "preload/process/settings.h"

#include <dlfcn.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* libmpi.so of Open MPI and others, libmpich.so, libmpi_abi.so, ... The name is copied, because an
 * object is not to be opened while the list is walked. */
static int find_library(struct dl_phdr_info *info, size_t bytes, void *to)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;
	size_t length = strlen(info->dlpi_name);

	(void)bytes;
	if ((strncmp(name, "libmpi.", 7) && strncmp(name, "libmpich.", 9) &&
	     strncmp(name, "libmpi_abi.", 11)) ||
	    length >= PATH_BYTES)
		return 0;
	memcpy(to, info->dlpi_name, length + 1);
	return 1;
}

static bool says_it_was_initialized(void *library)
{
	int (*initialized)(int *) = (int (*)(int *))linkage_search(library, "PMPI_Initialized");
	int flag = 0;

	return initialized && !initialized(&flag) && flag;
}

void mpi_unseen_note(void)
{
	static char path[PATH_BYTES]; /* one thread is the one that exits */

	if (!settings.mpi || *mpi_real_library() || !direct.dl_iterate_phdr(find_library, path))
		return;
	void *library = direct.dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

	if (library && says_it_was_initialized(library))
		note_once(NOTE_MPI_UNSEEN, 0);
	linkage_close(library);
}
