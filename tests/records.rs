//! Tests the layout of structures and unions with gcc as the oracle: compares sizes, alignments and the place of every
//! bit of seeded random records.

#[path = "common/sema.rs"]
mod sema;

use std::fmt::Write;
use std::process::Command;
use upcc::diag::Diagnostics;
use upcc::sema::analyse;
use upcc::types::{Abi, Field, IntKind, Machine, Record, Types};
use upcc_grammar::Parsed;

const RECORDS: usize = 300;

/// Xorshift: the records are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const TYPES: [&str; 16] = [
    "char",
    "short",
    "int",
    "long",
    "long long",
    "float",
    "double",
    "long double",
    "__int128",
    "_Bool",
    "char *",
    "_Complex float",
    "enum small",
    "vec",
    "_Float128",
    // Last, because no array can have elements of this type.
    "aligned_int",
];
const BIT_TYPES: [(&str, u64); 9] = [
    ("int", 32),
    ("unsigned", 32),
    ("long", 64),
    ("unsigned long long", 64),
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("_Bool", 1),
    ("enum small", 32),
];
const PRELUDE: &str = "typedef int aligned_int __attribute__((aligned(sizeof(double) * 2)));\n\
    enum small { S0, S1 = 7 };\n\
    typedef float vec __attribute__((__vector_size__(16)));\n";

fn attribute(r: &mut Random) -> String {
    match r.below(12) {
        0 => " __attribute__((packed))".into(),
        1 => format!(" __attribute__((aligned({})))", 1 << r.below(6)),
        2 => " __attribute__((packed, aligned(4)))".into(),
        _ => String::new(),
    }
}

fn member(r: &mut Random, at: usize, earlier: usize) -> String {
    let attr = attribute(r);
    match r.below(10) {
        0..=3 => {
            let (ty, most) = BIT_TYPES[r.below(BIT_TYPES.len() as u64) as usize];
            let width = 1 + r.below(most);
            match r.below(8) {
                0 => format!("{ty} : 0;"),
                1 => format!("{ty} : {width};"),
                _ => format!("{ty} m{at} : {width}{attr};"),
            }
        }
        4 if earlier > 0 => format!("struct s{} m{at}{attr};", r.below(earlier as u64)),
        5 => format!(
            "{} m{at}[{}]{attr};",
            r.pick(&TYPES[..TYPES.len() - 1]),
            r.below(5)
        ),
        6 => format!(
            "union {{ {} m{at}; {} m{at}x; }};",
            r.pick(&TYPES),
            r.pick(&TYPES)
        ),
        _ => format!("{} m{at}{attr};", r.pick(&TYPES)),
    }
}

fn records(r: &mut Random) -> String {
    let mut text = PRELUDE.to_string();
    for number in 0..RECORDS {
        let pack = r.one_in(6).then(|| 1 << r.below(4));
        if let Some(n) = pack {
            let _ = writeln!(text, "#pragma pack(push, {n})");
        }
        let (before, after) = if r.one_in(2) {
            (attribute(r), String::new())
        } else {
            (String::new(), attribute(r))
        };
        // Structures are named `s`, so that later ones can contain them; a union is the only member of its structure.
        let members: Vec<String> = (0..1 + r.below(8))
            .map(|at| member(r, at as usize, number))
            .collect();
        let members = members.join(" ");
        let body = if r.one_in(5) {
            format!("union {before} {{ {members} }} u;")
        } else {
            members
        };
        let _ = writeln!(text, "struct{before} s{number} {{ {body} }}{after};");
        if pack.is_some() {
            text.push_str("#pragma pack(pop)\n");
        }
    }
    text
}

/// Collects the named leaves of a record: their paths, and their places as computed by upcc.
fn leaves(
    types: &Types,
    parsed: &Parsed,
    record: &Record,
    prefix: &str,
    base: u64,
    found: &mut Vec<(String, u64, Field)>,
) {
    let body = record
        .body
        .as_ref()
        .expect("the generator defines its records");
    for field in &body.fields {
        let name = field.name.map(|n| parsed.interner.name(n));
        let path = match name {
            Some(name) if prefix.is_empty() => name.to_string(),
            Some(name) => format!("{prefix}.{name}"),
            None => prefix.to_string(),
        };
        match types.record_id(field.ty) {
            Some(inner) => {
                leaves(
                    types,
                    parsed,
                    types.record(inner),
                    &path,
                    base + field.offset,
                    found,
                );
            }
            None if name.is_some() => found.push((path, base + field.offset, field.clone())),
            None => {}
        }
    }
}

/// The target of a gcc, and what runs its programs.
struct Target {
    gcc: &'static str,
    runner: &'static [&'static str],
    machine: Machine,
}

