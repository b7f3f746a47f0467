//! A random program as data. Both texts are printed from it, and reduction works on it.
//!
//! A program is a row of phases with barriers between them. In each phase every shared object is read only, or each of its elements is written
//! by one thread ([`Owner`]), or it is updated under a lock or by atomics with operations whose order does not matter, or a collective function
//! works on it. So there are no races, and one thread after the other may run a phase with the same result.

/// Private sums of each thread, `x0`, `x1` ...: all that a program computes beside its shared objects.
pub const SUMS: usize = 4;

#[derive(Clone)]
pub struct Program {
    pub seed: u64,
    /// It runs on so many.
    pub threads: u32,
    /// The compiler knows how many.
    pub fixed: bool,
    /// `<upc_strict.h>`
    pub strict: bool,
    pub records: Vec<Record>,
    pub shapes: Vec<Shape>,
    pub objects: Vec<Object>,
    pub phases: Vec<Phase>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    Float,
    Double,
}

impl Scalar {
    pub const ALL: [Scalar; 13] = [
        Scalar::Bool,
        Scalar::Char,
        Scalar::SChar,
        Scalar::UChar,
        Scalar::Short,
        Scalar::UShort,
        Scalar::Int,
        Scalar::UInt,
        Scalar::Long,
        Scalar::ULong,
        Scalar::LongLong,
        Scalar::Float,
        Scalar::Double,
    ];

    pub fn is_floating(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Double)
    }

    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Char | Scalar::SChar | Scalar::UChar => 8,
            Scalar::Short | Scalar::UShort => 16,
            Scalar::Int | Scalar::UInt | Scalar::Float => 32,
            Scalar::Long | Scalar::ULong | Scalar::LongLong | Scalar::Double => 64,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::Char => "char",
            Scalar::SChar => "signed char",
            Scalar::UChar => "unsigned char",
            Scalar::Short => "short",
            Scalar::UShort => "unsigned short",
            Scalar::Int => "int",
            Scalar::UInt => "unsigned",
            Scalar::Long => "long",
            Scalar::ULong => "unsigned long",
            Scalar::LongLong => "long long",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }
}

/// `struct rN`; its members are `f0`, `f1` ...
#[derive(Clone)]
pub struct Record {
    pub fields: Vec<Field>,
    pub packed: bool,
}

#[derive(Clone)]
pub enum Field {
    Scalar(Scalar),
    Array(Scalar, u32),
    Bits(Scalar, u32),
    /// An earlier record.
    Record(usize),
    /// A pointer to elements of an object of scalars.
    Pointer(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    Scalar(Scalar),
    Record(usize),
    /// A pointer to elements of an object of scalars.
    Pointer(usize),
}

/// `count`, or `count * THREADS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dim {
    pub count: u32,
    pub per_thread: bool,
}

/// Dimensions, which several objects have in common, so that one loop goes over all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub dims: Vec<Dim>,
}

impl Shape {
    /// Elements on so many threads.
    pub fn size(&self, threads: u32) -> u32 {
        self.dims.iter().map(|dim| dim.size(threads)).product()
    }

    /// Elements in one step of the first dimension.
    pub fn row(&self, threads: u32) -> u32 {
        self.dims[1..].iter().map(|dim| dim.size(threads)).product()
    }
}

