# SPDX-License-Identifier: MIT
# The OpenMP programs of known truth that tests/cases/openmp_*.py use, built for each runtime that is here into
# build/programs/openmp/{gomp,libomp}/NAME: by gcc for libgomp, by clang for libomp. Included by the Makefile; also works
# alone, from the repository's root: make -f tests/programs/openmp.mk openmp-programs. A compiler that is missing, or
# that has no OpenMP, is left out, and that is printed. No flang is needed: the Fortran program on libomp is gfortran's,
# since libomp serves the calls of gcc as well.
BUILD ?= build

OPENMP_C := ramp serial critical schedules nested tasks cancel million oversubscribed mixed forking sections reductions \
	doacross recursive convoy child killed old_calls masters diff_schedule one_works shares bound teams awaited entries barriers parts
# Of one runtime only: old symbol versions; OMPT.
OPENMP_GOMP_C := old_locks
OPENMP_LIBOMP_C := own_tool untied
OPENMP_CXX := exceptions task_data task_bodies
OPENMP_F := ramp_fortran

OPENMP_SOURCES := tests/programs/openmp
OPENMP_HEADERS := $(OPENMP_SOURCES)/omp_truth.h tests/programs/truth.h include/ptrace.h
OPENMP_FLAGS := -O2 -g -Wall -Wextra -fopenmp -pthread
# clang takes the attribute noclone for a mistake, and asks libatomic for what it does not do itself.
OPENMP_CLANG_FLAGS := -fopenmp-version=51 -Wno-unknown-attributes
OPENMP_CLANG_LIBS := -latomic

openmp-programs:
.PHONY: openmp-programs

# Those that build a program with OpenMP, as compiler:language. Does this one? $(call openmp_has,compiler,language)
OPENMP_BUILDERS := $(foreach pair,gcc:c g++:c++ clang:c clang++:c++,$(if $(shell echo | $(subst :, -fopenmp -x ,$(pair)) \
	-fsyntax-only -include omp.h - 2>/dev/null && echo yes),$(pair)))
openmp_has = $(if $(filter $(1):$(2),$(OPENMP_BUILDERS)),yes)
openmp_missing = @echo "not built, their cases are skipped: $(1)"

# $(call openmp_rules,the runtime,the compiler,its files' ending,its standard,its language,the programs,further flags,libraries)
define openmp_rules
ifeq ($(call openmp_has,$(2),$(5)),yes)
openmp-programs: $(6:%=$(BUILD)/programs/openmp/$(1)/%)
$(6:%=$(BUILD)/programs/openmp/$(1)/%): $(BUILD)/programs/openmp/$(1)/%: $(OPENMP_SOURCES)/%.$(3) $(OPENMP_HEADERS)
	@mkdir -p $$(@D)
	$(2) -std=$(4) $(OPENMP_FLAGS) $(7) -o $$@ $$< $(8)
else
openmp-programs: openmp-without-$(1)-$(3)
openmp-without-$(1)-$(3):
	$(call openmp_missing,OpenMP programs in $(5) on $(1) (no $(2) with OpenMP))
endif
endef
$(eval $(call openmp_rules,gomp,gcc,c,gnu11,c,$(OPENMP_C) $(OPENMP_GOMP_C),))
$(eval $(call openmp_rules,gomp,g++,cc,gnu++17,c++,$(OPENMP_CXX),))
$(eval $(call openmp_rules,libomp,clang,c,gnu11,c,$(OPENMP_C) $(OPENMP_LIBOMP_C),$(OPENMP_CLANG_FLAGS),$(OPENMP_CLANG_LIBS)))
$(eval $(call openmp_rules,libomp,clang++,cc,gnu++17,c++,$(OPENMP_CXX),$(OPENMP_CLANG_FLAGS),$(OPENMP_CLANG_LIBS)))

# $(call openmp_fortran_rules,the runtime,what links with it)
define openmp_fortran_rules
openmp-programs: $(OPENMP_F:%=$(BUILD)/programs/openmp/$(1)/%)
$(BUILD)/programs/openmp/$(1)/%_fortran: $(OPENMP_SOURCES)/%_fortran.F90 $(OPENMP_SOURCES)/fortran_truth.c $(OPENMP_HEADERS)
	@mkdir -p $$@.mod
	gcc -std=gnu11 $(OPENMP_FLAGS) -c -o $$@.mod/truth.o $(OPENMP_SOURCES)/fortran_truth.c
	gfortran $(OPENMP_FLAGS) -ffree-line-length-none -J $$@.mod -c -o $$@.mod/program.o $$<
	$(2) -fopenmp -pthread -o $$@ $$@.mod/program.o $$@.mod/truth.o -lgfortran -lm
endef
ifneq ($(shell command -v gfortran),)
$(eval $(call openmp_fortran_rules,gomp,gfortran))
ifeq ($(call openmp_has,clang,c),yes)
$(eval $(call openmp_fortran_rules,libomp,clang))
endif
else
openmp-programs: openmp-without-fortran
openmp-without-fortran:
	$(call openmp_missing,OpenMP programs in Fortran (no gfortran))
endif

