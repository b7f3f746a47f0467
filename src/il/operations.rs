//! What each runtime operation takes and gives: one row for each variant of [`RtOp`], by which the validator judges operands (invariant 11).

use super::RtOp;

/// What an operand or a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A value of a pointer-to-shared type.
    Pts,
    /// A value of an integer type.
    Int,
    /// A value of a private pointer type.
    Pointer,
    /// The designator of a static shared object.
    Object,
    /// The address of a site ([`RtOp::Site`]), or a null one.
    Site,
    /// A value of the type argument or of the bit-field.
    Value,
    /// Anything, as a result: nothing, or what a function gives.
    Any,
}
use Operand::{Any, Int, Object, Pointer, Pts, Site, Value};

/// The type argument that an operation has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeArg {
    None,
    /// The type of the object that is accessed.
    Accessed,
    /// The record in which the bit-field is, with the way to it.
    Record,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    pub operands: &'static [Operand],
    /// Further operands behind those, as many as there are: arguments of a function.
    pub more: bool,
    pub result: Operand,
    pub type_arg: TypeArg,
}

const fn plain(operands: &'static [Operand], result: Operand) -> Signature {
    Signature {
        operands,
        more: false,
        result,
        type_arg: TypeArg::None,
    }
}

const fn access(operands: &'static [Operand]) -> Signature {
    Signature {
        type_arg: TypeArg::Accessed,
        ..plain(operands, Value)
    }
}

const fn bits(operands: &'static [Operand]) -> Signature {
    Signature {
        type_arg: TypeArg::Record,
        ..plain(operands, Value)
    }
}

const fn open(operands: &'static [Operand], result: Operand) -> Signature {
    Signature {
        more: true,
        ..plain(operands, result)
    }
}

/// The row of an operation. `INST` operations have their event's site in front, those of accesses also whether local ones count.
pub const fn signature(op: RtOp) -> Signature {
    match op {
        RtOp::Null => plain(&[], Pts),
        RtOp::Static => plain(&[Object], Pts),
        RtOp::IsNull => plain(&[Pts], Int),
        RtOp::Eq => plain(&[Pts, Pts], Int),
        RtOp::Threadof | RtOp::Phaseof | RtOp::Addrfield => plain(&[Pts], Int),
        RtOp::Resetphase => plain(&[Pts], Pts),
        RtOp::Add0 | RtOp::Field => plain(&[Pts, Int], Pts),
        RtOp::Add1 | RtOp::At1 => plain(&[Pts, Int, Int], Pts),
        RtOp::AddB | RtOp::AtB | RtOp::AtB0 => plain(&[Pts, Int, Int, Int], Pts),
        RtOp::Diff0 => plain(&[Pts, Pts], Int),
        RtOp::Diff1 => plain(&[Pts, Pts, Int], Int),
        RtOp::DiffB => plain(&[Pts, Pts, Int, Int], Int),
        RtOp::Local | RtOp::LocalNn => plain(&[Pts], Pointer),
        RtOp::Get | RtOp::Get0 | RtOp::GetStrict => access(&[Pts]),
        RtOp::Put | RtOp::Put0 | RtOp::PutStrict => access(&[Pts, Value]),
        RtOp::GetBits | RtOp::GetBitsStrict => bits(&[Pts]),
        RtOp::PutBits | RtOp::PutBitsStrict => bits(&[Pts, Value]),
        // Whether there is an expression, and its value.
        RtOp::Notify | RtOp::Wait | RtOp::Barrier => plain(&[Int, Int], Any),
        RtOp::Fence => plain(&[], Any),
        RtOp::ForallDepth | RtOp::Threads | RtOp::MyThread => plain(&[], Int),
        RtOp::ForallSkip => plain(&[Int], Int),
        RtOp::FloorDiv => plain(&[Int, Int], Int),
        // The index, the length of its dimension, whether that counts for each thread, whether one past the end is allowed.
        RtOp::Index => plain(&[Int, Int, Int, Int], Int),
        RtOp::WithPhase => plain(&[Pts, Int], Pts),
        RtOp::Site(_) => plain(&[], Pointer),
        RtOp::InstOn => plain(&[], Int),
        RtOp::InstBudget => plain(&[Site, Int, Pts, Int, Int, Int, Int], Int),
        RtOp::InstConsume => plain(&[Site, Int, Pts, Int, Int, Int, Int], Any),
        RtOp::InstGet | RtOp::InstGet0 | RtOp::InstGetStrict => access(&[Site, Int, Pts]),
        RtOp::InstPut | RtOp::InstPut0 | RtOp::InstPutStrict => access(&[Site, Int, Pts, Value]),
        RtOp::InstGetBits | RtOp::InstGetBitsStrict => bits(&[Site, Int, Pts]),
        RtOp::InstPutBits | RtOp::InstPutBitsStrict => bits(&[Site, Int, Pts, Value]),
        RtOp::InstNotify | RtOp::InstWait | RtOp::InstBarrier => plain(&[Site, Int, Int], Any),
        RtOp::InstFence => plain(&[Site], Any),
        RtOp::InstCall(_) => open(&[Site], Any),
    }
}
