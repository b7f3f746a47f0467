//! Lowers initialisers: leaves of automatic objects, and the function that initialises, before `main`, what C cannot.

use super::Lower;
use crate::diag::known;
use crate::il::{
    Block, Decl, Expr, ExprFlags, ExprId, ExprKind, Function, InitId, InitKind, Item, ItemKind,
    Linkage, Object, ObjectId, PathElem, RtOp, StmtId, StmtKind,
};
use crate::types::{ArrayLen, FuncType, QualType, Quals, Type, Types};
use upcc_grammar::ast::{BinOp, Span, storage};

/// An item of a list. `fresh`: no earlier item has initialised its place or a part of it.
#[derive(Clone, Copy)]
struct Leaf {
    init: InitId,
    fresh: bool,
}

/// True if all places of path `a` lie in front of those of `b`.
fn is_before(a: &[PathElem], b: &[PathElem]) -> bool {
    let bounds = |step: &PathElem| match *step {
        PathElem::Field(index) => (u64::from(index), u64::from(index)),
        PathElem::Index(index) => (index, index),
        PathElem::Range(first, last) => (first, last),
    };
    let steps = a.iter().map(bounds).zip(b.iter().map(bounds));
    let mut apart = steps.skip_while(|(a, b)| a == b && a.0 == a.1);
    apart.next().is_some_and(|(a, b)| a.1 < b.0)
}

/// A path of this many steps to a place goes through a pointer.
const DEEP: usize = 8;

