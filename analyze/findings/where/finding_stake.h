/* SPDX-License-Identifier: MIT */
/* What a loss means in elapsed time: by how much the run could be shorter at most if its cause were
 * gone. Thread time alone does not tell: if 64 threads wait for one, 63 lose, and of the time of 64
 * processors a thread that keeps nobody else waiting loses next to nothing.
 *
 * The same useful work, done at the same rate in the lost time as well, would take
 *
 *   elapsed x (used + taken + rest) / (used + taken + rest + lost)        thread time
 *
 * rest: time in which threads did not work and would not work without the cause either; a thread
 * that sleeps while it holds a lock also sleeps without the lock. If there are more threads than
 * processors, rest is scaled to as many threads as there are processors.
 *
 * taken: processors' time that other programs had while threads of this one were ready
 * (finding_taken_ns). Waits that are gone leave it as it is; CPU time that is
 * gone takes its share of it along, as there is less to be ready for. What is at stake for ready
 * time itself does without it.
 *
 * If a single thread lost the time, the whole run may be shorter by as much as that thread lost,
 * while the others have nothing to do. The gain is bounded by:
 *
 *   the thread time that was lost, which is never more than `width` threads were idle
 *   the time of the cause itself, where that is known: a part that ran alone for 40 ms wins no more
 *   elapsed - (used + taken) / width: so much would be left if no thread were ever idle; and
 *   elapsed - (used + taken + rest) / the most threads that wanted to run at once
 *
 * Where threads certainly take turns (is_of_turns: an interpreter's lock), who is ready without a
 * processor keeps all others from theirs, and `taken` contains the whole loss. So the stake is at
 * least the share that it would be without other programs: with taken 0 and the elapsed time
 * that it would have taken had no thread ever been ready.
 *
 * width: threads that want to run at once, at most the processors; for a job its ranks' threads. So
 * a stake does not depend on processors for which the program has no threads. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

struct finding_loss {
	double idle_ns;    /* thread time, while threads did nothing useful */
	double spun_ns;    /* part of it on processors */
	double work_ns;    /* thread time that counts as useful: work that was for nothing */
	double longest_ns; /* of the thread that lost most, or one after the other; 0: unknown */
	double cause_ns;   /* elapsed time that the cause took; 0: as much as was lost */
	double rest_ns;    /* thread time without work that would remain */
	bool is_of_turns;  /* threads took turns: without others they would have waited, too */
};

/* The time of which a part is lost. */
struct finding_whole {
	double elapsed_ns, used_ns, width;
	double threads;      /* threads on average, at least width */
	double most_threads; /* at once, at least those on average */
	double taken_ns;     /* by others, while threads were ready */
	double cpu_ns;       /* of all threads: what they were ready for */
	enum grade grade;    /* of used_ns and taken_ns */
};

/* The run with its threads. */
struct finding_whole finding_whole_of(const struct run *run);
/* The job of ranks, which may be a part of the run. */
struct finding_whole finding_whole_of_ranks(const struct run *run);

/* The stake. Lowers the grade of the finding to that of the used time if the used time determines
 * the stake. */
double finding_stake_ns(const struct finding_whole *whole, const struct finding_loss *loss,
			struct finding *finding);
/* In percent of the elapsed time; NAN: the elapsed time or the number of processors is unknown. */
double finding_percent(const struct run *run, double stake_ns);
/* finding_whole_of, finding_stake_ns and finding_percent in one, and what is_of_turns asks for. */
double finding_stake(const struct run *run, struct finding *finding,
		     const struct finding_loss *loss);

/* What is at stake of the elapsed time of the run, of which the job may be a part. longest_ns: of
 * the rank that lost most; 0: unknown. cause_ns: elapsed time that the cause took; 0: unknown. */
double finding_stake_of_ranks(const struct run *run, struct finding *finding, double lost_ns,
			      double longest_ns, double cause_ns);

/* Sets what is at stake where threads were ready and had no processor. */
void finding_add_ready_stake(const struct run *run, struct finding *finding, double ready_ns);
