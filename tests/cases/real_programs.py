# SPDX-License-Identifier: MIT
"""The laws of conservation on real programs with threads or several processes, as the distribution ships them.

One table, one case for each of its rows. The laws are checked on other real programs besides: pigz, pbzip2, xz, sysbench,
python3 and redis-server (packages.py); hpcc, netpipe, scalapack, mpi4py and lammps (mpi_programs.py); gm, fasttree, numpy
(openmp_programs.py)."""
import collections
import glob
import os
import random
import re
import resource

from real_inputs import bases, data, genome, lines, picture, proteins, sources, tree, write
from support import (check_laws, execute, expect, expect_equal, first_difference, free_port, need, report_json, run, scratch, short_or_long, soaks,
                     thread_cpu)

BESIDE = True  # no case asserts a time
FULL = "a package for each; pipelines and processes have programs that are always there"

MEGABYTE = 1 << 20

# name: of the case; package: Debian's; command(place): the words of the command, which may write below that directory; keep: what
# of the output is the same each time (None: all of it; a function takes the rest away); product: a file that the program
# writes there, which has to be the same; least: threads, or processes if there are several, that there have to be; ends_seen: whether it ends by
# libc (Go ends by the system call itself, so that what threads did since their last samples is not seen); threads_left: whether
# threads live when it ends (libgomp's pool does).
Program = collections.namedtuple("Program", "name package command keep product several least ends_seen threads_left",
                                 defaults=(None, None, False, 2, True, False))


# What of an output changes from run to run

def nothing(_output):
    """Rates and times only."""
    return b""


def ordered(output):
    """Lines whose order depends on who was faster."""
    return b"\n".join(sorted(output.splitlines()))


def without_program_line(output):
    """SAM: the command line stands there."""
    return b"\n".join(line for line in output.splitlines() if not line.startswith(b"@PG"))


def without_comments(output):
    """HMMER: the date stands there."""
    return b"\n".join(line for line in output.splitlines() if not line.startswith(b"#"))


# Command lines that need more than a line

def shell(place, text, *tools):
    """A script of bash; %(name)s of tools are their paths, %(place)s is the directory."""
    paths = {re.sub(r"\W", "_", tool): need(tool) for tool in tools}
    return [need("bash"), write(place, "script", "cd %s\n" % place + text % dict(paths, place=place))]


