/* SPDX-License-Identifier: MIT */
/* Debugging information that is there, and cannot be read. Without it, lines or inlined routines
 * are not known, which nobody would notice by looking. Context: after addresses were looked up:
 * only units that they fell into are asked. */
#pragma once

struct symbol_module;

/* One line that names the object, what is missing, and the remedy; NULL: nothing is. It lives as
 * long as the module. */
const char *symbol_lack_find(struct symbol_module *module);
