//! IL to IL.

pub mod inst;
pub mod locality;
pub mod lower;
pub mod suspicious;
