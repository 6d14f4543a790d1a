# SPDX-License-Identifier: MIT
# What a virtual machine of AArch64 runs (tests/cases/aarch64.py). Included by the Makefile; to be made with ARCH=aarch64.
#   guest-programs    the profiler, a reader, programs of known truth, and unit tests of preload/ that depend on the architecture

GUEST_PROGRAMS := counts holder harm_sandbox counted instrumented_pg futexes
GUEST_UNIT_TESTS := $(addprefix $(PRELOAD_UNIT)/,test_unwind_handler test_unwind_look test_stack_memo test_module_map test_mutex_word \
	test_rows test_store test_descriptors test_tsc_clock test_direct)

# An emulated processor computes for a shorter time.
TEST_FLAGS_harm_sandbox += $(if $(CROSS),-DLOOPS=1000000)

# Routines sign their return addresses.
$(PRELOAD_UNIT)/test_unwind_handler.o $(PRELOAD_UNIT)/test_unwind_look.o: CFLAGS += $(if $(filter aarch64,$(ARCH)),-mbranch-protection=standard)

$(BUILD)/tests/guest_init: tests/aarch64/guest_init.c
	@mkdir -p $(@D)
	$(SHOW)$(CC) -std=gnu11 -O2 -g -Wall -Wextra -static -D_GNU_SOURCE $< -o $@

guest-programs: $(BUILT_PRESETS) $(LINKS) $(BUILD)/bin/ptrace-run $(BUILD)/bin/ptrace-report $(BUILD)/tests/guest_init $(GUEST_PROGRAMS:%=$(BUILD)/tests/%) $(GUEST_UNIT_TESTS)

.PHONY: guest-programs
