//! The costs of the platform, measured before each turn of the programs.

use super::{Form, PARTS};
use crate::context::{Context, read, write};
use crate::process;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long one measurement may take.
const LIMIT: Duration = Duration::from_secs(900);

/// The files of costs of all turns, in a folder.
pub(super) struct Costs {
    folder: PathBuf,
}

impl Costs {
    /// The costs in the folder that the user has named, or in one of this benchmark.
    pub(super) fn new(context: &Context, work: &Path) -> Result<Costs, String> {
        let folder = context.costs.clone().unwrap_or_else(|| work.join("costs"));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Costs { folder })
    }

    /// The files of all turns.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        (0..PARTS).map(|turn| self.file(turn)).collect()
    }

    fn file(&self, turn: usize) -> PathBuf {
        self.folder.join(format!("turn-{}.platform", turn + 1))
    }

    /// Measures the costs of shared memory and of messages for a turn, unless their file is there: one of both, as of one
    /// machine.
    pub(super) fn measure(
        &self,
        turn: usize,
        here: &Form<'_>,
        machines: &Form<'_>,
    ) -> Result<(), String> {
        let file = self.file(turn);
        if file.exists() {
            return Ok(());
        }
        let part = |name: &str| self.folder.join(name);
        let (smp, mpi) = (part("smp.tmp"), part("mpi.tmp"));
        calibrate(here, "smp", &smp)?;
        calibrate(machines, "mpi", &mpi)?;
        let mpi = read(&mpi)?;
        let settings = mpi.find("\n[[setting]]").map_or("", |at| &mpi[at..]);
        write(&file, &format!("{}{settings}", read(&smp)?))
    }

    /// The nanoseconds in which the smallest transfer is asked for and comes, with a cache: the median of all turns.
    pub(super) fn round_trip(&self, threads: usize) -> Result<f64, String> {
        let trips = self.files().into_iter().map(|file| {
            let trip = round_trip(&read(&file)?, threads);
            trip.ok_or_else(|| format!("{} has no cost of bulk.read with a cache", file.display()))
        });
        let mut trips: Vec<f64> = trips.collect::<Result<_, String>>()?;
        trips.sort_by(f64::total_cmp);
        Ok(trips[trips.len() / 2])
    }
}

/// Measures the platform of a form.
fn calibrate(form: &Form<'_>, network: &str, file: &Path) -> Result<(), String> {
    let mut upcrun = match form.hosts {
        Some(hosts) => hosts.upcrun(),
        None => Command::new(&form.context.upcrun),
    };
    upcrun
        .args(["-calibrate=thorough", "-network", network, "-o"])
        .arg(file)
        .envs(process::MPI);
    process::must(&mut upcrun, LIMIT).map(|_| ())
}

/// The round trip in the text of a platform: a file of TOML whose rows of costs are JSON as well.
fn round_trip(platform: &str, threads: usize) -> Option<f64> {
    let mut settings = platform.split("\n[[setting]]").skip(1);
    let setting = settings.find(|it| it.lines().any(|line| line == "cache = true"))?;
    let mut lines = setting.lines();
    let rows = lines.find_map(|line| line.strip_prefix("\"bulk.read\" = "))?;
    let rows: Vec<Vec<f64>> = serde_json::from_str(rows).ok()?;
    let row = rows
        .iter()
        .find(|row| row.starts_with(&[threads as f64, 8.0]))?;
    row.get(2).copied()
}
