//! The language server, as an editor sees it: a conversation over its standard input and output about real files.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, UPCC};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use xtask::language_client::{Client, uri};

const HEADER: &str = "\
struct node { int value; shared struct node *next; double weight[2]; };
typedef struct node node_t;
extern shared [4] int blocks[4*THREADS];
int twice(int number);
#define FIRST(a) ((a)[0])
";

const SOURCE: &str = "\
#include <upc.h>
#include \"list.h\"

shared [4] int blocks[4*THREADS];
shared node_t *head;
static int calls;

int twice(int number)
{
    int result = number * 2;
    calls = calls + 1;
    /* é */ result = result + 0;
    return result;
}

int main(void)
{
    node_t local = { .value = 1 };
    int i;
    upc_forall (i = 0; i < 4*THREADS; i++; &blocks[i])
        blocks[i] = twice(i) + FIRST(blocks);
    upc_barrier;
    if (MYTHREAD == 0) {
        head = upc_alloc(sizeof *head);
        head->value = local.value;
    }
    return 0;
}
";

/// A server about a folder with the two files, the source open.
struct Talk {
    folder: Folder,
    client: Client,
}

impl Talk {
    fn with(source: &str, files: &[(&str, &str)], options: Value) -> Talk {
        let folder = Folder::with(files);
        let mut client = Client::start(&mut folder.command(UPCC, "lsp --stdio")).unwrap();
        client.initialize(options);
        client.open(&folder.path("main.upc"), source);
        Talk { folder, client }
    }

    fn about(source: &str) -> Talk {
        Talk::with(source, &[("list.h", HEADER)], Value::Null)
    }

    fn main(&self) -> std::path::PathBuf {
        self.folder.path("main.upc")
    }

    /// Asks about the place of `name` in the first line of the source that contains `line`.
    fn at(&mut self, method: &str, line: &str, name: &str) -> Result<Value, Value> {
        let main = self.main();
        self.client.at(method, &main, place(SOURCE, line, name))
    }

    fn hover(&mut self, line: &str, name: &str) -> String {
        let answer = self.at("hover", line, name).unwrap();
        let text = answer["contents"]["value"].as_str();
        text.unwrap_or_else(|| panic!("no hover on {name} in {line}: {answer}"))
            .to_owned()
    }

    /// The lines (from 1) and texts that a list of locations names.
    fn texts(&self, locations: &Value) -> Vec<String> {
        let list = match locations {
            Value::Array(list) => list.clone(),
            one => vec![one.clone()],
        };
        let shown = list.iter().map(|location| {
            let file = location["uri"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap();
            let text = if file == "list.h" { HEADER } else { SOURCE };
            format!("{file}:{}", slice(text, &location["range"]))
        });
        shown.collect()
    }

    fn finish(self) {
        let Talk { folder, client } = self;
        let (status, errors) = client.finish().unwrap();
        assert!(status.success(), "{status}: {errors}");
        assert_eq!(errors, "");
        assert_eq!(folder.leftovers(), 0);
    }
}

/// The position of `name` in the first line that contains `line`, in UTF-16 units.
fn place(text: &str, line: &str, name: &str) -> (u32, u32) {
    let found = text.lines().zip(0..).find(|(text, _)| text.contains(line));
    let (text, row) = found.unwrap_or_else(|| panic!("no line with {line}"));
    let start = text.find(line).unwrap();
    let byte = start + text[start..].find(name).unwrap();
    let column = text[..byte].encode_utf16().count();
    (row, column as u32)
}

/// `line-number:text` of a range within one line.
fn slice(text: &str, range: &Value) -> String {
    let number = |end: &str, part: &str| range[end][part].as_u64().unwrap() as usize;
    let row = number("start", "line");
    let line: Vec<u16> = text.lines().nth(row).unwrap().encode_utf16().collect();
    let columns = number("start", "character")..number("end", "character");
    format!("{}:{}", row + 1, String::from_utf16_lossy(&line[columns]))
}

#[test]
fn diagnostics_follow_the_text_as_it_is_typed() {
    let mut talk = Talk::about(SOURCE);
    let main = talk.main();
    assert_eq!(talk.client.diagnostics(&main, 1), Vec::<Value>::new());
    let wrong = SOURCE.replace("calls + 1", "call + 1");
    talk.client.change(&main, 2, &wrong);
    let list = talk.client.diagnostics(&main, 2);
    assert_eq!(list.len(), 1, "{list:?}");
    assert_eq!(slice(&wrong, &list[0]["range"]), "11:call");
    assert_eq!(
        (&list[0]["severity"], &list[0]["source"]),
        (&json!(1), &json!("upcc"))
    );
    assert_eq!(list[0]["code"], "E0300");
    let text = list[0]["message"].as_str().unwrap();
    assert!(text.contains("`call` is not declared") && text.contains("did you mean `calls`"));
    // The file on disk never existed: only the editor's text counts. An incremental change repairs it.
    let range =
        json!({ "start": { "line": 10, "character": 12 }, "end": { "line": 10, "character": 16 } });
    talk.client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri(&main), "version": 3 },
            "contentChanges": [{ "range": range, "text": "calls" }] }),
    );
    assert_eq!(talk.client.diagnostics(&main, 3), Vec::<Value>::new());
    // A column behind a character of two bytes, and a warning about an affinity.
    let wide = SOURCE.replace("result + 0;", "result + 0 result;");
    talk.client.change(&main, 4, &wide);
    let list = talk.client.diagnostics(&main, 4);
    assert_eq!(slice(&wide, &list[0]["range"]), "12:result", "{list:?}");
    talk.finish();
}

