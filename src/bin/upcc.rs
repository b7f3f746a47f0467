//! `upcc`: the compiler driver.
fn main() {}
