//! The abstract syntax tree, which the parser produces and sema reads.
//!
//! Nodes live in the arenas of [`Ast`] and are named by 32-bit ids. This keeps parser values small, lets a tree of any
//! depth be dropped without recursion, and makes lists slices of one pool. A [`Span`] is a half-open range of *token
//! indices*; `TokenStream` turns it into bytes. Attributes, `__extension__` and pragmas are not nodes: they are trivia
//! of the token stream (see `lex`), found by token index. Invariant: an operand's id is smaller than the id of the node
//! that uses it.

mod stmt;

use crate::symbol::Symbol;
pub use stmt::*;

/// Half-open range of token indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Span {
    /// Index of the first token.
    pub lo: u32,
    /// Index after the last token.
    pub hi: u32,
}

impl Span {
    /// Returns the span from the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span {
            lo: self.lo,
            hi: other.hi,
        }
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident => $node:ty, $field:ident, $push:ident;)*) => {
        $($(#[$doc])* #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)] pub struct $name(pub u32);
        impl std::ops::Index<$name> for Ast {
            type Output = $node;
            fn index(&self, id: $name) -> &$node { &self.$field[id.0 as usize] }
        }
        impl Ast {
            /// Appends a node to its arena.
            pub fn $push(&mut self, node: $node) -> $name {
                self.$field.push(node);
                $name(self.$field.len() as u32 - 1)
            }
        })*
    };
}

ids! {
    /// An expression.
    ExprId => Expr, exprs, push_expr;
    /// A statement.
    StmtId => Stmt, stmts, push_stmt;
    /// Declaration specifiers (shared by the declarators of one declaration).
    SpecsId => Specs, specs, push_specs;
    /// A declarator, abstract or not.
    DeclaratorId => Declarator, declarators, push_declarator;
    /// A declaration: specifiers and init-declarators.
    DeclId => Declaration, decls, push_decl;
    /// A type name: specifiers and an abstract declarator.
    TypeNameId => TypeName, type_names, push_type_name;
    /// An initialiser.
    InitId => Init, inits, push_init;
    /// A struct or union specifier.
    RecordId => RecordSpec, records, push_record;
    /// An enum specifier.
    EnumId => EnumSpec, enums, push_enum;
    /// An asm statement or file-scope asm.
    AsmId => Asm, asms, push_asm;
}

/// One translation unit.
#[derive(Default, Debug)]
pub struct Ast {
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub specs: Vec<Specs>,
    pub declarators: Vec<Declarator>,
    pub decls: Vec<Declaration>,
    pub type_names: Vec<TypeName>,
    pub inits: Vec<Init>,
    pub records: Vec<RecordSpec>,
    pub enums: Vec<EnumSpec>,
    pub asms: Vec<Asm>,
    /// Pool of expression lists (call arguments).
    pub expr_lists: Vec<ExprId>,
    /// The external declarations in source order. Their spans partition the token list (stray `;` are `Empty`).
    pub items: Vec<Item>,
}

/// A slice of `Ast::expr_lists`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprList {
    pub start: u32,
    pub len: u32,
}

impl Ast {
    /// Returns an empty tree with room for the nodes of a usual text of this length. Its lists would otherwise be copied
    /// several times while they grow.
    pub fn for_tokens(tokens: usize) -> Ast {
        Ast {
            exprs: Vec::with_capacity(tokens / 2),
            stmts: Vec::with_capacity(tokens / 8),
            specs: Vec::with_capacity(tokens / 8),
            declarators: Vec::with_capacity(tokens / 8),
            ..Ast::default()
        }
    }

    /// Stores an argument list.
    pub fn push_expr_list(&mut self, list: &[ExprId]) -> ExprList {
        let start = self.expr_lists.len() as u32;
        self.expr_lists.extend_from_slice(list);
        ExprList {
            start,
            len: list.len() as u32,
        }
    }

    /// The expressions of a list.
    pub fn expr_list(&self, list: ExprList) -> &[ExprId] {
        &self.expr_lists[list.start as usize..(list.start + list.len) as usize]
    }
}

/// An external declaration.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Debug, Clone, Copy)]
pub enum ItemKind {
    Function(FunctionDef),
    Decl(DeclId),
    Asm(AsmId),
    /// A lone `;`, or the tokens skipped after a syntax error that has been reported.
    Empty,
}

/// A function definition (C11 6.9.1).
#[derive(Debug, Clone, Copy)]
pub struct FunctionDef {
    /// Empty for an implicit-int definition.
    pub specs: SpecsId,
    pub declarator: DeclaratorId,
    /// The parameter declarations of a K&R definition: `Ast::decls[kr_decls.0 .. kr_decls.1]`. Empty for a prototype.
    pub kr_decls: (u32, u32),
    /// Always a `Compound`.
    pub body: StmtId,
}

