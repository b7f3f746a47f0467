//! In which form a program is compiled and run: a row of the table of all suites.

use super::model::Program;
use crate::rng::Rng;
use crate::suites::forms::{FORMS, Form, Group, INST_ONLY};

/// How often a program gets a form of a group.
fn weight(group: Group) -> usize {
    match group {
        Group::Plain => 2,
        Group::Compiler | Group::Instrumented => 5,
        Group::Static => 3,
        Group::Checked | Group::Apart => 4,
        Group::Messages => 1,
    }
}

/// Processes that take part in a run over messages, at most.
const MESSAGES: u32 = 4;

/// The form of a program. A hash of its seed chooses, so that the form stays when others come and go.
///
/// # Errors
/// There is no form of this name.
pub fn of(program: &Program, named: Option<&str>) -> Result<&'static Form, String> {
    if let Some(name) = named {
        let form = FORMS.iter().find(|form| form.name == name);
        return form.ok_or_else(|| {
            let names: Vec<&str> = FORMS.iter().map(|form| form.name).collect();
            format!("no form `{name}`: there are {}", names.join(", "))
        });
    }
    // Not the numbers that the program is made of.
    let mut rng = Rng::new(program.seed ^ 0x666f_726d);
    let fits = |form: &&Form| {
        let many = form.over_messages() && program.threads > MESSAGES;
        !many && !form.flags.contains(&INST_ONLY) && form.missing().is_none()
    };
    let usable: Vec<&'static Form> = FORMS.iter().filter(fits).collect();
    let groups: Vec<Group> = Group::ALL
        .into_iter()
        .flat_map(|group| std::iter::repeat_n(group, weight(group)))
        .filter(|group| usable.iter().any(|form| form.group == *group))
        .collect();
    let group = *rng.pick(&groups);
    let of_group: Vec<&'static Form> = usable.into_iter().filter(|f| f.group == group).collect();
    Ok(*rng.pick(&of_group))
}

/// A form as a user would type it.
pub fn in_words(form: &Form, program: &Program) -> String {
    let set: Vec<String> = form
        .set
        .iter()
        .map(|(name, value)| format!("{name}={value} "))
        .collect();
    format!(
        "form {}: UPCC_CC={} upcc {}; {}upcrun -n {}",
        form.name,
        form.cc,
        super::run::flags(form, program).join(" "),
        set.concat(),
        program.threads
    )
}
