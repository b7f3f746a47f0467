//! Tests of types and sizes of UPC expressions: assertions that upcc itself must find true, in both THREADS
//! environments.

#[path = "common/sema.rs"]
mod sema;

use upcc::diag::Diagnostics;
use upcc::il::validate::{Stage, validate};
use upcc::il::{Body, ExprFlags, ExprKind, Module};
use upcc::sema::analyse;

fn module(text: &str, static_threads: Option<u32>) -> Module {
    let mut parsed = upcc_grammar::parse(text.to_string());
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    let mut diags = Diagnostics::default();
    let opts = sema::options(static_threads);
    let module = analyse(&mut parsed, opts, &mut diags);
    let wrong: Vec<String> = diags
        .items()
        .iter()
        .map(|d| {
            let at = d.span.clone().unwrap_or_default();
            format!(
                "{}: {} in `{}`",
                d.code,
                d.message,
                &text[at.start as usize..at.end as usize]
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    validate(&module, Stage::Typed).expect("sema keeps the invariants");
    module
}

const DECLARATIONS: &str = "
    typedef int v4 __attribute__((vector_size(16)));
    struct in { short s; int deep[3]; };
    struct node { int value; struct in in; shared struct node *next; shared [] char *text; union { long l; int i; }; unsigned bits : 5; };
    shared int scalar; shared int cyclic[10 * THREADS]; shared [4] int blocked[3][8 * THREADS]; shared [] int here[6];
    shared struct node node; shared [2] struct node nodes[6 * THREADS]; shared const int fixed; shared v4 vec;
    shared int *p; shared [4] int *b; shared [] int *z; shared void *g; shared struct node *n; strict shared int *sp;
    shared int *shared [5] hop[5 * THREADS]; struct node mine; struct node *private_node; int i; int *local;
";

#[test]
fn types() {
    // An expression and its type.
    let cases = [
        ("scalar", "shared int"),
        ("+scalar", "int"),
        ("&scalar", "shared int *"),
        ("*cyclic", "shared int"),
        ("**blocked", "shared [4] int"),
        ("*blocked[1]", "shared [4] int"),
        ("**(blocked + 1)", "shared [4] int"),
        ("**&cyclic", "shared int"),
        ("&cyclic[3]", "shared int *"),
        ("cyclic + 1", "shared int *"),
        ("1 + cyclic", "shared int *"),
        ("&blocked[1][2]", "shared [4] int *"),
        ("&here[1]", "shared [] int *"),
        ("&node.value", "shared [] int *"),
        ("&node.in", "shared [] struct in *"),
        ("&node.in.deep[1]", "shared [] int *"),
        ("node.in.deep + 1", "shared [] int *"),
        ("&n->value", "shared [] int *"),
        ("&n->l", "shared [] long *"),
        ("&nodes[2].i", "shared [] int *"),
        ("&nodes[2]", "shared [2] struct node *"),
        ("n->next", "shared struct node * shared []"),
        ("n->next->next + 0", "shared struct node *"),
        ("*n->text", "shared [] char"),
        ("mine.next", "shared struct node *"),
        ("private_node->text + 1", "shared [] char *"),
        ("p - p", "long"),
        ("p == 0", "int"),
        ("p == g", "int"),
        ("p < p + 1", "int"),
        ("i ? p : 0", "shared int *"),
        ("i ? 0 : b", "shared [4] int *"),
        ("i ? g : p", "shared void *"),
        ("i ? p : g", "shared void *"),
        ("p ?: 0", "shared int *"),
        ("(shared [] int *)p", "shared [] int *"),
        ("(int *)p", "int *"),
        ("p++", "shared int *"),
        ("p += 2", "shared int *"),
        ("scalar += 1.5", "int"),
        ("scalar++", "int"),
        ("node = mine", "struct node"),
        ("mine = node", "struct node"),
        ("node.bits + 1", "int"),
        ("*sp", "strict shared int"),
        ("&fixed", "shared const int *"),
        ("*hop[1]", "shared int"),
        ("hop[1] + 1", "shared int *"),
        ("&hop[1]", "shared int *shared [5] *"),
        ("THREADS", "int"),
        ("MYTHREAD + 1L", "long"),
        ("vec[1]", "shared [] int"),
        ("upc_elemsizeof(cyclic)", "unsigned long"),
        ("(void)scalar", "void"),
        ("(i, scalar) + 0", "int"),
        ("({ scalar; })", "int"),
        ("({ &cyclic[1]; })", "shared int *"),
    ];
    for threads in [None, Some(3)] {
        let mut text = format!("{DECLARATIONS} void check(void) {{");
        for (expression, ty) in cases {
            text.push_str(&format!(
                "_Static_assert(__builtin_types_compatible_p(__typeof__({expression}) *, {ty} *), \"{expression}\");\n"
            ));
        }
        module(&(text + "}"), threads);
    }
}

#[test]
fn sizes() {
    let always = [
        "sizeof(scalar) == 4",
        "sizeof(here) == 24",
        "upc_blocksizeof(blocked) == 4",
        "upc_blocksizeof(here) == 0",
        "upc_blocksizeof(cyclic) == 1",
        "upc_elemsizeof(blocked) == 4",
        "upc_elemsizeof(nodes) == sizeof(struct node)",
        "upc_localsizeof(cyclic) == 40",
        "upc_localsizeof(here) == 24",
        "upc_localsizeof(scalar) == 4",
        "upc_localsizeof(nodes) == 6 * sizeof(struct node)",
        "upc_localsizeof(blocked) == 24 * 4",
        "upc_localsizeof(shared [3] int) == 4",
        "upc_localsizeof(shared [*] struct node) == sizeof(struct node)",
        "sizeof(node.in) == sizeof(struct in)",
        "sizeof n->in.deep == 12",
    ];
    let fixed = [
        "sizeof(cyclic) == 120",
        "sizeof(blocked) == 3 * 24 * 4",
        "upc_localsizeof(shared [5] int [31]) == 60",
        "THREADS == 3",
    ];
    let assert = |list: &[&str]| {
        list.iter()
            .map(|e| format!("_Static_assert({e}, \"{e}\");\n"))
            .collect::<String>()
    };
    module(&format!("{DECLARATIONS} {}", assert(&always)), None);
    module(
        &format!("{DECLARATIONS} {} {}", assert(&always), assert(&fixed)),
        Some(3),
    );
}

/// Returns the shared accesses of a function, as `strict` or `relaxed`, in the order of their nodes.
fn accesses(body: &Body, module: &Module) -> Vec<&'static str> {
    let shared = |place: upcc::il::ExprId| module.types.is_shared(body.expr(place).ty);
    body.exprs
        .iter()
        .filter(|e| match e.kind {
            ExprKind::Load(place)
            | ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. } => shared(place),
            _ => false,
        })
        .map(|e| {
            if e.flags.has(ExprFlags::STRICT) {
                "strict"
            } else {
                "relaxed"
            }
        })
        .collect()
}

#[test]
fn strict_and_relaxed() {
    let text = "
        shared int x; strict shared int s; relaxed shared int r;
        void before(void) { x = 1; s = 1; r = 1; }
#pragma upc strict
        void after(void) {
            x++;
            {
#pragma upc relaxed
                x += 2; s += 2;
            }
            r = x;
        }
        void still(void) { x = s; }
    ";
    let module = module(text, None);
    let found: Vec<Vec<&str>> = module
        .items
        .iter()
        .filter(|item| matches!(item.kind, upcc::il::ItemKind::Function(_)))
        .map(|item| accesses(&item.body, &module))
        .collect();
    assert_eq!(
        found,
        [
            vec!["relaxed", "strict", "relaxed"],
            vec!["strict", "relaxed", "strict", "strict", "relaxed"],
            vec!["strict", "strict"],
        ]
    );
}
