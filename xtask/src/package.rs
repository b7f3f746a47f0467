//! `cargo xtask package`: a Debian package of the release build, equal byte for byte if it is made again.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::context::{Build, Context, read, write};
use crate::process;

/// The programs of the package.
const PROGRAMS: &[&str] = &["upcc", "upcrun", "upcprof"];

/// Files of the project that are installed as they are: a folder or file, and the folder it goes to.
const COPIED: &[(&str, &str)] = &[
    ("runtime-c/include", "usr/include/upcc"),
    ("runtime-c/share/cmake", "usr/share/cmake/UPC"),
    ("runtime-c/share/aclocal", "usr/share/aclocal"),
    ("README.md", "usr/share/doc/upcc"),
    ("docs", "usr/share/doc/upcc/docs"),
    ("samples", "usr/share/doc/upcc/samples"),
];

/// The time limit of one step.
const STEP: Duration = Duration::from_secs(1800);

/// How `dpkg-deb` compresses.
#[derive(Clone, Copy)]
pub enum Compression {
    /// For users.
    Xz,
    /// For tests: fast.
    None,
}

/// Builds the programs as users install them, and packs them. Prints where the package is, and its size.
///
/// # Errors
/// A program does not build, or a tool is missing.
pub fn command() -> Result<bool, String> {
    let context = Context::new(false, Build::Release)?;
    let folder = crate::context::target().join("package");
    let bin = build(&context, &folder)?;
    let epoch = source_date(&context)?;
    let package = pack(&context.root, &bin, &folder, &epoch, Compression::Xz)?;
    for file in PROGRAMS.iter().map(|name| bin.join(name)).chain([package]) {
        println!("{:>6.1} MB  {}", megabytes(&file)?, file.display());
    }
    Ok(true)
}

fn megabytes(file: &Path) -> Result<f64, String> {
    let metadata = fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(metadata.len() as f64 / 1e6)
}

/// Builds the release programs without the names of this machine's folders in them. Returns their folder.
///
/// # Errors
/// They do not build.
pub fn build(context: &Context, folder: &Path) -> Result<PathBuf, String> {
    let home = std::env::var("CARGO_HOME").ok();
    let home = home.or_else(|| Some(format!("{}/.cargo", std::env::var("HOME").ok()?)));
    let remap = |from: &str, to: &str| format!("\"--remap-path-prefix={from}={to}\"");
    let target = folder.join("build");
    let mut flags = vec![remap(&context.root.to_string_lossy(), "/upcc")];
    flags.extend(home.map(|home| remap(&home, "/cargo")));
    // The generated parser lies there. The last prefix that matches counts.
    flags.push(remap(&target.to_string_lossy(), "/upcc/target"));
    let config = format!("build.rustflags=[{}]", flags.join(","));
    let mut cargo = context.cargo(&["build", "--release", "--locked", "--bins"]);
    cargo
        .args(["--package", "upcc", "--config", &config, "--target-dir"])
        .arg(&target)
        .env_remove("RUSTFLAGS");
    process::must(&mut cargo, STEP)?;
    Ok(target.join("release"))
}

/// Returns the time that all files of the package bear: `SOURCE_DATE_EPOCH`, else that of the last commit.
///
/// # Errors
/// Neither is known.
pub fn source_date(context: &Context) -> Result<String, String> {
    if let Ok(epoch) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(epoch);
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"])
        .current_dir(&context.root);
    let output = process::must(&mut git, STEP).map_err(|why| {
        format!("the date of the package is unknown: set SOURCE_DATE_EPOCH ({why})")
    })?;
    Ok(output.out().trim().to_owned())
}

