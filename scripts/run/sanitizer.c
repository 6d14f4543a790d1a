/* SPDX-License-Identifier: MIT */
#include "sanitizer.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *prefix;
	bool insists; /* AddressSanitizer: verify_asan_link_order */
} runtimes[] = {
	{"libasan.so", true},        {"libclang_rt.asan", true}, {"libtsan.so", false},
	{"libclang_rt.tsan", false}, {"libhwasan.so", false},    {"libclang_rt.hwasan", false},
	{"liblsan.so", false},
};

/* Index in the table, -1: none */
static int find(const char *library)
{
	const char *slash = strrchr(library, '/');
	const char *name = slash ? slash + 1 : library;

	for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++)
		if (strncmp(name, runtimes[i].prefix, strlen(runtimes[i].prefix)) == 0)
			return (int)i;
	return -1;
}

bool sanitizer_is_runtime(const char *library)
{
	return find(library) >= 0;
}

bool sanitizer_insists(const char *library)
{
	int index = find(library);

	return index >= 0 && runtimes[index].insists;
}
