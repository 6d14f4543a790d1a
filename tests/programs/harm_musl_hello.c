/* SPDX-License-Identifier: MIT */
/* harm_musl_hello: a program of another C library. */
#include <stdio.h>

int main(void)
{
	puts("hello");
	return 3;
}