/// Packs the programs in `bin` and the files of the project in `root`. Returns the package, which is in `folder`.
///
/// # Errors
/// A file cannot be read or written, or a tool is missing.
pub fn pack(
    root: &Path,
    bin: &Path,
    folder: &Path,
    epoch: &str,
    compression: Compression,
) -> Result<PathBuf, String> {
    let version = env!("CARGO_PKG_VERSION");
    let stage = folder.join("stage");
    if stage.exists() {
        fs::remove_dir_all(&stage).map_err(|e| format!("{}: {e}", stage.display()))?;
    }
    for name in PROGRAMS {
        copy(&bin.join(name), &stage.join("usr/bin").join(name))?;
    }
    for (from, to) in COPIED {
        let (from, mut to) = (root.join(from), stage.join(to));
        if from.is_file() {
            to = to.join(from.file_name().unwrap_or_default());
        }
        copy(&from, &to)?;
    }
    // Version control means nothing to users; there is nothing to remove if the samples do without it.
    let _ = fs::remove_file(stage.join("usr/share/doc/upcc/samples/.gitignore"));
    let template = read(&root.join("runtime-c/share/pkgconfig/upcc.pc.in"))?;
    let text = template
        .replace("@bindir@", "/usr/bin")
        .replace("@includedir@", "/usr/include/upcc")
        .replace("@version@", version);
    put(&stage.join("usr/share/pkgconfig/upcc.pc"), &text)?;
    manuals(bin, &stage)?;
    completions(bin, &stage)?;
    documents(root, &stage, version, epoch)?;
    control(bin, &stage, version)?;
    permissions(&stage)?;
    let package = folder.join(format!("upcc_{version}_{}.deb", architecture()?));
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.env("SOURCE_DATE_EPOCH", epoch)
        .arg("--root-owner-group")
        .arg(match compression {
            Compression::Xz => "-Zxz",
            Compression::None => "-Znone",
        })
        .arg("--build")
        .args([&stage, &package]);
    process::must(&mut dpkg, STEP)?;
    Ok(package)
}

/// Writes the manual pages that the programs print.
fn manuals(bin: &Path, stage: &Path) -> Result<(), String> {
    for name in PROGRAMS {
        let text = ask(bin, &format!("--print-man={name}"))?;
        let file = stage.join(format!("usr/share/man/man1/{name}.1"));
        put(&file, &text)?;
        gzip(&file)?;
    }
    Ok(())
}

/// Writes the completions that `upcc` prints, for each command under its own name, because shells load them by name.
fn completions(bin: &Path, stage: &Path) -> Result<(), String> {
    let bash = stage.join("usr/share/bash-completion/completions");
    put(&bash.join("upcc"), &ask(bin, "--print-completions=bash")?)?;
    let fish = stage.join("usr/share/fish/vendor_completions.d");
    put(
        &fish.join("upcc.fish"),
        &ask(bin, "--print-completions=fish")?,
    )?;
    for name in &PROGRAMS[1..] {
        link("upcc", &bash.join(name))?;
        link("upcc.fish", &fish.join(format!("{name}.fish")))?;
    }
    let zsh = ask(bin, "--print-completions=zsh")?;
    for part in zsh
        .split("#compdef ")
        .filter(|part| !part.trim().is_empty())
    {
        let name = part.split_whitespace().next().unwrap_or_default();
        let file = stage.join(format!("usr/share/zsh/vendor-completions/_{name}"));
        put(&file, &format!("#compdef {part}"))?;
    }
    Ok(())
}

/// Writes what Debian's policy asks for: licences and change logs.
fn documents(root: &Path, stage: &Path, version: &str, epoch: &str) -> Result<(), String> {
    let doc = stage.join("usr/share/doc/upcc");
    let mit = read(&root.join("LICENSE-MIT"))?;
    let copyright = format!(
        "upcc may be used under the terms of either of two licences, at your choice.\n\n\
         The Apache License, version 2.0: /usr/share/common-licenses/Apache-2.0.\n\nThe MIT licence:\n\n{mit}"
    );
    put(&doc.join("copyright"), &copyright)?;
    let changes = doc.join("changelog");
    put(&changes, &read(&root.join("CHANGELOG.md"))?)?;
    gzip(&changes)?;
    let mut date = Command::new("date");
    date.args(["-u", "-R", "-d", &format!("@{epoch}")])
        .env("LC_ALL", "C");
    let date = process::must(&mut date, STEP)?.out();
    let debian = doc.join("changelog.Debian");
    let entry = format!(
        "upcc ({version}-1) unstable; urgency=medium\n\n  * Package of upcc {version}, see changelog.gz.\n\n -- {MAINTAINER}  {date}"
    );
    put(&debian, &entry)?;
    gzip(&debian)
}

