# SPDX-License-Identifier: MIT
# The programs of known truth that tests/run uses. Included by the Makefile; also works alone, from the repository's
# root: make -f tests/programs/programs.mk. A program with its own flags or libraries says so in TEST_FLAGS_name.
CC    ?= cc
CXX   ?= c++
BUILD ?= build

TEST_C := phases equal deep hot holder waited waited_deep convoy crowd reuse reacquire futile wakeups join counts cond_old old_calls counts_process kept signalled alone company turns routines threads shells commands stopped worker_crowd uring_timers refused many_locks shared_locks \
	death killer processes \
	eintr signals semantics rwlock_stress no_perf slow_perf loader resources \
	yielding own_cost hostile diff_work request_server request_kinds scaling_truth finding_scenes stakes \
	harm_calls harm_threads harm_fork harm_stacks harm_sandbox harm_signals harm_setxid harm_handlers harm_replaced_handlers harm_failing_exec harm_unreadable harm_small_stack \
	harm_fd_low harm_fd_inherited harm_file_growth at_exit held_io held_wait left unload poked birth_calls page_faults lives affinity random zombie reaped own_syscall served counted instrumented watched paced \
	futexes futexes_hostile rested io_calls io_harm io_streams small_writes freed_objects pipe_stage attach_waits attach_parts attach_filters attach_ends attach_truth attach_self stuck wait_lengths generated_code memory_use memory_limits locked_calls faked attach_birth attach_signals attach_handlers harm_samples cut_calls handler_counts interrupted real_time uring_waits leaves_memory \
	attach_sequence attach_shared_block attach_held libc_threads new_user bound sections section_routines section_regions
TEST_CXX := templates exceptions hostile_names instrumented_cxx attach_stress
# These need something that may be missing (32-bit or static libraries, a sanitizer): without it, their cases are skipped.
TEST_OPTIONAL := equal_static equal_static_pie equal_32 equal_pg holder_tsan equal_asan rebuilt/diff_work harm_musl_hello futexes_cxx futexes_rust
# Compiled so that the begin of each routine is told; by another compiler; and so that both ends are told as well.
BEGUN := pg fentry both both_fentry both_bare clang clang_fentry clang_both
TEST_OPTIONAL += $(BEGUN:%=instrumented_%) $(BEGUN:%=begun_%) instrumented_cxx_pg instrumented_cxx_both instrumented_own \
	begun_registers begun_left_pg begun_left_functions libhook.so libbegun.so libsection_owner.so
TEST_SHARED := plugins/libplugin.so libearly.so liblockmalloc.so libinterposer.so libtickets.so libsizes.so plugins/alpha.so plugins/gamma.so attach/libptrace.so liblockcalls.so libheld_plugin.so libroutines.so libregions.so

# A destructor's witness stands in each frame; the recursion ends in pthread_exit.
TEST_FLAGS_exceptions := -Wno-infinite-recursion
# Its truth is told by routines that are not.
TEST_FLAGS_instrumented_cxx := -finstrument-functions -finstrument-functions-exclude-file-list=truth.h,/usr
TEST_FLAGS_instrumented := -finstrument-functions -finstrument-functions-exclude-file-list=truth.h -Wno-infinite-recursion
# The lazy binding of a call needs 3 KiB of stack.
TEST_LIBS_harm_small_stack := -Wl,-z,now
$(BUILD)/tests/sections: include/ptrace.h
# No steps of the loader.
TEST_LIBS_interrupted := -Wl,-z,now
TEST_FLAGS_sections := -Iinclude
TEST_FLAGS_section_routines := -Wno-psabi
TEST_LIBS_section_regions := -L$(BUILD)/tests -lregions -Wl,-rpath,'$$ORIGIN'
TEST_LIBS_section_routines := -rdynamic -L$(BUILD)/tests -lroutines -lm -Wl,-rpath,'$$ORIGIN'
TEST_LIBS_unload := -ldl
TEST_LIBS_attach_birth := -ldl
TEST_LIBS_attach_waits := -lm
TEST_LIBS_attach_stress := -ldl
# The library calls it.
TEST_LIBS_attach_sequence := -rdynamic
TEST_LIBS_attach_held := -rdynamic -ldl
TEST_LIBS_lives := -ldl
TEST_LIBS_old_calls := -ldl
TEST_LIBS_loader := -L$(BUILD)/tests -learly -ldl -Wl,--enable-new-dtags,-rpath,'$$ORIGIN:$$ORIGIN/plugins'

