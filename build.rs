//! The runtime travels inside the binary: rebuild when its folder changes, also by a new file.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for folder in ["include", "src"] {
        println!("cargo:rerun-if-changed=runtime-c/{folder}");
    }
}
