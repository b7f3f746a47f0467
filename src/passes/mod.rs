//! IL to IL.

pub mod locality;
