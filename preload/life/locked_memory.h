/* SPDX-License-Identifier: MIT */
/* A program that locks all of its memory (mlockall) locks ours with it, and what the process may
 * lock is limited for both together.
 *
 * Where there is a limit, ours is unlocked again at once, as far as it is of any size: the library,
 * the mapped file, and with MCL_FUTURE what is mapped later. The program then has its limit for
 * itself; a call that is wrapped may meet a page that is not there. Without a limit it stays
 * locked, as a program wants it that must not wait for a page. */
#pragma once

/* The program's mlockall has succeeded with these flags. Any thread. errno stays as it was. */
void locked_memory_give_back(int flags);
