//! Programs that tests need besides Rust and a C compiler: found, or installed if permitted.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::context;

/// A tool that a suite needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    Rustfmt,
    Clippy,
    Clang,
    Csmith,
    Objdump,
    Gdb,
    Valgrind,
    Perf,
    ClangFormat,
    Meson,
    Make,
    Cmake,
    Ninja,
    PkgConfig,
    Ccache,
    Dpkg,
    Autotools,
    Cxx,
    OpenMpi,
    Mpich,
    /// UCX, and PMIx, by which its processes find one another.
    Ucx,
    /// Python with Perfetto's messages and a validator of JSON schemas: [`python`].
    Perfetto,
    /// The schema of speedscope's files: [`speedscope_schema`].
    Speedscope,
    Gnuplot,
    /// The library of OTF2, and the program that prints its archives.
    Otf2,
    Vim,
    Emacs,
    /// The checker of TextMate grammars: [`grammar_checker`].
    TextMate,
    /// A browser without windows: [`chromium`].
    Chromium,
    Clangd,
    Musl,
    Aarch64,
    Riscv64,
    /// Versions of gcc and clang besides the usual ones.
    OtherCompilers,
}

struct Tool {
    need: Need,
    name: &'static str,
    /// Returns whether it is installed.
    there: fn() -> bool,
    /// The Debian packages that contain it; empty: it comes with Rust.
    packages: &'static [&'static str],
    /// Packages from other sources that are installed into the build folder by means of the Debian packages.
    private: Option<Private>,
}

/// Packages with a version, installed for these tests alone.
#[derive(Clone, Copy)]
enum Private {
    /// From PyPI, in an environment of their own.
    Python(&'static [&'static str]),
    /// From npm.
    Node(&'static [&'static str]),
}

