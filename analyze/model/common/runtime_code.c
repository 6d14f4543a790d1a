/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/runtime_code.h"

#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool begins_with(const char *text, const char *stem)
{
	return !strncmp(text, stem, strlen(stem));
}

static bool begins_with_any(const char *text, const char *const *stems, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (begins_with(text, stems[i]))
			return true;
	return false;
}

const char *runtime_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool runtime_is_profiler(const char *module_path)
{
	return begins_with(runtime_base_name(module_path), "libptrace.so");
}

static bool is_runtime_module(const char *path)
{
	static const char *const stems[] = {"libptrace.so",  "libc.so",      "libc-2.",
					    "libpthread",    "libstdc++.so", "libc++.so.",
					    "libc++abi.so.", "ld-linux",     "libgcc_s.so"};

	return begins_with_any(runtime_base_name(path), stems, COUNT(stems)) ||
	       runtime_is_openmp(path);
}

bool runtime_is_openmp(const char *module_path)
{
	static const char *const stems[] = {"libgomp.so", "libomp.so", "libomp5.so", "libiomp5.so"};

	return begins_with_any(runtime_base_name(module_path), stems, COUNT(stems));
}

bool runtime_is_python(const char *module_path)
{
	static const char *const stems[] = {"python3", "libpython3"};

	return begins_with_any(runtime_base_name(module_path), stems, COUNT(stems));
}

/* "/usr/lib/python3.11/queue.py"; modules that are part of the interpreter are "<frozen ...>". */
bool runtime_is_python_library(const char *file)
{
	static const char *const modules[] = {
		"threading.py", "queue.py",  "concurrent/", "multiprocessing/", "asyncio/",
		"selectors.py", "socket.py", "ssl.py",      "subprocess.py",    "_weakrefset.py",
	};
	static const char folder[] = "/lib/python3.";
	const char *library = strstr(file, folder);

	if (!library)
		return begins_with(file, "<frozen ");
	library = strchr(library + sizeof folder - 1, '/');
	return library && begins_with_any(library + 1, modules, COUNT(modules));
}

/* The library, the libraries below it, and its bindings to other languages. */
bool runtime_is_mpi(const char *module_path)
{
	static const char *const stems[] = {"libmpi", "libopen-",  "libpmi",   "libprrte",
					    "mca_",   "libucp",    "libuct",   "libucs",
					    "libucm", "libfabric", "libevent", "libpsm"};
	const char *base = runtime_base_name(module_path);

	return begins_with_any(base, stems, COUNT(stems)) ||
	       (begins_with(base, "MPI.") && strstr(module_path, "/mpi4py/"));
}

/* The result of a function type of Rust's: "fn() -> i32". */
static bool is_arrow(const char *text, const char *at)
{
	return at > text && at[-1] == '-';
}

/* The qualified name follows the return type, if there is one: it begins after the last blank
 * outside of brackets. "operator new" and "{lambda()#1}" contain blanks as well, but never before
 * the first name. */
static const char *qualified_name(const char *routine)
{
	const char *start = routine;
	int depth = 0;

	for (const char *at = routine; *at && !(*at == '(' && !depth); at++) {
		if (*at == '<' || *at == '{' || *at == '[')
			depth++;
		else if (*at == '}' || *at == ']' || (*at == '>' && !is_arrow(routine, at)))
			depth--;
		else if (*at == ' ' && !depth && at[1] && !begins_with(at + 1, "const"))
			start = at + 1;
		if (begins_with(at, "operator"))
			break;
	}
	return start;
}

bool runtime_is_mpi_binding(const char *routine)
{
	return begins_with(qualified_name(routine), "MPI::");
}

/* "<std::sync::Mutex<T>>::lock" and "<&alloc::sync::Arc<T> as core::ops::Deref>::deref" are methods
 * of the type that comes first: whose it is tells whose they are. */
static const char *without_brackets(const char *name)
{
	while (*name == '<' || *name == '&')
		name++;
	return name;
}

/* Of Rust's core and alloc only modules that lie between a program and its locks, and those that
 * call what is passed to them: a namespace of a C++ program may be called core. */
