//! IL to IL.

pub mod locality;
pub mod lower;
pub mod suspicious;
