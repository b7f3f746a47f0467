//! The runtime and the pages of `--explain` travel inside the binary: rebuild when their folders change, also by a new file.
//! `UPCC_TARGET` is the platform it is for, `UPCC_RUNTIME_HASH` a hash of the runtime's files.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{fs, io};

use siphasher::sip128::{Hasher128, SipHasher24};

/// The folders that become part of the binary as the runtime.
const RUNTIME: [&str; 4] = [
    "runtime-c/gdb",
    "runtime-c/include",
    "runtime-c/share",
    "runtime-c/src",
];

fn main() -> io::Result<()> {
    // Cargo sets it for every build script.
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=UPCC_TARGET={target}");
    println!("cargo:rerun-if-changed=build.rs");
    let mut hasher = SipHasher24::new();
    for folder in RUNTIME {
        println!("cargo:rerun-if-changed={folder}");
        hash(&mut hasher, Path::new(folder))?;
    }
    println!("cargo:rerun-if-changed=docs/diagnostics");
    let hash = hasher.finish128().as_u128();
    println!("cargo:rustc-env=UPCC_RUNTIME_HASH={hash:032x}");
    Ok(())
}

/// Hashes the names and contents of all files below a folder.
fn hash(hasher: &mut SipHasher24, folder: &Path) -> io::Result<()> {
    let mut paths = Vec::<PathBuf>::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash(hasher, &path)?;
            continue;
        }
        for bytes in [path.as_os_str().as_encoded_bytes(), &fs::read(&path)?] {
            // Lengths make the boundaries unambiguous.
            hasher.write_usize(bytes.len());
            hasher.write(bytes);
        }
    }
    Ok(())
}
