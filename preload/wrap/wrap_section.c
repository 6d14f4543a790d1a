/* SPDX-License-Identifier: MIT */
/* What a program says of itself: the calls that ptrace.h makes (their names are none that a program
 * has for something else), and regions that it tells to Caliper or to NVTX, which get them as well.
 */
#include "preload/life/section_calls.h"
#include "preload/life/own_times.h"
#include "preload/process/entry.h"
#include "preload/process/real.h"

#include <stddef.h>

/* TELLS(name, parameters, what) */
#define TELLS(name, parameters, what)                                                              \
	EXPORTED void name parameters;                                                             \
	EXPORTED void name parameters                                                              \
	{                                                                                          \
		what;                                                                              \
	}

TELLS(libptrace_begin, (const char *name), section_call_begin(name, SITE_HERE))
TELLS(libptrace_end, (const char *name), section_call_end(name, SITE_HERE))
TELLS(libptrace_phase, (const char *name), section_call_phase(name, SITE_HERE))
TELLS(libptrace_mark, (const char *name, int64_t value), section_call_mark(name, value, SITE_HERE))
TELLS(libptrace_name, (const void *address, size_t bytes, const char *name),
      section_call_name(address, bytes, name))

EXPORTED int libptrace_times(struct own_times *times);
EXPORTED int libptrace_times(struct own_times *times)
{
	return own_times_read(times);
}

/* ---- regions of other tools */

/* The tool's own call; NULL: it is not there. Looked for at each call as long as it is not, since
 * its library may be loaded later. */
static void *behind(void **known, const char *symbol)
{
	void *found = __atomic_load_n(known, __ATOMIC_RELAXED);

	if (likely(found != NULL))
		return found;
	real_need();
	found = entry_behind(symbol, NULL);
	__atomic_store_n(known, found, __ATOMIC_RELAXED);
	return found;
}

/* REGION(symbol, call): a call of a tool's that begins or ends a region of that name; it calls the
 * tool's own, too. */
#define REGION(symbol, call)                                                                       \
	EXPORTED void symbol(const char *name);                                                    \
	EXPORTED void symbol(const char *name)                                                     \
	{                                                                                          \
		static void *known;                                                                \
		void (*next)(const char *) = (void (*)(const char *))behind(&known, #symbol);      \
                                                                                                   \
		call(name, SITE_HERE);                                                             \
		if (next)                                                                          \
			next(name);                                                                \
	}

/* Caliper. Its phases are regions of one thread like the others. */
REGION(cali_begin_region, section_call_begin)
REGION(cali_end_region, section_call_end)
REGION(cali_begin_phase, section_call_begin)
REGION(cali_end_phase, section_call_end)
REGION(cali_begin_comm_region, section_call_begin)
REGION(cali_end_comm_region, section_call_end)

/* NVTX 2 (libnvToolsExt); version 3 has no entry points, it is all in its header. What its calls
 * return is the depth; negative: nobody is there. All that begin a range are here, as the end has
 * no name. */
enum { NVTX_NOBODY = -2, NVTX_ASCII = 1 };

/* As its ABI has it: a text, if the kind is NVTX_ASCII, else one of 4-byte characters or registered
 * before. */
struct nvtx_attributes {
	uint16_t version, bytes;
	uint32_t unused[5];
	uint64_t payload;
	int32_t kind;
	const char *text;
};

static const char *nvtx_name(const struct nvtx_attributes *attributes)
{
	bool has_text = attributes && attributes->bytes >= sizeof *attributes &&
			attributes->kind == NVTX_ASCII;

	return has_text ? attributes->text : "[NVTX range]";
}

/* NVTX_BEGINS(symbol, type, name): of its only argument `what`. */
#define NVTX_BEGINS(symbol, type, name)                                                            \
	EXPORTED int symbol(type what);                                                            \
	EXPORTED int symbol(type what)                                                             \
	{                                                                                          \
		static void *known;                                                                \
		int (*next)(type) = (int (*)(type))behind(&known, #symbol);                        \
                                                                                                   \
		section_call_begin(name, SITE_HERE);                                               \
		return next ? next(what) : NVTX_NOBODY;                                            \
	}

NVTX_BEGINS(nvtxRangePushA, const char *, what)
NVTX_BEGINS(nvtxRangePushW, const wchar_t *, "[NVTX range]")
NVTX_BEGINS(nvtxRangePushEx, const struct nvtx_attributes *, nvtx_name(what))

EXPORTED int nvtxRangePop(void);
EXPORTED int nvtxRangePop(void)
{
	static void *known;
	int (*next)(void) = (int (*)(void))behind(&known, "nvtxRangePop");

	section_call_end(NULL, SITE_HERE);
	return next ? next() : NVTX_NOBODY;
}
