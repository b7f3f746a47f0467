//! What the runtime library exports: the functions that the headers of users declare, and nothing else. Shared libraries
//! and tools in shared libraries reach these functions through the program.

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, stderr, stdout};
use object::read::archive::ArchiveFile;
use object::{File, Object as _, ObjectSymbol as _, SymbolFlags, elf};
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const MAIN: &str = "#include <upc.h>\nint main(void) { return 0; }\n";

/// Functions of MPI that the runtime defines in place of the MPI library.
const OF_MPI: &[&str] = &["MPI_Finalize", "MPI_Init", "MPI_Init_thread"];

/// A function that AddressSanitizer calls.
const OF_ASAN: &[&str] = &["__asan_on_error"];

/// Functions that a header declares and a tool of PUPC 1.1 defines.
const OF_TOOLS: &[&str] = &["pupc_control", "pupc_create_event"];

/// Returns whether a program can be started.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Returns the names of the functions that the headers of users declare.
fn declared() -> BTreeSet<String> {
    let headers = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime-c/include");
    let mut source = String::new();
    for entry in fs::read_dir(headers)
        .expect("the headers' folder")
        .flatten()
    {
        let name = entry.file_name().into_string().expect("a name");
        if name.ends_with(".h") {
            source += &format!("#include <{name}>\n");
        }
    }
    let folder = Folder::with(&[("all.upc", &source)]);
    let function = r"\bextern\b[^;{}()]*?\b((?:upc|bupc|gasp|pupc|upcr)_\w+)\s*\(";
    let function = Regex::new(function).expect("an expression");
    let mut names = BTreeSet::new();
    for flags in ["", "-DPUPC_TOOL"] {
        let text = folder.upcc(&format!("-E -P {flags} all.upc"));
        let found = function.captures_iter(&text);
        names.extend(found.map(|found| found[1].to_owned()));
    }
    names
}

/// Returns the names of the symbols that the runtime library for a transport exports.
fn exported(network: &str) -> BTreeSet<String> {
    let folder = Folder::with(&[("main.upc", MAIN)]);
    let line = format!("-v -network={network} main.upc");
    let output = folder.run(folder::UPCC, &line);
    let text = stderr(&output);
    assert!(output.status.success(), "upcc {line}: {text}");
    let mut words = text.split_whitespace();
    let library = words
        .find(|word| word.ends_with("libupcr.a"))
        .expect("the link names the library");
    let bytes = fs::read(library).expect("the library");
    let archive = ArchiveFile::parse(&*bytes).expect("an archive");
    let mut names = BTreeSet::new();
    for member in archive.members() {
        let data = member.and_then(|member| member.data(&*bytes));
        let file = File::parse(data.expect("a member")).expect("an object");
        for symbol in file.symbols() {
            let is_default = matches!(symbol.flags(), SymbolFlags::Elf { st_other, .. } if st_other & 3 == elf::STV_DEFAULT);
            if is_default && symbol.is_global() && symbol.is_definition() {
                names.insert(symbol.name().expect("a name").to_owned());
            }
        }
    }
    names
}

