//! Variants of a program over messages: in which order their times are predicted, and measured.

use super::times::{Against, Ranked, Timed};
use super::{Costs, DELAY, Form, MORE, Program, RUNS, Recorded, compiled, together};
use crate::context::{Context, read};
use crate::hosts::{Hosts, MACHINES};
use std::path::Path;
use std::time::Duration;

/// A variant of a run over messages: the change that is predicted, and how the program is compiled and run with it.
struct Variant {
    change: String,
    flags: Vec<String>,
    options: &'static [&'static str],
    /// For how much longer than `DELAY` each message is under way.
    delay: Duration,
}

/// What differs between the variants of a program.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Latencies,
    Caches,
    Gathers,
    Blocks,
}

impl Kind {
    fn variants(self, of: &Recorded<'_>, costs: &Costs) -> Result<Vec<Variant>, String> {
        match self {
            Kind::Latencies => latencies(costs),
            Kind::Caches => Ok(caches()),
            Kind::Gathers => gathers(of.wanted.form.context, &of.wanted.program),
            Kind::Blocks => Ok(blocks()),
        }
    }
}

/// Longer delays of messages, as far as they are longer.
const DELAYS: [Duration; 2] = [Duration::from_micros(200), Duration::from_micros(500)];

/// Variants of every program: the cache and its lines.
const CACHES: &[(&str, &[&str])] = &[
    ("cache=on", &["-cache=on"]),
    ("cache=off", &["-cache=off"]),
    (
        "cache=on,cache-line=256",
        &["-cache=on", "-cache-line", "256"],
    ),
    (
        "cache=on,cache-line=4096",
        &["-cache=on", "-cache-line", "4096"],
    ),
];
/// A program with a line that gathers elements, and the text of that line.
pub(super) const GATHERED: (&str, &str) = ("cg", "p[column[");
/// The flag with which it does not.
pub(super) const NO_GATHERS: &str = "-fno-upc-gathers";
/// A program whose array `a` has blocks of `BLOCK` elements, and the sizes that are compared.
pub(super) const BLOCKS: Program = Program {
    name: "blocks",
    source: "xtask/bench/blocks.upc",
    smp: &[],
    messages: &["-DBLOCK=16", "-DSTEPS=200"],
    small: &[],
    arguments: &[],
    weak: true,
    thesis: &[],
};
const BLOCK_SIZES: &[u32] = &[1, 16, 256, 2048];

/// With a cache or without it, and lines of several lengths.
fn caches() -> Vec<Variant> {
    let all = CACHES.iter().map(|&(change, options)| Variant {
        change: change.to_owned(),
        flags: Vec::new(),
        options,
        delay: Duration::ZERO,
    });
    all.collect()
}

/// The network as it is, and with delays: as many times as long as a message and its answer take longer.
fn latencies(costs: &Costs) -> Result<Vec<Variant>, String> {
    let round_trip = costs.round_trip(MORE[0])?;
    let variant = |delay: Duration| {
        let longer = 1.0 + 2.0 * delay.as_nanos() as f64 / round_trip;
        Variant {
            change: format!("latency*{longer:.2}"),
            flags: Vec::new(),
            options: &["-cache=on"],
            delay,
        }
    };
    Ok([Duration::ZERO]
        .into_iter()
        .chain(DELAYS)
        .map(variant)
        .collect())
}

/// A line gathered or not, with the cache and without it.
fn gathers(context: &Context, program: &Program) -> Result<Vec<Variant>, String> {
    let text = read(&context.root.join(program.source))?;
    let line = text.lines().position(|line| line.contains(GATHERED.1));
    let line = line.ok_or_else(|| format!("{} has no line with {}", program.source, GATHERED.1))?;
    let of_cache = |&(change, options): &(&str, &'static [&'static str])| {
        let gathered = Variant {
            change: format!("{change},gather({})", line + 1),
            flags: Vec::new(),
            options,
            delay: Duration::ZERO,
        };
        let alone = Variant {
            change: change.to_owned(),
            flags: vec![NO_GATHERS.to_owned()],
            options,
            delay: Duration::ZERO,
        };
        [gathered, alone]
    };
    Ok(CACHES[..2].iter().flat_map(of_cache).collect())
}

