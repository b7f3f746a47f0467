//! The machine code of loops that must be fast: no call and no division in an innermost loop of some samples, the loops
//! of tests/hotloops/naive.upc are vectorised, and those of tests/hotloops/selects.upc have no jump but their own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::test::Test;
use crate::context::{COMPILE, Context, forever};
use crate::process;

/// A function of a sample whose innermost loops are hot.
struct Hot {
    sample: &'static str,
    function: &'static str,
    /// Static THREADS; `None`: dynamic.
    threads: Option<usize>,
}

const HOT: &[Hot] = &[
    Hot {
        sample: "matmul_blocked.upc",
        function: "multiply",
        threads: Some(4),
    },
    Hot {
        sample: "matmul_blocked.upc",
        function: "multiply",
        threads: None,
    },
    Hot {
        sample: "heat.upc",
        function: "sweep",
        threads: Some(4),
    },
    Hot {
        sample: "heat.upc",
        function: "sweep",
        threads: None,
    },
];

/// Prefixes of mnemonics that leave the loop or divide, on x86-64 and AArch64.
const SLOW: &[&str] = &["call", "div", "idiv", "bl", "blr", "sdiv", "udiv"];

/// One instruction of a disassembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Insn {
    pub address: u64,
    pub mnemonic: String,
    /// The target of a jump inside the function.
    pub target: Option<u64>,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("hotloops")?).as_path();
    let test = |hot: &'static Hot| {
        let kind = hot
            .threads
            .map_or("dynamic".to_string(), |n| format!("static {n}"));
        let name = format!("{}::{} {kind}", hot.sample, hot.function);
        Test::one(name, move || one(context, work, hot, &kind))
    };
    let naive = |threads: Option<usize>| {
        let kind = threads.map_or("dynamic".to_string(), |n| format!("static {n}"));
        Test::one(format!("naive.upc {kind}"), move || {
            vectorised(context, work, threads, &kind)
        })
    };
    let selects = Test::one("selects.upc static 2", move || selects(context, work));
    let tests = HOT.iter().map(test);
    let tests = tests.chain([None, Some(4)].map(naive));
    Ok(tests.chain([selects]).collect())
}

/// Checks that each innermost loop of each function of `selects.upc` has one jump.
fn selects(context: &Context, work: &Path) -> Result<(), String> {
    let object = work.join("selects.o");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-c", "-O3", "-T=2"])
        .arg(context.root.join("tests/hotloops/selects.upc"))
        .arg("-o")
        .arg(&object);
    process::must(&mut upcc, COMPILE)?;
    for (name, body) in functions_of(&object)? {
        let loops = innermost_loops(&body);
        let jumps = |body: &[Insn]| body.iter().filter(|insn| insn.target.is_some()).count();
        let counts: Vec<usize> = loops.into_iter().map(jumps).collect();
        let has_loops = ["gathered", "scattered"].contains(&name.as_str());
        if counts.iter().any(|&it| it != 1) || (has_loops && counts.is_empty()) {
            return Err(format!(
                "jumps in the innermost loops of {name}: {counts:?}"
            ));
        }
    }
    Ok(())
}

/// Returns the functions of an object.
fn functions_of(object: &Path) -> Result<BTreeMap<String, Vec<Insn>>, String> {
    let mut objdump = Command::new("objdump");
    objdump.args(["-d", "--no-show-raw-insn"]).arg(object);
    let listing = process::must(&mut objdump, COMPILE)?;
    Ok(disassembly(&listing.out()))
}

/// The comment on the line of a loop that must be vectorised.
const VECTORISED: &str = "// vectorised";

/// Compares the loops that gcc reports as vectorised with the marked ones.
fn vectorised(
    context: &Context,
    work: &Path,
    threads: Option<usize>,
    kind: &str,
) -> Result<(), String> {
    let source = context.root.join("tests/hotloops/naive.upc");
    let text = std::fs::read_to_string(&source).map_err(|e| format!("naive.upc: {e}"))?;
    let mut upcc = context.upcc("gcc");
    upcc.args(["-c", "-O3", "-fopt-info-vec-optimized"])
        .args(threads.map(|n| format!("-T={n}")))
        .arg(&source)
        .arg("-o")
        .arg(work.join(format!("naive-{}.o", kind.replace(' ', "-"))));
    let report = process::must(&mut upcc, COMPILE)?.err();
    let reported = |line: usize| {
        let place = format!("naive.upc:{line}:");
        let about = |it: &str| it.contains(&place) && it.contains("loop vectorized");
        report.lines().any(about)
    };
    let marked = text
        .lines()
        .zip(1..)
        .filter(|(it, _)| it.contains(VECTORISED));
    let missing: Vec<String> = marked
        .filter(|(_, line)| !reported(*line))
        .map(|(it, line)| format!("line {line}: {}", it.trim()))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("not vectorised:\n{}\n{report}", missing.join("\n"))),
    }
}