const TOOLS: &[Tool] = &[
    Tool {
        need: Need::Rustfmt,
        name: "rustfmt",
        there: || answers("cargo", &["fmt", "--version"]),
        packages: &[],
        private: None,
    },
    Tool {
        need: Need::Clippy,
        name: "clippy",
        there: || answers("cargo", &["clippy", "--version"]),
        packages: &[],
        private: None,
    },
    Tool {
        need: Need::Clang,
        name: "clang",
        there: || answers("clang", &["--version"]),
        packages: &["clang"],
        private: None,
    },
    Tool {
        need: Need::Csmith,
        name: "csmith and its headers",
        there: || answers("csmith", &["--version"]) && csmith_include().is_some(),
        packages: &["csmith", "libcsmith-dev"],
        private: None,
    },
    Tool {
        need: Need::Objdump,
        name: "objdump",
        there: || answers("objdump", &["--version"]),
        packages: &["binutils"],
        private: None,
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
        private: None,
    },
    Tool {
        need: Need::Valgrind,
        name: "valgrind",
        there: || is_command("valgrind"),
        packages: &["valgrind"],
        private: None,
    },
    Tool {
        need: Need::Perf,
        name: "perf",
        there: || is_command("perf"),
        packages: &["linux-perf"],
        private: None,
    },
    Tool {
        need: Need::ClangFormat,
        name: "clang-format",
        there: || is_command("clang-format"),
        packages: &["clang-format"],
        private: None,
    },
    Tool {
        need: Need::Meson,
        name: "meson",
        there: || is_command("meson"),
        packages: &["meson"],
        private: None,
    },
    Tool {
        need: Need::Make,
        name: "make",
        there: || answers("make", &["--version"]),
        packages: &["make"],
        private: None,
    },
    Tool {
        need: Need::Cmake,
        name: "cmake",
        there: || answers("cmake", &["--version"]),
        packages: &["cmake"],
        private: None,
    },
    Tool {
        need: Need::Ninja,
        name: "ninja",
        there: || answers("ninja", &["--version"]),
        packages: &["ninja-build"],
        private: None,
    },
    Tool {
        need: Need::PkgConfig,
        name: "pkg-config",
        there: || answers("pkg-config", &["--version"]),
        packages: &["pkg-config"],
        private: None,
    },
    Tool {
        need: Need::Ccache,
        name: "ccache",
        there: || answers("ccache", &["--version"]),
        packages: &["ccache"],
        private: None,
    },
    Tool {
        need: Need::Dpkg,
        name: "dpkg-deb",
        there: || answers("dpkg-deb", &["--version"]),
        packages: &["dpkg"],
        private: None,
    },
    Tool {
        need: Need::Autotools,
        name: "autoconf and automake",
        there: || answers("autoconf", &["--version"]) && answers("automake", &["--version"]),
        packages: &["autoconf", "automake"],
        private: None,
    },
    Tool {
        need: Need::Cxx,
        name: "g++",
        there: || answers("g++", &["--version"]),
        packages: &["g++"],
        private: None,
    },
    Tool {
        need: Need::OpenMpi,
        name: "Open MPI",
        there: || answers("mpicc", &["-show"]) && answers("mpirun", &["--version"]),
        packages: &["openmpi-bin", "libopenmpi-dev"],
        private: None,
    },
    Tool {
        need: Need::Mpich,
        name: "MPICH",
        there: || answers("mpicc.mpich", &["-show"]) && answers("mpirun.mpich", &["--version"]),
        packages: &["mpich", "libmpich-dev"],
        private: None,
    },
    Tool {
        need: Need::Ucx,
        name: "UCX with PMIx",
        there: || answers("pkg-config", &["--exists", "ucx", "pmix"]),
        packages: &["pkg-config", "libucx-dev", "libpmix-dev"],
        private: None,
    },
    Tool {
        need: Need::Perfetto,
        name: "Python packages perfetto and jsonschema",
        there: || {
            let wanted = "import perfetto.protos.perfetto.trace.perfetto_trace_pb2, jsonschema";
            answers_at(&python(), &["-c", wanted])
        },
        packages: &["python3", "python3-venv"],
        private: Some(Private::Python(&["perfetto==0.59.1", "jsonschema==4.26.0"])),
    },
    Tool {
        need: Need::Speedscope,
        name: "npm package speedscope",
        there: || speedscope_schema().exists(),
        packages: &["npm"],
        private: Some(Private::Node(&["speedscope@1.25.0"])),
    },
    Tool {
        need: Need::Gnuplot,
        name: "gnuplot",
        there: || answers("gnuplot", &["--version"]),
        packages: &["gnuplot-nox"],
        private: None,
    },
    Tool {
        need: Need::Otf2,
        name: "OTF2",
        there: || answers("otf2-config", &["--version"]) && answers("otf2-print", &["--version"]),
        packages: &["libotf2-trace-dev", "otf2-tools"],
        private: None,
    },
    Tool {
        need: Need::Vim,
        name: "vim with its runtime files",
        there: || {
            let c = "if empty(globpath(&rtp, 'syntax/c.vim')) | cquit | else | qall! | endif";
            answers("vim", &["-N", "-u", "NONE", "-es", "-c", c])
        },
        packages: &["vim"],
        private: None,
    },
    Tool {
        need: Need::Emacs,
        name: "emacs",
        there: || answers("emacs", &["--version"]),
        packages: &["emacs-nox"],
        private: None,
    },
    Tool {
        need: Need::TextMate,
        name: "npm package vscode-tmgrammar-test",
        there: || grammar_checker().exists(),
        packages: &["npm"],
        private: Some(Private::Node(&["vscode-tmgrammar-test@0.1.3"])),
    },
    Tool {
        need: Need::Chromium,
        name: "Chromium",
        there: || chromium().is_some(),
        packages: &["chromium-headless-shell"],
        private: None,
    },
    Tool {
        need: Need::Clangd,
        name: "clangd",
        there: || is_command("clangd"),
        packages: &["clangd"],
        private: None,
    },
    Tool {
        need: Need::Musl,
        name: "musl-gcc",
        there: || is_command("musl-gcc"),
        packages: &["musl-tools"],
        private: None,
    },
    Tool {
        need: Need::Aarch64,
        name: "gcc and qemu for AArch64",
        there: || is_command("aarch64-linux-gnu-gcc") && is_command("qemu-aarch64"),
        packages: &[
            "gcc-aarch64-linux-gnu",
            "libc6-dev-arm64-cross",
            "qemu-user",
        ],
        private: None,
    },
    Tool {
        need: Need::Riscv64,
        name: "gcc and qemu for RISC-V",
        there: || is_command("riscv64-linux-gnu-gcc") && is_command("qemu-riscv64"),
        packages: &[
            "gcc-riscv64-linux-gnu",
            "libc6-dev-riscv64-cross",
            "qemu-user",
        ],
        private: None,
    },
    Tool {
        need: Need::OtherCompilers,
        name: "three versions of gcc or clang",
        there: || {
            OTHER_COMPILERS
                .iter()
                .filter(|name| is_command(name))
                .count()
                > 2
        },
        packages: OTHER_COMPILERS,
        private: None,
    },
];

