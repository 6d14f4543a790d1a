# SPDX-License-Identifier: MIT
# The unit tests of analyze/ and ptrace-run (Check). Included by the Makefile. Those of preload/ have a list of their own.

# Of ptrace-run: what reads what users write.
UNIT_EVENTS := test_formula test_event_list test_event_groups test_preset_file test_event_presets test_event_encode
# Each test_NAME.c is a program; those of ptrace-run and one other are linked in another way (below).
UNIT_ANALYZE := $(filter-out test_symbolize test_program_check $(UNIT_EVENTS),$(sort $(basename $(notdir $(wildcard tests/unit/test_*.c)))))
UNIT_LIBS := $(shell pkg-config --libs check 2>/dev/null)

# What a test of the analyzer is linked with: names come from a fake symbolizer, so that tests know them. It stands in front of the
# archive, from which the real one is then not taken.
UNIT_OBJECTS := $(addprefix $(BUILD)/,tests/unit/fake_symbolize.o tests/unit/scene_run.o tests/unit/told_tree.o tests/programs/profile_builder.o \
	tests/programs/profile_scenes.o tests/programs/profile_scenes_mpi.o tests/programs/profile_scenes_omp.o \
	tests/programs/profile_scenes_counters.o tests/programs/profile_scenes_sections.o libanalyze.a)

$(BUILD)/tests/unit/%.o: tests/unit/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) -c $< -o $@

$(BUILD)/tests/programs/%.o: tests/programs/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) -c $< -o $@

$(UNIT_ANALYZE:%=$(BUILD)/tests/unit/%): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(UNIT_OBJECTS)
	$(SHOW)$(CC) $(CFLAGS) $^ $(ANALYZE_LIBS) $(UNIT_LIBS) -o $@

# The real symbolizer, asked about the test itself.
$(BUILD)/tests/unit/test_symbolize: $(BUILD)/tests/unit/test_symbolize.o $(BUILD)/libanalyze.a
	$(SHOW)$(CC) $(CFLAGS) $^ $(ANALYZE_LIBS) $(UNIT_LIBS) -o $@

UNIT_RUN := $(addprefix $(BUILD)/tests/unit/,test_program_check $(UNIT_EVENTS))
$(UNIT_RUN): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(filter-out %/main.o,$(RUN:%=$(BUILD)/%.o))
	$(SHOW)$(CC) $(CFLAGS) $^ $(RUN_LIBS) $(UNIT_LIBS) -o $@

# A run of many ranks out of a small one, for tests and the bench.
$(BUILD)/tests/multiply_profiles: $(BUILD)/tests/programs/multiply_profiles.o $(addprefix $(BUILD)/,analyze/base/die.o \
	analyze/base/memory.o analyze/base/progress.o analyze/base/text_list.o analyze/tables/schema_parse.o analyze/tables/table_read.o \
	common/message.o common/real_clock.o)
	$(SHOW)$(CC) $(CFLAGS) $^ -l:libiberty.a -o $@

# The real symbolizer as a program, for cases that compare names with what compilers made of OpenMP.
$(BUILD)/tests/symbolize_places: $(BUILD)/tests/programs/symbolize_places.o $(BUILD)/libanalyze.a
	$(SHOW)$(CC) $(CFLAGS) $^ $(ANALYZE_LIBS) -o $@

# Profiles with known content, for cases.
$(BUILD)/tests/make_profile: $(addprefix $(BUILD)/tests/programs/,make_profile.o profile_builder.o profile_scenes.o \
	profile_scenes_mpi.o profile_scenes_omp.o profile_scenes_counters.o profile_scenes_sections.o) $(BUILD)/libanalyze.a
	$(SHOW)$(CC) $(CFLAGS) $^ $(ANALYZE_LIBS) -o $@

test-programs: $(BUILD)/tests/multiply_profiles $(BUILD)/tests/symbolize_places $(BUILD)/tests/make_profile

# Two are built as users build: one asks for its own symbols, and ptrace-run trusts its files.
UNIT_TESTS_PLAIN := $(addprefix $(BUILD)/tests/unit/,test_symbolize test_program_check)
UNIT_TESTS := $(addprefix $(BUILD)/tests/unit/,$(UNIT_ANALYZE) $(UNIT_EVENTS)) $(UNIT_TESTS_PLAIN)

unit-test-programs: $(UNIT_TESTS)
unit-test-programs-plain: $(UNIT_TESTS_PLAIN)

# Under sanitizers: what reads files of others. A build of their own (asan-programs), with the analyzer's objects and ptrace-run's.
# `make check` builds and runs them in this way alone; the end-to-end cases run what users get.
ASAN_TESTS := $(addprefix $(BUILD)/tests/unit/,$(UNIT_ANALYZE) $(UNIT_EVENTS))

asan-tests: $(ASAN_TESTS)

# Names come from the fake symbolizer; source files are found by the real code.
FUZZ_FAKED := $(filter-out $(addprefix analyze/symbols/,source_text source_path debuginfod_tree user_cache text_pool perf_map generated_name debug_package),$(filter analyze/symbols/%,$(ANALYZE)))
FUZZ_OBJECTS := $(addprefix $(BUILD)/,$(patsubst %.c,%.o,$(sort $(wildcard tests/fuzz/*.c))) tests/unit/fake_symbolize.o \
	tests/programs/profile_builder.o tests/programs/profile_scenes.o tests/programs/profile_scenes_mpi.o \
	tests/programs/profile_scenes_omp.o tests/programs/profile_scenes_counters.o tests/programs/profile_scenes_sections.o \
	$(patsubst %,%.o,$(filter-out analyze/base/die $(FUZZ_FAKED),$(ANALYZE))))

$(BUILD)/tests/fuzz/%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) -c $< -o $@

# In a build of clang's under sanitizers (see asan-programs and fuzz).
$(BUILD)/fuzz_profile: $(FUZZ_OBJECTS)
	$(SHOW)$(CC) $(filter-out -fsanitize=fuzzer-no-link,$(CFLAGS)) -fsanitize=fuzzer $^ $(ANALYZE_LIBS) -o $@

.PHONY: unit-test-programs unit-test-programs-plain asan-tests
.PRECIOUS: $(BUILD)/tests/unit/%.o $(BUILD)/tests/programs/%.o
