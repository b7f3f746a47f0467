//! Prints what comes before the phases: declarations, and the allocation of objects.

use super::super::model::*;
use super::super::visit;
use super::library::atomic_type;
use super::{Text, dim_text, layout};

/// The functions that both texts have, which know of no shared object.
const COMMON: &str = "\
/* Where element n of an array lies in its thread's memory. */
static inline long place_(long run, long n) { return n / (run * THREADS) * run + n % run; }
/* Element j of thread t's own. */
static inline long mine_at_(long run, long t, long j) { return (j / run * THREADS + t) * run + j % run; }
/* How many a thread has. */
static long mine_count_(long size, long run, long t) {
    long n = 0;
    for (long k = t * run; k < size; k += run * THREADS)
        n += size - k < run ? size - k : run;
    return n;
}
/* The element at which a pointer to element k points once its block size is `block`, its phase `phase`, and it has gone `by` further; -1: at none. */
static long remap_(long threads, long size, long run, long k, long block, long phase, long by) {
    long t = k / run % threads, at = place_(run, k) - phase, wraps, g;
    by += phase;
    if (block == 0)
        at += by;
    else {
        t += by / block;
        wraps = t / threads;
        t %= threads;
        at += wraps * block + by % block;
    }
    g = (at / run * threads + t) * run + at % run;
    return g < size ? g : -1;
}
/* How many elements lie together in a thread's memory from element k on, or in its block; no more than count. */
static long left_(long size, long run, long k, long count, int in_block) {
    long n = mine_count_(size, run, k / run % THREADS) - place_(run, k);
    if (in_block && n > run - k % run) n = run - k % run;
    return n < count ? n : count;
}
/* The element that lies j after element k. */
static inline long behind_(long run, long k, long j) { return mine_at_(run, k / run % THREADS, place_(run, k) + j); }
/* A complex number of few bits, and back. */
static inline double _Complex mix_(unsigned long v) { return (double)(v & 255) + (double)(v >> 8 & 15) * 1.0i; }
static inline long fold_(double _Complex z) { return (long)__real__ z * 31 + (long)__imag__ z; }
";

/// The events that the oracle counts beside gets and puts.
const COUNTED: &[&str] = &[
    "UPC_NOTIFY",
    "UPC_WAIT",
    "UPC_BARRIER",
    "UPC_FENCE",
    "UPC_FORALL",
    "UPC_LOCK",
    "UPC_UNLOCK",
    "UPC_MEMCPY",
    "UPC_MEMGET",
    "UPC_MEMPUT",
    "UPC_MEMSET",
    "UPC_NB_GET_INIT",
    "UPC_NB_PUT_INIT",
    "BUPC_NB_MEMCPY_INIT",
    "UPCC_NB_MEMSET_INIT",
    "UPC_NB_SYNC",
    "UPC_ALL_BROADCAST",
    "UPC_ALL_SCATTER",
    "UPC_ALL_GATHER",
    "UPC_ALL_GATHER_ALL",
    "UPC_ALL_EXCHANGE",
    "UPC_ALL_PERMUTE",
    "UPC_ALL_REDUCE",
    "UPC_ALL_PREFIX_REDUCE",
    "UPCC_ATOMIC",
    "mine0",
    "mine1",
];

const UPC_HEAD: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <upc_collective.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <pupc.h>
";

const ORACLE_HEAD: &str = "\
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
static int MYTHREAD, forall_;
/* What else a thread does: operations of the library and of the language, events of the program's own. */
enum { EVENTS_LIST_, EVENTS_ };
static const char *const names_[] = { NAMES_LIST_ };
static long events_[THREADS][EVENTS_];
#define E_(event) (events_[MYTHREAD][event]++)
/* Gets and puts of each thread: all, and those of other threads' objects. */
static long counts_[THREADS][4];
static int count_(int thread, int kind) {
    if (kind != 1) counts_[MYTHREAD][0]++, counts_[MYTHREAD][2] += thread != MYTHREAD;
    if (kind != 0) counts_[MYTHREAD][1]++, counts_[MYTHREAD][3] += thread != MYTHREAD;
    return thread;
}
#define R_(t, p) (count_(t, 0), (p))
#define W_(t, p) (count_(t, 1), (p))
#define U_(t, p) (count_(t, 2), (p))
/* An element of a directory, an array with one pointer for each thread. */
#define D_(t) (count_(t, 0))
";

