// SPDX-License-Identifier: MIT
// A thread that is all its time within a restartable sequence (rseq): it reads a count, computes,
// and stores the count plus one as its last instruction. The library that is loaded meanwhile adds
// one as well (attach_visit), as another thread of that processor would: none may be lost.
//   attach_sequence     says "ready", and for each line of its input "exact", or how many were lost
#include "truth.h"

#include <poll.h>

#if defined __x86_64__ && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>

static volatile long count, visits;

__attribute__((visibility("default"))) void attach_visit(void);

void attach_visit(void)
{
	visits++;
	count++;
}

// Some 100 us, so that most of them end before the thread loses its processor.
static NOINLINE int add_one(struct rseq *area)
{
	__asm__ goto(".pushsection __rseq_cs, \"aw\"\n.balign 32\n"
		     "3: .long 0, 0\n.quad 1f, 2f - 1f, 4f\n.popsection\n"
		     "leaq 3b(%%rip), %%rax\nmovq %%rax, 8(%[area])\n"
		     "1: movq (%[count]), %%rax\n"
		     "movl $200000, %%ecx\n5: decl %%ecx\njnz 5b\n"
		     "addq $1, %%rax\nmovq %%rax, (%[count])\n2:\n"
		     ".pushsection __rseq_failure, \"ax\"\n"
		     ".byte 0x0f, 0xb9, 0x3d\n.long 0x53053053\n"
		     "4: jmp %l[aborted]\n.popsection\n" ::[area] "r"(area),
		     [count] "r"(&count)
		     : "rax", "rcx", "memory", "cc"
		     : aborted);
	return 1;
aborted:
	return 0;
}

static void add_until_asked(struct rseq *area)
{
	static long added;
	struct pollfd input = {.fd = 0, .events = POLLIN};

	do
		for (int i = 0; i < 1000; i++)
			added += add_one(area);
	while (poll(&input, 1, 0) == 0);
	if (count == added + visits)
		printf("exact %ld\n", visits);
	else
		printf("lost %ld\n", added + visits - count);
}

int main(void)
{
	char line[80];

	if (!__rseq_size) {
		puts("none");
		return 0;
	}
	setlinebuf(stdout);
	puts("ready");
	do
		add_until_asked((void *)((char *)__builtin_thread_pointer() + __rseq_offset));
	while (fgets(line, sizeof line, stdin));
	return 0;
}
#else
int main(void)
{
	puts("none");
	return 0;
}
#endif