# Libraries: what use OpenMP out of sight of the program that loads them; a tool for OMP_TOOL_LIBRARIES.
# $(call openmp_library,the runtime,the compiler,file,source,flags)
define openmp_library
openmp-programs: $(BUILD)/programs/openmp/$(1)/$(3)
$(BUILD)/programs/openmp/$(1)/$(3): $(OPENMP_SOURCES)/$(4)
	@mkdir -p $$(@D)
	$(2) -std=gnu11 -O2 -g -Wall -Wextra -fPIC -shared $(5) -o $$@ $$<
endef
ifeq ($(call openmp_has,gcc,c),yes)
$(eval $(call openmp_library,gomp,gcc,libplugin.so,copies.c,-DPLUGIN -fopenmp))
$(eval $(call openmp_library,gomp,gcc,libearly.so,copies.c,-DPLUGIN -DCONSTRUCTOR -fopenmp))
endif
ifeq ($(call openmp_has,clang,c),yes)
$(eval $(call openmp_library,libomp,clang,libplugin.so,copies.c,-DPLUGIN -fopenmp))
$(eval $(call openmp_library,libomp,clang,libearly.so,copies.c,-DPLUGIN -DCONSTRUCTOR -fopenmp))
$(eval $(call openmp_library,libomp,clang,libtool.so,own_tool.c,-DTOOL_ALONE))
endif
$(eval $(call openmp_library,gomp,gcc,libcounter.so,counter.c,))
# A stand-in for OpenMP's runtime, and what is linked with it.
OPENMP_STUB := $(BUILD)/programs/openmp
openmp-programs: $(OPENMP_STUB)/harm_stub
$(OPENMP_STUB)/libharm_stub.so: $(OPENMP_SOURCES)/harm_stub.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -fPIC -shared -DLIBRARY -o $@ $<
$(OPENMP_STUB)/libharm_user.so: $(OPENMP_SOURCES)/harm_stub.c $(OPENMP_STUB)/libharm_stub.so
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -fPIC -shared -DUSER -o $@ $< -L$(@D) -lharm_stub -Wl,-rpath,'$$ORIGIN'
$(OPENMP_STUB)/harm_stub: $(OPENMP_SOURCES)/harm_stub.c $(OPENMP_STUB)/libharm_user.so
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -o $@ $< -L$(@D) -lharm_user -lharm_stub -Wl,-rpath,'$$ORIGIN'
# What plays a runtime that tells of regions by OMPT.
openmp-programs: $(OPENMP_STUB)/harm/events
$(OPENMP_STUB)/harm/events: $(OPENMP_SOURCES)/harm_events.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -o $@ $< -pthread -ldl
# A runtime that forks, and its program.
openmp-programs: $(OPENMP_STUB)/harm/fork
$(OPENMP_STUB)/harm/libfork.so: $(OPENMP_SOURCES)/harm_fork.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -fPIC -shared -DLIBRARY -o $@ $<
$(OPENMP_STUB)/harm/fork: $(OPENMP_SOURCES)/harm_fork.c $(OPENMP_STUB)/harm/libfork.so
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -o $@ $< -L$(@D) -lfork -Wl,-rpath,'$$ORIGIN'
ifeq ($(call openmp_has,clang,c),yes)
openmp-programs: $(OPENMP_STUB)/harm/control $(OPENMP_STUB)/harm/first
$(OPENMP_STUB)/harm/%: $(OPENMP_SOURCES)/harm_%.c
	@mkdir -p $(@D)
	clang -std=gnu11 $(OPENMP_FLAGS) $(OPENMP_CLANG_FLAGS) -o $@ $< -pthread
endif
openmp-programs: $(BUILD)/programs/openmp/copies
$(BUILD)/programs/openmp/copies: $(OPENMP_SOURCES)/copies.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Wno-unknown-pragmas -o $@ $< -ldl
ifeq ($(call openmp_has,gcc,c),yes)
openmp-programs: $(BUILD)/programs/openmp/copies_gomp
$(BUILD)/programs/openmp/copies_gomp: $(OPENMP_SOURCES)/copies.c
	@mkdir -p $(@D)
	gcc -std=gnu11 -O2 -g -Wall -Wextra -fopenmp -o $@ $< -ldl
endif

# With a sanitizer, where it links: $(call openmp_sanitized,the runtime,the compiler,program,source,sanitizer,flags,libraries)
define openmp_sanitized
openmp-programs: $(BUILD)/programs/openmp/$(1)/$(3)
$(BUILD)/programs/openmp/$(1)/$(3): $(OPENMP_SOURCES)/$(4) $(OPENMP_HEADERS)
	@mkdir -p $$(@D)
	@$(2) -std=gnu11 $(OPENMP_FLAGS) -fsanitize=$(5) $(6) -o $$@ $$< $(7) 2>/dev/null || echo "not built, its cases are skipped: $(1)/$(3)"
endef
$(eval $(call openmp_sanitized,gomp,gcc,tasks_asan,tasks.c,address))
$(eval $(call openmp_sanitized,libomp,clang,tasks_asan,tasks.c,address,$(OPENMP_CLANG_FLAGS),$(OPENMP_CLANG_LIBS)))
$(eval $(call openmp_sanitized,libomp,clang,critical_tsan,critical.c,thread,$(OPENMP_CLANG_FLAGS),$(OPENMP_CLANG_LIBS)))
