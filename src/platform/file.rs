//! The file of a platform. Its format is described in docs/predict.md.

use super::operations::{Axis, OPERATIONS, named};
use super::{CACHE_LINE, CACHE_LINES, Cost, Platform, Setting, Time};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the first line of a file says.
const FORMAT: &str = "upcc platform 1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    format: String,
    name: String,
    #[serde(default = "one")]
    processors: u32,
    #[serde(default = "one")]
    machines: u32,
    #[serde(default)]
    processor_caches: u64,
    setting: Vec<SettingText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SettingText {
    network: String,
    cache: Option<bool>,
    #[serde(default = "cache_line")]
    cache_line: u32,
    #[serde(default = "cache_lines")]
    cache_lines: u32,
    #[serde(default)]
    cache_most: u32,
    cost: BTreeMap<String, Vec<Vec<f64>>>,
}

fn one() -> u32 {
    1
}

fn cache_line() -> u32 {
    CACHE_LINE
}

fn cache_lines() -> u32 {
    CACHE_LINES
}

impl Platform {
    /// Reads a file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Platform, String> {
        let text: Text =
            toml::from_str(text).map_err(|error| format!("is no platform: {error}"))?;
        if text.format != FORMAT {
            return Err(format!(
                "is no platform that this version can read: its format is not `{FORMAT}`"
            ));
        }
        let settings = text.setting.into_iter().map(|it| {
            let costs = it
                .cost
                .into_iter()
                .map(|(name, rows)| Ok((name.clone(), costs(&name, &rows)?)));
            Ok(Setting {
                network: it.network,
                cache: it.cache,
                cache_line: it.cache_line.max(1),
                cache_lines: it.cache_lines,
                cache_most: it.cache_most,
                costs: costs.collect::<Result<_, String>>()?,
            })
        });
        Ok(Platform {
            name: text.name,
            processors: text.processors.max(1),
            machines: text.machines.max(1),
            processor_caches: text.processor_caches,
            settings: settings.collect::<Result<_, String>>()?,
        })
    }

    /// Writes a file.
    pub fn text(&self) -> String {
        // Writing to a String cannot fail, here and below.
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# A row has the number of threads (of bulk operations also the bytes, and where threads compute between operations the\n\
             # microseconds of that), then nanoseconds: what is expected, and the\n\
             # lower and the upper end of what was measured."
        );
        let _ = writeln!(text, "format = {FORMAT:?}\nname = {:?}", self.name);
        let _ = writeln!(
            text,
            "processors = {}\nmachines = {}",
            self.processors, self.machines
        );
        if self.processor_caches != 0 {
            let _ = writeln!(text, "processor-caches = {}", self.processor_caches);
        }
        for setting in &self.settings {
            let _ = writeln!(text, "\n[[setting]]\nnetwork = {:?}", setting.network);
            if let Some(cache) = setting.cache {
                let _ = writeln!(text, "cache = {cache}");
                let _ = writeln!(text, "cache-line = {}", setting.cache_line);
                let _ = writeln!(text, "cache-lines = {}", setting.cache_lines);
                if setting.cache_most != 0 {
                    let _ = writeln!(text, "cache-most = {}", setting.cache_most);
                }
            }
            let _ = writeln!(text, "\n[setting.cost]");
            for operation in OPERATIONS {
                let Some(costs) = setting.costs.get(operation.name) else {
                    continue;
                };
                let _ = writeln!(text, "# {}", operation.meaning);
                let rows: Vec<String> = costs.iter().map(|it| row(operation.axis, it)).collect();
                let _ = writeln!(text, "{:?} = [{}]", operation.name, rows.join(", "));
            }
        }
        text
    }
}

fn row(axis: Axis, cost: &Cost) -> String {
    let bytes = match axis {
        Axis::Threads => String::new(),
        Axis::Bytes | Axis::Computing => format!("{}, ", cost.amount),
    };
    let Time { low, mean, high } = cost.time;
    format!("[{}, {bytes}{mean}, {low}, {high}]", cost.threads)
}

/// The costs of an operation.
fn costs(name: &str, rows: &[Vec<f64>]) -> Result<Vec<Cost>, String> {
    let axis = named(name)
        .ok_or_else(|| format!("names an operation `{name}` that does not exist"))?
        .axis;
    let (what, first) = match axis {
        Axis::Threads => ("[threads, time]", 1),
        Axis::Bytes => ("[threads, bytes, time]", 2),
        Axis::Computing => ("[threads, microseconds of computing, time]", 2),
    };
    let cost = |row: &Vec<f64>| {
        let positive = row.iter().all(|it| it.is_finite() && *it >= 0.0);
        let time = match row.get(first..) {
            Some(&[mean]) => Time::exactly(mean),
            Some(&[mean, low, high]) if low <= mean && mean <= high => Time { low, mean, high },
            _ => return None,
        };
        let threads = row[0] as u32;
        (positive && threads > 0).then(|| Cost {
            threads,
            amount: match axis {
                Axis::Threads => 0,
                Axis::Bytes | Axis::Computing => row[1] as u64,
            },
            time,
        })
    };
    let costs: Option<Vec<Cost>> = rows.iter().map(cost).collect();
    let costs = costs.filter(|it| !it.is_empty());
    costs.ok_or_else(|| {
        format!("has costs of `{name}` that are not rows of the form {what}, with or without the two ends of an interval")
    })
}
