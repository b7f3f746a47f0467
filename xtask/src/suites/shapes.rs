//! Shapes of text that once took time in proportion to the square of their size, for the suite `big`.

/// A part of a text.
pub enum Part {
    Once(&'static str),
    /// Once, with each `#` as it is.
    Plain(&'static str),
    /// Repeated in proportion to the size; `#` is the number of the repetition, `@` that of the next.
    Each(&'static str),
    /// The same, with `#` counting down.
    Down(&'static str),
}
use Part::{Down, Each, Once, Plain};

/// A shape, and a size at which it takes a fraction of a second.
#[derive(Clone, Copy)]
pub struct Shape {
    pub name: &'static str,
    pub size: usize,
    pub parts: &'static [Part],
    /// Options of the translation.
    pub flags: &'static [&'static str],
    /// It contains many errors.
    pub refused: bool,
}

impl Shape {
    /// Returns the text in size `n`.
    pub fn text(&self, n: usize) -> String {
        let numbered = |part: &str, i: usize| {
            let next = part.replace('@', &(i + 1).to_string());
            next.replace('#', &i.to_string())
        };
        let part = |part: &Part| match part {
            Once(text) => numbered(text, n),
            Plain(text) => (*text).to_owned(),
            Each(text) => (0..n).map(|i| numbered(text, i)).collect(),
            Down(text) => (0..n).rev().map(|i| numbered(text, i)).collect(),
        };
        self.parts.iter().map(part).collect()
    }
}

const fn shape(name: &'static str, size: usize, parts: &'static [Part]) -> Shape {
    Shape {
        name,
        size,
        parts,
        flags: &[],
        refused: false,
    }
}

const fn with(shape: Shape, flags: &'static [&'static str]) -> Shape {
    Shape { flags, ..shape }
}

const fn refused(name: &'static str, size: usize, parts: &'static [Part]) -> Shape {
    Shape {
        name,
        size,
        parts,
        flags: &[],
        refused: true,
    }
}

const BODY: Part = Once("int f(int x) {\n");
const END: Part = Once("return 0; }\n");

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    shape("nested upc_forall", 4_000, &[BODY, Each("upc_forall (int i = 0; i < x; i++; &a[i]) { a[i] = 2; "), Each("}"), END]),
    shape("upc_forall after upc_forall", 2_000, &[BODY, Each("upc_forall (int i = 0; i < x; i++; i) a[i] = 2;\n"), END]),
    shape("upc_forall in a loop", 2_000, &[BODY, Once("while (x--) {\n"), Each("upc_forall (int i = 0; i < x; i++; i) a[i] = 2;\n"), Once("}"), END]),
    shape("nested do", 8_000, &[BODY, Each("do {"), Once("a[x] = 1;"), Each("} while (a[x]);"), END]),
    shape("nested while", 8_000, &[BODY, Each("while (a[x]) { x++; "), Each("}"), END]),
    shape("nested for", 6_000, &[BODY, Each("for (int i = 0; i < a[x]; i++) "), Once("a[x] = 1;"), END]),
    shape("nested if with synchronization", 8_000, &[BODY, Each("if (MYTHREAD) { upc_notify; upc_wait; "), Each("}"), END]),
    shape("nested blocks", 8_000, &[BODY, Each("{ int v = a[1];\n"), Each("}"), END]),
    shape("nested typeof", 16_000, &[BODY, Each("typeof("), Once("x"), Each(")"), Once(" y = a[1];"), END]),
    shape("chain of typedefs and their uses", 8_000, &[Once("typedef shared int *t0;
"), Each("typedef t# t@; t@ v#;
"), BODY, Each("x += *v#;
"), END]),
    shape("members and their uses", 16_000, &[Once("struct s {\n"), Each("int m#;\n"), Once("}; shared struct s v;\n"), BODY, Each("v.m# = 1;\n"), END]),
    shape("unnamed members in unnamed members", 6_000, &[Once("struct s {"), Each("struct { int x#;\n"), Each("};"), Once("}; shared struct s v;\n"), BODY, END]),
    shape("structures in structures", 6_000, &[Once("struct s {"), Each("struct { int x#;\n"), Down("} m#;"), Once("}; shared struct s v;\n"), BODY, END]),
    shape("case ranges", 16_000, &[BODY, Once("switch (a[x]) {\n"), Each("case #0 ... #1: x++; break;\n"), Once("}"), END]),
    shape("assignments in assignments", 8_000, &[BODY, Once("return "), Each("a[x] += "), Once("1; }\n")]),
    with(shape("nested upc_forall, checked", 4_000, &[BODY, Each("upc_forall (int i = 0; i < x; i++; &a[i]) { a[i] = 2; "), Each("}"), END]), &["-fupc-checks"]),
    with(shape("chain of arrows, instrumented", 8_000, &[Once("struct s { shared struct s *p; int v; }; int f(shared struct s *q) { return q"), Each("->p"), Once("->v; }\n")]), &["--inst"]),
    with(shape("chain of subscripts, checked", 4_000, &[BODY, Once("return "), Each("a["), Once("x"), Each("]"), Once("; }\n")]), &["-fupc-checks"]),
    with(shape("accesses to members in a line, instrumented", 8_000, &[Once("struct s {\n"), Each("int m#;\n"), Once("}; shared struct s v;\n"), BODY, Each("x += v.m#; "), END]), &["--inst-local"]),
    with(shape("macros with accesses in a line, instrumented", 8_000, &[Plain("#define GET(i) x += a[i]\n"), BODY, Each("GET(#); "), END]), &["--inst-local"]),
    with(shape("calls in a loop, instrumented", 4_000, &[BODY, Once("while (x--) {"), Each("a[x] = g(a[x + #]);\n"), Once("}"), END]), &["--inst"]),
    shape("associations of _Generic", 4_000, &[Each("struct s# { int x; };\n"), BODY, Once("return _Generic(x, "), Each("struct s#: a[#], "), Once("default: a[0]); }\n")]),
    shape("_Generic in _Generic", 2_000, &[BODY, Once("return "), Each("_Generic(x, int: "), Once("a[0]"), Each(")"), Once("; }\n")]),
    shape("deep braces around a scalar", 8_000, &[Once("shared int v = "), Each("{"), Once("1"), Each("}"), Once(";\n")]),
    shape("deep braces of a shared structure", 2_000, &[Once("struct s {"), Each("int x#; struct {\n"), Once("int y;"), Down("} m#;"), Once("}; shared struct s v = {"), Each("#, {"), Once("1"), Each("}"), Once("};\n")]),
    shape("deep braces of a private structure", 2_000, &[Once("struct s {"), Each("shared int *x#; struct {\n"), Once("int y;"), Down("} m#;"), Once("}; struct s v = {"), Each("a, {"), Once("1"), Each("}"), Once("};\n")]),
    shape("deep braces of an automatic structure", 2_000, &[Once("struct s {"), Each("shared int *x#; struct {\n"), Once("int y;"), Down("} m#;"), Once("};\n"), BODY, Once("struct s v = {"), Each("a, {"), Once("1"), Each("}"), Once("}; x += v.x0 == a;"), END]),
    shape("deep braces of an array", 4_000, &[Once("shared int *v"), Each("[1]"), Once(" = "), Each("{"), Once("a"), Each("}"), Once(";\n")]),
    shape("elided braces of a shared structure", 4_000, &[Once("struct s {"), Each("struct { int x#, y#; };\n"), Once("}; shared struct s v = {"), Each("#, 1, "), Once("};\n")]),
    shape("elided braces of an array of deep structures", 8_000, &[Once("struct s { struct { struct { struct { int x[2]; } a; } b[2]; } c; }; shared [] struct s v[] = {"), Each("#, 1, 2, 3, "), Once("};\n")]),
    shape("elided braces of a deep shared structure", 3_000, &[Once("struct s {"), Each("struct {\n"), Once("int x;"), Down("} m#; int y#;"), Once("}; shared struct s v = {1, "), Each("#, "), Once("};\n")]),
    shape("elided braces of a deep private structure", 3_000, &[Once("struct s { shared int *p; "), Each("struct {\n"), Once("int x;"), Down("} m#; int y#;"), Once("}; struct s v = {a, 1, "), Each("#, "), Once("};\n")]),
    shape("members of unnamed structures", 4_000, &[Once("struct s {"), Each("struct { int x#; };\n"), Once("}; shared struct s v;\n"), BODY, Each("x += v.x#;\n"), END]),
    shape("dimensions", 2_000, &[Once("extern shared int t"), Each("[1]"), Once("[THREADS]; int f(void) { return t"), Each("[0]"), Once("[0]; }\n")]),
    shape("functions that take functions", 8_000, &[Once("int f"), Each("(shared int *a#, int (*g#)"), Once("(void)"), Each(")"), Once(";\n")]),
    shape("nested upc_forall with jumps", 4_000, &[BODY, Each("upc_forall (int i = 0; i < x; i++; &a[i]) { l#: if (a[i]) goto l#; if (a[x]) goto out;\n"), Each("}"), Once("out: "), END]),
    shape("labels and jumps past arrays", 4_000, &[BODY, Each("{ int v[x]; if (a[1]) goto l#; l#: v[0] = 1; "), Each("}"), END]),
    shape("initialisers of static objects", 8_000, &[Once("int t[] = { "), Each("1 + (#) * 2, "), Once("};\n"), BODY, Once("static long s = 0"), Each(" + #"), Once(";\n"), END]),
    shape("enumerators", 16_000, &[Once("enum e {"), Each("e#, "), Once("};\n"), BODY, Each("a[0] += e#;\n"), END]),
    refused("names that are not declared", 8_000, &[BODY, Each("undeclared# = 1;\n"), END]),
    refused("names that are not declared, near others", 4_000, &[Each("int declared_name_#;\n"), BODY, Each("declared_nam_# = 1;\n"), END]),
    refused("members that do not exist", 4_000, &[Once("struct s {\n"), Each("int member_#;\n"), Once("} v;\n"), BODY, Each("v.membe_# = 1;\n"), END]),
    refused("labels that do not exist", 4_000, &[BODY, Each("label_#: goto labl_#;\n"), END]),
    shape("functions that are not declared", 4_000, &[BODY, Each("undeclared#(1);\n"), END]),
];
