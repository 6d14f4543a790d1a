/* SPDX-License-Identifier: MIT */
/* unload PLUGIN...: loads one plug-in after the other, each by a name of its own and then all by
 * the same name; each computes, and waits for a semaphore that another thread posts. Truth: CPU
 * time of each, by its position, and whether all were loaded at the same address. */
#include "truth.h"
#include <dlfcn.h>
#include <semaphore.h>

enum { WAITS = 10 };

static sem_t semaphore;
static volatile int is_over;
static void *first_place;
static int are_at_one_place = 1;

static void *post(void *unused)
{
	while (!is_over) {
		int value;
		nap_raw(0.003);
		if (!sem_getvalue(&semaphore, &value) && !value)
			sem_post(&semaphore);
	}
	return unused;
}

static double use(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW);
	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	void *place = dlsym(handle, "plugin_run");
	first_place = first_place ? first_place : place;
	are_at_one_place &= place == first_place;
	double before = cpu();
	((void (*)(double, sem_t *, int))place)(0.3, &semaphore, WAITS);
	double used = cpu() - before;
	dlclose(handle);
	return used;
}

/* Under the name of the one before. */
static double use_as(const char *path, const char *name)
{
	unlink(name);
	if (symlink(path, name))
		abort();
	double used = use(name);
	unlink(name);
	return used;
}

int main(int count, char **arguments)
{
	char name[64], folder[] = "/tmp/unload-XXXXXX";
	pthread_t thread;
	if (!mkdtemp(folder))
		abort();
	snprintf(name, sizeof name, "%s/plugin.so", folder);
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, post, NULL);
	for (int i = 1; i < count; i++) {
		char key[32];
		snprintf(key, sizeof key, "plugin_%d", i);
		truth(key, use(arguments[i]));
		snprintf(key, sizeof key, "renamed_%d", i);
		truth(key, use_as(arguments[i], name));
	}
	is_over = 1;
	pthread_join(thread, NULL);
	rmdir(folder);
	truth("are_at_one_place", are_at_one_place);
	truth("waits", WAITS);
	truth_end();
	return 0;
}
