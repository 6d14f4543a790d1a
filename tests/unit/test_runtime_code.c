/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/runtime_code.h"
#include "tests/unit/unit.h"

#include <stddef.h>

START_TEST(the_users_code_is_not_runtime)
{
	ck_assert(!runtime_is_code("/x/program", "main", "/src/a.c"));
	ck_assert(!runtime_is_code("/x/program", "queue<std::string>::push(std::string const&)",
				   "/src/q.h"));
	ck_assert(!runtime_is_code("/x/program", "int take<std::mutex>(std::mutex&)", NULL));
	ck_assert(!runtime_is_code("/x/program", "main::{lambda()#1}::operator()() const", NULL));
	ck_assert(!runtime_is_code("/x/libcurl.so.4", "libcurl.so.4+0x10", NULL));
	ck_assert(!runtime_is_code("/x/program", "stdout_write", NULL));
	ck_assert(!runtime_is_code("/x/program", "_start_all", NULL));
}
END_TEST

START_TEST(libraries_that_implement_locks_are_runtime)
{
	ck_assert(runtime_is_code("/lib/libc.so.6", "pthread_mutex_lock", NULL));
	ck_assert(runtime_is_code("/lib/libstdc++.so.6.0.30", "libstdc++.so.6.0.30+0x12", NULL));
	ck_assert(runtime_is_code("/opt/libptrace.so", "wrap", NULL));
	ck_assert(runtime_is_code("/lib/libgomp.so.1.0.0", "GOMP_parallel", NULL));
	ck_assert(runtime_is_openmp("/usr/lib/llvm-14/lib/libomp.so.5"));
	ck_assert(!runtime_is_openmp("/x/libomplib.so"));
	ck_assert(runtime_is_code("/x/program", "std::mutex::lock()",
				  "/usr/include/c++/12/bits/std_mutex.h"));
	ck_assert(runtime_is_code("/x/program", "void std::__invoke_impl<void, f>(f&&)", NULL));
	ck_assert(runtime_is_code("/x/program", "__gthread_mutex_lock", NULL));
	ck_assert(runtime_is_code("/x/program", "_start", NULL));
	ck_assert(runtime_is_code(
		"/x/program", "lock",
		"/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex"));
}
END_TEST

START_TEST(rusts_library_is_runtime)
{
	ck_assert(runtime_is_code("/x/program",
				  "<std::sys::sync::mutex::futex::Mutex>::lock_contended", NULL));
	ck_assert(runtime_is_code("/x/program", "<&alloc::sync::Arc<T> as core::ops::Deref>::deref",
				  NULL));
	ck_assert(runtime_is_code("/x/program", "parking_lot_core::parking_lot::park", NULL));
	ck_assert(runtime_is_code("/x/program",
				  "core::ops::function::FnOnce::call_once<fn() -> i32, ()>", NULL));
	ck_assert(runtime_is_code("/x/program", "call_once",
				  "/rustc/59807616e/library/core/src/ops/function.rs"));
	ck_assert(!runtime_is_code("/x/program", "<app::Queue as core::ops::drop::Drop>::drop",
				   "/src/app/library/queue.rs"));
	ck_assert(!runtime_is_code("/x/program", "app::run::<fn() -> std::string::String>", NULL));
	/* C++ */
	ck_assert(!runtime_is_code("/x/program", "core::engine::lock()", NULL));
	ck_assert(!runtime_is_code("/x/program", "queue::operator->() const", NULL));
}
END_TEST

START_TEST(the_profiler_is_known_by_its_library)
{
	ck_assert(runtime_is_profiler("/usr/local/lib/libptrace.so"));
	ck_assert(!runtime_is_profiler("/usr/local/lib/libptrace2.so"));
	ck_assert_str_eq(runtime_base_name("/a/b"), "b");
	ck_assert_str_eq(runtime_base_name("b"), "b");
}
END_TEST

START_TEST(bindings_of_mpi_are_not_the_users_code)
{
	ck_assert(runtime_is_mpi("/usr/lib/libmpi_cxx.so.40"));
	ck_assert(runtime_is_mpi("/usr/lib/python3/dist-packages/mpi4py/MPI.cpython-311.so"));
	ck_assert(!runtime_is_mpi("/usr/lib/python3/dist-packages/other/MPI.cpython-311.so"));
	ck_assert(!runtime_is_mpi("/x/program"));
	ck_assert(runtime_is_mpi_binding("MPI::Comm::Send(void const*, int) const"));
	ck_assert(!runtime_is_mpi_binding("user::MPI::send()"));
	ck_assert(!runtime_is_mpi_binding("MPI_Send"));
}
END_TEST

UNIT_MAIN("runtime_code", the_users_code_is_not_runtime, libraries_that_implement_locks_are_runtime,
	  rusts_library_is_runtime, the_profiler_is_known_by_its_library,
	  bindings_of_mpi_are_not_the_users_code)
