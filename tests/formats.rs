//! The arguments of `printf` and `scanf`: of many calls `upcc` reports those that gcc reports, in the user's types, and
//! the C compiler does not report them again.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const HEAD: &str = r"#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
enum e { A, B };
struct st { int x; unsigned bits : 3; };
void say(int level, const char *f, ...) __attribute__((format(printf, 2, 3)));
__attribute__((__format__(__scanf__, 1, 2))) int ask(const char *f, ...);
void calls(int i, unsigned u, long l, unsigned long ul, long long ll, unsigned long long ull, short sh, unsigned short ush, char c,
    _Bool b, enum e en, size_t n, ptrdiff_t pd, intmax_t im, uintmax_t um, int64_t i64, uint8_t u8, wchar_t wc, float fl, double d,
    long double ld, char *s, unsigned char *us, const char *cs, void *v, wchar_t *w, struct st *p, void (*fn)(void), struct st st,
    va_list ap, struct tm *tm)
{
    char name[20]; signed char sc; unsigned char uc; const int ci = 1;
";

/// Conversions and arguments of `printf`, each of which is called with each.
const PRINTED: (&str, &str) = (
    "d i u x o X hhd hd hhu hu ld lu lld llx zu zd td jd ju qd Ld c lc C f e g a F lf Lf LG s ls S p n hn ln 5d -5.3d +d 05d #x 'd",
    "sc uc sh ush i u l ul ll ull c b en p->bits n pd im um i64 u8 wc fl d ld s us cs v w &i &l p fn (void*)0",
);

/// The same of `scanf`.
const SCANNED: (&str, &str) = (
    "d i u x hhd hd hu ld lu lld zu zd td jd f e lf Lf g s 5s c [a-z] ls lc p n ms",
    "&sc &uc &sh &ush &i &u &l &ul &ll &ull &c &b &n &pd &im &i64 &wc &fl &d &ld s us cs w &v &s name &name i d ci &ci",
);

/// Further calls, one a line.
const OTHERS: &str = include_str!("formats_calls.c");

/// The program with all calls, one a line.
fn program() -> String {
    let mut text = HEAD.to_owned();
    for (function, (conversions, arguments)) in [("printf", PRINTED), ("scanf", SCANNED)] {
        for conversion in conversions.split(' ') {
            for argument in arguments.split(' ') {
                let _ = writeln!(text, "{function}(\"%{conversion}\", {argument});");
            }
        }
    }
    text + OTHERS + "}\n"
}

/// The lines of `t.upc` or `t.c` for which a message contains one of some words.
fn lines(stderr: &str, words: &str) -> BTreeSet<usize> {
    let headers = stderr.lines().filter(|line| line.contains(words));
    let numbers = headers.filter_map(|line| line.split(':').nth(1)?.parse().ok());
    numbers.collect()
}

fn run(folder: &Path, program: &str, words: &[&str]) -> String {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .args(words)
        .env_remove("UPCC_FLAGS");
    let output = command.output().expect("the compiler starts");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn calls_are_reported_as_by_gcc() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = program();
    for name in ["t.c", "t.upc"] {
        fs::write(folder.path().join(name), &text).expect("a file");
    }
    let gcc = run(folder.path(), "gcc", &["-Wformat", "-fsyntax-only", "t.c"]);
    let words = ["-fsyntax-only", "-fmax-errors=0", "t.upc"];
    let ours = run(folder.path(), env!("CARGO_BIN_EXE_upcc"), &words);
    let (gcc, ours) = (lines(&gcc, "[-Wformat"), lines(&ours, ", -Wformat"));
    let line = |number: &usize| text.lines().nth(number - 1).unwrap_or_default();
    let missed: Vec<&str> = gcc.difference(&ours).map(line).collect();
    let wrong: Vec<&str> = ours.difference(&gcc).map(line).collect();
    assert!(gcc.len() > 1500 && gcc.len() + 400 < text.lines().count());
    assert_eq!((missed, wrong), (vec![], vec![]));
}

/// A program in which line 5 has a wrong format, line 6 an argument too many and line 7 a text that is too long.
const WRONG: &str = "#include <upc.h>\n#include <stdio.h>\nshared double s; char b[2];\nvoid f(void) {\n\
    printf(\"%d\\n\", s);\nprintf(\"\\n\", 1);\nsprintf(b, \"%d\", 100);\n}\n";

fn of(cc: &str, options: &str) -> (Vec<String>, bool) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("t.upc"), WRONG).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(folder.path())
        .env("UPCC_CC", cc)
        .env_remove("UPCC_FLAGS")
        .args(options.split_whitespace())
        .args(["-O2", "-c", "t.upc"])
        .output()
        .expect("upcc starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    // `5 W0325`, or `5 c` from the C compiler.
    let found = stderr.lines().filter_map(|line| {
        let number = line.strip_prefix("t.upc:")?.split(':').next()?;
        let code = line.rsplit_once('[')?.1.get(..5)?;
        let code = if code.starts_with('W') { code } else { "c" };
        line.contains(": ").then(|| format!("{number} {code}"))
    });
    (found.collect(), output.status.success())
}

#[test]
fn options_as_in_gcc() {
    let ours = ["5 W0325", "6 W0326"];
    for (options, found, success) in [
        ("", &ours[..], true),
        ("-Wall", &["5 W0325", "6 W0326", "7 c"], true),
        ("-Wformat", &["5 W0325", "6 W0326", "7 c"], true),
        ("-Wall -Wno-format-overflow", &ours, true),
        ("-Wno-format", &[], true),
        ("-Wall -Wno-format", &[], true),
        ("-Wformat=0", &[], true),
        ("-Wno-format-extra-args", &["5 W0325"], true),
        (
            "-Werror=format -Wno-error=format-extra-args",
            &["5 W0325", "6 W0326", "7 c"],
            false,
        ),
        ("-Wformat=2", &["5 c", "6 c", "7 c"], true),
        ("-Wformat -Wformat-security", &["5 c", "6 c", "7 c"], true),
        ("-Wformat=2 -Werror=format", &["5 c", "6 c", "7 c"], false),
    ] {
        let found: Vec<String> = found.iter().map(|&it| it.to_owned()).collect();
        assert_eq!(of("gcc", options), (found, success), "{options}");
    }
}

/// clang, whose `-Wall` turns the warning on again, does not repeat ours either.
#[test]
fn clang_does_not_repeat_them() {
    if Command::new("clang").arg("--version").output().is_err() {
        eprintln!("not run: there is no clang");
        return;
    }
    for options in ["", "-Wall"] {
        let ours = vec!["5 W0325".to_owned(), "6 W0326".to_owned()];
        assert_eq!(of("clang", options), (ours, true), "{options}");
    }
}
