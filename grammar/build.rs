//! Generates the parser from `upc.lalrpop`.

fn main() {
    // Cargo sets it for every build script.
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    let generated = lalrpop::Configuration::new()
        .set_out_dir(out)
        .emit_rerun_directives(true)
        .process_file("upc.lalrpop");
    if let Err(error) = generated {
        panic!("upc.lalrpop: {error}");
    }
}
