# SPDX-License-Identifier: MIT
# `make demo` and `make check` set up what they need; `make help` lists the rest.

CC       ?= cc
CXX      ?= c++
PREFIX   ?= /usr/local
DESTDIR  ?=
BUILD    ?= build
WERROR   ?=
VERSION  := 0.1.0
ARCH     := $(shell $(CC) -dumpmachine | sed 's/-.*//')

CFLAGS   ?= -O2 -g
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
C        := -std=gnu11 -I. $(WARN) -DPTRACE_VERSION='"$(VERSION)"' -MMD -MP

# ---- what runs inside the user's program; by floors, see docs/architecture.md and scripts/check-layers ----
PRELOAD  := schema_text store rows note \
            settings real code_map process_row run_directory program_mask \
            cfi unwind switches \
            callpath objects tally concurrency own_cost \
            thread \
            blame activity sampler \
            lifecycle \
            wrap/wrap_thread wrap/wrap_mutex wrap/wrap_rwlock wrap/wrap_cond wrap/wrap_barrier \
            wrap/wrap_sem wrap/wrap_once wrap/wrap_sleep wrap/wrap_process wrap/wrap_signal \
            preload_start
# initial-exec: a first touch of thread-local memory never allocates. -fexceptions: cancellation and C++ exceptions pass
# through wrappers. Frame pointers: a wrapper finds its caller's registers (site.h).
PRELOAD_FLAGS := -D_GNU_SOURCE -fPIC -fvisibility=hidden -ftls-model=initial-exec -fexceptions -fno-omit-frame-pointer \
            -fno-plt -Wstack-usage=2048 -Ipreload -Ipreload/arch/$(ARCH)
PRELOAD_LINK := -shared -Wl,--version-script=preload/libptrace.map -Wl,-z,now -Wl,-z,defs

# ---- what runs afterwards, or beside it ----
ANALYZE  := $(sort $(basename $(wildcard analyze/*.c analyze/*/*.c)))
ANALYZE_FLAGS := -Ianalyze
ANALYZE_LIBS := -ldw -lelf -ljson-c -l:libiberty.a -lm

# ---- ptrace-run ----
RUN      := $(sort $(basename $(wildcard scripts/run/*.c)))
RUN_LIBS := -lelf -ljson-c

LIBRARY  := $(BUILD)/lib/libptrace.so
PROGRAMS := $(BUILD)/bin/ptrace-run $(BUILD)/bin/ptrace-report

all: $(PROGRAMS) $(LIBRARY)

$(BUILD)/preload/%.o: preload/%.c
	@mkdir -p $(@D)
	$(CC) $(C) $(CFLAGS) $(PRELOAD_FLAGS) -c $< -o $@

$(LIBRARY): $(PRELOAD:%=$(BUILD)/preload/%.o) preload/libptrace.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(PRELOAD_LINK) $(filter %.o,$^) -o $@

$(BUILD)/analyze/%.o: analyze/%.c
	@mkdir -p $(@D)
	$(CC) $(C) $(CFLAGS) $(ANALYZE_FLAGS) -c $< -o $@

$(BUILD)/bin/ptrace-report: $(ANALYZE:%=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ $(ANALYZE_LIBS) -o $@

$(BUILD)/scripts/run/%.o: scripts/run/%.c
	@mkdir -p $(@D)
	$(CC) $(C) $(CFLAGS) -c $< -o $@

$(BUILD)/bin/ptrace-run: $(RUN:%=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ $(RUN_LIBS) -o $@

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all clean
