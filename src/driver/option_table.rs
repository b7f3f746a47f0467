//! The options of `upcc`: the single list from which parsing and `--help` derive.

use super::languages::language_named;
use super::option_values::{heap_size, packed_bits, thread_count};
use super::optspec::Form::{
    Any, Flag, Help, Joined, JoinedOrSeparate, Optional, OptionalNumber, OptionalValue, Separate,
    Value, Version,
};
use super::optspec::{Form, Hit, OptSpec};
use super::settings::{Item, Options, Query, SaveTemps, Stop, split_words};
use super::tool::Show;
use crate::cli::Failure;
use crate::diag::{ColorChoice, Format, WarningTarget};
use crate::target::Network;
use crate::translate::{Emit, Races};

type Row = OptSpec<Options>;
type Done = Result<(), Failure>;

const STAGES: &str = "Stages";
const TEXT: &str = "Preprocessing";
const UPC: &str = "UPC";
const EVENTS: &str = "Performance events";
const CODE: &str = "Generated code";
const LINK: &str = "Linking";
const RUN: &str = "Running";
const MESSAGES: &str = "Messages";

const fn row(
    names: &'static [&'static str],
    form: Form,
    value: &'static str,
    section: &'static str,
    apply: fn(&mut Options, &Hit) -> Done,
    help: &'static str,
) -> Row {
    OptSpec {
        names,
        form,
        value,
        section,
        apply,
        help,
    }
}

/// The options of the short help, which fits a screen of 24 lines.
pub const BRIEF: &[&str] = &[
    "o",
    "c",
    "T",
    "O",
    "g",
    "D",
    "I",
    "l",
    "L",
    "run",
    "n",
    "shared-heap",
    "fupc-checks",
    "save-temps",
    "v",
    "explain",
    "version",
];

/// Names that the number of threads has elsewhere.
pub const OTHER_NAMES: &[(&str, &str)] = &[("t", "-T"), ("threads", "-T"), ("nthreads", "-T")];

