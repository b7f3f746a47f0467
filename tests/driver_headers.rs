//! Tests which header an `#include` finds, and what the runtime's headers declare.

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, UPCC, stderr, stdout};
use std::fs;
use std::path::Path;

/// Returns the runtime's headers that programs include.
fn ours() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c/include");
    let entries = fs::read_dir(folder).expect("our headers").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".h")).collect();
    names.sort();
    assert!(names.len() > 10);
    names
}

/// Ways to specify a folder: flags, a variable, and the form of the `#include`.
const WAYS: &[(&str, &str, char)] = &[
    ("-Iinc", "", '<'),
    ("-I inc", "", '"'),
    ("-iquote inc", "", '"'),
    ("-isystem inc", "", '<'),
    ("", "CPATH", '<'),
    ("", "C_INCLUDE_PATH", '<'),
];

/// A normal run takes two ways for each header, in turn.
#[test]
fn headers_of_users_come_before_ours_of_the_same_name() {
    let long = std::env::var_os("UPCC_TEST_LONG").is_some();
    for (number, name) in ours().into_iter().enumerate() {
        let turn = |way: usize| long || way % 3 == number % 3;
        let ways = WAYS.iter().enumerate().filter(|(way, _)| turn(*way));
        for (_, &(flags, variable, form)) in ways {
            let close = if form == '<' { '>' } else { '"' };
            // The runtime's headers include one another, and each finds the runtime's version.
            let others = ours().into_iter().filter(|other| *other != name);
            let others: String = others
                .map(|other| format!("#include <{other}>\n"))
                .collect();
            let text = format!(
                "{others}#include {form}{name}{close}\n#ifndef MINE\n#error not mine\n#endif\nint main(void) {{ return 0; }}\n"
            );
            let folder = Folder::with(&[("a.upc", &text)]);
            fs::create_dir(folder.path("inc")).expect("a folder");
            fs::write(folder.path("inc").join(&name), "#define MINE 1\n").expect("a header");
            let mut command = folder.command(UPCC, &format!("-fsyntax-only {flags} a.upc"));
            if !variable.is_empty() {
                command.env(variable, "inc");
            }
            let output = command.output().expect("upcc starts");
            assert!(
                output.status.success(),
                "{name} by {flags}{variable} {form}: {}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn folders_are_searched_in_this_order() {
    let places = ["src", "inc", "system"];
    for (form, flags, first) in [
        ("\"upc_tick.h\"", "-Iinc", "src"),
        ("<upc_tick.h>", "-isystem system -Iinc", "inc"),
        ("<upc_tick.h>", "-isystem system", "system"),
        // Berkeley's compiler searched the source's folder last.
        ("<mine.h>", "-Iinc", "inc"),
        ("<mine.h>", "", "src"),
        ("<mine.h>", "-Inone", "src"),
    ] {
        let folder = Folder::with(&[]);
        for place in places {
            fs::create_dir(folder.path(place)).expect("a folder");
            for name in ["upc_tick.h", "mine.h"] {
                fs::write(
                    folder.path(place).join(name),
                    format!("#define PLACE {place}\n"),
                )
                .expect("a header");
            }
        }
        let text = format!("#include <upc.h>\n#include {form}\nplace_is PLACE\n");
        fs::write(folder.path("src/a.upc"), text).expect("a source");
        // The source's folder differs from the current one.
        let output = folder.run(UPCC, &format!("-E -P {flags} src/a.upc"));
        assert!(
            stdout(&output).contains(&format!("place_is {first}")),
            "{form} {flags}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}

#[test]
fn headers_beside_the_source_are_the_users_own() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    fs::write(
        folder.path("src/mine.h"),
        "static inline int f(int x) { int unused; return x + 1; }\n",
    )
    .expect("a header");
    fs::write(
        folder.path("src/a.upc"),
        "#include <mine.h>\nint main(void) { return f(6); }\n",
    )
    .expect("a source");
    // The header's warnings are reported, and it is in the dependencies.
    let output = folder.run(UPCC, "-Wall -O -MMD src/a.upc -o prog");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("src/mine.h:1"),
        "{}",
        stderr(&output)
    );
    assert!(folder.read("prog.d").contains("src/mine.h"));
    assert_eq!(folder.run("./prog", "").status.code(), Some(7));
    // A missing header is reported once, in the C compiler's words.
    fs::remove_file(folder.path("src/mine.h")).expect("the header");
    let output = folder.run(UPCC, "-c src/a.upc");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output).matches("mine.h").count(),
        2,
        "{}",
        stderr(&output)
    );
    // A file beside the source with the name of a system header does not replace the system's.
    fs::write(folder.path("src/time.h"), "#error not the system's\n").expect("a header");
    fs::write(
        folder.path("src/a.upc"),
        "#include <time.h>\nint main(void) { return time(0) == 0; }\n",
    )
    .expect("a source");
    folder.upcc("-c src/a.upc");
}

#[test]
fn names_of_missing_headers_are_brought_by_upc_h() {
    for (text, headers) in [
        (
            "int main(void) { uint64_t n = 5; return n != 5; }",
            &["<inttypes.h>"][..],
        ),
        (
            "#include <stdio.h>\nint main(void) { printf(\"%\" PRId64 \"\\n\", INT64_C(7)); return 0; }",
            &["<inttypes.h>"],
        ),
        (
            "int main(void) { assert(THREADS > 0); return EXIT_SUCCESS; }",
            &["<assert.h>", "<stdlib.h>"],
        ),
        (
            "int main(void) { div_t d = { 1, 2 }; return d.quot != 1; }",
            &[],
        ),
        // Names that the program defines itself.
        (
            "typedef int uint64_t; int random(void) { return 3; } static int abs(int a, int b) { return 0; }\nint main(void) { uint64_t n = random() + abs(1, 2); return n != 3; }",
            &[],
        ),
        (
            "#include <stdlib.h>\n#include <inttypes.h>\n#include <assert.h>\nint main(void) { uint8_t n = 0; assert(!n); return EXIT_SUCCESS; }",
            &[],
        ),
    ] {
        let folder = Folder::with(&[("a.upc", &format!("#include <upc.h>\n{text}\n"))]);
        let output = folder.run(UPCC, "-Wno-builtin-declaration-mismatch a.upc -o prog");
        let said = stderr(&output);
        if text.contains("div_t") {
            // A name that is not in the list of known names is an error as usual.
            assert_eq!(output.status.code(), Some(1));
            continue;
        }
        assert!(output.status.success(), "{text}: {said}");
        assert_eq!(
            said.matches("W0229").count(),
            headers.len(),
            "{text}: {said}"
        );
        for header in headers {
            assert!(
                said.contains(&format!("add `#include {header}`")),
                "{text}: {said}"
            );
        }
        assert_eq!(
            folder.run("./prog", "-n 2").status.code(),
            Some(0),
            "{text}"
        );
    }
}

#[test]
fn brought_headers_are_no_help_where_they_clash_or_are_not_wanted() {
    // Without <upc.h>, with a clash, with warnings as errors: the missing headers are not added.
    for (text, flags, status) in [
        ("uint64_t n;\n", "", 1),
        (
            "#include <upc.h>\nlong random(int, int);\nint i = EXIT_SUCCESS;\n",
            "",
            1,
        ),
        ("#include <upc.h>\nuint64_t n;\n", "-Werror", 1),
        (
            "#include <upc.h>\nuint64_t n;\n",
            "-Wno-upc-missing-include -Werror",
            0,
        ),
        ("#include <upc.h>\nuint64_t n;\nint x = missing;\n", "", 1),
    ] {
        let folder = Folder::with(&[("a.upc", text)]);
        let output = folder.run(UPCC, &format!("-c {flags} a.upc"));
        assert_eq!(
            output.status.code(),
            Some(status),
            "{text} {flags}: {}",
            stderr(&output)
        );
        if text.contains("random") {
            let said = stderr(&output);
            assert!(
                said.contains("EXIT_SUCCESS") && !said.contains("W0229"),
                "{said}"
            );
        }
        if text.contains("missing") {
            let said = stderr(&output);
            assert_eq!(said.matches(" error: ").count(), 1, "{said}");
        }
    }
}

#[test]
fn macros_apply_once_whatever_the_debug_information() {
    let text = "#include <upc.h>\n#include <stdio.h>\nint main(void)\n{\n    int n = 1;\n#define n (n + 1)\n    return n;\n}\n";
    let folder = Folder::with(&[("a.upc", text)]);
    for flags in ["-g3", "-ggdb3", "-g3 -O2", "-O2 -g3 -fno-upc-checks"] {
        let output = folder.run(UPCC, &format!("{flags} a.upc -o prog"));
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{flags}: {}",
            stderr(&output)
        );
        assert_eq!(folder.run("./prog", "").status.code(), Some(2), "{flags}");
    }
}

#[test]
fn inline_functions_without_an_external_definition_are_explained() {
    let call = "int main(int count, char **words) { return f(count); }\n";
    let folder = Folder::with(&[
        (
            "one.upc",
            &format!("inline int f(int x) {{ return x + 1; }}\n{call}"),
        ),
        (
            "part.upc",
            "inline int f(int x) { return x + 1; }\nint g(void) { return f(2); }\n",
        ),
        (
            "main.upc",
            "#include <upc.h>\nshared int s;\nint g(void);\nint main(void) { return g() + s; }\n",
        ),
        (
            "good.upc",
            &format!("inline int f(int x) {{ return x + 1; }}\nextern int f(int x);\n{call}"),
        ),
        (
            "static.upc",
            &format!("static inline int f(int x) {{ return x + 1; }}\n{call}"),
        ),
    ]);
    folder.upcc("-g -c part.upc");
    for line in ["-g one.upc", "-g main.upc part.upc", "-g main.upc part.o"] {
        let output = folder.run(UPCC, &format!("{line} -o prog"));
        assert_eq!(output.status.code(), Some(1), "{line}");
        let said = stderr(&output);
        assert!(
            said.contains("undefined reference to `f`") && said.contains("C11 6.7.4p7"),
            "{line}: {said}"
        );
        assert!(said.contains("static inline"), "{line}: {said}");
    }
    for line in ["-g good.upc", "-g static.upc"] {
        folder.upcc(&format!("{line} -o prog"));
        assert_eq!(folder.run("./prog", "").status.code(), Some(2), "{line}");
    }
}
