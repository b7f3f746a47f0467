//! Why a loop or a reference has no section, in the words of remarks.

use std::fmt;

/// Why a loop is not a counted one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopReason {
    /// It has no condition `i < n` with a constant step of `i`.
    NotCounted,
    /// The body changes the loop variable.
    Variable,
    /// The body may change the bound.
    Bound,
    /// A label, `case` of a switch around the loop, or a declaration that cannot be copied.
    Pinned,
    /// Inline assembly, or an extension that the translator copies without looking into it.
    Opaque,
    /// A pragma or an attribute fixes the form of the loop.
    Pragma,
    /// It makes so many shared accesses that they are not compared.
    Large,
}

/// Why the section of a reference is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It raises performance events.
    Instrumented,
    /// A subscript is not affine, or a pointer changes in the loop.
    NotAffine,
    /// The address must be loaded in iterations that may not make the access.
    Conditional,
    /// A part of a complex number, or an object of unknown size.
    Form,
    /// A member that may lack the alignment of its type.
    Packed,
}

impl fmt::Display for LoopReason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            LoopReason::NotCounted => "the loop does not count with a constant step up to a bound",
            LoopReason::Variable => "the loop changes its counter",
            LoopReason::Bound => "the loop may change its bound",
            LoopReason::Pinned => {
                "the loop has a label, a static declaration or a variable length array"
            }
            LoopReason::Opaque => "the loop has inline assembly or an extension of C",
            LoopReason::Pragma => "a pragma or an attribute fixes the form of the loop",
            LoopReason::Large => "the loop makes too many shared accesses to compare them",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Reason::Instrumented => "the access raises performance events",
            Reason::NotAffine => {
                "the address does not change by the same number of elements in each iteration"
            }
            Reason::Conditional => "some iterations may not make the access",
            Reason::Form => "the accessed object is not an element or a member",
            Reason::Packed => "the member may lack the alignment of its type",
        })
    }
}
