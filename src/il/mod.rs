//! The IL: a typed tree that keeps `shared`, layout, strict and relaxed, `upc_forall` and the sync statements.
//!
//! Every external declaration is an [`Item`] with its own [`Body`], the arenas of its expressions, statements and
//! locals. Nodes refer to each other by handles, not boxes.
//!
//! # Invariants (the validator in `validate.rs` enforces them)
//!
//! 1. Every expression has a type. Operands of a node were pushed before it: `operand < node`.
//! 2. Expressions are *places* (they designate an object: [`ExprKind::is_place`]) or *values*. A place is read only by
//!    [`ExprKind::Load`]; arrays and functions become pointers only by [`ExprKind::Decay`]. There are no values of
//!    array or function type, except string literals and compound literals as initialisers.
//! 3. Conversions are explicit: both operands of an arithmetic `Binary` have the node's type (shifts: the left one),
//!    those of a comparison have the same type up to qualifiers, the value of an `Assign` has the place's unqualified
//!    type, arguments have the parameters' types, results those of their functions, leaves of initialisers those of
//!    what they initialise. `Cast { implicit: true }` marks conversions that sema added. After `lower` all
//!    pointers-to-shared count as one type.
//! 4. `a[i]` is `Deref(PtrAdd(Decay(a), i))` and `p->f` is `Field(Deref(p), f)`: one form each. `PtrAdd` counts in
//!    elements of the pointed-to type; its index has type `ptrdiff_t` or the user's promoted integer type.
//! 5. A shared access is a `Load`, `Assign`, `AssignOp` or `IncDec` whose place has a shared type; its `STRICT` flag
//!    gives its kind (with the pragma taken into account). No other node reads or writes shared memory.
//! 6. A node has `VERBATIM` if UPC touches neither it nor anything below it: no shared type, no pointer-to-shared, no
//!    UPC keyword, no renamed object. Emit prints verbatim nodes from their tokens. Passes rewrite only nodes that are
//!    not verbatim; a pass that replaced a node below a verbatim one would have to clear `VERBATIM` upwards. This
//!    includes `inst`: where verbatim text raises events, [`Module::patches`] give its tokens another spelling.
//! 7. `ExprKind::Opaque` is always verbatim.
//! 8. After `lower` there are only [`ExprKind::Rt`] and plain C: no shared access, no `PtrAdd`/`PtrDiff`/comparison/
//!    conversion/truth test of pointers-to-shared, no `Threads`, `MyThread`, `Forall`, `Sync`, `Fence`, no shared
//!    `AddrOf`/`Decay`, no declaration of a shared object or non-constant static initialiser.
//! 9. A member of a shared record has a shared type of indefinite block size (UPC 6.4.4): the type of `Field(p, i)`, p
//!    a shared place, is the member's type with `shared []` on its ultimate element, whatever the block size of p.
//! 10. The name of a `Local` or `Object` designates it in C wherever it is used: it is in the scope of its declaration,
//!     and no other declaration hides it.
//! 11. The operands, the result and the type argument of an [`ExprKind::Rt`] match its row in `operations.rs`.
//!
//! [`validate::Valid`] is a module that satisfies the invariants; `emit` accepts nothing else. Users' builds skip the
//! check, because it takes time ([`validate::lowered`]).
//!
//! A match over these enums, in `il`, `passes` and `emit`, lists all variants, so that a new variant does not compile
//! until each match handles it.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub mod build;
mod events;
pub mod operations;
pub mod print;
mod scopes;
mod typing;
pub mod validate;
#[cfg(test)]
mod validate_tests;
pub mod walk;

pub use events::{Patch, PatchTo, Scope, Site, SiteId, SiteKind};
pub use operations::RtOp;

use crate::ids::TiVec;
use crate::types::{EnumId, QualType, RecordId, TypedefId, Types};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::ast::{BinOp, Span, SyncKind};
use upcc_grammar::symbol::Symbol;

