//! Shapes of text that once took time in proportion to the square of their size, for the suite `big`.

/// A part of a text.
pub enum Part {
    Once(&'static str),
    /// As many times as the text is large; `#` is the number of the time, `@` that of the next.
    Each(&'static str),
    /// The same, `#` counting down.
    Down(&'static str),
}
use Part::{Down, Each, Once};

/// A shape and a size at which it takes a fraction of a second.
pub struct Shape {
    pub name: &'static str,
    pub size: usize,
    pub parts: &'static [Part],
    /// It is full of mistakes.
    pub refused: bool,
}

impl Shape {
    /// The text in size `n`.
    pub fn text(&self, n: usize) -> String {
        let numbered = |part: &str, i: usize| {
            let next = part.replace('@', &(i + 1).to_string());
            next.replace('#', &i.to_string())
        };
        let part = |part: &Part| match part {
            Once(text) => numbered(text, n),
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
        refused: false,
    }
}

const fn refused(name: &'static str, size: usize, parts: &'static [Part]) -> Shape {
    Shape {
        name,
        size,
        parts,
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
    shape("members and their uses", 16_000, &[Once("struct s {\n"), Each("int m#;\n"), Once("} ; shared struct s v;\n"), BODY, Each("v.m# = 1;\n"), END]),
    shape("unnamed members in unnamed members", 6_000, &[Once("struct s {"), Each("struct { int x#;\n"), Each("};"), Once("}; shared struct s v;\n"), BODY, END]),
    shape("structures in structures", 6_000, &[Once("struct s {"), Each("struct { int x#;\n"), Down("} m#;"), Once("}; shared struct s v;\n"), BODY, END]),
    shape("dimensions", 2_000, &[Once("extern shared int t"), Each("[1]"), Once("[THREADS]; int f(void) { return t"), Each("[0]"), Once("[0]; }\n")]),
    shape("case ranges", 16_000, &[BODY, Once("switch (a[x]) {\n"), Each("case #0 ... #1: x++; break;\n"), Once("}"), END]),
    shape("assignments in assignments", 8_000, &[BODY, Once("return "), Each("a[x] += "), Once("1; }\n")]),
    refused("names that are not declared", 8_000, &[BODY, Each("undeclared# = 1;\n"), END]),
    refused("names that are not declared, near others", 4_000, &[Each("int declared_name_#;\n"), BODY, Each("declared_nam_# = 1;\n"), END]),
    refused("members that do not exist", 4_000, &[Once("struct s {\n"), Each("int member_#;\n"), Once("} v;\n"), BODY, Each("v.membe_# = 1;\n"), END]),
    refused("labels that do not exist", 4_000, &[BODY, Each("label_#: goto labl_#;\n"), END]),
    shape("functions that are not declared", 4_000, &[BODY, Each("undeclared#(1);\n"), END]),
];
