# SPDX-License-Identifier: MIT
"""A virtual machine of AArch64 that runs cross-built programs, and hands back what they left.

`make ARCH=aarch64` builds them, with what scripts/fetch-aarch64 fetches; qemu-system-aarch64 runs them on Debian's kernel, with
-icount: time in the machine goes by instructions, so that what it does is the same on any host, however busy. Its disk is an
initramfs that is made here. Programs have the same paths in it as on this machine: ptrace-report finds their symbols."""
import base64
import os
import re
import stat
import subprocess

from support import BUILD, Result, TIMEOUT, fail, need, read_truth, skip

CROSS = os.path.join(BUILD, "aarch64")
DEBIAN = os.path.join(CROSS, "debian")
RUN = os.path.join(CROSS, "bin", "ptrace-run")
LIBRARY_FOLDERS = ("lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu")
# Several times what it takes on a processor that is shared.
SECONDS_MOST = TIMEOUT
# cortex-a57 has the counters that QEMU counts exactly; max signs return addresses.
PROCESSORS = {"counting": "cortex-a57", "signing": "max,pauth-impdef=on"}


def cross_built(*names):
    """Paths of cross-built programs, below build/aarch64; or skip, with the reason."""
    if not os.path.exists(os.path.join(DEBIAN, "cross.mk")):
        skip("there is no compiler for aarch64: scripts/fetch-aarch64 %s fetches one" % os.path.relpath(DEBIAN))
    paths = [os.path.join(CROSS, name) for name in names]
    for path in paths:
        if not os.path.exists(path):
            skip("%s is not built: make ARCH=aarch64 guest-programs" % os.path.relpath(path))
    return paths


# The initramfs: the cpio format "newc"

def record(name, mode, data=b"", device=(0, 0)):
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0) + device + (len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + os.fsencode(name) + b"\0"
    return b"".join(part + b"\0" * (-len(part) % 4) for part in (head, data))


class Archive:
    def __init__(self):
        self.parts, self.folders = [], set()

    def add_folder(self, path):
        if path and path not in self.folders:
            self.add_folder(os.path.dirname(path))
            self.folders.add(path)
            self.parts.append(record(path, stat.S_IFDIR | 0o755))

    def add(self, path, data, mode=stat.S_IFREG | 0o755):
        self.add_folder(os.path.dirname(path.strip("/")))
        self.parts.append(record(path.strip("/"), mode, data))

    def copy(self, source, path=None):
        """A file, or a link as it is."""
        if path is None and os.path.islink(source):
            self.add(source, os.fsencode(os.readlink(source)), stat.S_IFLNK | 0o777)
            return
        with open(source, "rb") as file:
            self.add(path or source, file.read())

    def data(self):
        return b"".join(self.parts) + record("TRAILER!!!", 0)


def needed_libraries(path):
    """Names of the shared libraries that an ELF file asks for itself."""
    said = subprocess.run([need("readelf"), "-d", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", said.decode(errors="replace"))


def debian_library(name):
    for folder in LIBRARY_FOLDERS:
        path = os.path.join(DEBIAN, "root", folder, name)
        if os.path.exists(path):
            return path
    return None


def libraries_of(paths):
    """{name: path} of all of Debian's libraries that these files need, directly or not; and what pthread_exit loads."""
    found, left = {"libgcc_s.so.1": debian_library("libgcc_s.so.1")}, list(paths)
    while left:
        for name in needed_libraries(left.pop()):
            path = debian_library(name)
            if path and name not in found:
                found[name] = path
                left.append(path)
    return found


def initramfs(programs, commands):
    archive = Archive()
    for folder in "proc", "sys", "out", "tmp":
        archive.add_folder(folder)
    archive.add_folder("dev")
    archive.parts.append(record("dev/console", stat.S_IFCHR | 0o600, device=(5, 1)))
    archive.copy(os.path.join(CROSS, "tests", "guest_init"), "/init")
    archive.add("/commands", "".join("\t".join(map(str, words)) + "\n" for words in commands).encode())
    library = os.path.join(CROSS, "lib", "libptrace.so")
    files = [RUN, library] + list(programs)
    for path in dict.fromkeys(files):
        archive.copy(path)
    for part in os.path.join("lib", "libptrace"), "share":
        for folder, _, names in os.walk(os.path.join(CROSS, part)):
            for name in names:
                archive.copy(os.path.join(folder, name))
    for name, path in libraries_of(files).items():
        archive.copy(path, "/%s/%s" % (LIBRARY_FOLDERS[0], name))
    if debian_library("libpfm.so.4"):  # ptrace-run loads it when events are asked for
        archive.copy(os.path.realpath(debian_library("libpfm.so.4")), "/%s/libpfm.so.4" % LIBRARY_FOLDERS[0])
    archive.copy(debian_library("ld-linux-aarch64.so.1"), "/lib/ld-linux-aarch64.so.1")
    return archive.data()


# Booting it

def console_of(processor, count, disk_path):
    """What the machine printed. It ends by itself, or is ended."""
    command = [need("qemu-system-aarch64"), "-M", "virt", "-cpu", PROCESSORS[processor], "-smp", str(count), "-m", "512", "-nographic", "-no-reboot",
               "-nic", "none", "-icount", "shift=1,sleep=off", "-kernel", os.path.join(DEBIAN, "Image"), "-initrd", disk_path,
               "-append", "console=ttyAMA0 quiet loglevel=0 rdinit=/init panic=-1"]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS_MOST,
                              check=False).stdout
    except subprocess.TimeoutExpired as late:
        return fail("the virtual machine did not end within %d s; it printed: %s", SECONDS_MOST, (late.stdout or b"")[-500:])


def check_sum(data):
    value = 0
    for byte in data:
        value = (value * 31 + byte) & 0xffffffff
    return value


def read_files(console):
    """{label/name: bytes} of what guest_init.c prints."""
    files, name = {}, None
    for line in console.replace(b"\r", b"").split(b"\n"):
        word, _, rest = line.decode(errors="replace").partition(" ")
        if word == "@file":
            name, size = rest.rsplit(" ", 1)
            data = bytearray()
        elif word == "@end" and name:
            if len(data) != int(size) or check_sum(data) != int(rest):
                fail("%s came out of the virtual machine damaged: %d of %s bytes", name, len(data), size)
            files[name], name = bytes(data), None
        elif name and line.startswith(b"="):
            data += bytes(int(line[1:]))
        elif name:
            data += base64.b64decode(line)
    if b"@done" not in console:
        fail("the virtual machine did not get to its end; it printed: %s", console[-500:])
    return files


def boot(directory, processor, count, commands, files=()):
    """Runs commands, [[LABEL, word...]], in one machine of `count` processors; what they leave comes into the directory. files: further ones
    that the machine has."""
    disk_path = os.path.join(directory, "initramfs")
    with open(disk_path, "wb") as file:
        file.write(initramfs(list(files) + [word for words in commands for word in words[1:] if os.path.isfile(str(word))], commands))
    for name, data in read_files(console_of(processor, count, disk_path)).items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    os.unlink(disk_path)


class Left:
    """What the commands of a machine have left in a directory."""

    def __init__(self, directory):
        self.directory = directory

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def read(self, label, name):
        try:
            with open(self.path(label, name), "rb") as file:
                return file.read()
        except OSError:
            return fail("%s left no %s in the virtual machine", label, name)

    def result(self, label):
        return Result(int(self.read(label, "status")), self.read(label, "stdout"), self.read(label, "stderr"),
                      read_truth(self.path(label, "truth")))
