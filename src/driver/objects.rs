//! Reads objects, archives and programs: unit notes, and symbols of the runtime.

use crate::cli::Failure;
use crate::unit::{INLINE_SECTION, SECTION, Unit};
use object::elf::STV_HIDDEN;
use object::read::archive::ArchiveFile;
use object::{
    File, Object as _, ObjectSection as _, ObjectSymbol as _, ReadCache, ReadRef, RelocationTarget,
    SectionKind, SymbolFlags,
};
use std::path::{Path, PathBuf};

/// The section of static shared data.
const SHARED_DATA: &str = "upcr_shared";

/// The section of the records that the runtime checks at the start; the runtime has such a record itself.
const UNITS: &str = "upcr_units";

/// An object file, on its own or in an archive.
#[derive(Debug)]
pub struct Linked {
    /// The file.
    pub file: PathBuf,
    /// The object's name in the archive, if the file is an archive.
    pub member: Option<String>,
    /// The units in it; empty if `upcc` did not compile it.
    pub units: Vec<Unit>,
    /// Its first shared object or use of the runtime, which makes it unfit for a shared library.
    pub needs_runtime: Option<String>,
    /// Shared objects that it uses but does not define.
    pub shared_names: Vec<String>,
    /// Inline functions that it defines with internal linkage.
    pub inline_names: Vec<String>,
    /// It has instrumented units.
    pub is_instrumented: bool,
}

impl Linked {
    /// `lib.a(x.o)`, `x.o`.
    pub fn name(&self) -> String {
        match &self.member {
            Some(member) => format!("{}({member})", self.file.display()),
            None => self.file.display().to_string(),
        }
    }
}

/// Returns the objects in an object file or archive. Other files (linker scripts, shared libraries of other kinds)
/// contain no units, and the linker reports files that cannot be read.
pub fn read(path: &Path) -> Vec<Linked> {
    let Ok(bytes) = std::fs::read(path) else {
        return Vec::new();
    };
    if !bytes.starts_with(b"!<arch>") {
        return linked(path, None, &bytes).into_iter().collect();
    }
    let Ok(archive) = ArchiveFile::parse(&*bytes) else {
        return Vec::new();
    };
    let members = archive.members().filter_map(|member| {
        let member = member.ok()?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        linked(path, Some(name), member.data(&*bytes).ok()?)
    });
    members.collect()
}

/// Returns the units of a linked program.
///
/// # Errors
/// An environment failure if the file cannot be read, or is not a program.
pub fn units_of_program(path: &Path) -> Result<Vec<Unit>, Failure> {
    let parts = parts(path)?;
    let file = program(path, &parts)?;
    Ok(units(&file))
}

/// Returns whether a program was linked with the runtime; `None`: the file cannot be read, or is not a binary.
pub fn has_runtime(path: &Path) -> Option<bool> {
    let parts = parts(path).ok()?;
    let file = File::parse(&parts).ok()?;
    Some(file.section_by_name(UNITS).is_some())
}

/// Returns whether a program prints the processors of its threads without running, if `UPC_SHOW_PLACEMENT=only`: its
/// transport says so by a section.
pub fn shows_placement(path: &Path) -> bool {
    let Ok(parts) = parts(path) else {
        return false;
    };
    File::parse(&parts).is_ok_and(|file| file.section_by_name(".upcr.placement").is_some())
}

/// Returns names that include those of the shared libraries a program is linked with; empty if it cannot be read.
pub fn needed_libraries(path: &Path) -> Vec<String> {
    let Ok(parts) = parts(path) else {
        return Vec::new();
    };
    let Ok(file) = program(path, &parts) else {
        return Vec::new();
    };
    let names = file
        .section_by_name(".dynstr")
        .and_then(|section| section.data().ok())
        .unwrap_or_default();
    names
        .split(|&byte| byte == 0)
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .filter(|name| name.contains(".so"))
        .collect()
}

/// Static shared data of a program.
pub struct SharedData {
    /// Bytes in each thread, including gaps.
    pub bytes: u64,
    /// The objects, in the order of their addresses; empty for a program without symbols.
    pub objects: Vec<SharedObject>,
}

/// A static shared object.
pub struct SharedObject {
    /// Its name; for a static local object, its name in the translated text.
    pub name: String,
    /// Bytes in each thread.
    pub bytes: u64,
}

/// Returns the static shared data of a linked program.
///
/// # Errors
/// An environment failure if the file cannot be read, or is not a program.
pub fn shared_data_of_program(path: &Path) -> Result<SharedData, Failure> {
    let bytes = contents(path)?;
    let file = program(path, &*bytes)?;
    let Some(section) = file.section_by_name(SHARED_DATA) else {
        return Ok(SharedData {
            bytes: 0,
            objects: Vec::new(),
        });
    };
    let ours = |symbol: &object::Symbol<'_, '_>| {
        symbol.section_index() == Some(section.index())
            && symbol.size() > 0
            // Excludes the runtime's own symbols and the aliases for debuggers.
            && symbol.name().is_ok_and(|name| !name.starts_with("upcr_") && !name.starts_with("upcc_at_"))
    };
    let mut found: Vec<_> = file
        .symbols()
        .filter(ours)
        .map(|symbol| (symbol.address(), symbol.size(), symbol.name()))
        .collect();
    found.sort_by_key(|(address, ..)| *address);
    let objects = found.into_iter().filter_map(|(_, size, name)| {
        Some(SharedObject {
            name: name.ok()?.to_owned(),
            bytes: size,
        })
    });
    Ok(SharedData {
        bytes: section.size(),
        objects: objects.collect(),
    })
}

