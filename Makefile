# SPDX-License-Identifier: MIT
# make demo and make check set up what they need; make help lists the rest.

CC       ?= cc
PREFIX   ?= /usr/local
DESTDIR  ?=
BUILD    ?= build
WERROR   ?=
VERSION  := 0.1.0

WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
CFLAGS   ?= -O2 -g
C        := -std=gnu11 $(WARN) -fvisibility=hidden -DPTRACE_VERSION='"$(VERSION)"' -MMD -MP

# What runs inside the user's program. A file includes only headers of its own floor or below (scripts/check-layers).
PRELOAD  :=
# Initial-exec TLS: a first touch never allocates. -fexceptions: cancellation and C++ exceptions pass through wrappers.
PRELOAD_FLAGS := -fPIC -ftls-model=initial-exec -fexceptions -fno-omit-frame-pointer -fno-plt -Wstack-usage=2048

# What runs afterwards, or beside it.
ANALYZE  :=
SYMBOLIZE :=
ANALYZE_LIBS := -ldw -lelf -l:libiberty.a

# ptrace-run.
RUN      :=

PROGRAMS := $(BUILD)/bin/ptrace-run $(BUILD)/bin/ptrace-report

all: $(PROGRAMS) $(BUILD)/lib/libptrace.so

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d)
.PHONY: all
