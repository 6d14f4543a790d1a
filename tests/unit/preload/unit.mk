# SPDX-License-Identifier: MIT
# The unit tests of preload/: its modules linked into test programs, not preloaded. Included by the Makefile.
#   PRELOAD_UNIT_TESTS   all of them
#   TSAN_TESTS           those of the lock-free modules, for a build of their own: make BUILD=.../tsan CFLAGS="$(TSAN)" tsan-tests

TSAN := -O1 -g1 -fsanitize=thread

# Everything that does not interpose, and does not start by itself.
PRELOAD_UNIT_OBJECTS := $(filter-out %/preload_start.o $(BUILD)/preload/life/% $(BUILD)/preload/attach/% %/sampler.o %/sample_take.o %/sample_call.o %/handler_relay.o %/relay_entries.o %/activity.o %/release.o %/quick_wait.o %/thread.o %/thread_life.o %/overhead.o %/object_life.o %/wait_call.o \
	%/settle.o %/descriptor_call.o %/early_calls.o %/io_call.o %/io_request.o %/io_stream.o %/command_stream.o %/io_rows.o %/io_descriptors.o %/syscall_door_$(ARCH).o %/run_directory.o $(BUILD)/preload/wrap/% \
	$(BUILD)/preload/mpi/mpi_call_record.o $(BUILD)/preload/mpi/wrap_mpi% $(BUILD)/preload/openmp/%,$(PRELOAD:%=$(BUILD)/preload/%.o))
PRELOAD_UNIT_FLAGS := -D_GNU_SOURCE -Ipreload/arch/$(ARCH)
PRELOAD_UNIT_LIBS := $(shell pkg-config --libs check 2>/dev/null) -ldl -pthread
PRELOAD_UNIT := $(BUILD)/tests/unit/preload

PRELOAD_PLAIN_TESTS := test_text test_direct test_patience test_settings test_module_map test_call_counts test_blame test_tsc_clock test_timeline \
	test_descriptors test_mutex_word test_lock_word test_sample_rows test_event_batch test_unwind_look test_unwind_handler test_stack_memo \
	test_wait_rate test_held_io test_io_names test_event_list test_event_records test_event_numbers test_routine_stack test_ended_calls \
	test_call_price test_thread_processors test_sample_budget test_python_frames test_section_levels test_sections
PRELOAD_LOCKFREE_TESTS := test_sample_bank test_store test_rows test_objects test_callpath test_news test_concurrency

$(PRELOAD_UNIT)/%.o: tests/unit/preload/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) $(PRELOAD_UNIT_FLAGS) -c $< -o $@

$(PRELOAD_UNIT)/%.o: tests/unit/preload/%.cc $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CXX) -std=gnu++17 -Wall -Wextra -I. -MMD -MP $(CFLAGS) -c $< -o $@

# These ask a library of the tests' own, whose handles they find as symbols.
PRELOAD_MPI_TESTS := test_mpi_request test_mpi_comm test_mpi_message_bytes test_mpi_abi test_mpi_tracking test_mpi_call test_mpi_record

PRELOAD_MODULE_TESTS := $(addprefix $(PRELOAD_UNIT)/,$(PRELOAD_PLAIN_TESTS) $(PRELOAD_LOCKFREE_TESTS))
$(PRELOAD_MODULE_TESTS): %: %.o $(PRELOAD_UNIT)/scratch.o $(PRELOAD_UNIT_OBJECTS)
	$(SHOW)$(CC) $(CFLAGS) $^ $(PRELOAD_UNIT_LIBS) -o $@

$(PRELOAD_MPI_TESTS:%=$(PRELOAD_UNIT)/%): %: %.o $(PRELOAD_UNIT)/scratch.o $(PRELOAD_UNIT)/fake_mpi.o $(PRELOAD_UNIT_OBJECTS)
	$(SHOW)$(CC) $(CFLAGS) -rdynamic $^ $(PRELOAD_UNIT_LIBS) -o $@

# OpenMP, and what it stands on, with threads that were not born.
PRELOAD_OMP_TESTS := test_omp_region test_omp_team
PRELOAD_OMP_OBJECTS := $(addprefix $(BUILD)/preload/waits/,activity.o release.o settle.o quick_wait.o object_life.o wait_call.o) \
	$(addprefix $(BUILD)/preload/openmp/,omp_process.o omp_region.o omp_lock_filter.o omp_thread.o omp_wait.o omp_team.o omp_task.o)

