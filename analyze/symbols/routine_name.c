/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/routine_name.h"

#include "analyze/base/memory.h"

#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const clone_suffixes[] = {
	"@", /* a symbol's version */
	".part.",    ".constprop.",  ".isra.",  ".cold",       ".lto_priv.",
	"._omp_fn.", "._omp_cpyfn.", ".clone.", ".localalias", ".omp_outlined",
};

/* rust_demangle accepts its own two schemes only: _R..., and _ZN... that ends in a hash. */
static char *demangle(const char *symbol)
{
	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R'))
		return NULL;
	char *text = rust_demangle(symbol, DMGL_NO_OPTS);
	return text ? text : cplus_demangle_v3(symbol, DMGL_NO_OPTS);
}

const char *routine_name_demangle(struct text_pool *pool, const char *symbol)
{
	char *text = demangle(symbol);

	return text ? text_pool_keep(pool, text) : NULL;
}

static const char *cut(struct text_pool *pool, const char *symbol, size_t length)
{
	if (length == 0 || !symbol[length])
		return symbol;
	char *text = memory_copy_text(symbol);
	text[length] = '\0';
	return text_pool_keep(pool, text);
}

static size_t length_without_clone(const char *symbol)
{
	size_t shortest = strlen(symbol);

	for (size_t i = 0; i < sizeof clone_suffixes / sizeof clone_suffixes[0]; i++) {
		const char *suffix = strstr(symbol, clone_suffixes[i]);

		if (suffix && (size_t)(suffix - symbol) < shortest)
			shortest = (size_t)(suffix - symbol);
	}
	return shortest;
}

const char *routine_name(struct text_pool *pool, const char *symbol)
{
	const char *plain = cut(pool, symbol, length_without_clone(symbol));
	const char *demangled = routine_name_demangle(pool, plain);

	return demangled ? demangled : plain;
}

/* The linkage name of a static variable inside a routine is `lock.0`. */
static size_t length_without_number(const char *symbol)
{
	size_t length = strlen(symbol), end = length;

	while (end > 0 && symbol[end - 1] >= '0' && symbol[end - 1] <= '9')
		end--;
	return end > 1 && end < length && symbol[end - 1] == '.' ? end - 1 : length;
}

const char *variable_name(struct text_pool *pool, const char *symbol)
{
	const char *plain = cut(pool, symbol, length_without_number(symbol));
	const char *demangled = routine_name_demangle(pool, plain);

	return demangled ? demangled : plain;
}