/// All options. The longest name that fits an argument wins, so the order only matters for the help text.
#[rustfmt::skip] // one row per line
pub static OPTIONS: &[Row] = &[
    row(&["c"], Flag, "", STAGES, |o, _| stop(o, Stop::Object), "compile, do not link"),
    row(&["E"], Flag, "", STAGES, |o, _| stop(o, Stop::Preprocessed), "preprocess only"),
    row(&["S"], Flag, "", STAGES, |o, _| stop(o, Stop::Assembly), "compile to assembler"),
    row(&["trans"], Flag, "", STAGES, |o, _| stop(o, Stop::Translated), "translate only: file.upc to file.trans.c"),
    row(&["emit"], Value, "ast|il|sections|refs|refs-json|c", STAGES, emit, "print the syntax tree, the typed tree, the sections of loops, their shared references (docs/predict.md) or the C translation"),
    row(&["fsyntax-only"], Flag, "", STAGES, |o, _| stop(o, Stop::Checked), "report errors, write nothing"),
    row(&["o"], JoinedOrSeparate, "FILE", STAGES, |o, h| set(&mut o.product.output, h.value.clone().into()), "output file"),
    row(&["x"], JoinedOrSeparate, "LANG", STAGES, language, "language of the files that follow: upc, c, cpp-output, trans-c, none"),
    row(&["save-temps", "save-all-temps"], Optional, "cwd|obj", STAGES, save_temps, "keep file.i, file.trans.c and file.o"),
    row(&["nosave-temps", "nosave-all-temps"], Flag, "", STAGES, |o, _| set_to(&mut o.product.save_temps, SaveTemps::No), ""),
    row(&["lines"], Flag, "", STAGES, |o, _| set_to(&mut o.product.no_lines, false), ""),
    row(&["nolines"], Flag, "", STAGES, |o, _| set_on(&mut o.product.no_lines), "no #line directives in translated text"),
    // Preprocessing.
    row(&["D"], JoinedOrSeparate, "NAME[=TEXT]", TEXT, cpp, "define a macro"),
    row(&["U"], JoinedOrSeparate, "NAME", TEXT, cpp, "undefine a macro"),
    row(&["I"], JoinedOrSeparate, "DIR", TEXT, cpp, "search DIR for headers"),
    row(&[
        "include", "imacros", "isystem", "idirafter", "iquote", "iprefix", "iwithprefix", "iwithprefixbefore", "isysroot",
        "imultilib"],
        JoinedOrSeparate, "ARG", TEXT, cpp, "passed to the C preprocessor"),
    row(&["M", "MM"], Flag, "", TEXT, dependencies_only, "print dependencies for make instead of compiling"),
    row(&["MD", "MMD"], Flag, "", TEXT, |o, h| set_on(&mut o.deps.asked).and_then(|()| cpp(o, h)), "write dependencies for make while compiling"),
    row(&["MF"], JoinedOrSeparate, "FILE", TEXT, |o, h| set_on(&mut o.deps.file).and_then(|()| cpp(o, h)), "file for the dependencies"),
    row(&["MT", "MQ"], JoinedOrSeparate, "TARGET", TEXT, |o, h| set_on(&mut o.deps.target).and_then(|()| cpp(o, h)), "target of the dependencies"),
    row(&["MJ"], JoinedOrSeparate, "FILE", TEXT, |o, h| set(&mut o.deps.database, h.value.clone().into()), "append the command of each file to FILE as JSON, or write it into the folder FILE; --compile-commands merges them"),
    row(&["compile-commands"], Optional, "FILE", TEXT, |o, h| set(&mut o.compile_commands, if h.value.is_empty() { "compile_commands.json".into() } else { h.value.clone().into() }), "merge what -MJ has written into the files and folders named, into FILE (default: compile_commands.json)"),
    row(&["MP", "MG", "P", "C", "CC", "H", "undef", "nostdinc", "nostdlibinc", "traditional-cpp", "remap"], Flag, "", TEXT, cpp, ""),
    row(&["d"], Joined, "", TEXT, cpp, ""),
    row(&["A"], JoinedOrSeparate, "", TEXT, cpp, ""),
    row(&["Xpreprocessor"], Separate, "ARG", TEXT, cpp, ""),
    row(&["Wp,"], Joined, "ARG", TEXT, preprocessor_words, ""),
    // UPC.
    row(&["T"], Any, "N", UPC, threads, "compile for N threads (static THREADS environment)"),
    row(&["X"], Any, "N", UPC, threads, ""),
    row(&["fupc-threads", "fthreads"], Value, "N", UPC, threads, ""),
    row(&["fupc-threads-", "fthreads-"], Joined, "N", UPC, threads, ""),
    row(&["network"], Value, "NAME", UPC, network, "transport between threads: smp (shared memory), mpi or ucx (messages between machines, by MPI or by UCX)"),
    row(&["pshm-width"], Value, "N", UPC, pshm_width, "default: threads share memory in groups of N, and exchange messages between groups; upcrun -pshm-width overrides it"),
    row(&["shared-heap"], Value, "SIZE", UPC, |o, h| heap_size(h).map(|size| o.target.shared_heap = Some(size)), "default shared heap of each thread (64MB, 2GB, 50%)"),
    row(&["fupc-pts"], Value, "packed|struct", UPC, pointer_layout, "pointers-to-shared of 64 bits, or of 128 for more threads and memory"),
    row(&["fupc-packed-bits"], Value, "P,T,A", UPC, |o, h| packed_bits(h).map(|packed| o.target.packed = packed), "bits of phase, thread and address in pointers-to-shared of 64 bits"),
    row(&["fupc-checks"], Flag, "", UPC, |o, _| set(&mut o.product.checks, true), "check accesses, pointers, locks and collectives; the default with -g and no -O"),
    row(&["fno-upc-checks"], Flag, "", UPC, |o, _| set(&mut o.product.checks, false), ""),
    row(&["fupc-races"], Optional, "all", UPC, races, "detect data races while the program runs; all: also accesses by all pointers-to-local"),
    row(&["fno-upc-races"], Flag, "", UPC, |o, _| { o.product.races = Races::Off; Ok(()) }, ""),
    row(&["fupc-runs"], Value, "N", UPC, runs, "loops go through blocks of N iterations or more by private pointers (default: 16)"),
    row(&["fno-upc-runs"], Flag, "", UPC, |o, _| set(&mut o.product.runs, 0), "loops keep each shared access as it is written"),
    row(&["fupc-strips"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_strips, false), ""),
    row(&["fno-upc-strips"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_strips), "loops access memory that is not mapped one element at a time"),
    row(&["fupc-locality"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_locality, false), ""),
    row(&["fno-upc-locality"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_locality), "upc_forall tests the affinity of each iteration, and own elements are accessed as those of others"),
    row(&["fupc-unroll"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_unroll, false), ""),
    row(&["fno-upc-unroll"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_unroll), "short loops with shared accesses inside other loops keep their form"),
    row(&["fupc-gathers"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_gathers, false), ""),
    row(&["fno-upc-gathers"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_gathers), "loops read `x[ix[i]]` in memory that is not mapped one element at a time"),
    row(&["fupc-scatters"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_scatters, false), ""),
    row(&["fno-upc-scatters"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_scatters), "loops write `x[ix[i]]` in memory that is not mapped one element at a time"),
    row(&["fupc-updates"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_updates, false), ""),
    row(&["fno-upc-updates"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_updates), "`x[i] += v` in memory that is not mapped is a read, whose answer the thread waits for, and a write"),
    row(&["fupc-linear"], Flag, "", UPC, |o, _| set_to(&mut o.product.no_linear, false), ""),
    row(&["fno-upc-linear"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_linear), "accesses find the thread and the address of each element, also where an array could be mapped as a whole"),
    row(&["fupc-fences"], Flag, "", UPC, |o, _| set_to(&mut o.product.all_fences, false), ""),
    row(&["fno-upc-fences"], Flag, "", UPC, |o, _| set_on(&mut o.product.all_fences), "strict reads keep all their fences, also where no write can be pending"),
    row(&["fupc-no-verbatim"], Flag, "", UPC, |o, _| set_on(&mut o.product.no_verbatim), ""),
    // Performance events.
    row(&["inst"], Flag, "", EVENTS, |o, _| set_on(&mut o.events.flags.inst), "raise performance events (GASP): remote accesses, library calls, synchronization"),
    row(&["inst-local"], Flag, "", EVENTS, |o, _| set_on(&mut o.events.flags.local).and_then(|()| set_on(&mut o.events.flags.inst)), "--inst, and accesses to local elements"),
    row(&["inst-functions"], Flag, "", EVENTS, inst_functions, "--inst, and entry and exit of functions"),
    row(&["inst-only"], Value, "FILE", EVENTS, |o, h| set(&mut o.events.flags.only, h.value.clone().into()).and_then(|()| set_on(&mut o.events.flags.inst)), "raise only the events listed in FILE, one on each line"),
    row(&["exclude-functions"], Value, "FILE", EVENTS, |o, h| { o.events.flags.exclude.push(h.value.clone().into()); Ok(()) }, "raise no entry and exit events for the functions listed in FILE"),
    row(&["inst-toolname"], Value, "NAME", EVENTS, |o, h| set(&mut o.events.flags.tool, h.value.clone()), "tool that receives the events: dump, measure, or one that you link; UPC_TOOL overrides it when the program starts"),
    row(&["trace"], Flag, "", EVENTS, trace, "--inst, and the program writes a trace (-inst-toolname=measure)"),
    row(&["noinst"], Flag, "", EVENTS, |o, _| { o.events.flags.reset(); Ok(()) }, "raise no events (cancels the options above)"),
    row(&["profile"], Flag, "", EVENTS, |o, _| set_on(&mut o.events.flags.profile).and_then(|()| set_on(&mut o.events.flags.inst)), ""),
    row(&["profile-partial"], Value, "FILE", EVENTS, |o, h| set(&mut o.events.flags.partial, h.value.clone().into()).and_then(|()| set_on(&mut o.events.flags.inst)), ""),
    row(&["fupc-instrument"], Flag, "", EVENTS, |o, _| set_on(&mut o.events.flags.inst), ""),
    row(&["fupc-instrument-functions"], Flag, "", EVENTS, inst_functions, ""),
    row(&["uses-mpi"], Flag, "", UPC, |o, _| set_on(&mut o.target.uses_mpi), "the program itself calls MPI"),
    row(&["mpicc"], Value, "CMD", UPC, |o, h| set(&mut o.target.mpicc, h.value.clone()), "MPI's compiler wrapper (default: UPCC_MPICC, else mpicc)"),
    row(&["Wu,", "Ww,", "Wb,"], Joined, "ARG", UPC, ignored, ""),
    // Generated code.
    row(&["O"], Joined, "LEVEL", CODE, optimize, "optimise; -O means -O3; the default is -O2, or -O0 with -g"),
    row(&["g"], Joined, "LEVEL", CODE, |o, h| set(&mut o.flags.debug, h.value.clone()).and_then(|()| all(o, h)), "debug information"),
    row(&["std"], Value, "STD", CODE, all, "C language standard, as the C compiler spells it"),
    // Line markers are an extension to a pedantic compiler, so these options go to the preprocessor only.
    row(&["pedantic", "pedantic-errors", "Wpedantic"], Flag, "", CODE, cpp, ""),
    row(&["ansi", "pthread", "pipe", "p", "pg", "coverage", "no-canonical-prefixes", "pass-exit-codes", "traditional", "trigraphs", "Q", "time"], Flag, "", CODE, all, ""),
    row(&["Xclang", "mllvm", "wrapper", "arch"], Separate, "ARG", CODE, all, ""),
    row(&["f", "m"], Joined, "ARG", CODE, all, "passed to the C compiler"),
    row(&["Wc,"], Joined, "ARG", CODE, compiler_words, ""),
    row(&["Wa,"], Joined, "ARG", CODE, |o, h| extend(&mut o.flags.cc, &h.typed), ""),
    row(&["Xassembler"], Separate, "ARG", CODE, |o, h| extend(&mut o.flags.cc, &h.typed), ""),
    row(&["param", "sysroot", "target"], Value, "ARG", CODE, all, ""),
    row(&["B"], JoinedOrSeparate, "DIR", CODE, all, ""),
    row(&["specs"], Value, "FILE", CODE, all, ""),
    // Linking.
    row(&["l"], JoinedOrSeparate, "LIB", LINK, library, "link with a library"),
    row(&["L"], JoinedOrSeparate, "DIR", LINK, link, "search DIR for libraries"),
    row(&["Wl,"], Joined, "ARG", LINK, linker_words, ""),
    row(&["Xlinker"], Separate, "ARG", LINK, library, ""),
    row(&["u", "z", "e", "entry"], Separate, "ARG", LINK, link, ""),
    row(&["link-with"], Value, "CMD", LINK, |o, h| set(&mut o.flags.link_with, h.value.clone()), "link with CMD instead of the C compiler"),
    // The runtime starts whichever `main` the linker finds, in any language.
    row(&["extern-main"], Flag, "", LINK, ignored, ""),
    row(&["static", "static-pie", "pie", "no-pie", "s", "rdynamic", "nostdlib", "nodefaultlibs", "nostartfiles", "static-libgcc", "shared-libgcc", "static-libstdc++", "nolibc"], Flag, "", LINK, link, "passed to the C compiler"),
    row(&["shared"], Flag, "", LINK, |o, h| set_on(&mut o.product.shared_library).and_then(|()| no_program(o, h)), "make a shared library; it cannot contain UPC"),
    row(&["r"], Flag, "", LINK, no_program, "combine several objects into one"),
    // Running.
    row(&["run"], Flag, "", RUN, |o, _| set_on(&mut o.execution.asked), "compile, link and run: upcc --run a.upc -n 4 -- ARGS"),
    row(&["n", "np"], Any, "N", RUN, |o, h| thread_count(h).map(|n| o.execution.threads = Some(n)), "number of threads of the run; without --run the same as -T"),
    // Messages.
    row(&["v", "verbose"], Flag, "", MESSAGES, |o, _| show(o, Show::Commands), "print the commands that run, and options without effect"),
    row(&["vv"], Flag, "", MESSAGES, |o, _| extend(&mut o.flags.all, &["-v".to_owned()]).and_then(|()| show(o, Show::Commands)), "-v, and the tools print their own commands"),
    row(&["###"], Flag, "", MESSAGES, |o, _| show(o, Show::Only), "print the commands, but do not run them"),
    row(&["q", "quiet"], Flag, "", MESSAGES, |_, _| Ok(()), ""),
    row(&["w"], Flag, "", MESSAGES, |o, h| set_on(&mut o.messages.warnings.suppress).and_then(|()| all(o, h)), "no warnings"),
    row(&["W"], Joined, "NAME", MESSAGES, warning, "the C compiler's warnings and those of upcc (upcc --explain lists them): -WNAME -Wno-NAME -Werror=NAME -Wno-error=NAME; -Wp,ARG -Wc,ARG -Wl,ARG pass ARG to preprocessor, C compiler, linker"),
    row(&["Werror"], Flag, "", MESSAGES, |o, h| warning_named(o, h, "error"), "treat warnings as errors"),
    row(&["Wno-error"], Flag, "", MESSAGES, |o, h| warning_named(o, h, "no-error"), ""),
    row(&["Rupc"], Flag, "", MESSAGES, |o, _| set_on(&mut o.messages.remarks), "report what each loop over shared arrays became, and each reference in it, or why it stays as it is"),
    row(&["fsave-optimization-record"], Flag, "", MESSAGES, |o, _| extend(&mut o.flags.all, &["-fsave-optimization-record".to_owned()]).and_then(|()| set_on(&mut o.product.record)), "write what -Rupc says as JSON to file.opt-record.json; the C compiler writes a record of its own"),
    row(&["fmax-errors", "ferror-limit"], Value, "N", MESSAGES, max_errors, "stop after N errors of a file (0: never)"),
    row(&["fdiagnostics-format"], Value, "text|json|json-stderr", MESSAGES, diagnostics_format, "format of messages: text, or gcc's JSON (an array on one line of standard error)"),
    row(&["fdiagnostics-color"], Optional, "always|auto|never", MESSAGES, color, "colours in messages"),
    row(&["fno-diagnostics-color"], Flag, "", MESSAGES, |o, h| colored(o, h, ColorChoice::Never), ""),
    row(&["fix"], Flag, "", MESSAGES, |o, _| set_on(&mut o.product.fix), "apply the fixes that are certain to the sources, such as a missing `;`, and say which, before compiling them"),
    row(&["explain-decl"], Value, "DECL", MESSAGES, |o, h| extend(&mut o.explain_decl, std::slice::from_ref(&h.value)), "describe a declaration and draw its layout over the threads (-T=N)"),
    row(&["explain"], OptionalValue, "CODE", MESSAGES, |o, h| set(&mut o.query, Query::Explain(h.value.clone())), "explain a diagnostic, such as E0500, with an example; without CODE list them all"),
    row(&["help", "h"], Help, "", MESSAGES, |_, _| Ok(()), "print the most common options; --help=all prints this text"),
    row(&["print-man"], Optional, "upcc|upcrun|upcprof", MESSAGES, |o, h| set(&mut o.query, Query::Man(h.value.clone())), "manual page, for man(1)"),
    row(&["print-completions"], Value, "bash|zsh|fish", MESSAGES, |o, h| set(&mut o.query, Query::Completions(h.value.clone())), "completions of upcc, upcrun and upcprof for a shell"),
    row(&["version", "V"], Version, "", MESSAGES, |_, _| Ok(()), "version"),
    row(&["print-gdb-setup"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::GdbSetup), "print lines for ~/.gdbinit that make gdb load its support for UPC"),
    row(&["print-mpicc"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::Mpicc), "MPI's compiler wrapper"),
    row(&["echo-var"], Value, "NAME", MESSAGES, |o, h| set(&mut o.query, Query::EchoVar(h.value.clone())), "the program that Berkeley's Makefiles know as UPCR_CC or UPCR_LD"),
    row(&["print-include-dir"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::IncludeDir), "where <upc.h> is"),
    row(&["print-cmake-dir"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::ShareDir("cmake")), "where CMake's modules for UPC are, for CMAKE_MODULE_PATH"),
    row(&["print-aclocal-dir"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::ShareDir("aclocal")), "where the autoconf macro AC_PROG_UPC is, for aclocal -I"),
    row(&["print-pkg-config"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::PkgConfig), "print upcc.pc, for a folder in PKG_CONFIG_PATH"),
    row(&["print-settings"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::Settings), "print what a translation depends on beside its command line; for CCACHE_COMPILERCHECK"),
    row(&["show-sizes"], Flag, "", MESSAGES, |o, _| set(&mut o.query, Query::Sizes), "sizes of C's types and of pointers-to-shared"),
    row(&["dumpmachine", "dumpversion", "dumpfullversion", "print-search-dirs", "print-multiarch", "print-libgcc-file-name", "print-multi-os-directory", "print-multi-directory", "print-multi-lib", "print-sysroot", "print-resource-dir", "dumpspecs"], Flag, "", MESSAGES, ask, ""),
    row(&["print-file-name", "print-prog-name"], Value, "NAME", MESSAGES, ask, ""),
    // These are read before all others: driver/config.rs.
    row(&["norc"], Flag, "", MESSAGES, |_, _| Ok(()), "read no configuration file"),
    row(&["conf"], Value, "FILE", MESSAGES, |_, _| Ok(()), "read FILE in place of $XDG_CONFIG_HOME/upcc/upccrc or ~/.upccrc"),
    // Options of other UPC compilers that have no effect.
    row(&["pthreads", "fupc-pthreads-model-tls", "fupc-pthreads-per-process"], OptionalNumber, "N", UPC, ignored, ""),
    row(&[
        "nopthreads", "bupc", "gupc", "cupc", "cupc2c", "stable", "nightly", "yesterday", "hier", "opt", "thrille-local",
        "require-size", "norequire-size", "size-warn", "nosize-warn", "checks", "nochecks", "link-cache", "nolink-cache",
        "fast-symptr", "nofast-symptr", "smart-output", "allow-deprecated", "tv", "uses-threads", "fupc-debug",
        "fupc-inline-lib", "fno-upc-inline-lib", "fupc-pre-include", "fno-upc-pre-include", "dwarf-2-upc", "hupc"],
        Flag, "", UPC, ignored, ""),
    row(&["shared-heap-max", "heap-offset", "translator", "http-proxy", "opt-enable", "opt-disable", "thrille", "compress"], Value, "", UPC, ignored, ""),
];

