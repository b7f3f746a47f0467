//! Statements, and the expressions and accesses in them.

use super::Reduction;

/// Who writes element number i of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// `(i + shift) % THREADS`
    Cyclic { shift: u32 },
    /// `i / size % THREADS`
    Blocks(u32),
    /// `THREADS - 1 - i % THREADS`
    Reversed,
    /// Whose memory it is in.
    Affinity,
    /// In whose memory element i of another object is.
    AffinityOf(usize),
}

/// A loop's variable `iN`, a pointer `pN`, a private pointer `lN`.
pub type Var = u32;

/// Which element of an object.
#[derive(Clone)]
pub enum Index {
    /// `scale * var + offset`; or as far from the end.
    Linear {
        var: Var,
        scale: i64,
        offset: i64,
        reversed: bool,
    },
    /// An index for each dimension.
    Grid(Vec<(Var, i64)>),
    /// Any number, modulo the number of elements.
    Free(Box<Expr>),
    /// Where a pointer-to-shared points, and so many further.
    Through { pointer: Var, offset: i64 },
    /// So many elements behind where a pointer-to-shared points.
    Ahead { pointer: Var, var: Var, offset: i64 },
    /// Element `var` of the thread's own, by an ordinary pointer.
    Mine { pointer: Var, var: Var },
    /// Where a pointer points that is an element or a member of an object.
    Stored(Box<Access>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Field(usize),
    Item(u32),
    /// Item `var` of so many, again and again.
    Turn {
        var: Var,
        count: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `a[i]`
    Subscript,
    /// `*(a + i)`
    Star,
    /// `(&a[i])[offset]`
    Address,
    /// `*(strict shared T *)&a[i]`
    Cast { strict: bool },
}

/// An element of an object, or a member of it.
#[derive(Clone)]
pub struct Access {
    pub object: usize,
    pub index: Index,
    pub path: Vec<Step>,
    pub spelling: Spelling,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    Thread,
    Phase,
    /// Its distance in its thread's memory from where the object begins there.
    Place,
    /// Whether it is the first element.
    IsFirst,
    /// `upc_phaseof` behind `upc_resetphase`
    ResetPhase,
    /// `upc_affinitysize` for the thread that has it, in elements.
    Portion,
    /// `upc_elemsizeof` of an object, with `upc_blocksizeof`.
    Sizes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Less,
    More,
    AtMost,
    AtLeast,
    Equal,
    Unequal,
}

impl Relation {
    pub const ALL: [Relation; 6] = [
        Relation::Less,
        Relation::More,
        Relation::AtMost,
        Relation::AtLeast,
        Relation::Equal,
        Relation::Unequal,
    ];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Xor,
    And,
    Or,
    Less,
    Equal,
    Both,
    Either,
    /// By an odd number.
    Div(u32),
    Rem(u32),
    Shl(u32),
    Shr(u32),
}

#[derive(Clone)]
pub enum Expr {
    Number(u64),
    Var(Var),
    MyThread,
    Threads,
    Sum(usize),
    Read {
        access: Access,
        /// Converted first, as it is where it is no integer.
        cast: bool,
    },
    Query(Query, Access),
    /// `&a[i] - &a[j]`
    Difference(Access, Access),
    /// `&a[i] < &a[j]`
    Compare(Relation, Access, Access),
    /// `*(test ? &a[i] : &a[j])`; by value `(test ? a[i] : a[j])`.
    Pick {
        test: Box<Expr>,
        yes: Access,
        no: Access,
        by_value: bool,
    },
    Comma(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Set,
    Add,
    Sub,
    Mul,
    Xor,
    Or,
    And,
    Shl,
    Shr,
    Increment,
    Decrement,
    BeforeIncrement,
}

#[derive(Clone)]
pub enum Stmt {
    /// To an element or member that is a number; what the assignment is worth may be added to a sum.
    Store {
        target: Access,
        op: Op,
        value: Expr,
        into: Option<usize>,
    },
    /// To one that is a pointer: the address of another.
    StorePointer {
        target: Access,
        to: Access,
    },
    /// A pointer goes to another element, and from one end to the other where there are no more.
    StepPointer {
        target: Access,
        by: u32,
        down: bool,
    },
    /// Of whole elements.
    Copy {
        to: Access,
        from: Access,
    },
    /// `xN = xN * factor + value`
    Sum {
        sum: usize,
        factor: u32,
        value: Expr,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Switch {
        value: Expr,
        cases: Vec<Case>,
    },
    /// `if (test) goto LABEL;` around statements.
    Skip {
        test: Expr,
        label: Var,
        body: Vec<Stmt>,
    },
    /// Statements that `Jump` leaves, from within loops.
    Escape {
        label: Var,
        body: Vec<Stmt>,
    },
    Jump {
        test: Expr,
        label: Var,
    },
    /// An event of the program's own, from its start to its end.
    Event {
        event: usize,
        body: Vec<Stmt>,
    },
    /// An event of the program's own.
    Mark {
        event: usize,
        value: Expr,
    },
    /// `#pragma pupc off`
    Uninstrumented {
        body: Vec<Stmt>,
    },
    /// For the thread alone that owns this element.
    Guard {
        owner: Owner,
        access: Access,
        /// As `if (...) continue;`
        skip: bool,
        body: Vec<Stmt>,
    },
    Loop(Loop),
    /// A variable in a block of its own.
    Local {
        var: Var,
        value: Expr,
        body: Vec<Stmt>,
    },
    /// A pointer-to-shared in a block of its own.
    Pointer {
        pointer: Var,
        to: Access,
        body: Vec<Stmt>,
    },
    Walk(Walk),
    /// Elements of the thread's own through an ordinary pointer.
    Mine {
        object: usize,
        pointer: Var,
        var: Var,
        body: Vec<Stmt>,
    },
    /// A pointer to an element becomes one with another block size; what lies so far behind is read.
    Recast {
        object: usize,
        at: Expr,
        /// 0: indefinite.
        block: u32,
        /// By way of `shared void *`.
        generic: bool,
        offset: u32,
        sum: usize,
    },
    Transfer(Transfer),
    /// An update whose order does not matter, under a lock.
    Locked {
        lock: usize,
        attempt: bool,
        body: Vec<Stmt>,
    },
    Atomic {
        target: Access,
        op: Reduction,
        operand: Expr,
        strict: bool,
        /// Berkeley's function.
        extension: bool,
    },
    /// Shared accesses in a block are strict, or relaxed.
    Ordered {
        strict: bool,
        body: Vec<Stmt>,
    },
    Fence,
    /// `if (test) break;` or `continue;`
    Leave {
        test: Expr,
        ends: bool,
    },
}

/// A part of a `switch`.
#[derive(Clone)]
pub struct Case {
    /// `None`: `default`
    pub value: Option<u64>,
    pub body: Vec<Stmt>,
    /// Into the next.
    pub falls: bool,
}

#[derive(Clone)]
pub struct Loop {
    pub var: Var,
    pub unsigned: bool,
    pub wide: bool,
    pub kind: LoopKind,
    pub span: Span,
    pub step: u32,
    pub down: bool,
    /// A pragma of the C compiler stands in front of it.
    pub pragma: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone)]
pub enum LoopKind {
    For,
    While,
    DoWhile,
    /// By `goto`.
    Again,
    Forall(Affinity),
    /// Those for which `(var + offset) % THREADS == MYTHREAD`.
    Stride {
        offset: u32,
    },
}

#[derive(Clone)]
pub enum Affinity {
    /// `i / over + shift`, i being an element's number; `i * THREADS / over + shift`, if the iterations are spread.
    Number {
        of: Access,
        over: u32,
        spread: bool,
        shift: u32,
    },
    Address(Access),
    Continue,
    None,
}

/// What a loop's variable goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// `margin <= i < size / scale - margin`
    Shape {
        shape: usize,
        scale: u32,
        margin: u32,
    },
    Dim {
        shape: usize,
        dim: usize,
        margin: u32,
    },
    /// As many as lie behind element `from`, less the margin at both ends.
    Rest {
        shape: usize,
        from: u32,
        margin: u32,
    },
    Count(u32),
}

/// A pointer-to-shared goes over an object.
#[derive(Clone)]
pub struct Walk {
    pub object: usize,
    pub pointer: Var,
    /// It starts so far from the beginning and ends so far from the end.
    pub margin: u32,
    pub step: u32,
    pub kind: WalkKind,
    /// In a function of its own.
    pub outlined: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkKind {
    /// While it is not the end.
    ToEnd,
    /// While it is before the end.
    Before,
    /// A counter beside it.
    Counted,
    /// Backwards, with a counter.
    Backwards,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransferKind {
    /// Into a private array, which is summed.
    Get,
    /// From a private array.
    Put,
    /// From another object of the same element type.
    Copy(usize),
    Set(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Blocking,
    Handle,
    Implicit,
}

/// Of elements that lie together in one thread's memory, `count` or as many as there are; a thread reads any, and writes its own.
#[derive(Clone)]
pub struct Transfer {
    pub kind: TransferKind,
    pub way: Way,
    pub object: usize,
    /// The first element, modulo the number of elements.
    pub first: Expr,
    /// Who writes them, where they are written; all of a block is one thread's.
    pub owner: Owner,
    pub count: u32,
    pub sum: usize,
}
