//! Selects the warnings to show: the `-W` options and `#pragma GCC diagnostic`.

use super::ByteSpan;
use super::codes::{self, Code, Reach, Severity};
use std::collections::BTreeMap;
use upcc_grammar::spell::closest;

/// The setting of one warning; `None`: not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Choice {
    shown: Option<bool>,
    error: Option<bool>,
}

/// The warning options of a command line. A setting by name overrides a setting for all warnings, in any order, as in
/// gcc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarningPolicy {
    /// `-w`: drop all warnings.
    pub suppress: bool,
    /// `-Werror`: a warning fails the translation.
    pub as_errors: bool,
    /// `-Wextra`: warnings that are off by default are on.
    extra: bool,
    /// A warning about formats is on that only the C compiler has: it reports all that there is about formats.
    formats_of_c: bool,
    /// Settings by code number.
    named: BTreeMap<u16, Choice>,
}

/// Whether the C compiler needs a `-W` option too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningTarget {
    /// The C compiler gets it as typed.
    CompilerToo,
    /// The option concerns only warnings of `upcc`; the C compiler does not get it.
    Nobody,
    /// The name is unknown, but begins like a name of `upcc`. The value is the nearest name of `upcc`.
    Unknown(Option<&'static str>),
}

/// The group of all warnings about formats: `-Wno-format`.
const FORMAT_GROUP: &str = "format";

/// Warnings about formats that only the C compiler has.
const FORMATS_OF_C: &[&str] = &[
    "format=2",
    "format-nonliteral",
    "format-security",
    "format-signedness",
    "format-y2k",
];

/// The group of all warnings whose name begins with `upc-`: `-Wno-upc`.
const UPC_GROUP: &str = "upc";

impl WarningPolicy {
    /// Processes `-Wargument`: `name`, `no-name`, `error=name`, `no-error=name`, `error`, `no-error`, `extra`.
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
        if FORMATS_OF_C.contains(&name) {
            self.formats_of_c |= on;
            return WarningTarget::CompilerToo;
        }
        let (on, name) = match name {
            "format=0" => (false, FORMAT_GROUP),
            "format=1" => (on, FORMAT_GROUP),
            name => (on, name),
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

    /// The severity of a code; `None` if it is not shown.
    fn severity(&self, code: Code, local: Option<Local>) -> Option<Severity> {
        let Some(option) = code.option else {
            return Some(code.severity);
        };
        let choice = self.named.get(&code.number).copied().unwrap_or_default();
        if self.formats_of_c && is_of_formats(option.name) {
            return None;
        }
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

/// The warnings that `name` selects, and whether the C compiler knows them.
fn named(name: &str) -> impl Iterator<Item = (Code, Reach)> + '_ {
    let in_group = move |option: &str| {
        name == UPC_GROUP && option.starts_with("upc-")
            || name == FORMAT_GROUP && is_of_formats(option)
    };
    codes::warnings()
        .filter(move |(_, option)| option.name == name || in_group(option.name))
        .map(|(code, option)| (code, option.reach))
}

/// Parses a `#pragma GCC diagnostic` (or clang's) that sets a warning. Returns the verb and the option's name without
/// `-W`. `text` is without `#pragma`.
fn diagnostic_pragma(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_whitespace();
    if !matches!(words.next()?, "GCC" | "clang") || words.next()? != "diagnostic" {
        return None;
    }
    let verb = words.next()?;
    let option = words.next().unwrap_or_default().trim_matches('"');
    Some((verb, option.strip_prefix("-W").unwrap_or_default()))
}

/// True if a pragma names warnings of `upcc` that the C compiler does not know.
fn is_our_pragma(text: &str) -> bool {
    let ours = |(_, reach)| matches!(reach, Reach::Ours | Reach::Extra);
    diagnostic_pragma(text).is_some_and(|(_, name)| named(name).any(ours))
}

/// True for `#pragma upc ...`, `#pragma pupc ...`, `#pragma upcc ...` and pragmas that name only warnings of `upcc`: the
/// C compiler does not see them.
pub fn is_upc_pragma(text: &str) -> bool {
    matches!(
        text.split_whitespace().next(),
        Some("upc" | "pupc" | "upcc")
    ) || is_our_pragma(text)
}

/// The effect of a `#pragma GCC diagnostic` on a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Local {
    Ignored,
    Warning,
    Error,
}

/// The `#pragma GCC diagnostic` lines of a unit that concern warnings of `upcc`.
#[derive(Debug, Default)]
struct Regions {
    /// Ascending by byte: from this byte on, these warnings have these settings.
    states: Vec<(u32, BTreeMap<u16, Local>)>,
    pushed: Vec<BTreeMap<u16, Local>>,
}

impl Regions {
    /// Processes a pragma that ends before byte `from`.
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

    /// The setting of a code at a byte.
    fn at(&self, code: Code, byte: u32) -> Option<Local> {
        let index = self.states.partition_point(|(from, _)| *from <= byte);
        let (_, state) = self.states.get(index.checked_sub(1)?)?;
        state.get(&code.number).copied()
    }
}

/// Decides whether the diagnostics of one translation unit are shown and with what severity, by options, pragmas and
/// system headers, whose warnings are dropped.
#[derive(Debug, Default)]
pub struct Verdicts {
    policy: WarningPolicy,
    regions: Regions,
    /// In ascending order.
    system_headers: Vec<ByteSpan>,
}

impl Verdicts {
    /// Creates the decisions under the given options.
    pub fn new(policy: WarningPolicy) -> Verdicts {
        Verdicts {
            policy,
            ..Verdicts::default()
        }
    }

    /// Sets the bytes of the unit that come from system headers, in ascending order.
    pub fn system_headers(&mut self, ranges: impl Iterator<Item = ByteSpan>) {
        self.system_headers = ranges.collect();
    }

    /// Processes the next pragma of the unit: its text without `#pragma`, and the byte after it.
    pub fn pragma(&mut self, from: u32, text: &str) {
        self.regions.pragma(from, text);
    }

    /// The severity of a code at a place; `None`: it is not shown.
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

/// Whether a warning is one of the group `-Wformat`.
fn is_of_formats(name: &str) -> bool {
    name.starts_with(FORMAT_GROUP)
}

impl WarningPolicy {
    /// The options that silence the C compiler's warnings that `upcc` reports in its place, to come after all others.
    pub fn silenced_in_c(&self) -> impl Iterator<Item = String> + '_ {
        codes::warnings()
            .filter(|(_, option)| option.reach == Reach::InPlace)
            .filter_map(|(code, option)| {
                let of_c = self.formats_of_c && is_of_formats(option.name);
                let choice = self.named.get(&code.number).copied().unwrap_or_default();
                let form = match (of_c, choice) {
                    (false, _) => "no-",
                    (true, choice) if choice.shown == Some(false) => "no-",
                    (true, choice) if choice.error == Some(true) => "error=",
                    (true, _) if option.name == FORMAT_GROUP => "",
                    (true, _) => return None,
                };
                Some(format!("-W{form}{}", option.name))
            })
    }

    /// Whether gcc must be asked to report texts that formats make too long for their place, which it does as part of
    /// the warning about formats: by name or with `-Wall` (`all`), if `upcc` itself checks formats.
    pub fn wants_lengths_of_formats(&self, all: bool) -> bool {
        let choice = self.named.get(&codes::FORMAT.number).copied();
        !self.formats_of_c && choice.and_then(|choice| choice.shown).unwrap_or(all)
    }
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
