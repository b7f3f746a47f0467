//! A random program as data. Both texts are printed from it, and reduction works on it.
//!
//! A program is a row of phases with barriers between them. In each phase every shared object is read only, or each of its elements is written
//! by one thread ([`Owner`]), or it is updated under a lock or by atomics with operations whose order does not matter, or a collective function
//! works on it. So there are no races, and one thread after the other may run a phase with the same result.

mod code;
mod objects;

pub use code::*;
pub use objects::*;

/// The number of private sums of each thread, `x0`, `x1` ... A program computes nothing else beside its shared objects.
pub const SUMS: usize = 4;

/// The number of events that a program creates, `mine0`, `mine1` ...
pub const EVENTS: usize = 2;

#[derive(Clone)]
pub struct Program {
    pub seed: u64,
    /// The number of threads on which the program runs.
    pub threads: u32,
    /// The compiler knows the number of threads.
    pub fixed: bool,
    /// `<upc_strict.h>`
    pub strict: bool,
    pub records: Vec<Record>,
    pub shapes: Vec<Shape>,
    pub objects: Vec<Object>,
    pub phases: Vec<Phase>,
}

#[derive(Clone)]
pub enum Phase {
    Compute {
        body: Vec<Stmt>,
        /// The phase lies between `upc_notify` and `upc_wait`.
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
    /// Reduces `count` elements from element `first` on into element `at`.
    Reduce {
        op: Reduction,
        first: u32,
        count: u32,
        at: u32,
    },
    /// Reduces `count` elements from `first` on, to the same places of the other object.
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
    /// A function of the program defines the operation.
    Func,
    /// A function for which the order of operands counts.
    NonComm,
}

impl Reduction {
    pub const ALL: [Reduction; 11] = [
        Reduction::Add,
        Reduction::Mult,
        Reduction::And,
        Reduction::Or,
        Reduction::Xor,
        Reduction::Min,
        Reduction::Max,
        Reduction::LogAnd,
        Reduction::LogOr,
        Reduction::Func,
        Reduction::NonComm,
    ];

    /// The operations that atomic functions have, too.
    pub const ATOMIC: &[Reduction] = Reduction::ALL.split_at(7).0;
}

impl Program {
    pub fn shape(&self, object: usize) -> &Shape {
        &self.shapes[self.objects[object].shape]
    }

    /// Returns the number of elements of an object.
    pub fn size(&self, object: usize) -> u32 {
        self.shape(object).size(self.threads)
    }

    /// Returns the block size in the object's type; 0: indefinite.
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

    /// Returns how many elements lie together in one thread's memory.
    pub fn run_of(&self, object: usize) -> u32 {
        match (self.objects[object].storage, self.block(object)) {
            (Storage::Directory, _) => self.shape(object).row(self.threads),
            (_, 0) => self.size(object),
            (_, block) => block,
        }
    }

    /// True if members of an element may lie in one place.
    pub fn has_union(&self, object: usize) -> bool {
        let has = |record: usize| self.union_in(record);
        matches!(self.objects[object].element, Element::Record(record) if has(record))
    }

    fn union_in(&self, record: usize) -> bool {
        let of = &self.records[record];
        let inner = |field: &Field| matches!(field, Field::Record(inner) if self.union_in(*inner));
        of.union || of.fields.iter().any(inner)
    }

    /// Returns what an access ends at.
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

    /// Returns the number of items of the array in which the last step of a path chooses one.
    pub fn items(&self, access: &Access) -> Option<u32> {
        let (last, path) = access.path.split_last()?;
        let (Step::Item(_), Some((Step::Field(field), outer))) = (last, path.split_last()) else {
            return None;
        };
        let of = Access {
            path: outer.to_vec(),
            ..access.clone()
        };
        match self.leaf(&of) {
            Leaf::Record(record) => match self.records[record].fields[*field] {
                Field::Array(_, count) => Some(count),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the paths to all members of an element that hold a value.
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
