//! Tests that constraints of C11 on pointers hold for pointers-to-shared too. gcc judges each program with
//! pointers-to-private. `upcc` must report the same severity with private pointers, with pointers-to-shared, and with
//! pointers-to-private in shared objects, each of which is translated to another form.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The severity that a compiler reports for a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Severity {
    Silent,
    Warning,
    Error,
}
use Severity::{Error, Silent, Warning};

/// Declarations available to all lines. `@` is empty, or `shared` with a block size; `%` is the same without the block
/// size.
const HEAD: &str = "typedef @ int array3[3]; typedef @ int array4[4]; struct s { int a; }; struct t { int a; }; struct incomplete; enum e { E };";

/// The types that two pointers point at: the type of the left or only one, and of the right one.
const REFERENCED: &[(&str, &str)] = &[
    ("@ int", "@ int"),
    ("@ int", "@ const int"),
    ("@ int", "@ volatile int"),
    ("@ volatile int", "@ const int"),
    ("@ const int", "@ int"),
    ("@ const volatile int", "@ const int"),
    ("@ int", "@ unsigned"),
    ("@ unsigned", "@ enum e"),
    ("@ int", "@ enum e"),
    ("@ int", "@ double"),
    ("@ int", "@ const double"),
    ("@ const int", "@ double"),
    ("@ char", "@ unsigned char"),
    ("@ long", "@ long long"),
    ("@ int", "@ struct s"),
    ("@ struct s", "@ struct s"),
    ("@ struct s", "@ const struct s"),
    ("@ struct s", "@ struct t"),
    ("@ struct s", "@ struct incomplete"),
    ("@ struct incomplete", "@ const struct incomplete"),
    ("@ int", "% void"),
    ("% void", "@ int"),
    ("% void", "@ const int"),
    ("% void", "@ volatile struct s"),
    ("% const void", "@ int"),
    ("@ int", "% const void"),
    ("% void", "% void"),
    ("% void", "% const void"),
    ("array3", "array3"),
    ("array3", "array4"),
    ("array3", "const array3"),
    ("const array3", "array3"),
    ("@ int", "array3"),
    ("int *@", "int *@"),
    ("int *@", "const int *@"),
    ("const int *@", "int *@"),
    ("int *@", "int *const @"),
    ("int *const @", "int *@"),
    ("int *@", "double *@"),
    ("@ int *", "@ int *"),
    ("@ int *", "@ const int *"),
    ("@ const int *", "@ int *"),
    ("@ int *", "@ double *"),
    ("@ int *", "% void *"),
    ("@ int *const", "@ int *"),
    ("@ int *", "@ int *const"),
];

/// Pairs that differ only in sign.
const SIGNS: [(&str, &str); 3] = [
    ("@ int", "@ unsigned"),
    ("@ int", "@ enum e"),
    ("@ char", "@ unsigned char"),
];

/// Lines: `L *` and `R *` are the two pointers, `#` is the number of the line.
const USES: &[(&str, &str)] = &[
    ("assignment", "void f#(L *l, R *r) { l = r; }"),
    ("initialisation", "void f#(R *r) { L *l = r; (void)l; }"),
    ("static initialisation", "extern R o#; L *l# = &o#;"),
    (
        "initialisation of a member",
        "void f#(R *r) { struct { L *l; } o = { r }; (void)o; }",
    ),
    (
        "initialisation of an element",
        "void f#(R *r) { L *o[2] = { 0, r }; (void)o; }",
    ),
    (
        "compound literal",
        "struct c# { L *l; }; struct c# f#(R *r) { return (struct c#){ .l = r }; }",
    ),
    ("argument", "void g#(L *l); void f#(R *r) { g#(r); }"),
    (
        "argument of a pointer to function",
        "void f#(void (*g)(L *), R *r) { g(r); }",
    ),
    ("return", "L *f#(R *r) { return r; }"),
    ("equality", "int f#(L *l, R *r) { return l == r; }"),
    ("relation", "int f#(L *l, R *r) { return l < r; }"),
    ("difference", "long f#(L *l, R *r) { return l - r; }"),
    (
        "conditional",
        "void f#(int c, L *l, R *r) { (void)(c ? l : r); }",
    ),
    (
        "conditional, assigned",
        "L *f#(int c, L *l, R *r) { return c ? l : r; }",
    ),
    ("omitted operand", "void f#(L *l, R *r) { (void)(l ?: r); }"),
    (
        "pointer to function",
        "void g#(R *r); void (*f#)(L *) = g#;",
    ),
    (
        "pointer to function, result",
        "R *g#(void); L *(*f#)(void) = g#;",
    ),
    ("redeclaration", "extern L *o#; extern R *o#;"),
    ("redeclared function", "void f#(L *); void f#(R *);"),
];

