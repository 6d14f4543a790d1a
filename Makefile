# SPDX-License-Identifier: MIT
# `make demo`, `make check` and `make check-all` set up what they need; `make help` lists the rest.

CC       ?= cc
CXX      ?= c++
PREFIX   ?= /usr/local
DESTDIR  ?=
WERROR   ?=
VERSION  := 0.1.0
# make ARCH=aarch64 on another architecture: a cross-build, into build/aarch64, with Debian's compiler and libraries for it, which
# are fetched if need be. With a CC of one's own nothing is fetched; CFLAGS must then say where its libraries are.
MACHINE  := $(shell uname -m)
CROSS    := $(if $(and $(filter aarch64,$(ARCH)),$(filter-out aarch64,$(MACHINE))),$(ARCH))
BUILD    ?= build$(CROSS:%=/%)
ifneq ($(words $(BUILD))$(findstring :,$(BUILD))$(findstring %,$(BUILD)),1)
$(error BUILD=$(BUILD): make can only build in a directory whose name has no blank, colon or percent sign, and is not empty)
endif
ifeq ($(CROSS):$(origin CC),aarch64:default)
include $(BUILD)/debian/cross.mk
endif
ARCH     := $(or $(shell $(CC) -dumpmachine 2>/dev/null | sed 's/-.*//'),$(MACHINE))
COMPILER := $(shell $(CC) --version 2>/dev/null | head -n 1)
CLANG    := $(findstring clang,$(COMPILER))

CFLAGS   ?= -O2 -g
# One short line per file; make V=1 shows the commands.
SHOW      = $(if $(V),,@echo "   $@" && )
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
# -fms-extensions: a row of the model begins with the columns of its table in merged runs, struct mpi_pair { struct merged_mpi_pairs; }.
C        := -std=gnu11 -fms-extensions -Wno-microsoft-anon-tag -I. $(WARN) $(CPPFLAGS) -DPTRACE_VERSION='"$(VERSION)"' -MMD -MP
# Whatever is installed is bound when it is loaded, and what binding wrote is only read from then on. LDFLAGS come after it.
BOUND    := -Wl,-z,now -Wl,-z,relro