fn set<V>(place: &mut Option<V>, value: V) -> Done {
    *place = Some(value);
    Ok(())
}

fn races(options: &mut Options, hit: &Hit) -> Done {
    options.product.races = match hit.value.as_str() {
        "all" => Races::All,
        // clap has refused every other value.
        _ => Races::On,
    };
    Ok(())
}

fn set_on(place: &mut bool) -> Done {
    set_to(place, true)
}

fn set_to<V>(place: &mut V, value: V) -> Done {
    *place = value;
    Ok(())
}

fn extend(list: &mut Vec<String>, words: &[String]) -> Done {
    list.extend_from_slice(words);
    Ok(())
}

/// Sets the last stage. The earliest stage asked for wins, as in gcc.
fn stop(o: &mut Options, stage: Stop) -> Done {
    o.product.stop = o.product.stop.min(stage);
    Ok(())
}

fn emit(o: &mut Options, h: &Hit) -> Done {
    o.product.emit = Emit::named(&h.value);
    o.product.emit_given = true;
    stop(o, Stop::Translated)
}

fn language(o: &mut Options, h: &Hit) -> Done {
    o.language = language_named(&h.value)?;
    Ok(())
}

fn cpp(o: &mut Options, h: &Hit) -> Done {
    extend(&mut o.flags.cpp, &h.typed)
}

