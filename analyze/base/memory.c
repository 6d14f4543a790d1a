/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/memory.h"

#include "analyze/base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	if (!memory)
		die("out of memory (%zu x %zu bytes)", count, size);
	return memory;
}

char *memory_copy_text(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		die("out of memory");
	return copy;
}

char *memory_print(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		die("out of memory");
	va_end(arguments);
	return text;
}

void *memory_grow(void *array, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	size_t wanted = *capacity ? *capacity * 2 : 16;
	char *grown = reallocarray(array, wanted, size);

	if (!grown)
		die("out of memory (%zu x %zu bytes)", wanted, size);
	memset(grown + *capacity * size, 0, (wanted - *capacity) * size);
	*capacity = wanted;
	return grown;
}