/// Storage-class and function specifiers, as bits of [`Specs::storage`].
pub mod storage {
    pub const TYPEDEF: u16 = 1;
    pub const EXTERN: u16 = 2;
    pub const STATIC: u16 = 4;
    pub const AUTO: u16 = 8;
    pub const REGISTER: u16 = 16;
    /// `_Thread_local` or `__thread`.
    pub const THREAD: u16 = 32;
    pub const INLINE: u16 = 64;
    pub const NORETURN: u16 = 128;
}

/// Type qualifiers, as bits.
pub mod qual {
    pub const CONST: u16 = 1;
    pub const VOLATILE: u16 = 2;
    pub const RESTRICT: u16 = 4;
    pub const ATOMIC: u16 = 8;
    pub const SHARED: u16 = 16;
    pub const STRICT: u16 = 32;
    pub const RELAXED: u16 = 64;
}

/// A layout qualifier as written (UPC 6.5.1.1). More than one in a list is a constraint violation that sema reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `shared []`
    Empty,
    /// `shared [*]`
    Star,
    /// `shared [expr]`
    Expr(ExprId),
}

/// The qualifiers of one list, with every layout qualifier and its span.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quals {
    /// Bits of [`qual`].
    pub bits: u16,
    pub layouts: Vec<(Layout, Span)>,
    /// Tokens of the last `shared`, `strict` or `relaxed`, for messages.
    pub upc_span: Span,
    /// Tokens of the first `strict` and of the first `relaxed`.
    pub strict: Option<Span>,
    pub relaxed: Option<Span>,
}

/// Declaration specifiers, or a specifier-qualifier list.
#[derive(Debug, Clone, Default)]
pub struct Specs {
    /// Bits of [`storage`].
    pub storage: u16,
    /// The token of a storage class that the list already contains.
    pub repeated: Option<u32>,
    pub quals: Quals,
    /// Type specifiers in source order; empty means implicit int.
    pub types: Vec<TypeSpec>,
    /// `_Alignas` operands.
    pub aligns: Vec<AlignSpec>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlignSpec {
    Expr(ExprId),
    Type(TypeNameId),
}

/// A keyword that names a type, alone or with others (`unsigned long`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BasicType {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    /// `_Complex`, `__complex__`
    Complex,
    /// `_Imaginary` (parsed, rejected by sema)
    Imaginary,
    Int128,
    /// `_Float16`
    Float16,
    Float32,
    /// `_Float64`
    Float64,
    /// `_Float128`, `__float128`
    Float128,
    Float32x,
    Float64x,
    /// `__float80`
    Float80,
    Decimal32,
    Decimal64,
    Decimal128,
    /// `__builtin_va_list`
    VaList,
    /// `__auto_type`
    Auto,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeSpec {
    Basic(BasicType),
    Record(RecordId),
    Enum(EnumId),
    /// A typedef name and its token.
    Name(Symbol, u32),
    TypeofExpr(ExprId),
    TypeofType(TypeNameId),
    /// `_Atomic ( type-name )`
    Atomic(TypeNameId),
}

#[derive(Debug, Clone)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// Token of the tag, or of the keyword.
    pub tag_tok: u32,
    /// `None`: a reference without a body.
    pub members: Option<Vec<Member>>,
    pub span: Span,
}

/// One member declaration: specifiers and its declarators.
#[derive(Debug, Clone)]
pub enum Member {
    Fields {
        specs: SpecsId,
        declarators: Vec<FieldDeclarator>,
        span: Span,
    },
    StaticAssert(StaticAssert),
}

#[derive(Debug, Clone, Copy)]
pub struct FieldDeclarator {
    /// `None`: unnamed bit-field.
    pub declarator: Option<DeclaratorId>,
    pub bits: Option<ExprId>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct EnumSpec {
    pub tag: Option<Symbol>,
    pub tag_tok: u32,
    /// `None`: a reference without a body.
    pub items: Option<Vec<Enumerator>>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy)]
pub struct Enumerator {
    pub name: Symbol,
    pub tok: u32,
    pub value: Option<ExprId>,
}