fn all(o: &mut Options, h: &Hit) -> Done {
    extend(&mut o.flags.all, &h.typed)
}

fn link(o: &mut Options, h: &Hit) -> Done {
    extend(&mut o.flags.link, &h.typed)
}

/// Adds a library, which keeps its position among the inputs: the linker resolves from left to right.
fn library(o: &mut Options, h: &Hit) -> Done {
    o.items.extend(h.typed.iter().cloned().map(Item::LinkArg));
    Ok(())
}

fn save_temps(o: &mut Options, h: &Hit) -> Done {
    let kind = match h.value.as_str() {
        "obj" => SaveTemps::BesideOutput,
        _ => SaveTemps::Here,
    };
    set_to(&mut o.product.save_temps, kind)
}

fn no_program(o: &mut Options, h: &Hit) -> Done {
    set_on(&mut o.product.no_program)?;
    link(o, h)
}

/// Sets what is shown. `-v` does not override `-###`.
fn show(o: &mut Options, show: Show) -> Done {
    if o.messages.show != Show::Only {
        o.messages.show = show;
    }
    Ok(())
}

fn dependencies_only(o: &mut Options, h: &Hit) -> Done {
    stop(o, Stop::Preprocessed)?;
    cpp(o, h)
}

fn optimize(o: &mut Options, h: &Hit) -> Done {
    let level = if h.value.is_empty() { "3" } else { &h.value };
    set(&mut o.flags.optimize, format!("-O{level}"))
}

