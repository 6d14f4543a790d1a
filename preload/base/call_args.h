/* SPDX-License-Identifier: MIT */
/* The arguments of a call of another library as machine words, for wrappers that macros make:
 * WORDS_n are n parameters, VALUES_n their values, ELEMENTS_n the same out of an array `words`. */
#pragma once

#include <stdint.h>

#define WORDS_0  void
#define WORDS_1  uint64_t a1
#define WORDS_2  WORDS_1, uint64_t a2
#define WORDS_3  WORDS_2, uint64_t a3
#define WORDS_4  WORDS_3, uint64_t a4
#define WORDS_5  WORDS_4, uint64_t a5
#define WORDS_6  WORDS_5, uint64_t a6
#define WORDS_7  WORDS_6, uint64_t a7
#define WORDS_8  WORDS_7, uint64_t a8
#define WORDS_9  WORDS_8, uint64_t a9
#define WORDS_10 WORDS_9, uint64_t a10
#define WORDS_11 WORDS_10, uint64_t a11
#define WORDS_12 WORDS_11, uint64_t a12
#define WORDS_13 WORDS_12, uint64_t a13
#define WORDS_14 WORDS_13, uint64_t a14

#define VALUES_0  0
#define VALUES_1  a1
#define VALUES_2  VALUES_1, a2
#define VALUES_3  VALUES_2, a3
#define VALUES_4  VALUES_3, a4
#define VALUES_5  VALUES_4, a5
#define VALUES_6  VALUES_5, a6
#define VALUES_7  VALUES_6, a7
#define VALUES_8  VALUES_7, a8
#define VALUES_9  VALUES_8, a9
#define VALUES_10 VALUES_9, a10
#define VALUES_11 VALUES_10, a11
#define VALUES_12 VALUES_11, a12
#define VALUES_13 VALUES_12, a13
#define VALUES_14 VALUES_13, a14

#define ELEMENTS_0
#define ELEMENTS_1  words[0]
#define ELEMENTS_2  ELEMENTS_1, words[1]
#define ELEMENTS_3  ELEMENTS_2, words[2]
#define ELEMENTS_4  ELEMENTS_3, words[3]
#define ELEMENTS_5  ELEMENTS_4, words[4]
#define ELEMENTS_6  ELEMENTS_5, words[5]
#define ELEMENTS_7  ELEMENTS_6, words[6]
#define ELEMENTS_8  ELEMENTS_7, words[7]
#define ELEMENTS_9  ELEMENTS_8, words[8]
#define ELEMENTS_10 ELEMENTS_9, words[9]
#define ELEMENTS_11 ELEMENTS_10, words[10]
#define ELEMENTS_12 ELEMENTS_11, words[11]
#define ELEMENTS_13 ELEMENTS_12, words[12]
#define ELEMENTS_14 ELEMENTS_13, words[13]
