//! The runtime travels inside the binary: rebuild when its folder changes, also by a new file. `UPCC_TARGET` is the platform it is for.
fn main() {
    // Cargo sets it for every build script.
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=UPCC_TARGET={target}");
    println!("cargo:rerun-if-changed=build.rs");
    for folder in ["include", "src"] {
        println!("cargo:rerun-if-changed=runtime-c/{folder}");
    }
}