/// Lines with a pointer and another value.
const VALUES: &[(&str, &str)] = &[
    ("null", "@ int *f#(void) { return 0; }"),
    ("null pointer", "@ int *f#(void) { return (void *)0; }"),
    ("double to pointer", "@ int *f#(double d) { return d; }"),
    ("pointer to double", "double f#(@ int *p) { return p; }"),
    ("struct to pointer", "@ int *f#(struct s v) { return v; }"),
    ("pointer to struct", "struct s f#(@ int *p) { return p; }"),
    ("pointer to int", "int f#(@ int *p) { return p; }"),
    ("pointer to _Bool", "_Bool f#(@ int *p) { return p; }"),
    ("sum of pointers", "void f#(@ int *p) { (void)(p + p); }"),
    ("int minus pointer", "void f#(@ int *p) { (void)(1 - p); }"),
    (
        "pointer plus double",
        "void f#(@ int *p) { (void)(p + 1.0); }",
    ),
    ("subscript double", "int f#(@ int *p) { return p[1.0]; }"),
    ("product", "void f#(@ int *p) { (void)(p * 2); }"),
    ("negation", "void f#(@ int *p) { (void)-p; }"),
    ("complement", "void f#(@ int *p) { (void)~p; }"),
    ("not", "int f#(@ int *p) { return !p; }"),
    ("and", "int f#(@ int *p) { return p && 1; }"),
    ("bits", "void f#(@ int *p) { (void)(p & 1); }"),
    ("shift", "void f#(@ int *p) { (void)(p << 1); }"),
    ("compound product", "void f#(@ int *p) { p *= 2; }"),
    ("compound sum of pointers", "void f#(@ int *p) { p += p; }"),
    (
        "compound sum with double",
        "void f#(@ int *p) { p += 1.0; }",
    ),
    (
        "increment of incomplete",
        "void f#(@ struct incomplete *p) { p++; }",
    ),
    (
        "sum of incomplete",
        "void f#(@ struct incomplete *p) { (void)(p + 1); }",
    ),
    (
        "compound sum of incomplete",
        "void f#(@ struct incomplete *p) { p += 1; }",
    ),
    (
        "subscript of incomplete",
        "void f#(@ struct incomplete *p) { (void)&p[1]; }",
    ),
    (
        "member of incomplete",
        "int f#(@ struct incomplete *p) { return p->a; }",
    ),
    (
        "contents of incomplete",
        "void f#(@ struct incomplete *p) { (void)*p; }",
    ),
    (
        "pointer as double",
        "void f#(@ int *p) { (void)(double)p; }",
    ),
    (
        "pointer as struct",
        "void f#(@ int *p) { (void)(struct s)p; }",
    ),
    (
        "double as pointer",
        "void f#(double d) { (void)(@ int *)d; }",
    ),
    (
        "compare with double",
        "int f#(@ int *p) { return p == 1.0; }",
    ),
    (
        "compare with struct",
        "int f#(@ int *p, struct s v) { return p == v; }",
    ),
    (
        "conditional with double",
        "void f#(@ int *p) { (void)(p ? p : 1.0); }",
    ),
    (
        "conditional with struct",
        "void f#(@ int *p, struct s v) { (void)(p ? p : v); }",
    ),
    (
        "conditional with void",
        "void f#(@ int *p) { p ? (void)0 : p; }",
    ),
    ("switch", "void f#(@ int *p) { switch (p) { default:; } }"),
    ("assignment to const", "void f#(@ const int *p) { *p = 1; }"),
    ("increment of const", "void f#(@ const int *p) { ++*p; }"),
    ("compound to const", "void f#(@ const int *p) { *p += 1; }"),
    (
        "assignment to const pointer",
        "void f#(@ int *const p) { p = 0; }",
    ),
    (
        "assignment to a const member",
        "void f#(@ struct { const int a; } *p) { p->a = 1; }",
    ),
    (
        "assignment to a struct with a const member",
        "struct m# { const int a; }; void f#(@ struct m# *p) { *p = *p; }",
    ),
    (
        "assignment to a struct with a const element",
        "struct m# { const int a[2]; }; void f#(@ struct m# *p) { *p = *p; }",
    ),
    (
        "assignment to a member of a const struct",
        "void f#(@ const struct s *p) { p->a = 1; }",
    ),
    ("assignment to an array", "void f#(array3 *p) { *p = *p; }"),
    (
        "assignment of structs",
        "void f#(@ struct s *p, @ struct t *q) { *p = *q; }",
    ),
    (
        "assignment of a struct to a number",
        "void f#(@ struct s *p, @ int *q) { *q = *p; }",
    ),
    ("no such member", "int f#(@ struct s *p) { return p->b; }"),
    ("member of a number", "int f#(@ int *p) { return p->b; }"),
    ("point for arrow", "int f#(@ struct s *p) { return p.a; }"),
    ("call", "void f#(@ int *p) { p(); }"),
    ("call of contents", "void f#(@ int *p) { (*p)(); }"),
    ("contents of contents", "void f#(@ int *p) { (void)**p; }"),
    (
        "struct as condition",
        "void f#(@ struct s *p) { if (*p) return; }",
    ),
    (
        "address of a value",
        "void f#(@ int *p) { (void)&(*p + 1); }",
    ),
    ("restrict", "void f#(@ int *restrict p) { (void)p; }"),
    ("restrict on no pointer", "extern @ int restrict o#;"),
    (
        "restrict on what is pointed at",
        "extern @ int restrict *o#;",
    ),
    ("restrict on a struct", "extern @ struct s restrict o#;"),
    (
        "size of incomplete",
        "unsigned long f#(@ struct incomplete *p) { return sizeof *p; }",
    ),
    ("duplicate const", "extern @ const const int o#;"),
    ("array of incomplete", "extern @ struct incomplete o#[3];"),
    ("three times long", "extern @ long long long o#;"),
    ("signed unsigned", "extern @ signed unsigned o#;"),
    ("long float", "extern @ long float o#;"),
    ("static twice", "static static @ int o#;"),
    ("static and extern", "static extern @ int o#;"),
    (
        "object of void",
        "extern % void o#; void f#(void) { (void)o#; }",
    ),
    ("object of incomplete", "@ struct incomplete2 o#;"),
    ("negative extent", "extern @ int o#[-1];"),
    ("inline", "inline @ int o#;"),
];

