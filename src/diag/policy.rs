//! Which warnings are wanted: the `-W` options and `#pragma GCC diagnostic`.

use super::ByteSpan;
use super::codes::{self, Code, Reach, Severity};
use std::collections::BTreeMap;
use upcc_grammar::spell::closest;

/// What was asked for one warning; `None`: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Choice {
    shown: Option<bool>,
    error: Option<bool>,
}

/// The warning options of a command line. What was said of a warning by name beats what was said of all, in any order, as in gcc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarningPolicy {
    /// `-w`: drop all warnings.
    pub suppress: bool,
    /// `-Werror`: a warning fails the translation.
    pub as_errors: bool,
    /// `-Wextra`: warnings that are off by default are on.
    extra: bool,
    /// By number of the code.
    named: BTreeMap<u16, Choice>,
}

/// Who has to hear of a `-W` option besides us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningTarget {
    /// The C compiler gets it as typed.
    CompilerToo,
    /// It speaks of warnings that are ours alone.
    Nobody,
    /// Nobody knows the name, which begins as ours do; the nearest of ours.
    Unknown(Option<&'static str>),
}

/// The group of all warnings whose name begins with `upc-`: `-Wno-upc`.
const UPC_GROUP: &str = "upc";

impl WarningPolicy {
    /// Takes `-Wargument`: `name`, `no-name`, `error=name`, `no-error=name`, `error`, `no-error`, `extra`.
    pub fn option(&mut self, argument: &str) -> WarningTarget {
        let (on, positive) = match argument.strip_prefix("no-") {
            Some(rest) => (false, rest),
            None => (true, argument),
        };
        match positive {
            "error" => {
                self.as_errors = on;
                return WarningTarget::CompilerToo;
            }
            "extra" => {
                self.extra = on;
                return WarningTarget::CompilerToo;
            }
            _ => {}
        }
        let (as_error, name) = match positive.strip_prefix("error=") {
            Some(name) => (true, name),
            None => (false, positive),
        };
        let mut target = None;
        for (code, reach) in named(name) {
            let choice = self.named.entry(code.number).or_default();
            match as_error {
                // `-Werror=name` also turns the warning on.
                true if on => (choice.shown, choice.error) = (Some(true), Some(true)),
                true => choice.error = Some(false),
                false => choice.shown = Some(on),
            }
            if reach == Reach::Both {
                target = Some(WarningTarget::CompilerToo);
            }
            target = target.or(Some(WarningTarget::Nobody));
        }
        target.unwrap_or_else(|| match name.starts_with("upc-") {
            true => WarningTarget::Unknown(closest(
                name,
                codes::warnings().map(|(_, option)| option.name),
            )),
            false => WarningTarget::CompilerToo,
        })
    }

    /// How a code counts: `None` if it is not shown.
    fn severity(&self, code: Code, local: Option<Local>) -> Option<Severity> {
        let Some(option) = code.option else {
            return Some(code.severity);
        };
        let choice = self.named.get(&code.number).copied().unwrap_or_default();
        let on = choice
            .shown
            .unwrap_or(option.reach != Reach::Extra || self.extra);
        let error = choice.error.unwrap_or(self.as_errors);
        let as_wanted = if error {
            Severity::Error
        } else {
            Severity::Warning
        };
        match local {
            _ if self.suppress => None,
            Some(Local::Ignored) => None,
            Some(Local::Error) => Some(Severity::Error),
            Some(Local::Warning) => Some(as_wanted),
            None => on.then_some(as_wanted),
        }
    }
}

/// The warnings that `name` stands for, and who else knows them.
fn named(name: &str) -> impl Iterator<Item = (Code, Reach)> + '_ {
    let in_group = move |option: &str| name == UPC_GROUP && option.starts_with("upc-");
    codes::warnings()
        .filter(move |(_, option)| option.name == name || in_group(option.name))
        .map(|(code, option)| (code, option.reach))
}

