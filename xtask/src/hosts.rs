//! Three machines simulated by network namespaces on this one (`xtask/multihost`).

use std::path::{Path, PathBuf};
use std::process::{self as system, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::context::{Build, COMPILE, Context};
use crate::process;
use crate::relay::{self, Port, Relay};

/// The number of machines.
pub const MACHINES: usize = 3;
/// The number of a suite's threads that a machine can run.
const OF_MACHINE: usize = 3;
/// Their network; its addresses begin with [`ADDRESSES`].
const NETWORK: &str = "10.99.0.0/24";
pub const ADDRESSES: &str = "10.99.0.";
/// The same for IPv6.
pub const NETWORK_V6: &str = "fd00:99::/64";
pub const ADDRESSES_V6: &str = "fd00:99::";

/// The machines; removed when this value is dropped.
pub struct Hosts {
    scripts: PathBuf,
    upcrun: PathBuf,
    /// The process id and a number within the process, part of the names of the namespaces.
    set: String,
    /// What joins machines with delays; without delays the kernel does.
    relay: Option<Relay>,
}

impl Hosts {
    /// Creates the machines. Err: the reason why that is not possible.
    pub fn up(context: &Context) -> Result<Hosts, String> {
        Hosts::up_with_delays(context, [Duration::ZERO; MACHINES])
    }

    /// Creates machines of which each has a delay: what it sends is under way for so much longer. Without delays a bridge
    /// of the kernel joins them, otherwise a [`Relay`]. Err: the reason why that is not possible.
    pub fn up_with_delays(
        context: &Context,
        delays: [Duration; MACHINES],
    ) -> Result<Hosts, String> {
        static SETS: AtomicUsize = AtomicUsize::new(0);
        let number = SETS.fetch_add(1, Ordering::Relaxed);
        let mut hosts = Hosts {
            scripts: context.root.join("xtask/multihost"),
            upcrun: context.upcrun.clone(),
            set: format!("{}.{number}", system::id()),
            relay: None,
        };
        let is_delayed = delays.iter().any(|it| !it.is_zero());
        let (mut ports, mut devices) = (Vec::new(), Vec::new());
        for delay in delays.into_iter().filter(|_| is_delayed) {
            let (file, device) = relay::device()?;
            ports.push(Port { file, delay });
            devices.push(device);
        }
        process::must(hosts.script("hosts").arg("up").args(devices), COMPILE)
            .map_err(|why| format!("network namespaces: {why}"))?;
        if is_delayed {
            hosts.relay = Some(Relay::start(ports)?);
        }
        Ok(hosts)
    }

    fn script(&self, name: &str) -> Command {
        let mut script = Command::new(self.scripts.join(name));
        script.env("UPCTEST", &self.set);
        script
    }

    /// Returns the names of the first `count` machines, with `each` processes on every one, in the form of
    /// `mpirun --host` and `UPC_NODES`.
    pub fn nodes(count: usize, each: usize) -> String {
        let names: Vec<String> = (1..=count).map(|i| format!("10.99.0.{i}:{each}")).collect();
        names.join(",")
    }

    /// Returns the command for `program` on the first machine, from which MPI's launcher reaches the others; its
    /// arguments are words of a shell.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = self.script("rsh");
        command
            .args(["upctest1", "exec"])
            .arg(program)
            .envs(process::MPI)
            .env("OMPI_MCA_plm_rsh_agent", self.scripts.join("rsh"))
            .env("OMPI_MCA_rmaps_base_mapping_policy", "node")
            .env("OMPI_MCA_oob_tcp_if_include", NETWORK)
            .env("OMPI_MCA_btl_tcp_if_include", NETWORK);
        command
    }

    /// Returns upcrun on the first machine, which places threads on all machines in turn. The machines do not know that
    /// they share processors.
    pub fn upcrun(&self) -> Command {
        self.with_nodes(self.command(&self.upcrun))
    }

    fn with_nodes(&self, mut command: Command) -> Command {
        command
            .env("UPC_NODES", Hosts::nodes(MACHINES, OF_MACHINE))
            .env("UPC_POLITE_SYNC", "1");
        command
    }

    /// Returns the same upcrun; the other machines get nothing of its environment by themselves.
    pub fn bare_upcrun(&self) -> Command {
        let mut upcrun = self.upcrun();
        upcrun.env("OMPI_MCA_plm_rsh_agent", self.scripts.join("bare_rsh"));
        upcrun
    }

    /// Returns the same upcrun, whose launchers keep to IPv6. Open MPI, which does not read the variable that says so,
    /// sends its messages by IPv4.
    pub fn upcrun_v6(&self) -> Command {
        let mut upcrun = self.upcrun();
        upcrun
            .env_remove("OMPI_MCA_oob_tcp_if_include")
            .env_remove("OMPI_MCA_btl_tcp_if_include")
            .env("MPIR_CVAR_NETWORK_IFACE", NETWORK_V6);
        upcrun
    }

    /// Takes the third machine off the network.
    pub fn cut_off(&self) -> Result<(), String> {
        let mut ip = Command::new("ip");
        ip.arg("-netns").arg(format!("upctest{}-3", self.set));
        ip.args(["link", "set", "eth0", "down"]);
        process::must(&mut ip, COMPILE).map(|_| ())
    }
}

/// Runs a command on the first of three machines. delays: microseconds for which what each machine sends is under way, or
/// one number for all. Returns whether the command succeeds. Err: that is not possible.
pub fn command(delays: &[u64], words: &[String]) -> Result<bool, String> {
    let delays = match *delays {
        [all] => [all; MACHINES],
        [first, second, third] => [first, second, third],
        _ => {
            return Err(format!(
                "{} delays: give one for all machines, or {MACHINES}",
                delays.len()
            ));
        }
    };
    let (program, arguments) = words.split_first().ok_or("no command")?;
    let context = Context::new(false, Build::Dev)?;
    let hosts = Hosts::up_with_delays(&context, delays.map(Duration::from_micros))?;
    let mut command = hosts.with_nodes(hosts.command(Path::new(program)));
    let status = command.args(arguments).status();
    Ok(status.map_err(|e| format!("{program}: {e}"))?.success())
}

impl Drop for Hosts {
    fn drop(&mut self) {
        // It needs the devices, which go with the machines.
        drop(self.relay.take());
        // Any leftovers do no harm, and the next run removes them.
        let _ = process::must(self.script("hosts").arg("down"), COMPILE);
    }
}