fn contents(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::io("read", path, &error))
}

/// Opens the file so that only the parts in use are read: with its debug information a program may be large.
fn parts(path: &Path) -> Result<ReadCache<std::fs::File>, Failure> {
    let opened = std::fs::File::open(path).map_err(|error| Failure::io("read", path, &error))?;
    Ok(ReadCache::new(opened))
}

fn program<'b, R: ReadRef<'b>>(path: &Path, bytes: R) -> Result<File<'b, R>, Failure> {
    File::parse(bytes).map_err(|_| {
        Failure::environment(format!(
            "{} is not a program for this machine",
            path.display()
        ))
    })
}

fn linked(path: &Path, member: Option<String>, bytes: &[u8]) -> Option<Linked> {
    let file = File::parse(bytes).ok()?;
    Some(Linked {
        file: path.to_path_buf(),
        member,
        units: units(&file),
        needs_runtime: needs_runtime(&file),
        shared_names: undefined_shared(&file),
        inline_names: inline_names(&file),
        is_instrumented: file.section_by_name(INSTRUMENTED_SECTION).is_some(),
    })
}

/// The section of instrumented units (`upcr/inst.h`).
const INSTRUMENTED_SECTION: &str = "upcr_inst_units";

/// Returns the undefined names that only this program can define: shared objects, which are declared hidden, and the
/// runtime's own.
fn undefined_shared(file: &File<'_>) -> Vec<String> {
    let hidden = file.symbols().filter(|symbol| {
        let hidden = matches!(symbol.flags(), SymbolFlags::Elf { st_other, .. } if st_other & 3 == STV_HIDDEN);
        symbol.is_undefined() && hidden
    });
    hidden
        .filter_map(|symbol| symbol.name().ok().map(str::to_owned))
        .collect()
}

fn inline_names(file: &File<'_>) -> Vec<String> {
    let section = file.section_by_name(INLINE_SECTION);
    let data = section.and_then(|section| section.data().ok());
    let text = String::from_utf8_lossy(data.unwrap_or_default());
    text.lines().map(str::to_owned).collect()
}

fn units<'b, R: ReadRef<'b>>(file: &File<'b, R>) -> Vec<Unit> {
    let section = file.section_by_name(SECTION);
    let data = section.and_then(|section| section.data().ok());
    data.map(Unit::parse_all).unwrap_or_default()
}

/// Returns the first symbol in the section of shared data, or the first undefined symbol of the runtime's.
fn needs_runtime(file: &File<'_>) -> Option<String> {
    let of_runtime = |name: &str| {
        ["upcr_", "upc_", "bupc_"]
            .iter()
            .any(|p| name.starts_with(p))
    };
    let shared = file
        .section_by_name(SHARED_DATA)
        .map(|section| section.index());
    let shared_object = file.symbols().find(|symbol| {
        shared.is_some()
            && symbol.section_index() == shared
            && symbol.name().is_ok_and(|n| !n.is_empty())
    });
    let used = || {
        file.symbols()
            .find(|symbol| symbol.is_undefined() && symbol.name().is_ok_and(of_runtime))
    };
    let name = |symbol: object::Symbol<'_, '_>| symbol.name().ok().map(str::to_owned);
    match shared_object {
        Some(symbol) => name(symbol).map(|name| format!("the shared object `{name}`")),
        None => used()
            .and_then(name)
            .map(|name| match name.strip_prefix("upcr_") {
                Some("mythread") => "MYTHREAD".to_owned(),
                Some("threads") => "THREADS".to_owned(),
                Some(_) => "shared data".to_owned(),
                None => format!("`{name}`"),
            }),
    }
}

/// Returns the first place in an object's code that refers to a symbol: the section's name and the offset in it.
pub fn first_use(path: &Path, symbol: &str) -> Option<(String, u64)> {
    let bytes = std::fs::read(path).ok()?;
    let file = File::parse(&*bytes).ok()?;
    let wanted = file
        .symbols()
        .find(|found| found.name() == Ok(symbol))?
        .index();
    let code = file
        .sections()
        .filter(|section| section.kind() == SectionKind::Text);
    code.filter_map(|section| {
        let is_wanted = |target| target == RelocationTarget::Symbol(wanted);
        let (offset, _) = section
            .relocations()
            .find(|(_, relocation)| is_wanted(relocation.target()))?;
        Some((section.name().ok()?.to_owned(), offset))
    })
    .next()
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
