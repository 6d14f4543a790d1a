/* SPDX-License-Identifier: MIT */
/* Records for the threads of a unit test, without births and deaths: a thread has one from
 * fake_thread on. */
#pragma once

#include "preload/thread/thread.h"

/* Opens a store and makes the calling thread's record. Once in a test. */
struct thread *fake_process(void);

/* The calling thread's record, made at the first call; number: as in the table threads. */
struct thread *fake_thread(uint32_t number);

/* Uses up so much time, on a processor. */
void fake_work(uint64_t ns);
