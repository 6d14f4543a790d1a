/* SPDX-License-Identifier: MIT */
#include "analyze/model/threads/thread_role.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/threads/thread_callable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { KERNEL_NAME_LENGTH = 15 };

/* The callable that was passed to a library: its name comes from the library's own routine, its
 * position from the first routine of the user's below, unless that was inlined into the library's
 * without a trace. */
struct callable {
	const char *name, *module, *file;
	unsigned line;
};

/* Where a call path reaches the user's code. */
struct root {
	size_t routine;  /* + 1; 0: not yet, or never */
	unsigned line;   /* where it is declared */
	size_t callable; /* + 1; 0: none */
	bool is_open;    /* the callable's own routine was not met yet */
	bool is_cut;     /* the path has no beginning */
};

struct vote {
	struct root root;
	uint64_t weight_ns;
	bool is_whole; /* the path begins where the thread does */
};

struct votes {
	struct vote *rows;
	size_t count, capacity;
};

struct roles {
	struct root *roots; /* by call path */
	size_t *tops;       /* by call path: its outermost place */
	struct callable *callables;
	size_t callable_count, callable_capacity;
	struct thread_role *threads;
};

/* ---- call paths */

/* Start routines and shims of libraries that runtime_is_code does not know: they may be part of the
 * program. */
static bool is_shim(const char *routine)
{
	static const char *const names[] = {
		"_start",
		"execute_native_thread_routine",
		"g_thread_proxy",
		"execute_native_thread_routine_compat",
		"boost::(anonymous namespace)::thread_proxy",
	};
	static const char *const stems[] = {
		"QThreadPrivate::start",
		"boost::detail::thread_data<",
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(routine, names[i]))
			return true;
	for (size_t i = 0; i < COUNT(stems); i++)
		if (!strncmp(routine, stems[i], strlen(stems[i])))
			return true;
	return false;
}

static bool is_users(const struct routine *routine)
{
	return *routine->module && !routine->is_runtime && !is_shim(routine->name);
}

/* All have the interpreter's routine, and which C function of an extension is the outermost one
 * tells nothing: only a function of Python does. */
static bool is_pythons(const struct names *names, const struct thread_role *start)
{
	return runtime_is_python(names_routine(names, start->frame.routine)->module);
}

static size_t add_callable(struct roles *roles, struct names *names, char *text, const char *module)
{
	const char *name = names_keep(names, text);
	size_t i = 0;

	free(text);
	while (i < roles->callable_count &&
	       (roles->callables[i].name != name || roles->callables[i].module != module))
		i++;
	if (i < roles->callable_count)
		return i;
	roles->callables = memory_grow(roles->callables, i, &roles->callable_capacity,
				       sizeof *roles->callables);
	roles->callables[roles->callable_count++] =
		(struct callable){.name = name, .module = module};
	return i;
}

static bool is_call_operator(const char *routine)
{
	static const char name[] = "operator()";
	size_t length = strlen(routine);

	return length >= sizeof name - 1 && !strcmp(routine + length - (sizeof name - 1), name);
}

/* One frame further in. */
static void go_on(struct roles *roles, struct names *names, struct root *root,
		  const struct frame *frame)
{
	const struct routine *routine = names_routine(names, frame->routine);
	bool is_own = is_users(routine);
	char *text = is_own || root->callable ? NULL : thread_callable(routine->name);

	if (text) {
		root->callable = 1 + add_callable(roles, names, text, routine->module);
		root->is_open = true;
	}
	if (!is_own)
		return;
	if (root->is_open && is_call_operator(routine->name)) {
		roles->callables[root->callable - 1].file = routine->file;
		roles->callables[root->callable - 1].line = frame->begin;
	}
	root->is_open = false;
	if (!root->routine) {
		root->routine = frame->routine + 1;
		root->line = frame->begin;
	}
}

/* Parents precede their children. */
static void find_roots(struct roles *roles, struct names *names, const struct profile *profile)
{
	for (size_t i = 1; i < profile->callpaths.count; i++) {
		const struct profile_callpath *row = &profile->callpaths.rows[i];
		struct root *root = &roles->roots[i];
		const struct frame *frames;

		*root = roles->roots[row->parent];
		roles->tops[i] = row->parent ? roles->tops[row->parent] : i;
		root->is_cut |= row->flags & CALLPATH_MARK && !root->routine;
		if (root->is_cut || (root->routine && !root->is_open))
			continue;
		for (size_t f = names_frames(names, profile, i, &frames); f-- > 0;)
			go_on(roles, names, root, &frames[f]);
	}
}

