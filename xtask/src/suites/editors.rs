//! Support for editors (`editors/`), played without a screen: Vim and Emacs open a source, and report the class of each
//! word and the places of `upcc`'s messages; the TextMate grammar of VS Code is applied to a text with assertions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::test::Test;
use crate::context::{Context, RUN, files, forever, read, stem};
use crate::process;
use crate::report::Tally;
use crate::tools;

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
    Ok(vec![
        Test::one("vim", vim),
        Test::one("emacs", emacs),
        Test::one("vscode grammar", grammar),
        Test::one("vscode extension", move || extension(context)),
        Test::new("clangd header", move || clangd(context)),
    ])
}

fn extension(context: &Context) -> Result<(), String> {
    let mut node = Command::new("node");
    node.arg(context.root.join("tests/editors/extension.js"))
        .arg(context.root.join("editors/vscode/extension.js"));
    compare(&process::must(&mut node, RUN)?.out(), EXTENSION)
}

/// Samples with layout qualifiers in blocks, structures, casts or behind `static`, where Clang cannot read them.
const LAYOUTS_INSIDE: &[&str] = &[
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
fn clangd(context: &Context) -> Tally {
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
        let inside = LAYOUTS_INSIDE.contains(&stem(&sample).as_str());
        let verdict = process::run(&mut clang, RUN).and_then(|output| {
            match (output.ok() && output.err().is_empty(), inside) {
                (true, false) | (false, true) => Ok(()),
                (false, false) => Err(output.tail()),
                (true, true) => Err("is quiet: remove it from LAYOUTS_INSIDE".to_owned()),
            }
        });
        tally.add(&stem(&sample), verdict);
    }
    tally
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