fn names(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

/// Asserts that two sets are equal, and prints only what differs.
fn assert_same(exported: &BTreeSet<String>, declared: &BTreeSet<String>) {
    let only_exported: Vec<_> = exported.difference(declared).collect();
    let only_declared: Vec<_> = declared.difference(exported).collect();
    assert!(
        only_exported.is_empty() && only_declared.is_empty(),
        "exported but not declared: {only_exported:?}; declared but not exported: {only_declared:?}"
    );
}

#[test]
fn the_runtime_exports_what_the_headers_of_users_declare() {
    let declared = declared();
    assert!(declared.contains("upc_lock") && declared.contains("gasp_init"));
    let declared = &(&declared - &names(OF_TOOLS)) | &names(OF_ASAN);
    assert_same(&exported("smp"), &declared);
    if is_installed("mpicc") {
        assert_same(&exported("mpi"), &(&declared | &names(OF_MPI)));
    }
}

/// A C library that a program with threads uses.
const LIBRARY: &str = r"
extern int bupc_extern_mythread(void), bupc_extern_threads(void);
extern void bupc_extern_barrier(int value), upc_global_exit(int status);
int enter(void)
{
    bupc_extern_barrier(1);
    if (bupc_extern_threads() != 3)
        upc_global_exit(2);
    return bupc_extern_mythread();
}
";

#[test]
fn a_shared_library_calls_the_runtime() {
    let main = r#"
#include <upc.h>
#include <stdio.h>
int enter(void);
int main(void)
{
    if (enter() != MYTHREAD)
        return 1;
    upc_barrier;
    if (MYTHREAD == 0)
        puts("entered");
    return 0;
}
"#;
    let folder = Folder::with(&[("main.upc", main), ("part.c", LIBRARY)]);
    compile_library(&folder, "part");
    folder.upcc("main.upc -L. -lpart -Wl,-rpath,$ORIGIN -o main");
    let output = folder.run("./main", "-n 3");
    assert_eq!(stdout(&output), "entered\n", "{}", stderr(&output));
}

#[test]
fn a_library_opened_at_run_time_calls_the_runtime() {
    let main = r#"
#include <upc.h>
#include <bupc_extern.h>
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *library = dlopen("./libpart.so", RTLD_NOW);
    if (library == NULL)
        return puts(dlerror()), 1;
    int (*enter)(void) = (int (*)(void))dlsym(library, "enter");
    if (bupc_extern_threads() != THREADS || enter == NULL || enter() != MYTHREAD)
        return 1;
    upc_barrier;
    if (MYTHREAD == 0)
        puts("entered");
    return 0;
}
"#;
    let folder = Folder::with(&[("main.upc", main), ("part.c", LIBRARY)]);
    compile_library(&folder, "part");
    folder.upcc("-rdynamic main.upc -ldl -o main");
    let output = folder.run("./main", "-n 3");
    assert_eq!(stdout(&output), "entered\n", "{}", stderr(&output));
}

/// A performance tool that counts barriers.
const TOOL: &str = r#"
#include <gasp.h>
#include <stdio.h>
static struct _gasp_context_S { int barriers; } context;
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
    gasp_upcc_overlapping_events(0);
    return &context;
}
int gasp_control(gasp_context_t c, int on) { return 1; }
unsigned gasp_create_event(gasp_context_t c, const char *name, const char *desc) { return GASP_UPC_USEREVT_START; }
void gasp_event_notifyVA(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list args)
{
    c->barriers += tag == GASP_UPC_BARRIER && type == GASP_START;
    if (tag == GASP_C_FUNC && type == GASP_END)
        printf("%d barriers\n", c->barriers);
}
void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
    gasp_event_notifyVA(c, tag, type, file, line, column, 0);
}
"#;

#[test]
fn a_tool_in_a_shared_library_receives_the_events() {
    let main = "#include <upc.h>\nint main(void) { upc_barrier; upc_barrier; return 0; }\n";
    let folder = Folder::with(&[("main.upc", main), ("part.c", TOOL)]);
    compile_library(&folder, "part");
    folder.upcc("-inst -inst-functions main.upc -L. -lpart -Wl,-rpath,$ORIGIN -o main");
    let output = folder.run("./main", "-n 1");
    assert_eq!(stdout(&output), "2 barriers\n", "{}", stderr(&output));
}

/// Compiles `NAME.c` to `libNAME.so`, as users do: with the C compiler and the headers of `upcc`.
fn compile_library(folder: &Folder, name: &str) {
    let headers = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime-c/include");
    let line = format!("-shared -fPIC -w -I{headers} {name}.c -o lib{name}.so");
    let output = folder.run("cc", &line);
    assert!(output.status.success(), "cc {line}: {}", stderr(&output));
}