/// A line that a compiler judges.
struct Case {
    /// Its name in the tables.
    what: &'static str,
    /// The types that the pointers point at; empty if the line names them itself.
    left: &'static str,
    right: &'static str,
    line: String,
}

fn cases() -> Vec<Case> {
    let pairs = REFERENCED.iter().flat_map(|&(left, right)| {
        USES.iter().map(move |&(what, line)| {
            let line = line.replace("L *", &format!("{left} *"));
            let line = line.replace("R *", &format!("{right} *"));
            let line = line.replace("R o", &format!("{right} o"));
            Case {
                what,
                left,
                right,
                line,
            }
        })
    });
    let values = VALUES.iter().map(|&(what, line)| Case {
        what,
        left: "",
        right: "",
        line: line.to_owned(),
    });
    pairs.chain(values).collect()
}

/// Returns the right severity for pointers-to-shared if gcc's for pointers-to-private is `theirs`.
fn expected(case: &Case, theirs: Severity) -> Severity {
    let either = |word| case.left.contains(word) || case.right.contains(word);
    let generic = [case.left, case.right].iter().any(|t| t.ends_with("void"));
    match case.what {
        // UPC 6.4.2p2.
        "relation" if either("incomplete") || generic => Error,
        // GNU C gives `void` a size; shared objects have no such extension.
        "difference" | "object of void" if generic || case.left.is_empty() => Error,
        // gcc warns about the address of a void object, not about the conversion.
        "static initialisation" if case.right == "% void" => Silent,
        // gcc warns with -Wall.
        _ if theirs == Silent && SIGNS.contains(&(case.left, case.right)) => Warning,
        _ => theirs,
    }
}