/// A `#pragma GCC diagnostic` (or clang's) that sets a warning: the verb and the option's name without `-W`. `text` is without `#pragma`.
fn diagnostic_pragma(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_whitespace();
    if !matches!(words.next()?, "GCC" | "clang") || words.next()? != "diagnostic" {
        return None;
    }
    let verb = words.next()?;
    let option = words.next().unwrap_or_default().trim_matches('"');
    Some((verb, option.strip_prefix("-W").unwrap_or_default()))
}

/// Whether a pragma speaks of warnings of ours that the C compiler does not know.
fn is_our_pragma(text: &str) -> bool {
    let ours = |(_, reach)| matches!(reach, Reach::Ours | Reach::Extra);
    diagnostic_pragma(text).is_some_and(|(_, name)| named(name).any(ours))
}

/// `#pragma upc ...`, `#pragma pupc ...` and those that speak of warnings of ours alone: the C compiler does not see them.
pub fn is_upc_pragma(text: &str) -> bool {
    matches!(text.split_whitespace().next(), Some("upc" | "pupc")) || is_our_pragma(text)
}

/// What a `#pragma GCC diagnostic` makes of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Local {
    Ignored,
    Warning,
    Error,
}

/// The `#pragma GCC diagnostic` of a unit, as far as they speak of our warnings.
#[derive(Debug, Default)]
struct Regions {
    /// Ascending: from this byte on, these warnings are set so.
    states: Vec<(u32, BTreeMap<u16, Local>)>,
    pushed: Vec<BTreeMap<u16, Local>>,
}

impl Regions {
    /// Takes in a pragma that ends before byte `from`.
    fn pragma(&mut self, from: u32, text: &str) {
        let Some((verb, name)) = diagnostic_pragma(text) else {
            return;
        };
        let last = self.states.last();
        let mut state = last.map(|(_, state)| state.clone()).unwrap_or_default();
        let local = match verb {
            "push" => return self.pushed.push(state),
            "pop" => {
                let state = self.pushed.pop().unwrap_or_default();
                return self.states.push((from, state));
            }
            "ignored" => Local::Ignored,
            "warning" => Local::Warning,
            "error" | "fatal" => Local::Error,
            _ => return,
        };
        for (code, _) in named(name) {
            state.insert(code.number, local);
        }
        self.states.push((from, state));
    }

    /// What holds for a code at a byte.
    fn at(&self, code: Code, byte: u32) -> Option<Local> {
        let index = self.states.partition_point(|(from, _)| *from <= byte);
        let (_, state) = self.states.get(index.checked_sub(1)?)?;
        state.get(&code.number).copied()
    }
}

/// Whether and how the diagnostics of one translation unit count: options, pragmas, and system headers, of which nobody wants warnings.
#[derive(Debug, Default)]
pub struct Verdicts {
    policy: WarningPolicy,
    regions: Regions,
    /// Ascending.
    system_headers: Vec<ByteSpan>,
}

impl Verdicts {
    /// Under these options.
    pub fn new(policy: WarningPolicy) -> Verdicts {
        Verdicts {
            policy,
            ..Verdicts::default()
        }
    }

    /// Says which bytes of the unit come from system headers, in ascending order.
    pub fn system_headers(&mut self, ranges: impl Iterator<Item = ByteSpan>) {
        self.system_headers = ranges.collect();
    }

    /// Takes in the next pragma of the unit: its text without `#pragma`, and the byte behind it.
    pub fn pragma(&mut self, from: u32, text: &str) {
        self.regions.pragma(from, text);
    }

    /// How a code counts at a place; `None`: not at all.
    pub fn severity(&self, code: Code, span: Option<&ByteSpan>) -> Option<Severity> {
        if code.severity == Severity::Warning
            && span.is_some_and(|span| self.in_system_header(span))
        {
            return None;
        }
        let local = span.and_then(|span| self.regions.at(code, span.start));
        self.policy.severity(code, local)
    }