/* ---- threads */

static bool is_one_role(const struct root *a, const struct root *b)
{
	return a->callable == b->callable && (a->callable || a->routine == b->routine);
}

/* A path that does not reach the start of the thread begins anywhere. */
static bool is_whole(const struct roles *roles, struct names *names, const struct profile *profile,
		     size_t start, size_t callpath)
{
	const struct frame *top, *first;
	size_t tops = names_frames(names, profile, roles->tops[callpath], &top);
	size_t firsts = names_frames(names, profile, start, &first);

	return tops && firsts && top[tops - 1].routine == first[firsts - 1].routine;
}

static void vote(struct roles *roles, struct names *names, const struct profile *profile,
		 struct votes *all, size_t thread, size_t callpath, uint64_t weight_ns)
{
	const struct root *root = &roles->roots[callpath];
	bool has_role = !(profile->threads.rows[thread].flags & THREAD_OF_OPENMP);
	struct votes *votes = &all[thread];
	size_t i = 0;

	if (!has_role || root->is_cut || (!root->routine && !root->callable))
		return;
	bool is_sure =
		is_whole(roles, names, profile, profile->threads.rows[thread].start, callpath);

	while (i < votes->count &&
	       (votes->rows[i].is_whole != is_sure || !is_one_role(&votes->rows[i].root, root)))
		i++;
	if (i == votes->count) {
		votes->rows = memory_grow(votes->rows, votes->count, &votes->capacity,
					  sizeof *votes->rows);
		votes->rows[votes->count++] = (struct vote){.root = *root, .is_whole = is_sure};
	}
	votes->rows[i].weight_ns += weight_ns;
}

static struct votes *take_votes(struct roles *roles, struct names *names,
				const struct profile *profile)
{
	struct votes *all = memory_allocate(profile->threads.count, sizeof *all);

	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *row = &profile->samples.rows[i];

		vote(roles, names, profile, all, row->thread, row->callpath, row->cpu_ns);
	}
	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *row = &profile->waits.rows[i];

		vote(roles, names, profile, all, row->thread, row->callpath, row->sum_ns);
	}
	for (size_t i = 1; i < profile->threads.count; i++) /* a wait that is not over */
		vote(roles, names, profile, all, i, profile->threads.rows[i].waiting_path, 1);
	return all;
}

static struct frame frame_of(const struct roles *roles, struct names *names,
			     const struct root *root)
{
	if (!root->callable)
		return (struct frame){root->routine - 1, root->line, root->line, false};
	const struct callable *callable = &roles->callables[root->callable - 1];
	size_t number = names_number(names, callable->name, callable->module, callable->file);

	return (struct frame){number, callable->line, callable->line, false};
}

static bool is_better(struct names *names, const struct roles *roles, const struct vote *vote,
		      const struct vote *best)
{
	if (vote->is_whole != best->is_whole)
		return vote->is_whole;
	if (vote->weight_ns != best->weight_ns)
		return vote->weight_ns > best->weight_ns;
	return names_compare(names, frame_of(roles, names, &vote->root).routine,
			     frame_of(roles, names, &best->root).routine) < 0;
}

static struct thread_role count_votes(const struct roles *roles, struct names *names,
				      const struct votes *votes)
{
	const struct vote *best = votes->rows;

	if (!votes->count)
		return (struct thread_role){0};
	for (size_t i = 1; i < votes->count; i++)
		if (is_better(names, roles, &votes->rows[i], best))
			best = &votes->rows[i];
	return (struct thread_role){frame_of(roles, names, &best->root), true};
}

static struct thread_role role_by_votes(const struct roles *roles, struct names *names,
					const struct votes *votes, bool is_of_python)
{
	struct thread_role role = count_votes(roles, names, votes);

	if (is_of_python && role.is_known && !names_routine(names, role.frame.routine)->is_python)
		return (struct thread_role){0};
	return role;
}

/* The role by the thread's start routine; none for the first thread. */
static struct thread_role role_by_start(struct names *names, const struct profile *profile,
					const struct profile_thread *thread)
{
	struct thread_role role = {0};

	if (!thread->start)
		return role;
	role.frame = names_entry(names, profile, thread->start);
	role.is_known = !(thread->flags & THREAD_OF_OPENMP) && !is_pythons(names, &role) &&
			is_users(names_routine(names, role.frame.routine));
	return role;
}

