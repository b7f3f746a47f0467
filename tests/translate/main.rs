//! Snapshots of the translation, by language topic. A snapshot contains the UPC text and the C that `upcc` makes of it
//! in a form that users have, `-O` by default. The C must parse with lang-c and compile without a warning: with packed
//! pointers-to-shared in gcc, and every second one as structs in clang; in a long run both in both. Where there is no
//! clang, gcc takes its part. The snapshots of `forms` show a program in all forms.

mod accesses;
mod affinity;
mod debug;
mod declarations;
mod events;
mod fences;
mod forms;
mod functions;
mod initialisers;
mod pointers;
mod runs;
mod statements;
mod structs;

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

/// Translates, checks and snapshots a program.
macro_rules! assert_translation {
    (flags = $flags:expr, list = $list:expr, $source:expr $(,)?) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            let form = crate::Form { flags: $flags, list: $list };
            insta::assert_snapshot!(crate::translation($source, form));
        })
    };
    (flags = $flags:expr, $source:expr $(,)?) => {
        crate::assert_translation!(flags = $flags, list = "", $source)
    };
    ($source:expr $(,)?) => {
        crate::assert_translation!(flags = &["-O"], $source)
    };
}
pub(crate) use assert_translation;

/// Does the same in each of [`FORMS`].
macro_rules! assert_forms {
    ($source:expr $(,)?) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(crate::in_forms($source));
        })
    };
}
pub(crate) use assert_forms;

/// Snapshots what `upcc` prints about a program with some flags, on standard output and on standard error.
macro_rules! assert_output {
    ($flags:expr, $source:expr $(,)?) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(crate::printed($source, $flags));
        })
    };
}
pub(crate) use assert_output;

/// How a program is translated: the command line of `upcc`.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// The flags, without the one that selects the representation of pointers-to-shared.
    flags: &'static [&'static str],
    /// The contents of the file `list`, which a flag may name.
    list: &'static str,
}

impl Form {
    const fn of(flags: &'static [&'static str]) -> Form {
        Form { flags, list: "" }
    }
}

/// The forms in which users have programs. The others are compared with the first.
const FORMS: &[(&str, Form)] = &[
    ("plain", Form::of(&["-O"])),
    ("checked", Form::of(&["-O", "-fupc-checks"])),
    ("static", Form::of(&["-O", "-T=4"])),
    ("messages", Form::of(&["-O", "-network=mpi"])),
    ("instrumented", Form::of(&["-O", "--inst"])),
];

/// Returns the snapshot of a program: its text and the C, each under a heading.
pub(crate) fn translation(source: &str, form: Form) -> String {
    let source = source.trim_start_matches('\n');
    format!("---- UPC\n{source}---- C\n{}", translate(source, form))
}

/// Returns the snapshot of a program in all forms. For each form but the first it shows the lines that the first does
/// not have.
pub(crate) fn in_forms(source: &str) -> String {
    let source = source.trim_start_matches('\n');
    let mut text = format!("---- UPC\n{source}");
    let mut plain: Option<String> = None;
    for (name, form) in FORMS {
        let c = translate(source, *form);
        let known = plain.clone().unwrap_or_default();
        let is_new = |line: &&str| !known.lines().any(|it| it == *line);
        text += &format!("---- {name}\n");
        for line in c.lines().filter(is_new) {
            text += &format!("{line}\n");
        }
        plain.get_or_insert(c);
    }
    text
}

/// Returns the C that `upcc` makes of a program, without the line markers. It must compile.
fn translate(source: &str, form: Form) -> String {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), text).expect("the temporary directory is writable");
    };
    write("t.upc", source);
    write("list", form.list);
    let c = upcc(&dir, form, "packed");
    check_compiles("gcc", &c, "packed", form);
    let long = std::env::var_os("UPCC_TEST_LONG").is_some();
    if long || source.len().is_multiple_of(2) {
        check_compiles(other(), &upcc(&dir, form, "struct"), "struct", form);
    }
    if long {
        check_compiles(other(), &c, "packed", form);
        check_compiles("gcc", &upcc(&dir, form, "struct"), "struct", form);
    }
    check_parses(&c);
    shown(&c)
}