fn threads(o: &mut Options, h: &Hit) -> Done {
    o.target.threads = Some(thread_count(h)?);
    Ok(())
}

fn runs(o: &mut Options, h: &Hit) -> Done {
    let number = h.value.parse().ok().filter(|n| *n > 0);
    let message = || {
        format!(
            "`{}` is not a number of iterations from 1 on; -fno-upc-runs keeps all loops as they are",
            h.value
        )
    };
    set(
        &mut o.product.runs,
        number.ok_or_else(|| Failure::usage(message()))?,
    )
}

fn pointer_layout(o: &mut Options, h: &Hit) -> Done {
    set_to(&mut o.target.pts_struct, h.value == "struct")
}

fn max_errors(o: &mut Options, h: &Hit) -> Done {
    let number = h.value.parse();
    o.messages.renderer.max_errors =
        number.map_err(|_| Failure::usage(format!("`{}` is not a number of errors", h.value)))?;
    Ok(())
}

fn diagnostics_format(o: &mut Options, h: &Hit) -> Done {
    let text = h.value == "text";
    set_to(
        &mut o.messages.renderer.format,
        if text { Format::Text } else { Format::Json },
    )
}

fn warning(o: &mut Options, h: &Hit) -> Done {
    warning_named(o, h, &h.value)
}

