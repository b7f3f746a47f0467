//! The runtime and the pages of `--explain` travel inside the binary: rebuild when their folders change, also by a new file. `UPCC_TARGET` is the platform it is for.
fn main() {
    // Cargo sets it for every build script.
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=UPCC_TARGET={target}");
    println!("cargo:rerun-if-changed=build.rs");
    for folder in [
        "runtime-c/gdb",
        "runtime-c/include",
        "runtime-c/share",
        "runtime-c/src",
        "docs/diagnostics",
    ] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