#[test]
fn errors_of_headers_and_of_the_preprocessor_have_a_place() {
    let header = HEADER.replace("double weight", "dubble weight");
    let mut talk = Talk::with(SOURCE, &[("list.h", &header)], Value::Null);
    let main = talk.main();
    let list = talk.client.diagnostics(&main, 1);
    let first = &list[0];
    assert_eq!(slice(SOURCE, &first["range"]), "2:#include \"list.h\"");
    assert!(
        first["message"].as_str().unwrap().contains("list.h:1: "),
        "{first}"
    );
    let related = &first["relatedInformation"][0]["location"];
    assert_eq!(related["uri"], uri(&talk.folder.path("list.h")));
    // A saved header counts at once.
    std::fs::write(talk.folder.path("list.h"), HEADER).unwrap();
    talk.client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": uri(&main) } }),
    );
    assert_eq!(talk.client.diagnostics(&main, 1), Vec::<Value>::new());
    let missing = SOURCE.replace("list.h", "lost.h");
    talk.client.change(&main, 2, &missing);
    let list = talk.client.diagnostics(&main, 2);
    assert!(
        list[0]["message"].as_str().unwrap().contains("lost.h"),
        "{list:?}"
    );
    assert_eq!(list[0]["range"]["start"]["line"], 1);
    // The last analysis still answers.
    assert!(
        talk.hover("static int calls", "calls")
            .contains("int calls")
    );
    talk.finish();
}

#[test]
fn hover_shows_type_layout_and_affinity() {
    let mut talk = Talk::about(SOURCE);
    let array = talk.hover("blocks[i] = twice", "blocks");
    for part in [
        "shared [4] int blocks[4*THREADS]",
        "affinity       element i: thread (i / 4) % THREADS, phase i % 4",
        "blocks         1 of each thread",
        "With 4 threads:",
        "thread 3 │ 12 13 14 15 │",
    ] {
        assert!(array.contains(part), "{part} is not in:\n{array}");
    }
    let pointer = talk.hover("head = upc_alloc", "head");
    assert!(
        pointer.contains("points into    shared memory"),
        "{pointer}"
    );
    let member = talk.hover("head->value", "value");
    assert!(member.contains("int value") && member.contains("member of struct node, at byte 0"));
    assert!(member.contains("affinity of that object"), "{member}");
    let private = talk.hover("local.value", "value");
    assert_eq!(private, talk.hover("local.value", ";"), "behind the name");
    assert!(!private.contains("affinity"), "{private}");
    assert!(talk.hover("int result", "result").contains("int result"));
    assert!(
        talk.hover("node_t *head", "node_t")
            .contains("name for the type")
    );
    assert!(talk.hover("= twice(i)", "twice").contains("int twice(int)"));
    assert!(
        talk.hover("FIRST(blocks)", "FIRST")
            .contains("#define FIRST(a) ((a)[0])")
    );
    let nothing = talk.at("hover", "int main", "(").unwrap();
    assert_eq!(
        nothing["contents"]["value"]
            .as_str()
            .map(|t| t.contains("main")),
        Some(true)
    );
    assert_eq!(talk.at("hover", "{", "{").unwrap(), Value::Null);
    talk.finish();
}

