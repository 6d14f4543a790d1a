/* SPDX-License-Identifier: MIT */
/* Code between a user's routine and a wrapped call: C++'s std::mutex, Rust's std::sync and
 * parking_lot, gcc's thread shims, the C library. A report that says "you wait in std::mutex::lock"
 * tells a user nothing. Context: pure. */
#pragma once

#include <stdbool.h>

const char *runtime_base_name(const char *path);
bool runtime_is_profiler(const char *module_path);
/* file may be NULL. */
bool runtime_is_code(const char *module_path, const char *routine, const char *file);
/* Of gcc's or LLVM's OpenMP runtime, or Intel's. */
bool runtime_is_openmp(const char *module_path);
/* The interpreter CPython, as a program or a library. */
bool runtime_is_python(const char *module_path);
/* By its file: a module of Python's own library between a program and the calls by which its
 * threads and processes wait. */
bool runtime_is_python_library(const char *file);
/* Of an MPI library, the libraries below it, or its bindings to Fortran, C++ and Python. */
bool runtime_is_mpi(const char *module_path);
/* Of the C++ bindings, MPI::Comm::Send(), which are inlined into the program. */
bool runtime_is_mpi_binding(const char *routine);

/* Of a library that jumps to nothing of the program: the C library, C++'s, OpenMP's, MPI's. */
bool runtime_is_system(const char *module_path);
/* By name: of the C library, what computes from its arguments alone. */
bool runtime_is_computing(const char *routine);
/* A call of the C library for a lock, a condition, a barrier, a semaphore, or for a thread's end:
 * what it calls within the library is its own business. */
bool runtime_is_lock_call(const char *module_path, const char *routine);
/* Of the C library. */
bool runtime_is_libc(const char *module_path);
/* By name: of the C library, where it spins or goes to sleep for one of these. */
bool runtime_is_lock_wait(const char *routine);
/* The same, where it wakes those who wait for one. */
bool runtime_is_lock_wake(const char *routine);
/* By linkage name: a call that the profiler records, or one of C++'s library that makes such a call
 * and nothing else. */
bool runtime_is_wrapped(const char *routine);
/* By linkage name: of C++'s library, where a jump to it ends. */
bool runtime_is_dead_end(const char *routine);
