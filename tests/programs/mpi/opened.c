/* SPDX-License-Identifier: MIT */
/* Not linked with MPI: opens the library that it is told, for itself alone, and calls what dlsym
 * returns. With a second argument it only opens it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments)
{
	void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!library)
		return 1;
	if (count > 2)
		return 0;
	int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(library, "MPI_Init");
	int (*finalize)(void) = (int (*)(void))dlsym(library, "MPI_Finalize");

	if (!init || !finalize || init(NULL, NULL) || finalize())
		return 1;
	puts("initialized and finalized");
	return 0;
}
