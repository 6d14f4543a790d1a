/* SPDX-License-Identifier: MIT */
#include "pfm_library.h"

#include "common/message.h"


#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define FILE_NAME "libpfm.so.4"

static struct pfm_library library;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{"pfm_initialize", offsetof(struct pfm_library, initialize)},
	{"pfm_strerror", offsetof(struct pfm_library, strerror)},
	{"pfm_find_event", offsetof(struct pfm_library, find_event)},
	{"pfm_get_pmu_info", offsetof(struct pfm_library, get_pmu_info)},
	{"pfm_get_event_next", offsetof(struct pfm_library, get_event_next)},
	{"pfm_get_event_info", offsetof(struct pfm_library, get_event_info)},
	{"pfm_get_event_attr_info", offsetof(struct pfm_library, get_attribute)},
	{"pfm_get_os_event_encoding", offsetof(struct pfm_library, encode)},
};

static void load(void)
{
	void *handle = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; handle && i < sizeof functions / sizeof functions[0]; i++) {
		void *function = dlsym(handle, functions[i].name);

		if (!function)
			handle = NULL;
		*(void **)((char *)&library + functions[i].offset) = function;
	}
	if (!handle)
		message_fail(STATUS_CANNOT_PROFILE,
			     "cannot look up events: %s; install libpfm4, or leave out -e",
			     dlerror());
	int error = library.initialize();
	if (error != PFM_SUCCESS)
		message_fail(STATUS_CANNOT_PROFILE, "cannot look up events: " FILE_NAME ": %s",
			     library.strerror(error));
}

const struct pfm_library *pfm_library(void)
{
	static bool is_loaded;

	if (!is_loaded)
		load();
	is_loaded = true;
	return &library;
}
