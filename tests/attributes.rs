//! Tests the table of attributes with gcc as the oracle: for each row, a right use and wrong ones are put on every kind
//! of declaration. What upcc refuses, gcc must refuse; what the row says gcc refuses, upcc must refuse too.

#[path = "common/sema.rs"]
mod sema;

use std::collections::BTreeSet;
use std::process::Command;
use upcc::diag::Diagnostics;
use upcc::sema::{ANY_NUMBER, ATTRIBUTES, Argument, Attribute, Places, analyse};

/// What all lines can name.
const HEAD: &str = "void function(int *); void releases(void *); int number, foo, printf, __foo__, __SI__, V4SF, __printf__, __read_only__;";

/// Declarations: the attribute stands for `@`, the number of the line for `#`.
const DECLARATIONS: &[(Places, &str)] = &[
    (Places::FUNCTION, "int *f#(const char *p, int n, ...) @;"),
    (
        Places::FUNCTION,
        "int *f#(const char *p, int n, ...);\nint *f#(const char *p, int n, ...) @;",
    ),
    (Places::FUNCTION, "@ int *f#(const char *p, int n, ...);"),
    (
        Places::DEFINED_FUNCTION,
        "@ void f#(const char *p, int n, ...) {}",
    ),
    (
        Places::STATIC_FUNCTION,
        "@ static void f#(const char *p, int n, ...) {}",
    ),
    (
        Places::BLOCK_FUNCTION,
        "void f#(void) { int *g#(const char *p, int n, ...) @; }",
    ),
    (
        Places::STATIC_FUNCTION,
        "static int *f#(const char *p, int n, ...) @;",
    ),
    (Places::VARIABLE, "int v# @;"),
    (Places::VARIABLE, "@ int v#;"),
    (Places::VARIABLE, "int @ v# = 1;"),
    (Places::VARIABLE, "int v# asm (\"label#\") @;"),
    (Places::STATIC_VARIABLE, "static int v# @;"),
    (Places::EXTERN_VARIABLE, "extern int v# @;"),
    (Places::THREAD_LOCAL, "extern __thread int v# @;"),
    (
        Places::FUNCTION_POINTER,
        "int *(*v#)(const char *p, int n, ...) @;",
    ),
    (Places::BLOCK_STATIC, "void f#(void) { static int v @; }"),
    (Places::BLOCK_EXTERN, "void f#(void) { extern int v# @; }"),
    (Places::LOCAL, "void f#(void) { int v @; }"),
    (Places::LOCAL, "void f#(void) { @ int v; }"),
    (
        Places::LOCAL,
        "void f#(void) { for (int v @ = 0; v < 1; v++) ; }",
    ),
    (Places::TYPEDEF, "typedef int t# @;"),
    (
        Places::TYPEDEF,
        "typedef int *(*t#)(const char *p, int n, ...) @;",
    ),
    (Places::TYPEDEF, "typedef struct { int a; int b; } t# @;"),
    (Places::MEMBER, "struct s# { int a @; };"),
    (Places::MEMBER, "struct s# { @ int a; };"),
    (Places::MEMBER, "struct s# { int a : 3 @; };"),
    (
        Places::MEMBER,
        "union u# { int *(*a)(const char *p, int n, ...) @; };",
    ),
    (Places::PARAMETER, "void f#(int a @);"),
    (Places::PARAMETER, "void f#(@ int a) {}"),
    (Places::PARAMETER, "void f#(int @);"),
    (Places::PARAMETER, "void (*v#)(int *a @);"),
    (Places::PARAMETER, "int f#(a) int a @; { return a; }"),
    (Places::STRUCT, "struct s# { int a; } @;"),
    (Places::STRUCT, "struct @ s# { int a; };"),
    (Places::STRUCT, "struct @ { int a; } v#;"),
    (Places::UNION, "union u# { int *a; long b; } @;"),
    (Places::ENUM, "enum e# { E# } @;"),
    (Places::ENUM, "enum @ e# { E# };"),
    (Places::ENUMERATOR, "enum e# { E# @ };"),
    (Places::ENUMERATOR, "enum e# { E# @ = 1, F# };"),
    (Places::TYPE, "int v# = sizeof(int @);"),
    (Places::TYPE, "int v# = (int @)1;"),
];