/* Unknown if there are several, or none. */
static struct thread_role sole_role(const struct roles *roles, const struct profile *profile,
				    size_t start)
{
	struct thread_role sole = {0};

	for (size_t i = 1; i < profile->threads.count; i++) {
		const struct thread_role *role = &roles->threads[i];

		if (profile->threads.rows[i].start != start || !role->is_known)
			continue;
		if (sole.is_known && sole.frame.routine != role->frame.routine)
			return (struct thread_role){0};
		sole = *role;
	}
	return sole;
}

static void find_roles(struct roles *roles, struct names *names, const struct profile *profile)
{
	struct votes *votes = take_votes(roles, names, profile);
	size_t last_start = 0;
	struct thread_role sole = {0};

	for (size_t i = 1; i < profile->threads.count; i++) {
		const struct profile_thread *thread = &profile->threads.rows[i];
		struct thread_role *role = &roles->threads[i];

		*role = role_by_start(names, profile, thread);
		if (!role->is_known && votes[i].count)
			*role = role_by_votes(roles, names, &votes[i],
					      thread->start && is_pythons(names, role));
		free(votes[i].rows);
	}
	free(votes[0].rows);
	free(votes);
	for (size_t i = 1; i < profile->threads.count; i++) {
		size_t start = profile->threads.rows[i].start;

		if (roles->threads[i].is_known || !start)
			continue;
		if (start != last_start) /* most threads have the same */
			sole = sole_role(roles, profile, start);
		last_start = start;
		if (sole.is_known)
			roles->threads[i] = sole;
	}
}

static void release(void *data)
{
	struct roles *roles = data;

	free(roles->roots);
	free(roles->tops);
	free(roles->callables);
	free(roles->threads);
	free(roles);
}

static const struct roles *roles_of(struct names *names, const struct profile *profile)
{
	void **attachment = names_attachment(names, profile, NAMES_ROLES, release);
	struct roles *roles = *attachment;

	if (roles)
		return roles;
	*attachment = roles = memory_allocate(1, sizeof *roles);
	roles->roots = memory_allocate(profile->callpaths.count, sizeof *roles->roots);
	roles->tops = memory_allocate(profile->callpaths.count, sizeof *roles->tops);
	roles->threads = memory_allocate(profile->threads.count, sizeof *roles->threads);
	find_roots(roles, names, profile);
	find_roles(roles, names, profile);
	return roles;
}

struct thread_role thread_role_of(struct names *names, const struct profile *profile, size_t thread)
{
	return roles_of(names, profile)->threads[thread];
}

struct thread_role thread_role_of_start(struct names *names, const struct profile *profile,
					size_t start)
{
	return sole_role(roles_of(names, profile), profile, start);
}

size_t thread_role_of_path(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct roles *roles = roles_of(names, profile);
	const struct root *root = &roles->roots[callpath];

	if (root->is_cut || (!root->routine && !root->callable))
		return 0;
	return frame_of(roles, names, root).routine + 1;
}

bool thread_role_is_of_mpi(struct names *names, const struct profile *profile, size_t thread)
{
	const struct profile_thread *row = &profile->threads.rows[thread];

	if (row->flags & THREAD_OF_MPI)
		return true;
	if (!profile->mpi_process.count || row->flags & (THREAD_FIRST | THREAD_OF_OPENMP))
		return false;
	struct thread_role role = thread_role_of(names, profile, thread);

	return (role.is_known || row->start) && names_routine(names, role.frame.routine)->is_mpi;
}

/* ---- texts */

const char *thread_role_text(struct names *names, const struct profile *profile, size_t thread)
{
	struct thread_role role = thread_role_of(names, profile, thread);

	return role.is_known ? names_routine(names, role.frame.routine)->name : NULL;
}

/* A thread inherits the name of the one that created it, unless it is given another. */
static bool is_programs_name(const struct profile *profile, const char *name)
{
	if (!strncmp(name, runtime_base_name(profile->process.executable), KERNEL_NAME_LENGTH))
		return true;
	for (size_t i = 1; i < profile->threads.count; i++)
		if (profile->threads.rows[i].flags & THREAD_FIRST)
			return !strcmp(name, profile->threads.rows[i].name);
	return false;
}

const char *thread_shown_name(struct names *names, const struct profile *profile, size_t thread)
{
	const struct profile_thread *row = &profile->threads.rows[thread];
	const char *role;

	if (row->flags & THREAD_FIRST || !is_programs_name(profile, row->name))
		return row->name;
	role = thread_role_text(names, profile, thread);
	return role ? role : row->name;
}

char *thread_label(uint64_t tid, const char *name)
{
	return name && *name ? memory_print("%" PRIu64 " (%s)", tid, name)
			     : memory_print("%" PRIu64, tid);
}
