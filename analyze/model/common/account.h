/* SPDX-License-Identifier: MIT */
/* What an account is: a part of the model of a run that takes profiles one after the other.
 *
 * A run may have a hundred thousand profiles, so that one is open at a time. The model (run.c)
 * opens it, gives it to every account, and closes it. An account X is
 *
 *   struct X_account *X_account_create(struct names *names);
 *   void X_account_add(struct X_account *, const struct profile *, const struct process *);
 *   struct X X_account_finish(struct X_account *);      releases the account
 *
 * (mpi_account_add is given process->index and the names instead of the process; those that count
 * samples are given their shares of elapsed time as well, sample_share.h.)
 *
 * add: the profile lives until add returns. What is to stay is copied; texts are kept once for the
 * whole run by names_keep. A process is remembered by its index in run->processes (the order of
 * starts; add is called in this order); run->processes[index].file has what is known of it later:
 * header, command, host. The process's life and times are there when add is called, those of later
 * ones are not. An account may keep one row for each process, and for the rest what reports show:
 * by routine, object, call; nothing for each thread, call path or message.
 *
 * finish: called once, after the last profile. Sorts and computes; ties are broken by names and
 * never by numbers, which depend on the order of what was read. Context: one thread. */
#pragma once

struct names;
struct process;
struct profile;