static bool is_runtime_routine(const char *routine)
{
	static const char *const stems[] = {
		"std::",          "__gnu_cxx::",        "__gthread",      "__gthrw_",
		"core::cell::",   "core::iter::",       "core::ops::",    "core::option::Option<",
		"core::panic",    "core::ptr::",        "core::result::", "core::sync::atomic::",
		"alloc::boxed::", "alloc::collections", "alloc::rc::",    "alloc::sync::",
		"alloc::vec::",   "lock_api::",         "parking_lot::",  "parking_lot_core::",
		"__rust_try",
	};

	/* crt1.o, in every program */
	return !strcmp(routine, "_start") ||
	       begins_with_any(without_brackets(qualified_name(routine)), stems, COUNT(stems));
}

/* Headers of C++'s library, and the source of Rust's, wherever it was built. */
static bool is_runtime_file(const char *file)
{
	static const char *const parts[] = {"/include/c++/", "/library/std/src/",
					    "/library/core/src/", "/library/alloc/src/"};

	for (size_t i = 0; i < COUNT(parts); i++)
		if (strstr(file, parts[i]))
			return true;
	return begins_with(file, "include/c++/");
}

bool runtime_is_code(const char *module_path, const char *routine, const char *file)
{
	return is_runtime_module(module_path) || is_runtime_routine(routine) ||
	       (file && is_runtime_file(file));
}

bool runtime_is_system(const char *module_path)
{
	return is_runtime_module(module_path) || runtime_is_mpi(module_path);
}

bool runtime_is_computing(const char *routine)
{
	static const char *const stems[] = {"mem", "str"};

	return begins_with_any(routine + strspn(routine, "_"), stems, COUNT(stems));
}

bool runtime_is_libc(const char *module_path)
{
	static const char *const stems[] = {"libc.so", "libc-2.", "libpthread"};

	return begins_with_any(runtime_base_name(module_path), stems, COUNT(stems));
}

bool runtime_is_lock_call(const char *module_path, const char *routine)
{
	static const char *const stems[] = {
		"pthread_mutex_",
		"pthread_rwlock_",
		"pthread_cond_",
		"pthread_barrier_",
		"pthread_join",
		"pthread_spin_",
		"pthread_timedjoin",
		"pthread_clockjoin",
		"sem_",
		"mtx_",
		"cnd_",
	};
	const char *name = routine + strspn(routine, "_");

	if (begins_with(name, "new_sem_"))
		name += strlen("new_");
	return runtime_is_libc(module_path) && begins_with_any(name, stems, COUNT(stems));
}

bool runtime_is_lock_wait(const char *routine)
{
	static const char *const stems[] = {"pthread_spin_lock", "futex_wait", "__lll_lock_wait",
					    "__futex_abstimed_wait"};

	return begins_with_any(routine, stems, COUNT(stems));
}

bool runtime_is_lock_wake(const char *routine)
{
	static const char *const stems[] = {"futex_wake", "__lll_lock_wake"};

	return begins_with_any(routine, stems, COUNT(stems));
}

/* Begins of the names of calls that the profiler records, and of those of C++'s library around
 * them. Some more have such a name; to say the same of these does no harm: what called one of them
 * by a jump is on the way to each of them. */
bool runtime_is_wrapped(const char *routine)
{
	static const char *const stems[] = {"pthread_",
					    "sem_",
					    "mtx_",
					    "cnd_",
					    "thrd_",
					    "call_once",
					    "sched_yield",
					    "nanosleep",
					    "clock_nanosleep",
					    "usleep",
					    "sleep",
					    "wait",
					    "sigwait",
					    "sigtimedwait",
					    "fork",
					    "exec",
					    "posix_spawn",
					    "system",
					    "pclose",
					    "popen",
					    "GOMP_",
					    "GOACC_",
					    "omp_",
					    "__kmpc_",
					    "syscall",
					    "MPI_",
					    "PMPI_",
					    "mpi_",
					    "_ZNSt18condition_variable",
					    "_ZNSt6thread",
					    "_ZNSt3__118condition_variable",
					    "_ZNSt3__16thread",
					    "_ZNSt3__15mutex",
					    "_ZNSt3__115recursive_mutex",
					    "_ZNSt3__111timed_mutex"};

	if (begins_with(routine, "__gthrw_"))
		routine += strlen("__gthrw_");
	return begins_with_any(routine, stems, COUNT(stems));
}

bool runtime_is_dead_end(const char *routine)
{
	/* operator delete and new, and exceptions. Not namespace std: its classes call virtual
	 * functions of the program. */
	static const char *const stems[] = {"_Zdl", "_Zda", "_Znw", "_Zna", "__cxa_", "_Unwind_"};

	return begins_with_any(routine, stems, COUNT(stems));
}