/// A translation unit.
pub struct Module {
    pub types: Types,
    /// Everything with static storage or linkage: variables and functions, including block-scope ones.
    pub objects: TiVec<ObjectId, Object>,
    pub items: Vec<Item>,
    /// Functions of the C library that the unit calls before it declares them, or without declaring them.
    pub library: Vec<ObjectId>,
    /// Functions of the C library that do nothing but compute a value of their arguments.
    pub pure: HashSet<ObjectId>,
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// The sites of the events that instrumented code raises.
    pub sites: TiVec<SiteId, Site>,
    /// The loops of instrumented code as the user wrote them: profiles add up what happens in each.
    pub loops: Vec<LoopText>,
    /// Tokens of verbatim text that are replaced when it is copied, in order: this is how verbatim functions raise
    /// events.
    pub patches: Vec<Patch>,
    /// The values of operands of `_Alignas` that contain UPC, by their first tokens.
    pub alignments: HashMap<u32, u64>,
}

/// The text of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopText {
    /// Its tokens.
    pub at: Span,
    pub kind: LoopKind,
}

/// The statements of C that are loops. A `upc_forall` raises events of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    For,
    While,
    Do,
}

crate::ids::ids! {
    /// A variable with static storage duration, or a function.
    ObjectId;
}

#[derive(Clone, Debug)]
pub struct Object {
    pub name: Symbol,
    pub ty: QualType,
    pub linkage: Linkage,
    /// The name in emitted C where it differs: a hoisted block-scope shared static is `upcc_<function>_<name>_<n>`.
    pub emit_name: Option<String>,
    pub is_function: bool,
    pub defined: bool,
    /// Declared at block scope.
    pub local: bool,
    /// Alignment requested by attribute or `_Alignas`, in bytes.
    pub align: Option<u64>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// No linkage: a block-scope static.
    None,
    Internal,
    External,
}

/// An external declaration.
pub struct Item {
    pub span: Span,
    /// The item is printed from its text.
    pub verbatim: bool,
    pub kind: ItemKind,
    pub body: Body,
}

pub enum ItemKind {
    Function(Function),
    Decl(DeclGroup),
    /// File-scope asm, a stray `;`, `_Static_assert`: always verbatim.
    Text,
    /// C that the passes add, such as an initialiser function.
    Generated(Function),
}

#[derive(Clone)]
pub struct Function {
    pub object: ObjectId,
    pub storage: u16,
    pub params: Vec<LocalId>,
    /// K&R definitions are printed as prototypes when not verbatim.
    pub kr: bool,
    pub root: StmtId,
    /// Indices into `TokenStream::attrs` that belong to the declaration.
    pub attrs: Vec<u32>,
    /// Tokens before the body.
    pub head: Span,
    /// Records and enums that the head defines before the parameters.
    pub tags: Vec<TagDef>,
    /// Records and enums that the parameters' declarations define: their scope ends with the function.
    pub param_tags: Vec<TagDef>,
}

/// Arenas of one external declaration.
#[derive(Clone, Default)]
pub struct Body {
    pub exprs: TiVec<ExprId, Expr>,
    pub stmts: TiVec<StmtId, Stmt>,
    pub locals: TiVec<LocalId, Local>,
    /// The role of each temporary, which is part of its name; in the order of the ids.
    pub roles: Vec<(LocalId, &'static str)>,
    pub inits: TiVec<InitId, Init>,
    /// Pool of expression lists.
    pub lists: Vec<ExprId>,
    /// Sizes of the variable length arrays declared here, by the number of `ArrayLen::Variable`; `None` is `[*]`.
    pub vlas: Vec<(u32, Option<ExprId>)>,
    /// For arrays with shared elements, by the number of `ArrayLen::Variable`: the variable of the function that holds
    /// the length. Lengths in prototypes, which are never evaluated, are missing.
    pub lengths: Vec<(u32, LocalId)>,
    /// Parameters declared as arrays, with the number of the length: it is computed at the start of the function.
    pub param_lengths: Vec<(LocalId, u32)>,
    /// Paths from a record to a bit-field in it, as indices of members, for `ExprKind::Rt::field`.
    pub paths: Vec<Vec<u32>>,
    /// Functions nested in the item's function (GNU). Their nodes and locals are also in this body.
    pub nested: TiVec<NestedId, Function>,
}

crate::ids::ids! {
    ExprId;
    StmtId;
    LocalId;
    NestedId;
    InitId;
}

/// A slice of `Body::lists`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprList {
    pub start: u32,
    pub len: u32,
}

