/* SPDX-License-Identifier: MIT */
/* The model of a run whose profiles are scenes (tests/programs/profile_scenes.h), with the fake
 * symbolizer. */
#pragma once

#include "analyze/model/run/run.h"
#include "tests/programs/profile_scenes.h"

struct scene_run {
	struct run_files *files;
	struct symbolizer *symbolizer;
	struct run *run;
};

/* names: of scenes, ended by NULL. now_ns and the flags of files may be changed before
 * scene_run_model. wants: enum run_wants. */
void scene_run_read(struct scene_run *scene, const char *const *names);
void scene_run_model(struct scene_run *scene, unsigned wants);
void scene_run_clear(struct scene_run *scene);

/* The two steps for a single scene. */
struct run *scene_run_of(struct scene_run *scene, const char *name);

/* The two steps for a profile made by a function of the test. */
struct run *scene_run_told(struct scene_run *scene, void (*tell)(struct builder *builder),
			   unsigned wants);

/* Fails the test if there is no such routine. */
const struct routine_time *scene_run_routine(const struct run *run, const char *name);

/* A profile made by a function of the test. */
struct profile *scene_profile(void (*tell)(struct builder *builder));
