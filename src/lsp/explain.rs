//! Pages about diagnostic codes: a code action on each diagnostic, and the command that it names.

use crate::diag::pages;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, NumberOrString,
};
use serde_json::{Value, json};

/// The command that explains the code in its argument.
pub const COMMAND: &str = "upcc.explain";

/// Returns an action for each code among these diagnostics.
pub fn actions(diagnostics: &[Diagnostic]) -> Vec<CodeActionOrCommand> {
    let mut seen: Vec<&str> = Vec::new();
    let mut actions = Vec::new();
    for diagnostic in diagnostics {
        let Some(NumberOrString::String(code)) = &diagnostic.code else {
            continue;
        };
        if seen.contains(&code.as_str()) || pages::explain(code).is_err() {
            continue;
        }
        seen.push(code);
        let title = format!("Explain {code}");
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic.clone()]),
            command: Some(Command {
                title,
                command: COMMAND.to_owned(),
                arguments: Some(vec![json!(code)]),
            }),
            ..CodeAction::default()
        }));
    }
    actions
}

/// Returns the page of the code that the arguments of [`COMMAND`] name.
///
/// # Errors
/// The message for the user if they do not name a code.
pub fn page(arguments: &[Value]) -> Result<String, String> {
    match arguments {
        [Value::String(code)] => pages::explain(code),
        _ => Err(format!(
            "{COMMAND} has one argument, a code such as \"E0500\""
        )),
    }
}
