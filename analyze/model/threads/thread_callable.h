/* SPDX-License-Identifier: MIT */
/* The callables behind the functions that C++ generates for std::thread and std::function. Context:
 * pure. */
#pragma once

/* "main::{lambda()#1}" of `std::thread::_State_impl<std::thread::_Invoker<std::tuple<
 * main::{lambda()#1}> > >::_M_run`, released by the caller. NULL: the routine is nothing of that
 * kind, or was made for a pointer, or for a class of the library: then the name does not tell. */
char *thread_callable(const char *routine);