#[test]
fn definitions_lead_into_headers() {
    let mut talk = Talk::about(SOURCE);
    let mut definition = |line: &str, name: &str| {
        let found = talk.at("definition", line, name).unwrap();
        talk.texts(&found).concat()
    };
    assert_eq!(definition("head->value", "value"), "list.h:1:value");
    assert_eq!(definition("node_t *head", "node_t"), "list.h:2:node_t");
    assert_eq!(definition("FIRST(blocks)", "FIRST"), "list.h:5:FIRST");
    assert_eq!(definition("blocks[i] = ", "blocks"), "main.upc:4:blocks");
    assert_eq!(definition("= twice(i)", "twice"), "main.upc:8:twice");
    assert_eq!(definition("return result", "result"), "main.upc:10:result");
    assert_eq!(definition("number * 2", "number"), "main.upc:8:number");
    assert_eq!(definition(".value = 1", "value"), "list.h:1:value");
    assert_eq!(definition("list.h", "list.h"), "list.h:1:");
    // Another document that has the definition, too, changes nothing.
    let header = talk.folder.path("list.h");
    talk.client.open(&header, HEADER);
    talk.client.diagnostics(&header, 1);
    let found = talk.at("definition", "FIRST(blocks)", "FIRST").unwrap();
    assert_eq!(talk.texts(&found), ["list.h:5:FIRST"]);
    let upc = talk.at("definition", "upc_alloc", "upc_alloc").unwrap();
    assert!(upc["uri"].as_str().unwrap().ends_with(".h"), "{upc}");
    talk.finish();
}

#[test]
fn references_cross_files() {
    let mut talk = Talk::about(SOURCE);
    let found = talk.at("references", "blocks[i] = ", "blocks").unwrap();
    let blocks = talk.texts(&found);
    assert_eq!(
        blocks,
        [
            "list.h:3:blocks",
            "main.upc:4:blocks",
            "main.upc:20:blocks",
            "main.upc:21:blocks",
            // The argument of the macro.
            "main.upc:21:blocks",
        ]
    );
    let found = talk.at("references", "local.value", "value").unwrap();
    assert_eq!(
        talk.texts(&found),
        [
            "list.h:1:value",
            "main.upc:18:value",
            "main.upc:25:value",
            "main.upc:25:value"
        ]
    );
    // From the header, the open source that includes it is searched, too.
    let header = talk.folder.path("list.h");
    talk.client.open(&header, HEADER);
    let at = place(HEADER, "int value", "value");
    let found = talk.client.at("references", &header, at).unwrap();
    assert_eq!(talk.texts(&found).len(), 4, "{found}");
    talk.finish();
}

#[test]
fn completion_works_on_text_that_does_not_parse() {
    let mut talk = Talk::about(SOURCE);
    let main = talk.main();
    talk.client.diagnostics(&main, 1);
    let mut version = 1;
    let mut complete = |typed: &str| -> Vec<(String, String)> {
        version += 1;
        let text = SOURCE.replace("    upc_barrier;\n", &format!("    {typed}\n"));
        talk.client.change(&main, version, &text);
        let (line, column) = place(&text, &format!("    {typed}"), typed);
        let at = (line, column + typed.len() as u32);
        let list = talk.client.at("completion", &main, at).unwrap();
        let text = |item: &Value, part: &str| item[part].as_str().unwrap().to_owned();
        let list = list.as_array().unwrap().iter();
        list.map(|item| (text(item, "label"), text(item, "detail")))
            .collect()
    };
    let labels = |list: &[(String, String)]| {
        let labels: Vec<&str> = list.iter().map(|(label, _)| label.as_str()).collect();
        labels.join(" ")
    };
    let shared = complete("x = f(head->");
    assert_eq!(labels(&shared), "value next weight");
    assert_eq!(shared[0].1, "int value (part of a shared object)");
    let private = complete("local.");
    assert_eq!(private[2].1, "double weight[2]");
    assert_eq!(labels(&complete("head->next->w")), "weight");
    assert_eq!(labels(&complete("(*head->next).")), "value next weight");
    assert_eq!(complete("3."), []);
    let upc = complete("upc_");
    let named = |name: &str| upc.iter().find(|(label, _)| label == name);
    assert_eq!(named("upc_barrier").unwrap().1, "keyword");
    assert!(named("upc_alloc").unwrap().1.contains("shared void *"));
    assert_eq!(
        named("upc_all_broadcast").unwrap().1,
        "in <upc_collective.h>"
    );
    let names = labels(&complete("loc"));
    assert!(names.starts_with("local"), "{names}");
    // A local of another function is not visible here.
    assert!(!labels(&complete("resu")).contains("result"));
    talk.finish();
}

