//! Shared objects, their shapes, types and layouts.

use super::super::model::*;
use super::Generator;
use crate::rng::Rng;

/// The largest number of elements of an object.
const SIZE: u32 = 320;

/// The bits of a page in which blocks are mapped (`UPCR_LINEAR_PAGE`).
const PAGE_BITS: u32 = 4096 * 8;

impl Generator {
    pub(super) fn objects(&mut self) {
        for number in 0..self.rng.below(3) {
            let record = self.record(number);
            self.program.records.push(record);
        }
        for number in 0..self.number(1, 3) {
            let shape = self.shape(number);
            self.program.shapes.push(shape);
        }
        for _ in 0..self.number(3, 7) {
            let object = self.object();
            self.program.objects.push(object);
        }
        if self.chance(70) {
            self.pair();
        }
        if let Some(object) = self.of_whole_pages() {
            self.program.objects.push(object);
        }
        if !self.program.records.is_empty() && self.chance(30) {
            let to = self.rng.below(self.program.objects.len());
            let record = self.rng.below(self.program.records.len());
            if let Element::Scalar(_) = self.program.objects[to].element
                && self.program.objects[to].storage != Storage::Directory
                && !self.program.records[record].union
            {
                self.program.records[record].fields.push(Field::Pointer(to));
            }
        }
    }

    /// Makes two objects of one element type, with a block on each thread or all on one, for the functions that move blocks.
    fn pair(&mut self) {
        let threads = self.program.threads;
        let element = self.element();
        let count = self.number(1, 5) as u32;
        let part = *self.rng.pick(&[1, 1, threads]);
        for times in [1, *self.rng.pick(&[1, threads])] {
            let run = count * part * times;
            let storage = match self.program.fixed || run * threads <= SIZE {
                true => Storage::AllAlloc,
                false => Storage::GlobalAlloc,
            };
            self.program.shapes.push(Shape {
                dims: vec![Dim {
                    count: run,
                    per_thread: true,
                }],
            });
            let whole = storage == Storage::AllAlloc && self.chance(25);
            let declared = !whole && self.chance(50);
            self.program.objects.push(Object {
                element,
                shape: self.program.shapes.len() - 1,
                block: match (whole, run) {
                    (true, _) => Block::Indefinite,
                    (false, 1) => Block::Cyclic,
                    (false, _) => Block::Of(run),
                },
                storage: match declared {
                    true => Storage::Static,
                    false => storage,
                },
                strict: false,
            });
        }
    }

    /// In one program of six, makes an array of which each thread has one block of a whole page: it has a linear image.
    fn of_whole_pages(&mut self) -> Option<Object> {
        // Not the numbers that the program is made of: the other programs stay as they are.
        let mut rng = Rng::new(self.program.seed ^ 0x7061_6765);
        if rng.below(6) != 0 {
            return None;
        }
        let scalars = [Scalar::Long, Scalar::ULong, Scalar::Double, Scalar::Int128];
        let scalar = *rng.pick(&scalars);
        let count = PAGE_BITS / scalar.bits();
        let per_thread = true;
        self.program.shapes.push(Shape {
            dims: vec![Dim { count, per_thread }],
        });
        Some(Object {
            element: Element::Scalar(scalar),
            shape: self.program.shapes.len() - 1,
            block: Block::Of(count),
            storage: Storage::Static,
            strict: false,
        })
    }

    fn shape(&mut self, number: usize) -> Shape {
        let of = |count: usize, per_thread| Dim {
            count: count as u32,
            per_thread,
        };
        let dims = match (number, self.rng.below(9)) {
            (0, _) | (_, 0..=2) => vec![of(self.number(4, 25), true)],
            (_, 3) => vec![of(self.number(2, 6), true), of(self.number(3, 8), false)],
            (_, 4) => vec![of(self.number(3, 6), false), of(self.number(1, 5), true)],
            (_, 5) => vec![
                of(self.number(1, 3), true),
                of(self.number(2, 4), false),
                of(self.number(2, 4), false),
            ],
            (_, 6) => vec![of(1, true), of(self.number(4, 20), false)],
            (_, 7) => vec![of(self.number(5, 60), false)],
            _ => vec![of(self.number(3, 8), false), of(self.number(3, 8), false)],
        };
        let shape = Shape { dims };
        match shape.size(self.program.threads) > SIZE {
            true => Shape {
                dims: vec![of(7, true)],
            },
            false => shape,
        }
    }

