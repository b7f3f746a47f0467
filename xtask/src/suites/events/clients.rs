//! Tools as users write and link them: GASP's, in C with upcalls into UPC, in two ways; PUPC 1.1's; programs of parts
//! with and without instrumentation; and no tool at all.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{bundled, dump, hot, loaded};
use crate::context::{COMPILE, Context, RUN, read, write};
use crate::process::{self, Output};
use crate::suites::test::Test;
use crate::tools::compilers_of;

pub const THREADS: usize = 2;

type Case = (&'static str, fn(&Bench, &'static str) -> Result<(), String>);

const CASES: &[Case] = &[
    ("a GASP tool from a static library", gasp_library),
    ("a GASP tool linked as TAU is", gasp_like_tau),
    ("a GASP tool loaded at the start", loaded::by_path),
    ("a library that is no tool", loaded::no_tool),
    ("PUPC 1.1, first example of its paper", pupc_first),
    ("PUPC 1.1, second example of its paper", pupc_second),
    ("PUPC 1.1, other events", pupc_more),
    ("PUPC 1.1, a tool in a static library", pupc_library),
    ("units with and without instrumentation", mixed),
    ("an instrumented program without a tool", no_tool),
    ("the bundled dump, chosen when linking", bundled::chosen),
    ("where the dump goes", bundled::files),
    ("the dump of a job that dies", bundled::dying),
    ("hot accesses by way of the cache are counted", hot::cached),
    ("estimated times of hot accesses fit in the run", hot::known),
    ("tools that do not exist", bundled::unknown),
    ("a list with a name that is not an event", unknown_name),
];

/// The folders of the tests' sources and of their work.
pub struct Bench<'a> {
    pub context: &'a Context,
    pub sources: PathBuf,
    pub work: PathBuf,
}

/// Returns every case with every compiler.
pub fn tests(context: &'static Context, work: &'static Path) -> Vec<Test> {
    let cases = CASES
        .iter()
        .enumerate()
        .flat_map(|(number, case)| compilers_of(number, context.long).map(move |cc| (case, cc)));
    let test = |(number, (&(name, test), cc)): (usize, (&'static Case, &'static str))| {
        Test::one(format!("{name}::{cc}"), move || {
            let bench = Bench {
                context,
                sources: context.root.join("tests/events"),
                work: work.join(format!("client-{number}")),
            };
            std::fs::create_dir_all(&bench.work).map_err(|e| e.to_string())?;
            test(&bench, cc)
        })
    };
    cases.enumerate().map(test).collect()
}

impl Bench<'_> {
    /// Runs `upcc` without warnings in the work folder; words that begin with `@` are files of the tests.
    pub fn upcc(&self, cc: &str, words: &str) -> Result<Output, String> {
        let mut upcc = self.context.upcc(cc);
        upcc.current_dir(&self.work).arg("-w");
        for word in words.split_whitespace() {
            match word.split_once('@') {
                Some((flag, file)) => {
                    let path = self.sources.join(file);
                    upcc.arg(format!("{flag}{}", path.display()))
                }
                None => upcc.arg(word),
            };
        }
        process::must(&mut upcc, COMPILE)
    }

    fn archive(&self, library: &str, object: &str) -> Result<(), String> {
        let mut ar = Command::new("ar");
        ar.current_dir(&self.work).args(["rcs", library, object]);
        process::must(&mut ar, COMPILE).map(|_| ())
    }

    /// Runs a program of the work folder with these variables.
    pub fn launch(
        &self,
        program: &str,
        set: &[(&str, &Path)],
        status: i32,
    ) -> Result<Output, String> {
        let mut upcrun = self.context.upcrun(THREADS, &self.work.join(program));
        upcrun.current_dir(&self.work).envs(set.iter().copied());
        let output = process::run(&mut upcrun, RUN)?;
        match output.code() == Some(status) {
            true => Ok(output),
            false => Err(output.tail()),
        }
    }

    /// Runs a program whose tool writes one file per thread to `TOOL_OUTPUT`, and returns the lines of these files.
    fn reported(
        &self,
        program: &str,
        set: &[(&str, &Path)],
        status: i32,
    ) -> Result<(Output, Vec<Vec<String>>), String> {
        let file = self.work.join("reported");
        let set = [set, &[("TOOL_OUTPUT", &file)]].concat();
        let output = self.launch(program, &set, status)?;
        let lines = |thread: usize| {
            let text = read(&file.with_extension(thread.to_string()))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        let files: Result<_, String> = (0..THREADS).map(lines).collect();
        Ok((output, files?))
    }

    /// Compares the lines of a thread with `NAME.THREAD` of the tests.
    fn same(&self, name: &str, thread: usize, found: &[String]) -> Result<(), String> {
        let expected = read(&self.sources.join(format!("{name}.{thread}")))?;
        let expected: Vec<String> = expected.lines().map(str::to_owned).collect();
        dump::compare(&expected, found).map_err(|why| format!("thread {thread}: {why}"))
    }
}

