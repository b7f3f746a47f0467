//! Precedence and grouping against a generator that knows them independently.

mod common;

use common::{Random, good};
use upcc_grammar::Parsed;
use upcc_grammar::ast::*;

/// Spelling, precedence (higher binds tighter) and grouping from the right.
const OPERATORS: &[(&str, u8, bool)] = &[
    ("*", 13, false),
    ("/", 13, false),
    ("%", 13, false),
    ("+", 12, false),
    ("-", 12, false),
    ("<<", 11, false),
    (">>", 11, false),
    ("<", 10, false),
    (">=", 10, false),
    ("==", 9, false),
    ("!=", 9, false),
    ("&", 8, false),
    ("^", 7, false),
    ("|", 6, false),
    ("&&", 5, false),
    ("||", 4, false),
    ("?", 3, true),
    ("=", 2, true),
    ("+=", 2, true),
    (",", 1, false),
];

/// A random expression, fully bracketed and with as few parentheses as C needs, and its precedence.
fn generate(random: &mut Random, depth: u32) -> (String, String, u8) {
    if depth == 0 || random.below(6) == 0 {
        let name = ["a", "b", "c", "7"][random.below(4)].to_owned();
        return (name.clone(), name, 15);
    }
    if random.below(5) == 0 {
        let op = ["-", "!", "~", "*", "&"][random.below(5)];
        let (full, text, prec) = generate(random, depth - 1);
        return (
            format!("[{op}{full}]"),
            format!("{op} {}", wrap(text, prec < 14)),
            14,
        );
    }
    let (op, prec, right) = OPERATORS[random.below(OPERATORS.len())];
    let (lf, lt, lp) = generate(random, depth - 1);
    let (rf, rt, rp) = generate(random, depth - 1);
    let left = wrap(lt, lp < prec || (lp == prec && right));
    let text = wrap(rt, rp < prec || (rp == prec && !right));
    if op == "?" {
        let (mf, mt, _) = generate(random, depth - 1);
        return (
            format!("[{lf}?{mf}:{rf}]"),
            format!("{left} ? {mt} : {text}"),
            prec,
        );
    }
    (
        format!("[{lf}{op}{rf}]"),
        format!("{left} {op} {text}"),
        prec,
    )
}

fn wrap(text: String, wanted: bool) -> String {
    if wanted { format!("({text})") } else { text }
}

/// The tree as the parser built it, parentheses of the text aside.
fn show(parsed: &Parsed, id: ExprId) -> String {
    let ast = &parsed.ast;
    let of = |id| show(parsed, id);
    match ast[id].kind {
        ExprKind::Paren(e) => of(e),
        ExprKind::Name(_) | ExprKind::Number => parsed.stream.slice(ast[id].span).to_owned(),
        ExprKind::Unary(op, e) => {
            let op = match op {
                UnOp::Neg => "-",
                UnOp::Not => "!",
                UnOp::BitNot => "~",
                UnOp::Deref => "*",
                UnOp::AddrOf => "&",
                other => panic!("{other:?}"),
            };
            format!("[{op}{}]", of(e))
        }
        ExprKind::Comma(a, b) => format!("[{},{}]", of(a), of(b)),
        ExprKind::Cond(a, Some(b), c) => format!("[{}?{}:{}]", of(a), of(b), of(c)),
        ExprKind::Assign(None, a, b) => format!("[{}={}]", of(a), of(b)),
        ExprKind::Assign(Some(_), a, b) => format!("[{}+={}]", of(a), of(b)),
        ExprKind::Binary(op, a, b) => format!("[{}{}{}]", of(a), spelling(op), of(b)),
        other => panic!("{other:?}"),
    }
}

fn spelling(op: BinOp) -> &'static str {
    match op {
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Lt => "<",
        BinOp::Gt => ">",
        BinOp::Le => "<=",
        BinOp::Ge => ">=",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::BitAnd => "&",
        BinOp::BitXor => "^",
        BinOp::BitOr => "|",
        BinOp::And => "&&",
        BinOp::Or => "||",
    }
}

/// The only expression statement of a text.
fn statement(parsed: &Parsed) -> ExprId {
    let found = parsed.ast.stmts.iter().find_map(|s| match s.kind {
        StmtKind::Expr(e) => e,
        _ => None,
    });
    found.expect("the text has an expression statement")
}

#[test]
fn precedence() {
    let mut random = Random(42);
    for _ in 0..3000 {
        let (full, text, _) = generate(&mut random, 5);
        let parsed = good(&format!("int a, b, c; void f(void) {{ {text}; }}"));
        assert_eq!(show(&parsed, statement(&parsed)), full, "{text}");
    }
}

#[test]
fn every_form_is_taken() {
    for text in [
        "sizeof (int) * 2",
        "sizeof (int){1}",
        "sizeof -a",
        "sizeof sizeof (char)",
        "(int)(char)a++",
        "a ?: b",
        "a[1][2].x->y(1, 2)++",
        "(struct S){ .x = 1, [2].y = 3, [4 ... 5] = 6 }.x",
        "({ int t = 1; t; }) + 1",
        "&&label == p",
        "_Generic(a, int: 1, default: 2)",
        "__builtin_va_arg(p, int *)",
        "__builtin_offsetof(struct S, x[3].y)",
        "__builtin_types_compatible_p(int, long)",
        "__builtin_convertvector(v, int)",
        "__builtin_choose_expr(1, a, b)",
        "__builtin_complex(1.0, 2.0)",
        "__real__ z + __imag__ z",
        "__alignof__(int) + _Alignof(char) + __alignof a",
        "L\"a\" \"b\" u8\"c\"",
        "L'x' + u'y' + U'z' + '\\'' + '\\\\'",
        "0x1.8p3 + 0b101 + 1.0i + 2.0fj + 1e5L + 3ull + 1.0f128 + 2.dd + .5q",
        "upc_localsizeof(int) + upc_blocksizeof a + upc_elemsizeof(a)",
        "THREADS * MYTHREAD",
        "a<:1:> + $dollar + \u{e9}t\u{e9} + \\u00e9x",
        "(shared [4] int *)a == (shared void *)b",
        "__builtin_has_attribute(a, aligned(4))",
    ] {
        good(&format!("void f(void) {{ {text}; label: ; }}"));
    }
}
