/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_create.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct profile *parse(unsigned char *bytes, size_t size)
{
	char *problem = NULL;
	struct profile *profile = profile_parse("scene.profile", bytes, size, &problem);

	ck_assert_msg(profile != NULL, "%s", problem);
	return profile;
}

void scene_run_read(struct scene_run *scene, const char *const *names)
{
	*scene = (struct scene_run){.files = run_files_create("run.ptrace.1")};
	for (; *names; names++) {
		size_t size;
		unsigned char *bytes = scene_make(*names, &size);

		ck_assert_ptr_nonnull(bytes);
		run_files_add_profile(scene->files, parse(bytes, size));
	}
}

void scene_run_model(struct scene_run *scene, unsigned wants)
{
	scene->symbolizer = symbolizer_create(NULL);
	scene->run = run_create(scene->files, scene->symbolizer, wants);
}

void scene_run_clear(struct scene_run *scene)
{
	run_destroy(scene->run);
	symbolizer_destroy(scene->symbolizer);
	run_files_destroy(scene->files);
}

struct run *scene_run_of(struct scene_run *scene, const char *name)
{
	const char *const names[] = {name, NULL};

	scene_run_read(scene, names);
	scene_run_model(scene, RUN_PATHS);
	return scene->run;
}

struct run *scene_run_told(struct scene_run *scene, void (*tell)(struct builder *builder),
			   unsigned wants)
{
	*scene = (struct scene_run){.files = run_files_create("x")};
	run_files_add_profile(scene->files, scene_profile(tell));
	scene_run_model(scene, wants);
	return scene->run;
}

const struct routine_time *scene_run_routine(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->routines.count; i++)
		if (!strcmp(names_routine(run->names, run->routines.rows[i].routine)->name, name))
			return &run->routines.rows[i];
	ck_abort_msg("no routine %s", name);
}

struct profile *scene_profile(void (*tell)(struct builder *builder))
{
	struct builder builder;
	size_t size;

	builder_start(&builder);
	tell(&builder);
	unsigned char *bytes = builder_finish(&builder, &size);

	return parse(bytes, size);
}