/// The compiler beside gcc: clang, or gcc again where there is none.
fn other() -> &'static str {
    static OTHER: LazyLock<&str> = LazyLock::new(|| {
        let clang = Command::new("clang").arg("--version").output();
        match clang.is_ok_and(|output| output.status.success()) {
            true => "clang",
            false => "gcc",
        }
    });
    &OTHER
}

/// Runs the driver itself, including preprocessor, passes and validator.
fn upcc(dir: &TempDir, form: Form, pts: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(dir.path())
        .env("UPCC_CC", "gcc")
        .env(
            "UPCC_RUNTIME_DIR",
            Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c"),
        )
        .args(form.flags)
        .arg(format!("-fupc-pts={pts}"))
        .args(["--emit=c", "t.upc"])
        .output()
        .expect("upcc runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "upcc {:?}: {said}", form.flags);
    String::from_utf8(output.stdout).expect("C text of an ASCII program")
}

/// Returns a program and what `upcc` prints about it.
pub(crate) fn printed(source: &str, flags: &[&str]) -> String {
    let source = source.trim_start_matches('\n');
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("t.upc"), source).expect("the directory is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(dir.path())
        .args(flags)
        .arg("t.upc")
        .output()
        .expect("upcc runs");
    let [out, err] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "upcc {flags:?}: {err}");
    format!("---- UPC\n{source}---- printed\n{out}{err}")
}

/// Removes the markers of the preprocessor's initial text, and the lines that every unit has.
fn shown(c: &str) -> String {
    let always = |line: &str| {
        let of_others = line.starts_with("# ") && !line.contains("\"t.upc\"");
        of_others
            || line.starts_with("# 0 ")
            || line.starts_with("UPCR_UNIT(")
            || ["#include \"upcr/upcr.h\"", "# 1 \"t.upc\""].contains(&line)
    };
    let lines = c.lines().filter(|line| !always(line));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    match unit_number(c) {
        Some(number) => text.replace(number, "UNIT"),
        None => text,
    }
}

/// Returns the number that distinguishes objects of internal linkage in different units. It depends on the folder,
/// which the preprocessor names with `-g`.
fn unit_number(c: &str) -> Option<&str> {
    let places = c.split("UPCR_DEBUG_PLACE(").skip(1);
    let numbers = places.filter_map(|place| place.split_once(')')?.0.split_once(", "));
    numbers.map(|(_, number)| number).find(|it| *it != "0")
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
        // As in the driver: no warnings about the expansion of the runtime's macros.
        .arg("-isystem")
        .arg(include)
        .arg(&file);
    if form.flags.contains(&"-g") {
        command.arg("-g");
    }
    let output = command.output().expect("the compiler runs");
    assert!(
        output.status.success(),
        "{compiler}, {pts}:\n{}\n{c}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Checks that lang-c parses the C. lang-c does not know the UPC headers, so the names of the runtime stay unexpanded
/// after preprocessing.
fn check_parses(c: &str) {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c/include");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("t.c");
    std::fs::write(&file, c).expect("the temporary directory is writable");
    let config = lang_c::driver::Config {
        cpp_command: "gcc".into(),
        // It has no __int128; the headers do not use it if the compiler has none.
        cpp_options: vec![
            "-E".into(),
            "-U__SIZEOF_INT128__".into(),
            // It does not parse asm at file scope.
            "-D__asm__(...)=".into(),
            // It does not support a type taken from an initialiser.
            "-D__auto_type=int".into(),
            // It does not support attributes as statements.
            "-D__attribute__(...)=".into(),
            format!("-I{}", include.display()),
        ],
        flavor: lang_c::driver::Flavor::GnuC11,
    };
    if let Err(error) = lang_c::driver::parse(&config, &file) {
        panic!("lang-c: {error}\n{c}");
    }
}
