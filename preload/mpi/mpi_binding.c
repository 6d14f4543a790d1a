/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_binding.h"

#include "preload/base/direct.h"
#include "preload/base/hash.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { PLACES = 64 }; /* a power of 2 */

/* Places that were asked about: twice the address, plus 1 if the call is the binding's own. Any
 * thread reads and writes them; relaxed, because each word is complete in itself. */
static uint64_t places[PLACES];

static bool is_binding(const char *path)
{
	static const char *const stems[] = {
		"libmpi_mpifh", "libmpi_usempi", /* Open MPI */
		"libmpichf", "libmpifort",       /* MPICH as Debian names it, and as others do */
	};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
		if (!strncmp(name, stems[i], strlen(stems[i])))
			return true;
	return false;
}

/* Whether the routine is the binding of that call. Of Comm_size: mpi_comm_size_, MPI_COMM_SIZE,
 * ompi_comm_size_f, pmpir_comm_size_f08_, ... */
static bool stands_for(const char *routine, const char *call)
{
	const char *at = strcasestr(routine, "mpi");
	size_t length = strlen(call);

	if (!at)
		return false;
	at += 3;
	at += tolower((unsigned char)*at) == 'r';
	return *at == '_' && !strncasecmp(at + 1, call, length) &&
	       (!at[1 + length] || at[1 + length] == '_');
}

/* A routine without a name is one that serves several bindings. */
static bool ask(enum mpi_call_number number, uint64_t caller)
{
	Dl_info info;

	if (!direct.dladdr((const void *)(caller - 1), &info) || !info.dli_fname ||
	    !is_binding(info.dli_fname))
		return false;
	return !info.dli_sname ||
	       !stands_for(info.dli_sname, mpi_calls[number].name + strlen("MPI_"));
}

bool mpi_binding_makes(enum mpi_call_number number, uint64_t caller)
{
	uint64_t *place = &places[hash_slot(caller, PLACES)];
	uint64_t known = __atomic_load_n(place, __ATOMIC_RELAXED);

	if (known >> 1 == caller)
		return known & 1;
	int saved = errno;
	bool answer = ask(number, caller);
	errno = saved;
	__atomic_store_n(place, caller << 1 | answer, __ATOMIC_RELAXED);
	return answer;
}