def git(place, *arguments):
    """In a repository with one commit, which is there already. No configuration but this."""
    root = tree(place)
    program = [need("git"), "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "--date=@1600000000 +0000", "-m", "all"]):
        expect_equal("status of git " + words[0], execute(program + words).status, 0)
    return program + list(arguments)


def make(place):
    objects = " ".join(name + ".o" for name in sources(place))
    write(place, "Makefile", "all: %s\n\t$(CC) -o run $^\n\t./run\n\trm -f run *.o\n%%.o: %%.c\n\t$(CC) -O1 -c -o $@ $<\n" % objects)
    return [need("make"), "-s", "-r", "-j2", "-C", place, "CC=" + need("gcc"), "all"]


def ninja(place):
    names = sources(place)
    rules = "rule cc\n command = %s -O1 -c -o $out $in\nrule link\n command = %s -o $out $in && ./$out && rm -f run *.o\n" % ((need("gcc"),) * 2)
    rules += "".join("build %s.o: cc %s.c\n" % (name, name) for name in names)
    write(place, "build.ninja", rules + "build run: link %s\n" % " ".join(name + ".o" for name in names))
    return [need("ninja"), "-j2", "-C", place, "--quiet"]


def link_time(place):
    files = " ".join(name + ".c" for name in sources(place))
    return shell(place, "%(gcc)s -O2 -flto=2 -flto-partition=max -frandom-seed=1 -o run " + files + " && ./run", "gcc")


def sam(place):
    reference, reads = genome(place)
    expect_equal("status of bwa index", execute([need("bwa"), "index", reference]).status, 0)
    return reference, reads


def samtools(place):
    reference, reads = sam(place)
    aligned = execute([need("bwa"), "mem", reference, reads])
    path = write(place, "in.sam", aligned.stdout)
    return [need("samtools"), "sort", "-@2", "-m1M", "--no-PG", "-O", "sam", "-T", os.path.join(place, "part"), path]


def perl_processes(place):
    text = """for my $n (1 .. 4) { my $pid = fork; if (!$pid) { my $s = 0; $s += $_ * $n %% 7 for 1 .. %d; exit $s %% 200 } }
my $sum = 0; while ((my $pid = wait) > 0) { $sum += $? >> 8 } print "$sum\\n"; exit 3;"""
    return [need("perl"), "-e", text % short_or_long(400000, 4000000)]


def perl_threads(place):
    text = """use threads; use threads::shared; my $all : shared = 0;
my @t = map { my $n = $_; threads->create(sub { my $s = 0; for (1 .. %d) { $s += $_ * $n %% 7 } lock($all); $all += $s; return $s }) } 1 .. 3;
my $sum = 0; $sum += $_->join for @t; print "$sum $all\\n"; exit 4;"""
    return [need("perl"), "-e", text % short_or_long(300000, 3000000)]


PYTHON = """
import concurrent.futures, hashlib, multiprocessing, os, sys
def work(n):
    return int(hashlib.sha256(b'%%d' %% n * 20000).hexdigest()[:6], 16)
if __name__ == '__main__':
    many = range(%d)
    with multiprocessing.get_context('fork').Pool(2) as pool: a = sum(pool.map(work, many))
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context('fork')) as pool: b = sum(pool.map(work, many, chunksize=20))
    with concurrent.futures.ThreadPoolExecutor(2) as pool: c = sum(pool.map(work, many))
    print(a, b, c)
    sys.exit(7)
"""


NODE = """
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  let sum = 0, left = 2;
  for (let n = 1; n <= 2; n++)
    new Worker(__filename, { workerData: n }).on('message', m => { sum += m; if (!--left) { console.log(sum); process.exitCode = 5; } });
} else {
  const crypto = require('crypto');
  let s = 0;
  for (let i = 0; i < %d; i++) s += crypto.createHash('sha256').update('' + i * workerData).digest()[0];
  parentPort.postMessage(s);
}
"""


JAVA = """
import java.util.concurrent.*;
import java.util.stream.*;
public class Main {
  public static void main(String[] a) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<Long> one = pool.submit(() -> sum(1)), two = pool.submit(() -> sum(2));
    long all = one.get() + two.get() + IntStream.range(0, 100000).parallel().mapToLong(i -> i %% 13).sum();
    pool.shutdown();
    System.out.println(all);
    System.exit(9);
  }
  static long sum(int n) { StringBuilder b = new StringBuilder(); long s = 0;
    for (int i = 0; i < %d; i++) { b.append(i * n); if (b.length() > 5000) b.setLength(0); s += b.length(); } return s; }
}
"""


def iperf(place):
    """The server serves one client and ends; the client may come too early, and tries again."""
    port = free_port()
    return shell(place, "timeout 60 %%(iperf3)s -s -1 -B 127.0.0.1 -p %d >server & n=0\n"
                 "until %%(iperf3)s -c 127.0.0.1 -p %d -P 2 -n %dM; do n=$((n + 1)); [ $n -lt 50 ] || exit 1; sleep 0.2; done\n"
                 "wait $!" % (port, port, short_or_long(64, 1000)), "iperf3")


ASK_MEMCACHED = """
import socket, sys, time
for attempt in range(400):
    try:
        one = socket.socket(socket.AF_UNIX); one.connect(sys.argv[1]); break
    except OSError: time.sleep(0.05)
many = [one] + [socket.socket(socket.AF_UNIX) for n in range(3)]
for other in many[1:]: other.connect(sys.argv[1])
files = [s.makefile('rwb') for s in many]
good = 0
for n in range(int(sys.argv[2])):
    f = files[n % 4]
    f.write(b'set k%d 0 0 5\\r\\nhello\\r\\nget k%d\\r\\n' % (n % 100, n % 100)); f.flush()
    good += [f.readline() for x in range(4)][2] == b'hello\\r\\n'
print(good)
"""


def memcached(place):
    write(place, "ask.py", ASK_MEMCACHED)
    return shell(place, "%%(memcached)s -u root -t 2 -s sock & \n%%(python3)s -I ask.py sock %d; kill -INT $!; wait $!; echo $?" % short_or_long(1500, 20000),
                 "memcached", "python3")


NGINX = """daemon off; worker_processes 2; pid nginx.pid; error_log error.log; events { worker_connections 64; }
http { access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5; gzip on;
       gzip_min_length 1; gzip_types text/plain; server { listen unix:sock; location / { root .; default_type text/plain; } } }
"""


def nginx(place):
    data(place, short=1, long=4)
    write(place, "nginx.conf", NGINX)
    return shell(place, "%%(nginx)s -p . -c nginx.conf 2>/dev/null &\nfor n in {1..400}; do [ -S sock ] && break; sleep 0.05; done\n"
                 "%%(curl)s -s --parallel --compressed --unix-socket sock %s --output - | cksum\nkill -QUIT $!; wait $!; echo $?\nrm -f sock"
                 % " ".join("http://localhost/data" for _ in range(short_or_long(6, 60))), "nginx", "curl")


def age(place):
    key, path = os.path.join(place, "key"), os.path.join(place, "secret")
    keygen = [need("age-keygen"), "-o", key]
    expect_equal("status of age-keygen", execute(keygen).status, 0)
    expect_equal("status of age", execute([need("age"), "-e", "-i", key, "-o", path, data(place)]).status, 0)
    return [need("age"), "-d", "-i", key, path]


def sqlite(_place):
    """Its sorter has threads when it spills."""
    text = ("with recursive n(i) as (select 1 union all select i + 1 from n where i < %d) "
            "select count(*), sum(k), min(k) from (select distinct i * 7919 %% 100003 as k, i from n order by k, i desc)")
    return [need("sqlite3"), "-cmd", "pragma threads=2", "-cmd", "pragma cache_size=100", ":memory:", text % short_or_long(100000, 1000000)]


def vsearch(place):
    noise = random.Random(7)
    database = "".join(">s%d\n%s\n" % (n, bases(noise, 1000)) for n in range(300))
    queries = write(place, "queries.fa", database.replace("ACG", "ATG"))
    return [need("vsearch"), "--threads", "2", "--usearch_global", queries, "--db", write(place, "database.fa", database), "--id", "0.8",
            "--userout", "/dev/stdout", "--userfields", "query+target+id", "--quiet"]


def seven_zip(place):
    return [need("7zz"), "a", "-txz", "-mx1", "-mmt2", "-so", "-bsp0", "out", data(place)]


PROGRAMS = (
    # Compression
    Program("zstd", "zstd", lambda place: [need("zstd"), "-T2", "-7", "-B512KiB", "-c", data(place)]),
    Program("lbzip2", "lbzip2", lambda place: [need("lbzip2"), "-n2", "-c", data(place)]),
    Program("plzip", "plzip", lambda place: [need("plzip"), "-n2", "-0", "-B512KiB", "-c", data(place)]),
    Program("tarlz", "tarlz", lambda place: [need("tarlz"), "-n2", "-0", "-C", os.path.dirname(tree(place)), "-cf", "-", "tree"]),
    Program("pixz", "pixz", lambda place: [need("pixz"), "-p2", "-0", "-f", "0.5", "-t", data(place), os.path.join(place, "out")], None, "out"),
    Program("7zip", "7zip", seven_zip),
    Program("age", "age", age, ends_seen=False),
    Program("par2", "par2", lambda place: [need("par2"), "create", "-q", "-q", "-t2", "-r10", "-s40000", data(place, 1) + ".par2", data(place, 1)],
            None, "data.*par2", threads_left=True),
    Program("mbuffer", "mbuffer", lambda place: [need("mbuffer"), "-q", "-m", "1M", "-s", "4k", "-i", data(place)]),
    # Searching, sorting
    Program("sort", "coreutils", lambda place: [need("sort"), "--parallel=2", "-S", "64M", lines(place)]),
    Program("sqlite3", "sqlite3", sqlite),
    Program("ripgrep", "ripgrep", lambda place: [need("rg"), "-j2", "-c", "a[bc]+d.*f", tree(place)], ordered),
    Program("ag", "silversearcher-ag", lambda place: [need("ag"), "--workers=2", "-c", "a[bc]+d.*f", tree(place)], ordered),
    Program("git_grep", "git", lambda place: git(place, "grep", "--threads=2", "-cE", "a[bc]+d.*f")),
    Program("git_repack", "git", lambda place: git(place, "repack", "-adfq", "--threads=2"), None, None, True, 2),
    # Many processes
    Program("fd", "fd-find", lambda place: [need("fdfind"), "-j2", ".", "-e", "txt", tree(place, 20), "-x", "cksum"], ordered, None, True, 20),
    Program("xargs", "findutils", lambda place: shell(place, "find tree -type f | sort | %%(xargs)s -P2 -n4 gzip -9c | wc -c # %s" % tree(place), "xargs"),
            None, None, True, 10),
    Program("parallel", "parallel", lambda place: shell(place, "HOME=%%(place)s %%(parallel)s -k -j2 cksum ::: tree/*/* # %s" % tree(place, 12), "parallel"),
            None, None, True, 10),
    Program("bash", "bash", lambda place: shell(place, "for n in 1 2 3; do gzip -1c data | gzip -dc | cksum > out$n & done\nwait\ncat out1 out2 out3; exit 5 # %s"
                                                % data(place)), None, None, True, 10),
    Program("make", "make", make, None, None, True, 10),
    Program("ninja", "ninja-build", ninja, None, None, True, 10),
    Program("gcc_lto", "gcc", link_time, None, None, True, 10),
    Program("gawk", "gawk", lambda place: [need("gawk"), '{ print $2 |& "sort" } END { close("sort", "to"); while (("sort" |& getline x) > 0) n[x]++; '
                                          'for (x in n) s += n[x] * length(x); print s; print NR | "cat 1>&2"; exit 2 }', lines(place, 100000)], None, None, True, 2),
    Program("rsync", "rsync", lambda place: shell(place, "rm -rf copy; %%(rsync)s -az --checksum tree/ copy/ && ls -R copy | cksum # %s" % tree(place), "rsync"),
            None, None, True, 4),
    Program("stress_ng", "stress-ng", lambda place: [need("stress-ng"), "--cpu", "1", "--cpu-ops", "20", "--futex", "1",
                                                    "--futex-ops", "3000", "--fork", "1", "--fork-ops", "100", "--temp-path", place, "-q"], None, None, True, 4),
    # Languages
    Program("perl_fork", "perl", perl_processes, None, None, True, 5),
    Program("perl_threads", "perl", perl_threads, None, None, False, 4),
    Program("python_pools", "python3", lambda place: [need("python3"), "-I", write(place, "script.py", PYTHON % short_or_long(300, 3000))], None, None, True, 5),
    Program("node", "nodejs", lambda place: [need("node"), write(place, "script.js", NODE % short_or_long(20000, 300000))], None, None, False, 4, threads_left=True),
    Program("java", "openjdk-17-jdk-headless", lambda place: [need("java"), "-XX:-UsePerfData", write(place, "Main.java", JAVA % short_or_long(300000, 10000000))],
            None, None, False, 8, threads_left=True),
    # Servers, with their clients
    Program("iperf3", "iperf3", iperf, nothing, None, True, 3),
    Program("memcached", "memcached", memcached, None, None, True, 3),
    Program("nginx", "nginx", nginx, None, None, True, 5),
    # Science, pictures
    Program("bwa", "bwa", lambda place: [need("bwa"), "mem", "-t2"] + list(sam(place)), without_program_line),
    Program("minimap2", "minimap2", lambda place: [need("minimap2"), "-t2", "-ax", "sr"] + list(genome(place)), without_program_line),
    Program("samtools", "samtools", samtools),
    Program("vsearch", "vsearch", vsearch, ordered),
    Program("phmmer", "hmmer", lambda place: [need("phmmer"), "--cpu", "2", "--notextw", proteins(place, 1), proteins(os.path.join(place, "all"), 800)],
            without_comments),
    Program("clustalo", "clustalo", lambda place: [need("clustalo"), "--threads=2", "-i", proteins(place, short_or_long(40, 160))],
            threads_left=True),
    Program("cwebp", "webp", lambda place: [need("cwebp"), "-quiet", "-mt", "-m", "4", picture(place), "-o", "-"]),
)


def product_of(program, place):
    """Content of the file that it wrote, which goes: the next run makes its own."""
    if program.product is None:
        return None
    content = []
    for path in sorted(glob.glob(os.path.join(place, program.product))):
        with open(path, "rb") as file:
            content.append(file.read())
        os.unlink(path)
    return content


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Trial:
    """One program, natively and profiled, with its CPU time as the kernel counts it for whoever waits for it."""

    def __init__(self, program):
        place = scratch()
        command = program.command(place)
        self.one = run(command[0], command[1:])
        self.one.native  # runs it
        self.native_product = product_of(program, place)
        before = children_seconds()
        self.one.profiled  # runs it
        self.rusage = children_seconds() - before
        self.product = product_of(program, place)


def check_same(program, trial):
    """The same status, output and product as natively; and it did what it is here for."""
    native, profiled, keep = trial.one.native, trial.one.profiled, program.keep or bytes
    expect(native.status < 128, "natively it ends with status %d: %s", native.status, native.stderr_text()[-300:])
    expect_equal("status", profiled.status, native.status)
    expect(keep(profiled.stdout) == keep(native.stdout), "output differs: %r, natively %r", first_difference(keep(profiled.stdout), keep(native.stdout)),
           first_difference(keep(native.stdout), keep(profiled.stdout)))
    expect(trial.product == trial.native_product, "%s differs", program.product)
    expect(native.stdout or trial.product or not program.product, "natively it wrote nothing")


def check_profiles(program, one):
    """Threads or processes are there, the laws hold of the whole run and of its busiest process, and profiles are small."""
    report = one.report
    check_laws(report, complete=program.ends_seen)
    there = len(report["processes"]) if program.several else report["run"]["threads"]
    expect(there >= program.least, "%s: %d, expected %d or more", "processes" if program.several else "threads", there, program.least)
    for path in one.profiles():
        expect(os.path.getsize(path) < MEGABYTE, "%s has %d bytes, expected less than 1 MiB", os.path.basename(path), os.path.getsize(path))
    if program.several:
        busiest = max(report["processes"], key=lambda process: process["cpu_seconds"] or 0)
        for path in one.profiles():
            if "-%d-" % busiest["pid"] in os.path.basename(path) and os.path.getsize(path):
                check_laws(report_json(path), complete=busiest["status"].startswith("exited"))


def unseen_of_nothing():
    """CPU time of ptrace-run and of a program that does nothing, before its profile begins and after it ended."""
    before = children_seconds()
    one = run(need("true"))
    one.profiled  # runs it
    used = children_seconds() - before
    return used - thread_cpu(one.report)


# What a process does before its profile begins and after it ended, in times of what `true` does there: it loads more libraries, and
# has more memory that the kernel takes back.
TIMES_NOTHING = 8


def check_processor_time(program, trial):
    """The job's CPU time is what the kernel counts for whoever waits for the job: never more, and less by what is before and after profiles.
    Where threads live when the process ends, waiting for it may cost its parent more, and nothing is said."""
    report = trial.one.report
    seen, images = thread_cpu(report), len(report["processes"])
    expect(seen <= 1.01 * trial.rusage + 0.001, "CPU time %.6f, by the kernel %.6f (1 %%, 0.001 s)", seen, trial.rusage)
    if program.threads_left or not program.ends_seen:
        return
    allowed = 0.1 * trial.rusage + TIMES_NOTHING * images * unseen_of_nothing()
    expect(trial.rusage - seen <= allowed, "CPU time %.6f, by the kernel %.6f: unseen %.6f, allowed %.6f (10 %%, and %d times that of `true` for each of "
           "%d images)", seen, trial.rusage, trial.rusage - seen, allowed, TIMES_NOTHING, images)


def case_of(program):
    @soaks
    def case():
        trial = Trial(program)
        check_same(program, trial)
        check_profiles(program, trial.one)
        check_processor_time(program, trial)
    case.__name__ = "test_real_" + program.name
    case.__doc__ = "%s, of the package %s." % (program.name, program.package)
    return case


for _program in PROGRAMS:
    globals()["test_real_" + _program.name] = case_of(_program)
