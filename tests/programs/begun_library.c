/* SPDX-License-Identifier: MIT */
/* Compiled with -pg: its resolver is called while libraries that were loaded before it are not yet
 * relocated, and its constructor before theirs. */
static int calls, early;

static int value(void)
{
	calls++;
	return 7 + early;
}

static int (*resolve(void))(void)
{
	return value;
}

int libbegun_inner(void) __attribute__((ifunc("resolve")));
int libbegun_value(void);
int libbegun_calls(void);

__attribute__((constructor)) static void begin(void)
{
	early = 1;
}

int libbegun_value(void)
{
	return libbegun_inner();
}

int libbegun_calls(void)
{
	return calls;
}
