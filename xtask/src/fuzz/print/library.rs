//! Prints calls of the library (locks, atomics, transfers and collective functions), and what the oracle does in their place.

use super::super::model::*;
use super::{Does, Text, whole};

const IN_SYNC: [&str; 4] = ["0", "UPC_IN_ALLSYNC", "UPC_IN_MYSYNC", "UPC_IN_NOSYNC"];
const OUT_SYNC: [&str; 4] = ["0", "UPC_OUT_ALLSYNC", "UPC_OUT_MYSYNC", "UPC_OUT_NOSYNC"];

impl Reduction {
    fn constant(self) -> &'static str {
        match self {
            Reduction::Add => "UPC_ADD",
            Reduction::Mult => "UPC_MULT",
            Reduction::And => "UPC_AND",
            Reduction::Or => "UPC_OR",
            Reduction::Xor => "UPC_XOR",
            Reduction::Min => "UPC_MIN",
            Reduction::Max => "UPC_MAX",
            Reduction::LogAnd => "UPC_LOGAND",
            Reduction::LogOr => "UPC_LOGOR",
            Reduction::Func => "UPC_FUNC",
            Reduction::NonComm => "UPC_NONCOMM_FUNC",
        }
    }

    /// Returns the operation as C writes it.
    fn combined(self, left: &str, right: &str) -> String {
        let sign = match self {
            Reduction::Min => return format!("({left} < {right} ? {left} : {right})"),
            Reduction::Max => return format!("({left} > {right} ? {left} : {right})"),
            // Both are associative, and the first one is commutative.
            Reduction::Func => return format!("({left} + {right} + 1)"),
            Reduction::NonComm => return left.to_string(),
            Reduction::Add => "+",
            Reduction::Mult => "*",
            Reduction::And => "&",
            Reduction::Or => "|",
            Reduction::Xor => "^",
            Reduction::LogAnd => "&&",
            Reduction::LogOr => "||",
        };
        format!("({left} {sign} {right})")
    }
}

/// Returns the letters of `upc_all_reduceT`. `None`: there is no such function.
pub fn reduce_letters(scalar: Scalar) -> Option<&'static str> {
    Some(match scalar {
        Scalar::SChar => "C",
        Scalar::UChar => "UC",
        Scalar::Short => "S",
        Scalar::UShort => "US",
        Scalar::Int => "I",
        Scalar::UInt => "UI",
        Scalar::Long => "L",
        Scalar::ULong => "UL",
        Scalar::Float => "F",
        Scalar::Double => "D",
        Scalar::Bool | Scalar::Char | Scalar::LongLong | Scalar::Int128 => return None,
        Scalar::LongDouble | Scalar::FloatComplex | Scalar::DoubleComplex => return None,
    })
}

/// Returns the constant of a type with atomic operations, and the letters of Berkeley's functions.
pub(super) fn atomic_type(scalar: Scalar) -> Option<(&'static str, &'static str)> {
    Some(match scalar {
        Scalar::Int => ("UPC_INT", "I"),
        Scalar::UInt => ("UPC_UINT", "UI"),
        Scalar::Long => ("UPC_LONG", "L"),
        Scalar::ULong => ("UPC_ULONG", "UL"),
        _ => return None,
    })
}

pub fn has_atomics(scalar: Scalar) -> bool {
    atomic_type(scalar).is_some()
}

/// What a function moves between private memory and an object, or objects.
#[derive(Clone, Copy)]
enum Moves {
    Get(usize),
    Put(usize),
    Copy(usize, usize),
    Set(usize, u8),
}

impl Moves {
    /// Returns the events of the blocking function, and of the others.
    fn events(self) -> (&'static str, &'static str) {
        match self {
            Moves::Get(_) => ("UPC_MEMGET", "UPC_NB_GET_INIT"),
            Moves::Put(_) => ("UPC_MEMPUT", "UPC_NB_PUT_INIT"),
            Moves::Copy(..) => ("UPC_MEMCPY", "BUPC_NB_MEMCPY_INIT"),
            Moves::Set(..) => ("UPC_MEMSET", "UPCC_NB_MEMSET_INIT"),
        }
    }
}