/// Positions in which gcc does not read the attribute, or not as that of a declaration.
const ELSEWHERE: &[&str] = &[
    "int *@ v#;",
    "struct @ s#;",
    "struct @ s# *v#;",
    "@ struct s# { int a; };",
    "void f#(int a[@ 3]);",
    "void f#(void) { @; }",
    "void f#(int n) { if (n) @; }",
    "void f#(int n) { switch (n) { case 1: @; default:; } }",
    "void f#(void) { goto l; l: @; }",
    "int v#, w# @;",
    "int v#, @ w#;",
    "void (*@ v#)(void);",
    "void (@ f#)(void);",
    "struct s# { struct { int a; } @; };",
    "struct s# { int a; } @ v#;",
    "void f#(int (*@ g)(int));",
];

/// An argument list of the right kind, which gcc accepts on some declaration.
fn right(row: &Attribute) -> String {
    let first = match row.argument {
        Argument::Any => match row.name {
            "optimize" | "error" | "warning" | "fentry_name" | "fentry_section" => "\"O2\"",
            "function_return" | "indirect_branch" => "\"keep\"",
            "vector_size" => "16",
            _ => "1",
        },
        Argument::Names => "printf, 1, 3",
        Argument::Text if row.name == "target" => "\"sse2\"",
        Argument::Text if row.name == "no_sanitize" => "\"address\"",
        Argument::Text => "\"words\"",
        Argument::FirstText => "\"default\", \"avx2\"",
        Argument::TextOf(words) => return format!("(\"{}\")", words[0]),
        Argument::WordOf(words) => return format!("({})", words[0]),
        Argument::Version => "\"name@VERSION\"",
        Argument::Symbol | Argument::Weak => "\"function\"",
        Argument::PowerOfTwo => "8",
        Argument::Priority => "1000",
        Argument::Mode => "SI",
        Argument::Function => "function",
        Argument::Deallocator => "releases",
    };
    match row.most {
        0 => String::new(),
        _ => format!("({first})"),
    }
}

/// Argument lists of a wrong kind that gcc must refuse.
fn wrong_kinds(argument: Argument) -> &'static [&'static str] {
    match argument {
        Argument::Any | Argument::Names => &[],
        Argument::Text | Argument::FirstText | Argument::Weak | Argument::Symbol => {
            &["5", "1.5", "foo", "-1"]
        }
        Argument::TextOf(_) => &["5", "foo", "\"words\""],
        Argument::Version => &["5", "foo", "\"words\""],
        Argument::WordOf(_) => &["5", "\"read_only\"", "foo", "nosuch#"],
        Argument::PowerOfTwo => &["3", "-1", "\"a\"", "1.5"],
        Argument::Priority => &["65536", "-1", "\"a\"", "1.5"],
        Argument::Mode => &["XX", "Int", "V4"],
        Argument::Function => &["5", "\"function\"", "nosuch#", "number"],
        Argument::Deallocator => &["5", "\"releases\"", "nosuch#", "number"],
    }
}

/// Argument lists of every kind, for which upcc must not be stricter than gcc.
const KINDS: &[&str] = &[
    "",
    "()",
    "(5)",
    "(\"a\")",
    "(\"a\" \"b\")",
    "(L\"a\")",
    "(foo)",
    "(__foo__)",
    "(nosuch#)",
    "(number)",
    "(-1)",
    "(0)",
    "(3)",
    "(4u)",
    "(0x8)",
    "(1 << 3)",
    "(sizeof(int))",
    "((4))",
    "(1.5)",
    "(65536)",
    "(1, 2)",
    "(\"a\", \"b\")",
    "(\"a\", 5)",
    "(foo, 1)",
    "(1, foo)",
    "(printf, 1, 3)",
    "(__printf__, 1, 3)",
    "(__read_only__, 1)",
    "(1, 2, 3)",
    "(1, 2, 3, 4)",
    "(function)",
    "(__SI__)",
    "(V4SF)",
    "(\"hidden\")",
    "(\"default\")",
];

