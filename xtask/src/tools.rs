//! Programs that tests need beyond Rust and a C compiler: found, or installed where that is allowed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// A thing a suite needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    Rustfmt,
    Clippy,
    Clang,
    Csmith,
    Objdump,
    Gdb,
    Make,
    Cmake,
    Autotools,
    Cxx,
}

struct Tool {
    need: Need,
    name: &'static str,
    /// Answers whether it is there.
    there: fn() -> bool,
    /// Debian packages that bring it; empty: it comes with Rust.
    packages: &'static [&'static str],
}

const TOOLS: &[Tool] = &[
    Tool {
        need: Need::Rustfmt,
        name: "rustfmt",
        there: || answers("cargo", &["fmt", "--version"]),
        packages: &[],
    },
    Tool {
        need: Need::Clippy,
        name: "clippy",
        there: || answers("cargo", &["clippy", "--version"]),
        packages: &[],
    },
    Tool {
        need: Need::Clang,
        name: "clang",
        there: || answers("clang", &["--version"]),
        packages: &["clang"],
    },
    Tool {
        need: Need::Csmith,
        name: "csmith and its headers",
        there: || answers("csmith", &["--version"]) && csmith_include().is_some(),
        packages: &["csmith", "libcsmith-dev"],
    },
    Tool {
        need: Need::Objdump,
        name: "objdump",
        there: || answers("objdump", &["--version"]),
        packages: &["binutils"],
    },
    Tool {
        need: Need::Gdb,
        name: "gdb with Python",
        there: || {
            answers(
                "gdb",
                &["-nx", "-batch", "-ex", "python import gdb.printing"],
            )
        },
        packages: &["gdb"],
    },
    Tool {
        need: Need::Make,
        name: "make",
        there: || answers("make", &["--version"]),
        packages: &["make"],
    },
    Tool {
        need: Need::Cmake,
        name: "cmake",
        there: || answers("cmake", &["--version"]),
        packages: &["cmake"],
    },
    Tool {
        need: Need::Autotools,
        name: "autoconf and automake",
        there: || answers("autoconf", &["--version"]) && answers("automake", &["--version"]),
        packages: &["autoconf", "automake"],
    },
    Tool {
        need: Need::Cxx,
        name: "g++",
        there: || answers("g++", &["--version"]),
        packages: &["g++"],
    },
];

/// Folders in which packages put `csmith.h`.
const CSMITH_INCLUDE: &[&str] = &[
    "/usr/include/csmith",
    "/usr/include/csmith-2.3.0",
    "/usr/local/include/csmith",
];

/// The folder of `csmith.h`.
pub fn csmith_include() -> Option<&'static str> {
    CSMITH_INCLUDE
        .iter()
        .copied()
        .find(|dir| Path::new(dir).join("csmith.h").exists())
}

/// Installs what `needs` lacks, as far as this user may.
pub fn install(needs: &[Need]) {
    let packages: Vec<&str> = TOOLS
        .iter()
        .filter(|t| needs.contains(&t.need) && !(t.there)())
        .flat_map(|t| t.packages)
        .copied()
        .collect();
    if packages.is_empty() || !answers("apt-get", &["--version"]) {
        return;
    }
    let Some(prefix) = root_prefix() else { return };
    println!("installing {}", packages.join(" "));
    let apt = |args: &[&str]| {
        let mut line: Vec<&str> = prefix.to_vec();
        line.extend([
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "-qq",
            "-y",
        ]);
        line.extend(args);
        Command::new(line[0])
            .args(&line[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    let install: Vec<&str> = ["install", "--no-install-recommends"]
        .iter()
        .chain(&packages)
        .copied()
        .collect();
    if !apt(&install) {
        apt(&["update"]);
        apt(&install);
    }
}

/// Why a suite with these needs cannot run; `None`: it can.
pub fn missing(needs: &[Need]) -> Option<String> {
    let names: Vec<&str> = TOOLS
        .iter()
        .filter(|t| needs.contains(&t.need) && !(t.there)())
        .map(|t| t.name)
        .collect();
    (!names.is_empty()).then(|| format!("needs {}", names.join(", ")))
}

/// The C compilers that suites try programs with: gcc, and clang where it is.
pub fn compilers() -> &'static [&'static str] {
    static CLANG: OnceLock<bool> = OnceLock::new();
    const ALL: &[&str] = &["gcc", "clang"];
    if *CLANG.get_or_init(|| missing(&[Need::Clang]).is_none()) {
        ALL
    } else {
        &ALL[..1]
    }
}

/// How this user becomes root: not at all, by sudo without a password, or `None`.
fn root_prefix() -> Option<&'static [&'static str]> {
    if rustix::process::geteuid().is_root() {
        Some(&[])
    } else if answers("sudo", &["-n", "true"]) {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

/// Whether a program can be run with these arguments, and succeeds.
pub fn answers(program: &str, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}
