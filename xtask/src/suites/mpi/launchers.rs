//! Connections of the runtime's launchers on three machines, by IPv4 and by IPv6: with whom each is connected, and at which
//! addresses it listens while the job starts. Machines that are some way apart give the time to see that.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::context::{COMPILE, Context, RUN, write};
use crate::hosts::{ADDRESSES, ADDRESSES_V6, Hosts, MACHINES};
use crate::process;
use crate::report::Tally;
use crate::suites::forms;
use crate::suites::test::{Shared, Test};

const PROGRAM: &str = "#include <unistd.h>
#include <upc.h>
int main(void)
{
    upc_barrier;
    sleep(1);
    upc_barrier;
    return 0;
}
";
const DELAYS: [Duration; MACHINES] = [Duration::from_millis(150); MACHINES];
/// Two on each machine. Threads 0, 2 and 4 have children.
const THREADS: usize = 6;
const LOOK: Duration = Duration::from_millis(5);
/// The priority of the thread that looks, which other tests must not delay.
const NICE: i32 = -20;

/// The states of sockets in `/proc/net/tcp`.
const ESTABLISHED: &str = "01";
const LISTENS: &str = "0A";

/// A network: the beginning of its addresses, and upcrun whose launchers keep to it.
struct Net {
    name: &'static str,
    addresses: &'static str,
    upcrun: fn(&Hosts) -> Command,
}

static NETS: [Net; 2] = [
    Net {
        name: "IPv4",
        addresses: ADDRESSES,
        upcrun: Hosts::upcrun,
    },
    Net {
        name: "IPv6",
        addresses: ADDRESSES_V6,
        upcrun: Hosts::upcrun_v6,
    },
];

pub fn tests(context: &'static Context, work: &'static Path) -> Vec<Test> {
    let hosts = Shared::<Hosts>::default();
    let test = |net: &'static Net| {
        let hosts = hosts.clone();
        let name = format!("launchers on three machines by {}", net.name);
        Test::new(name.clone(), move || {
            match hosts.get(|| Hosts::up_with_delays(context, DELAYS)) {
                Err(why) => Tally::skipped(&name, &why),
                Ok(hosts) => {
                    let program = build(context, work, net);
                    Tally::one(&name, program.and_then(|it| check(net, hosts, &it)))
                }
            }
        })
    };
    NETS.iter().map(test).collect()
}

/// Builds a program whose processes are known by its name.
fn build(context: &Context, work: &Path, net: &Net) -> Result<PathBuf, String> {
    let program = work.join(format!("launchers-{}", net.name));
    let source = program.with_extension("upc");
    write(&source, PROGRAM)?;
    let mut upcc = context.upcc("gcc");
    upcc.args([forms::MESSAGES, "-o"]).arg(&program).arg(source);
    process::must(&mut upcc, COMPILE).map(|_| program)
}

/// The addresses at which launchers were seen to listen, and those of their connections.
#[derive(Default, Debug)]
struct Seen {
    listens: BTreeSet<IpAddr>,
    connected: BTreeSet<IpAddr>,
}

fn check(net: &Net, hosts: &Hosts, program: &Path) -> Result<(), String> {
    let mut upcrun = (net.upcrun)(hosts);
    upcrun.args(["-n", &THREADS.to_string()]).arg(program);
    let ended = AtomicBool::new(false);
    let (output, seen) = thread::scope(|scope| {
        let watch = scope.spawn(|| watch(program, &ended));
        let output = process::must(&mut upcrun, RUN);
        ended.store(true, Ordering::Relaxed);
        (output, watch.join())
    });
    let (output, seen) = (output?, seen.map_err(|_| "the watch has panicked")?);
    let of_net = |at: &&IpAddr| at.to_string().starts_with(net.addresses);
    let count = |all: &BTreeSet<IpAddr>| all.iter().filter(of_net).count();
    let is_other = |at: &&IpAddr| !of_net(at) && **at != IpAddr::from(Ipv4Addr::LOCALHOST);
    let strangers: Vec<_> = seen
        .listens
        .union(&seen.connected)
        .filter(is_other)
        .collect();
    // Only thread 0 has children on other machines.
    let fits = count(&seen.listens) == 1 && count(&seen.connected) == MACHINES;
    match fits && strangers.is_empty() && !output.err().contains("cannot connect") {
        true => Ok(()),
        false => Err(format!("{}: {seen:?}: {}", net.addresses, output.tail())),
    }
}

/// Looks at the sockets of all launchers of a program until the job ends.
fn watch(program: &Path, ended: &AtomicBool) -> Seen {
    // Without the right to it, it may miss something on a busy machine.
    let _ = rustix::process::setpriority_process(None, NICE);
    let mut seen = Seen::default();
    while !ended.load(Ordering::Relaxed) {
        for launcher in launchers(program) {
            look(&launcher, &mut seen);
        }
        thread::sleep(LOOK);
    }
    seen
}

/// Returns the folders in `/proc` of the processes that run the program and were not forked by one that does.
fn launchers(program: &Path) -> Vec<PathBuf> {
    let runs = |process: &Path| fs::read_link(process.join("exe")).is_ok_and(|exe| exe == program);
    let is_launcher = |process: &PathBuf| {
        let parent = parent(process).map(|it| Path::new("/proc").join(it));
        runs(process) && parent.is_some_and(|parent| !runs(&parent))
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.map(|entry| entry.path()).filter(is_launcher).collect()
}

fn parent(process: &Path) -> Option<String> {
    let text = fs::read_to_string(process.join("stat")).ok()?;
    // The fields after the name in parentheses: state, parent.
    let words = text.rsplit_once(") ")?.1;
    words.split(' ').nth(1).map(str::to_owned)
}

/// Adds the local addresses of a process's sockets.
fn look(process: &Path, seen: &mut Seen) {
    let tables = ["net/tcp", "net/tcp6"].map(|table| fs::read_to_string(process.join(table)));
    let lines = tables.iter().flatten().flat_map(|table| table.lines());
    let sockets: HashMap<String, (IpAddr, &str)> = lines.filter_map(socket).collect();
    let files = fs::read_dir(process.join("fd")).into_iter().flatten();
    for file in files.flatten() {
        let name = fs::read_link(file.path()).unwrap_or_default();
        match sockets.get(&*name.to_string_lossy()) {
            Some((at, LISTENS)) => seen.listens.insert(*at),
            Some((at, ESTABLISHED)) => seen.connected.insert(*at),
            Some(_) | None => false,
        };
    }
}

/// Reads a line of `/proc/net/tcp` or `tcp6`: the socket as `/proc/PID/fd` names it, its address and its state.
fn socket(line: &str) -> Option<(String, (IpAddr, &str))> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let address = address(words.get(1)?.split_once(':')?.0)?;
    let name = format!("socket:[{}]", words.get(9)?);
    Some((name, (address, *words.get(3)?)))
}

/// Reads an address, printed as words of 4 bytes of which each is a number of this machine's.
fn address(text: &str) -> Option<IpAddr> {
    let words = text.as_bytes().chunks(8).map(|word| {
        let word = u32::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok()?;
        Some(word.to_ne_bytes())
    });
    let bytes = words.collect::<Option<Vec<_>>>()?.concat();
    let v4 = <[u8; 4]>::try_from(&bytes[..]).ok().map(Ipv4Addr::from);
    let v6 = <[u8; 16]>::try_from(&bytes[..]).ok().map(Ipv6Addr::from);
    v4.map(IpAddr::from).or(v6.map(IpAddr::from))
}