const LABELS: &str = "\
int f(int n)
{
again:
    if (n > 9)
        goto done;
    n *= 2;
    goto again;
done:
    return n;
}
int g(int n)
{
    asm goto(\"\" : : : : there);
    asm goto(\"/* %l[hidden] */\" : : : : hidden);
    goto here;
there:
hidden:
here:
    return n;
}
";

#[test]
fn labels_are_names() {
    let mut talk = Talk::about(LABELS);
    let main = talk.main();
    talk.client.diagnostics(&main, 1);
    let at = place(LABELS, "goto done", "done");
    let found = talk.client.at("definition", &main, at).unwrap();
    assert_eq!(slice(LABELS, &found["range"]), "8:done", "{found}");
    let mut rename = |line: &str, name: &str| {
        let (row, column) = place(LABELS, line, name);
        let params = json!({ "textDocument": { "uri": uri(&main) },
            "position": { "line": row, "character": column }, "newName": "stop" });
        talk.client.request("textDocument/rename", params)
    };
    let mut renamed = |line: &str, name: &str| -> Vec<String> {
        let answer = rename(line, name).unwrap();
        let edits = answer["changes"][uri(&main)].as_array().unwrap();
        let texts = edits.iter().map(|edit| slice(LABELS, &edit["range"]));
        texts.collect()
    };
    assert_eq!(renamed("goto again", "again"), ["3:again", "7:again"]);
    assert_eq!(renamed("there:", "there"), ["13:there", "16:there"]);
    let why = rename("hidden:", "hidden").unwrap_err();
    assert!(why["message"].as_str().unwrap().contains("asm"), "{why}");
    let text = LABELS.replace("goto here", "goto h");
    talk.client.change(&main, 2, &text);
    let (row, column) = place(&text, "goto h;", "h;");
    let list = talk
        .client
        .at("completion", &main, (row, column + 1))
        .unwrap();
    let names = list.as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(names, ["hidden", "here"]);
    talk.finish();
}

#[test]
fn rename_changes_locals_and_nothing_else() {
    let mut talk = Talk::about(SOURCE);
    let main = talk.main();
    let mut rename = |line: &str, name: &str, new: &str| {
        let (row, column) = place(SOURCE, line, name);
        talk.client.request(
            "textDocument/rename",
            json!({ "textDocument": { "uri": uri(&main) },
                "position": { "line": row, "character": column }, "newName": new }),
        )
    };
    let answer = rename("int result", "result", "sum").unwrap();
    let edits = answer["changes"][uri(&main)].as_array().unwrap();
    let places: Vec<String> = edits
        .iter()
        .map(|edit| slice(SOURCE, &edit["range"]))
        .collect();
    assert_eq!(places, ["10:result", "12:result", "12:result", "13:result"]);
    assert!(edits.iter().all(|edit| edit["newText"] == "sum"));
    let parameter = rename("int twice", "number", "n").unwrap();
    assert_eq!(
        parameter["changes"][uri(&main)].as_array().unwrap().len(),
        2
    );
    let mut refused = |line: &str, name: &str, new: &str| {
        rename(line, name, new).unwrap_err()["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(refused("= twice(i)", "twice", "x").contains("`twice` is a function: only local"));
    assert!(refused("head->value", "value", "x").contains("`value` is a member"));
    assert!(refused("static int calls", "calls", "x").contains("a variable of the file"));
    assert!(
        refused("int result", "result", "number")
            .contains("already occurs in this function (line 8)")
    );
    assert!(refused("int result", "result", "shared").contains("keyword"));
    assert!(refused("int result", "result", "2x").contains("not a name"));
    assert!(refused("int main", "(void", "x").contains("`main` is a function"));
    let (row, column) = place(SOURCE, "int result", "result");
    let range = talk
        .client
        .at("prepareRename", &main, (row, column))
        .unwrap();
    assert_eq!(slice(SOURCE, &range), "10:result");
    let broken = SOURCE.replace("return result;", "return result");
    talk.client.change(&main, 2, &broken);
    let why = talk
        .client
        .at("prepareRename", &main, (row, column))
        .unwrap_err();
    assert!(
        why["message"].as_str().unwrap().contains("syntax errors"),
        "{why}"
    );
    talk.finish();
}

#[test]
fn rename_refuses_what_a_macro_hides() {
    let source = "#define USE (hidden + 1)\nint f(void) { int hidden = 1; return USE; }\n";
    let mut talk = Talk::with(source, &[], Value::Null);
    let main = talk.main();
    let params = json!({ "textDocument": { "uri": uri(&main) },
        "position": { "line": 1, "character": 20 }, "newName": "seen" });
    let why = talk
        .client
        .request("textDocument/rename", params)
        .unwrap_err();
    assert!(
        why["message"].as_str().unwrap().contains("used by a macro"),
        "{why}"
    );
    talk.finish();
}

#[test]
fn codes_are_explained() {
    let mut talk = Talk::about(&SOURCE.replace("calls + 1", "call + 1"));
    let main = talk.main();
    let list = talk.client.diagnostics(&main, 1);
    let range = list[0]["range"].clone();
    let params = json!({ "textDocument": { "uri": uri(&main) }, "range": range,
        "context": { "diagnostics": list } });
    let actions = talk
        .client
        .request("textDocument/codeAction", params)
        .unwrap();
    let actions = actions.as_array().unwrap();
    let explain = actions
        .iter()
        .find(|action| action["title"] == "Explain E0300");
    let command = explain.unwrap()["command"].clone();
    let page = talk
        .client
        .request("workspace/executeCommand", command)
        .unwrap();
    assert!(page.as_str().unwrap().starts_with("# E0300"), "{page}");
    let shown = talk
        .client
        .notification("window/showMessage", |_| true)
        .unwrap();
    assert_eq!(shown["message"], page);
    let wrong = json!({ "command": "upcc.explain", "arguments": ["E9999"] });
    let why = talk
        .client
        .request("workspace/executeCommand", wrong)
        .unwrap_err();
    assert!(why["message"].as_str().unwrap().contains("E9999"), "{why}");
    talk.finish();
}

/// Suggestions with edits are code actions; a certain one is preferred.
#[test]
fn suggestions_are_code_actions() {
    let source = "int total;\nint main(void)\n{\n    /* é */ int sum = 0\n    return totl;\n}\n";
    let mut talk = Talk::about(source);
    let main = talk.main();
    let list = talk.client.diagnostics(&main, 1);
    let mut fixed = source.to_owned();
    for (line, title, new, preferred) in [
        (3, "add `;` behind `0`", ";", true),
        (4, "did you mean `total`?", "total", false),
    ] {
        let here = json!({ "line": line, "character": 12 });
        let end = json!({ "line": line, "character": 23 });
        let params = json!({ "textDocument": { "uri": uri(&main) },
            "range": { "start": here, "end": end }, "context": { "diagnostics": [] } });
        let actions = talk.client.request("textDocument/codeAction", params);
        let actions = actions.unwrap();
        assert_eq!(actions.as_array().unwrap().len(), 1, "{actions}\n{list:?}");
        let action = &actions[0];
        assert_eq!(action["title"], title);
        assert_eq!(action["isPreferred"], preferred);
        let edit = &action["edit"]["changes"][uri(&main)][0];
        assert_eq!(edit["newText"], new);
        // The first edit inserts nothing but a semicolon, so the second one still fits.
        let at = |end: &str| {
            let place = &edit["range"][end];
            let number = |key| place[key].as_u64().unwrap() as usize;
            let text: String = source.split_inclusive('\n').take(number("line")).collect();
            let row = source.lines().nth(number("line")).unwrap();
            let before: String = row.chars().take(number("character")).collect();
            text.len() + before.len() + (fixed.len() - source.len())
        };
        fixed.replace_range(at("start")..at("end"), new);
    }
    assert!(fixed.contains("int sum = 0;\n    return total;"), "{fixed}");
    talk.finish();
}

/// Headers count as the editor has them: for the file that includes them, and for headers between.
#[test]
fn unsaved_headers_count() {
    let source =
        "#include \"outer.h\"\n#include <deep/low.h>\nint use(void) { return fresh + lower; }\n";
    let files = [
        ("outer.h", "#include \"list.h\"\n"),
        ("list.h", "extern int stale;\n"),
        ("inc/deep/low.h", "extern int low;\n"),
    ];
    let options = json!({ "flags": ["-Iinc"] });
    let mut talk = Talk::with(source, &files, options);
    let main = talk.main();
    assert_eq!(talk.client.diagnostics(&main, 1).len(), 2);
    let header = talk.folder.path("list.h");
    let low = talk.folder.path("inc/deep/low.h");
    talk.client.open(&header, "extern int stale;\n");
    talk.client.diagnostics(&header, 1);
    talk.client.change(&header, 2, "extern int fresh;\n");
    let left = talk.client.diagnostics(&main, 1);
    assert_eq!(left.len(), 1, "{left:?}");
    // An editor may restore what was never saved.
    talk.client.open(&low, "extern int lower;\n");
    let left = talk.client.diagnostics(&main, 1);
    assert!(left.is_empty(), "{left:?}");
    let definition = talk.client.at("definition", &main, (2, 26)).unwrap();
    assert_eq!(definition["uri"], uri(&header), "{definition}");
    // The files are as they were.
    let text = std::fs::read_to_string(&header).unwrap();
    assert_eq!(text, "extern int stale;\n");
    let close = json!({ "textDocument": { "uri": uri(&header) } });
    talk.client.notify("textDocument/didClose", close);
    assert_eq!(talk.client.diagnostics(&main, 1).len(), 1);
    talk.finish();
}

#[test]
fn flags_come_from_the_database_or_the_settings() {
    let source =
        "#ifndef WIDTH\n#error no width\n#endif\nshared [WIDTH] int a[WIDTH*THREADS], *p;\n";
    let mut talk = Talk::with(source, &[], json!({ "flags": ["-DWIDTH=3", "-T=2"] }));
    let main = talk.main();
    assert_eq!(talk.client.diagnostics(&main, 1), Vec::<Value>::new());
    let hover = talk.client.at("hover", &main, (3, 19)).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("int a[6]") && text.contains("With 2 threads"),
        "{text}"
    );
    talk.finish();
    let database = r#"[{"directory": ".", "file": "main.upc", "command": "upcc -MD -DWIDTH=5 -c main.upc -o main.o"}]"#;
    let files = [("compile_commands.json", database)];
    let mut talk = Talk::with(source, &files, json!({ "flags": ["-DWIDTH=3"] }));
    let main = talk.main();
    assert_eq!(talk.client.diagnostics(&main, 1), Vec::<Value>::new());
    let hover = talk.client.at("hover", &main, (3, 19)).unwrap();
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("shared [5] int a")
    );
    assert!(
        !talk.folder.has("main.d"),
        "nothing is written beside the source"
    );
    // A flag that upcc refuses is reported, and the server goes on.
    std::fs::write(
        talk.folder.path("compile_commands.json"),
        database.replace("-DWIDTH=5", "-T=none"),
    )
    .unwrap();
    talk.client.change(&main, 2, &source.replace("*p", "*q"));
    let log = talk
        .client
        .notification("window/logMessage", |_| true)
        .unwrap();
    assert!(log["message"].as_str().unwrap().contains("none"), "{log}");
    talk.finish();
}

#[test]
fn headers_are_found_from_the_folder_of_the_command() {
    let database = r#"[{"directory": "build", "file": "../main.upc", "arguments": ["upcc", "-I../include", "-c", "../main.upc"]}]"#;
    let source = SOURCE.replace("\"list.h\"", "<list.h>");
    let mut talk = Talk::with("", &[("compile_commands.json", database)], Value::Null);
    let header = talk.folder.path("include/list.h");
    for folder in ["build", "include"] {
        std::fs::create_dir(talk.folder.path(folder)).unwrap();
    }
    std::fs::write(&header, HEADER).unwrap();
    let main = talk.main();
    talk.client.change(&main, 2, &source);
    assert_eq!(talk.client.diagnostics(&main, 2), Vec::<Value>::new());
    for (line, name) in [
        ("head->value", "value"),
        ("FIRST(blocks)", "FIRST"),
        ("<list.h>", "list"),
    ] {
        let at = place(&source, line, name);
        let found = talk.client.at("definition", &main, at).unwrap();
        assert_eq!(found["uri"], uri(&header), "{name}");
    }
    std::fs::write(&header, HEADER.replace("double weight", "dubble weight")).unwrap();
    talk.client.change(&main, 3, &format!("{source}\n"));
    let list = talk.client.diagnostics(&main, 3);
    assert_eq!(
        list[0]["relatedInformation"][0]["location"]["uri"],
        uri(&header),
        "{list:?}"
    );
    talk.finish();
}

#[test]
fn a_build_makes_the_database() {
    let source = "shared [WIDTH] int a[WIDTH*THREADS];\nint main(void) { return 0; }\n";
    let mut talk = Talk::with(source, &[("main.upc", source)], Value::Null);
    let main = talk.main();
    assert_eq!(talk.client.diagnostics(&main, 1)[0]["code"], "E0300");
    let folder = &talk.folder;
    // The server's own temporary files are there, so `Folder::upcc` would complain.
    let upcc = |line: &str| {
        let output = folder.run(UPCC, line);
        assert!(
            output.status.success(),
            "{line}: {}",
            folder::stderr(&output)
        );
    };
    std::fs::create_dir(folder.path("parts")).unwrap();
    // A file collects the fragments of several commands, a folder has the last of each.
    for width in [6, 7] {
        upcc(&format!("-MJ parts.json -DWIDTH={width} -c main.upc"));
        upcc(&format!(
            "-MJ parts -DWIDTH={width} -MMD -c main.upc -o main.o"
        ));
    }
    assert_eq!(folder.read("parts.json").lines().count(), 2);
    let parts: Vec<_> = std::fs::read_dir(folder.path("parts")).unwrap().collect();
    assert_eq!(parts.len(), 1, "{parts:?}");
    upcc("--compile-commands=once.json parts.json");
    let list: Value = serde_json::from_str(&folder.read("once.json")).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(
        (&list[0]["file"], &list[0]["output"]),
        (&json!("main.upc"), &json!("main.o"))
    );
    upcc("--compile-commands parts");
    talk.client
        .change(&main, 2, &source.replace("return 0", "return 1"));
    assert_eq!(talk.client.diagnostics(&main, 2), Vec::<Value>::new());
    let hover = talk.client.at("hover", &main, (0, 19)).unwrap();
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("shared [7] int a")
    );
    talk.finish();
}

#[test]
fn what_is_wrong_is_answered() {
    let mut talk = Talk::about(SOURCE);
    let unknown = talk.folder.path("other.upc");
    let why = talk.client.at("hover", &unknown, (0, 0)).unwrap_err();
    assert_eq!(why["code"], -32602);
    assert!(
        why["message"]
            .as_str()
            .unwrap()
            .contains("other.upc is not open"),
        "{why}"
    );
    let why = talk
        .client
        .request("textDocument/hover", json!({ "position": 1 }))
        .unwrap_err();
    assert_eq!(why["code"], -32602);
    let why = talk
        .client
        .request("textDocument/selectionRange", json!({}))
        .unwrap_err();
    assert_eq!(why["code"], -32601);
    // Notifications have no answer: they are logged.
    talk.client
        .notify("textDocument/didChange", json!({ "textDocument": 3 }));
    let log = talk
        .client
        .notification("window/logMessage", |_| true)
        .unwrap();
    assert!(
        log["message"].as_str().unwrap().contains("didChange"),
        "{log}"
    );
    // A position outside the text is its end.
    let main = talk.main();
    assert_eq!(
        talk.client.at("hover", &main, (900, 7)).unwrap(),
        Value::Null
    );
    // A closed document has no diagnostics.
    talk.client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri(&main) } }),
    );
    let closed = |params: &Value| params["version"] == Value::Null;
    let params = talk
        .client
        .notification("textDocument/publishDiagnostics", closed);
    assert_eq!(params.unwrap()["diagnostics"], json!([]));
    let _ = talk.client.request("shutdown", Value::Null).unwrap();
    let why = talk
        .client
        .request("textDocument/hover", json!({}))
        .unwrap_err();
    assert_eq!(why["code"], -32600);
    talk.finish();
}

