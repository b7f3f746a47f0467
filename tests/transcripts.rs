//! Commands and their output: each file of `tests/transcripts` is a session with `upcc`, `upcrun` and `upcprof`, in a
//! copy of the folder of the same name. `TRYCMD=overwrite cargo test --test transcripts` writes the output again.

use std::path::Path;

use trycmd::TestCases;

#[test]
fn sessions() {
    TestCases::new()
        .register_bin("upcc", Path::new(env!("CARGO_BIN_EXE_upcc")))
        .register_bin("upcrun", Path::new(env!("CARGO_BIN_EXE_upcrun")))
        .register_bin("upcprof", Path::new(env!("CARGO_BIN_EXE_upcprof")))
        .env("UPCC_NORC", "1")
        .env("LC_ALL", "C")
        .case("tests/transcripts/*.trycmd");
}
