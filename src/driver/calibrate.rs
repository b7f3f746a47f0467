//! `upcrun -calibrate`: measures the platform and writes its file.

use super::hosts::Hosts;
use super::mpi;
use super::run::Launch;
use crate::cli::{Failure, Output, log};
use crate::platform::calibrate::{Effort, Wanted, measure};
use crate::target::Network;
use std::io::Write as _;
use std::path::Path;

/// The largest number of threads that are measured without `-n`.
const MOST_THREADS: u32 = 8;

/// Measures, writes the file if one is named, and prints the table.
///
/// # Errors
/// A measurement fails, or the file cannot be written.
pub(super) fn run(launch: &Launch) -> Result<(), Failure> {
    if !launch.program.as_os_str().is_empty() {
        return Err(Failure::usage(
            "`-calibrate` measures a program of its own: give no program",
        ));
    }
    let machines = Hosts::from_env()?.names().len().max(1);
    let wanted = Wanted {
        networks: networks(launch)?,
        most_threads: launch.threads.unwrap_or(MOST_THREADS),
        effort: launch.calibrate.unwrap_or(Effort::usual()),
        machines: launch
            .nodes
            .unwrap_or_else(|| u32::try_from(machines).unwrap_or(u32::MAX)),
    };
    let platform = measure(&wanted)?;
    if let Some(path) = &launch.platform {
        write(path, &platform.text())?;
    }
    super::print(&platform.table());
    Ok(())
}

/// The networks that `-network` names, else smp and, if it is installed, mpi.
fn networks(launch: &Launch) -> Result<Vec<Network>, Failure> {
    let names = || Network::ALL.map(Network::name).join(" or ");
    match launch.network.as_deref() {
        Some(name) => {
            let named = Network::named(name)
                .ok_or_else(|| Failure::usage(format!("`-network={name}`: give {}", names())))?;
            Ok(vec![named])
        }
        None if mpi::is_installed() => Ok(vec![Network::Smp, Network::Mpi]),
        None => {
            log("upcrun", "note: no MPI is installed: only smp is measured");
            Ok(vec![Network::Smp])
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::io("write", path, &error);
    let mut out = Output::open(path.to_str())?;
    out.write_all(text.as_bytes()).map_err(failed)?;
    out.finish().map_err(failed)
}