/// A line, and what both compilers must say of it.
struct Case {
    line: String,
    /// Both compilers must refuse the line; otherwise upcc may do so only if gcc does.
    refused: bool,
    /// The use is right, if not in this place.
    right: bool,
}

fn lines_of(text: &str, number: usize, attribute: &str) -> String {
    let text = text.replace('@', attribute);
    // A case is one line.
    text.replace('#', &number.to_string()).replace('\n', " ")
}

fn attribute(row: &Attribute, args: &str) -> String {
    format!("__attribute__((__{}__{args}))", row.name)
}

fn cases(row: &Attribute) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let best = right(row);
    let mut add = |text: &str, args: &str, refused: bool| {
        let line = lines_of(text, cases.len() + 2, &attribute(row, args));
        let right = args == best;
        cases.push(Case {
            line,
            refused,
            right,
        });
    };
    let numbers = [
        (row.least > 0).then(|| row.least - 1),
        (row.most != ANY_NUMBER).then(|| row.most + 1),
    ];
    let lists = numbers.into_iter().flatten().map(|number| match number {
        0 => String::new(),
        number => format!("({})", vec!["1"; usize::from(number)].join(", ")),
    });
    let numbers: Vec<String> = lists.collect();
    for &(place, text) in DECLARATIONS {
        if row.name == "vector_size" && text.contains(" : ") {
            continue;
        }
        add(text, &best, row.refused.meets(place));
        for list in &numbers {
            add(text, list, true);
        }
        for kind in wrong_kinds(row.argument) {
            let wrong = row.on.meets(place);
            add(text, &format!("({kind})"), wrong);
        }
    }
    for text in DECLARATIONS.iter().map(|(_, text)| text).chain(ELSEWHERE) {
        // gcc itself fails on a priority that is the name of a function or a variable.
        let fails = |list: &str| {
            row.argument == Argument::Priority
                && list.starts_with(['('])
                && list.contains(['f', 'n'])
        };
        // gcc ignores alignments and vectors in front of a structure without declarators, and takes vectors for
        // bit-fields; upcc does neither.
        let ignored = match row.name {
            "aligned" => text.starts_with("@ struct"),
            "vector_size" => text.starts_with("@ struct") || text.contains(" : "),
            _ => false,
        };
        if ignored {
            continue;
        }
        for list in KINDS.iter().filter(|list| !fails(list)) {
            add(text, list, false);
        }
    }
    cases
}

/// The lines, from 1, of which gcc reports errors.
fn by_c_compiler(cc: &str, flags: &[&str], text: &str) -> BTreeSet<usize> {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("t.c");
    std::fs::write(&file, text).expect("writing a file");
    let output = Command::new(cc)
        .args(["-std=gnu11", "-w", "-fsyntax-only"])
        .args(flags)
        .arg(&file)
        .env("LC_ALL", "C")
        .output()
        .expect("starting the C compiler");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("bailing out"), "{stderr}");
    let places = stderr.lines().filter_map(|line| {
        let (place, _) = line.split_once(": error: ")?;
        place.split(".c:").nth(1)?.split(':').next()?.parse().ok()
    });
    places.collect()
}

/// The lines, from 1, of which upcc reports errors.
fn by_upcc(text: &str) -> BTreeSet<usize> {
    let head = "# 0 \"t.c\"\n# 0 \"<command-line>\"\n# 1 \"t.c\"\n";
    let mut parsed = upcc_grammar::parse(format!("{head}{text}"));
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let mut diags = Diagnostics::default();
    analyse(&mut parsed, sema::options(None), &mut diags);
    // Only code generation shows gcc what the unit defines.
    let errors = diags
        .items()
        .iter()
        .filter(|d| !d.message.contains("of this translation unit"))
        .filter(|d| d.code.severity == upcc::diag::Severity::Error);
    let spans = errors.filter_map(|d| d.span.clone());
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    spans
        .map(|span| 1 + ends.partition_point(|&end| end + head.len() < span.start as usize))
        .collect()
}

