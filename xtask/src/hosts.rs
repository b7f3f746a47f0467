//! Three machines made of network namespaces on this one (`xtask/multihost`).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{COMPILE, Context};
use crate::process;

/// They are there until this is dropped.
pub struct Hosts {
    scripts: PathBuf,
}

impl Hosts {
    /// Makes them. Err: why they cannot be had here.
    pub fn up(context: &Context) -> Result<Hosts, String> {
        let scripts = context.root.join("xtask/multihost");
        let hosts = Hosts { scripts };
        process::must(hosts.script("hosts").arg("up"), COMPILE)
            .map_err(|why| format!("network namespaces: {why}"))?;
        Ok(hosts)
    }

    fn script(&self, name: &str) -> Command {
        Command::new(self.scripts.join(name))
    }

    /// The names of the first `count` machines, with room for `each` processes on every one: what `mpirun --host` and `UPC_NODES` want.
    pub fn nodes(count: usize, each: usize) -> String {
        let names: Vec<String> = (1..=count).map(|i| format!("10.99.0.{i}:{each}")).collect();
        names.join(",")
    }

    /// `program` on the first machine, from where MPI's launcher reaches the others.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = self.script("rsh");
        command
            .arg("upctest1")
            .arg(program)
            .envs(process::MPI)
            .env("OMPI_MCA_plm_rsh_agent", self.scripts.join("rsh"))
            .env("OMPI_MCA_rmaps_base_mapping_policy", "node")
            .env("OMPI_MCA_oob_tcp_if_include", "10.99.0.0/24")
            .env("OMPI_MCA_btl_tcp_if_include", "10.99.0.0/24");
        command
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        // What is left behind would be in the way of nobody but the next run, which removes it first.
        let _ = process::must(self.script("hosts").arg("down"), COMPILE);
    }
}