impl Lower<'_> {
    /// Lowers the leaves of an initialiser in place.
    pub(super) fn init(&mut self, id: InitId) {
        if self.body.init(id).verbatim {
            return;
        }
        stacker::maybe_grow(64 * 1024, 4 << 20, || match &self.body.init(id).kind {
            InitKind::Expr(e) => {
                let e = *e;
                let e = self.value(e);
                self.body.inits[id].kind = InitKind::Expr(e);
            }
            InitKind::List(items) => {
                let inits: Vec<InitId> = items.iter().map(|&(_, init)| init).collect();
                inits.into_iter().for_each(|init| self.init(init));
            }
        });
    }

    /// True if the C compiler accepts the lowered initialiser for a static object.
    pub(super) fn is_constant_init(&self, id: InitId) -> bool {
        let init = self.body.init(id);
        init.verbatim
            || stacker::maybe_grow(64 * 1024, 4 << 20, || match &init.kind {
                InitKind::Expr(e) => self.is_constant_expr(*e),
                InitKind::List(items) => items.iter().all(|(_, i)| self.is_constant_init(*i)),
            })
    }

    fn is_constant_expr(&self, id: ExprId) -> bool {
        use ExprKind::*;
        let e = self.body.expr(id);
        if e.flags.has(ExprFlags::VERBATIM) {
            return true;
        }
        if self.types.is_pts(e.ty) && !self.body.is_place(id) {
            return self.is_null(id);
        }
        match e.kind {
            Int(_) | Number | Str | LabelAddr(_) => true,
            Threads | SizePerThread(_) => self.static_threads.is_some(),
            Unary(_, a) => self.is_constant_expr(a) && !self.is_pts(a),
            Cast { value, .. } => {
                !self.types.is_pts(self.ty_of(value)) && self.is_constant_expr(value)
            }
            Binary(_, a, b) | PtrDiff(a, b) => {
                !self.is_pts(a) && self.is_constant_expr(a) && self.is_constant_expr(b)
            }
            PtrAdd { ptr, index, .. } => self.is_constant_expr(ptr) && self.is_constant_expr(index),
            Cond(a, b, c) => [a, b, c].iter().all(|&x| self.is_constant_expr(x)),
            AddrOf(place) | Decay(place) => self.is_constant_address(place),
            Local(_) | Object(_) | Deref(_) | Field(..) | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Load(_) | CondElvis(..) | Comma(..) | Call(..) | SizeofPlace(_)
            | StmtExpr(_) | VaArg(_) | Opaque | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } | Rt { .. } => false,
        }
    }

    /// True for a private place with a constant address.
    fn is_constant_address(&self, place: ExprId) -> bool {
        use ExprKind::*;
        match self.body.expr(place).kind {
            Object(_) | Str => !self.types.is_shared(self.ty_of(place)),
            Field(inner, _) => self.is_constant_address(inner),
            Deref(pointer) => !self.is_pts(pointer) && self.is_constant_expr(pointer),
            CompoundLit(init) => self.is_constant_init(init),
            Local(_) | RealPlace(_) | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_)
            | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..)
            | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_)
            | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
        }
    }

    /// The assignments that replace an initialiser of an object with static storage.
    fn initial_stores(&mut self, object: ObjectId, init: InitId) -> Vec<StmtId> {
        let span = self.body.init(init).span;
        let ty = self.objects[object].ty;
        let place = self.push(ExprKind::Object(object), ty, span);
        let mut stores = Vec::new();
        let was_static = std::mem::replace(&mut self.static_context, true);
        self.flexible_bytes = self.flexible_elements(init).map_or(0, |e| e.bytes);
        self.stores(place, init, true, &mut stores);
        self.static_context = was_static;
        stores
    }

    /// Lowers the initialiser of a block-scope static whose type only its function knows. It runs when control first
    /// reaches the declaration; the value cannot be used before that. `static char done; if (!done) { ...; done = 1; }`
    pub(super) fn initialise_once(&mut self, object: ObjectId, init: InitId) -> (Decl, StmtId) {
        let span = self.body.init(init).span;
        let number = self.fresh();
        let char_ty = QualType::plain(Types::CHAR);
        let done = self.new_object(format!("upcc_done_{number}"), char_ty, false, span);
        let mut stores = self.initial_stores(object, init);
        let place = self.push(ExprKind::Object(done), char_ty, span);
        let one = self.int(1, span);
        let value = self.implicit_cast(one, char_ty, span);
        let mark = self.push(ExprKind::Assign { place, value }, char_ty, span);
        stores.push(self.expr_stmt(mark, span));
        let place = self.push(ExprKind::Object(done), char_ty, span);
        let seen = self.push(ExprKind::Load(place), char_ty, span);
        let first = self.not(seen, span);
        let block = self.body.compound(stores, span);
        let test = StmtKind::If(first, block, None);
        let decl = Decl::Object {
            object: done,
            storage: storage::STATIC,
            init: None,
            ty: char_ty,
            attrs: Vec::new(),
            asm_label: None,
        };
        (decl, self.body.push_stmt(test, span, false))
    }

    /// Makes the initialiser function store an initialiser. Thread 0 stores that of a shared object.
    pub(super) fn store_initialiser(&mut self, object: ObjectId, init: InitId) {
        let span = self.body.init(init).span;
        let shared = self.types.is_shared(self.objects[object].ty);
        let stores = self.initial_stores(object, init);
        if stores.is_empty() {
            return;
        }
        if !shared {
            self.runtime_inits.extend(stores);
            return;
        }
        let me = self.rt(RtOp::MyThread, &[], Types::INT, span);
        let first = self.not(me, span);
        let block = self.body.compound(stores, span);
        let stmt = self
            .body
            .push_stmt(StmtKind::If(first, block, None), span, false);
        self.runtime_inits.push(stmt);
    }

    /// Writes one lowered assignment for each leaf, including zeros: a leaf may override an earlier one. `fresh`: no
    /// earlier item has initialised the place or a part of it.
    fn stores(&mut self, place: ExprId, init: InitId, fresh: bool, out: &mut Vec<StmtId>) {
        let span = self.body.init(init).span;
        if !fresh && self.is_aggregate(place) {
            out.push(self.store_zeros(place, span));
        }
        match &self.body.init(init).kind {
            InitKind::List(items) => {
                let items = items.clone();
                stacker::maybe_grow(64 * 1024, 4 << 20, || {
                    let place = match items.len() > 1 {
                        true => self.through_pointer(place, out, span),
                        false => place,
                    };
                    let outer = self.aggregate;
                    if self.types.is_shared(self.ty_of(place)) {
                        self.aggregate = Some(self.aggregate_at(place));
                    }
                    let mut last: Option<&[PathElem]> = None;
                    let mut in_order = true;
                    for (path, child) in &items {
                        in_order &= last.is_none_or(|last| is_before(last, path));
                        last = Some(path);
                        let fresh = in_order;
                        self.store_at(
                            place,
                            path,
                            Leaf {
                                init: *child,
                                fresh,
                            },
                            out,
                            span,
                        );
                    }
                    self.aggregate = outer;
                });
            }
            InitKind::Expr(value) => {
                let value = *value;
                let ty = self.ty_of(place);
                if self.types.is_array(ty) {
                    self.store_array(place, value, out, span);
                } else if self.is_bit_field(place) && self.is_const_member(place) {
                    out.push(self.store_const_bits(place, value, span));
                } else if self.types.has_const_member(ty) {
                    out.push(self.store_const_record(place, value, span));
                } else {
                    let (place, value_ty) = (self.assignable(place, span), self.value_type(ty));
                    out.push(self.store(place, value, value_ty, span));
                }
            }
        }
    }

    fn is_aggregate(&self, place: ExprId) -> bool {
        let ty = self.ty_of(place);
        self.types.is_record(ty) || self.types.is_array(ty)
    }

    /// A private record deep inside others, accessed through a pointer to it: otherwise the C compiler would process
    /// the whole path for each leaf.
    fn through_pointer(&mut self, place: ExprId, out: &mut Vec<StmtId>, span: Span) -> ExprId {
        let ty = self.ty_of(place);
        if self.types.is_shared(ty)
            || !self.types.is_record(ty)
            || !self.is_named(ty)
            || !self.is_deep(place)
            || self.alignment(place) < self.types.required_align(ty)
        {
            return place;
        }
        let to = self.without_const(ty);
        let pointer = self.cast_address(place, to, span);
        let pointer = self.value(pointer);
        let (local, decl) = self.temp(pointer, self.ty_of(pointer), span);
        out.push(decl);
        let pointer = self.body.load_local(local, span);
        self.push(ExprKind::Deref(pointer), to, span)
    }

    /// True for a member of a member ..., at least `DEEP` levels down.
    fn is_deep(&self, place: ExprId) -> bool {
        let mut at = place;
        (0..DEEP).all(|_| {
            let ExprKind::Field(record, _) = self.body.expr(at).kind else {
                return false;
            };
            at = record;
            true
        })
    }

    pub(super) fn store(
        &mut self,
        place: ExprId,
        value: ExprId,
        ty: QualType,
        span: Span,
    ) -> StmtId {
        let assign = self.push(ExprKind::Assign { place, value }, ty, span);
        let assign = self.discard(assign);
        self.expr_stmt(assign, span)
    }

    fn store_at(
        &mut self,
        place: ExprId,
        path: &[PathElem],
        child: Leaf,
        out: &mut Vec<StmtId>,
        span: Span,
    ) {
        let Some((&first, rest)) = path.split_first() else {
            return self.stores(place, child.init, child.fresh, out);
        };
        match first {
            PathElem::Field(index) => {
                let member = self.member_place(place, index, span);
                self.store_at(member, rest, child, out, span);
            }
            PathElem::Index(n) => {
                let index = self.int(n as i64, span);
                let element = self.element_place(place, index, span);
                self.store_at(element, rest, child, out, span);
            }
            PathElem::Range(from, to) => {
                let count = to - from + 1;
                let stmt = self.counted_loop(count, span, |lower, i, inner| {
                    let from = lower.int(from as i64, span);
                    let index = lower.arithmetic(BinOp::Add, i, from, span);
                    let element = lower.element_place(place, index, span);
                    lower.store_at(element, rest, child, inner, span);
                });
                out.push(stmt);
            }
        }
    }

    /// Stores a string literal or a compound literal as the value of an array, element by element.
    fn store_array(&mut self, place: ExprId, value: ExprId, out: &mut Vec<StmtId>, span: Span) {
        if let ExprKind::CompoundLit(init) = self.body.expr(value).kind {
            return self.stores(place, init, true, out);
        }
        let length = |ty| match self.types.array(ty) {
            Some((_, ArrayLen::Fixed(n))) => Some(n),
            _ => None,
        };
        let from = self.ty_of(value);
        let count = known(
            length(from),
            span,
            "the value of an array of unknown length",
        );
        let count = length(self.ty_of(place)).map_or(count, |n| n.min(count));
        let stmt = self.counted_loop(count, span, |lower, i, inner| {
            let element = lower.element_place(place, i, span);
            let read = lower.element_place(value, i, span);
            let ty = lower.value_type(lower.ty_of(read));
            let read = lower.push(ExprKind::Load(read), ty, span);
            let ty = lower.value_type(lower.ty_of(element));
            let element = lower.assignable(element, span);
            inner.push(lower.store(element, read, ty, span));
        });
        out.push(stmt);
    }

    /// Builds `{ long i = 0; for (; i < count; i++) { ... } }`.
    pub(super) fn counted_loop(
        &mut self,
        count: u64,
        span: Span,
        fill: impl FnOnce(&mut Self, ExprId, &mut Vec<StmtId>),
    ) -> StmtId {
        let long = QualType::plain(Types::PTRDIFF_T);
        let zero = self.body.int(0, Types::PTRDIFF_T, span);
        let (i, decl) = self.temp(zero, long, span);
        let (a, bound) = (
            self.body.load_local(i, span),
            self.body.int(count as i64, Types::PTRDIFF_T, span),
        );
        let int = QualType::plain(Types::INT);
        let cond = self.push(ExprKind::Binary(BinOp::Lt, a, bound), int, span);
        let place = self.push(ExprKind::Local(i), long, span);
        let step = ExprKind::IncDec {
            place,
            post: true,
            dec: false,
        };
        let step = self.push(step, long, span);
        let mut items = Vec::new();
        let value = self.body.load_local(i, span);
        fill(self, value, &mut items);
        let body = self.body.compound(items, span);
        let kind = StmtKind::For {
            init: crate::il::ForInit::None,
            cond: Some(cond),
            step: Some(step),
            body,
        };
        let whole = self.body.push_stmt(kind, span, false);
        self.body.compound(vec![decl, whole], span)
    }

    fn member_place(&mut self, record: ExprId, index: u32, span: Span) -> ExprId {
        let of = self.ty_of(record);
        let field = self.types.record_id(of).and_then(|id| {
            let body = self.types.record(id).body.as_ref()?;
            Some(body.fields.get(index as usize)?.ty)
        });
        let mut ty = known(field, span, "an initialiser for a member of no record");
        if self.types.is_shared(of) {
            ty = self.types.qualify(ty, Quals::SHARED, 0);
        }
        self.push(ExprKind::Field(record, index), ty, span)
    }

    fn element_place(&mut self, array: ExprId, index: ExprId, span: Span) -> ExprId {
        let array_of = self.types.array(self.ty_of(array));
        let (elem, _) = known(array_of, span, "an initialiser for an element of no array");
        let pointer = QualType::plain(self.types.pointer_to(elem));
        let ptr = self.push(ExprKind::Decay(array), pointer, span);
        let kind = ExprKind::PtrAdd {
            ptr,
            index,
            negate: false,
        };
        let ptr = self.push(kind, pointer, span);
        self.push(ExprKind::Deref(ptr), elem, span)
    }

    /// The object that replaces a compound literal with static storage, or the part of it that the place names.
    pub(super) fn static_literal(&mut self, place: ExprId) -> ExprId {
        use ExprKind::*;
        let Expr { kind, ty, span, .. } = *self.body.expr(place);
        match kind {
            Field(inner, index) => {
                let inner = self.static_literal(inner);
                self.push(Field(inner, index), ty, span)
            }
            CompoundLit(init) => {
                let number = self.fresh();
                let object = self.new_object(format!("upcc_literal_{number}"), ty, false, span);
                self.hoisted.push(Decl::Object {
                    object,
                    storage: storage::STATIC,
                    init: None,
                    ty,
                    attrs: Vec::new(),
                    asm_label: None,
                });
                let mut stores = Vec::new();
                let object = self.push(Object(object), ty, span);
                self.stores(object, init, true, &mut stores);
                self.runtime_inits.extend(stores);
                object
            }
            Local(_) | Object(_) | Deref(_) | Str | RealPlace(_) | ImagPlace(_) | Int(_)
            | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => place,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => place,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => place,
        }
    }

    fn new_object(
        &mut self,
        name: String,
        ty: QualType,
        is_function: bool,
        span: Span,
    ) -> ObjectId {
        self.objects.push(Object {
            name: self.function.unwrap_or(upcc_grammar::symbol::Symbol(0)),
            ty,
            linkage: Linkage::Internal,
            emit_name: Some(name),
            is_function,
            defined: true,
            local: false,
            align: None,
            span,
        });
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// The function that stores the initialisers that the item left to it.
    pub(super) fn initialiser_function(&mut self, span: Span) -> Option<Item> {
        if self.runtime_inits.is_empty() {
            return None;
        }
        let items = std::mem::take(&mut self.runtime_inits);
        let at = Span {
            lo: span.hi,
            hi: span.hi,
        };
        // The declarations keep their arenas; the function gets a copy.
        let mut body = self.body.clone();
        let root = body.push_stmt(
            StmtKind::Compound(Block {
                local_labels: Vec::new(),
                items,
            }),
            at,
            false,
        );
        let number = self.fresh();
        let ty = QualType::plain(self.types.intern(Type::Function(FuncType {
            ret: QualType::plain(Types::VOID),
            params: Vec::new(),
            variadic: false,
            prototype: true,
        })));
        let object = self.new_object(format!("upcc_init_{number}"), ty, true, at);
        let function = Function {
            object,
            storage: storage::STATIC,
            params: Vec::new(),
            kr: false,
            root,
            attrs: Vec::new(),
            head: span,
            tags: Vec::new(),
            param_tags: Vec::new(),
        };
        Some(Item {
            span: at,
            verbatim: false,
            kind: ItemKind::Generated(function),
            body,
        })
    }
}
