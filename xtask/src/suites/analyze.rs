//! Programs with one planted fault each, analysed by `upcprof analyze`: `tests/analyze`. Costs, and the order of findings by
//! cost, depend on the machine; unit tests check them on recordings whose times are chosen.

use std::path::Path;
use std::process::Command;

use super::test::Test;
use crate::context::{COMPILE, Context, RUN, files, forever, read, stem};
use crate::process;

/// Findings whose cost is the waiting of threads that a busy machine delays: a program without fault may have them.
const OF_TIME: &[&str] = &["late-thread", "load-imbalance"];
/// The largest share of the thread time, in percent, of any other finding in a program without fault.
const CLEAN: f64 = 2.0;
const THREADS: &[u32] = &[2, 4];

/// What a program declares in its first lines.
struct Planted {
    /// The kind, the line, and the thread if it is one. None: a program without fault.
    finding: Option<(String, u64, Option<u64>)>,
    threads: Vec<u32>,
    flags: Vec<String>,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("analyze")?).as_path();
    let mut tests = Vec::new();
    for source in files(&context.root.join("tests/analyze"), "upc")? {
        let planted: &Planted = forever(planted(&source)?);
        for &threads in &planted.threads {
            let source = source.clone();
            let name = format!("{}::{threads}-threads", stem(&source));
            tests.push(Test::one(&name, move || {
                analysed(context, work, &source, planted, threads)
            }));
        }
    }
    Ok(tests)
}

fn planted(source: &Path) -> Result<Planted, String> {
    let text = read(source)?;
    let value = |key: &str| {
        let start = format!("// {key}: ");
        text.lines().find_map(|line| line.strip_prefix(&start))
    };
    let wrong = || {
        format!(
            "{}: `// finding: KIND LINE [thread N]` or none",
            source.display()
        )
    };
    let words: Vec<&str> = value("finding").ok_or_else(wrong)?.split(' ').collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| wrong());
    let finding = match words[..] {
        ["none"] => None,
        [kind, line] => Some((kind.to_owned(), number(line)?, None)),
        [kind, line, "thread", thread] => {
            Some((kind.to_owned(), number(line)?, Some(number(thread)?)))
        }
        _ => return Err(wrong()),
    };
    let threads = value("threads").map(|list| list.split(' ').map(|it| it.parse()).collect());
    let threads: Result<Vec<u32>, _> = threads.unwrap_or_else(|| Ok(THREADS.to_vec()));
    Ok(Planted {
        finding,
        threads: threads.map_err(|e| format!("{}: {e}", source.display()))?,
        flags: value("flags")
            .map(|flags| flags.split(' ').map(str::to_owned).collect())
            .unwrap_or_default(),
    })
}

fn analysed(
    context: &Context,
    work: &Path,
    source: &Path,
    planted: &Planted,
    threads: u32,
) -> Result<(), String> {
    let program = work.join(format!("{}-{threads}", stem(source)));
    let recording = program.with_extension("upcprof");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-O", "--inst-local"]).args(&planted.flags);
    process::must(upcc.arg(source).arg("-o").arg(&program), COMPILE)?;
    let mut run = Command::new(&context.upcrun);
    run.args(["-n", &threads.to_string(), "-trace", "-tracefile"]);
    run.arg(&recording).arg(&program);
    let printed = process::must(&mut run, RUN)?.out();
    if printed.trim() != "PASS" {
        return Err(format!("the program printed {printed:?}"));
    }
    let mut analyze = Command::new(&context.upcprof);
    analyze
        .args(["analyze", "--format", "json"])
        .arg(&recording);
    let text = process::must(&mut analyze, RUN)?.out();
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let findings = json["findings"]
        .as_array()
        .ok_or("no findings in the JSON")?;
    match &planted.finding {
        Some((kind, line, thread)) => {
            let is_it = |it: &&serde_json::Value| {
                it["kind"] == kind.as_str()
                    && it["line"] == *line
                    && thread.is_none_or(|thread| it["thread"] == thread)
            };
            match findings.iter().find(is_it) {
                Some(_) => Ok(()),
                None => Err(format!(
                    "no {kind} at line {line}, thread {thread:?}: {findings:#?}"
                )),
            }
        }
        None => {
            let is_wrong = |it: &&serde_json::Value| {
                let of_time = it["kind"]
                    .as_str()
                    .is_some_and(|kind| OF_TIME.contains(&kind));
                !of_time
                    && it["cost_percent"]
                        .as_f64()
                        .is_none_or(|share| share > CLEAN)
            };
            match findings.iter().find(is_wrong) {
                None => Ok(()),
                Some(finding) => Err(format!("a finding in a program without fault: {finding:#}")),
            }
        }
    }
}