/// Block sizes.
fn blocks() -> Vec<Variant> {
    let all = BLOCK_SIZES.iter().map(|size| Variant {
        change: format!("cache=off,block(a)={size}"),
        flags: vec![format!("-UBLOCK"), format!("-DBLOCK={size}")],
        options: &["-cache=off"],
        delay: Duration::ZERO,
    });
    all.collect()
}

/// The times of variants, which run in turn: what else the machine does changes from minute to minute.
fn measured(
    of: &Recorded<'_>,
    work: &Path,
    form: &Form<'_>,
    variants: &[Variant],
) -> Result<Vec<Timed>, String> {
    let (program, silent) = (&of.wanted.program, form.silent());
    let prepared = variants.iter().enumerate().map(|(at, variant)| {
        let flags = program.messages.iter().copied();
        let flags = flags.chain(variant.flags.iter().map(String::as_str));
        let flags: Vec<&str> = flags.chain([silent.as_str()]).collect();
        let name = format!("variant-{at}");
        let compiled = compiled(form, work, program, &name, &flags)?;
        let hosts = match variant.delay.is_zero() {
            true => None,
            false => Some(Hosts::up_with_delays(
                form.context,
                [DELAY + variant.delay; MACHINES],
            )?),
        };
        Ok((variant, compiled, hosts))
    });
    let prepared: Vec<_> = prepared.collect::<Result<_, String>>()?;
    let mut all = vec![Vec::new(); variants.len()];
    for _ in 0..RUNS {
        for ((variant, compiled, hosts), times) in prepared.iter().zip(&mut all) {
            let form = Form {
                hosts: hosts.as_ref().or(form.hosts),
                ..*form
            };
            let how = (variant.options, program.arguments);
            times.push(form.one_run(MORE[0], compiled, how)?);
        }
    }
    Ok(all.into_iter().map(Timed::new).collect())
}

/// How many pairs of variants that differ for certain have the order that was predicted, and of how many.
pub(super) fn rank(
    of: &Recorded<'_>,
    work: &Path,
    form: &Form<'_>,
    costs: &Costs,
    kind: Kind,
) -> Result<Ranked, String> {
    let (threads, variants) = (MORE[0], kind.variants(of, costs)?);
    let changes = variants.iter();
    let changes = changes.map(|it| format!("threads={threads},{}", it.change));
    let changes: Vec<String> = changes.collect();
    let predicted = of.predict(costs, &changes)?;
    let measured = measured(of, work, form, &variants)?;
    of.keep(work, costs, &together(&changes, &predicted, &measured))?;
    let mut ranked = Ranked::default();
    for a in 0..measured.len() {
        for b in 0..a {
            let longer = match measured[a].against(&measured[b]) {
                Against::Longer => true,
                Against::Shorter => false,
                Against::Uncertain => {
                    ranked.uncertain += 1;
                    continue;
                }
                Against::Alike => continue,
            };
            let as_measured =
                longer == (predicted[a] > predicted[b]) && predicted[a] != predicted[b];
            let right = usize::from(as_measured);
            ranked.right += right;
            ranked.all += 1;
            if !as_measured {
                let of = |at: usize| {
                    let (time, instead) = (measured[at].seconds, predicted[at]);
                    format!("{}: {time:.4} s, not {instead:.4}", variants[at].change)
                };
                println!("  {}; {}", of(a), of(b));
            }
        }
    }
    println!(
        "{:<36} {} of {} pairs of variants as measured, {} uncertain",
        of.wanted.program.name, ranked.right, ranked.all, ranked.uncertain
    );
    Ok(ranked)
}
