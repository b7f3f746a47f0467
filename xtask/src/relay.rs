//! A network whose messages take time: a switch of Ethernet frames that passes each on some time after it came.
//!
//! Each machine of [`Hosts`](crate::hosts::Hosts) has a TAP device. What the machine sends there, this process reads as
//! frames from a file, and what this process writes to the file, the machine receives (Linux,
//! Documentation/networking/tuntap.rst). A device exists as long as its file is open, so the network ends with this process,
//! however that ends.
//!
//! The kernel's own way, `tc qdisc add ... netem delay`, is not in every kernel.

use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read, write};
use rustix::ioctl::{Opcode, Updater, ioctl, opcode};
use rustix::pipe::{PipeFlags, pipe_with};

/// More bytes than a frame has: `xtask/multihost/hosts` gives the devices an MTU of 16,000. A bridge passes on up to 64 KB at
/// once, and frames of 1,500 bytes would take the relay ten times as long.
const FRAME: usize = 16_384;
/// Frames that are read from one device before another one has its turn, and those that are due are passed on.
const BURST: usize = 64;
/// Frames under way of one machine. Those beyond are lost, as in the queue of a switch; TCP sends them again.
const MOST: usize = 1 << 12;
/// The relay's priority: a network does not wait for a processor.
const NICE: i32 = -20;

/// An end of the network.
pub struct Port {
    /// The file of its device.
    pub file: OwnedFd,
    /// For how long frames that come from here are under way.
    pub delay: Duration,
}

/// A running switch; it ends when this value is dropped.
pub struct Relay {
    /// The thread ends when the other end of this pipe is closed.
    stop: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Relay {
    /// Starts a switch of these ports. Err: the system does not allow it.
    pub fn start(ports: Vec<Port>) -> Result<Relay, String> {
        let (stopped, stop) = pipe_with(PipeFlags::CLOEXEC).map_err(|e| format!("pipe: {e}"))?;
        let thread = thread::Builder::new()
            .name("relay".to_owned())
            .spawn(move || {
                // Without the right to it, the relay waits for a processor as the machines do.
                let _ = rustix::process::setpriority_process(None, NICE);
                let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
                Switch::new(ports).run(stopped.as_fd());
            })
            .map_err(|e| format!("thread: {e}"))?;
        Ok(Relay {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed, and its devices are gone.
            let _ = thread.join();
        }
    }
}

/// A frame under way.
struct Frame {
    due: Instant,
    bytes: Vec<u8>,
}

struct Switch {
    ports: Vec<Port>,
    /// What comes from each port, in the order in which it came, which is the order in which it is due.
    queues: Vec<VecDeque<Frame>>,
    /// The port behind which an address was seen last.
    places: HashMap<[u8; 6], usize>,
}

impl Switch {
    fn new(ports: Vec<Port>) -> Switch {
        Switch {
            queues: ports.iter().map(|_| VecDeque::new()).collect(),
            ports,
            places: HashMap::new(),
        }
    }

    /// Passes frames on until the other end of `stopped` is closed. It sleeps while nothing comes and nothing is due.
    fn run(&mut self, stopped: BorrowedFd<'_>) {
        loop {
            let mut files: Vec<PollFd<'_>> = vec![PollFd::new(&stopped, PollFlags::IN)];
            let ports = self.ports.iter();
            files.extend(ports.map(|port| PollFd::new(&port.file, PollFlags::IN)));
            let timeout = self.first_due().map(until);
            match poll(&mut files, timeout.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return,
            }
            if !files[0].revents().is_empty() {
                return;
            }
            let ready: Vec<bool> = files[1..]
                .iter()
                .map(|it| !it.revents().is_empty())
                .collect();
            for (port, _) in ready.iter().enumerate().filter(|(_, is_ready)| **is_ready) {
                if self.receive(port).is_err() {
                    return;
                }
            }
            self.pass_on(Instant::now());
        }
    }

    /// When the next frame is due.
    fn first_due(&self) -> Option<Instant> {
        let first = self.queues.iter().filter_map(VecDeque::front);
        first.map(|frame| frame.due).min()
    }

    /// Takes frames from a port. Err: its device does not exist any more, so poll would never wait again.
    fn receive(&mut self, port: usize) -> Result<(), Errno> {
        let mut buffer = [0; FRAME];
        for _ in 0..BURST {
            let length = match read(&self.ports[port].file, &mut buffer) {
                Ok(length) => length,
                Err(Errno::AGAIN | Errno::INTR) => break,
                Err(gone) => return Err(gone),
            };
            let bytes = &buffer[..length];
            let Some(source) = address(bytes, 6) else {
                continue;
            };
            self.places.insert(source, port);
            if self.queues[port].len() < MOST {
                self.queues[port].push_back(Frame {
                    due: Instant::now() + self.ports[port].delay,
                    bytes: bytes.to_vec(),
                });
            }
        }
        Ok(())
    }

    /// Sends the frames that are due.
    fn pass_on(&mut self, now: Instant) {
        for from in 0..self.ports.len() {
            while self.queues[from].front().is_some_and(|it| it.due <= now) {
                let frame = self.queues[from].pop_front();
                frame.iter().for_each(|it| self.send(from, &it.bytes));
            }
        }
    }

    /// Sends a frame to the port that has its address, or to all others: it may be for all, or for an address that was not
    /// seen yet.
    fn send(&self, from: usize, bytes: &[u8]) {
        let known = address(bytes, 0).and_then(|to| self.places.get(&to));
        let to = (0..self.ports.len())
            .filter(|port| *port != from)
            .filter(|port| known.is_none_or(|known| known == port));
        for port in to {
            // A machine off the network, or whose queue is full, loses it.
            let _ = write(&self.ports[port].file, bytes);
        }
    }
}

/// The address of 6 bytes at a place of a frame. `None`: the frame is too short for the header of Ethernet.
fn address(bytes: &[u8], at: usize) -> Option<[u8; 6]> {
    let header = bytes.get(..14)?;
    header[at..at + 6].try_into().ok()
}

/// The time until then; 0 if it has passed.
fn until(due: Instant) -> Timespec {
    let rest = due.saturating_duration_since(Instant::now());
    Timespec {
        tv_sec: rest.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: rest.subsec_nanos().into(),
    }
}

/// `struct ifreq` of `<linux/if.h>`, as TUNSETIFF reads and writes it.
#[repr(C)]
struct Request {
    name: [u8; 16],
    flags: u16,
    rest: [u8; 22],
}

/// IFF_TAP | IFF_NO_PI of `<linux/if_tun.h>`: frames of Ethernet, with nothing in front of them.
const TAP: u16 = 0x0002 | 0x1000;
const TUNSETIFF: Opcode = opcode::write::<i32>(b'T', 202);

/// Creates a TAP device in this process's network namespace. Returns its file, and the name that the kernel chose. Err: why
/// that is not possible.
pub fn device() -> Result<(OwnedFd, String), String> {
    let why = |e: Errno| format!("/dev/net/tun: {e}");
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = open("/dev/net/tun", flags, Mode::empty()).map_err(why)?;
    let mut request = Request {
        name: *b"upctest%d\0\0\0\0\0\0\0",
        flags: TAP,
        rest: [0; 22],
    };
    #[allow(
        unsafe_code,
        reason = "TUNSETIFF reads and writes a struct ifreq of 40 bytes, which `Request` is"
    )]
    // SAFETY: the reason above.
    unsafe {
        ioctl(&file, Updater::<{ TUNSETIFF }, Request>::new(&mut request)).map_err(why)?;
    }
    let name = request.name.iter().take_while(|it| **it != 0);
    Ok((file, name.map(|it| char::from(*it)).collect()))
}

