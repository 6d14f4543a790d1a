/* SPDX-License-Identifier: MIT */
/* Where symbols of a system's file can be had: the package of its debugging information, and the
 * distribution's debuginfod server.
 *
 * Packages are those of dpkg, whose lists of files are read ($DPKG_ADMINDIR, else /var/lib/dpkg):
 * 10 MB take some hundredths of a second, so it is asked only for what a note names. Nothing is
 * known of what is installed or could be: a package by that name is what Debian makes of each other
 * one. Context: the analyzer. */
#pragma once

/* "libc6-dbg", "libssl3-dbgsym"; released by the caller. NULL: the file is of no package. */
char *debug_package_of(const char *path);

/* Of the distribution of this machine, else one that passes on to those of many. */
const char *debug_package_server(void);