impl ExprList {
    /// Splits the list into its first `len` expressions and the rest.
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
    /// `None`: a temporary of the passes, printed as `upcc_<role><id>` with its role from [`Body::roles`], or `t`
    /// without one.
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

/// Bits of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprFlags(pub u16);

impl ExprFlags {
    /// UPC does not touch the expression (invariant 6).
    pub const VERBATIM: ExprFlags = ExprFlags(1);
    /// A strict shared access.
    pub const STRICT: ExprFlags = ExprFlags(2);
    /// Sema knows the node to be an integer constant expression. The folded value is not kept in `Module`.
    pub const CONST: ExprFlags = ExprFlags(4);
    /// A shared access that raises events when it reads (`passes::inst`).
    pub const INSTRUMENT_GET: ExprFlags = ExprFlags(8);
    /// A shared access that raises events when it writes.
    pub const INSTRUMENT_PUT: ExprFlags = ExprFlags(16);
    /// A call of a library function that raises events; not verbatim.
    pub const INSTRUMENT_CALL: ExprFlags = ExprFlags(32);
    /// A runtime operation on a place that may lack the alignment of its type.
    pub const UNALIGNED: ExprFlags = ExprFlags(64);
    /// A write of a record whose value is used, with all of its bytes.
    pub const KEPT: ExprFlags = ExprFlags(128);
    /// A strict read before which no write of this thread is pending.
    pub const SETTLED: ExprFlags = ExprFlags(256);
    /// An access to an element of the thread's own part of an array, or a member of it (`passes::own_elements`).
    pub const OWN: ExprFlags = ExprFlags(512);

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
    /// The place that a pointer value points to.
    Deref(ExprId),
    /// Member (by index in the record's fields) of a place, or of a record value (then a value). Unnamed members on the
    /// path are explicit nodes.
    Field(ExprId, u32),
    Str,
    CompoundLit(InitId),
    /// `__real__`, `__imag__` of a place.
    RealPlace(ExprId),
    ImagPlace(ExprId),

    // ---- values
    /// Integer constant or folded constant: the low 64 bits of the value, interpreted by the node's type (so `-1` of
    /// type `unsigned long` is 2^64 - 1); printed from its tokens when verbatim.
    Int(i64),
    /// An integer constant beyond 64 bits, or a floating, complex or imaginary constant: always printed from its
    /// tokens.
    Number,
    /// Reads a place.
    Load(ExprId),
    AddrOf(ExprId),
    /// Converts an array place to a pointer to its first element, or a function designator to a pointer.
    Decay(ExprId),
    Unary(UnOp, ExprId),
    /// Arithmetic, comparison (also of pointers), `&&`, `||`.
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
    /// `place op= value`: computed in the type `compute`, that of the value (after conversion), then converted to the
    /// place's type. For pointer `+=`/`-=` the value is the index.
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
    /// GNU `a ?: b`: `a` is converted to the result type only after its test; both have the node's type.
    CondElvis(ExprId, ExprId),
    Comma(ExprId, ExprId),
    Call(ExprId, ExprList),
    /// Conversion to the node's type.
    Cast {
        value: ExprId,
        implicit: bool,
    },
    /// `sizeof` and UPC's size operators with value `per_thread * THREADS` (dynamic THREADS). Other sizes are `Int`;
    /// those of VLAs are `Opaque` or `SizeofPlace`.
    SizePerThread(u64),
    /// `sizeof` of a VLA type or expression that is not verbatim: printed as `sizeof(operand)`.
    SizeofPlace(ExprId),
    StmtExpr(StmtId),
    LabelAddr(Symbol),
    VaArg(ExprId),
    /// A plain C expression that the IL does not model: its meaning is given by its tokens.
    Opaque,
    Threads,
    MyThread,

