//! What a maintainer runs: `cargo xtask test`, `cargo xtask bench`.
fn main() {}
