//! Control sequences of terminals are never printed from a source, a name or a program's own text: every command that
//! quotes such text escapes it.

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, UPCC, UPCRUN};
use std::process::Output;

/// A new title, a cleared screen, a colour, a bell, a carriage return, and C1's form of an escape.
const ESCAPES: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[31m\r\u{9b}5n\u{7f}";

/// Checks that an output contains only text; `quoted`: the text must be in it.
fn is_plain(what: &str, output: &Output, quoted: bool) {
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = String::from_utf8_lossy(bytes);
        let control = text
            .chars()
            .find(|c| c.is_control() && !"\n\t".contains(*c));
        assert_eq!(control, None, "{what}, {name}: {text:?}");
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert!(
        !quoted || said.contains("\\x1b]0;title\\x07"),
        "{what}: {said}"
    );
}

#[test]
fn sources_and_their_names() {
    let name = format!("a{ESCAPES}.upc");
    #[rustfmt::skip]
    let sources = [
        ("error directive", format!("#error {ESCAPES}\n")),
        ("warning directive", format!("#warning {ESCAPES}\nint main(void) {{ return 0; }}\n")),
        ("missing header", format!("#include \"{}\"\n", ESCAPES.replace('\r', ""))),
        ("line with an error", format!("int x = /* {ESCAPES} */ ;\n")),
        ("name of a file in a line marker", format!("# 7 \"{ESCAPES}\"\nint x = ;\n")),
        ("static assertion", format!("_Static_assert(0, \"{ESCAPES}\");\n")),
        ("error of the C compiler", format!("int main(void) {{ __asm__(\"{ESCAPES}\" : : \"@\"(1)); return 0; }}\n")),
        ("symbol", format!("int f(void) __asm__(\"{}\");\nint main(void) {{ return f(); }}\n", ESCAPES.replace('\r', ""))),
    ];
    for (what, text) in sources {
        for file in ["a.upc", &name] {
            let folder = Folder::with(&[(file, &text)]);
            for flags in [
                &["-c"][..],
                &["-g"],
                &["-fdiagnostics-format=json", "-c"],
                &["-v", "-E"],
            ] {
                let mut command = folder.command(UPCC, "");
                let output = command.args(flags).arg(file).output().expect("upcc starts");
                // The output of `-E` is data.
                let shown = Output {
                    stdout: Vec::new(),
                    ..output
                };
                is_plain(&format!("{what}, {flags:?}"), &shown, false);
            }
        }
    }
    let folder = Folder::with(&[(&name, "int x = ;\n")]);
    let output = folder
        .command(UPCC, "-c")
        .arg(&name)
        .output()
        .expect("upcc starts");
    is_plain("name of a source", &output, true);
}

#[test]
fn colours_are_kept_and_nothing_else() {
    let folder = Folder::with(&[("a.upc", &format!("#error {ESCAPES}\n"))]);
    let output = folder.run(UPCC, "-fdiagnostics-color=always -c a.upc");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("\u{1b}[01;31m") && !said.contains("\u{1b}]") && !said.contains("\u{1b}[2J"),
        "{said:?}"
    );
}

#[test]
fn words_of_command_lines() {
    let folder = Folder::with(&[("a.upc", "int main(void) { return 0; }\n")]);
    folder.upcc("a.upc -o prog");
    let odd = folder.path(&format!("prog{ESCAPES}"));
    std::fs::copy(folder.path("prog"), &odd).expect("a copy");
    let foreign = folder.path(&format!("foreign{ESCAPES}"));
    std::fs::copy("/bin/true", &foreign).expect("a copy");
    let option = format!("-{ESCAPES}");
    for (program, words) in [
        (UPCC, vec![option.clone()]),
        (UPCC, vec![format!("{ESCAPES}.upc")]),
        (
            UPCC,
            vec![
                "-c".into(),
                "a.upc".into(),
                "-o".into(),
                format!("no/{ESCAPES}"),
            ],
        ),
        (UPCC, vec![format!("@{ESCAPES}")]),
        (UPCC, vec![format!("--explain={ESCAPES}")]),
        (UPCC, vec!["-x".into(), ESCAPES.into()]),
        (
            UPCC,
            vec!["-###".into(), format!("-D{ESCAPES}"), "a.upc".into()],
        ),
        (UPCC, vec![format!("--explain-decl=int {ESCAPES}")]),
        (UPCRUN, vec![option]),
        (UPCRUN, vec!["-n".into(), ESCAPES.into(), "prog".into()]),
        (UPCRUN, vec![format!("no{ESCAPES}")]),
        (
            UPCRUN,
            vec!["-i".into(), odd.to_string_lossy().into_owned()],
        ),
        (UPCRUN, vec!["-i".into(), format!("no{ESCAPES}")]),
        (
            UPCRUN,
            vec!["-t".into(), odd.to_string_lossy().into_owned()],
        ),
        (
            UPCRUN,
            vec![
                "-n".into(),
                "2".into(),
                foreign.to_string_lossy().into_owned(),
            ],
        ),
    ] {
        let mut command = folder.command(program, "");
        let output = command.args(&words).output().expect("it starts");
        is_plain(&format!("{program} {words:?}"), &output, true);
    }
}

#[test]
fn messages_of_programs() {
    // Names of files in line tables, of environment variables, and of the program.
    let text = format!(
        "#include <upc.h>\nshared int x[THREADS];\nint main(int count, char **words)\n{{\n# 7 \"here{}.upc\"\n    if (count > 1) upc_free((shared char *)upc_alloc(8) + 1);\n    upc_barrier MYTHREAD;\n    return 0;\n}}\n",
        ESCAPES.replace('\r', "")
    );
    let folder = Folder::with(&[("a.upc", &text)]);
    folder.upcc("a.upc -o prog");
    let odd = folder.path(&format!("prog{ESCAPES}"));
    std::fs::copy(folder.path("prog"), &odd).expect("a copy");
    for (words, variable) in [
        (&["-n", "2"][..], None),
        (&["-n", "1", "x"], None),
        (&["-n", "0"], None),
        (&["-n", "2"], Some("UPC_SHARED_HEAP_SIZE")),
        (&["-n", "2"], Some("UPC_TOOL")),
    ] {
        let mut command = folder.command(odd.to_str().expect("UTF-8"), "");
        if let Some(variable) = variable {
            command.env(variable, ESCAPES);
        }
        let output = command.args(words).output().expect("it starts");
        assert!(!output.status.success() || variable.is_some(), "{words:?}");
        is_plain(
            &format!("{words:?} {variable:?}"),
            &output,
            !output.stderr.is_empty(),
        );
    }
}
