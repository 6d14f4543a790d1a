/* SPDX-License-Identifier: MIT */
/* GOMP_parallel and all other calls that start a team: the runtime calls a body of ours, which
 * times the program's. */
#include "preload/base/pages.h"
#include "preload/base/call_args.h"
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_team.h"
#include "preload/process/real.h"
#include "preload/stacks/unwind.h"

/* In each member. */
static void run_body(void *data)
{
	struct omp_team *team = data;
	struct omp_member member;
	const struct gomp_library *library = team->runtime, *outer = gomp_running;
	uint32_t number = (uint32_t)library->get_thread_num();

	gomp_running = library;
	omp_member_begin(&member, team, number, number ? 0 : (uint32_t)library->get_num_threads());
	team->body(team->data);
	omp_member_end(&member, (uint64_t)__builtin_dwarf_cfa());
	gomp_running = outer;
}

static bool open_team(struct omp_team *team, const struct gomp_library *library, uint64_t body,
		      uint64_t data, uint64_t threads, const struct site *site)
{
	struct omp_thread *omp = omp_here();
	uint32_t wanted = (uint32_t)threads;

	if (unlikely(!omp))
		return false;
	team->body = (void (*)(void *))body;
	team->data = (void *)data;
	team->runtime = library;
	if (!wanted)
		wanted = (uint32_t)library->get_max_threads();
	return omp_team_open(team, omp, body | UNWIND_EXACT, wanted, site, site->sp);
}

/* Without a runtime one thread runs the body. */
static void run_alone(uint64_t body, uint64_t data)
{
	((void (*)(void *))body)((void *)data);
}

#define TYPE_VOID     void
#define TYPE_UNSIGNED unsigned
#define RESULT_VOID
#define RESULT_UNSIGNED unsigned result =
#define RETURN_VOID     return
#define RETURN_UNSIGNED return result

/* missing: what it returns without a runtime. first: sets first_word of struct omp_team. */
#define PARALLEL(name, result, arity, missing, first)                                              \
	EXPORTED TYPE_##result name(WORDS_##arity);                                                \
	EXPORTED TYPE_##result name(WORDS_##arity)                                                 \
	{                                                                                          \
		struct omp_team team;                                                              \
		const struct gomp_library *library = gomp_real(name, CALLER_HERE);                 \
		if (unlikely(!library)) {                                                          \
			run_alone(a1, a2);                                                         \
			return missing;                                                            \
		}                                                                                  \
		TYPE_##result (*next)(WORDS_##arity) =                                             \
			(TYPE_##result(*)(WORDS_##arity))library->next[GOMP_NUMBER_##name];        \
		if (unlikely(!library->is_measured))                                               \
			gomp_passed_on_from = a1 | UNWIND_EXACT;                                   \
		if (unlikely(!library->is_measured ||                                              \
			     !open_team(&team, library, a1, a2, a3, SITE_HERE)))                   \
			return next(VALUES_##arity);                                               \
		first;                                                                             \
		a1 = (uint64_t)run_body;                                                           \
		a2 = (uint64_t)&team;                                                              \
		RESULT_##result next(VALUES_##arity);                                              \
		omp_team_close(&team);                                                             \
		RETURN_##result;                                                                   \
	}

#define PARALLEL_VOID(name, arity) PARALLEL(name, VOID, arity, , team.first_word = NULL)
#define PARALLEL_UNSIGNED(name, arity)                                                             \
	PARALLEL(name, UNSIGNED, arity, 0, team.first_word = *(void **)a2)

/* ---- programs of gcc before 4.9 call the body themselves ---- */

struct old_team {
	struct omp_team team;
	struct omp_member master;
	struct old_team *next;
	bool is_measured; /* else it only matches a GOMP_parallel_end */
};

static struct old_team *open_old_team(const struct gomp_library *library, uint64_t body,
				      uint64_t data, uint64_t threads, const struct site *site)
{
	struct omp_thread *omp = omp_here();

	if (!omp)
		return NULL;
	struct old_team *old = omp->free_teams;
	if (old)
		omp->free_teams = old->next;
	else
		old = pages_new(sizeof *old);
	if (!old)
		return NULL;
	old->is_measured = open_team(&old->team, library, body, data, threads, site);
	old->next = omp->old_teams;
	omp->old_teams = old;
	return old->is_measured ? old : NULL;
}

#define PARALLEL_START(name, arity)                                                                \
	EXPORTED void name(WORDS_##arity);                                                         \
	EXPORTED void name(WORDS_##arity)                                                          \
	{                                                                                          \
		const struct gomp_library *library = gomp_real(name, CALLER_HERE);                 \
		if (unlikely(!library))                                                            \
			return;                                                                    \
		void (*next)(WORDS_##arity) =                                                      \
			(void (*)(WORDS_##arity))library->next[GOMP_NUMBER_##name];                \
		struct old_team *old = library->is_measured                                        \
					       ? open_old_team(library, a1, a2, a3, SITE_HERE)     \
					       : NULL;                                             \
		if (old) {                                                                         \
			a1 = (uint64_t)run_body;                                                   \
			a2 = (uint64_t)&old->team;                                                 \
		}                                                                                  \
		next(VALUES_##arity);                                                              \
		if (old && omp_is_current(old->team.master))                                       \
			omp_member_begin(&old->master, &old->team, 0,                              \
					 (uint32_t)library->get_num_threads());                    \
	}

EXPORTED void GOMP_parallel_end(void);
EXPORTED void GOMP_parallel_end(void)
{
	const struct gomp_library *library = gomp_real(GOMP_parallel_end, CALLER_HERE);

	if (unlikely(!library))
		return;
	struct omp_thread *omp = library->is_measured ? omp_here() : NULL;
	struct old_team *old = omp ? omp->old_teams : NULL;

	bool is_measured = old && old->is_measured;

	if (is_measured)
		omp_member_end(&old->master, (uint64_t)__builtin_dwarf_cfa());
	((void (*)(void))library->next[GOMP_NUMBER_GOMP_parallel_end])();
	if (is_measured)
		omp_team_close(&old->team);
	if (!old || omp->old_teams != old)
		return;
	omp->old_teams = old->next;
	old->next = omp->free_teams;
	omp->free_teams = old;
}

#define CLASS_PARALLEL(name, result, arity)       PARALLEL_##result(name, arity)
#define CLASS_PARALLEL_START(name, result, arity) PARALLEL_START(name, arity)
#define CLASS_PARALLEL_END(name, result, arity)
#define GOMP_TEAM(name, result, arity, shape, class, ...) CLASS_##class(name, result, arity)
#define GOMP_CALL(...)
#define GOMP_TASKS(...)
#define GOMP_LOCK(...)
#define GOMP_LEFT(name, why)
#include "preload/openmp/gomp_calls.def"