    fn in_system_header(&self, span: &ByteSpan) -> bool {
        let after = self
            .system_headers
            .partition_point(|range| range.start <= span.start);
        self.system_headers[..after]
            .last()
            .is_some_and(|range| span.start < range.end)
    }
}

/// The options that keep the C compiler silent about what we report in its place.
pub fn silenced_in_c() -> impl Iterator<Item = String> {
    codes::warnings()
        .filter(|(_, option)| option.reach == Reach::InPlace)
        .map(|(_, option)| format!("-Wno-{}", option.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(arguments: &[&str]) -> WarningPolicy {
        let mut policy = WarningPolicy::default();
        for argument in arguments {
            policy.option(argument);
        }
        policy
    }

    #[test]
    fn a_name_beats_a_group() {
        let block =
            |arguments: &[&str]| policy(arguments).severity(codes::BLOCK_SIZE_MISMATCH, None);
        let (warning, error) = (Some(Severity::Warning), Some(Severity::Error));
        assert_eq!(block(&[]), warning);
        assert_eq!(block(&["no-upc-block-size"]), None);
        assert_eq!(block(&["no-upc"]), None);
        assert_eq!(block(&["no-upc", "upc-block-size"]), warning);
        assert_eq!(block(&["error"]), error);
        assert_eq!(block(&["no-error=upc-block-size", "error"]), warning);
        assert_eq!(block(&["error=upc-block-size", "no-error"]), error);
        assert_eq!(block(&["no-upc-block-size", "error=upc-block-size"]), error);
        assert_eq!(block(&["error", "no-error"]), warning);
        let mut silent = policy(&["error"]);
        silent.suppress = true;
        assert_eq!(silent.severity(codes::BLOCK_SIZE_MISMATCH, None), None);
        assert_eq!(silent.severity(codes::UNDECLARED, None), error);
    }

    #[test]
    fn the_c_compiler_hears_of_its_own() {
        let mut policy = WarningPolicy::default();
        for (argument, target) in [
            ("upc-block-size", WarningTarget::Nobody),
            ("no-error=upc-block-size", WarningTarget::Nobody),
            ("upc", WarningTarget::Nobody),
            ("no-implicit-int", WarningTarget::Nobody),
            ("incompatible-pointer-types", WarningTarget::CompilerToo),
            ("all", WarningTarget::CompilerToo),
            ("error", WarningTarget::CompilerToo),
            ("no-unused", WarningTarget::CompilerToo),
            (
                "no-upc-blok-size",
                WarningTarget::Unknown(Some("upc-block-size")),
            ),
            ("error=upc-whatever", WarningTarget::Unknown(None)),
        ] {
            assert_eq!(policy.option(argument), target, "{argument}");
        }
    }

    #[test]
    fn pragmas_hold_from_their_place_on() {
        let mut verdicts = Verdicts::default();
        verdicts.pragma(10, "GCC diagnostic push");
        verdicts.pragma(20, "GCC diagnostic ignored \"-Wupc-block-size\"");
        verdicts.pragma(30, "GCC diagnostic error \"-Wupc-block-size\"");
        verdicts.pragma(40, "GCC diagnostic pop");
        verdicts.pragma(50, "GCC poison x");
        assert!(is_our_pragma("GCC diagnostic ignored \"-Wupc-block-size\""));
        assert!(!is_our_pragma("GCC diagnostic ignored \"-Wimplicit-int\""));
        let at = |byte: u32| verdicts.severity(codes::BLOCK_SIZE_MISMATCH, Some(&(byte..byte + 1)));
        assert_eq!(at(15), Some(Severity::Warning));
        assert_eq!(at(25), None);
        assert_eq!(at(35), Some(Severity::Error));
        assert_eq!(at(45), Some(Severity::Warning));
    }
}