# ---- what stands in programs of both kinds, each function once ----
COMMON   := $(sort $(basename $(wildcard common/*.c)))

# ---- what runs inside the user's program: its rooms are in docs/dev/architecture.md and scripts/check-layers ----
# Of wrap/*_door_ARCH.c there is one for each architecture.
PRELOAD  := $(patsubst preload/%.c,%,$(sort $(filter-out $(wildcard preload/wrap/*_door_*.c),$(wildcard preload/*.c preload/*/*.c)) \
            $(wildcard preload/wrap/*_door_$(ARCH).c)))
# initial-exec: a first touch of thread-local memory never allocates. -fexceptions: cancellation and C++ exceptions pass
# through wrappers. Frame pointers: a wrapper finds its caller's registers (site.h).
PRELOAD_FLAGS := -D_GNU_SOURCE -fPIC -fvisibility=hidden -ftls-model=initial-exec -fexceptions -fno-omit-frame-pointer \
            -fno-plt $(if $(CLANG),-Wframe-larger-than=2048,-Wstack-usage=2048) -Ipreload/arch/$(ARCH)
# The way of a call of MPI or OpenMP leads through all of these, a million times a second: inlined into each other it is a quarter
# shorter. Where compiler and linker cannot do that, they are ordinary objects.
QUICK    := file/rows stacks/unwind stacks/callpath $(addprefix concurrency/,concurrency parallelism level_account section_levels) locks/wait_rate \
            $(addprefix sections/,section_names section_stack section_root) life/section_calls wrap/wrap_section \
            calls/routine_rows calls/routine_stack wrap/wrap_function \
            $(addprefix waits/,stack_memo wait_rows activity settle quick_wait descriptor_call) \
            $(addprefix io/,io_call io_request io_rows) $(addprefix wrap/wrap_io_,read write socket events open) \
            $(addprefix mpi/,mpi_abi mpi_awaited mpi_comm mpi_record mpi_process mpi_thread mpi_message_bytes mpi_tracking mpi_completion \
            mpi_call_record wrap_mpi) \
            $(addprefix openmp/,omp_thread omp_wait omp_team omp_task omp_lock wrap_gomp wrap_gomp_parallel wrap_gomp_task \
            wrap_gomp_taskloop ompt_pool ompt_lock ompt_region ompt_task wrap_ompt wrap_kmpc)
QUICK_LTO := -flto=auto $(if $(CLANG),,-ffat-lto-objects)
QUICK_FLAGS := $(if $(findstring sanitize,$(CFLAGS)),,$(shell echo 'int main(void){return 0;}' | $(CC) $(QUICK_LTO) \
            -x c - -o /dev/null 2>/dev/null && echo $(QUICK_LTO)))
# They have assembler outside functions: symbol versions and names, a routine, files. Link-time optimisation, which distributions
# ask for in CFLAGS, knows no symbol of it, and parts it from what it belongs to.
ASSEMBLER := preload/wrap/wrap_affinity preload/wrap/wrap_cond preload/wrap/wrap_process preload/wrap/wrap_signal preload/wrap/wrap_jump preload/openmp/wrap_omp_lock preload/wrap/syscall_door_$(ARCH) preload/wrap/begin_door_$(ARCH) preload/wrap/section_door_$(ARCH) analyze/page/html_assets
# Bsymbolic-functions: what one wrapper calls of another is ours, and not a function of the program's that has its name.
PRELOAD_LINK := -shared -Wl,--version-script=preload/libptrace.map $(BOUND) -Wl,-z,defs -Wl,-Bsymbolic-functions

# ---- what runs afterwards, or beside it ----
PROGRAM_FLAGS := -fPIE
PROGRAM_LINK := -pie $(BOUND)
ANALYZE_MAINS := $(addprefix analyze/programs/,ptrace_report ptrace_merge ptrace_diff ptrace_export ptrace_top)
# Of analyze/top/top_screen and top_plain there is one, linked with ptrace-top alone.
NCURSES  := $(shell printf '\043include <ncurses.h>\nint main(void){return !initscr();}\n' | $(CC) $(CFLAGS) $(LDFLAGS) -x c - -o /dev/null -lncursesw -ltinfo \
            2>/dev/null && echo -lncursesw -ltinfo)
SCREENS  := analyze/top/top_screen analyze/top/top_plain
SCREEN   := $(if $(NCURSES),analyze/top/top_screen,analyze/top/top_plain)
ANALYZE  := $(filter-out $(ANALYZE_MAINS) $(SCREENS),$(sort $(basename $(wildcard analyze/*/*.c analyze/*/*/*.c)))) $(COMMON)
ANALYZE_LIBS := -Wl,--as-needed -ldw -lelf -ljson-c -l:libiberty.a -lsqlite3 -lz -llzma -lm

