//! `upcrun`: starts a UPC program on a number of threads.
fn main() {}