    fn record(&mut self, number: usize) -> Record {
        let mut fields = Vec::new();
        let union = self.chance(25);
        for _ in 0..self.number(1, 5) {
            let field = match self.rng.below(10) {
                0..=1 => Field::Array(self.member(union), self.number(1, 4) as u32),
                2..=4 => {
                    let whole = [
                        Scalar::Int,
                        Scalar::UInt,
                        Scalar::UShort,
                        Scalar::ULong,
                        Scalar::Long,
                        Scalar::UChar,
                        Scalar::Bool,
                    ];
                    let scalar = match *self.rng.pick(&whole) {
                        Scalar::Bool if union => Scalar::Int,
                        scalar => scalar,
                    };
                    Field::Bits(scalar, self.number(1, scalar.bits() as usize) as u32)
                }
                5 if number > 0 && !union => Field::Record(self.rng.below(number)),
                _ => Field::Scalar(self.member(union)),
            };
            fields.push(field);
        }
        Record {
            fields,
            packed: self.chance(20),
            union,
        }
    }

    /// Returns the type of a member. A member of a union may have any bits.
    fn member(&mut self, union: bool) -> Scalar {
        loop {
            let scalar = self.scalar();
            if !union || !(scalar.is_floating() || scalar == Scalar::Bool) {
                return scalar;
            }
        }
    }

    fn scalar(&mut self) -> Scalar {
        match self.chance(40) {
            true => *self
                .rng
                .pick(&[Scalar::Int, Scalar::Long, Scalar::ULong, Scalar::Double]),
            false => *self.rng.pick(&Scalar::ALL),
        }
    }

    fn object(&mut self) -> Object {
        let shape = self.rng.below(self.program.shapes.len());
        let element = self.element();
        // In objects of the same layout, what is near an element of one is near the same element of the other.
        let declared = |of: &&Object| of.storage == Storage::Static && of.shape == shape;
        let like = self.program.objects.iter().rev().find(declared).cloned();
        if let Some(like) = like
            && self.chance(50)
        {
            return Object { element, ..like };
        }
        let storage = self.storage(shape);
        Object {
            element,
            shape,
            block: self.block(shape, storage),
            storage,
            strict: self.chance(8),
        }
    }

    fn element(&mut self) -> Element {
        let scalars: Vec<usize> = (0..self.program.objects.len())
            .filter(|&object| {
                let of = &self.program.objects[object];
                matches!(of.element, Element::Scalar(_)) && of.storage != Storage::Directory
            })
            .collect();
        // Objects of the same type can be copied from one to the other.
        if !self.program.objects.is_empty() && self.chance(30) {
            return self.rng.pick(&self.program.objects).element;
        }
        match self.rng.below(10) {
            0..=1 if !scalars.is_empty() => Element::Pointer(*self.rng.pick(&scalars)),
            2..=4 if !self.program.records.is_empty() => {
                Element::Record(self.rng.below(self.program.records.len()))
            }
            _ => Element::Scalar(self.scalar()),
        }
    }

    fn storage(&mut self, shape: usize) -> Storage {
        let dims = self.program.shapes[shape].dims.clone();
        let row_for_each =
            dims.len() == 2 && dims[0].per_thread && dims[0].count == 1 && !dims[1].per_thread;
        let owner = self.rng.below(self.program.threads as usize) as u32;
        match self.rng.below(10) {
            0..=5 if row_for_each => Storage::Directory,
            0..=1 if dims.len() == 1 => Storage::AllAlloc,
            2 if dims.len() == 1 => Storage::GlobalAlloc,
            3 if dims.len() == 1 => Storage::OneAlloc(owner),
            _ => Storage::Static,
        }
    }

    /// Returns a block size that the language allows. If the compiler does not know THREADS, a dimension of a declared array is a multiple of it.
    /// If the block size is indefinite, no dimension is.
    fn block(&mut self, shape: usize, storage: Storage) -> Block {
        let (threads, fixed) = (self.program.threads, self.program.fixed);
        let of = self.program.shapes[shape].clone();
        let multiple = of.dims.iter().any(|dim| dim.per_thread);
        let size = of.size(threads) as usize;
        let row = of.row(threads);
        if storage == Storage::Static && !fixed && !multiple {
            return Block::Indefinite;
        }
        let constant_row = of.dims[1..].iter().all(|dim| !dim.per_thread);
        let most = match fixed {
            true => size,
            false => size / threads as usize + 3,
        };
        match self.rng.below(10) {
            0..=2 => Block::Cyclic,
            3..=4 if storage == Storage::Static => Block::Star,
            5 if fixed || storage != Storage::Static => Block::Indefinite,
            6 if row > 1 && (constant_row || fixed) => Block::Of(row),
            _ => match self.number(1, most) {
                1 => Block::Cyclic,
                block => Block::Of(block as u32),
            },
        }
    }
}
