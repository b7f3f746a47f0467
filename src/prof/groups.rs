//! The groups of events, and what all views and exports ask about a group: one table, with a column for each question.

use super::analyze::Category;
use super::report::State;
use super::roles::Role;

/// The answer in a column of the table.
macro_rules! answer {
    (yes) => {
        true
    };
    (-) => {
        false
    };
}

/// Defines [`Group`] and its table from the same rows.
macro_rules! groups {
    ($($group:ident $word:literal $state:ident $category:ident $paraver:literal $otf2:literal
       $region:tt $computes:tt $waits:tt $basic:tt $ordered:tt $goes_on:tt
       $role:ident [$($select:literal)*] $doc:literal;)*) => {
        /// The group of an event, by which it is filtered, coloured and categorised.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Group {
            $(#[doc = $doc] $group,)*
        }

        /// All groups, in this order.
        pub const GROUPS: &[Group] = &[$(Group::$group,)*];

        /// The facts of all groups, in the order of [`Group`].
        const FACTS: &[Facts] = &[
            $(Facts {
                word: $word,
                state: State::$state,
                category: Category::$category,
                paraver: $paraver,
                otf2: $otf2,
                is_region: answer!($region),
                computes: answer!($computes),
                waits: answer!($waits),
                is_basic: answer!($basic),
                is_ordered: answer!($ordered),
                goes_on: answer!($goes_on),
                role: Role::$role,
                selects: &[$($select,)*],
            },)*
        ];
    };
}

/// What is the same for all events of a group.
#[derive(Debug)]
pub struct Facts {
    /// The category by which viewers of other tools filter and colour.
    pub word: &'static str,
    /// What a thread does in the event, as the page colours it.
    pub state: State,
    /// The category of the time in it, if a place of the program raises it. Single accesses are `References`.
    pub category: Category,
    /// The index of its state in the table of the export to Paraver.
    pub paraver: usize,
    /// The role of its regions in OTF2 (`OTF2_RegionRole`).
    pub otf2: u32,
    /// Is it a region of the program, which other events are in?
    pub is_region: bool,
    /// Does the program's own code run in it? Then a thread does not serve others meanwhile, as a rule.
    pub computes: bool,
    /// Does the thread wait for others in it? The runtime yields its processor before it sleeps, so that time without a
    /// processor is part of the waiting.
    pub waits: bool,
    /// Is it an operation of UPC with a cost of its own, which the platform's baseline has?
    pub is_basic: bool,
    /// Is it an operation that a barrier may order?
    pub is_ordered: bool,
    /// Does a thread do it only after it has waited for a flag that it reads again and again?
    pub goes_on: bool,
    /// The role that its events may have in the relations between threads; `roles` says which of them have it.
    pub role: Role,
    /// The words of `--event` and `--report` that select it.
    pub selects: &'static [&'static str],
}

#[rustfmt::skip]
groups! {
//  group       word            state      category     Paraver
//                                                        OTF2 region
//                                                               computes
//                                                                   waits
//                                                                       basic
//                                                                           ordered
//                                                                               goes on
//                                                                                   role     selected by
    Function    "function"      User       Computing    1  1   yes yes -   -   -   -   Plain    ["FUNCTION"]   "A user's function.";
    Get         "get"           Get        Transfers    2  29  -   -   -   yes yes yes Initiate ["GET"]        "Reads of shared memory: GET, MEMGET, NB_GET_INIT.";
    Put         "put"           Put        Transfers    3  29  -   -   -   yes yes yes Initiate ["PUT"]        "Writes of shared memory: PUT, MEMPUT, MEMSET, NB_PUT_INIT.";
    Copy        "copy"          Put        Transfers    3  29  -   -   -   yes yes yes Initiate ["GET" "PUT"]  "Copies from shared to shared memory: MEMCPY.";
    Notify      "barrier"       Barrier    Barriers     4  15  -   -   yes yes -   yes Arrive   ["BARRIER"]    "NOTIFY.";
    Wait        "barrier"       Barrier    Barriers     4  15  -   -   yes yes -   yes Leave    ["BARRIER"]    "WAIT.";
    Barrier     "barrier"       Barrier    Barriers     4  15  -   -   yes yes -   yes Barrier  ["BARRIER"]    "BARRIER, and the implicit barrier at exit.";
    Fence       "fence"         Runtime    Barriers     4  17  -   -   -   yes yes -   Plain    []             "FENCE.";
    Forall      "forall"        User       Computing    1  8   yes yes -   -   -   -   Plain    []             "FORALL.";
    Loop        "loop"          User       Computing    1  8   yes yes -   -   -   -   Plain    []             "A loop of the user's, which raises no events.";
    Lock        "lock"          Lock       Locks        5  12  -   -   yes yes yes yes Acquire  ["LOCK"]       "Locking and unlocking.";
    Memory      "memory"        Memory     Memory       7  35  -   -   -   -   yes yes Plain    ["MEMORY"]     "Allocating and freeing memory, shared and private, and locks.";
    Collective  "collective"    Collective Collectives  6  26  -   -   yes yes yes yes Plain    ["COLLECTIVE"] "Collective functions.";
    NonBlocking "non-blocking"  Completion Transfers    4  29  -   -   yes -   yes yes Complete []             "Transfer and completion of non-blocking operations; their initiations are in Get, Put and Copy.";
    Atomic      "atomic"        Atomic     Atomics      5  14  -   -   -   yes yes yes Plain    []             "Atomic operations on shared memory.";
    Io          "io"            Io         Files        8  27  -   -   yes -   yes yes Plain    ["IO"]         "Input and output.";
    Semaphore   "semaphore"     Semaphore  Semaphores   4  12  -   -   yes -   yes yes Plain    ["SEMAPHORE"]  "Other calls of semaphores.";
    Post        "semaphore"     Semaphore  Semaphores   4  12  -   -   -   -   yes yes Plain    ["SEMAPHORE"]  "Posts of semaphores. Who posts waits for nobody.";
    Mpi         "mpi"           Mpi        Mpi          9  2   -   -   yes -   yes yes Plain    ["MPI"]        "The program's own calls of MPI. For OTF2, wrappers: calls of another library.";
    Cache       "cache"         Runtime    Inserted     2  31  -   -   -   -   -   -   Plain    []             "Software cache.";
    Runtime     "runtime"       Runtime    Inserted     1  31  -   yes -   -   -   -   Plain    []             "The end of the program, static shared objects and other reports of the runtime.";
    Note        "recording"     Runtime    Inserted     1  31  -   yes -   -   -   -   Plain    []             "Notes of the recording itself, such as that events are missing.";
    User        "user"          User       Computing    1  4   yes yes -   -   -   -   Plain    ["USER"]       "The user's own events.";
}

/// Returns the groups that a word of `--report` or `--event` stands for; none for any other word.
pub fn selected(word: &str) -> Vec<Group> {
    let is_word = |it: &&str| it.eq_ignore_ascii_case(word);
    let of = |group: &&Group| group.facts().selects.iter().any(is_word);
    GROUPS.iter().filter(of).copied().collect()
}

/// Returns a list of these words.
pub fn group_words() -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in GROUPS.iter().flat_map(|group| group.facts().selects) {
        if !words.contains(word) {
            words.push(word);
        }
    }
    words.join(", ")
}

impl Group {
    /// Returns what is the same for all events of the group.
    pub fn facts(self) -> &'static Facts {
        // The table has a row for each group, because both are made from the same rows.
        &FACTS[self as usize]
    }
}