/// The versions that Debian has had since gcc 10 and clang 13, each named by its package and its command.
pub const OTHER_COMPILERS: &[&str] = &[
    "gcc-10", "gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "clang-13", "clang-14", "clang-15",
    "clang-16", "clang-17", "clang-18", "clang-19", "clang-20", "clang-21",
];

/// The names of the program on different systems.
const CHROMIUM: &[&str] = &["chromium-headless-shell", "chromium", "google-chrome"];

/// Returns the program that shows pages without a window.
pub fn chromium() -> Option<&'static str> {
    let found = |name: &&&str| answers(name, &["--version"]);
    CHROMIUM.iter().find(found).copied()
}

/// Returns the Python that has the packages that tests need.
pub fn python() -> PathBuf {
    private_folder("python").join("bin/python3")
}

/// Returns the JSON schema of speedscope's files, by its authors.
pub fn speedscope_schema() -> PathBuf {
    private_folder("node").join("node_modules/speedscope/dist/release/file-format-schema.json")
}

/// Returns the program that checks a TextMate grammar against a text with assertions.
pub fn grammar_checker() -> PathBuf {
    private_folder("node").join("node_modules/.bin/vscode-tmgrammar-test")
}

fn private_folder(name: &str) -> PathBuf {
    context::target().join("xtask-tools").join(name)
}

/// The folders in which packages install `csmith.h`.
const CSMITH_INCLUDE: &[&str] = &[
    "/usr/include/csmith",
    "/usr/include/csmith-2.3.0",
    "/usr/local/include/csmith",
];

/// Returns the folder of `csmith.h`.
pub fn csmith_include() -> Option<&'static str> {
    CSMITH_INCLUDE
        .iter()
        .copied()
        .find(|dir| Path::new(dir).join("csmith.h").exists())
}

/// Installs the tools that `needs` lacks, as far as this user is permitted to.
pub fn install(needs: &[Need]) {
    let lacking = |tool: &&Tool| needs.contains(&tool.need) && !(tool.there)();
    let lacking: Vec<&Tool> = TOOLS.iter().filter(lacking).collect();
    let packages: Vec<&str> = lacking
        .iter()
        .filter(|tool| !tool.private.is_some_and(|private| private.has_installer()))
        .flat_map(|tool| tool.packages)
        .copied()
        .filter(|package| is_package(package))
        .collect();
    if !packages.is_empty() {
        install_packages(&packages);
    }
    let private = lacking.iter().filter_map(|tool| tool.private);
    for private in private.filter(|private| private.has_installer()) {
        private.install();
    }
}

impl Private {
    /// Returns whether the program that installs it is available.
    fn has_installer(self) -> bool {
        match self {
            Private::Python(_) => answers("python3", &["-c", "import venv, ensurepip"]),
            Private::Node(_) => answers("npm", &["--version"]),
        }
    }

