/* SPDX-License-Identifier: MIT */
/* The words of libgomp's locks without a name, as the code of its functions tells them. */
#include "arch.h"
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <stdio.h>

typedef void section_call(void);

struct section {
	const char *begin, *end;
};

static const struct section critical = {"GOMP_critical_start", "GOMP_critical_end"};
static const struct section atomic = {"GOMP_atomic_start", "GOMP_atomic_end"};

static void *libgomp(void)
{
	void *library = dlopen("libgomp.so.1", RTLD_NOW);

	if (!library)
		puts("test_lock_word: skipped in part, there is no libgomp.so.1");
	return library;
}

static section_call *call_of(const char *name)
{
	return (section_call *)dlsym(libgomp(), name);
}

/* NULL: there is no libgomp, or its functions are not read on this machine. */
static uint32_t *word_of(const struct section *section)
{
	if (!libgomp())
		return NULL;
	uint64_t word = arch_lock_taken((const uint8_t *)call_of(section->begin));

	ck_assert_uint_eq(word, arch_lock_released((const uint8_t *)call_of(section->end)));
	return (uint32_t *)word;
}

static void check_word(const struct section *section)
{
	uint32_t *word = word_of(section);

	if (!word) {
		puts("test_lock_word: skipped in part, the functions of this libgomp are others");
		return;
	}
	ck_assert_uint_eq(*word, 0);
	call_of(section->begin)();
	ck_assert_uint_eq(*word, 1);
	call_of(section->end)();
	ck_assert_uint_eq(*word, 0);
}

START_TEST(a_section_takes_and_releases_its_word)
{
	check_word(&critical);
	check_word(&atomic);
}
END_TEST

#ifdef __x86_64__
/* As gcc compiles libgomp's. */
__asm__(".pushsection .data\n.balign 4\nmade_word: .long 0\n.popsection\n"
	".pushsection .text\n"
	"made_begin: endbr64\nxor %eax,%eax\nmov $1,%edx\n"
	"lock cmpxchg %edx,made_word(%rip)\njne 1f\nret\n1: nop\n"
	"made_end: endbr64\nxor %eax,%eax\nxchg %eax,made_word(%rip)\ntest %eax,%eax\njs 1f\nret\n1: nop\n"
	"made_watched: xor %eax,%eax\nmov $1,%edx\n"
	"lock cmpxchg %edx,made_word(%rip)\njne 1f\nmov %edx,made_word(%rip)\nret\n1: nop\n"
	".skip 32\n.popsection");

extern const uint8_t made_begin[], made_end[], made_watched[];
extern uint32_t made_word;

START_TEST(made_ones_are_found)
{
	ck_assert_uint_eq(arch_lock_taken(made_begin), (uint64_t)&made_word);
	ck_assert_uint_eq(arch_lock_released(made_end), (uint64_t)&made_word);
	ck_assert_uint_eq(arch_lock_taken(made_end), 0);
	ck_assert_uint_eq(arch_lock_taken(made_watched), 0); /* it does more */
}
END_TEST
#else
START_TEST(made_ones_are_found)
{
	puts("made_ones_are_found: skipped, locks are not looked for on this machine");
}
END_TEST
#endif

START_TEST(each_kind_has_its_own)
{
	ck_assert(!word_of(&critical) || word_of(&critical) != word_of(&atomic));
}
END_TEST

START_TEST(other_code_has_none)
{
	static const uint8_t nothing[ARCH_LOCK_CODE] = {0xf3, 0x0f, 0x1e, 0xfa, 0xc3};
	static const uint8_t register_only[ARCH_LOCK_CODE] = {0x87, 0xc0, 0xf0, 0x0f, 0xb1, 0x17};

	ck_assert_uint_eq(arch_lock_taken(nothing), 0);
	ck_assert_uint_eq(arch_lock_released(nothing), 0);
	ck_assert_uint_eq(arch_lock_taken(register_only), 0);
	ck_assert_uint_eq(arch_lock_released(register_only), 0);
}
END_TEST

UNIT_MAIN("lock_word", a_section_takes_and_releases_its_word, made_ones_are_found,
	  each_kind_has_its_own, other_code_has_none)
