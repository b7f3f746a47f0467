//! Support for editors (`editors/`), played without a screen: Vim and Emacs open a source, and report the class of each
//! word and the places of `upcc`'s messages; the TextMate grammar of VS Code is applied to a text with assertions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::test::Test;
use crate::context::{Context, RUN, files, forever, read, stem, write};
use crate::process;
use crate::report::Tally;
use crate::tools::{self, Need};

/// The lines that an editor must report, in order.
type Report = &'static [&'static str];

const VIM: Report = &[
    "mode upc",
    "shared upcQualifier",
    "THREADS upcConstant",
    "int cType",
    "upc_lock_t upcType",
    "upc_all_lock_alloc upcFunction",
    "upc_forall upcRepeat",
    "upc_barrier upcStatement",
    "MYTHREAD upcConstant",
    "return cStatement",
    "comment cComment",
    "sample.upc:9:16 `nothing` is not declared [E0300]",
];

const EMACS: Report = &[
    "mode upc-mode",
    "shared font-lock-keyword-face",
    "THREADS font-lock-constant-face",
    "int font-lock-type-face",
    "upc_lock_t font-lock-type-face",
    "upc_all_lock_alloc font-lock-builtin-face",
    "upc_forall font-lock-keyword-face",
    "upc_barrier font-lock-keyword-face",
    "MYTHREAD font-lock-constant-face",
    "return font-lock-keyword-face",
    "comment font-lock-comment-face",
    "body of upc_forall deeper: t",
    "sample.upc:9:16: error: `nothing` is not declared [E0300]",
    "server upcc",
    "arguments lsp",
];

