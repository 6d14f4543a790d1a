/* SPDX-License-Identifier: MIT */
/* A symbolizer for tests of the code above it: names follow from the address alone, nothing is
 * opened.
 *
 * In the module "program" 0x1000 main, 0x2000 worker, 0x3000 serial, 0x4000 holder, 0x5000 consumer
 * with std::mutex::lock inlined; 0x6000 and 0x7000 what std::thread generates for a lambda and for
 * a pointer, 0x8000 operator(), declared in line 77; from 0x10000 on f_<number> every 0x100. The
 * line is the offset in the routine. From 0xa000 to 0xafff code does nothing but wait. Data: 0x9000
 * queue_lock, from 0x9100 on the critical sections till and desk and the unnamed one. In libc
 * 0xf1000 pthread_mutex_lock, 0xf2000 and 0xf3000 what it calls, 0xf4000 malloc, 0xf5000
 * __pthread_mutex_clocklock_common. What was
 * called in front of a return address from 0xe000 to 0xefff ended in a jump: `jumper`, line 7. */
#include "analyze/symbols/symbol_lack.h"
#include "analyze/symbols/symbolize.h"
#include "analyze/symbols/tail_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWERS_MAX 4096

/* What C++ makes for a thread of its own. */
#define THREAD_OF(callable)                                                                        \
	"std::thread::_State_impl<std::thread::_Invoker<std::tuple<" callable "> > >::_M_run"

struct symbol_module {
	char path[256];
};

struct symbolizer {
	struct symbol_module modules[16];
	size_t module_count;
	struct symbol_place places[ANSWERS_MAX][3];
	char names[ANSWERS_MAX][64];
	size_t answers;
};

/* The functions that are asked know the module only. */
static struct symbolizer fake;

void symbolizer_add_kept(struct symbolizer *symbolizer, const char *directory)
{
	(void)symbolizer;
	(void)directory;
}

struct symbolizer *symbolizer_create(const char *symbols_directory)
{
	(void)symbols_directory;
	fake.module_count = fake.answers = 0;
	return &fake;
}

const char *symbol_module_source(struct symbol_module *module, const char *path)
{
	(void)module;
	(void)path;
	return NULL;
}

const char *symbol_module_path(const struct symbol_module *module)
{
	return module->path;
}

const char *symbol_module_build_id(const struct symbol_module *module)
{
	(void)module;
	return "";
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	(void)symbolizer;
}

struct symbol_module *symbolizer_find_module(struct symbolizer *symbolizer, const char *path,
					     const char *build_id)
{
	(void)build_id;
	for (size_t i = 0; i < symbolizer->module_count; i++)
		if (!strcmp(symbolizer->modules[i].path, path))
			return &symbolizer->modules[i];
	if (symbolizer->module_count == sizeof symbolizer->modules / sizeof *symbolizer->modules)
		return &symbolizer->modules[0];
	struct symbol_module *module = &symbolizer->modules[symbolizer->module_count++];

	snprintf(module->path, sizeof module->path, "%s", path);
	return module;
}

const char *symbol_module_problem(const struct symbol_module *module)
{
	return strstr(module->path, "broken") ? "was changed after the run" : NULL;
}

static const char *name_of(const struct symbol_module *module, uint64_t address, char *buffer,
			   size_t size)
{
	static const char *const names[] = {"start",
					    "main",
					    "worker",
					    "serial",
					    "holder",
					    "consumer",
					    THREAD_OF("main::{lambda()#1}"),
					    THREAD_OF("void (*)(int), int"),
					    "operator()"};
	static const char *const libc_names[] = {
		"syscall", "___pthread_mutex_lock",           "__lll_lock_wait", "futex_wait",
		"malloc",  "__pthread_mutex_clocklock_common"};

	if (strstr(module->path, "libc.so") && address >> 16 == 0xf && (address >> 12 & 0xf) < 6)
		return libc_names[address >> 12 & 0xf];
	if (!strstr(module->path, "program"))
		snprintf(buffer, size, "%s_call",
			 strrchr(module->path, '/') ? strrchr(module->path, '/') + 1 : "some");
	else if (address >> 12 < sizeof names / sizeof *names)
		return names[address >> 12];
	else
		snprintf(buffer, size, "f_%llu", (unsigned long long)(address >> 8));
	return buffer;
}

size_t symbolize_code(struct symbol_module *module, uint64_t address,
		      const struct symbol_place **places)
{
	size_t answer = fake.answers++ % ANSWERS_MAX, count = 0;
	struct symbol_place *place = fake.places[answer];
	bool is_consumer = address >> 12 == 5 && strstr(module->path, "program");

	if (is_consumer) {
		place[count++] = (struct symbol_place){.routine = "__gthread_mutex_lock",
						       .file = "/usr/include/c++/12/gthr.h",
						       .line = 749,
						       .is_inlined = true};
		place[count++] = (struct symbol_place){.routine = "std::mutex::lock()",
						       .file = "/usr/include/c++/12/mutex",
						       .line = 100,
						       .is_inlined = true};
	}
	place[count++] = (struct symbol_place){
		.routine = name_of(module, address, fake.names[answer], sizeof fake.names[answer]),
		.file = strstr(module->path, "program") ? "/src/program.c" : NULL,
		.line = strstr(module->path, "program") ? (unsigned)(address & 0xfff) : 0,
		.begin = strstr(module->path, "program") && address >> 12 == 8 ? 77 : 0,
	};
	*places = place;
	return count;
}

void symbolize_entry(struct symbol_module *module, uint64_t address, struct symbol_place *place)
{
	const struct symbol_place *places;
	size_t count = symbolize_code(module, address, &places);

	*place = places[count - 1];
}

bool symbolize_is_atomic(struct symbol_module *module, uint64_t address)
{
	(void)module;
	(void)address;
	return false;
}

bool symbolize_is_waiting(struct symbol_module *module, uint64_t address)
{
	return strstr(module->path, "program") && address >> 12 == 10;
}

const char *symbolize_data(struct symbol_module *module, uint64_t address)
{
	static const struct {
		uint64_t address;
		const char *name;
	} variables[] = {
		{0x9000, "queue_lock"},
		{0x9100, ".gomp_critical_user_till"},
		{0x9200, ".gomp_critical_user_desk.var"},
		{0x9300, ".gomp_critical_user_.var"},
	};

	(void)module;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (variables[i].address == address)
			return variables[i].name;
	return NULL;
}

const char *symbol_lack_find(struct symbol_module *module)
{
	(void)module;
	return NULL;
}

struct tail_calls {
	int unused;
};

struct tail_calls *tail_calls_create(const struct tail_rules *rules)
{
	static struct tail_calls calls;

	(void)rules;
	return &calls;
}

void tail_calls_destroy(struct tail_calls *calls)
{
	(void)calls;
}

void tail_calls_use(struct tail_calls *calls, struct symbol_module *const *modules, size_t count)
{
	(void)calls, (void)modules, (void)count;
}

const struct tail_frames *tail_calls_between(struct tail_calls *calls, struct symbol_module *caller,
					     uint64_t return_address, struct symbol_module *callee,
					     uint64_t address)
{
	static struct tail_frame jumper = {
		{.routine = "jumper", .file = "/src/program.c", .line = 7}, "/bin/program"};
	static const struct tail_frames one = {&jumper, 1, 1}, none = {NULL, 0, 0};

	(void)calls, (void)callee, (void)address;
	return strstr(caller->path, "program") && return_address >> 12 == 14 ? &one : &none;
}
