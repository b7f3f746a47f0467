//! Every row of the option table has a case in this file that shows its effect, and every name of a row is typed in it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use upcc::driver;

const UPCC: &str = env!("CARGO_BIN_EXE_upcc");

/// The expected effect of a command line.
enum Shows {
    /// Under `-###` the given words reach these tools and no others: `p`reprocessor, `c` compiler, `l`inker.
    Reaches(&'static str),
    /// Under `-###` this word reaches the tool that the letter names.
    Passes(char, &'static str),
    /// It succeeds and prints this on standard output.
    Prints(&'static str),
    /// It succeeds and prints this on standard error.
    Logs(&'static str),
    /// It succeeds, prints nothing and makes these files.
    Makes(&'static [&'static str]),
    /// It succeeds and `out` contains this.
    Writes(&'static str),
    /// It succeeds and `out` does not contain this.
    Omits(&'static str),
    /// It ends with this status and prints this.
    Fails(i32, &'static str),
    /// It is accepted without a message, and `-v` reports that it has no effect.
    NoEffect,
}
use Shows::*;

/// A row by its first name; a command line, in which the words from `{}` on are repeated for each name of the row; the
/// expected effect.
type Case = (&'static str, &'static str, Shows);

#[rustfmt::skip] // one row per line
const CASES: &[Case] = &[
    ("c", "-c a.upc", Makes(&["a.o"])),
    ("E", "-E a.upc", Prints("int a (")),
    ("S", "-S a.upc", Makes(&["a.s"])),
    ("trans", "-trans a.upc", Makes(&["a.trans.c"])),
    ("trans", "--trans sub/b.upc -o out", Writes("UPCR_UNIT")),
    ("emit", "--emit=il a.upc", Prints("x")),
    ("emit", "-emit ast a.upc", Prints("x")),
    ("emit", "--emit=asm a.upc", Fails(2, "asm")),
    ("fsyntax-only", "-fsyntax-only a.upc", Makes(&[])),
    ("fsyntax-only", "-fsyntax-only bad.upc", Fails(1, "bad.upc:1")),
    ("o", "-c a.upc -o sub/z.o", Makes(&["sub/z.o"])),
    ("o", "-c a.upc -oz.o", Makes(&["z.o"])),
    ("x", "-c -x upc text", Makes(&["text.o"])),
    ("x", "-xupc -c text -x none a.upc", Makes(&["text.o", "a.o"])),
    ("save-temps", "-save-temps -c a.upc", Makes(&["a.i", "a.trans.c", "a.o"])),
    ("save-temps", "-save-all-temps -c a.upc", Makes(&["a.i", "a.trans.c", "a.o"])),
    ("save-temps", "-save-temps=obj -c a.upc -o sub/a.o", Makes(&["sub/a.i", "sub/a.trans.c", "sub/a.o"])),
    ("nosave-temps", "-save-temps -{} -c a.upc", Makes(&["a.o"])),
    ("lines", "-trans -nolines -lines a.upc -o out", Writes("# 1 \"a.upc\"")),
    ("nolines", "-trans -nolines a.upc -o out", Omits("a.upc\" ")),
    ("D", "-DA=1 -D B=2", Reaches("p")),
    ("U", "-UA -U B", Reaches("p")),
    ("I", "-Idir -I dir", Reaches("p")),
    ("include", "-{} f", Reaches("p")),
    ("M", "-M a.upc", Prints("a.o: a.upc")),
    ("M", "-MM a.upc", Prints("a.o: a.upc")),
    ("MD", "-MD -c a.upc", Makes(&["a.d", "a.o"])),
    ("MD", "-MMD -c a.upc -o sub/z.o", Makes(&["sub/z.d", "sub/z.o"])),
    ("MF", "-MMD -MF out -c a.upc", Writes("a.o: a.upc")),
    ("MT", "-MMD -MF out -MT t -c a.upc", Writes("t: a.upc")),
    ("MT", "-MMD -MF out -MQ $t -c a.upc", Writes("$$t: a.upc")),
    ("MJ", "-MJ out -DX -c a.upc", Writes("\"arguments\":[\"upcc\",\"-DX\",\"-c\",\"a.upc\"]")),
    ("compile-commands", "--compile-commands a.upc", Fails(2, "a.upc has no fragments")),
    ("compile-commands", "--compile-commands=out fragment sub", Writes("\"file\":\"f.upc\"")),
    ("MP", "-{}", Reaches("p")),
    ("d", "-E -dM a.upc", Prints("#define __UPC__ 1")),
    ("A", "-Aa=b -A a=b", Reaches("p")),
    ("Xpreprocessor", "-Xpreprocessor -DX", Reaches("p")),
    ("Wp,", "-Wp,-DX=1", Reaches("p")),
    ("T", "-T=4 -E threads.upc", Prints("threads 4")),
    ("T", "-T4 -E threads.upc", Prints("threads 4")),
    ("T", "-T 4 -trans a.upc -o out", Writes("#define UPCR_STATIC_THREADS 4")),
    ("T", "--T=4 -E threads.upc", Prints("threads 4")),
    ("T", "--T 4 -E threads.upc", Prints("threads 4")),
    ("T", "-Tfour a.upc", Fails(2, "unknown option `-Tfour`")),
    ("X", "-h upc -X 4 -E threads.upc", Prints("threads 4")),
    ("X", "-X4 -E threads.upc", Prints("threads 4")),
    ("fupc-threads", "-fupc-threads=4 -E threads.upc", Prints("threads 4")),
    ("fupc-threads", "-fthreads 4 -E threads.upc", Prints("threads 4")),
    ("fupc-threads-", "-fupc-threads-4 -E threads.upc", Prints("threads 4")),
    ("fupc-threads-", "-fthreads-4 -E threads.upc", Prints("threads 4")),
    ("network", "-network=smp -c a.upc", Makes(&["a.o"])),
    ("network", "--network ibv -c a.upc", Makes(&["a.o"])),
    ("network", "-network=udp a.upc -###", Logs("warning: -network=udp: treated as -network=")),
    ("network", "-network=udp -mpicc=/no/mpicc -trans a.upc -o out", Omits("mpi")),
    ("network", "-network=udp -mpicc=/no/mpicc -uses-mpi -c a.upc", Fails(3, "libopenmpi-dev")),
    ("network", "-network=ucx -c a.upc", Makes(&["a.o"])),
    ("network", "-network=ucx -uses-mpi -c a.upc", Fails(2, "also needs -network=mpi")),
    ("network", "-network=tcp -c a.upc", Fails(2, "is not a transport")),
    ("shared-heap", "-shared-heap=64MB a.upc", Passes('l', "link.o")),
    ("shared-heap", "-shared-heap=big a.upc", Fails(2, "64MB, 2GB or 50%")),
    ("pshm-width", "-pshm-width=1 a.upc", Passes('l', "link.o")),
    ("pshm-width", "-pshm-width=x a.upc", Fails(2, "x")),
    ("fupc-pts", "-fupc-pts=struct -trans a.upc -o out", Writes("#define UPCR_PTS_STRUCT")),
    ("fupc-packed-bits", "-fupc-packed-bits=16,12,36 -trans a.upc -o out", Writes("#define UPCR_PHASE_BITS 16")),
    ("fupc-checks", "-fupc-checks -trans a.upc -o out", Writes("UPCR_CHECKS 1")),
    ("fno-upc-checks", "-g -fno-upc-checks -trans a.upc -o out", Omits("UPCR_CHECKS")),
    ("fupc-races", "-fupc-races -trans a.upc -o out", Writes("UPCR_RACES 1")),
    ("fupc-races", "-fupc-races -c plain.c", Passes('c', "-fsanitize=thread")),
    ("fupc-races", "-fupc-races -trans plain.c -o out", Writes("UPCR_NOT_RECORDED")),
    ("fupc-races", "-fupc-races=all -trans plain.c -o out", Omits("UPCR_NOT_")),
    ("fupc-races", "-fupc-races=most -c a.upc", Fails(2, "all")),
    ("fupc-races", "-fsanitize=thread -trans a.upc -o out", Logs("-fupc-races finds those between UPC threads")),
    ("fupc-races", "-fsanitize=thread -fupc-races -c a.upc", Fails(2, "remove one of them")),
    ("fno-upc-races", "-fupc-races -fno-upc-races -trans a.upc -o out", Omits("UPCR_RACES")),
    ("fupc-no-verbatim", "-fupc-no-verbatim -trans plain.c -o out", Writes("return 1;")),
    ("inst", "-{} -trans a.upc -o out", Writes("#define UPCR_INST 1")),
    ("inst", "--inst -E -dM a.upc", Prints("#define __UPC_PUPC_INST__ 1")),
    ("inst-local", "-{} -trans a.upc -o out", Writes("UPCR_INST_UNIT(")),
    ("inst-functions", "--{} -trans plain.c -o out", Writes("UPCR_INST_FUNCTION(UPCR_SITE(0))")),
    ("inst-only", "--{} events -trans a.upc -o out", Writes("UPCR_INST_UNIT(0x4000000ULL, 0x0ULL)")),
    ("inst-only", "--{} events -trans a.upc", Logs("`NO_SUCH_EVENT` is not an event")),
    ("inst-only", "-{}=none.txt a.upc", Fails(3, "none.txt")),
    ("exclude-functions", "-inst-functions --{} functions -trans plain.c -o out", Omits("UPCR_INST_FUNCTION")),
    ("inst-toolname", "-inst-toolname=dump a.upc", Passes('l', "link.o")),
    ("inst-toolname", "-inst-toolname=gasp-tau -c a.upc", Makes(&["a.o"])),
    ("trace", "-{} a.upc", Passes('l', "link.o")),
    ("noinst", "--inst --{} -trans a.upc -o out", Omits("UPCR_INST")),
    ("profile", "--{} -trans plain.c -o out", Writes("UPCR_INST_FUNCTION")),
    ("profile", "--{} -trans main.upc -o out", Omits("UPCR_INST_FUNCTION")),
    ("profile-partial", "--{} old-events -trans a.upc -o out", Writes("UPCR_INST_UNIT(0x430ULL, 0x0ULL)")),
    ("profile-partial", "--profile --{} old-events a.upc", Fails(2, "--profile-partial")),
    ("fupc-instrument", "-{} -trans a.upc -o out", Writes("#define UPCR_INST 1")),
    ("fupc-instrument-functions", "-{} -trans plain.c -o out", Writes("UPCR_INST_FUNCTION")),
    ("uses-mpi", "-uses-mpi a.upc", Fails(2, "-network=mpi")),
    ("print-mpicc", "-print-mpicc", Prints("mpicc")),
    ("mpicc", "-print-mpicc -mpicc=mycc", Prints("mycc")),
    ("network", "-network=mpi -mpicc=/no/mpicc -c a.upc", Makes(&["a.o"])),
    ("fupc-runs", "-fupc-runs=8 -trans loop.upc -o out", Writes("upcr_local_nn")),
    ("fupc-runs", "-fupc-runs=9 -trans loop.upc -o out", Omits("upcr_local_nn")),
    ("fupc-runs", "-fupc-runs=0 -trans loop.upc -o out", Fails(2, "`0` is not a number of iterations from 1 on")),
    ("fno-upc-runs", "-fupc-runs=8 -fno-upc-runs -trans loop.upc -o out", Omits("upcr_local_nn")),
    ("fno-upc-locality", "-fno-upc-locality -fno-upc-runs -trans forall.upc -o out", Omits("upcc_count")),
    ("fupc-locality", "-fno-upc-locality -fupc-locality -fno-upc-runs -trans forall.upc -o out", Writes("upcc_count")),
    ("fno-upc-unroll", "-fno-upc-unroll -T=2 -Rupc -trans nest.upc -o out", Logs("the loop has few iterations")),
    ("fupc-unroll", "-fno-upc-unroll -fupc-unroll -Rupc -trans nest.upc -o out", Logs("this loop of 3 iterations is written out")),
    ("fno-upc-strips", "-pshm-width=1 -fupc-runs=8 -fno-upc-strips -trans loop.upc -o out", Omits("upcr_strip_see")),
    ("fupc-strips", "-pshm-width=1 -fupc-runs=8 -fno-upc-strips -fupc-strips -trans loop.upc -o out", Writes("upcr_strip_see")),
    ("fno-upc-gathers", "-pshm-width=1 -fno-upc-gathers -trans gather.upc -o out", Omits("upcr_gather(")),
    ("fupc-gathers", "-pshm-width=1 -fno-upc-gathers -fupc-gathers -trans gather.upc -o out", Writes("upcr_gather(")),
    ("fno-upc-scatters", "-pshm-width=1 -fno-upc-scatters -trans scatter.upc -o out", Omits("upcr_scatter_place(")),
    ("fupc-scatters", "-pshm-width=1 -fno-upc-scatters -fupc-scatters -trans scatter.upc -o out", Writes("upcr_scatter_place(")),
    ("fno-upc-updates", "-pshm-width=1 -fno-upc-updates -trans update.upc -o out", Omits("UPCR_XOR(")),
    ("fupc-updates", "-pshm-width=1 -fno-upc-updates -fupc-updates -trans update.upc -o out", Writes("UPCR_XOR(")),
    ("fno-upc-linear", "-fno-upc-linear -trans image.upc -o out", Omits("upcr_at_linear(")),
    ("fupc-linear", "-fno-upc-linear -fupc-linear -trans image.upc -o out", Writes("upcr_at_linear(")),
    ("fupc-linear", "-v -c image.upc", Logs(" -fno-split-paths ")),
    ("Rupc", "-Rupc -trans image.upc -o out", Logs("the array is mapped as a whole")),
    ("fno-upc-fences", "-fno-upc-fences -trans loop.upc -o out", Omits("UPCR_GET_SETTLED")),
    ("fupc-fences", "-fno-upc-fences -fupc-fences -trans loop.upc -o out", Writes("UPCR_GET_SETTLED")),
    ("fsave-optimization-record", "-fsave-optimization-record -c loop.upc", Makes(&["loop.o", "loop.opt-record.json", "loop.c.opt-record.json.gz"])),
    ("fsave-optimization-record", "-fsave-optimization-record -fupc-runs=8 -c loop.upc -o b.o", Makes(&["b.o", "b.opt-record.json", "b.c.opt-record.json.gz"])),
    ("Rupc", "-Rupc -trans loop.upc -o out", Logs("remark: `a[i]` goes from thread to thread")),
    ("fupc-checks", "-network=mpi -mpicc=/no/mpicc -fupc-checks -c a.upc", Makes(&["a.o"])),
    ("mpicc", "-network=mpi -mpicc=/no/mpicc a.upc", Fails(3, "libopenmpi-dev")),
    ("Wu,", "-{}x", NoEffect),
    ("O", "-Os", Reaches("pcl")),
    ("O", "-O -c a.upc", Passes('c', "-O3")),
    ("g", "-g3", Reaches("pcl")),
    ("g", "-g -c a.upc", Passes('c', "-O0")),
    ("g", "-c a.upc", Passes('c', "-g1")),
    ("std", "-std=gnu99", Reaches("pcl")),
    ("pedantic", "-{}", Reaches("p")),
    ("ansi", "-{}", Reaches("pcl")),
    ("Xclang", "-{} x", Reaches("pcl")),
    ("f", "-fno-inline", Reaches("pcl")),
    ("f", "-flto -c a.upc", Fails(2, "-fno-lto")),
    ("f", "-flto=auto -c a.upc", Fails(2, "-flto=auto")),
    ("f", "-fno-lto -Wc,-flto -c a.upc", Fails(2, "`-flto`")),
    ("f", "-flto -fno-lto", Reaches("pcl")),
    ("f", "-march=native", Reaches("pcl")),
    ("Wc,", "-Wc,-fno-inline -c a.upc", Passes('c', "-fno-inline")),
    ("Wa,", "-Wa,--noexecstack", Reaches("cl")),
    ("Xassembler", "-Xassembler --noexecstack", Reaches("cl")),
    ("param", "-{}=x", Reaches("pcl")),
    ("param", "--param max-inline-insns-auto=1", Reaches("pcl")),
    ("B", "-Bdir -B dir", Reaches("pcl")),
    ("specs", "-specs=f", Reaches("pcl")),
    ("l", "-lfoo -l bar", Reaches("l")),
    ("L", "-Ldir -L dir", Reaches("l")),
    ("Wl,", "-Wl,-rpath,dir", Reaches("l")),
    ("Wl,", "a.upc -Wl,-Wl,-lfoo", Passes('l', "-Wl,-lfoo")),
    ("Xlinker", "-Xlinker -x", Reaches("l")),
    ("u", "-{} x", Reaches("l")),
    ("link-with", "-link-with=g++\u{a0}-O a.upc", Passes('l', "g++\u{a0}-O")),
    ("extern-main", "-{}", NoEffect),
    ("static", "-{}", Reaches("l")),
    ("shared", "-shared -fPIC plain.c -o libplain.so", Makes(&["libplain.so"])),
    ("shared", "-shared -fPIC a.upc", Fails(1, "the shared object `x`")),
    ("r", "-r a.upc -o all.o", Makes(&["all.o"])),
    ("run", "--run main.upc", Prints("1 of 1")),
    ("n", "--run main.upc -n 2", Prints("1 of 2")),
    ("n", "-np 4 -E threads.upc", Prints("threads 4")),
    ("v", "-v -c a.upc", Logs(" # translate a.upc")),
    ("v", "--verbose -c a.upc", Logs(" # translate a.upc")),
    ("vv", "-vv -E a.upc", Logs(" -v ")),
    ("###", "-### -c a.upc", Logs(" # translate a.upc")),
    ("###", "-### missing.upc", Logs(" # translate missing.upc")),
    ("q", "-q -quiet -c a.upc", Makes(&["a.o"])),
    ("w", "-w -c warn.upc", Makes(&["warn.o"])),
    ("W", "-Wno-vla", Reaches("pcl")),
    ("W", "-Wno-implicit-int -c warn.upc", Makes(&["warn.o"])),
    ("Werror", "-Werror -c warn.upc", Fails(1, "warn.upc:1")),
    ("Wno-error", "-Werror -Wno-error -c warn.upc", Logs("warn.upc:1")),
    ("fmax-errors", "-fmax-errors=1 -c many.upc", Fails(1, "many.upc:1")),
    ("fmax-errors", "-ferror-limit=x -c many.upc", Fails(2, "x")),
    ("fdiagnostics-format", "-fdiagnostics-format=json -fsyntax-only bad.upc", Fails(1, "\"kind\":\"error\"")),
    ("fdiagnostics-format", "-fdiagnostics-format=sarif -fsyntax-only bad.upc", Fails(2, "sarif")),
    ("fdiagnostics-color", "-fdiagnostics-color=always -c bad.upc", Fails(1, "\u{1b}[")),
    ("fno-diagnostics-color", "-fdiagnostics-color -fno-diagnostics-color -c bad.upc", Fails(1, "bad.upc:1:")),
    ("fix", "--fix -fsyntax-only bad.upc", Fails(1, "bad.upc:1")),
    ("explain-decl", "--explain-decl=int", Fails(1, "no declaration")),
    ("explain", "--explain E0500", Prints("E0500")),
    ("help", "--help", Prints("--help=all")),
    ("help", "-h", Prints("-shared-heap=SIZE")),
    ("help", "--help=all", Prints("--fupc-packed-bits")),
    ("print-man", "-print-man", Prints(".TH upcc 1")),
    ("print-man", "--print-man=upcrun", Prints(".TH upcrun 1")),
    ("print-man", "--print-man=upcprof", Prints(".SH UPCPROF PROFILE")),
    ("print-completions", "--print-completions=zsh", Prints("_upcprof")),
    ("print-completions", "-print-completions=bash", Prints("complete -F _upcrun")),
    ("print-completions", "-print-completions=csh", Fails(2, "csh")),
    ("version", "-version", Prints("upcc ")),
    ("version", "-V", Prints("(UPC 1.3)")),
    ("print-gdb-setup", "-print-gdb-setup", Prints("add-auto-load-safe-path")),
    ("print-cmake-dir", "-print-cmake-dir", Prints("/share/cmake")),
    ("print-aclocal-dir", "-print-aclocal-dir", Prints("/share/aclocal")),
    ("print-pkg-config", "-print-pkg-config", Prints("Name: upcc")),
    ("print-settings", "-print-settings", Prints("options")),
    ("echo-var", "-echo-var UPCR_CC", Prints("cc\n")),
    ("echo-var", "-network=smp --echo-var UPCR_LD -link-with=g++", Prints("g++\n")),
    ("echo-var", "--network=udp --echo-var UPCR_LD", Prints("c++\n")),
    ("echo-var", "-network=mpi -mpicc=mycc -echo-var=GASNET_LD", Prints("mycc\n")),
    ("echo-var", "-echo-var=NO_SUCH_VARIABLE", Prints("\n")),
    ("print-include-dir", "-print-include-dir", Prints("/include")),
    ("show-sizes", "-show-sizes", Prints("shared void *           8")),
    ("show-sizes", "-show-sizes -fupc-pts=struct", Prints("shared void *           16")),
    ("dumpmachine", "-dumpmachine", Prints("-")),
    ("dumpmachine", "-print-search-dirs", Prints("libraries")),
    ("print-file-name", "-print-file-name=libc.so.6", Prints("libc.so.6")),
    ("print-file-name", "-print-prog-name=ld", Prints("ld")),
    ("norc", "-conf=rc -norc -E threads.upc", Prints("threads THREADS")),
    ("conf", "-conf=rc -E threads.upc", Prints("threads 3")),
    ("pthreads", "-{}=2", NoEffect),
    ("pthreads", "-pthreads", NoEffect),
    ("pthreads", "-pthreads 2", NoEffect),
    ("pthreads", "-c -pthreads a.upc", Makes(&["a.o"])),
    ("nopthreads", "-{}", NoEffect),
    ("nopthreads", "-h upc", NoEffect),
    ("nopthreads", "-bupc=1 a.upc", Fails(2, "`-bupc=1`: this option has no value")),
    ("shared-heap-max", "-{}=1GB", NoEffect),
    ("shared-heap-max", "-heap-offset 1MB", NoEffect),
];

/// Names of rows that neither `{}` nor a separate case types, with the reason.
const UNTYPED: &[(&str, &str)] = &[
    ("dumpversion", "the same function as -dumpmachine"),
    ("dumpfullversion", "the same function as -dumpmachine"),
    ("print-multiarch", "the same function as -dumpmachine"),
    (
        "print-libgcc-file-name",
        "the same function as -dumpmachine",
    ),
    (
        "print-multi-os-directory",
        "the same function as -dumpmachine",
    ),
    ("print-multi-directory", "the same function as -dumpmachine"),
    ("print-multi-lib", "the same function as -dumpmachine"),
    ("print-sysroot", "the same function as -dumpmachine"),
    ("print-resource-dir", "clang only"),
    ("dumpspecs", "gcc only"),
];

const FILES: &[(&str, &str)] = &[
    ("a.upc", "shared int x;\nint a (void) { return x; }\n"),
    ("sub/b.upc", "shared int y;\n"),
    ("bad.upc", "int f(void) { return nothing; }\n"),
    (
        "many.upc",
        "int f(void) { return a; }\nint g(void) { return b; }\nint h(void) { return c; }\n",
    ),
    ("warn.upc", "f(void) { return 1; }\n"),
    (
        "loop.upc",
        "shared [8] int a[8*THREADS]; strict shared int f;\nint s (int n) { int s = f; s += f; for (int i = n; i < n + n; i += 1) s += a[i]; return s; }\n",
    ),
    (
        "gather.upc",
        "#include <upc_relaxed.h>\nshared int a[8*THREADS]; int s (int n, int *x) { int s = 0; for (int i = 0; i < n; i++) s += a[x[i]]; return s; }\n",
    ),
    (
        "image.upc",
        "#include <upc_relaxed.h>\nshared [1024] int a[1024*THREADS]; int f(int n, int *x) { int s = 0; for (int i = 0; i < n; i++) s += a[x[i]]; return s; }\n",
    ),
    (
        "scatter.upc",
        "#include <upc_relaxed.h>\nshared int a[8*THREADS]; void s (int n, int *x) { for (int i = 0; i < n; i++) a[x[i]] = i; }\n",
    ),
    (
        "update.upc",
        "#include <upc_relaxed.h>\nshared int a[8*THREADS]; void s (int n, int *x) { for (int i = 0; i < n; i++) a[x[i]] ^= i; }\n",
    ),
    (
        "forall.upc",
        "#include <upc_relaxed.h>\nshared int a[8*THREADS]; void f(int n) { for (int i = 0; i < n; i++) upc_forall (int j = 0; j < n; j++; j) a[j] = i; }\n",
    ),
    (
        "nest.upc",
        "#include <upc_relaxed.h>\nshared [8] int a[8*THREADS]; int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += a[i + j]; return s; }\n",
    ),
    ("text", "int text;\n"),
    ("fragment", "{\"file\":\"f.upc\"},\n"),
    ("plain.c", "int plain(void) { return 1 ; }\n"),
    ("threads.upc", "threads THREADS\n"),
    ("events", "GASP_UPC_PUT\nNO_SUCH_EVENT\n"),
    ("old-events", "PUPC_FORALL\n"),
    ("functions", "plain\n"),
    (
        "main.upc",
        "#include <upc.h>\n#include <stdio.h>\nint main(void) { if (MYTHREAD == THREADS - 1) printf(\"1 of %d\\n\", THREADS); return 0; }\n",
    ),
    ("rc", "# none\nT = 3\n\ndefault_options = -fupc-threads-3\n"),
];

/// Returns a new folder with the files of all cases.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("temporary folder");
    fs::create_dir(folder.path().join("sub")).expect("folder in a temporary folder");
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).expect("file in a temporary folder");
    }
    folder
}

fn upcc(folder: &Path, words: &[String]) -> Output {
    let mut command = Command::new(UPCC);
    command
        .args(words)
        .current_dir(folder)
        .env("UPCC_CC", "gcc")
        .env("UPCC_NORC", "1")
        .env_remove("UPCC_FLAGS");
    if words.iter().any(|word| word.starts_with("-conf")) {
        command.env_remove("UPCC_NORC");
    }
    command.output().expect("upcc starts")
}

/// Returns the words of a line; `{}` and the words after it are repeated for each name.
fn words(line: &str, names: &[&str]) -> Vec<String> {
    let lines: Vec<String> = match line.contains("{}") {
        true => names.iter().map(|name| line.replace("{}", name)).collect(),
        false => vec![line.to_owned()],
    };
    lines
        .iter()
        .flat_map(|line| line.split(' ').map(str::to_owned))
        .collect()
}

/// Returns the commands that `-###` prints, by the letter of the tool.
fn commands(text: &str) -> Vec<(char, Vec<String>)> {
    let lines = text
        .lines()
        .filter(|line| line.starts_with(' ') && !line.starts_with(" #"));
    let split = lines.filter_map(|line| shlex::split(line.trim_start()));
    split
        .map(|words| {
            let has = |flag: &str| words.iter().any(|word| word == flag);
            let tool = match () {
                () if has("-E") => 'p',
                () if has("-c") => 'c',
                () => 'l',
            };
            (tool, words)
        })
        .collect()
}

/// Returns whether `typed` occurs in `words` as a contiguous sequence.
fn contains(words: &[String], typed: &[String]) -> bool {
    words.windows(typed.len()).any(|window| window == typed)
}

fn check(row: &[&str], line: &str, shows: &Shows) -> Result<(), String> {
    let folder = folder();
    let typed = words(line, row);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let run = |words: &[String], status: i32| {
        let output = upcc(folder.path(), words);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        match output.status.code() {
            Some(code) if code == status => Ok((out, err)),
            code => Err(format!("status {code:?}: {err}")),
        }
    };
    let dry = |more: &[&str]| {
        let mut words: Vec<String> = vec!["-###".to_owned()];
        words.extend(more.iter().map(|&word| word.to_owned()));
        words.extend(typed.clone());
        run(&words, 0).map(|(_, err)| (commands(&err), err))
    };
    let said = |condition: bool, what: &str| match condition {
        true => Ok(()),
        false => Err(what.to_owned()),
    };
    match shows {
        Reaches(tools) => {
            let (found, err) = dry(&["a.upc"])?;
            // Each option separately: a row's names may reach a tool in another order than typed.
            let wrong = found.iter().find(|(tool, words)| {
                contains(words, &typed) != tools.contains(*tool) && words[0] == "gcc"
            });
            said(
                wrong.is_none() && found.len() >= 3,
                &format!("{typed:?} in {wrong:?}\n{err}"),
            )
        }
        Passes(tool, word) => {
            let (found, err) = dry(&[])?;
            let holds = |words: &[String]| {
                words
                    .iter()
                    .any(|w| w == word || w.ends_with(&format!("/{word}")))
            };
            said(
                found
                    .iter()
                    .any(|(found, words)| found == tool && holds(words)),
                &err,
            )
        }
        Prints(what) => run(&typed, 0).and_then(|(out, _)| said(out.contains(what), &out)),
        Logs(what) => run(&typed, 0).and_then(|(_, err)| said(err.contains(what), &err)),
        Makes(files) => {
            let (_, err) = run(&typed, 0)?;
            said(err.is_empty(), &err)?;
            let made: usize = ["", "sub"]
                .iter()
                .map(|sub| fs::read_dir(folder.path().join(sub)).map_or(0, Iterator::count))
                .sum();
            // The files from before, and the folder `sub`.
            said(
                made == FILES.len() + 1 + files.len(),
                "other files are made",
            )?;
            said(
                files.iter().all(|file| folder.path().join(file).is_file()),
                "files are missing",
            )
        }
        Writes(what) | Omits(what) => {
            run(&typed, 0)?;
            let out = fs::read_to_string(folder.path().join("out")).map_err(|e| e.to_string())?;
            said(out.contains(what) == matches!(shows, Writes(_)), &out)
        }
        Fails(status, what) => {
            run(&typed, *status).and_then(|(_, err)| said(err.contains(what), &err))
        }
        NoEffect => {
            let mut silent = vec!["-c".to_owned(), "a.upc".to_owned()];
            silent.extend(typed.clone());
            run(&silent, 0).and_then(|(_, err)| said(err.is_empty(), &err))?;
            let (_, err) = dry(&["-c", "a.upc"])?;
            let note = err
                .lines()
                .find(|line| line.contains("note: no effect here:"));
            said(
                note.is_some_and(|note| row.iter().any(|name| note.contains(name))),
                &err,
            )
        }
    }
}

#[test]
fn every_row_shows_its_effect() {
    let rows: Vec<&[&str]> = driver::option_names().collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, line, shows)) =
                    CASES.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let verdict = match rows.iter().find(|row| row[0] == *name) {
                        Some(row) => check(row, line, shows),
                        None => Err("no such row".to_owned()),
                    };
                    if let Err(why) = verdict {
                        let mut failures = failures.lock().expect("no thread panics with it");
                        let why: String = why.chars().take(1500).collect();
                        failures.push(format!("{name}: upcc {line}\n    {why}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread panics with it");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_name_of_every_row_is_typed() {
    let mut missing = Vec::new();
    for row in driver::option_names() {
        let cases: Vec<&Case> = CASES.iter().filter(|case| case.0 == row[0]).collect();
        if cases.is_empty() {
            missing.push(format!("the row of -{} has no case", row[0]));
        }
        for name in row {
            let is_typed = |case: &&&Case| {
                let typed = words(case.1, row);
                typed.iter().any(|word| {
                    let word = word.trim_start_matches('-');
                    word.starts_with(name)
                })
            };
            let untyped = UNTYPED.iter().any(|(known, _)| known == name);
            if !cases.iter().any(|case| is_typed(&case)) && !untyped && *name != "hupc" {
                missing.push(format!("-{name} is typed in no case"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