TEST_PROGRAMS := $(addprefix $(BUILD)/tests/,$(TEST_C) $(TEST_CXX) $(TEST_SHARED) $(TEST_OPTIONAL))
TEST_WARN := -Wall -Wextra

test-programs: $(TEST_PROGRAMS)
.PHONY: test-programs

# It makes every operation of the vocabulary.
$(BUILD)/tests/counts: preload/file/vocabulary.h
INTERRUPTED_H := $(addprefix tests/programs/,interrupted.h interrupted_child.h interrupted_tracer.h single_steps.h own_code.h)
$(BUILD)/tests/interrupted: $(INTERRUPTED_H)
$(BUILD)/tests/left: tests/programs/own_code.h
$(BUILD)/tests/held_io $(BUILD)/tests/held_wait: tests/programs/held.h

$(TEST_C:%=$(BUILD)/tests/%): $(BUILD)/tests/%: tests/programs/%.c tests/programs/truth.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) $(TEST_FLAGS_$*) -o $@ $< -pthread $(TEST_LIBS_$*)

$(TEST_CXX:%=$(BUILD)/tests/%): $(BUILD)/tests/%: tests/programs/%.cc tests/programs/truth.h
	@mkdir -p $(@D)
	$(CXX) -std=gnu++17 -O2 -g $(TEST_WARN) $(TEST_FLAGS_$*) -o $@ $< -pthread $(TEST_LIBS_$*)

$(BUILD)/tests/plugins/lib%.so $(BUILD)/tests/lib%.so: tests/programs/%.c tests/programs/truth.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) -fPIC -shared -o $@ $< -pthread -ldl

$(BUILD)/tests/libsizes.so: tests/programs/sizes_at_exit.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) -fPIC -shared -o $@ $<

# Stands in for the library of that name.
$(BUILD)/tests/attach/libptrace.so: tests/programs/attach_agent.c tests/programs/truth.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) -fPIC -shared -fvisibility=hidden -o $@ $< -pthread -lm

# The same plug-in twice, of the same shape.
$(BUILD)/tests/plugins/alpha.so $(BUILD)/tests/plugins/gamma.so: $(BUILD)/tests/plugins/%.so: tests/programs/unload_plugin.c \
		tests/programs/truth.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) -DNAME=$* -Wno-missing-prototypes -fPIC -shared -o $@ $< -pthread

# Calls of its own routines come from the program, as descend_again.
$(BUILD)/tests/libroutines.so: tests/programs/routine_library.c tests/programs/section_routines.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) -Wno-psabi -fPIC -shared -o $@ $<

$(BUILD)/tests/libregions.so: tests/programs/region_library.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g $(TEST_WARN) -fPIC -shared -o $@ $<

$(BUILD)/tests/section_regions: $(BUILD)/tests/libregions.so
$(BUILD)/tests/section_routines: $(BUILD)/tests/libroutines.so tests/programs/section_routines.h

$(BUILD)/tests/loader: $(BUILD)/tests/libearly.so $(BUILD)/tests/plugins/libplugin.so

# $(call variant,name of the program,its source,compiler and flags)
define variant
$(BUILD)/tests/$(1): tests/programs/$(2) tests/programs/truth.h
	@mkdir -p $$(@D)
	@$(3) -std=gnu11 -O2 -g -o $$@ $$< -pthread 2>/dev/null || echo "not built, its cases are skipped: $(1)"
