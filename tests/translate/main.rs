//! Snapshots of the translation, by language topic. A snapshot holds the UPC text and the C that comes out of it; the C must parse with lang-c and
//! compile without a warning in gcc and clang, for both representations of pointers-to-shared.

mod accesses;
mod affinity;
mod debug;
mod declarations;
mod events;
mod functions;
mod initialisers;
mod pointers;
mod statements;
mod structs;

use std::path::Path;
use std::process::Command;
use upcc::diag::{Diagnostics, WarningPolicy};
use upcc::events::Instrument;
use upcc::sema::{SemaOptions, analyse};

/// Translates, checks and snapshots a program.
macro_rules! assert_translation {
    ($source:expr $(,)?) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(crate::translation($source, crate::Form::default()));
        })
    };
    ($($field:ident = $value:expr,)+ $source:expr $(,)?) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            let form = crate::Form { $($field: $value,)+ ..crate::Form::default() };
            insta::assert_snapshot!(crate::translation($source, form));
        })
    };
}
pub(crate) use assert_translation;

/// How a program is translated.
#[derive(Clone, Copy, Default)]
pub(crate) struct Form {
    /// `-fupc-threads`.
    threads: Option<u32>,
    /// `-g`.
    debug: bool,
    /// `--inst` and its like, behind the pass that rewrites loops.
    inst: Option<fn() -> Instrument>,
}

/// The snapshot of a program: its text and the C, each under a heading.
pub(crate) fn translation(source: &str, form: Form) -> String {
    let source = source.trim_start_matches('\n');
    let c = translate(source, form);
    for pts in ["packed", "struct"] {
        for compiler in ["gcc", "clang"] {
            check_compiles(compiler, &c, pts, form);
        }
    }
    check_parses(&c);
    let shown = c.splitn(4, '\n').nth(3).unwrap_or(&c);
    format!("---- UPC\n{source}---- C\n{shown}")
}

fn translate(source: &str, form: Form) -> String {
    let mut parsed = upcc_grammar::parse(format!("# 1 \"t.upc\"\n{source}"));
    assert!(parsed.errors.is_empty(), "syntax: {:?}", parsed.errors);
    let mut diags = Diagnostics::new(WarningPolicy::default());
    let options = SemaOptions {
        static_threads: form.threads,
        max_block_size: (1 << 20) - 1,
        pts_bytes: 8,
        ms_members: false,
        abi: upcc::types::Abi::default(),
        keep_plain: false,
        keep_bodies: form.inst.is_some(),
    };
    let mut module = analyse(&mut parsed, options, &mut diags);
    assert!(!diags.has_errors(), "errors: {:#?}", diags.items());
    let inst = form.inst.map(|inst| inst());
    let plan = upcc::passes::Plan {
        instrument: inst.as_ref(),
        locality: inst.is_some(),
        checks: false,
    };
    upcc::passes::run(&mut module, &parsed, plan);
    let events = inst.map_or("", |_| "#define UPCR_INST 1\n");

    let head = format!(
        "{events}#include \"upcr/upcr.h\"\nUPCR_PROGRAM_THREADS({});\n",
        form.threads.unwrap_or(0)
    );
    let style = upcc::emit::EmitOptions {
        head: &head,
        lines: true,
        debug: form.debug,
        print_plain: false,
    };
    let valid = upcc::il::validate::lowered(&module).expect("the passes keep the invariants");
    upcc::emit::emit(valid, &parsed, style)
}

fn check_compiles(compiler: &str, c: &str, pts: &str, form: Form) {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c/include");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("t.c");
    std::fs::write(&file, c).expect("the temporary directory is writable");
    let mut command = Command::new(compiler);
    command
        .args([
            "-std=gnu11",
            "-fsyntax-only",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
        ])
        .args([
            "-Wno-unused-parameter",
            "-Wno-unused-function",
            "-Wno-unknown-pragmas",
        ])
        .arg("-I")
        .arg(include)
        .arg(&file);
    if pts == "struct" {
        command.arg("-DUPCR_PTS_STRUCT");
    }
    if form.debug {
        command.arg("-g");
    }
    if let Some(n) = form.threads {
        command.arg(format!("-DUPCR_STATIC_THREADS={n}"));
    }
    let output = command.output().expect("the compiler runs");
    assert!(
        output.status.success(),
        "{compiler}, {pts}:\n{}\n{c}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// lang-c knows no UPC headers of ours: the runtime's names stand for themselves once preprocessed.
fn check_parses(c: &str) {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c/include");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("t.c");
    std::fs::write(&file, c).expect("the temporary directory is writable");
    let config = lang_c::driver::Config {
        cpp_command: "gcc".into(),
        // It has no __int128; the headers do without where the compiler has none.
        cpp_options: vec![
            "-E".into(),
            "-U__SIZEOF_INT128__".into(),
            // Nor asm at file scope.
            "-D__asm__(...)=".into(),
            // Nor a type taken from an initialiser.
            "-D__auto_type=int".into(),
            // Nor attributes as statements.
            "-D__attribute__(...)=".into(),
            format!("-I{}", include.display()),
        ],
        flavor: lang_c::driver::Flavor::GnuC11,
    };
    if let Err(error) = lang_c::driver::parse(&config, &file) {
        panic!("lang-c: {error}\n{c}");
    }
}
