//! What several passes must know about a body. Nothing here changes the IL.

pub mod affine;
pub mod certain;
pub mod effects;
pub mod linear;
pub mod loop_pragmas;
pub mod loops;
pub mod places;
pub mod refs;
pub mod residue;
pub mod stride;