fn one(context: &Context, work: &Path, hot: &Hot, kind: &str) -> Result<(), String> {
    let object = work.join(format!("{}-{}.o", hot.sample, kind.replace(' ', "-")));
    let mut upcc = context.upcc("gcc");
    upcc.args(["-c", "-O"])
        .args(hot.threads.map(|n| format!("-T={n}")));
    upcc.arg(context.root.join("samples").join(hot.sample))
        .arg("-o")
        .arg(&object);
    process::must(&mut upcc, COMPILE)?;
    let functions = functions_of(&object)?;
    // gcc may have made clones: `multiply.constprop.0`, `multiply.isra.0`.
    let clone = format!("{}.", hot.function);
    let bodies: Vec<&Vec<Insn>> = functions
        .iter()
        .filter(|(name, _)| *name == hot.function || name.starts_with(&clone))
        .map(|(_, body)| body)
        .collect();
    let loops: Vec<&[Insn]> = bodies
        .iter()
        .flat_map(|body| innermost_loops(body))
        .collect();
    if loops.is_empty() {
        return Err(format!("no loop found in function {}", hot.function));
    }
    let slow: Vec<String> = loops
        .iter()
        .flat_map(|body| body.iter())
        .filter(|insn| is_slow(&insn.mnemonic))
        .map(|insn| format!("{:x}: {}", insn.address, insn.mnemonic))
        .collect();
    if slow.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "in {} innermost loops: {}",
            loops.len(),
            slow.join(", ")
        ))
    }
}

/// Matches `div`, `divq`, `divl` ...; not the floating-point `divsd`.
fn is_slow(mnemonic: &str) -> bool {
    SLOW.iter().any(|slow| {
        mnemonic
            .strip_prefix(slow)
            .is_some_and(|rest| ["", "q", "l", "w", "b"].contains(&rest))
    })
}

/// Returns the functions of an objdump listing.
pub fn disassembly(listing: &str) -> BTreeMap<String, Vec<Insn>> {
    let mut functions = BTreeMap::new();
    let mut current: Option<&mut Vec<Insn>> = None;
    for line in listing.lines() {
        if let Some(name) = line
            .strip_suffix(">:")
            .and_then(|l| l.split_once('<'))
            .map(|(_, name)| name)
        {
            current = Some(functions.entry(name.to_string()).or_default());
        } else if let (Some(body), Some((address, text))) =
            (current.as_deref_mut(), line.trim_start().split_once(":\t"))
        {
            let mut words = text.split_whitespace();
            let (Ok(address), Some(mnemonic)) = (u64::from_str_radix(address, 16), words.next())
            else {
                continue;
            };
            let target = words
                .next()
                .and_then(|w| u64::from_str_radix(w, 16).ok())
                .filter(|_| mnemonic.starts_with(['j', 'b']));
            body.push(Insn {
                address,
                mnemonic: mnemonic.to_string(),
                target,
            });
        }
    }
    functions
}

/// Returns the innermost loops: ranges from the target of a backward jump to the jump that contain no other such range.
pub fn innermost_loops(body: &[Insn]) -> Vec<&[Insn]> {
    let index = |address: u64| body.iter().position(|insn| insn.address == address);
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (end, insn) in body.iter().enumerate() {
        if let Some(start) = insn.target.and_then(index).filter(|start| *start <= end) {
            loops.push((start, end));
        }
    }
    let inside = |a: &(usize, usize), b: &(usize, usize)| a != b && b.0 <= a.0 && a.1 <= b.1;
    loops
        .iter()
        .filter(|outer| !loops.iter().any(|l| inside(l, outer)))
        .map(|&(start, end)| &body[start..=end])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "\
0000000000000000 <f>:
   0:\ttest   %edi,%edi
   2:\tjle    20 <f+0x20>
   4:\tmov    $0x0,%eax
   8:\tadd    (%rsi,%rax,4),%edx
   c:\tadd    $0x1,%rax
  10:\tcmp    %rax,%rcx
  12:\tjne    8 <f+0x8>
  14:\tidivl  %ecx
  18:\tcall   1d <f+0x1d>
  1d:\tjmp    4 <f+0x4>
  20:\tret
";

    #[test]
    fn the_inner_of_two_loops_is_found() {
        let functions = disassembly(LISTING);
        let loops = innermost_loops(&functions["f"]);
        assert_eq!(loops.len(), 1);
        assert_eq!((loops[0][0].address, loops[0].len()), (8, 4));
        assert!(!loops[0].iter().any(|insn| is_slow(&insn.mnemonic)));
    }

    #[test]
    fn integer_division_and_calls_are_slow_floating_division_is_not() {
        for slow in ["call", "callq", "idivl", "divq", "bl"] {
            assert!(is_slow(slow), "{slow}");
        }
        for fast in ["divsd", "vdivpd", "jmp", "ble", "blt"] {
            assert!(!is_slow(fast), "{fast}");
        }
    }
}