const MAINTAINER: &str = "The upcc developers <upcc@localhost.localdomain>";

fn control(bin: &Path, stage: &Path, version: &str) -> Result<(), String> {
    let mut du = Command::new("du");
    let size = process::must(
        du.args(["-sk", "--apparent-size"]).arg(stage.join("usr")),
        STEP,
    )?
    .out();
    let size = size
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned();
    let text = format!(
        "Package: upcc\nVersion: {version}-1\nArchitecture: {}\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\n\
         Depends: gcc | clang | c-compiler, libc6-dev, libc6 (>= {}), libgcc-s1\nRecommends: gdb\n\
         Suggests: libopenmpi-dev, openmpi-bin, cmake, ccache\nSection: devel\nPriority: optional\n\
         Description: compiler for Unified Parallel C 1.3\n \
         upcc translates UPC to C, compiles the C with the C compiler of the system,\n \
         and links it with its own runtime. UPC threads are processes that share\n \
         memory, or exchange messages over MPI.\n",
        architecture()?,
        glibc(bin)?
    );
    put(&stage.join("DEBIAN/control"), &text)?;
    let mut sums = Command::new("sh");
    sums.args([
        "-c",
        "find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums",
    ])
    .current_dir(stage);
    process::must(&mut sums, STEP).map(|_| ())
}

/// Returns the newest version of glibc that one of the programs names.
fn glibc(bin: &Path) -> Result<String, String> {
    const PREFIX: &[u8] = b"GLIBC_2.";
    let mut newest = 0;
    for name in PROGRAMS {
        let file = bin.join(name);
        let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let after = bytes
            .windows(PREFIX.len() + 3)
            .filter_map(|w| w.strip_prefix(PREFIX));
        let numbers = after.filter_map(|digits| {
            let digits = digits.split(|byte| !byte.is_ascii_digit()).next()?;
            str::from_utf8(digits).ok()?.parse::<u32>().ok()
        });
        newest = newest.max(numbers.max().unwrap_or(0));
    }
    Ok(format!("2.{newest}"))
}

/// Returns the name of this machine's architecture in Debian.
fn architecture() -> Result<String, String> {
    let mut dpkg = Command::new("dpkg");
    let output = process::must(dpkg.arg("--print-architecture"), STEP)?;
    Ok(output.out().trim().to_owned())
}

fn ask(bin: &Path, question: &str) -> Result<String, String> {
    let mut upcc = Command::new(bin.join("upcc"));
    let output = process::must(upcc.arg(question).env("UPCC_NORC", "1"), STEP)?;
    Ok(output.out())
}

/// Writes a file and the folders above it.
fn put(file: &Path, text: &str) -> Result<(), String> {
    parent(file)?;
    write(file, text)
}

fn parent(file: &Path) -> Result<(), String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn link(to: &str, file: &Path) -> Result<(), String> {
    symlink(to, file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Copies a file or folder.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    parent(to)?;
    let mut cp = Command::new("cp");
    process::must(cp.arg("-rT").args([from, to]), STEP).map(|_| ())
}

fn gzip(file: &Path) -> Result<(), String> {
    let mut gzip = Command::new("gzip");
    process::must(gzip.arg("-9nf").arg(file), STEP).map(|_| ())
}

/// Sets the permissions that every file of the package has, whatever those of the project are.
fn permissions(folder: &Path) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("{}: {e}", folder.display());
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set(folder, 0o755).map_err(fail)?;
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        if kind.is_dir() {
            permissions(&entry.path())?;
        } else if kind.is_file() {
            let program = folder.ends_with("usr/bin");
            set(&entry.path(), if program { 0o755 } else { 0o644 }).map_err(fail)?;
        }
    }
    Ok(())
}