/// A declarator, as the chain of derivations from the name outwards: in `int *(*p)[3]`, `p` is a pointer to an array of
/// 3 pointers to int.
#[derive(Debug, Clone, Default)]
pub struct Declarator {
    /// `None` in abstract declarators.
    pub name: Option<Symbol>,
    /// Token of the name, or the token at which the name would stand.
    pub name_tok: u32,
    /// From the name outwards.
    pub derived: Vec<Derived>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum Derived {
    /// `*` with the qualifiers of the pointer itself.
    Pointer(Quals),
    Array {
        size: ArraySize,
        quals: Quals,
        is_static: bool,
        span: Span,
    },
    Function {
        params: Params,
        span: Span,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(ExprId),
}

#[derive(Debug, Clone)]
pub enum Params {
    /// A prototype. `()` is an empty, non-variadic list with `is_void` false. `(void)` is one unnamed parameter of type
    /// void, which sema interprets.
    Prototype { params: Vec<Param>, variadic: bool },
    /// K&R identifier list (never empty), each name with its token.
    Names(Vec<(Symbol, u32)>),
}

#[derive(Debug, Clone, Copy)]
pub struct Param {
    pub specs: SpecsId,
    pub declarator: DeclaratorId,
    /// A forward declaration (GNU), `int n; int a[n], int n`: not a parameter, it only makes the name available to the
    /// sizes of other parameters.
    pub forward: bool,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Declaration {
    pub kind: DeclKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum DeclKind {
    Vars {
        specs: SpecsId,
        declarators: Vec<InitDeclarator>,
    },
    StaticAssert(StaticAssert),
}

#[derive(Debug, Clone, Copy)]
pub struct StaticAssert {
    pub cond: ExprId,
    /// The message literal, if any.
    pub message: Option<Span>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy)]
pub struct InitDeclarator {
    pub declarator: DeclaratorId,
    /// `asm("name")` after the declarator.
    pub asm_label: Option<Span>,
    pub init: Option<InitId>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct TypeName {
    pub specs: SpecsId,
    pub declarator: DeclaratorId,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Init {
    pub kind: InitKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum InitKind {
    Expr(ExprId),
    List(Vec<InitItem>),
}

#[derive(Debug, Clone)]
pub struct InitItem {
    /// Empty if the item is positional.
    pub designators: Vec<Designator>,
    pub value: InitId,
}

#[derive(Debug, Clone, Copy)]
pub enum Designator {
    /// `[e]`
    Index(ExprId),
    /// `[a ... b]` (GNU)
    Range(ExprId, ExprId),
    /// `.name`, or `name:` (GNU, old)
    Field(Symbol, u32),
}

/// Binary operators except assignment and comma.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// The operators that yield the size or alignment of a type or expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SizeOp {
    Sizeof,
    /// `_Alignof`, `__alignof__`
    Alignof,
    UpcLocalsizeof,
    UpcBlocksizeof,
    UpcElemsizeof,
}

#[derive(Debug, Clone, Copy)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone, Copy)]
pub enum ExprKind {
    Name(Symbol),
    /// Integer or floating constant; sema reads the token's text.
    Number,
    /// Character constant of any prefix.
    Char,
    /// One or more adjacent string literals.
    Str,
    Paren(ExprId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    /// `None` is `=`.
    Assign(Option<BinOp>, ExprId, ExprId),
    /// The middle operand is absent in GNU `a ?: b`.
    Cond(ExprId, Option<ExprId>, ExprId),
    Comma(ExprId, ExprId),
    Index(ExprId, ExprId),
    Call(ExprId, ExprList),
    /// `.`
    Member(ExprId, Symbol),
    /// `->`
    Arrow(ExprId, Symbol),
    Cast(TypeNameId, ExprId),
    CompoundLit(TypeNameId, InitId),
    SizeExpr(SizeOp, ExprId),
    SizeType(SizeOp, TypeNameId),
    /// `({ ... })`; the statement is a `Compound`.
    StmtExpr(StmtId),
    /// `&&label`
    LabelAddr(Symbol),
    /// `_Generic`: the controlling expression, then the associations.
    Generic(ExprId, GenericList),
    /// `__builtin_va_arg(e, type)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_offsetof(type, member-designator)`: the designator is an expression over a `Name` (`.x[3].y`).
    Offsetof(TypeNameId, ExprId),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_convertvector(e, type)`
    ConvertVector(ExprId, TypeNameId),
    /// Any other builtin whose arguments may be type names. The arguments are found through the span only.
    BuiltinWithTypes(Symbol),
    Threads,
    MyThread,
}

/// Associations of a `_Generic`. Each association is two entries of `expr_lists`: the type name's id as a raw number
/// (`u32::MAX` for `default`), and the expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenericList(pub ExprList);

impl Ast {
    /// Returns the associations of a `_Generic`; the type is `None` for `default`.
    pub fn generic_assocs(
        &self,
        list: GenericList,
    ) -> impl Iterator<Item = (Option<TypeNameId>, ExprId)> + '_ {
        self.expr_list(list.0)
            .chunks_exact(2)
            .map(|c| ((c[0].0 != u32::MAX).then_some(TypeNameId(c[0].0)), c[1]))
    }
}