impl Dim {
    pub fn size(&self, threads: u32) -> u32 {
        match self.per_thread {
            true => self.count * threads,
            false => self.count,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    Cyclic,
    Of(u32),
    Star,
    Indefinite,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Static,
    AllAlloc,
    GlobalAlloc,
    /// `upc_alloc` by one thread, to which all belongs.
    OneAlloc(u32),
    /// `upc_alloc` by each thread of a row of its own; an array of pointers leads to them.
    Directory,
}

/// A shared object, `aN`.
#[derive(Clone)]
pub struct Object {
    pub element: Element,
    pub shape: usize,
    pub block: Block,
    pub storage: Storage,
    pub strict: bool,
}

#[derive(Clone)]
pub enum Phase {
    Compute {
        body: Vec<Stmt>,
        /// Between `upc_notify` and `upc_wait`.
        split: Option<Vec<Stmt>>,
        /// The barrier has a value.
        named: bool,
    },
    Collective(Collective),
}

#[derive(Clone)]
pub struct Collective {
    pub kind: CollectiveKind,
    pub to: usize,
    pub from: usize,
    pub in_sync: usize,
    pub out_sync: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectiveKind {
    Broadcast,
    Scatter,
    Gather,
    GatherAll,
    Exchange,
    Permute,
    /// Of `count` elements from element `first` on; into element `at`.
    Reduce {
        op: Reduction,
        first: u32,
        count: u32,
        at: u32,
    },
    /// Of `count` elements from `first` on, to the same places of the other object.
    PrefixReduce {
        op: Reduction,
        first: u32,
        count: u32,
    },
    Sort,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    Add,
    Mult,
    And,
    Or,
    Xor,
    Min,
    Max,
    LogAnd,
    LogOr,
    /// A function of the program.
    Func,
    /// One for which the order of operands counts.
    NonComm,
}

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
    /// Element `var` of the thread's own, by an ordinary pointer.
    Mine { pointer: Var, var: Var },
    /// Where a pointer points that is an element or a member of an object.
    Stored(Box<Access>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Field(usize),
    Item(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `a[i]`
    Subscript,
    /// `*(a + i)`
    Star,
    /// `(&a[i])[offset]`
    Address,
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
    Before(Access, Access),
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
    Fence,
    /// `if (test) break;` or `continue;`
    Leave {
        test: Expr,
        ends: bool,
    },
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
    Forall(Affinity),
    /// Those for which `(var + offset) % THREADS == MYTHREAD`.
    Stride {
        offset: u32,
    },
}

#[derive(Clone)]
pub enum Affinity {
    /// `i / over + shift`, i being an element's number.
    Number {
        of: Access,
        over: u32,
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

/// Of `count` elements from the one that is `first` in a block; a thread reads any block, and writes its own.
#[derive(Clone)]
pub struct Transfer {
    pub kind: TransferKind,
    pub way: Way,
    pub object: usize,
    /// A block's number, modulo the number of blocks.
    pub block: Expr,
    /// Who writes it, where it is written; all of a block is one thread's.
    pub owner: Owner,
    pub first: u32,
    pub count: u32,
    pub sum: usize,
}

impl Program {
    pub fn shape(&self, object: usize) -> &Shape {
        &self.shapes[self.objects[object].shape]
    }

    /// Elements of an object.
    pub fn size(&self, object: usize) -> u32 {
        self.shape(object).size(self.threads)
    }

    /// The block size in its type; 0: indefinite.
    pub fn block(&self, object: usize) -> u32 {
        let shape = self.shape(object);
        let of = &self.objects[object];
        match (of.storage, of.block) {
            (Storage::OneAlloc(_) | Storage::Directory, _) | (_, Block::Indefinite) => 0,
            (_, Block::Cyclic) => 1,
            (_, Block::Of(size)) => size,
            (_, Block::Star) => shape.size(self.threads).div_ceil(self.threads).max(1),
        }
    }

    /// Elements that lie together in one thread's memory.
    pub fn run_of(&self, object: usize) -> u32 {
        match (self.objects[object].storage, self.block(object)) {
            (Storage::Directory, _) => self.shape(object).row(self.threads),
            (_, 0) => self.size(object),
            (_, block) => block,
        }
    }

    /// What an access ends at.
    pub fn leaf(&self, access: &Access) -> Leaf {
        let mut element = match self.objects[access.object].element {
            Element::Scalar(scalar) => Leaf::Scalar(scalar),
            Element::Pointer(to) => Leaf::Pointer(to),
            Element::Record(record) => Leaf::Record(record),
        };
        for step in &access.path {
            let (Leaf::Record(record), Step::Field(field)) = (element, *step) else {
                continue;
            };
            element = match self.records[record].fields[field] {
                Field::Scalar(scalar) | Field::Array(scalar, _) => Leaf::Scalar(scalar),
                Field::Bits(scalar, width) => Leaf::Bits(scalar, width),
                Field::Record(inner) => Leaf::Record(inner),
                Field::Pointer(to) => Leaf::Pointer(to),
            };
        }
        element
    }

    /// Paths to all members of an element that hold a value.
    pub fn leaves(&self, object: usize) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        match self.objects[object].element {
            Element::Record(record) => self.leaves_of(record, &mut Vec::new(), &mut found),
            Element::Scalar(_) | Element::Pointer(_) => found.push(Vec::new()),
        }
        found
    }

    fn leaves_of(&self, record: usize, path: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
        for (number, field) in self.records[record].fields.iter().enumerate() {
            path.push(Step::Field(number));
            match *field {
                Field::Record(inner) => self.leaves_of(inner, path, found),
                Field::Array(_, count) => {
                    for item in 0..count {
                        found.push([path.as_slice(), &[Step::Item(item)]].concat());
                    }
                }
                Field::Scalar(_) | Field::Bits(..) | Field::Pointer(_) => found.push(path.clone()),
            }
            path.pop();
        }
    }
}

/// What an access ends at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    Scalar(Scalar),
    Bits(Scalar, u32),
    Pointer(usize),
    Record(usize),
}