#[cfg(test)]
mod tests {
    use super::{Port, Relay};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixDatagram;
    use std::time::{Duration, Instant};

    const DELAY: Duration = Duration::from_millis(20);

    /// A frame to a machine, 255: all, from another one.
    fn frame(to: u8, from: u8, text: &str) -> Vec<u8> {
        let header = [[to; 6], [from; 6]].concat();
        [&header[..], &[8, 0], text.as_bytes()].concat()
    }

    /// A switch of three machines, the last of which is slow, and their ends.
    fn network() -> (Relay, Vec<UnixDatagram>) {
        let (mut ports, mut ends) = (Vec::new(), Vec::new());
        for delay in [Duration::ZERO, Duration::ZERO, DELAY] {
            let (port, end) = UnixDatagram::pair().expect("the system has sockets");
            port.set_nonblocking(true).expect("it is a socket");
            end.set_read_timeout(Some(Duration::from_secs(10)))
                .expect("it is a socket");
            ports.push(Port {
                file: OwnedFd::from(port),
                delay,
            });
            ends.push(end);
        }
        (Relay::start(ports).expect("a thread starts"), ends)
    }

    fn next(end: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let length = end.recv(&mut bytes).expect("a frame comes");
        String::from_utf8_lossy(&bytes[14..length]).into_owned()
    }

    #[test]
    fn frames_go_to_their_address_or_to_all() {
        let (_relay, ends) = network();
        ends[0].send(&frame(255, 0, "who is 1?")).expect("sent");
        assert_eq!(next(&ends[1]), "who is 1?");
        assert_eq!(next(&ends[2]), "who is 1?");
        ends[1].send(&frame(0, 1, "I am")).expect("sent");
        assert_eq!(next(&ends[0]), "I am");
        // Address 1 is known now: the third machine sees only what comes for all after it.
        ends[0].send(&frame(1, 0, "for 1")).expect("sent");
        ends[0].send(&frame(255, 0, "for all")).expect("sent");
        assert_eq!(next(&ends[1]), "for 1");
        assert_eq!(next(&ends[2]), "for all");
    }

    #[test]
    fn frames_of_a_slow_machine_come_in_order_and_not_early() {
        let (_relay, ends) = network();
        let start = Instant::now();
        for text in ["first", "second"] {
            ends[2].send(&frame(255, 2, text)).expect("sent");
        }
        assert_eq!(next(&ends[0]), "first");
        assert!(start.elapsed() >= DELAY);
        assert_eq!(next(&ends[0]), "second");
    }

    #[test]
    fn the_files_are_closed_when_the_network_ends() {
        let (relay, ends) = network();
        drop(relay);
        assert!(ends[0].send(&frame(255, 0, "nobody")).is_err());
    }
}