#[test]
fn a_conversation_that_breaks_ends_with_one_error() {
    let folder = Folder::with(&[]);
    let start = |line: &str| Client::start(&mut folder.command(UPCC, line)).unwrap();
    let mut client = start("lsp");
    client.initialize(Value::Null);
    client.send_raw(b"Content-Length: 7\r\n\r\n{\"id\": ");
    let (status, errors) = client.end().unwrap();
    assert_eq!(status.code(), Some(3));
    assert!(
        errors.contains("upcc: error: ") && errors.lines().count() == 1,
        "{errors}"
    );
    let mut client = start("lsp");
    client.initialize(Value::Null);
    let (status, errors) = client.end().unwrap();
    assert_eq!(status.code(), Some(3));
    assert!(errors.contains("without `exit`"), "{errors}");
    // `exit` without `shutdown`.
    let mut client = start("lsp");
    client.initialize(Value::Null);
    client.notify("exit", Value::Null);
    let (status, errors) = client.end().unwrap();
    assert_eq!((status.code(), errors.as_str()), (Some(1), ""));
    let (status, errors) = start("lsp -T4").end().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(errors.contains("does not take `-T4`"), "{errors}");
}

#[test]
fn a_file_named_lsp_is_a_file() {
    let folder = Folder::with(&[("lsp.upc", "int main(void) { return 0; }\n")]);
    folder.upcc("-c lsp.upc -o lsp");
    folder.upcc("lsp -o program");
    assert!(folder.has("program"));
    assert!(Path::new(UPCC).is_file());
}