impl Text<'_> {
    pub(super) fn whole(&mut self) {
        let program = self.program;
        let kind = if program.fixed { "static" } else { "dynamic" };
        self.line(&format!(
            "/* seed {}, {} threads, {kind} THREADS */",
            program.seed, program.threads
        ));
        match self.upc {
            true => {
                self.out.push_str(UPC_HEAD);
                let order = if program.strict { "strict" } else { "relaxed" };
                self.line(&format!("#include <upc_{order}.h>"));
            }
            false => {
                self.line(&format!("#define THREADS {}", program.threads));
                let quoted: Vec<String> = COUNTED.iter().map(|e| format!("\"{e}\"")).collect();
                let head = ORACLE_HEAD.replace("EVENTS_LIST_", &COUNTED.join(", "));
                self.out
                    .push_str(&head.replace("NAMES_LIST_", &quoted.join(", ")));
            }
        }
        self.out.push_str(COMMON);
        self.pointer_types();
        self.records();
        for (number, shape) in program.shapes.iter().enumerate() {
            let dims: Vec<String> = shape.dims.iter().map(|dim| dim_text(*dim)).collect();
            self.line(&format!("#define S{number}_ ({})", dims.join(" * ")));
        }
        let used: Vec<usize> = visit::objects(program).into_iter().collect();
        for &object in &used {
            self.object(object);
        }
        self.sums(&used);
        // The specification does not say how often a function compares.
        self.uninstrumented("off");
        self.collective_functions();
        self.uninstrumented("on");
        for (number, phase) in program.phases.iter().enumerate() {
            self.phase(number, phase);
        }
        for &object in &used {
            self.hash(object);
        }
        self.uninstrumented("off");
        self.setup(&used);
        self.uninstrumented("on");
        self.report(&used);
        self.uninstrumented("off");
        self.finish();
        self.uninstrumented("on");
        self.main();
    }

    /// Prints the frame. Its accesses raise no events, and the oracle counts none of them.
    pub(super) fn uninstrumented(&mut self, state: &str) {
        if self.upc {
            self.line(&format!("#pragma pupc {state}"));
        }
    }

    /// Prints the declaration of `qN`, a pointer to elements of object N.
    fn pointer_types(&mut self) {
        for object in 0..self.program.objects.len() {
            if let Element::Scalar(_) = self.program.objects[object].element {
                let target = self.target(object);
                self.line(&format!("typedef {target} *q{object};"));
            }
        }
    }

    fn records(&mut self) {
        for (number, record) in self.program.records.iter().enumerate() {
            let packed = match record.packed {
                true => "__attribute__((packed)) ",
                false => "",
            };
            let kind = if record.union { "union" } else { "struct" };
            self.open(&format!("{kind} {packed}r{number} {{"));
            for (at, field) in record.fields.iter().enumerate() {
                let text = match field {
                    Field::Scalar(scalar) => format!("{} f{at};", scalar.name()),
                    Field::Array(scalar, count) => format!("{} f{at}[{count}];", scalar.name()),
                    Field::Bits(scalar, width) => format!("{} f{at} : {width};", scalar.name()),
                    Field::Record(inner) => format!("{} f{at};", self.record_type(*inner)),
                    Field::Pointer(to) => format!("q{to} f{at};"),
                };
                self.line(&text);
            }
            self.close("};");
        }
    }

    fn object(&mut self, object: usize) {
        let of = &self.program.objects[object];
        let shape = self.program.shape(object);
        let element = self.element(object);
        let target = self.target(object);
        let dims: String = shape
            .dims
            .iter()
            .map(|dim| format!("[{}]", dim_text(*dim)))
            .collect();
        let run = self.program.run_of(object);
        let flat = match shape.dims.len() {
            1 => format!("a{object}"),
            _ => format!("(({target} *)a{object})"),
        };
        let order = if of.strict { "strict " } else { "" };
        let declared = match (self.upc, of.storage) {
            (false, _) => format!("static {element} a{object}{dims};"),
            (true, Storage::Static) if of.block == Block::Star => {
                format!("static {order}shared [*] {element} a{object}{dims};")
            }
            (true, Storage::Static) => {
                let layout = layout(self.program.block(object), of.strict);
                format!("static {layout}{element} a{object}{dims};")
            }
            (true, Storage::Directory) => {
                format!("static {target} *shared a{object}[THREADS];")
            }
            (true, _) => format!("static {target} *a{object};"),
        };
        self.line(&declared);
        if self.upc && matches!(of.storage, Storage::GlobalAlloc | Storage::OneAlloc(_)) {
            self.line(&format!("static {target} *shared made{object}_;"));
        }
        self.line(&format!("#define N{object}_ S{}_", of.shape));
        if !(self.upc && of.storage == Storage::Directory) {
            self.line(&format!("#define B{object}_ {flat}"));
        }
        let (count, first) = match of.storage {
            Storage::OneAlloc(owner) => (
                format!("(MYTHREAD == {owner} ? N{object}_ : 0)"),
                "0".to_string(),
            ),
            _ => (
                format!("mine_count_(N{object}_, {run}, MYTHREAD)"),
                format!("(MYTHREAD * {run})"),
            ),
        };
        self.line(&format!("#define COUNT{object}_ {count}"));
        self.line(&format!("#define FIRST{object}_ {first}"));
        if !self.upc {
            let (thread, mine) = match of.storage {
                Storage::OneAlloc(owner) => (owner.to_string(), "(j)".to_string()),
                _ => (
                    format!("((int)((n) / {run} % THREADS))"),
                    format!("mine_at_({run}, MYTHREAD, j)"),
                ),
            };
            self.line(&format!("#define T{object}_(n) {thread}"));
            self.line(&format!("#define MINE{object}_(j) {mine}"));
        }
    }

    fn sums(&mut self, used: &[usize]) {
        let count = self.program.phases.len() * self.program.objects.len();
        if self.upc {
            let names: Vec<String> = (0..SUMS).map(|sum| format!("x{sum}")).collect();
            self.line(&format!("static unsigned long {};", names.join(", ")));
            self.line(&format!(
                "static shared [] unsigned long results_[{}];",
                count.max(1)
            ));
            self.line(&format!(
                "static shared [{SUMS}] unsigned long sums_[THREADS * {SUMS}];"
            ));
            self.line("static shared int permutation_[THREADS];");
            for lock in used {
                self.line(&format!("static upc_lock_t *lock{lock};"));
            }
            for constant in self.domains(used) {
                let name = constant.to_lowercase();
                self.line(&format!("static upc_atomicdomain_t *{name}_;"));
            }
            for event in 0..EVENTS {
                self.line(&format!("static unsigned mine{event}_;"));
            }
        } else {
            self.line(&format!("static unsigned long x_[THREADS][{SUMS}];"));
            for sum in 0..SUMS {
                self.line(&format!("#define x{sum} x_[MYTHREAD][{sum}]"));
            }
            self.line(&format!("static unsigned long results_[{}];", count.max(1)));
        }
    }

    /// Returns the types of objects that atomic operations may reach.
    fn domains(&self, used: &[usize]) -> Vec<&'static str> {
        let mut found: Vec<&str> = Vec::new();
        for &object in used {
            if let Element::Scalar(scalar) = self.program.objects[object].element
                && let Some((constant, _)) = atomic_type(scalar)
                && !found.contains(&constant)
            {
                found.push(constant);
            }
        }
        found
    }

    fn phase(&mut self, number: usize, phase: &Phase) {
        let outer = std::mem::take(&mut self.out);
        self.open(&format!("static void phase{number}(void) {{"));
        match phase {
            Phase::Compute { body, .. } => self.body(body),
            Phase::Collective(of) => self.collective(of),
        }
        self.close("}");
        if let Phase::Compute {
            split: Some(split), ..
        } = phase
        {
            self.open(&format!("static void split{number}(void) {{"));
            self.body(split);
            self.close("}");
        }
        let text = std::mem::replace(&mut self.out, outer);
        let helpers = std::mem::take(&mut self.helpers);
        self.out.push_str(&helpers);
        self.out.push_str(&text);
    }

    /// Returns the access to an element in a loop over all elements of an object.
    pub(super) fn element_access(object: usize, path: Vec<Step>) -> Access {
        Access {
            object,
            index: Index::Linear {
                var: 0,
                scale: 1,
                offset: 0,
                reversed: false,
            },
            path,
            spelling: Spelling::Subscript,
        }
    }

    fn hash(&mut self, object: usize) {
        self.open(&format!("static unsigned long hash{object}(void) {{"));
        self.line("unsigned long h = 5381;");
        self.open(&format!("for (long i0 = 0; i0 < N{object}_; i0++) {{"));
        for path in self.program.leaves(object) {
            let value = self.digest(&Text::element_access(object, path));
            self.line(&format!("h = h * 1000003 + {value};"));
        }
        self.close("}");
        self.line("return h;");
        self.close("}");
    }

    fn setup(&mut self, used: &[usize]) {
        self.open("static void setup(void) {");
        if self.upc {
            self.make(used);
        }
        for &object in used {
            let starts_zero = self.program.objects[object].storage == Storage::Static;
            self.clear(object, starts_zero);
        }
        self.close("}");
    }

    /// Prints the calls that make objects, locks and domains.
    fn make(&mut self, used: &[usize]) {
        for &object in used {
            let of = &self.program.objects[object];
            let element = self.element(object);
            let run = self.program.run_of(object);
            let blocks = self.program.size(object).div_ceil(run.max(1));
            let arguments = format!("({blocks}, {run} * sizeof({element}))");
            let whole = format!("(N{object}_ * sizeof({element}))");
            match of.storage {
                Storage::Static => {}
                Storage::AllAlloc => self.line(&format!("a{object} = upc_all_alloc{arguments};")),
                Storage::GlobalAlloc => self.line(&format!(
                    "if (MYTHREAD == THREADS - 1) made{object}_ = upc_global_alloc{arguments};"
                )),
                Storage::OneAlloc(owner) => self.line(&format!(
                    "if (MYTHREAD == {owner}) made{object}_ = upc_alloc{whole};"
                )),
                Storage::Directory => self.line(&format!(
                    "a{object}[MYTHREAD] = upc_alloc({run} * sizeof({element}));"
                )),
            }
        }
        for event in 0..EVENTS {
            self.line(&format!(
                "mine{event}_ = pupc_create_event(\"mine{event}\", \"%d\");"
            ));
        }
        self.line("permutation_[MYTHREAD] = (MYTHREAD + 1) % THREADS;");
        for lock in used {
            self.line(&format!("lock{lock} = upc_all_lock_alloc();"));
        }
        for constant in self.domains(used) {
            let name = constant.to_lowercase();
            self.line(&format!(
                "{name}_ = upc_all_atomicdomain_alloc({constant}, UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_MIN | UPC_MAX, 0);"
            ));
        }
        self.line("upc_barrier;");
        for &object in used {
            if let Storage::GlobalAlloc | Storage::OneAlloc(_) =
                self.program.objects[object].storage
            {
                self.line(&format!("a{object} = made{object}_;"));
            }
        }
    }

    /// Prints code that gives every element a value, except numbers that are 0 from the beginning.
    fn clear(&mut self, object: usize, starts_zero: bool) {
        let paths: Vec<Vec<Step>> = self.program.leaves(object);
        let mut body = Vec::new();
        for path in paths {
            let target = Text::element_access(object, path);
            match self.program.leaf(&target) {
                Leaf::Pointer(to) => body.push(Stmt::StorePointer {
                    target,
                    to: Access {
                        object: to,
                        index: Index::Free(Box::new(Expr::Var(0))),
                        path: Vec::new(),
                        spelling: Spelling::Subscript,
                    },
                }),
                _ if starts_zero => {}
                _ => body.push(Stmt::Store {
                    target,
                    op: Op::Set,
                    value: Expr::Number(0),
                    into: None,
                }),
            }
        }
        if body.is_empty() {
            return;
        }
        let guard = Stmt::Guard {
            owner: Owner::Cyclic { shift: 0 },
            access: Text::element_access(object, Vec::new()),
            skip: false,
            body,
        };
        self.body(&[Stmt::Loop(Loop {
            var: 0,
            unsigned: false,
            wide: false,
            kind: LoopKind::For,
            span: Span::Shape {
                shape: self.program.objects[object].shape,
                scale: 1,
                margin: 0,
            },
            step: 1,
            down: false,
            pragma: false,
            body: vec![guard],
        })]);
    }
}