# ---- ptrace-run ----
RUN      := $(sort $(basename $(wildcard scripts/run/*.c))) $(COMMON)
# It starts before each program: three libraries less to load are 25 system calls and a fifth of a millisecond less.
RUN_STATIC := -l:libelf.a -l:libz.a -l:libjson-c.a
# Tried when it is linked, and once.
RUN_LIBS = $(eval RUN_LIBS := $(or $(shell printf '\043include <gelf.h>\n\043include <json-c/json.h>\nint main(void){return !elf_begin(0,ELF_C_READ,0)||!json_tokener_parse("");}\n' | \
           $(CC) $(CFLAGS) $(LDFLAGS) -x c - -o /dev/null $(RUN_STATIC) 2>/dev/null && echo $(RUN_STATIC)),-lelf -ljson-c))$(RUN_LIBS)
# ptrace-attach takes of ptrace-run what both use; of arch/ARCH/ there is one for each architecture.
ATTACH   := $(sort $(basename $(wildcard scripts/attach/*.c scripts/attach/arch/$(ARCH)/*.c)))
ATTACH_LIBS := -ldw -lelf -ljson-c -lm
# libpfm4 is loaded when events are asked for, not linked (pfm_library.h).
PRESETS  := $(sort $(wildcard scripts/events/*.events))
BUILT_PRESETS := $(PRESETS:scripts/events/%=$(BUILD)/share/libptrace/events/%)

LIBRARY  := $(BUILD)/lib/libptrace.so
# Links to the library for each value that ld.so puts for $LIB: ptrace-run names it by that, so that musl passes it by. Debian,
# Fedora and openSUSE, Arch, and what the dynamic linker here says of itself; the first is for $LIB that a script made nothing of.
LIB_NAMES := $(sort . lib lib64 lib/$(ARCH)-linux-gnu $(shell for l in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do \
            $$l --list-diagnostics 2>/dev/null | sed -n 's/^dl_dst_lib="\([a-z0-9_/-]*\)"$$/\1/p'; done))
LINKS    := $(BUILD)/lib/libptrace
ANALYZE_PROGRAMS := $(addprefix $(BUILD)/bin/,ptrace-report ptrace-merge ptrace-diff ptrace-export ptrace-top)
PROGRAMS := $(BUILD)/bin/ptrace-run $(BUILD)/bin/ptrace-attach $(ANALYZE_PROGRAMS)

all: $(PROGRAMS) $(LIBRARY) $(LINKS) $(BUILT_PRESETS)

# ---- what the objects were built with: they depend on this file, which is written anew when compiler or flags are others ----
FLAGS_FILE := $(BUILD)/flags
FLAGS_NOW  = $(CC) ($(COMPILER)) $(CFLAGS) $(filter-out $(WARN),$(C)) $(filter-out -W%,$(PRELOAD_FLAGS)) $(QUICK_FLAGS) $(ANALYZE_CFLAGS)
# What was built is installed as it is: sudo knows nothing of the user's flags.
ifneq ($(wildcard $(FLAGS_FILE)) $(MAKECMDGOALS),$(FLAGS_FILE) install)
ifneq ($(strip $(file <$(FLAGS_FILE))),$(strip $(FLAGS_NOW)))
.PHONY: $(FLAGS_FILE)
endif
endif

# One line, instead of one for each file that cannot be written.
need_to_write = mkdir -p $(BUILD) 2>/dev/null && test -w $(BUILD) || \
            { echo "build: cannot write to $(BUILD): make BUILD=DIRECTORY builds elsewhere" >&2; exit 1; }

$(FLAGS_FILE):
	@$(need_to_write)
	@scripts/probe-build $(CC) $(CFLAGS)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' >$@

$(BUILD)/preload/%.o: preload/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) $(PRELOAD_FLAGS) $(ASSEMBLER_FLAGS) -c $< -o $@

$(QUICK:%=$(BUILD)/preload/%.o): PRELOAD_FLAGS += $(QUICK_FLAGS)
# CPPFLAGS of distributions have glibc define read() and its like inline. Here they are defined to be called.
$(BUILD)/preload/wrap/%.o: PRELOAD_FLAGS += -U_FORTIFY_SOURCE
# Two counters in one vector wait for each other's stores.
$(addprefix $(BUILD)/preload/,calls/routine_rows.o calls/routine_stack.o wrap/wrap_function.o): PRELOAD_FLAGS += -fno-tree-slp-vectorize
$(ASSEMBLER:%=$(BUILD)/%.o): ASSEMBLER_FLAGS := -fno-lto
# Where a routine begins all other registers may have arguments (-pg).
$(addprefix $(BUILD)/preload/,calls/routine_begun.o wrap/wrap_begin.o wrap/begin_door_$(ARCH).o): \
	PRELOAD_FLAGS += -mgeneral-regs-only -fno-lto

$(LIBRARY): $(PRELOAD:%=$(BUILD)/preload/%.o) preload/libptrace.map
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(CFLAGS) $(QUICK_FLAGS) $(PRELOAD_LINK) $(LDFLAGS) $(filter %.o,$^) -o $@

# $(call make_links,folder that holds libptrace.so): relative ones, as deep as their folder
make_links = for name in $(LIB_NAMES); do install -d $(1)/libptrace/$$name && \
            ln -sfr $(1)/libptrace.so $(1)/libptrace/$$name/libptrace.so || exit; done

$(LINKS): $(LIBRARY) Makefile
	@$(call make_links,$(BUILD)/lib)
	@touch $@

$(BUILD)/analyze/%.o: analyze/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) $(ANALYZE_CFLAGS) $(PROGRAM_FLAGS) $(ASSEMBLER_FLAGS) -c $< -o $@

# Names that a report keeps for the next one are good as long as the code is the same that finds them.
NAME_SOURCES := $(sort $(wildcard analyze/symbols/*.[ch] analyze/model/common/*.[ch] preload/file/vocabulary.h))
$(BUILD)/analyze/symbols/symbol_module.o: C += -DNAME_RULES='"$(shell cat $(NAME_SOURCES) | sha1sum | cut -c1-16)"'
$(BUILD)/analyze/symbols/symbol_module.o: $(NAME_SOURCES)

# Style and script are taken in by the assembler, which tells no dependencies.
$(BUILD)/analyze/page/html_assets.o: $(wildcard analyze/page/*.css analyze/page/*.js)

# An archive, so that a program takes what it uses.
$(BUILD)/libanalyze.a: $(ANALYZE:%=$(BUILD)/%.o)
	@rm -f $@
	$(SHOW)$(AR) rcs $@ $^

$(BUILD)/bin/ptrace-report: $(BUILD)/analyze/programs/ptrace_report.o
$(BUILD)/bin/ptrace-merge: $(BUILD)/analyze/programs/ptrace_merge.o
$(BUILD)/bin/ptrace-diff: $(BUILD)/analyze/programs/ptrace_diff.o
$(BUILD)/bin/ptrace-export: $(BUILD)/analyze/programs/ptrace_export.o
$(BUILD)/bin/ptrace-top: $(BUILD)/analyze/programs/ptrace_top.o $(BUILD)/$(SCREEN).o
$(BUILD)/bin/ptrace-top: ANALYZE_LIBS += $(NCURSES)
$(ANALYZE_PROGRAMS): $(BUILD)/libanalyze.a
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(CFLAGS) $(PROGRAM_LINK) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(ANALYZE_LIBS) -o $@
	@case "$^" in *top/top_plain.o*) echo "$@: libncurses-dev is missing, so it has --once and --batch alone" ;; esac

$(BUILD)/common/%.o: common/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) $(PROGRAM_FLAGS) -c $< -o $@

$(BUILD)/scripts/%.o: scripts/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(C) $(CFLAGS) $(PROGRAM_FLAGS) -c $< -o $@

# In the build tree; installed it is as scripts/install.mk says.
$(BUILD)/scripts/run/library_path.o: C += -DLIBRARY_FROM_BIN='"../lib"'

$(BUILD)/bin/ptrace-run: $(RUN:%=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(CFLAGS) $(PROGRAM_LINK) $(LDFLAGS) $^ $(RUN_LIBS) -o $@

# An archive, so that it takes what it uses.
$(BUILD)/librun.a: $(filter-out %/main.o,$(RUN:%=$(BUILD)/%.o))
	@rm -f $@
	$(SHOW)$(AR) rcs $@ $^

$(BUILD)/bin/ptrace-attach: $(ATTACH:%=$(BUILD)/%.o) $(BUILD)/librun.a
	@mkdir -p $(@D)
	$(SHOW)$(CC) $(CFLAGS) $(PROGRAM_LINK) $(LDFLAGS) $^ $(ATTACH_LIBS) -o $@

$(BUILD)/share/libptrace/events/%: scripts/events/% | $(FLAGS_FILE)
	@mkdir -p $(@D)
	@cp $< $@

# What a cross-build is made with; make begins anew when it is there. To fetch it again, remove its directory.
%/debian/cross.mk:
	@echo "== fetching Debian's compiler and libraries for aarch64 into $(@D)"
	@scripts/fetch-aarch64 $(@D)

# ---- the README's two commands ----

# By another name, as make -n runs lines that name make itself.
DEMO_MAKE = $(MAKE)

demo:
	@$(need_to_write)
	@MAKE="$(DEMO_MAKE)" BUILD="$(BUILD)" JOBS="$(JOBS)" scripts/demo

# As measured, when what the tests need is installed and built.
CHECK_TIME := six minutes on two processors
REST_TIME := ten minutes

check:
	@$(need_to_write)
	@echo "== make check: $(CHECK_TIME), and two to build; before that, what is missing is installed"
	@$(MAKE) --no-print-directory deps-check
	@$(MAKE) -j$(JOBS) --no-print-directory check-built

# All packages are there before the first case looks for what it needs.
check-all:
	@$(need_to_write)
	@echo "== make check-all: make check, then $(REST_TIME); before that, what is missing is installed"
	@$(MAKE) --no-print-directory deps-check-all
	@$(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory check-rest

# Everything is built first, sanitized or not, so that no processor is free until all of it is done. What asserts no time then runs
# side by side, each part's output in one piece; the cases come last, with the machine for themselves.
check-built: check-programs
	@echo "== tables, unit tests, sanitizers"
	@$(MAKE) --no-print-directory -j$(JOBS) -Otarget check-tables check-units check-asan check-tsan
	@echo "== end-to-end cases"
	@BUILD=$(BUILD) tests/run --quick

# What `make check` leaves out, on what it has built.
check-rest:
	@$(MAKE) -j$(JOBS) --no-print-directory check-programs rest-programs
	@echo "== the other end-to-end cases"
	@BUILD=$(BUILD) tests/run --rest

# Cases of make check on each kind of machine that this one can be (some as root); make check-all has some of them.
check-machines:
	@$(MAKE) -j$(JOBS) --no-print-directory check-programs
	@BUILD=$(BUILD) tests/machines

soak: deps-check-all
	@$(MAKE) -j$(JOBS) --no-print-directory check-programs
	@echo "== long cases"
	@BUILD=$(BUILD) tests/run --soak
	@echo "== the reader of profiles, fuzzed for $(SOAK_SECONDS) s"
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$(SOAK_SECONDS)

# What the README tells newcomers, in a minimal Debian, as root: some minutes, and four builds.
newcomer:
	@BUILD=$(BUILD) tests/newcomer

check-programs: all test-programs mpi-programs openmp-programs causes-programs unit-test-programs-plain preload-unit-test-programs \
	asan-programs tsan-programs

rest-programs: fuzz-programs aarch64-programs

asan-programs:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan CC=$(ASAN_CC) CFLAGS="$(ASAN)" WARN=$(ASAN_WARN) asan-tests

# The same build, which has the objects already.
fuzz-programs: asan-programs
	@$(if $(SANITIZING_CLANG),$(MAKE) --no-print-directory BUILD=$(BUILD)/asan CC=$(ASAN_CC) CFLAGS="$(ASAN)" WARN=$(ASAN_WARN) \
		$(BUILD)/asan/fuzz_profile)

tsan-programs:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan CFLAGS="$(TSAN)" tsan-tests

# What the virtual machine of AArch64 runs, if scripts/install-deps could fetch the compiler for it. There the analyzer reads one
# profile: optimising it would take longer than all that the machine does.
CROSS_BUILD := $(BUILD)/aarch64
aarch64-programs:
	@if [ -e $(CROSS_BUILD)/debian/cross.mk ]; then $(MAKE) --no-print-directory ARCH=aarch64 BUILD=$(CROSS_BUILD) CFLAGS="-O2 -g" ANALYZE_CFLAGS="-O0 -g0" \
		CC=$(abspath $(CROSS_BUILD)/debian/bin/cc) AR=$(abspath $(CROSS_BUILD)/debian/bin/ar) guest-programs; \
	else echo "not built, its cases are skipped: what a virtual machine of AArch64 runs"; fi

check-tables:
	@echo "== layers"
	@scripts/check-layers
	@echo "== cases that run beside others"
	@tests/check_cases
	@echo "== assembler and link-time optimisation"
	@scripts/check-assembler
	@echo "== MPI calls"
	@scripts/check-mpi-calls
	@scripts/check-mpi-bindings
	@echo "== OpenMP calls"
	@scripts/check-gomp-calls
	@echo "== names of libc's calls"
	@BUILD=$(BUILD) scripts/check-aliases
	@echo "== versions of libc's calls"
	@BUILD=$(BUILD) scripts/check-versions
	@echo "== names taken from other libraries"
	@BUILD=$(BUILD) scripts/check-imports

check-units:
	@echo "== unit tests"
	@tests/run-units $(UNIT_TESTS_PLAIN) $(PRELOAD_UNIT_TESTS)

check-asan:
	@echo "== unit tests of the analyzer under ASan and UBSan"
	@tests/run-units $(ASAN_TESTS:$(BUILD)/%=$(BUILD)/asan/%)

check-tsan:
	@echo "== the tables of the preloaded object under TSan"
	@tests/run-units $(TSAN_TESTS:$(BUILD)/%=$(BUILD)/tsan/%)

deps-build:
	@echo "== looking for what building needs"
	@BUILD=$(BUILD) scripts/install-deps build

deps-check deps-check-all: deps-%:
	@echo "== looking for what make $* needs"
	@BUILD=$(BUILD) scripts/install-deps $*

$(BUILD)/example/%: docs/example/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(SHOW)$(CC) -std=gnu11 -O2 -g -Wall -Wextra $< -o $@ -pthread

# ---- tests ----

include tests/programs/programs.mk
include tests/programs/mpi.mk
include tests/programs/openmp.mk
include tests/programs/causes.mk
include tests/unit/unit.mk
include tests/unit/preload/unit.mk
include tests/aarch64/guest.mk

SANITIZING_CLANG := $(shell command -v clang 2>/dev/null)
# What is undefined ends the program as a crash does: an error that is printed and passed over is read by nobody.
SANITIZERS := -g1 -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
COMMA := ,
# Unit tests and the fuzzer have one build, by clang if there is one. It is not optimised: clang compiles it in a third
# of the time (33 s instead of 110 s of a processor), and what runs takes less than that longer. Warnings are those of the build that users get.
ASAN_CC := $(if $(SANITIZING_CLANG),clang,$(CC))
# The test by the fuzzer uses no operands of comparisons (tests/fuzz/check) and no depths of stacks: to trace them is a quarter of its time.
ASAN := $(if $(SANITIZING_CLANG),-O0 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp$(COMMA)stack-depth,-O1) $(SANITIZERS)
ASAN_WARN := -Werror=implicit-function-declaration
FUZZ_SECONDS ?= 600
# Of make soak.
SOAK_SECONDS ?= 900
JOBS ?= $(shell nproc)

# As long as there is time, going on from what earlier runs found; 0 s: the corpus and that, and no mutations.
fuzz:
	$(if $(shell echo '$(FUZZ_SECONDS)' | grep -xE '[0-9]{1,7}'),,$(error FUZZ_SECONDS=$(FUZZ_SECONDS): give seconds as a whole number))
	@if [ -n "$(SANITIZING_CLANG)" ]; then $(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=clang CFLAGS="-O1 -fsanitize=fuzzer-no-link $(SANITIZERS)" \
		WARN=$(ASAN_WARN) $(BUILD)/fuzz/fuzz_profile && mkdir -p $(BUILD)/fuzz/found && $(BUILD)/fuzz/fuzz_profile -max_len=65536 \
		$(if $(subst 0,,$(FUZZ_SECONDS)),-max_total_time=$(FUZZ_SECONDS),-runs=0) \
		-print_final_stats=1 -verbosity=0 -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/found tests/fuzz/corpus; \
	else echo "skipped: clang is not installed"; fi

bench-programs: all $(BUILD)/bench/operations $(BUILD)/example/words $(BUILD)/tests/hot causes-programs mpi-programs $(BUILD)/tests/multiply_profiles

bench: bench-programs
	@tests/bench/run
	@tests/bench/profiles
	@tests/bench/outputs

# DWARF 4, as coz reads no other.
$(BUILD)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(SHOW)$(CC) -std=gnu11 -O2 -gdwarf-4 -Wall -Wextra $< -o $@ -pthread

# ---- the rest ----

include scripts/install.mk

format:
	clang-format -i $(shell git ls-files '*.c' '*.h' '*.cc' ':!docs/example')

clean:
	rm -rf $(BUILD)

help:
	@echo "make demo       sets up, builds, runs an example, prints its report"
	@echo "make check      sets up what tests need, and runs those of each behaviour that are quick ($(CHECK_TIME))"
	@echo "make check-all  sets up what all tests need, and runs make check, and then the others ($(REST_TIME) more)"
	@echo "tests/run NAME  runs the end-to-end cases of a file, or one, on what is built (tests/README)"
	@echo "make check-machines   runs cases as one processor, an ordinary user, without network, ... (tests/machines)"
	@echo "make soak       long forms: a million regions, thousands of runs, fuzzing for $(SOAK_SECONDS) s"
	@echo "make newcomer   tries make demo in a minimal Debian that debootstrap makes, as root"
	@echo "make            builds into $(BUILD)/"
	@echo "make bench      measures the profiler's own cost, beside native runs"
	@echo "make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR), and LIBDIR, MANDIR, DOCDIR (scripts/install.mk); make uninstall"
	@echo "make dist       the source as $(BUILD)/ptrace-$(VERSION).tar.gz"
	@echo "make check-package   builds the Debian package, installs it in a tree of its own, removes it again"
	@echo "make format     clang-format on all sources"
	@echo "make clean"

# Not of builds of their own in there, nor in trees that hold a Debian, or packages of npm.
OTHER_TREES := $(addprefix $(BUILD)/,asan tsan fuzz aarch64 debian newcomer package readers)
-include $(shell find $(BUILD) \( $(OTHER_TREES:%=-path % -o) -false \) -prune -o -name '*.d' -type f -print 2>/dev/null)
.PHONY: all demo bench-programs check check-all newcomer check-built check-rest check-machines check-programs rest-programs check-tables check-units check-asan check-tsan \
	asan-programs tsan-programs fuzz-programs aarch64-programs soak deps-build deps-check deps-check-all fuzz bench format clean help
