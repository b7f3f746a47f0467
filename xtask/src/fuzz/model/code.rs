//! Statements, and the expressions and accesses in them.

use super::Reduction;

/// The thread that writes element number i of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// `(i + shift) % THREADS`
    Cyclic { shift: u32 },
    /// `i / size % THREADS`
    Blocks(u32),
    /// `THREADS - 1 - i % THREADS`
    Reversed,
    /// The thread in whose memory the element is.
    Affinity,
    /// The thread in whose memory element i of another object is.
    AffinityOf(usize),
}

/// A loop's variable `iN`, a pointer `pN`, a private pointer `lN`.
pub type Var = u32;

/// Selects an element of an object.
#[derive(Clone)]
pub enum Index {
    /// The element `scale * var + offset`, or the element that is as far from the end.
    Linear {
        var: Var,
        scale: i64,
        offset: i64,
        reversed: bool,
    },
    /// An index for each dimension.
    Grid(Vec<(Var, i64)>),
    /// The value is any number, modulo the number of elements.
    Free(Box<Expr>),
    /// The element so many places after the target of a pointer-to-shared.
    Through { pointer: Var, offset: i64 },
    /// The element `var + offset` places after the target of a pointer-to-shared.
    Ahead { pointer: Var, var: Var, offset: i64 },
    /// Element `var` of the thread's own elements, through an ordinary pointer.
    Mine { pointer: Var, var: Var },
    /// The target of a pointer that is an element or a member of an object.
    Stored(Box<Access>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Field(usize),
    Item(u32),
    /// Item `var` modulo the number of items.
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
    /// The element's distance, in its thread's memory, from the object's first byte there.
    Place,
    /// The value is whether it is the first element.
    IsFirst,
    /// `upc_phaseof` after `upc_resetphase`
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
    /// Multiplies by an odd number.
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
        /// The operand is converted first, as an operand that is not an integer is.
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
    /// Assigns to an element or member that is a number. The value of the assignment may be added to a sum.
    Store {
        target: Access,
        op: Op,
        value: Expr,
        into: Option<usize>,
    },
    /// Assigns the address of an element to an element or member that is a pointer.
    StorePointer {
        target: Access,
        to: Access,
    },
    /// Moves a pointer to another element, and from one end of the object to the other.
    StepPointer {
        target: Access,
        by: u32,
        down: bool,
    },
    /// Copies a whole element.
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
    /// Statements that a `Jump` inside their loops leaves.
    Escape {
        label: Var,
        body: Vec<Stmt>,
    },
    Jump {
        test: Expr,
        label: Var,
    },
    /// Raises the start of an event of the program, executes the body, and raises its end.
    Event {
        event: usize,
        body: Vec<Stmt>,
    },
    /// Raises an event of the program.
    Mark {
        event: usize,
        value: Expr,
    },
    /// `#pragma pupc off`
    Uninstrumented {
        body: Vec<Stmt>,
    },
    /// Only the thread that owns this element executes the body.
    Guard {
        owner: Owner,
        access: Access,
        /// The test is written `if (...) continue;`.
        skip: bool,
        body: Vec<Stmt>,
    },
    Loop(Loop),
    /// Declares a variable in a block of its own.
    Local {
        var: Var,
        value: Expr,
        body: Vec<Stmt>,
    },
    /// Declares a variable that follows a loop's variable at a distance, and moves it to another distance.
    Derived {
        var: Var,
        of: Var,
        /// The distance for the statements of `near`, and that for those of `far`.
        offsets: [i64; 2],
        near: Vec<Stmt>,
        far: Vec<Stmt>,
    },
    /// Declares a pointer-to-shared in a block of its own.
    Pointer {
        pointer: Var,
        to: Access,
        body: Vec<Stmt>,
    },
    Walk(Walk),
    /// Calls a function with pointers to two elements of an object, which it accesses and the elements after them.
    Outlined {
        object: usize,
        pointers: [Var; 2],
        from: [u32; 2],
        body: Vec<Stmt>,
    },
    /// Accesses elements of the thread's own through an ordinary pointer.
    Mine {
        object: usize,
        pointer: Var,
        var: Var,
        body: Vec<Stmt>,
    },
    /// Casts a pointer to an element to another block size, and reads the element at an offset from it.
    Recast {
        object: usize,
        at: Expr,
        /// The new block size; 0: indefinite.
        block: u32,
        /// The cast goes by way of `shared void *`.
        generic: bool,
        offset: u32,
        sum: usize,
    },
    Transfer(Transfer),
    /// Makes an update under a lock. The order of such updates does not matter.
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
        /// Calls Berkeley's function.
        extension: bool,
    },
    /// Makes the shared accesses of a block strict, or relaxed.
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

/// One label of a `switch`, with its statements.
#[derive(Clone)]
pub struct Case {
    /// `None`: `default`
    pub value: Option<u64>,
    pub body: Vec<Stmt>,
    /// The statements continue with those of the next label.
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
    /// The loop is written with `goto`.
    Again,
    Forall(Affinity),
    /// The iterations are those for which `(var + offset) % THREADS == MYTHREAD`.
    Stride {
        offset: u32,
    },
}

#[derive(Clone)]
pub enum Affinity {
    /// The affinity is `i / over + shift`, where i is an element's number, or `i * THREADS / over + shift` if the iterations are spread.
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

/// The values that a loop's variable takes.
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
    /// As many values as there are elements after element `from`, less the margin at both ends.
    Rest {
        shape: usize,
        from: u32,
        margin: u32,
    },
    Count(u32),
}

/// A loop that moves a pointer-to-shared over an object.
#[derive(Clone)]
pub struct Walk {
    pub object: usize,
    pub pointer: Var,
    /// The walk starts so far from the beginning and ends so far from the end.
    pub margin: u32,
    pub step: u32,
    pub kind: WalkKind,
    /// The loop is in a function of its own.
    pub outlined: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkKind {
    /// The loop runs while the pointer is not the end.
    ToEnd,
    /// The loop runs while the pointer is before the end.
    Before,
    /// A counter ends the loop.
    Counted,
    /// The pointer moves backwards, and a counter ends the loop.
    Backwards,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransferKind {
    /// The transfer goes into a private array, which is summed.
    Get,
    /// The transfer comes from a private array.
    Put,
    /// The transfer comes from another object of the same element type.
    Copy(usize),
    Set(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Blocking,
    Handle,
    Implicit,
}

/// A transfer of elements that lie together in one thread's memory: `count` of them, or as many as there are. A thread reads any elements, and
/// writes its own.
#[derive(Clone)]
pub struct Transfer {
    pub kind: TransferKind,
    pub way: Way,
    pub object: usize,
    /// The number of the first element is taken modulo the number of elements.
    pub first: Expr,
    /// The thread that writes the elements, if they are written. A whole block belongs to one thread.
    pub owner: Owner,
    pub count: u32,
    pub sum: usize,
}
