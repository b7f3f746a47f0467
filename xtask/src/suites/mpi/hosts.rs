//! Three machines made of network namespaces (`xtask/multihost`), for one run of the suite.

use std::path::PathBuf;
use std::process::{self as system, Command};

use crate::context::{COMPILE, Context};
use crate::process;

/// Of the machines, with room for so many threads.
const NODES: &str = "10.99.0.1:3,10.99.0.2:3,10.99.0.3:3";
const NETWORK: &str = "10.99.0.0/24";

/// The machines; gone when this is dropped.
pub struct Hosts {
    scripts: PathBuf,
    upcrun: PathBuf,
}

impl Hosts {
    pub fn up(context: &Context) -> Result<Hosts, String> {
        let hosts = Hosts {
            scripts: context.root.join("xtask/multihost"),
            upcrun: context.upcrun.clone(),
        };
        process::must(hosts.script("hosts").arg("up"), COMPILE)?;
        Ok(hosts)
    }

    fn script(&self, name: &str) -> Command {
        let mut script = Command::new(self.scripts.join(name));
        script.env("UPCTEST", system::id().to_string());
        script
    }

    /// upcrun on the first machine, which starts threads on all of them in turn; its arguments are words of a shell.
    pub fn upcrun(&self) -> Command {
        let mut upcrun = self.script("rsh");
        upcrun
            .arg("upctest1")
            .arg(&self.upcrun)
            .envs(process::MPI)
            .env("UPC_NODES", NODES)
            .env("OMPI_MCA_plm_rsh_agent", self.scripts.join("rsh"))
            .env("OMPI_MCA_rmaps_base_mapping_policy", "node")
            .env("OMPI_MCA_oob_tcp_if_include", NETWORK)
            .env("OMPI_MCA_btl_tcp_if_include", NETWORK);
        upcrun
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        // What is left behind is in the way of nobody, and the next run removes it.
        let _ = process::must(self.script("hosts").arg("down"), COMPILE);
    }
}
