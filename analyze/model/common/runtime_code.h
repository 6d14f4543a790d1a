/* SPDX-License-Identifier: MIT */
/* Code between a user's routine and a wrapped call: C++'s std::mutex, gcc's thread shims, the C
 * library. A report that says "you wait in std::mutex::lock" tells a user nothing. Context:
 * pure. */
#pragma once

#include <stdbool.h>

const char *runtime_base_name(const char *path);
bool runtime_is_profiler(const char *module_path);
/* file may be NULL. */
bool runtime_is_code(const char *module_path, const char *routine, const char *file);
/* Of gcc's or LLVM's OpenMP runtime, or Intel's. */
bool runtime_is_openmp(const char *module_path);
/* Of an MPI library, the libraries below it, or its bindings to Fortran, C++ and Python. */
bool runtime_is_mpi(const char *module_path);
/* Of the C++ bindings, MPI::Comm::Send(), which are inlined into the program. */
bool runtime_is_mpi_binding(const char *routine);