/// Sets a warning. Names that the C compiler does not know must not reach it.
fn warning_named(o: &mut Options, h: &Hit, name: &str) -> Done {
    match o.messages.warnings.option(name) {
        WarningTarget::CompilerToo => all(o, h),
        WarningTarget::Nobody => Ok(()),
        WarningTarget::Unknown(near) => {
            let near = near.map_or_else(
                || "upcc --explain lists them".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            Err(Failure::usage(format!(
                "`-W{name}`: no warning has this name; {near}"
            )))
        }
    }
}

fn color(o: &mut Options, h: &Hit) -> Done {
    let choice = match h.value.as_str() {
        "auto" => ColorChoice::Auto,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Always,
    };
    colored(o, h, choice)
}

fn colored(o: &mut Options, h: &Hit, choice: ColorChoice) -> Done {
    o.messages.renderer.color = choice;
    o.messages.color_given = choice != ColorChoice::Auto;
    all(o, h)
}

/// Handles `-Wc,"-O3 -funroll-loops"`: words for the C compiler. Further commas do not split.
fn compiler_words(o: &mut Options, h: &Hit) -> Done {
    let words = split_words(&h.value, &h.typed[0])?;
    extend(&mut o.flags.cc, &words)
}

/// Handles Berkeley's `-Wp,"-DA -DB"`. Without blanks it has gcc's meaning, which includes Berkeley's.
fn preprocessor_words(o: &mut Options, h: &Hit) -> Done {
    let words = split_words(&h.value, &h.typed[0])?;
    if words.len() > 1 {
        extend(&mut o.flags.cpp, &words)
    } else {
        cpp(o, h)
    }
}

/// Handles `-Wl,`. Berkeley's linker is the C compiler driver: `-Wl,-Wl,-lfoo`, `-Wl,"-lfoo -lbar"`. Everything else
/// has gcc's meaning.
fn linker_words(o: &mut Options, h: &Hit) -> Done {
    let words = split_words(&h.value, &h.typed[0])?;
    let for_driver = words.len() > 1 || h.value.starts_with("-Wl,");
    let words = if for_driver { words } else { h.typed.clone() };
    o.items.extend(words.into_iter().map(Item::LinkArg));
    Ok(())
}

fn ask(o: &mut Options, h: &Hit) -> Done {
    o.query_arg = h.typed.join("=");
    set(&mut o.query, Query::AskCompiler)
}

fn ignored(o: &mut Options, h: &Hit) -> Done {
    o.ignored.push(h.typed.join(" "));
    Ok(())
}

/// Transports of other UPC compilers between machines. MPI stands in for all of them.
const CONDUITS: &[&str] = &[
    "udp", "ibv", "aries", "ofi", "gemini", "mxm", "psm", "psm2", "pami", "lapi", "dcmf",
    "portals", "portals4", "shmem", "vapi", "gm", "elan", "sci",
];

fn pshm_width(o: &mut Options, h: &Hit) -> Done {
    o.target.pshm_width = Some(thread_count(h)?);
    Ok(())
}

fn network(o: &mut Options, h: &Hit) -> Done {
    let value = h.value.as_str();
    let offered = Network::named(value);
    let conduit = CONDUITS.contains(&value);
    o.target.network = match offered {
        Some(offered) => offered,
        None if conduit => Network::Mpi,
        None => {
            return Err(Failure::usage(format!(
                "`{value}` is not a transport: choose smp (shared memory of one machine), mpi or ucx (messages between machines, by MPI or by UCX)"
            )));
        }
    };
    o.target.conduit = conduit.then(|| value.to_owned());
    Ok(())
}

fn inst_functions(o: &mut Options, _: &Hit) -> Done {
    set_on(&mut o.events.flags.functions)?;
    set_on(&mut o.events.flags.inst)
}

fn trace(o: &mut Options, _: &Hit) -> Done {
    set_on(&mut o.events.flags.inst)?;
    set_on(&mut o.events.flags.trace)?;
    set(&mut o.events.flags.tool, "measure".to_owned())
}