    // ---- made by the passes
    /// A runtime operation. `args` are its value arguments, `ty_arg` the type argument if it has one. For operations on
    /// bit-fields, `field` is the index in `Body::paths` of the path from that type to the member.
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

    /// True if the node designates an object (invariant 2). A `Field` does if its record does: see [`Body::is_place`].
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
    pub verbatim: bool,
    /// A `Sync` or `Fence` that raises events (`passes::inst`).
    pub instrumented: bool,
    /// What a pass that has made a loop knows of its iterations.
    pub turns: Turns,
    /// The token whose pragmas and attributes precede the statement directly. A statement that a pass puts in the place
    /// of a loop has none: they move with the loop, and with each copy of it.
    pub trivia: Option<u32>,
}

/// How many iterations a loop has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Turns {
    #[default]
    Unknown,
    /// A few: no other pass transforms the loop.
    Few,
    /// Many, of a small body: emit asks the C compiler to unroll the loop once, if no pragma of the user's precedes it.
    Many,
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
    /// A nested function (GNU).
    Nested(NestedId),
    /// `case lo:` or `case lo ... hi:`; verbatim constants or folded ones.
    Case(ExprId, Option<ExprId>, StmtId),
    Default(StmtId),
    Goto(Symbol),
    GotoExpr(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    /// Operands in source order (outputs are places). Printed from tokens, with operands that are not verbatim
    /// replaced.
    Asm {
        outputs: Vec<AsmOperand>,
        inputs: Vec<AsmOperand>,
    },
    Decl(DeclGroup),
    Sync(SyncKind, Option<ExprId>),
    Fence,
    /// Concerns the rest of the block.
    Scope(Scope),
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
    /// Omitted, or `continue`: every thread runs every iteration.
    All,
    /// Integer: the thread `value mod THREADS`.
    Int(ExprId),
    /// Pointer-to-shared: the thread that the target has affinity to.
    Pts(ExprId),
}

/// One declaration: the definitions of its specifiers, then the declarations of its declarators.
#[derive(Clone)]
pub struct DeclGroup {
    pub span: Span,
    pub verbatim: bool,
    /// Records and enums defined here, inner ones first.
    pub tags: Vec<TagDef>,
    pub decls: Vec<Decl>,
}

#[derive(Clone, Copy, Debug)]
pub enum TagDef {
    Record(RecordId),
    /// A reference without a body that declares the tag (`struct S;`).
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
    /// Evaluates the size expression of an array of shared elements and stores it in the variable that holds it
    /// ([`Body::lengths`]).
    Length {
        local: LocalId,
        value: ExprId,
    },
    /// Made by `lower`: storage of a shared object, or a reference to it.
    Shared {
        object: ObjectId,
        def: SharedDef,
        /// Bytes in the portion of one thread.
        bytes: u64,
        /// Alignment in bytes.
        align: u64,
    },
}

/// How a static shared object is declared to the runtime: the `UPCR_SHARED_*` macros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedDef {
    Extern,
    /// Initialised definition, external linkage.
    Define,
    /// Tentative definition.
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
    pub verbatim: bool,
}

#[derive(Clone)]
pub enum InitKind {
    /// A scalar, or a record value, or a string literal for an array.
    Expr(ExprId),
    /// In source order, with brace elision resolved into paths from the list's own object; printed with designators.
    /// Empty: `{}`.
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