fn program(cases: &[Case], shared: &str, left_out: &[usize]) -> String {
    let mut text = format!("{HEAD}\n");
    for (number, case) in cases.iter().enumerate() {
        if !left_out.contains(&number) {
            text += &case.line.replace('#', &number.to_string());
        }
        text.push('\n');
    }
    let generic = shared.split(' ').next().unwrap_or_default();
    text.replace('@', shared).replace('%', generic)
}

/// Returns the highest severity that a compiler reports for each case.
fn judged(command: &mut Command, text: &str, folder: &Path) -> BTreeMap<usize, (Severity, String)> {
    let file = folder.join("t.upc");
    std::fs::write(&file, text).expect("a file can be written");
    let output = command.arg(&file).output().expect("the compiler starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() != Some(70), "{stderr}");
    let mut found = BTreeMap::new();
    for line in stderr.lines() {
        let severity = match line {
            _ if line.contains(": error: ") => Error,
            _ if line.contains(": warning: ") => Warning,
            _ => continue,
        };
        let place = line
            .split("t.upc:")
            .nth(1)
            .and_then(|rest| rest.split(':').next());
        let Some(number) = place.and_then(|n| n.parse::<usize>().ok()) else {
            continue;
        };
        let case = found.entry(number - 2).or_insert((Silent, String::new()));
        let of_ours = |line: &str| line.contains(" [W") || line.contains(" [E");
        if case.0 != Silent && of_ours(&case.1) != of_ours(line) {
            *case = (Error, format!("said twice: {}, {line}", case.1));
        } else if case.0 < severity {
            *case = (severity, line.to_owned());
        }
    }
    found
}

#[test]
fn constraints_hold_for_pointers_to_shared() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = cases();
    let gcc = judged(
        Command::new("gcc").args(["-x", "c", "-std=gnu11", "-c", "-o", "/dev/null"]),
        &program(&cases, "", &[]),
        folder.path(),
    );
    let upcc = |flag| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_upcc"));
        command.args(["-c", flag, "-fmax-errors=0", "-o", "/dev/null"]);
        command
    };
    let mut wrong = String::new();
    for (shared, flag) in [
        ("", "-c"),
        ("", "-fupc-no-verbatim"),
        ("shared", "-T=2"),
        ("shared [2]", "-T=2"),
    ] {
        let errors = judged(
            &mut upcc(flag),
            &program(&cases, shared, &[]),
            folder.path(),
        );
        let refused: Vec<usize> = errors
            .iter()
            .filter(|(_, (s, _))| *s == Error)
            .map(|(&n, _)| n)
            .collect();
        let rest = judged(
            &mut upcc(flag),
            &program(&cases, shared, &refused),
            folder.path(),
        );
        for (number, case) in cases.iter().enumerate() {
            let of = |found: &BTreeMap<usize, (Severity, String)>| {
                let silent = (Silent, String::new());
                found.get(&number).cloned().unwrap_or(silent)
            };
            let (theirs, said) = of(&gcc);
            let right = match shared {
                "" => theirs,
                _ => expected(case, theirs),
            };
            let (ours, we_said) = of(&errors).max(of(&rest));
            if ours != right {
                let Case { what, line, .. } = case;
                wrong += &format!(
                    "\n`{shared}`, {what}: {line}\n  gcc: {theirs:?} {said}\n  upcc: {ours:?} {we_said}"
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
