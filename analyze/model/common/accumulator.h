/* SPDX-License-Identifier: MIT */
/* What an accumulator is: a part of the model of a run that is built by adding one profile after
 * the other.
 *
 * A run may have a hundred thousand profiles, so only one is open at a time. run_accumulators.c
 * opens it, adds it to every accumulator, and closes it. An accumulator X is
 *
 *   struct X_accumulator *X_accumulator_create(struct names *names);
 *   void X_accumulator_add(struct X_accumulator *, const struct profile *, const struct process *);
 *   struct X X_accumulator_finish(struct X_accumulator *);      releases the accumulator
 *
 * (Accumulators that count samples are also given the samples' shares of elapsed time,
 * sample_share.h; the accumulator of the run's time line needs no names.)
 *
 * add: the profile lives until add returns. What is needed later is copied; texts are stored once
 * for the whole run by names_keep. A process is remembered by its index in run->processes (the
 * order of starts, in which add is called); run->processes[index].file has its header, command and
 * host later on. The life and times of the process are known when add is called, those of processes
 * that start later are not. An accumulator may keep one row for each process and otherwise only
 * what reports show, by routine, object or call; nothing for each thread, call path or message.
 *
 * finish: called once, after the last profile. Sorts and computes; ties are broken by names and
 * never by numbers, which depend on the order in which files were read. Context: one thread. */
#pragma once

struct names;
struct process;
struct profile;
