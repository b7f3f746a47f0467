//! Writes `upcr/inst_calls.h`: the functions that instrumented code calls in place of library functions.

use super::calls::{CALLS, Call, End, Wrapper};

const HEAD: &str = "\
/* Library calls in instrumented units: upcr_inst_NAME calls NAME between the start and the end of its event. Inline, so that
   the library function still sees the user's own line as its caller.

   The functions are called by names of our own, upcr_call_NAME: the user's text, which comes later, declares them as it
   likes. Made from the table in src/events/calls.rs: UPDATE=1 cargo test --test events_table. */
#ifndef UPCR_INST_CALLS_H
#define UPCR_INST_CALLS_H

#include \"upcr/inst_support.h\"

";

/// Returns the header.
pub fn inst_calls_header() -> String {
    let functions: String = CALLS.iter().filter_map(function).collect();
    format!("{HEAD}{functions}#endif\n")
}

/// Returns the declaration of a library function under a name of ours, and the function around it.
fn function(call: &Call) -> Option<String> {
    let (name, event) = (&call.name, call.event?);
    let wrapper = call.wrapper.as_ref()?;
    let Wrapper {
        result, parameters, ..
    } = wrapper;
    let space = if result.ends_with('*') { "" } else { " " };
    let declared = match parameters.is_empty() {
        true => "void".to_owned(),
        false => parameters.join(", "),
    };
    let site = std::iter::once("upcr_site *site".to_owned());
    let all: Vec<String> = site.chain(parameters.iter().cloned()).collect();
    Some(format!(
        "extern {result}{space}upcr_call_{name}({declared}) __asm__(\"{name}\");\n\
         UPCR_INLINE {result}{space}upcr_inst_{name}({})\n{{\n{}}}\n\n",
        all.join(", "),
        body(name, event, wrapper)
    ))
}

fn body(name: &str, event: &str, wrapper: &Wrapper) -> String {
    let event = event.strip_prefix("GASP_").unwrap_or(event);
    let call = format!("upcr_call_{name}({})", wrapper.values.join(", "));
    let reports = match wrapper.reports.as_str() {
        "" => String::new(),
        reports => format!(", {reports}"),
    };
    let end = match wrapper.end {
        End::Same => "",
        End::Result => ", result",
        End::Address => ", &result",
        End::FlagAndResult => ", *flag, result",
        End::Stored => ", result == 0 ? *where : (void *)0",
        End::Trivial => ", UPCR_TRIVIAL_",
    };
    let reported = match wrapper.sets_errno {
        true => "upcr_inst_end_keeping_errno",
        false => "upcr_inst_end",
    };
    let is_void = wrapper.result == "void";
    let mut lines: Vec<String> = wrapper.setup.clone();
    if let Some((pointer, bytes)) = wrapper.counted {
        lines.extend([
            format!(
                "struct upcr_skip_counts *counts = upcr_inst_skip_call(site, {pointer}, {bytes});"
            ),
            "if (counts) {".to_owned(),
            "    counts->get--;".to_owned(),
            format!("    {call};"),
            "    return;".to_owned(),
            "}".to_owned(),
        ]);
    }
    let space = if wrapper.result.ends_with('*') {
        ""
    } else {
        " "
    };
    lines.extend((!is_void).then(|| format!("{}{space}result;", wrapper.result)));
    lines.extend([
        "if (upcr_inst_on)".to_owned(),
        format!("    upcr_inst_start(site, UPCR_EVENT_{event}{reports});"),
        match is_void {
            true => format!("{call};"),
            false => format!("result = {call};"),
        },
        "if (upcr_inst_on)".to_owned(),
        format!("    {reported}(site, UPCR_EVENT_{event}{reports}{end});"),
    ]);
    lines.extend((!is_void).then(|| "return result;".to_owned()));
    lines.iter().map(|line| format!("    {line}\n")).collect()
}
