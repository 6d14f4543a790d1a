/* SPDX-License-Identifier: MIT */
/* Two unwinders walk the same stack: the tool's and libunwind's, which is the judge.
 *
 * Both read the same call-frame information, by different code. They must agree on every frame that
 * libunwind leaves by that information; where it has none it guesses, and from there on nothing is
 * compared. Context: plain calls and signal handlers. */
#pragma once

#include <ucontext.h>

struct judgement {
	unsigned long stacks, frames; /* compared */
	unsigned long guessed;        /* stacks whose outer part the judge could only guess at */
	unsigned long disagreements;  /* stacks */
	unsigned long short_stacks;   /* of these: ours ended too early, and says so */
};

extern struct judgement judgement;

/* Start-up. The first thread's stack is the own one. */
void judge_start(void);

/* The interrupted stack. */
void judge_context(const ucontext_t *context);

/* The stack of the caller. */
void judge_here(void);

/* Prints the counts and every kind of disagreement; returns the number of stacks that disagreed. */
unsigned long judge_report(const char *what);