#[test]
fn a_fresh_document_answers_when_it_is_analysed() {
    let mut talk = Talk::about(SOURCE);
    let main = talk.main();
    let (line, column) = place(SOURCE, "static int calls", "calls");
    let params = json!({ "textDocument": { "uri": uri(&main) },
        "position": { "line": line, "character": column } });
    // Neither request waits for the diagnostics.
    let first = talk.client.ask("textDocument/hover", params.clone());
    let second = talk.client.ask("textDocument/definition", params);
    assert!(talk.client.answer(first).unwrap()["contents"]["value"].is_string());
    assert_eq!(
        talk.client.answer(second).unwrap()["range"]["start"]["line"],
        line
    );
    talk.finish();
}

/// The preprocessor that waits for the next text reads it as one that is started for it: places, headers beside the
/// file, messages of the preprocessor.
#[test]
fn a_preprocessor_that_waits_reads_the_same() {
    let source = "#include \"near.h\"\n#include <far.h>\n#warning look\nint sum(void) { return near + far + here(__FILE__); }\nint main(void) { return missing; }\n";
    let compiler = "#!/bin/sh\necho \"$@\" >> \"${0%/*}/log\"\nexec cc \"$@\"\n";
    let folder = Folder::with(&[
        ("near.h", "extern int decoy;\n"),
        ("sub/near.h", "extern int near;\nint here(const char *);\n"),
        ("sub/inc/far.h", "extern int far;\n"),
        ("compiler", compiler),
    ]);
    let wrapper = folder.path("compiler");
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = folder.command(UPCC, "lsp");
    let mut client = Client::start(command.env("UPCC_CC", &wrapper)).unwrap();
    client.initialize(json!({ "flags": ["-Iinc"] }));
    let part = folder.path("sub/part.upc");
    client.open(&part, source);
    let first = client.diagnostics(&part, 1);
    assert_eq!(first.len(), 2, "{first:?}");
    let log = || std::fs::read_to_string(folder.path("log")).unwrap();
    // A change that comes at once is preprocessed before anything waits.
    let mut version = 1;
    let mut changed = |text: &str, times: usize| {
        let before = log().matches("/dev/stdin").count();
        let mut found = Vec::new();
        while log().matches("/dev/stdin").count() < before + times {
            version += 1;
            assert!(version < 100, "nothing is started ahead");
            client.change(&part, version, text);
            found = client.diagnostics(&part, version);
        }
        found
    };
    // The second time, the one that was begun has read the text.
    assert_eq!(changed(source, 2), first);
    let broken = source.replace("#warning look", "#error stop");
    let stopped = changed(&broken, 2);
    assert_eq!(stopped.len(), 1, "{stopped:?}");
    assert_eq!(stopped[0]["range"]["start"]["line"], 2);
    assert_eq!(changed(source, 2), first);
    let (status, errors) = client.finish().unwrap();
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}
