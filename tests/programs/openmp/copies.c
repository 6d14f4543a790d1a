/* SPDX-License-Identifier: MIT */
/* As a library (PLUGIN): a region, a loop, tasks and a lock. As a program: copies [-c] LIBRARY...:
 * loads each invisible to the others, calls it, and prints what it returned; with -c it unloads it
 * again. Each library may have a runtime of its own, separate from the others'. With CONSTRUCTOR
 * the library does all that while it is being loaded; built with OpenMP, the program has a region
 * of its own first. */
#include <stdio.h>
#include <string.h>

#ifdef PLUGIN
#include <omp.h>

int use_openmp(int times);

/* The numbers of a team of 2 add up to 1, and its size is 2, in each region. */
int use_openmp(int times)
{
	int result = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
	for (int i = 0; i < times; i++) {
#pragma omp parallel num_threads(2)
		{
			omp_set_lock(&lock);
			result += 100 * omp_get_num_threads() + omp_get_thread_num();
			omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp for schedule(dynamic)
			for (int k = 0; k < 10; k++) {
#pragma omp critical
				result += 10000;
			}
#pragma omp single
#pragma omp task
			{
#pragma omp critical
				result += 1000000;
			}
		}
	}
	omp_destroy_lock(&lock);
	return result;
}

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void use_early(void)
{
	printf("%d\n", use_openmp(3));
}
#endif
#else
#include <dlfcn.h>

int main(int argc, char **argv)
{
	int closes = argc > 1 && !strcmp(argv[1], "-c"), own = 0;

#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(+ : own)
	for (int i = 0; i < 10; i++)
		own += i;
	if (own != 45)
		return 4;
	for (int i = 1 + closes; i < argc; i++) {
		void *handle = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		int (*use)(int) = handle ? (int (*)(int))dlsym(handle, "use_openmp") : NULL;
		if (!use)
			return fprintf(stderr, "%s\n", dlerror()), 1;
		printf("%d %d\n", use(5), use(2));
		if (closes && dlclose(handle))
			return 3;
	}
	return 0;
}
#endif
