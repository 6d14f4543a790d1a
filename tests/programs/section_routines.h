/* SPDX-License-Identifier: MIT */
/* What libroutines.so has. */
#pragma once

enum { LARGE = 40 };

struct large {
	long word[LARGE];
};

struct pair {
	long first, second;
};

typedef double quad __attribute__((vector_size(32)));

int many_integers(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j);
double many_reals(double a, double b, double c, double d, double e, double f, double g, double h,
		  double i, double j, int k);
struct large turn(struct large value, int by);
struct pair swap(struct pair value);
long double halve(long double value);
double sum_of(int count, ...);
int descend(int depth);
int descend_again(int depth); /* the program's, which calls descend */
void call(void (*what)(void *), void *with);
#ifdef __x86_64__
__attribute__((target("avx"))) quad twice(quad value);
#endif
