# SPDX-License-Identifier: MIT
"""packaging/README.md says how Spack finds this, and what was checked."""
import os

from spack.package import *


class Ptrace(MakefilePackage):
    """Parallel profiler: prefix a program with ptrace-run, and ptrace-report tells how parallel it was, who waited for whom, and
    what to fix first. Nothing is recompiled."""

    # What `make dist` writes, in the directory in which Spack is called: it has no public address yet, nor a checksum.
    manual_download = True
    url = "file://%s/ptrace-0.1.0.tar.gz" % os.getcwd()

    license("MIT")
    version("0.1.0")

    requires("platform=linux")
    requires("target=x86_64:", "target=aarch64:", policy="one_of")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("elfutils")
    depends_on("binutils+libiberty")
    depends_on("json-c")
    depends_on("sqlite")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("libpfm4")
    depends_on("ncurses")

    build_targets = ["all"]

    def install(self, spec, prefix):
        make("install", "PREFIX=%s" % prefix)
