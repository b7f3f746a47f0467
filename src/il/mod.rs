//! The IL: a typed tree that still knows `shared`, layout, strict and relaxed, `upc_forall` and the sync statements.
//!
//! Every external declaration is an [`Item`] with its own [`Body`], the arenas of its expressions, statements and locals. Handles, no boxes.
//!
//! # Invariants (the validator in `validate.rs` enforces them)
//!
//! 1. Every expression has a type. Operands of a node were pushed before it: `operand < node`.
//! 2. Expressions are *places* (designate an object: [`ExprKind::is_place`]) or *values*. A place is read only by [`ExprKind::Load`]; arrays and
//!    functions become pointers only by [`ExprKind::Decay`]. A value of array or function type does not exist, but for string literals and
//!    compound literals as initialisers.
//! 3. Conversions are explicit: both operands of an arithmetic `Binary` have the node's type (shifts: the left one), of a comparison the same type up to
//!    qualifiers, the value of an `Assign` the place's unqualified type, arguments the parameters' types. `Cast { implicit: true }` marks those sema added.
//! 4. `a[i]` is `Deref(PtrAdd(Decay(a), i))` and `p->f` is `Field(Deref(p), f)`: one form each. `PtrAdd` counts in elements of the pointed-to type, its index has type
//!    `ptrdiff_t` or the user's promoted integer type.
//! 5. A shared access is a `Load`, `Assign`, `AssignOp` or `IncDec` whose place has a shared type; its `STRICT` flag says which kind it is (the pragma has been taken into account).
//!    No other node reads or writes shared memory.
//! 6. A node has `PLAIN` if neither it nor anything below it is touched by UPC: no shared type, no pointer-to-shared, no UPC keyword, no renamed object. Emit prints plain
//!    nodes from their tokens. A pass that replaces a node below a plain node clears `PLAIN` upwards (cannot happen: passes only rewrite nodes that are not plain).
//!    `inst` replaces no plain node either: where plain text raises events, [`Module::patches`] give its tokens another spelling.
//! 7. `ExprKind::Opaque` is always plain.
//! 8. After `lower`: no shared access, no `PtrAdd`/`PtrDiff`/comparison/conversion/truth test of pointers-to-shared, no `Threads`, `MyThread`, `Forall`, `Sync`, `Fence`, no shared
//!    `AddrOf`/`Decay`, no declaration of a shared object or non-constant static initialiser: only [`ExprKind::Rt`] and plain C.
//! 9. A member of a shared record has a shared type of indefinite block size (UPC 6.4.4): the type of `Field(p, i)`, p a shared place, is the
//!    member's type with `shared []` on its ultimate element, whatever the block size of p.
//! 10. A `Local` or `Object` stands where C finds it under its name: in the scope of its declaration, and where no other declaration hides it.
//! 11. The operands, the result and the type argument of an [`ExprKind::Rt`] are those that its row in `operations.rs` says.
//!
//! [`validate::Valid`] is a module that keeps them; `emit` takes nothing else. In users' builds nothing looks, for that takes time ([`validate::lowered`]).
//!
//! A match over these enums, here and in `passes` and `emit`, lists the variants: one more does not compile until each has thought of it.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub mod build;
mod events;
pub mod operations;
pub mod print;
mod scopes;
pub mod validate;
pub mod walk;

pub use events::{Patch, Scope, Site, SiteId, SiteKind};
pub use operations::RtOp;

use crate::types::{EnumId, QualType, RecordId, TypedefId, Types};
use upcc_grammar::ast::{BinOp, Span, SyncKind};
use upcc_grammar::symbol::Symbol;

/// A translation unit.
pub struct Module {
    pub types: Types,
    /// Everything with static storage or linkage: variables and functions, block-scope ones too.
    pub objects: Vec<Object>,
    pub items: Vec<Item>,
    /// Functions of C's library that the unit calls before it declares them, if ever.
    pub library: Vec<ObjectId>,
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// What instrumented code names as the places of its events.
    pub sites: Vec<Site>,
    /// Tokens that plain text has replaced when it is copied, in order: how plain functions raise events.
    pub patches: Vec<Patch>,
}

/// A variable with static storage duration, or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

#[derive(Clone, Debug)]
pub struct Object {
    pub name: Symbol,
    pub ty: QualType,
    pub linkage: Linkage,
    /// Name in emitted C where it differs: a hoisted block-scope shared static is `upcc_<function>_<name>_<n>`.
    pub emit_name: Option<String>,
    pub is_function: bool,
    pub defined: bool,
    /// Block scope.
    pub local: bool,
    /// Alignment asked for by attribute or `_Alignas`, bytes.
    pub align: Option<u64>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Block-scope static.
    None,
    Internal,
    External,
}