/// `upcc --inst --inst-toolname=T gaspu.upc -Ldir -lT app.upc`
fn gasp_library(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, "-c -I@client @client/tool.c -o tool.o")?;
    bench.archive("libgasp-client.a", "tool.o")?;
    let link = "--inst --inst-functions --inst-toolname=client -I@client @client/gaspu.upc -L. -lgasp-client @client/app.upc -o app";
    bench.upcc(cc, link)?;
    gasp_run(bench, &[])
}

/// The C side is compiled with instrumentation, which its pragma switches off, and with other flags of TAU's; the UPC
/// side is given at the link.
fn gasp_like_tau(bench: &Bench, cc: &'static str) -> Result<(), String> {
    let flags = "-inst-toolname=gasp-tau -inst -inst-functions -network=smp -I@client";
    let tool = "-Wc,-fPIC -DTAU_UNIFY -c @client/tool.c -o TauGASP.o";
    // Upcalls that raise events themselves.
    let flags = format!("{flags} -DRAISE_EVENTS");
    bench.upcc(cc, &format!("{flags} {tool}"))?;
    bench.upcc(cc, &format!("{flags} -c @client/app.upc -o app.o"))?;
    let link = "app.o TauGASP.o @client/gaspu.upc -Wl,-Wl,-rpath=/nowhere -Wl,-lm -o app";
    bench.upcc(cc, &format!("{flags} {link}"))?;
    gasp_run(bench, &[])
}

/// Runs the program `app` with the tool of `client` and these variables.
pub fn gasp_run(bench: &Bench, set: &[(&str, &Path)]) -> Result<(), String> {
    let (output, reported) = bench.reported("app", set, 0)?;
    if output.out() != "tool: all threads are complete\n" {
        return Err(format!("its end is not complete: {}", output.tail()));
    }
    for (thread, mut lines) in reported.into_iter().enumerate() {
        let objects: Vec<String> = lines
            .extract_if(.., |line| line.contains(" STATIC_SHARED "))
            .collect();
        let array = "app.upc:7:0 STATIC_SHARED ATOMIC 2 4 0:0 * 4 a shared int[THREADS]";
        if !objects.iter().any(|line| line == array) {
            return Err(format!("receives no event of array a: {objects:?}"));
        }
        // The UPC side has functions, too: with `#pragma pupc off`, or with events of upcalls, which the tool drops.
        bench.same("client/expected", thread, &lines)?;
    }
    Ok(())
}

/// The tool's own object, compiled without instrumentation.
const PUPC_TOOL: &str = "-c -DPUPC_TOOL @pupc/tool.upc -o tool.o";

/// With one thread no access would be remote. In the paper's text the arguments of PUPC_INIT are NULL if main has no
/// parameters; the runtime always passes the program's arguments, as section 3.2.1 requires for the tool.
fn pupc_first(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, PUPC_TOOL)?;
    bench.upcc(cc, "--profile @pupc/main1.c tool.o -o main1")?;
    let (_, reported) = bench.reported("main1", &[], 2)?;
    for (thread, lines) in reported.iter().enumerate() {
        bench.same("pupc/main1.expected", thread, lines)?;
    }
    // If local accesses are reported as well, thread 0 reports the same as thread 1.
    bench.upcc(cc, "--profile --inst-local @pupc/main1.c tool.o -o main1")?;
    let (_, reported) = bench.reported("main1", &[], 2)?;
    dump::compare(&reported[1], &reported[0])
}

/// The accesses to a[i] are local, as the paper assumes; those under `#pragma pupc off` are not reported; user events
/// have one id for start and end.
fn pupc_second(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, PUPC_TOOL)?;
    bench.upcc(cc, "--profile @pupc/main2.c tool.o -o main2")?;
    let (_, reported) = bench.reported("main2", &[], 0)?;
    for (thread, lines) in reported.iter().enumerate() {
        // The tool reads a floating-point argument that was not passed.
        let known = lines
            .iter()
            .map(|line| match line.split_once(" C0000000 0 ") {
                Some((place, _)) => format!("{place} C0000000 0 X"),
                None => line.clone(),
            });
        bench.same("pupc/main2.expected", thread, &known.collect::<Vec<_>>())?;
    }
    Ok(())
}

