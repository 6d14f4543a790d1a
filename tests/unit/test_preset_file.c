/* SPDX-License-Identifier: MIT */
/* Files of presets: what is taken from them, and what is said of wrong ones. */
#include "scripts/run/preset_file.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct preset preset;
static char error[500];
static char path[] = "/tmp/test_preset_file.XXXXXX";

/* Reads it for a machine with these PMUs. */
static bool read_text(const char *text, size_t length, const char *const *pmus, int count)
{
	strcpy(strrchr(path, '.'), ".XXXXXX");
	int file = mkstemp(path);

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, text, length), (ssize_t)length);
	close(file);
	*error = '\0';
	bool is_good = preset_read(path, pmus, count, &preset, error, sizeof error);
	unlink(path);
	return is_good;
}

static void read_good(const char *text, const char *pmu)
{
	ck_assert_msg(read_text(text, strlen(text), &pmu, 1), "%s", error);
}

#define WHOLE                                                                                      \
	"# comment ; | with what is forbidden elsewhere\n"                                         \
	"description  Of a kind. \r\n"                                                             \
	"\n"                                                                                       \
	"[skl icl*]\n"                                                                             \
	"\tevent  INST_RETIRED:ANY  as  retired\n"                                                 \
	"event cycles\n"                                                                           \
	"metric my IPC [per cycle] = retired / cycles\n"                                           \
	"metric bare=1\n"                                                                          \
	"[ any ]\n"                                                                                \
	"event instructions"

START_TEST(the_first_section_that_fits)
{
	read_good(WHOLE, "icl_x");
	ck_assert(preset.has_section);
	ck_assert_str_eq(preset.section, "skl icl*");
	ck_assert_str_eq(preset.description, "Of a kind.");
	ck_assert_int_eq(preset.event_count, 2);
	ck_assert_str_eq(preset.events[0].name, "INST_RETIRED:ANY");
	ck_assert_str_eq(preset.events[0].called, "retired");
	ck_assert_int_eq(preset.events[0].line, 5);
	ck_assert_str_eq(preset.events[1].called, "cycles");
	ck_assert_int_eq(preset.metric_count, 2);
	ck_assert_str_eq(preset.metrics[0].name, "my IPC");
	ck_assert_str_eq(preset.metrics[0].unit, "per cycle");
	ck_assert_str_eq(preset.metrics[0].text, "retired / cycles");
	ck_assert_int_eq(preset.metrics[0].formula.count, 3);
	ck_assert_str_eq(preset.metrics[1].name, "bare");
	ck_assert_str_eq(preset.metrics[1].unit, "");

	read_good(WHOLE, "amd64_fam19h_zen3");
	ck_assert_str_eq(preset.section, "any");
	ck_assert_str_eq(preset.description, "Of a kind.");
	ck_assert_str_eq(preset.events[0].name, "instructions");
	ck_assert_int_eq(preset.metric_count, 0);
}
END_TEST

START_TEST(no_section_fits)
{
	read_good("description D\n[skl]\nevent cycles\n", "zen");
	ck_assert(!preset.has_section);
	ck_assert_int_eq(preset.event_count, 0);
	ck_assert(read_text("description D\n[any]\nevent cycles\n", 33, NULL, 0));
	ck_assert(preset.has_section);
}
END_TEST

#define HEAD "description D\n[any]\nevent cycles\n"

