# SPDX-License-Identifier: MIT
# The realistic programs with one known cause each that tests/cases/causes.py uses, built into
# build/programs/causes/NAME. Included by the Makefile; also works alone, from the repository's root:
# make -f tests/programs/causes.mk causes-programs. Every file of tests/programs/causes is one: .c by $(CC), .cc by
# $(CXX), or as the line `build:` of its head says (openmp: gcc and libgomp; mpi: Open MPI's compiler wrapper; or both
# words). Scripts are run where they are. What has no compiler here is left out, and that is printed.
CC    ?= cc
CXX   ?= c++
BUILD ?= build

CAUSES_SOURCES := tests/programs/causes
CAUSES_C  := $(wildcard $(CAUSES_SOURCES)/*.c)
CAUSES_CC := $(wildcard $(CAUSES_SOURCES)/*.cc)
CAUSES_FLAGS := -O2 -g -Wall -Wextra -pthread

causes-programs:
.PHONY: causes-programs

# $(call causes_built_by,the word,sources): those whose head names it
causes_built_by = $(if $(2),$(shell grep -lE '^ \* build:.*\b$(1)\b' $(2)))
CAUSES_OPENMP := $(call causes_built_by,openmp,$(CAUSES_C) $(CAUSES_CC))
CAUSES_MPI    := $(call causes_built_by,mpi,$(CAUSES_C) $(CAUSES_CC))

# $(call causes_rule,source,compiler,standard,flags)
define causes_rule
ifneq ($(shell command -v $(firstword $(2))),)
causes-programs: $(BUILD)/programs/causes/$(basename $(notdir $(1)))
$(BUILD)/programs/causes/$(basename $(notdir $(1))): $(1)
	@mkdir -p $$(@D)
	$(2) -std=$(3) $(CAUSES_FLAGS) $(4) -o $$@ $$< -lm
else
causes-programs: causes-without-$(basename $(notdir $(1)))
causes-without-$(basename $(notdir $(1))):
	@echo "not built, its case is skipped: $(1) (no $(firstword $(2)))"
endif
endef
causes_openmp_flag = $(if $(filter $(1),$(CAUSES_OPENMP)),-fopenmp)
# libgomp is gcc's. $(call causes_compiler,source,for MPI,for OpenMP,for the rest)
causes_compiler = $(if $(filter $(1),$(CAUSES_MPI)),$(2),$(if $(filter $(1),$(CAUSES_OPENMP)),$(3),$(4)))
causes_of_c  = $(call causes_rule,$(1),$(call causes_compiler,$(1),mpicc.openmpi,gcc,$(CC)),gnu11,$(causes_openmp_flag))
causes_of_cc = $(call causes_rule,$(1),$(call causes_compiler,$(1),mpicxx.openmpi,g++,$(CXX)),gnu++17,$(causes_openmp_flag))
$(foreach source,$(CAUSES_C),$(eval $(call causes_of_c,$(source))))
$(foreach source,$(CAUSES_CC),$(eval $(call causes_of_cc,$(source))))