#[test]
fn records_lie_as_gcc_lays_them() {
    compare(&Target {
        gcc: "gcc",
        runner: &[],
        machine: Machine::default(),
    });
}

#[test]
fn records_lie_as_gcc_lays_them_on_aarch64() {
    let target = Target {
        gcc: "aarch64-linux-gnu-gcc",
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        machine: Machine {
            unsigned_char: true,
            wchar: IntKind::UInt,
            x86: false,
            unnamed_aligns: true,
        },
    };
    let needed = [target.gcc, target.runner[0]];
    let missing = needed.into_iter().find(|program| {
        let answer = Command::new(program).arg("--version").output();
        answer.is_err()
    });
    match missing {
        Some(program) => println!("not run: needs {program}"),
        None => compare(&target),
    }
}

/// Compares what upcc computes for a target with what a program of its gcc prints.
fn compare(target: &Target) {
    let text = records(&mut Random(0x9e37_79b9_7f4a_7c15));
    let mut parsed = upcc_grammar::parse(text.clone());
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let mut diags = Diagnostics::default();
    let mut opts = sema::options(None);
    opts.abi = Abi::of(target.machine, std::iter::empty());
    let module = analyse(&mut parsed, opts, &mut diags);
    assert!(!diags.has_errors(), "{:?}", diags.items());

    let mut mine = Vec::new();
    let mut main = String::new();
    for record in &module.types.records {
        let Some(tag) = record.tag else { continue };
        let tag = parsed.interner.name(tag);
        let body = record
            .body
            .as_ref()
            .expect("the generator defines its records");
        mine.push(format!("{tag} {} {}", body.size, body.align));
        let _ = writeln!(
            main,
            "printf(\"{tag} %zu %zu\\n\", sizeof(struct {tag}), _Alignof(struct {tag}));"
        );
        let mut found = Vec::new();
        leaves(&module.types, &parsed, record, "", 0, &mut found);
        for (path, offset, field) in found {
            if field.bits.is_some() {
                let bit = offset * 8 + u64::from(field.bit_offset);
                mine.push(format!("{tag}.{path} bit {bit}"));
                let _ = writeln!(main, "BIT({tag}, {path})");
            } else {
                mine.push(format!("{tag}.{path} byte {offset}"));
                let _ = writeln!(
                    main,
                    "printf(\"{tag}.{path} byte %zu\\n\", __builtin_offsetof(struct {tag}, {path}));"
                );
            }
        }
    }
    let program = format!(
        "#include <stdio.h>\n#include <string.h>\n{text}\n\
         static long first(const unsigned char *p, size_t n) {{\n\
         for (size_t i = 0; i < n * 8; i++) if (p[i / 8] >> i % 8 & 1) return (long)i;\nreturn -1; }}\n\
         #define BIT(s, f) {{ struct s o; memset(&o, 0, sizeof o); o.f = -1; \\\n\
         printf(#s \".\" #f \" bit %ld\\n\", first((unsigned char *)&o, sizeof o)); }}\n\
         int main(void) {{\n{main}return 0; }}\n"
    );
    let dir = tempfile::tempdir().expect("a directory for the oracle's program");
    let (source, binary) = (dir.path().join("records.c"), dir.path().join("records"));
    std::fs::write(&source, program).expect("writing the oracle's program");
    let built = Command::new(target.gcc)
        .args(["-std=gnu11", "-w", "-o"])
        .arg(&binary)
        .arg(&source)
        .output()
        .expect("gcc runs");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(
        built.status.success(),
        "gcc does not take the records: {said}"
    );
    let mut words = target.runner.iter().map(|word| word.to_string());
    let binary = binary.display().to_string();
    let mut oracle = Command::new(words.next().unwrap_or_else(|| binary.clone()));
    if !target.runner.is_empty() {
        oracle.args(words).arg(&binary);
    }
    let output = oracle.output().expect("the oracle runs");
    let theirs = String::from_utf8_lossy(&output.stdout);
    let wrong: Vec<String> = mine
        .iter()
        .zip(theirs.lines())
        .filter(|(a, b)| *a != b)
        .map(|(a, b)| {
            let tag = b.split([' ', '.']).next().unwrap_or("");
            let line = text.lines().find(|l| l.contains(&format!(" {tag} {{")));
            format!("upcc: {a}\n gcc: {b}\n{}", line.unwrap_or(""))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n{}",
        wrong.len(),
        mine.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    assert_eq!(mine.len(), theirs.lines().count());
    assert!(
        mine.len() > 1000,
        "the generator makes something to compare"
    );
}