START_TEST(errors_name_the_line)
{
	static const struct {
		const char *text;
		int line;
		const char *said;
	} cases[] = {
		{"", 0, "there is no section"},
		{"description D\n", 1, "there is no section: write [any]"},
		{"[any]\nevent cycles\n", 2, "a description is missing"},
		{"description\n", 1, "the description is missing"},
		{HEAD "description E\n", 4, "the description stands above"},
		{"event cycles\n", 1, "no section is begun"},
		{"metric a = 1\n", 1, "no section is begun"},
		{"[any\n", 1, "a section is written [PMU PMU...]"},
		{"[]\n", 1, "name of a PMU, or any, is missing"},
		{"[any]\n[skl]\n", 2, "section [any] has no event"},
		{"description D\n[any]\n", 2, "section [any] has no event"},
		{HEAD "events cycles\n", 4, "'events' is none of description"},
		{HEAD "event\n", 4, "name of the event is missing"},
		{HEAD "event a b\n", 4, "an event is written 'event NAME'"},
		{HEAD "event a as\n", 4, "an event is written 'event NAME'"},
		{HEAD "event a as 1x\n", 4, "'1x' cannot be used in formulas"},
		{HEAD "event a as b c\n", 4, "'b c' cannot be used in formulas"},
		{HEAD "event a as cpu_seconds\n", 4, "cannot be used in formulas"},
		{HEAD "event a as cycles\n", 4, "event cycles stands in line 3 already"},
		{HEAD "event cycles\n", 4, "event cycles stands in line 3 already"},
		{HEAD "event a@100\n", 4, "a preset only counts"},
		{HEAD "event {a,b}\n", 4, "a preset only counts"},
		{HEAD "metric IPC\n", 4, "a metric is written"},
		{HEAD "metric = cycles\n", 4, "the name of the metric is missing"},
		{HEAD "metric a =\n", 4, "the formula is missing"},
		{HEAD "metric a [u = cycles\n", 4, "the unit is written [UNIT]"},
		{HEAD "metric a [u] x = cycles\n", 4, "the unit is written [UNIT]"},
		{HEAD "metric a [] = cycles\n", 4, "the unit is missing"},
		{HEAD "metric a = 2 * cycle\n", 4,
		 "formula of a, column 5: 'cycle' is no event above in this section: did you mean "
		 "cycles?"},
		{HEAD "metric a = b\nevent b\n", 4, "'b' is no event above"},
		{HEAD "metric a|b = 1\n", 4, "'|' may not be used"},
		{HEAD "metric a = 1; 2\n", 4, "';' may not be used"},
		{HEAD "event a\001\n", 4, "a control character may not be used"},
		/* also in sections of other processors */
		{HEAD "[skl]\nevent a\nmetric x = 1 +\n", 6,
		 "formula of x, column 4: a value is missing"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char place[100];

		ck_assert_msg(!read_text(cases[i].text, strlen(cases[i].text), NULL, 0),
			      "%s was taken", cases[i].text);
		snprintf(place, sizeof place, "%s:%d: ", path, cases[i].line);
		ck_assert_msg(strncmp(error, place, strlen(place)) == 0, "%s: %s", cases[i].text,
			      error);
		ck_assert_msg(strstr(error, cases[i].said) != NULL, "%s: %s", cases[i].text, error);
	}
}
END_TEST

START_TEST(what_is_no_text)
{
	char text[] = "description D\n[any]\nevent a\0b\n", huge[20000];
	const size_t head = sizeof HEAD - 1;

	ck_assert(!read_text(text, sizeof text - 1, NULL, 0));
	ck_assert_ptr_nonnull(strstr(error, ":3: the line contains a zero byte"));
	memset(huge, 'x', sizeof huge);
	memcpy(huge, HEAD "event ", head + 6);
	ck_assert(!read_text(huge, sizeof huge, NULL, 0));
	ck_assert_ptr_nonnull(strstr(error, ":4: the name of the event is longer than 127"));
	memset(huge, '\n', sizeof huge);
	memcpy(huge, HEAD, head);
	ck_assert(!read_text(huge, sizeof huge, NULL, 0));
	ck_assert_ptr_nonnull(strstr(error, "at most 10000 lines"));
}
END_TEST

START_TEST(too_much)
{
	char text[10000] = HEAD;

	for (int i = 0; i < PRESET_EVENTS_MAX; i++)
		sprintf(text + strlen(text), "event e%d\n", i);
	ck_assert(!read_text(text, strlen(text), NULL, 0));
	ck_assert_ptr_nonnull(strstr(error, ":27: a section has at most 24 events"));
	strcpy(text, HEAD);
	for (int i = 0; i <= PRESET_METRICS_MAX; i++)
		sprintf(text + strlen(text), "metric m%d = 1\n", i);
	ck_assert(!read_text(text, strlen(text), NULL, 0));
	ck_assert_ptr_nonnull(strstr(error, ":20: a section has at most 16 metrics"));
}
END_TEST

/* The same each time: a few bytes of a good file are replaced, removed or repeated. */
START_TEST(damaged_files)
{
	unsigned state = 1, taken = 0;

	for (int i = 0; i < 3000; i++) {
		char text[2 * sizeof WHOLE] = WHOLE;
		size_t length = sizeof WHOLE - 1;

		for (int j = 0; j < 1 + i % 4; j++) {
			state = state * 1103515245 + 12345;
			size_t at = (state >> 8) % length, size = 1 + (state >> 24) % 8;

			if (size > length - at)
				size = length - at;
			if (state >> 30 == 0) {
				memmove(text + at, text + at + size, length - at - size);
				length -= size;
			} else if (state >> 30 == 1) {
				memmove(text + at + size, text + at, length - at);
				length += size;
			} else {
				text[at] = (char)(state >> 16);
			}
		}
		bool is_good = read_text(text, length, NULL, 0);
		ck_assert_int_eq(is_good, !*error);
		taken += is_good;
	}
	ck_assert_int_gt(taken, 100);
	ck_assert_int_lt(taken, 2900);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	ck_assert(!preset_read("/nowhere/x.events", NULL, 0, &preset, error, sizeof error));
	ck_assert_str_eq(error,
			 "cannot read the preset /nowhere/x.events: No such file or directory");
	ck_assert(!preset_read("/tmp", NULL, 0, &preset, error, sizeof error));
	ck_assert_str_eq(error, "cannot read the preset /tmp: it is no regular file");
	strcpy(strrchr(path, '.'), ".pipe__"); /* nobody writes into it */
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert(!preset_read(path, NULL, 0, &preset, error, sizeof error));
	unlink(path);
}
END_TEST

UNIT_MAIN("preset file", the_first_section_that_fits, no_section_fits, errors_name_the_line,
	  what_is_no_text, too_much, damaged_files, files_that_cannot_be_read)
