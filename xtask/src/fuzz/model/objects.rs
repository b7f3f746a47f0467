//! Shared objects: types, shapes, layouts, and where their memory comes from.

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
    Int128,
    Float,
    Double,
    LongDouble,
    FloatComplex,
    DoubleComplex,
}

impl Scalar {
    pub const ALL: [Scalar; 17] = [
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
        Scalar::Int128,
        Scalar::Float,
        Scalar::Double,
        Scalar::LongDouble,
        Scalar::FloatComplex,
        Scalar::DoubleComplex,
    ];

    pub fn is_floating(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Double | Scalar::LongDouble) || self.is_complex()
    }

    pub fn is_complex(self) -> bool {
        matches!(self, Scalar::FloatComplex | Scalar::DoubleComplex)
    }

    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Char | Scalar::SChar | Scalar::UChar => 8,
            Scalar::Short | Scalar::UShort => 16,
            Scalar::Int | Scalar::UInt | Scalar::Float => 32,
            Scalar::Long | Scalar::ULong | Scalar::LongLong => 64,
            Scalar::Double | Scalar::FloatComplex => 64,
            Scalar::Int128 | Scalar::LongDouble | Scalar::DoubleComplex => 128,
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
            Scalar::LongDouble => "long double",
            Scalar::FloatComplex => "float _Complex",
            Scalar::DoubleComplex => "double _Complex",
            Scalar::Int128 => "__int128",
        }
    }
}

/// `struct rN` or `union rN`; its members are `f0`, `f1` ...
#[derive(Clone)]
pub struct Record {
    pub fields: Vec<Field>,
    pub packed: bool,
    /// The members are integers, which may have any bits.
    pub union: bool,
}

#[derive(Clone)]
pub enum Field {
    Scalar(Scalar),
    Array(Scalar, u32),
    Bits(Scalar, u32),
    /// The member is an earlier record.
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

/// The dimensions of objects. Several objects may have the same shape, so that one loop goes over all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub dims: Vec<Dim>,
}

impl Shape {
    /// Returns the number of elements on so many threads.
    pub fn size(&self, threads: u32) -> u32 {
        self.dims.iter().map(|dim| dim.size(threads)).product()
    }

    /// Returns the number of elements in one step of the first dimension.
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
    /// One thread calls `upc_alloc`, and all elements belong to it.
    OneAlloc(u32),
    /// Each thread calls `upc_alloc` for a row of its own. An array of pointers leads to the rows.
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
