/* SPDX-License-Identifier: MIT */
#include "preload/life/exec.h"

#include "preload/base/kernel_call.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/life/lifecycle_parts.h"
#include "preload/life/profile_end.h"
#include "preload/life/sealed_guest.h"
#include "preload/stacks/unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLACE_MOST = 1024 }; /* bytes of a directory in PATH: the stack may be small */

/* ---- what can be told before */

static bool says_no(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES || error == ENAMETOOLONG ||
	       error == ELOOP || error == EFAULT;
}

/* There is nothing, or nothing that may be executed. By the real user, as also old kernels do it:
 * where the effective user is another one, the answer may be wrong. */
static bool is_hopeless(int directory, const char *path)
{
	int saved = errno;
	struct stat file;
	bool is_no_file = false;
	bool is_refused = kernel_call(SYS_faccessat, directory, path, X_OK) < 0 && says_no(errno);

	if (!is_refused)
		is_no_file = !kernel_call(SYS_newfstatat, directory, path, &file, 0) &&
			     !S_ISREG(file.st_mode);
	errno = saved;
	return is_refused || is_no_file;
}

static bool is_closed(int number)
{
	int saved = errno;
	bool is = kernel_call(SYS_fcntl, number, F_GETFD) < 0;

	errno = saved;
	return is;
}

static const char *value_of(const char *name_and_equals)
{
	size_t length = strlen(name_and_equals);

	for (char *const *entry = __environ; entry && *entry; entry++)
		if (!strncmp(*entry, name_and_equals, length))
			return *entry + length;
	return NULL;
}

/* In no directory of PATH, as execvp goes through them: an empty one is the current one. */
static bool is_nowhere(const char *file)
{
	char path[PLACE_MOST + NAME_MAX + 2];
	const char *places = value_of("PATH=");
	size_t file_bytes = strlen(file) + 1;

	if (!places)
		places = "/bin:/usr/bin"; /* libc's, for whom there is no PATH */
	for (;; places++) {
		size_t length = strcspn(places, ":");
		if (length > PLACE_MOST || file_bytes > NAME_MAX + 1)
			return false; /* not told: the name is too long, or almost */
		memcpy(path, places, length);
		path[length] = '/';
		memcpy(path + length + (length > 0), file, file_bytes);
		if (!is_hopeless(AT_FDCWD, path))
			return false;
		places += length;
		if (!*places)
			return true;
	}
}

static bool will_fail(const struct exec_target *target)
{
	if (!target->path)
		return target->directory != AT_FDCWD && is_closed(target->directory);
	if (target->is_searched && !strchr(target->path, '/'))
		return is_nowhere(target->path);
	return is_hopeless(target->directory, target->path);
}

/* ---- the environment */

#define PRELOAD "LD_PRELOAD="

enum { PRELOAD_BYTES = sizeof PRELOAD - 1, PAGE = 4096 };

#define NO_PAGE UINT64_MAX

/* page: the last one that was asked about; NULL: there is nothing to be asked. */
static bool may_read(const void *address, uint64_t *page)
{
	uint64_t asked = (uint64_t)address & ~(uint64_t)(PAGE - 1);

	if (page && asked != *page) {
		if (!unwind_may_read(asked))
			return false;
		*page = asked;
	}
	return true;
}

static bool is_preload(const char *entry, uint64_t *page)
{
	for (int i = 0; i < PRELOAD_BYTES; i++)
		if (!may_read(entry + i, page) || entry[i] != PRELOAD[i])
			return false;
	return true;
}

/* What the kernel cannot read it calls EFAULT. libc's own environment is read by libc, too. */
static bool keeps_preload(char *const environment[])
{
	uint64_t array_page = NO_PAGE, text_page = NO_PAGE;
	bool is_libcs = environment == __environ;

	for (char *const *entry = environment; entry; entry++) {
		if (!may_read(entry, is_libcs ? NULL : &array_page) || !*entry)
			break;
		if (is_preload(*entry, is_libcs ? NULL : &text_page))
			return strstr(*entry, "libptrace.so") != NULL;
	}
	return false;
}

void exec_note_environment(char *const environment[])
{
	if (store_header() && lifecycle_is_own_process() && !keeps_preload(environment))
		note_once(NOTE_ENVIRONMENT_CLEARED, 0);
}

bool exec_is_slept_through(char *const environment[])
{
	return state_now() == STATE_ASLEEP && keeps_preload(environment);
}

/* ---- the call */

struct exec_attempt exec_begin(const struct exec_target *target, char *const environment[])
{
	struct exec_attempt attempt = {0};

	if (state_now() == STATE_SEALED)
		profile_end_set_state(store_header(), FORMAT_STATE_REPLACED, 0);
	if (lifecycle_is_sealed()) {
		attempt.is_guest = sealed_guest_lift();
		return attempt;
	}
	if (!store_header() || !lifecycle_is_own_process() || will_fail(target))
		return attempt;
	exec_note_environment(environment);
	lifecycle_close_profile(FORMAT_STATE_REPLACED, 0);
	attempt.has_ended = true;
	return attempt;
}

void exec_has_failed(const struct exec_attempt *attempt)
{
	if (state_now() == STATE_SEALED)
		profile_end_set_state(store_header(), FORMAT_STATE_RUNNING, 0);
	if (attempt->is_guest)
		sealed_guest_put_back();
	if (attempt->has_ended && store_header() && lifecycle_is_own_process())
		profile_end_take_back(store_header());
}
