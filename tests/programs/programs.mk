# SPDX-License-Identifier: MIT
# The programs of known truth that tests/run uses. Included by the Makefile; also works alone, from the repository's
# root: make -f tests/programs/programs.mk. A program with its own flags or libraries says so in TEST_FLAGS_name.
CC    ?= cc
CXX   ?= c++
BUILD ?= build

TEST_C := phases equal holder reacquire futile join counts cond_old counts_process alone routines threads death killer processes \
	eintr signals
TEST_CXX := templates exceptions
# These need something that may be missing (32-bit or static libraries, a sanitizer): without it, their cases are skipped.
TEST_OPTIONAL :=

TEST_PROGRAMS := $(addprefix $(BUILD)/tests/,$(TEST_C) $(TEST_CXX) $(TEST_OPTIONAL))
TEST_WARN := -Wall -Wextra

test-programs: $(TEST_PROGRAMS)
.PHONY: test-programs

$(TEST_C:%=$(BUILD)/tests/%): $(BUILD)/tests/%: tests/programs/%.c tests/programs/truth.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) $(TEST_FLAGS_$*) -o $@ $< -pthread $(TEST_LIBS_$*)

$(TEST_CXX:%=$(BUILD)/tests/%): $(BUILD)/tests/%: tests/programs/%.cc tests/programs/truth.h
	@mkdir -p $(@D)
	$(CXX) -std=gnu++17 -O2 -g $(TEST_WARN) $(TEST_FLAGS_$*) -o $@ $< -pthread $(TEST_LIBS_$*)