fn rows() -> impl Iterator<Item = &'static Attribute> {
    let x86 = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
    ATTRIBUTES.iter().filter(move |row| x86 || !row.x86)
}

/// All errors, without the lines that they are about: to find these takes gcc as long as everything else.
const GCC: &[&str] = &["-fmax-errors=0", "-fno-diagnostics-show-caret"];

#[test]
fn gcc_agrees_with_every_row() {
    let mut wrong = Vec::new();
    for row in rows() {
        let cases = cases(row);
        let lines: Vec<&str> = cases.iter().map(|case| case.line.as_str()).collect();
        let text = format!("{HEAD}\n{}\n", lines.join("\n"));
        let (gcc, upcc) = (by_c_compiler("gcc", GCC, &text), by_upcc(&text));
        let good = |(case, at): (&Case, usize)| case.right && !gcc.contains(&at);
        if !cases.iter().zip(2..).any(good) {
            wrong.push(format!("gcc accepts `{}` nowhere", row.name));
        }
        for (case, at) in cases.iter().zip(2..) {
            let (theirs, ours) = (gcc.contains(&at), upcc.contains(&at));
            if ours && !theirs {
                wrong.push(format!("upcc alone refuses: {}", case.line));
            } else if case.refused && !theirs {
                wrong.push(format!("the table says that gcc refuses: {}", case.line));
            } else if case.refused && !ours {
                wrong.push(format!("upcc accepts: {}", case.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{:#?}", wrong.len(), wrong);
}

/// The declarations on which clang is asked about the numbers of arguments.
const COMMON: &[&str] = &[
    "void f#(const char *p) @;",
    "int v# @;",
    "struct s# { int a; } @;",
    "struct s# { int a @; };",
    "void f#(int a @);",
    "typedef int t# @;",
];

#[test]
fn clang_agrees_with_rows_that_name_it() {
    if Command::new("clang").arg("--version").output().is_err() {
        eprintln!("not run: clang is not installed");
        return;
    }
    let named = rows().filter(|row| row.clang);
    let number = |row: &Attribute| vec!["1"; usize::from(row.most) + 1].join(", ");
    let lines: Vec<String> = named
        .flat_map(|row| {
            let wrong = attribute(row, &format!("({})", number(row)));
            COMMON.iter().map(move |text| text.replace('@', &wrong))
        })
        .enumerate()
        .map(|(at, line)| line.replace('#', &at.to_string()))
        .collect();
    let refused = by_c_compiler("clang", &["-ferror-limit=0"], &lines.join("\n"));
    let accepted: Vec<&String> = (1..)
        .zip(&lines)
        .filter(|(at, _)| !refused.contains(at))
        .map(|(_, line)| line)
        .collect();
    assert!(!lines.is_empty() && accepted.is_empty(), "{accepted:#?}");
}

/// The errors of upcc for a unit that another compiler than gcc has preprocessed.
fn errors_elsewhere(head: &str, text: &str) -> usize {
    let mut parsed = upcc_grammar::parse(format!("{head}{text}"));
    let mut diags = Diagnostics::default();
    analyse(&mut parsed, sema::options(None), &mut diags);
    diags.error_count()
}

#[test]
fn what_only_gcc_refuses_is_left_to_the_c_compiler() {
    let text = "int a __attribute__((section(5)));\nint b __attribute__((hot(1)));\n";
    for head in ["", "# 1 \"t.c\"\n# 1 \"<command line>\" 1\n# 1 \"t.c\" 2\n"] {
        assert_eq!(errors_elsewhere(head, text), 0);
        assert_eq!(
            errors_elsewhere(head, "int a __attribute__((aligned(0)));"),
            1
        );
        assert_eq!(
            errors_elsewhere(head, "int a __attribute__((unused(1)));"),
            1
        );
    }
}

/// Functions, and pointers to functions, with different parameters and results.
const SIGNATURES: &[&str] = &[
    "void f#(void) @;",
    "void f#() @;",
    "int f#(int n) @;",
    "char *f#(const char *s) @;",
    "char *f#(const char *s, ...) @;",
    "int *f#(int n, const char *s, ...) @;",
    "struct t f#(const char *s, int n, ...) @;",
    "void f#(const int *p, unsigned long n) @;",
    "void f#(int *p, int *q, int n) @;",
    "void f#(struct t s, double d, ...) @;",
    "void f#(unsigned char *s, signed char *t, void *u, ...) @;",
    "void f#(string s, enum e n) @;",
    "void f#(char s[3], int g(int), _Bool b) @;",
    "void (*f#)(const char *s, int n, ...) @;",
    "typedef char *(*f#)(int n, const char *s) @;",
    "void f#(int (*g)(const char *s, int n) @);",
    "struct s# { char *(*f)(const char *s, int n) @; };",
    "@ int *f#(char *s, long n) { return 0; }",
    "int (*f#(void))(const char *s) @;",
    "function_type f# @;",
    "int v# @;",
];

/// Attributes whose arguments are numbers of parameters, or that look at the result.
fn numbered() -> Vec<String> {
    let mut all = vec!["returns_nonnull".to_owned()];
    for kind in [
        "printf",
        "__scanf__",
        "strftime",
        "gnu_printf",
        "strfmon",
        "foo",
    ] {
        for string in 0..4 {
            all.extend((0..5).map(|first| format!("format({kind}, {string}, {first})")));
        }
    }
    for mode in ["read_only", "__write_only__", "read_write", "none"] {
        all.push(format!("access({mode})"));
        for pointer in -1..4 {
            all.push(format!("access({mode}, {pointer})"));
            all.extend((-1..4).map(|size| format!("access({mode}, {pointer}, {size})")));
        }
    }
    all.extend((-1..4).map(|at| format!("format_arg({at})")));
    all
}

/// Types and modes.
fn modes() -> Vec<String> {
    let types = [
        "int",
        "char",
        "_Bool",
        "unsigned long",
        "float",
        "double",
        "long double",
        "void",
        "struct t",
        "enum e",
        "_Complex double",
        "string",
        "int *",
    ];
    let modes = [
        "QI", "__HI__", "SI", "DI", "TI", "SF", "DF", "XF", "SC", "DC", "V4SI", "V4SF", "word",
    ];
    let forms = [
        "typedef % t# @;",
        "extern % v# @;",
        "struct s# { % a @; };",
        "void f#(% a @);",
    ];
    let mut lines = Vec::new();
    for (ty, mode) in types.iter().flat_map(|ty| modes.map(|mode| (ty, mode))) {
        let attribute = format!("__attribute__((mode({mode})))");
        let line = |form: &str| form.replace('%', ty).replace('@', &attribute);
        lines.extend(forms.map(line));
    }
    lines
}

/// What upcc refuses, gcc must refuse. Returns how many lines both refuse, and how many gcc does.
fn no_stricter_than_gcc(lines: impl Iterator<Item = String>) -> (usize, usize) {
    let head = "typedef char *string; enum e { E }; struct t { int a; }; typedef int function_type(const char *, int);";
    let lines: Vec<String> = lines
        .zip(2..)
        .map(|(line, at)| line.replace('#', &at.to_string()))
        .collect();
    let text = format!("{head}\n{}\n", lines.join("\n"));
    let theirs = by_c_compiler("gcc", GCC, &text);
    let ours = by_upcc(&text);
    let alone: Vec<&String> = ours.difference(&theirs).map(|at| &lines[at - 2]).collect();
    assert!(alone.is_empty(), "{alone:#?}");
    (ours.len(), theirs.len())
}

#[test]
fn numbers_of_parameters_are_checked_as_by_gcc() {
    let numbered = numbered();
    let lines = numbered.iter().flat_map(|attribute| {
        let attribute = format!("__attribute__(({attribute}))");
        SIGNATURES
            .iter()
            .map(move |text| text.replace('@', &attribute))
    });
    let (both, theirs) = no_stricter_than_gcc(lines);
    assert!(both * 100 > theirs * 85, "{both} of {theirs}");
}

#[test]
fn modes_are_checked_as_by_gcc() {
    let (both, theirs) = no_stricter_than_gcc(modes().into_iter());
    assert!(both * 100 > theirs * 50, "{both} of {theirs}");
}
