//! The target of a translation: the representation of pointers-to-shared, the transport, and how code reaches the memory
//! of other threads.

/// The representation of a pointer-to-shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointers {
    /// 64 bits: some for the phase and the thread, the rest for the address.
    Packed {
        /// Bits of the phase.
        phase: u32,
        /// Bits of the thread number.
        thread: u32,
    },
    /// 128 bits (`-fupc-pts=struct`).
    Struct,
}

impl Default for Pointers {
    fn default() -> Pointers {
        Pointers::Packed {
            phase: 20,
            thread: 10,
        }
    }
}

impl Pointers {
    /// Returns `sizeof (shared void *)`.
    pub fn bytes(self) -> u32 {
        match self {
            Pointers::Packed { .. } => 8,
            Pointers::Struct => 16,
        }
    }

    /// Returns the largest block size of a layout qualifier: `UPC_MAX_BLOCK_SIZE`.
    pub fn max_block_size(self) -> u32 {
        match self {
            Pointers::Packed { phase, .. } => (1 << phase) - 1,
            Pointers::Struct => i32::MAX as u32,
        }
    }

    /// Returns the largest number of threads that a pointer can represent.
    pub fn max_threads(self) -> u32 {
        match self {
            Pointers::Packed { thread, .. } => 1 << thread,
            Pointers::Struct => 1 << 20,
        }
    }
}

/// A transport: carries the accesses of a thread to another thread's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Network {
    /// Shared memory of one machine.
    #[default]
    Smp,
    /// Messages between machines, which MPI carries.
    Mpi,
    /// The same messages, which UCX carries.
    Ucx,
}

impl Network {
    /// Every transport.
    pub const ALL: [Network; 3] = [Network::Smp, Network::Mpi, Network::Ucx];

    /// The name in `-network` and in notes, and of the folder in `runtime-c/src/transport/`.
    pub fn name(self) -> &'static str {
        match self {
            Network::Smp => "smp",
            Network::Mpi => "mpi",
            Network::Ucx => "ucx",
        }
    }

    /// Returns the transport of this name; `None`: there is none.
    pub fn named(name: &str) -> Option<Network> {
        Network::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns whether threads exchange messages: the program then runs on several machines, and a launcher starts it.
    pub fn has_messages(self) -> bool {
        match self {
            Network::Smp => false,
            Network::Mpi | Network::Ucx => true,
        }
    }

    /// Returns the folders in `runtime-c/src/transport/` whose sources a program with this transport has.
    pub fn folders(self) -> &'static [&'static str] {
        match self {
            Network::Smp => &["host", "smp"],
            Network::Mpi => &["host", "messages", "mpi"],
            Network::Ucx => &["host", "messages", "ucx"],
        }
    }
}

/// How the code of a program reaches the memory of other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// `-network`
    pub network: Network,
    /// Loads and stores may be unable to reach memory of other threads: every access checks (`UPCR_REMOTE`).
    pub remote: bool,
}
