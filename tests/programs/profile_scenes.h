/* SPDX-License-Identifier: MIT */
/* Profiles with known content: small stories, told in a profile, whose figures a test can state.
 *
 * All begin at second 1 of the clock. Addresses of the module "/nowhere/program" are what the fake
 * symbolizer of the unit tests names; for the real one the module does not exist. */
#pragma once

#include "tests/programs/profile_builder.h"

#define SCENE_SECOND 1000000000ull
#define SCENE_START  SCENE_SECOND
#define SCENE_HOST   "nowhere"

struct scene {
	const char *name;
	const char *story;
	void (*tell)(struct builder *builder);
};

extern const struct scene scenes[];
extern const size_t scene_count;

/* Of profile_scenes_mpi.c. */
void scene_tell_rank(struct builder *builder);
void scene_tell_strange_rank(struct builder *builder);

/* The scene "workers", for scenes that tell more of it; rows of threads and of call paths. */
struct scene_paths {
	uint32_t first, second;
	uint32_t serial, holder, worker;
};

void scene_tell_workers(struct builder *builder, struct scene_paths *paths);

/* Of profile_scenes_counters.c. */
void scene_tell_counted(struct builder *builder);
void scene_tell_shared_lines(struct builder *builder);
void scene_tell_strange_counts(struct builder *builder);

/* Of profile_scenes_sections.c. */
void scene_tell_sections(struct builder *builder);
void scene_tell_strange_sections(struct builder *builder);
/* A path that begins with the mark of a section: the parent of what is recorded in it. outer: such
 * a mark, or 0. */
uint32_t scene_section_mark(struct builder *builder, uint32_t outer, uint32_t section);

/* Of profile_scenes_omp.c; the process number of the next one. */
extern uint32_t scene_team_pid;
void scene_tell_team(struct builder *builder);
void scene_tell_team_with_mpi(struct builder *builder);
void scene_tell_team_under_way(struct builder *builder);
void scene_tell_waits_at_ends(struct builder *builder);
void scene_tell_waits_for_atomic(struct builder *builder);
void scene_tell_waits_of_both(struct builder *builder);
void scene_tell_strange_team(struct builder *builder);

/* The bytes of the profile of that scene, released by the caller; NULL: no such scene. */
unsigned char *scene_make(const char *name, size_t *size);
