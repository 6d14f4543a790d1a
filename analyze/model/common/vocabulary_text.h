/* SPDX-License-Identifier: MIT */
/* The words for the numbers of preload/file/vocabulary.h. Unknown numbers of a newer writer have a
 * word as well. Context: pure. */
#pragma once

#include "preload/file/vocabulary.h"

#include <stdint.h>

const char *vocabulary_cause(uint64_t cause);         /* "mutex" */
const char *vocabulary_kind(uint64_t kind);           /* "mutex"; "call" if it is no object */
const char *vocabulary_mark(uint64_t mark);           /* "[truncated]" */
const char *vocabulary_note(uint64_t note);           /* may hold a %u */
const char *vocabulary_operation(uint64_t operation); /* "lock" */
const char *vocabulary_call(uint64_t operation);      /* "pthread_mutex_lock" */
enum object_kind
vocabulary_operand(uint64_t operation);               /* kind of object that the call operates on */
const char *vocabulary_construct(uint64_t construct); /* "end of loop" */
enum omp_construct_time vocabulary_construct_time(uint64_t construct);