fn pupc_more(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, PUPC_TOOL)?;
    bench.upcc(cc, "--profile @pupc/more.upc tool.o -o more")?;
    let (_, reported) = bench.reported("more", &[], 4)?;
    // The other thread is stopped at an arbitrary place.
    bench.same("pupc/more.expected", 0, &reported[0])?;
    write(&bench.work.join("names"), "next\n")?;
    bench.upcc(
        cc,
        "--profile --exclude-functions names @pupc/more.upc tool.o -o more",
    )?;
    let (_, reported) = bench.reported("more", &[], 4)?;
    match reported[0].iter().find(|line| line.contains("USERFN")) {
        None => Ok(()),
        Some(line) => Err(format!("receives events of an excluded function: {line}")),
    }
}

/// An instrumented unit references the tool, so that the tool may be in a library; with structs for pointers-to-shared
/// as arguments.
fn pupc_library(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, &format!("-fupc-pts=struct {PUPC_TOOL}"))?;
    bench.archive("libold.a", "tool.o")?;
    bench.upcc(
        cc,
        "-fupc-pts=struct --profile @pupc/more.upc -L. -lold -o more",
    )?;
    let (_, reported) = bench.reported("more", &[], 4)?;
    bench.same("pupc/more.expected", 0, &reported[0])
}

fn mixed(bench: &Bench, cc: &'static str) -> Result<(), String> {
    for (flags, unit) in [
        ("--inst-functions", "main"),
        ("--inst-functions", "instrumented"),
        ("", "uninstrumented"),
    ] {
        bench.upcc(cc, &format!("{flags} -c @mixed/{unit}.upc -o {unit}.o"))?;
    }
    // It makes no difference whether the link is given the instrumentation flag.
    for link in ["", "--inst"] {
        bench.upcc(
            cc,
            &format!("{link} main.o instrumented.o uninstrumented.o -o mixed"),
        )?;
        let file = bench.work.join("dump.%");
        let set = [("UPC_TOOL", Path::new("dump")), ("GASP_DUMPFILE", &file)];
        bench.launch("mixed", &set, 0)?;
        for thread in 0..THREADS {
            let lines = dump::read_file(&bench.work.join(format!("dump.{thread}")))?;
            dump::balanced(&lines)?;
            let barriers = lines
                .iter()
                .filter(|line| line.contains("UPC_BARRIER START"));
            // Objects are reported whatever unit they are in.
            let events = lines.iter().filter(|line| !line.contains("STATIC_SHARED"));
            let silent = !events.clone().any(|line| line.contains("uninstrumented"));
            // The barriers of instrumented(1) and, from uninstrumented(1), instrumented(0).
            if barriers.count() != 2 || !silent {
                return Err(format!("thread {thread}: {}", lines.join("\n    ")));
            }
        }
    }
    Ok(())
}

fn no_tool(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, "--inst-local --inst-functions @client/app.upc -o app")?;
    for tool in [None, Some("none")] {
        let set = tool.map(|tool| ("UPC_TOOL", Path::new(tool)));
        let output = bench.launch("app", set.as_slice(), 0)?;
        if !output.out().is_empty() || !output.err().is_empty() {
            return Err(format!("says something: {}", output.tail()));
        }
    }
    Ok(())
}

/// Tests `--inst-only`: unknown names are reported and skipped.
fn unknown_name(bench: &Bench, cc: &'static str) -> Result<(), String> {
    write(
        &bench.work.join("names"),
        "GASP_UPC_BARRIER\nGASP_UPC_BARIER\n",
    )?;
    let mut upcc = bench.context.upcc(cc);
    let app = bench.sources.join("client/app.upc");
    upcc.current_dir(&bench.work)
        .args(["--inst-only", "names", "-o", "app"])
        .arg(app);
    let said = process::must(&mut upcc, COMPILE)?.err();
    if !said.contains("GASP_UPC_BARIER") || said.contains("GASP_UPC_BARRIER") {
        return Err(format!("a name that is not an event: {said}"));
    }
    let file = bench.work.join("dump.%");
    let set = [("UPC_TOOL", Path::new("dump")), ("GASP_DUMPFILE", &file)];
    bench.launch("app", &set, 0)?;
    let lines = dump::read_file(&bench.work.join("dump.0"))?;
    // Two barriers; events of the user are not subject to lists.
    let (barriers, steps) = (
        |line: &&String| line.contains(" UPC_BARRIER "),
        |line: &&String| line.contains(" step "),
    );
    let found = [
        lines.len(),
        lines.iter().filter(barriers).count(),
        lines.iter().filter(steps).count(),
    ];
    match found == [6, 4, 2] {
        true => Ok(()),
        false => Err(lines.join("\n    ")),
    }
}