/// An external declaration.
pub struct Item {
    pub span: Span,
    /// Printed as the text it came in.
    pub plain: bool,
    pub kind: ItemKind,
    pub body: Body,
}

pub enum ItemKind {
    Function(Function),
    Decl(DeclGroup),
    /// File-scope asm, a stray `;`, `_Static_assert`: always plain.
    Text,
    /// C text the passes add: an initialiser function, say.
    Generated(Function),
}

#[derive(Clone)]
pub struct Function {
    pub object: ObjectId,
    pub storage: u16,
    pub params: Vec<LocalId>,
    /// K&R definitions are printed as prototypes when not plain.
    pub kr: bool,
    pub root: StmtId,
    /// Indices into `TokenStream::attrs` that belong to the declaration.
    pub attrs: Vec<u32>,
    /// Tokens before the body.
    pub head: Span,
    /// Records and enums that the head defines in front of the parameters.
    pub tags: Vec<TagDef>,
    /// Those that the parameters' declarations define: they end with the function.
    pub param_tags: Vec<TagDef>,
}

/// Arenas of one external declaration.
#[derive(Clone, Default)]
pub struct Body {
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub locals: Vec<Local>,
    /// What a temporary is for, as part of its name; in the order of the ids.
    pub roles: Vec<(LocalId, &'static str)>,
    pub inits: Vec<Init>,
    /// Pool of expression lists.
    pub lists: Vec<ExprId>,
    /// Sizes of the variable length arrays declared here, by the number of `ArrayLen::Variable`; `None` is `[*]`.
    pub vlas: Vec<(u32, Option<ExprId>)>,
    /// Of arrays with shared elements, by the number of `ArrayLen::Variable`: the variable of the function that keeps the length. Those that
    /// nothing evaluates, in prototypes, are missing.
    pub lengths: Vec<(u32, LocalId)>,
    /// Parameters that are declared as arrays, of the length with this number: it is computed where the function begins.
    pub param_lengths: Vec<(LocalId, u32)>,
    /// Paths from a record to a bit-field in it, as indices of members, for `ExprKind::Rt::field`.
    pub paths: Vec<Vec<u32>>,
    /// Functions inside the item's (GNU), whose nodes and locals are here too.
    pub nested: Vec<Function>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ExprId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StmtId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LocalId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NestedId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct InitId(pub u32);

/// A slice of `Body::lists`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprList {
    pub start: u32,
    pub len: u32,
}

impl ExprList {
    /// The first `len` expressions, and the others.
    pub fn split_at(self, len: u32) -> (ExprList, ExprList) {
        let rest = ExprList {
            start: self.start + len,
            len: self.len - len,
        };
        (ExprList { len, ..self }, rest)
    }
}

/// A variable with automatic storage, or a parameter.
#[derive(Clone, Debug)]
pub struct Local {
    /// `None`: a temporary of the passes, printed `upcc_<role><id>` with its role of [`Body::roles`], or `t`.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub storage: u16,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: QualType,
    /// Tokens; `lo == hi` for nodes without text of their own.
    pub span: Span,
    pub flags: ExprFlags,
}

/// Bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprFlags(pub u8);

impl ExprFlags {
    /// Invariant 6.
    pub const PLAIN: ExprFlags = ExprFlags(1);
    /// A strict shared access.
    pub const STRICT: ExprFlags = ExprFlags(2);
    /// A constant expression of the value folded in `Module` is not kept; set where sema knows the node to be an integer constant expression.
    pub const CONST: ExprFlags = ExprFlags(4);
    /// A shared access whose read raises events (`passes::inst`).
    pub const INSTRUMENT_GET: ExprFlags = ExprFlags(8);
    /// A shared access whose write raises events.
    pub const INSTRUMENT_PUT: ExprFlags = ExprFlags(16);
    /// A call of a library function that raises events; not plain.
    pub const INSTRUMENT_CALL: ExprFlags = ExprFlags(32);
    /// A runtime operation on a place that need not have the alignment of its type.
    pub const UNALIGNED: ExprFlags = ExprFlags(64);
    /// A write of a record whose value is used, with all of its bytes.
    pub const KEPT: ExprFlags = ExprFlags(128);

