# SPDX-License-Identifier: MIT
# The MPI programs of known truth that tests/cases/mpi_*.py use, built for each MPI that is here into
# build/programs/mpi/{openmpi,mpich}/NAME. Included by the Makefile; also works alone, from the repository's root:
# make -f tests/programs/mpi.mk mpi-programs. An MPI without its compiler wrapper is left out, and that is printed.
BUILD ?= build

MPI_C := harm_between harm_fork late_sender late_rank late_roots overlap in_place types vectors neighbours edges persistent windows files \
	communicators many_comms many_windows freed_inside comm_threads member_made zero_elements job_parts pcontrol matched outlived multiple hybrid dying singleton many teams diff_exchange even_ranks stuck_ranks sizes crowded_ranks serial_rank failed_waits jumps halos polls attached interrupted parts
# Calls that only MPI-4 has.
MPI_4_C := large_counts sessions mpi_four
# One source, built once for each of the three Fortran bindings.
MPI_F := traffic_mpifh traffic_use traffic_f08

MPI_SOURCES := tests/programs/mpi
MPI_INTERRUPTED_H := $(addprefix tests/programs/,interrupted.h interrupted_child.h interrupted_tracer.h single_steps.h own_code.h)
# gcc takes MPI_STATUSES_IGNORE and MPI_UNWEIGHTED of MPICH, which are small numbers, for arrays that are too short.
MPI_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Wno-stringop-overflow -Wno-stringop-overread
# Calls of one name with buffers of several types are what mpif.h is made for: gfortran warns of each.
MPI_FFLAGS := -O2 -g -cpp -ffree-line-length-none -fallow-argument-mismatch -w

mpi-programs:
.PHONY: mpi-programs

# $(call mpi_rules,the MPI,its C programs)
define mpi_rules
ifneq ($(shell command -v mpicc.$(1)),)
mpi-programs: $(2:%=$(BUILD)/programs/mpi/$(1)/%)
$(BUILD)/programs/mpi/$(1)/%: $(MPI_SOURCES)/%.c $(MPI_SOURCES)/mpi_truth.h tests/programs/truth.h
	@mkdir -p $$(@D)
	mpicc.$(1) $(MPI_CFLAGS) $$(if $$(filter teams serial_rank,$$(@F)),-fopenmp) -o $$@ $$< -pthread
$(BUILD)/programs/mpi/$(1)/interrupted: $(MPI_INTERRUPTED_H)
else
mpi-programs: mpi-without-$(1)-c
mpi-without-$(1)-c:
	@echo "not built, their cases are skipped: C programs of $(1) (no mpicc.$(1))"
endif
ifneq ($(shell command -v mpifort.$(1)),)
mpi-programs: $(MPI_F:%=$(BUILD)/programs/mpi/$(1)/%)
$(BUILD)/programs/mpi/$(1)/traffic_%: $(MPI_SOURCES)/traffic.F90 $(MPI_SOURCES)/fortran_truth.c $(MPI_SOURCES)/mpi_truth.h
	@mkdir -p $$(@D)/$$*.mod
	mpicc.$(1) $(MPI_CFLAGS) -c -o $$@.o $(MPI_SOURCES)/fortran_truth.c
	mpifort.$(1) $(MPI_FFLAGS) -DBINDING_$$* -J $$(@D)/$$*.mod -o $$@ $$< $$@.o
else
mpi-programs: mpi-without-$(1)-fortran
mpi-without-$(1)-fortran:
	@echo "not built, their cases are skipped: Fortran programs of $(1) (no mpifort.$(1))"
endif
endef
$(eval $(call mpi_rules,openmpi,$(MPI_C)))
$(eval $(call mpi_rules,mpich,$(MPI_C) $(MPI_4_C)))

# A stand-in for MPI, what is linked with it, and a program that loads that beside what is linked with an MPI.
MPI_SERIAL := $(BUILD)/programs/mpi
mpi-programs: $(MPI_SERIAL)/harm_serial $(MPI_SERIAL)/libharm_user.so $(MPI_SERIAL)/harm_both $(MPI_SERIAL)/opened
$(MPI_SERIAL)/libharm_serial.so: $(MPI_SOURCES)/harm_serial.c
	@mkdir -p $(@D)
	$(CC) $(MPI_CFLAGS) -fPIC -shared -DLIBRARY -o $@ $<
$(MPI_SERIAL)/libharm_user.so: $(MPI_SOURCES)/harm_serial.c $(MPI_SERIAL)/libharm_serial.so
	$(CC) $(MPI_CFLAGS) -fPIC -shared -DUSER -o $@ $< -L$(@D) -lharm_serial -Wl,-rpath,'$$ORIGIN'
$(MPI_SERIAL)/harm_serial: $(MPI_SOURCES)/harm_serial.c $(MPI_SERIAL)/libharm_user.so
	$(CC) $(MPI_CFLAGS) -o $@ $< -L$(@D) -lharm_user -lharm_serial -Wl,-rpath,'$$ORIGIN'
$(MPI_SERIAL)/harm_both: $(MPI_SOURCES)/harm_both.c
	@mkdir -p $(@D)
	$(CC) $(MPI_CFLAGS) -o $@ $< -ldl
$(MPI_SERIAL)/opened: $(MPI_SOURCES)/opened.c
	@mkdir -p $(@D)
	$(CC) $(MPI_CFLAGS) -o $@ $< -ldl
$(MPI_SERIAL)/%/libharm_real.so: $(MPI_SOURCES)/harm_both.c $(MPI_SOURCES)/mpi_truth.h tests/programs/truth.h
	@mkdir -p $(@D)
	mpicc.$* $(MPI_CFLAGS) -fPIC -shared -DPLUGIN -o $@ $<
mpi-programs: $(foreach mpi,openmpi mpich,$(if $(shell command -v mpicc.$(mpi)),$(MPI_SERIAL)/$(mpi)/libharm_real.so))
