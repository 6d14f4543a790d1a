/* SPDX-License-Identifier: MIT */
/* loader KIND: runpath (a plug-in that only DT_RUNPATH finds), deepbind, namespace (dlmopen), storm
 * (dlopen, dlclose, dlsym and dl_iterate_phdr in four threads while the first one computes), early
 * (what libearly.so counted before main), file PATH (computes in one of the plug-ins of
 * `unload`). */
#include "truth.h"
#include <dlfcn.h>
#include <link.h>

int early_count(void);

static volatile int stop;

static int use(void *handle)
{
	int (*work)(int) = handle ? (int (*)(int))dlsym(handle, "plugin_work") : NULL;
	if (!work)
		printf("no plug-in: %s\n", dlerror());
	return work ? work(7) : -1;
}

static void compute(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW);
	if (handle)
		((void (*)(double, void *, int))dlsym(handle, "plugin_run"))(0.3, NULL, 0);
	puts(handle ? "computed" : dlerror());
}

static void *open_and_close(void *unused)
{
	while (!stop) {
		void *handle = dlopen("libplugin.so", RTLD_NOW | RTLD_LOCAL);
		dlsym(handle, "plugin_work");
		dlsym(RTLD_DEFAULT, "no such symbol");
		dlclose(handle);
	}
	return unused;
}

static int count_object(struct dl_phdr_info *info, size_t size, void *count)
{
	(void)info;
	(void)size;
	++*(int *)count;
	return 0;
}

static void *iterate(void *unused)
{
	int count = 0;
	while (!stop)
		dl_iterate_phdr(count_object, &count);
	return unused;
}

static void storm(void)
{
	void *(*const starts[])(void *) = {open_and_close, open_and_close, iterate, iterate};
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, starts[i], NULL);
	SPIN(1.0);
	stop = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	puts("calm");
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "runpath"))
		printf("%d\n", use(dlopen("libplugin.so", RTLD_NOW)));
	else if (!strcmp(kind, "deepbind"))
		printf("%d\n", use(dlopen("libplugin.so", RTLD_NOW | RTLD_DEEPBIND)));
	else if (!strcmp(kind, "namespace"))
		puts(dlmopen(LM_ID_NEWLM, "libplugin.so", RTLD_NOW) ? "second namespace"
								    : dlerror());
	else if (!strcmp(kind, "storm"))
		storm();
	else if (!strcmp(kind, "early"))
		printf("%d\n", early_count());
	else if (!strcmp(kind, "file") && argc > 2)
		compute(argv[2]);
	else
		return 2;
	fflush(stdout);
	return 0;
}
