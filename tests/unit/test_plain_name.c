/* SPDX-License-Identifier: MIT */
#include "analyze/base/plain_name.h"
#include "tests/unit/unit.h"

START_TEST(a_name_or_its_end_is_meant)
{
	ck_assert(plain_name_is("main", "main"));
	ck_assert(plain_name_is("ns::Queue::push", "push"));
	ck_assert(plain_name_is("ns::Queue::push", "Queue::push"));
	ck_assert(plain_name_is("ns::Queue::push", "ns::Queue::push"));
	ck_assert(!plain_name_is("ns::Queue::push", "ush"));
	ck_assert(!plain_name_is("ns::Queue::push", "::push"));
	ck_assert(!plain_name_is("push", "Queue::push"));
	ck_assert(!plain_name_is("main", ""));
	ck_assert(plain_name_is("main::{lambda()#1}::operator()", "operator()"));
	ck_assert(plain_name_is("(anonymous namespace)::f", "f"));
}
END_TEST

START_TEST(template_arguments_may_be_left_out)
{
	ck_assert(plain_name_is("Tm<3, std::vector<int> >::run", "Tm::run"));
	ck_assert(plain_name_is("Tm<3, std::vector<int> >::run", "Tm<4>::run"));
	ck_assert(plain_name_is("Tm<3, std::vector<int> >::run", "run"));
	ck_assert(!plain_name_is("Tm<ns::run>::walk", "run"));
	ck_assert(plain_name_is("gen<int>", "gen"));
	ck_assert(plain_name_is("r2::m::gen::<fn(u64) -> u64>", "gen"));
	ck_assert(plain_name_is("r2::m::gen::<fn(u64) -> u64>", "m::gen"));
	ck_assert(plain_name_is("std::panic::catch_unwind::<i32, fn()>", "catch_unwind"));
}
END_TEST

START_TEST(operators_are_names)
{
	ck_assert(plain_name_is("ns::operator<< <int>", "operator<<"));
	ck_assert(plain_name_is("ns::operator<< <int>", "ns::operator<<"));
	ck_assert(plain_name_is("A::operator<", "operator<"));
	ck_assert(plain_name_is("A::operator->", "operator->"));
	ck_assert(!plain_name_is("A::operator<", "operator"));
	ck_assert(!plain_name_is("A::operator<<", "operator<"));
}
END_TEST

UNIT_MAIN("plain names", a_name_or_its_end_is_meant, template_arguments_may_be_left_out,
	  operators_are_names)