endef
$(eval $(call variant,equal_static,equal.c,$(CC) -static))
$(eval $(call variant,equal_static_pie,equal.c,$(CC) -static-pie -fPIE))
$(eval $(call variant,equal_32,equal.c,$(CC) -m32))
$(eval $(call variant,equal_pg,equal.c,$(CC) -pg))
$(eval $(call variant,equal_asan,equal.c,$(CC) -fsanitize=address))
$(eval $(call variant,harm_musl_hello,harm_musl_hello.c,musl-gcc))
$(eval $(call variant,holder_tsan,holder.c,$(CC) -fsanitize=thread))
# A routine that calls itself last would become a loop, of which no begin is told.
BEGUN_FLAGS := -fno-optimize-sibling-calls
BOTH := -pg $(TEST_FLAGS_instrumented_cxx)
BEGUN_FLAGS_pg           := $(CC) -pg
BEGUN_FLAGS_fentry       := $(CC) -pg -mfentry
BEGUN_FLAGS_both         := $(CC) $(BOTH)
BEGUN_FLAGS_both_fentry  := $(CC) -mfentry $(BOTH)
# Without the tables that tell where routines begin.
BEGUN_FLAGS_both_bare    := $(CC) -fno-asynchronous-unwind-tables $(BOTH)
BEGUN_FLAGS_clang        := clang -pg
BEGUN_FLAGS_clang_fentry := clang -pg -mfentry
BEGUN_FLAGS_clang_both   := clang -pg -finstrument-functions
BEGUN_LINK := -Xlinker --no-as-needed -L$(BUILD)/tests -lbegun -Xlinker -rpath -Xlinker $(abspath $(BUILD)/tests)
$(foreach how,$(BEGUN),$(eval $(call variant,instrumented_$(how),instrumented.c,$(BEGUN_FLAGS_$(how)) $(BEGUN_FLAGS))))
$(foreach how,$(BEGUN),$(eval $(call variant,begun_$(how),begun.c,$(BEGUN_FLAGS_$(how)) $(BEGUN_LINK))))
$(BEGUN:%=$(BUILD)/tests/begun_%): $(BUILD)/tests/libbegun.so
$(eval $(call variant,libbegun.so,begun_library.c,$(CC) -pg -fPIC -shared))
$(eval $(call variant,instrumented_cxx_pg,instrumented_cxx.cc,$(CXX) -pg))
$(eval $(call variant,instrumented_cxx_both,instrumented_cxx.cc,$(CXX) $(BOTH)))
$(eval $(call variant,begun_left_pg,begun_left.c,$(CC) -pg))
$(eval $(call variant,begun_left_functions,begun_left.c,$(CC) -finstrument-functions))
$(eval $(call variant,begun_registers,begun_registers.c,$(CC)))
# With hooks in place of libc's, in the program, and in a library.
$(eval $(call variant,instrumented_own,instrumented.c,$(CC) -pg tests/programs/begun_hook.c))
$(eval $(call variant,libhook.so,begun_hook.c,$(CC) -fPIC -shared))
$(eval $(call variant,libsection_owner.so,section_owner.c,$(CC) -fPIC -shared))
# The same program as another compiler run would leave it: lines, addresses and inlining are others.
$(eval $(call variant,rebuilt/diff_work,diff_work.c,$(CC) -DREBUILT -fno-omit-frame-pointer -falign-functions=128))
# C++20, of a compiler that knows it; and Rust.
$(eval $(call variant,futexes_cxx,futexes_cxx.cc,$(CXX) -std=gnu++20))
$(BUILD)/tests/futexes $(BUILD)/tests/futexes_hostile: tests/programs/futexes.h
RUSTC ?= rustc
$(BUILD)/tests/futexes_rust: tests/programs/futexes_rust.rs
	@mkdir -p $(@D)
	@$(RUSTC) --edition 2021 -O -g -o $@ $< 2>/dev/null || echo "not built, its cases are skipped: futexes_rust"