    /// Installs it; if that fails, `missing` reports it later.
    fn install(self) {
        match self {
            Private::Python(packages) => {
                let folder = private_folder("python");
                println!("installing {} in {}", packages.join(" "), folder.display());
                let pip = ["-m", "pip", "install", "--quiet"];
                if answers("python3", &["-m", "venv", &folder.to_string_lossy()]) {
                    answers_at(&python(), &[&pip, packages].concat());
                }
            }
            Private::Node(packages) => {
                let folder = private_folder("node");
                println!("installing {} in {}", packages.join(" "), folder.display());
                let prefix = folder.to_string_lossy();
                let npm = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
                answers(
                    "npm",
                    &[&npm, ["--prefix", &prefix].as_slice(), packages].concat(),
                );
            }
        }
    }
}

/// Installs Debian packages, if this system uses them and this user is permitted to.
fn install_packages(packages: &[&str]) {
    if !answers("apt-get", &["--version"]) {
        return;
    }
    let Some(prefix) = root_prefix() else {
        println!(
            "suites that need more than Rust and a C compiler do not run: this user may not install packages. As root: apt-get install {}",
            packages.join(" ")
        );
        return;
    };
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
        .chain(packages)
        .copied()
        .collect();
    if !apt(&install) {
        apt(&["update"]);
        apt(&install);
    }
}

/// Returns whether this system has a package. If its lists of packages are empty they are fetched first, if this user is
/// permitted to; otherwise each name may be that of a package.
fn is_package(name: &str) -> bool {
    let has = |name| answers("apt-cache", &["show", name]);
    static HAS_LISTS: OnceLock<bool> = OnceLock::new();
    let has_lists = *HAS_LISTS.get_or_init(|| {
        if let (false, Some(prefix)) = (has("make"), root_prefix()) {
            let line = [prefix, &["apt-get", "-qq", "update"]].concat();
            answers(line[0], &line[1..]);
        }
        has("make")
    });
    !has_lists || has(name)
}

/// Returns the reason why a suite with these needs cannot run; `None`: it can.
pub fn missing(needs: &[Need]) -> Option<String> {
    let names: Vec<&str> = TOOLS
        .iter()
        .filter(|t| needs.contains(&t.need) && !(t.there)())
        .map(|t| t.name)
        .collect();
    (!names.is_empty()).then(|| format!("needs {}", names.join(", ")))
}

/// Returns the C compilers that suites test programs with: gcc, and clang if it is installed.
pub fn compilers() -> &'static [&'static str] {
    static CLANG: OnceLock<bool> = OnceLock::new();
    const ALL: &[&str] = &["gcc", "clang"];
    if *CLANG.get_or_init(|| missing(&[Need::Clang]).is_none()) {
        ALL
    } else {
        &ALL[..1]
    }
}

/// Returns the compilers of case `number` of a list: all in a long run, otherwise one, in turn.
pub fn compilers_of(number: usize, long: bool) -> impl Iterator<Item = &'static str> {
    let turn = number % compilers().len();
    let all = compilers().iter().copied().enumerate();
    all.filter_map(move |(at, cc)| (long || at == turn).then_some(cc))
}

/// Returns the command prefix by which this user becomes root: empty, sudo without a password, or `None`.
fn root_prefix() -> Option<&'static [&'static str]> {
    if rustix::process::geteuid().is_root() {
        Some(&[])
    } else if answers("sudo", &["-n", "true"]) {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

/// Returns whether the first word of a command answers `--version`.
pub fn is_command(command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or_default();
    answers(program, &["--version"])
}

/// Returns whether a program can be run with these arguments, and succeeds.
pub fn answers(program: &str, args: &[&str]) -> bool {
    answers_at(Path::new(program), args)
}

fn answers_at(program: &Path, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}