    pub fn has(self, other: ExprFlags) -> bool {
        self.0 & other.0 == other.0
    }
    pub fn with(self, other: ExprFlags) -> ExprFlags {
        ExprFlags(self.0 | other.0)
    }
    pub fn without(self, other: ExprFlags) -> ExprFlags {
        ExprFlags(self.0 & !other.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnOp {
    Plus,
    Neg,
    BitNot,
    /// `!`: int; the operand is any scalar.
    Not,
    Real,
    Imag,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    // ---- places
    Local(LocalId),
    Object(ObjectId),
    /// The place a pointer value points at.
    Deref(ExprId),
    /// Member (by index in the record's fields) of a place, or of a record value (then a value). Unnamed members on the way are explicit nodes.
    Field(ExprId, u32),
    Str,
    CompoundLit(InitId),
    /// `__real__`, `__imag__` of a place.
    RealPlace(ExprId),
    ImagPlace(ExprId),

    // ---- values
    /// Integer constant or folded constant: the low 64 bits of the value, read by the node's type (so `-1` of type `unsigned long` is 2^64 - 1);
    /// printed from its tokens when plain.
    Int(i64),
    /// An integer constant beyond 64 bits, or a floating, complex or imaginary constant: always printed from its tokens.
    Number,
    /// Reads a place.
    Load(ExprId),
    AddrOf(ExprId),
    /// Array place to pointer to its first element, or function designator to pointer.
    Decay(ExprId),
    Unary(UnOp, ExprId),
    /// Arithmetic, comparison (pointers too), `&&`, `||`.
    Binary(BinOp, ExprId, ExprId),
    /// pointer + integer; `negate`: pointer - integer.
    PtrAdd {
        ptr: ExprId,
        index: ExprId,
        negate: bool,
    },
    PtrDiff(ExprId, ExprId),
    Assign {
        place: ExprId,
        value: ExprId,
    },
    /// `place op= value`: computed in `compute`, the value's type (after conversion), then converted to the place's type. Pointer `+=`/`-=`: value is the index.
    AssignOp {
        op: BinOp,
        place: ExprId,
        value: ExprId,
        compute: crate::types::TypeId,
    },
    IncDec {
        place: ExprId,
        post: bool,
        dec: bool,
    },
    Cond(ExprId, ExprId, ExprId),
    /// GNU `a ?: b`: `a` converted to the result type only after its test; both have the node's type.
    CondElvis(ExprId, ExprId),
    Comma(ExprId, ExprId),
    Call(ExprId, ExprList),
    /// Conversion to the node's type.
    Cast {
        value: ExprId,
        implicit: bool,
    },
    /// `sizeof` and its UPC kin whose value is `per_thread * THREADS` (dynamic THREADS); other sizes are `Int`, those of VLAs `Opaque` or `SizeofPlace`.
    SizePerThread(u64),
    /// sizeof of a VLA type or expression that is not plain inside: printed as `sizeof(operand)`.
    SizeofPlace(ExprId),
    StmtExpr(StmtId),
    LabelAddr(Symbol),
    VaArg(ExprId),
    /// A plain C expression that the IL does not model: its tokens are its meaning.
    Opaque,
    Threads,
    MyThread,

    // ---- made by the passes
    /// A runtime operation; the list holds its value arguments, `ty_arg` the type argument where it has one, `field` (of the operations on
    /// bit-fields) the index in `Body::paths` of the way from that type to the member.
    Rt {
        op: RtOp,
        args: ExprList,
        ty_arg: Option<crate::types::TypeId>,
        field: u32,
    },
}

impl ExprKind {
    /// True for what may do more than compute a value of its operands.
    pub fn has_side_effects(&self) -> bool {
        if let ExprKind::Rt { op, .. } = self {
            return op.row().effect != operations::Effect::Pure;
        }
        matches!(
            self,
            ExprKind::Assign { .. }
                | ExprKind::AssignOp { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::Call(..)
                | ExprKind::StmtExpr(_)
                | ExprKind::VaArg(_)
                | ExprKind::Opaque
        )
    }

    /// Invariant 2: the node designates an object. A `Field` does if its record does: see [`Body::is_place`].
    pub fn is_place(&self) -> bool {
        match self {
            ExprKind::Local(_)
            | ExprKind::Object(_)
            | ExprKind::Deref(_)
            | ExprKind::Field(..)
            | ExprKind::Str
            | ExprKind::CompoundLit(_)
            | ExprKind::RealPlace(_)
            | ExprKind::ImagPlace(_)
            | ExprKind::Rt {
                op: RtOp::ForallDepth,
                ..
            } => true,
            ExprKind::Int(_)
            | ExprKind::Number
            | ExprKind::Load(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff(..)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Cond(..)
            | ExprKind::CondElvis(..)
            | ExprKind::Comma(..)
            | ExprKind::Call(..)
            | ExprKind::Cast { .. }
            | ExprKind::SizePerThread(_)
            | ExprKind::SizeofPlace(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::VaArg(_)
            | ExprKind::Opaque
            | ExprKind::Threads
            | ExprKind::MyThread
            | ExprKind::Rt { .. } => false,
        }
    }
}

#[derive(Clone)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    pub plain: bool,
    /// A `Sync` or `Fence` that raises events (`passes::inst`).
    pub instrumented: bool,
    /// The token whose pragmas and attributes stand directly in front of the statement. What a pass puts in the place of a loop has none: they go with
    /// the loop, and with each copy of it.
    pub trivia: Option<u32>,
}

#[derive(Clone)]
pub enum StmtKind {
    Compound(Block),
    Null,
    Expr(ExprId),
    If(ExprId, StmtId, Option<StmtId>),
    Switch(ExprId, StmtId),
    While(ExprId, StmtId),
    DoWhile(StmtId, ExprId),
    For {
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    Forall {
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: Affinity,
        body: StmtId,
    },
    Label(Symbol, StmtId),
    /// A function inside a function (GNU).
    Nested(NestedId),
    /// `case lo:` or `case lo ... hi:`; plain constants or folded ones.
    Case(ExprId, Option<ExprId>, StmtId),
    Default(StmtId),
    Goto(Symbol),
    GotoExpr(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    /// Operands in source order (outputs are places); printed from tokens with the operands replaced where they are not plain.
    Asm {
        outputs: Vec<AsmOperand>,
        inputs: Vec<AsmOperand>,
    },
    Decl(DeclGroup),
    Sync(SyncKind, Option<ExprId>),
    Fence,
    /// Made by `inst`: the rest of the block is bracketed by events.
    Scope(Scope, SiteId),
}

#[derive(Clone)]
pub struct AsmOperand {
    pub value: ExprId,
    /// Tokens of the operand's expression without its parentheses.
    pub span: Span,
}

#[derive(Clone, Default)]
pub struct Block {
    pub local_labels: Vec<Symbol>,
    pub items: Vec<StmtId>,
}

#[derive(Clone)]
pub enum ForInit {
    None,
    Expr(ExprId),
    Decl(DeclGroup),
}

#[derive(Clone, Copy, Debug)]
pub enum Affinity {
    /// Left out, or `continue`: every thread runs every iteration.
    All,
    /// Integer: the thread `value mod THREADS`.
    Int(ExprId),
    /// Pointer-to-shared: the thread that has it.
    Pts(ExprId),
}

/// One declaration: what its specifiers define, then what its declarators declare.
#[derive(Clone)]
pub struct DeclGroup {
    pub span: Span,
    pub plain: bool,
    /// Records and enums defined here, inner ones first.
    pub tags: Vec<TagDef>,
    pub decls: Vec<Decl>,
}

#[derive(Clone, Copy, Debug)]
pub enum TagDef {
    Record(RecordId),
    /// A mention without a body that declares the tag (`struct S;`).
    ForwardRecord(RecordId),
    Enum(EnumId),
}

#[derive(Clone)]
pub enum Decl {
    /// A variable with automatic storage.
    Local {
        local: LocalId,
        init: Option<InitId>,
        attrs: Vec<u32>,
        asm_label: Option<Span>,
    },
    /// A variable with static storage, `extern` or not, or a function declaration.
    Object {
        object: ObjectId,
        storage: u16,
        init: Option<InitId>,
        ty: QualType,
        attrs: Vec<u32>,
        asm_label: Option<Span>,
    },
    Typedef {
        typedef: TypedefId,
        attrs: Vec<u32>,
    },
    StaticAssert,
    /// Evaluates the size expression of an array of shared elements: stores it in the variable that keeps it ([`Body::lengths`]).
    Length {
        local: LocalId,
        value: ExprId,
    },
    /// Made by `lower`: storage of a shared object, or a mention of it.
    Shared {
        object: ObjectId,
        def: SharedDef,
        /// Bytes in the portion of one thread.
        bytes: u64,
        /// Bytes.
        align: u64,
    },
}

/// How a static shared object is declared to the runtime: the `UPCR_SHARED_*` macros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedDef {
    Extern,
    /// Initialised, external linkage.
    Define,
    /// Tentative.
    Common,
    /// Internal or no linkage.
    Local,
}

/// An initialiser with every leaf converted to the type it initialises.
#[derive(Clone)]
pub struct Init {
    pub kind: InitKind,
    pub ty: QualType,
    pub span: Span,
    pub plain: bool,
}

#[derive(Clone)]
pub enum InitKind {
    /// A scalar, or a record value, or a string literal for an array.
    Expr(ExprId),
    /// In source order, brace elision resolved into paths from the list's own object; printed with designators. Empty: `{}`.
    List(Vec<(Vec<PathElem>, InitId)>),
}

/// A step from an aggregate to a subobject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathElem {
    Field(u32),
    Index(u64),
    /// GNU `[a ... b]`, inclusive.
    Range(u64, u64),
}