$(PRELOAD_OMP_TESTS:%=$(PRELOAD_UNIT)/%): %: %.o $(PRELOAD_UNIT)/scratch.o $(PRELOAD_UNIT)/fake_thread.o $(PRELOAD_OMP_OBJECTS) \
		$(PRELOAD_UNIT_OBJECTS)
	$(SHOW)$(CC) $(CFLAGS) $^ $(PRELOAD_UNIT_LIBS) -o $@

# At every instruction, by the trap flag of x86-64. The system call that blocks signals only pretends to.
PRELOAD_STEP_TESTS := $(if $(filter x86_64,$(ARCH)),test_interrupted_counts test_left_rows)

$(PRELOAD_STEP_TESTS:%=$(PRELOAD_UNIT)/%): %: %.o $(PRELOAD_UNIT)/steps.o $(PRELOAD_UNIT)/scratch.o \
		$(filter-out %/kernel_call.o,$(PRELOAD_UNIT_OBJECTS))
	$(SHOW)$(CC) $(CFLAGS) $^ $(PRELOAD_UNIT_LIBS) -o $@

# The store refuses when the test says so.
$(PRELOAD_UNIT)/test_row_growth: $(PRELOAD_UNIT)/test_row_growth.o $(BUILD)/preload/file/rows.o
	$(SHOW)$(CC) $(CFLAGS) $^ $(PRELOAD_UNIT_LIBS) -o $@

# The kernel's records are made ones.
$(PRELOAD_UNIT)/test_switch_records: $(addprefix $(PRELOAD_UNIT)/,test_switch_records.o made_switches.o scratch.o) \
		$(filter-out %/switches.o,$(PRELOAD_UNIT_OBJECTS))
	$(SHOW)$(CC) $(CFLAGS) $^ $(PRELOAD_UNIT_LIBS) -o $@

# The shapes are optimised code without frame pointers, whatever CFLAGS say, and bound lazily. libgcc_s stands before libunwind,
# which would else also throw the exceptions.
$(PRELOAD_UNIT)/unwind_shapes.o $(PRELOAD_UNIT)/unwind_throw.o: CFLAGS := -O2 -g -fomit-frame-pointer

$(PRELOAD_UNIT)/unwind_plugin.so: tests/unit/preload/unwind_plugin.c
	@mkdir -p $(@D)
	$(SHOW)$(CC) -std=gnu11 -O2 -g -fPIC -shared $< -o $@

$(PRELOAD_UNIT)/test_unwind: $(addprefix $(PRELOAD_UNIT)/,test_unwind.o unwind_judge.o unwind_shapes.o unwind_throw.o) \
		$(PRELOAD_UNIT_OBJECTS) | $(PRELOAD_UNIT)/unwind_plugin.so
	$(SHOW)$(CXX) $(CFLAGS) -Wl,-z,lazy $^ -Wl,--no-as-needed -lgcc_s -lunwind $(PRELOAD_UNIT_LIBS) -lm -o $@

# Single steps need x86-64; libunwind is the judge where it is installed.
PRELOAD_HAS_JUDGE := $(and $(filter x86_64,$(ARCH)),$(shell pkg-config --exists libunwind 2>/dev/null && echo yes))
PRELOAD_UNIT_TESTS := $(PRELOAD_MODULE_TESTS) $(PRELOAD_MPI_TESTS:%=$(PRELOAD_UNIT)/%) $(PRELOAD_UNIT)/test_switch_records $(PRELOAD_UNIT)/test_row_growth \
	$(PRELOAD_STEP_TESTS:%=$(PRELOAD_UNIT)/%) $(PRELOAD_OMP_TESTS:%=$(PRELOAD_UNIT)/%) $(if $(PRELOAD_HAS_JUDGE),$(PRELOAD_UNIT)/test_unwind)

TSAN_TESTS := $(addprefix $(PRELOAD_UNIT)/,$(PRELOAD_LOCKFREE_TESTS) test_mpi_request test_mpi_comm test_omp_region)

preload-unit-test-programs: $(PRELOAD_UNIT_TESTS)

tsan-tests: $(TSAN_TESTS)

.PHONY: preload-unit-test-programs tsan-tests
.PRECIOUS: $(PRELOAD_UNIT)/%.o