impl CollectiveKind {
    /// Returns the event of the function. Sorting has none.
    fn event(self) -> Option<&'static str> {
        Some(match self {
            CollectiveKind::Broadcast => "UPC_ALL_BROADCAST",
            CollectiveKind::Scatter => "UPC_ALL_SCATTER",
            CollectiveKind::Gather => "UPC_ALL_GATHER",
            CollectiveKind::GatherAll => "UPC_ALL_GATHER_ALL",
            CollectiveKind::Exchange => "UPC_ALL_EXCHANGE",
            CollectiveKind::Permute => "UPC_ALL_PERMUTE",
            CollectiveKind::Reduce { .. } => "UPC_ALL_REDUCE",
            CollectiveKind::PrefixReduce { .. } => "UPC_ALL_PREFIX_REDUCE",
            CollectiveKind::Sort => return None,
        })
    }
}

impl Text<'_> {
    fn scalar(&self, object: usize) -> Option<Scalar> {
        match self.program.objects[object].element {
            Element::Scalar(scalar) => Some(scalar),
            Element::Record(_) | Element::Pointer(_) => None,
        }
    }

    /// Returns an element as an integer.
    pub(super) fn number_in(&self, object: usize, text: &str) -> String {
        match self.scalar(object) {
            Some(scalar) => whole(scalar, text),
            None => text.to_string(),
        }
    }

    pub(super) fn locked(&mut self, lock: usize, attempt: bool, body: &[Stmt]) {
        self.open("{");
        if self.upc {
            match attempt {
                true => self.line(&format!("while (!upc_lock_attempt(lock{lock})) {{}}")),
                false => self.line(&format!("upc_lock(lock{lock});")),
            }
        }
        // How often an attempt fails is not known.
        if !attempt {
            self.raises("UPC_LOCK");
        }
        self.body(body);
        self.raises("UPC_UNLOCK");
        if self.upc {
            self.line(&format!("upc_unlock(lock{lock});"));
        }
        self.close("}");
    }

    pub(super) fn atomic(
        &mut self,
        target: &Access,
        op: Reduction,
        operand: &Expr,
        strict: bool,
        extension: bool,
    ) {
        let operand = self.expr(operand);
        let Some(scalar) = self.scalar(target.object) else {
            return;
        };
        let Some((constant, letters)) = atomic_type(scalar) else {
            return;
        };
        let order = if strict { "strict" } else { "relaxed" };
        self.open("{");
        self.line(&format!("{} v_ = {operand};", scalar.name()));
        self.raises("UPCC_ATOMIC");
        match (self.upc, extension) {
            (true, true) => {
                let function = match op {
                    Reduction::And => "fetchand",
                    Reduction::Or => "fetchor",
                    Reduction::Xor => "fetchxor",
                    _ => "fetchadd",
                };
                let address = self.address(target);
                self.line(&format!(
                    "(void)bupc_atomic{letters}_{function}_{order}({address}, v_);"
                ));
            }
            (true, false) => {
                let domain = constant.to_lowercase();
                let address = self.address(target);
                self.line(&format!(
                    "upc_atomic_{order}({domain}_, NULL, {}, {address}, &v_, NULL);",
                    op.constant()
                ));
            }
            (false, _) => {
                let address = self.address(target);
                self.line(&format!("{} *p_ = {address};", scalar.name()));
                self.line(&format!("*p_ = {};", op.combined("*p_", "v_")));
            }
        }
        self.close("}");
    }

    pub(super) fn transfer(&mut self, transfer: &Transfer) {
        let (object, count, x) = (transfer.object, transfer.count, transfer.sum);
        let run = self.program.run_of(object);
        let first = self.expr(&transfer.first);
        let element = self.element(object);
        let in_block = i32::from(matches!(transfer.owner, Owner::Blocks(_)));
        self.open("{");
        self.line(&format!("long k_ = (unsigned long)({first}) % N{object}_;"));
        self.line(&format!(
            "long n_ = left_(N{object}_, {run}, k_, {count}, {in_block});"
        ));
        match transfer.kind {
            TransferKind::Get => {
                self.line(&format!("{element} b_[{count}];"));
                self.call(transfer.way, Moves::Get(object));
                self.open("for (int j_ = 0; j_ < n_; j_++) {");
                for path in self.program.leaves(object) {
                    let leaf = self.leaf_of("b_[j_]", object, &path);
                    self.line(&format!("x{x} = x{x} * 5 + {leaf};"));
                }
                self.close("}");
            }
            TransferKind::Put => {
                self.open_owned(transfer);
                self.line(&format!("{element} b_[{count}];"));
                self.line("memset(b_, 0, sizeof b_);");
                self.open("for (int j_ = 0; j_ < n_; j_++) {");
                for path in self.program.leaves(object) {
                    let path = self.path(&Text::element_access(object, path));
                    self.line(&format!("b_[j_]{path} = (k_ + j_ * 3) & 127;"));
                }
                self.close("}");
                self.call(transfer.way, Moves::Put(object));
                self.close("}");
            }
            TransferKind::Copy(from) => {
                let run = self.program.run_of(from);
                self.open_owned(transfer);
                self.line(&format!("long s_ = (k_ * 7 + 1) % N{from}_;"));
                self.line(&format!("n_ = left_(N{from}_, {run}, s_, n_, 0);"));
                self.call(transfer.way, Moves::Copy(object, from));
                self.close("}");
            }
            TransferKind::Set(byte) => {
                self.open_owned(transfer);
                self.call(transfer.way, Moves::Set(object, byte));
                self.close("}");
            }
        }
        self.close("}");
    }

    fn open_owned(&mut self, transfer: &Transfer) {
        let owner = self.owned_block(transfer.owner, transfer.object);
        self.open(&format!("if ({owner}) {{"));
    }

    /// Returns a condition that holds for the thread that writes the block at `k_`.
    fn owned_block(&self, owner: Owner, object: usize) -> String {
        match owner {
            Owner::Blocks(size) => format!("k_ / {size} % THREADS == MYTHREAD"),
            _ if self.upc => format!("(int)upc_threadof(&B{object}_[k_]) == MYTHREAD"),
            _ => format!("T{object}_(k_) == MYTHREAD"),
        }
    }

    /// Prints a call of one of the functions that move bytes: `n_` elements between `b_` and element `k_`.
    fn call(&mut self, way: Way, moves: Moves) {
        let (event, nb_event) = moves.events();
        match way {
            Way::Blocking => self.raises(event),
            Way::Handle | Way::Implicit => {
                self.raises(nb_event);
                self.raises("UPC_NB_SYNC");
            }
        }
        let (name, object) = match moves {
            Moves::Get(object) => ("memget", object),
            Moves::Put(object) => ("memput", object),
            Moves::Copy(object, _) => ("memcpy", object),
            Moves::Set(object, _) => ("memset", object),
        };
        if !self.upc {
            return self.move_by_elements(moves, object);
        }
        let place = format!("&B{object}_[k_]");
        let bytes = format!("n_ * sizeof({})", self.element(object));
        let arguments = match moves {
            Moves::Get(_) => format!("b_, {place}, {bytes}"),
            Moves::Put(_) => format!("{place}, b_, {bytes}"),
            Moves::Copy(_, from) => format!("{place}, &B{from}_[s_], {bytes}"),
            Moves::Set(_, byte) => format!("{place}, {byte}, {bytes}"),
        };
        match way {
            Way::Blocking => self.line(&format!("upc_{name}({arguments});")),
            Way::Handle => {
                self.line(&format!("upc_handle_t h_ = upc_{name}_nb({arguments});"));
                self.line("upc_sync(h_);");
            }
            Way::Implicit => {
                self.line(&format!("upc_{name}_nbi({arguments});"));
                self.line("upc_synci();");
            }
        }
    }

    /// Prints the transfer element by element, because the oracle does not keep a thread's elements together.
    fn move_by_elements(&mut self, moves: Moves, object: usize) {
        let run = self.program.run_of(object);
        let place = format!("&B{object}_[behind_({run}, k_, j_)]");
        let size = format!("sizeof({})", self.element(object));
        let call = match moves {
            Moves::Get(_) => format!("memcpy(&b_[j_], {place}, {size});"),
            Moves::Put(_) => format!("memcpy({place}, &b_[j_], {size});"),
            Moves::Copy(_, from) => {
                let run = self.program.run_of(from);
                format!("memcpy({place}, &B{from}_[behind_({run}, s_, j_)], {size});")
            }
            Moves::Set(_, byte) => format!("memset({place}, {byte}, {size});"),
        };
        self.line("for (int j_ = 0; j_ < n_; j_++)");
        self.line(&format!("    {call}"));
    }

    /// Returns a member of a private element, as a number.
    pub(super) fn leaf_of(&self, base: &str, object: usize, path: &[Step]) -> String {
        let access = Access {
            object,
            index: Index::Free(Box::new(Expr::Number(0))),
            path: path.to_vec(),
            spelling: Spelling::Subscript,
        };
        let text = format!("{base}{}", self.path(&access));
        self.leaf_number(&access, &text)
    }

    /// Returns a member as a number.
    fn leaf_number(&self, access: &Access, text: &str) -> String {
        match self.program.leaf(access) {
            Leaf::Pointer(to) => format!("(long)({text} - B{to}_)"),
            Leaf::Scalar(scalar) => whole(scalar, text),
            Leaf::Bits(..) | Leaf::Record(_) => format!("(long){text}"),
        }
    }

    /// Prints the body of a phase in which all threads call a collective function.
    pub(super) fn collective(&mut self, of: &Collective) {
        let flags = format!(
            "{} | {}",
            IN_SYNC[of.in_sync % 4],
            OUT_SYNC[of.out_sync % 4]
        );
        if let Some(event) = of.kind.event() {
            self.all_raise(event);
        }
        if let CollectiveKind::Reduce { .. } | CollectiveKind::PrefixReduce { .. } = of.kind {
            return self.reduction(of, &flags);
        }
        match self.upc {
            true => self.collective_call(of, &flags),
            false => self.collective_in_c(of),
        }
    }

    /// Returns how many elements one thread sends to another, or has.
    fn run_of(&self, of: &Collective) -> u32 {
        self.program.run_of(of.to).min(self.program.run_of(of.from))
    }

    fn collective_call(&mut self, of: &Collective, flags: &str) {
        let (to, from) = (of.to, of.from);
        let element = self.element(to);
        let name = match of.kind {
            CollectiveKind::Broadcast => "broadcast",
            CollectiveKind::Scatter => "scatter",
            CollectiveKind::Gather => "gather",
            CollectiveKind::GatherAll => "gather_all",
            CollectiveKind::Exchange => "exchange",
            CollectiveKind::Permute => "permute",
            _ => "sort",
        };
        let run = match of.kind {
            CollectiveKind::Exchange => self.run_of(of) / self.program.threads,
            _ => self.run_of(of),
        };
        match of.kind {
            CollectiveKind::Sort => {
                let block = self.program.block(to);
                self.line(&format!(
                    "upc_all_sort(B{to}_, sizeof({element}), N{to}_, {block}, less{to}_, {flags});"
                ));
            }
            CollectiveKind::Permute => self.line(&format!(
                "upc_all_permute(B{to}_, B{from}_, permutation_, {run} * sizeof({element}), {flags});"
            )),
            _ => self.line(&format!(
                "upc_all_{name}(B{to}_, B{from}_, {run} * sizeof({element}), {flags});"
            )),
        }
    }

    /// Prints what the oracle does in place of a collective function.
    fn collective_in_c(&mut self, of: &Collective) {
        let (to, from) = (of.to, of.from);
        let element = self.element(to);
        let run = self.run_of(of);
        if of.kind == CollectiveKind::Sort {
            return self.line(&format!(
                "qsort(a{to}, N{to}_, sizeof a{to}[0], less{to}_);"
            ));
        }
        let (part, at, source) = match of.kind {
            CollectiveKind::Broadcast => (run, "t_ * n_".to_string(), "0".to_string()),
            CollectiveKind::Scatter | CollectiveKind::Gather => {
                (run, "t_ * n_".to_string(), "t_ * n_".to_string())
            }
            CollectiveKind::Permute => (
                run,
                "((t_ + 1) % THREADS) * n_".to_string(),
                "t_ * n_".to_string(),
            ),
            CollectiveKind::GatherAll => (
                run,
                "(t_ * THREADS + u_) * n_".to_string(),
                "u_ * n_".to_string(),
            ),
            _ => (
                run / self.program.threads,
                "(t_ * THREADS + u_) * n_".to_string(),
                "(u_ * THREADS + t_) * n_".to_string(),
            ),
        };
        let inner = match of.kind {
            CollectiveKind::GatherAll | CollectiveKind::Exchange => "THREADS",
            _ => "1",
        };
        self.line(&format!("enum {{ n_ = {part} }};"));
        self.line("for (int t_ = 0; t_ < THREADS; t_++)");
        self.line(&format!("for (int u_ = 0; u_ < {inner}; u_++)"));
        self.line(&format!(
            "    memcpy(&B{to}_[{at}], &B{from}_[{source}], n_ * sizeof({element}));"
        ));
    }

    fn reduction(&mut self, of: &Collective, flags: &str) {
        let (to, from) = (of.to, of.from);
        let (op, first, count) = match of.kind {
            CollectiveKind::Reduce {
                op, first, count, ..
            }
            | CollectiveKind::PrefixReduce { op, first, count } => (op, first, count),
            _ => return,
        };
        let Some(scalar) = self.scalar(from) else {
            return;
        };
        let (name, ty) = (reduce_letters(scalar).unwrap_or("I"), scalar.name());
        if self.upc {
            let block = self.program.block(from);
            let function = match op {
                Reduction::Func | Reduction::NonComm => format!("combine{name}_{}", op.constant()),
                _ => "NULL".to_string(),
            };
            let (kind, at) = match of.kind {
                CollectiveKind::Reduce { at, .. } => ("reduce", at),
                _ => ("prefix_reduce", first),
            };
            return self.line(&format!(
                "upc_all_{kind}{name}(&B{to}_[{at}], &B{from}_[{first}], {}, {count}, {block}, {function}, {flags});",
                op.constant()
            ));
        }
        self.line(&format!("{ty} v_ = B{from}_[{first}];"));
        let prefix = matches!(of.kind, CollectiveKind::PrefixReduce { .. });
        if prefix {
            self.line(&format!("B{to}_[{first}] = v_;"));
        }
        self.open(&format!(
            "for (int k_ = {first} + 1; k_ < {first} + {count}; k_++) {{"
        ));
        let next = format!("B{from}_[k_]");
        self.line(&format!("v_ = {};", op.combined("v_", &next)));
        if prefix {
            self.line(&format!("B{to}_[k_] = v_;"));
        }
        self.close("}");
        if let CollectiveKind::Reduce { at, .. } = of.kind {
            self.line(&format!("B{to}_[{at}] = v_;"));
        }
    }

    /// Prints the functions that the program passes to collective functions.
    pub(super) fn collective_functions(&mut self) {
        let mut done: Vec<String> = Vec::new();
        for phase in &self.program.phases.clone() {
            let Phase::Collective(of) = phase else {
                continue;
            };
            let ty = self.element(of.to);
            match of.kind {
                CollectiveKind::Sort => {
                    let name = format!("less{}_", of.to);
                    if done.contains(&name) {
                        continue;
                    }
                    let shared = if self.upc { "shared " } else { "const " };
                    let pointed = if self.upc { "shared " } else { "const " };
                    self.line(&format!(
                        "static int {name}({shared}void *a, {shared}void *b) {{ {ty} x = *({pointed}{ty} *)a, y = *({pointed}{ty} *)b; return x < y ? -1 : x > y; }}"
                    ));
                    done.push(name);
                }
                CollectiveKind::Reduce { op, .. } | CollectiveKind::PrefixReduce { op, .. }
                    if self.upc && matches!(op, Reduction::Func | Reduction::NonComm) =>
                {
                    let Some(letters) = self.scalar(of.from).and_then(reduce_letters) else {
                        continue;
                    };
                    let name = format!("combine{letters}_{}", op.constant());
                    if done.contains(&name) {
                        continue;
                    }
                    let value = op.combined("a", "b");
                    self.line(&format!(
                        "static {ty} {name}({ty} a, {ty} b) {{ return {value}; }}"
                    ));
                    done.push(name);
                }
                _ => {}
            }
        }
    }

    /// Prints the members of an element of a shared object, as one number after the other.
    pub(super) fn digest(&mut self, access: &Access) -> String {
        let text = self.access(access, Does::Reads);
        self.leaf_number(access, &text)
    }
}