/// What the extension for VS Code asks of the editor.
const EXTENSION: Report = &[
    "starts",
    "upcc lsp",
    r#"{"flags":["-T=2"]}"#,
    "upc",
    "shows # E0300",
    "returns # E0300",
    "stops",
];

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("editors")?).as_path();
    let vim = move || {
        let folder = place(context, work, "vim", "vim.vim")?;
        let scripts = context.root.join("editors/vim");
        let mut vim = Command::new("vim");
        vim.args(["-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "--cmd"])
            .arg(format!("set runtimepath^={}", scripts.display()))
            .args(["-S", "vim.vim"]);
        play(context, &folder, vim, VIM)
    };
    let emacs = move || {
        let folder = place(context, work, "emacs", "emacs.el")?;
        let mode = context.root.join("editors/emacs/upc-mode.el");
        fs::copy(&mode, folder.join("upc-mode.el")).map_err(|e| e.to_string())?;
        let mut emacs = Command::new("emacs");
        emacs.args(["-Q", "--batch", "-l", "emacs.el"]);
        play(context, &folder, emacs, EMACS)
    };
    let grammar = move || {
        let mut checker = Command::new("node");
        checker
            .arg(tools::grammar_checker())
            .arg("-g")
            .arg(
                context
                    .root
                    .join("editors/vscode/syntaxes/upc.tmLanguage.json"),
            )
            .arg(context.root.join("tests/editors/grammar.upc"));
        process::must(&mut checker, RUN).map(|_| ())
    };
    let mut tests = vec![
        Test::one("vim", vim),
        Test::one("emacs", emacs),
        Test::one("vscode grammar", grammar),
        Test::one("vscode extension", move || extension(context)),
        Test::new("clangd header", move || clangd_header(context)),
    ];
    if context.long {
        tests.push(Test::new("clangd", move || clangd(context, work)));
    }
    Ok(tests)
}

fn extension(context: &Context) -> Result<(), String> {
    let mut node = Command::new("node");
    node.arg(context.root.join("tests/editors/extension.js"))
        .arg(context.root.join("editors/vscode/extension.js"));
    compare(&process::must(&mut node, RUN)?.out(), EXTENSION)
}

/// Samples that Clang cannot read: they have layout qualifiers in blocks, structures, casts or behind `static` or
/// `typedef`, and `matmul_temporal` has `continue` as an affinity outside any loop.
const UNREADABLE: &[&str] = &[
    "apexmap",
    "cg",
    "doc",
    "fft",
    "heat",
    "isort",
    "list",
    "matmul_temporal",
];

/// With the header for clangd, Clang has nothing to say about the other samples.
fn clangd_header(context: &Context) -> Tally {
    let include = context.root.join("runtime-c/include");
    let mut tally = Tally::default();
    let samples = match files(&context.root.join("samples"), "upc") {
        Ok(samples) => samples,
        Err(why) => return Tally::one("samples", Err(why)),
    };
    for sample in samples {
        let mut clang = Command::new("clang");
        clang
            .args([
                "-fsyntax-only",
                "-Wall",
                "-x",
                "c",
                "-std=gnu11",
                "-fms-extensions",
            ])
            .arg("-include")
            .arg(include.join("upcc-clangd.h"))
            .arg("-isystem")
            .arg(&include)
            .arg(&sample);
        let inside = UNREADABLE.contains(&stem(&sample).as_str());
        let verdict = process::run(&mut clang, RUN).and_then(|output| {
            match (output.ok() && output.err().is_empty(), inside) {
                (true, false) | (false, true) => Ok(()),
                (false, false) => Err(output.tail()),
                (true, true) => Err("is quiet: remove it from UNREADABLE".to_owned()),
            }
        });
        tally.add(&stem(&sample), verdict);
    }
    tally
}

/// With the example of a `.clangd` file, clangd reports nothing about any sample; without the part that turns off its
/// diagnostics, nothing about those that Clang can read.
fn clangd(context: &Context, work: &Path) -> Tally {
    if let Some(why) = tools::missing(&[Need::Clangd]) {
        return Tally::skipped("clangd", &why);
    }
    let mut tally = Tally::default();
    let tried = |loud: bool| clangd_messages(context, &work.join(format!("clangd-{loud}")), loud);
    for (loud, messages) in [(false, tried(false)), (true, tried(true))] {
        match messages {
            Err(why) => tally.add("samples", Err(why)),
            Ok(samples) => {
                for (sample, messages) in samples {
                    let expected = loud && UNREADABLE.contains(&sample.as_str());
                    let verdict = match messages.is_empty() != expected {
                        true => Ok(()),
                        false => Err(format!("clangd says:\n{}", messages.join("\n"))),
                    };
                    let form = if loud { "all messages" } else { "as shipped" };
                    tally.add(&format!("{sample}, {form}"), verdict);
                }
            }
        }
    }
    tally
}

/// Returns the messages of clangd about each sample. loud: without the part of the example behind `---`.
fn clangd_messages(
    context: &Context,
    folder: &Path,
    loud: bool,
) -> Result<Vec<(String, Vec<String>)>, String> {
    fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    let example = read(&context.root.join("editors/clangd/dot-clangd"))?;
    let include = context.root.join("runtime-c/include");
    let config = example.replace("DIR", &include.to_string_lossy());
    let (first, second) = config
        .split_once("\n---\n")
        .ok_or("the example has one part")?;
    let config = match loud {
        true => format!("{first}\n"),
        false => format!("{first}\n---\n{second}"),
    };
    write(&folder.join(".clangd"), &config)?;
    let mut all = Vec::new();
    for sample in files(&context.root.join("samples"), "upc")? {
        let copy = folder.join(format!("{}.upc", stem(&sample)));
        fs::copy(&sample, &copy).map_err(|e| e.to_string())?;
        let mut clangd = Command::new("clangd");
        // Line 1 alone is asked about: diagnostics are those of the whole file.
        clangd
            .current_dir(folder)
            .arg(format!("--check={}", copy.display()))
            .arg("--check-lines=1-1");
        let output = process::run(&mut clangd, RUN)?;
        let said = output.err();
        if !said.contains("All checks completed") {
            return Err(format!("clangd --check has no end: {}", output.tail()));
        }
        let messages = said.lines().filter(|line| {
            let message = line.split_once("] ").map_or("", |(_, text)| text);
            line.starts_with(['E', 'W']) && message.starts_with('[')
        });
        all.push((stem(&sample), messages.map(str::to_owned).collect()));
    }
    Ok(all)
}

/// Makes a folder with the sample and a script.
fn place(context: &Context, work: &Path, name: &str, script: &str) -> Result<PathBuf, String> {
    let folder = work.join(name);
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for file in ["sample.upc", script] {
        let from = context.root.join("tests/editors").join(file);
        fs::copy(&from, folder.join(file)).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    Ok(folder)
}

/// Runs an editor, which finds `upcc` as users do, and compares its report.
fn play(
    context: &Context,
    folder: &Path,
    mut editor: Command,
    wanted: Report,
) -> Result<(), String> {
    let upcc = context.upcc("gcc");
    let ours = Path::new(upcc.get_program()).parent().unwrap_or(folder);
    let path = std::env::var("PATH").unwrap_or_default();
    editor
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", ours.display()))
        .env("UPCC_NORC", "1")
        .env("HOME", folder);
    let output = process::run(&mut editor, RUN)?;
    let report = read(&folder.join("report.txt"))
        .map_err(|why| format!("{why}; the editor says {}", output.tail()))?;
    compare(&report, wanted)
}

fn compare(report: &str, wanted: Report) -> Result<(), String> {
    let lines: Vec<&str> = report.lines().collect();
    let differs = wanted
        .iter()
        .enumerate()
        .find(|&(at, line)| lines.get(at) != Some(line));
    match differs {
        Some((at, line)) => Err(format!(
            "line {} of the report is {:?}, not {line:?}",
            at + 1,
            lines.get(at)
        )),
        None if lines.len() > wanted.len() => {
            Err(format!("the report has more: {:?}", lines[wanted.len()]))
        }
        None => Ok(()),
    }
}
