//! The contents of one thread's blocks.

use super::blocks::Block;
use super::clock::{Moment, Offset};
use super::define::Local;
use super::fields::Fields;
use crate::prof::format::{BLOCK_HEADER, Field, How, unzigzag, varint};
use crate::prof::model::{End, Thread, dropped};
use std::collections::BTreeMap;

/// The file's data of one thread.
#[derive(Debug, Default)]
pub struct PerThread {
    pub local: Local,
    /// Its blocks of events in order; those of the pthreads other than the first, by their numbers.
    pub events: Vec<Block>,
    pub pthreads: BTreeMap<u32, Vec<Block>>,
    /// The numbers of the blocks in front of which others are missing.
    pub gaps: Vec<u32>,
    /// The number of its next block, and the check sum of its last one.
    pub next: u32,
    pub sum: u32,
    pub pthread_ticks: u64,
    /// The index of its machine's clock.
    pub clock: usize,
    pub facts: Option<Thread>,
    pub first: Option<Moment>,
    /// The tick at which the program began, after what the measurement library has done.
    pub began: Option<u64>,
    pub last: Option<Moment>,
    /// Comparisons of its machine's clock with thread 0's, at its start and at its end.
    pub offsets: [Option<Offset>; 2],
}

impl PerThread {
    pub fn facts(&mut self) -> &mut Thread {
        self.facts.get_or_insert_with(|| Thread::unknown(0))
    }

    pub fn bytes_add(&mut self, block: &Block) {
        self.facts().bytes += u64::from(block.head.length) + BLOCK_HEADER as u64;
    }

    pub fn moment(&mut self, moment: Moment) {
        let first = self.first.get_or_insert(moment);
        if moment.ticks < first.ticks {
            *first = moment;
        }
        let last = self.last.get_or_insert(moment);
        if moment.ticks > last.ticks {
            *last = moment;
        }
    }

    /// Adds a block of events, whose head has both clocks.
    pub fn events(&mut self, block: Block, mut payload: &[u8]) -> Option<()> {
        let (ticks, ns) = (varint(&mut payload)?, varint(&mut payload)?);
        self.moment(Moment { ticks, ns });
        self.events.push(block);
        Some(())
    }

    /// Adds a block of events of a pthread, whose number comes first.
    pub fn pthread_events(&mut self, block: Block, mut payload: &[u8]) -> Option<()> {
        let number = u32::try_from(varint(&mut payload)?).ok()?;
        let (ticks, ns) = (varint(&mut payload)?, varint(&mut payload)?);
        self.moment(Moment { ticks, ns });
        self.pthreads.entry(number).or_default().push(block);
        Some(())
    }

    /// Returns the blocks of one of its pthreads.
    pub fn blocks_of(&self, pthread: u32) -> &[Block] {
        match pthread {
            0 => &self.events,
            pthread => self.pthreads.get(&pthread).map_or(&[], Vec::as_slice),
        }
    }

    /// Returns whether all blocks between these two are there.
    pub fn is_complete(&self, before: &Block, this: &Block) -> bool {
        let is_between = |gap: &u32| *gap > before.head.number && *gap <= this.head.number;
        before.file == this.file && !self.gaps.iter().any(is_between)
    }

    /// Returns the pthreads that have events.
    pub fn with_events(&self) -> impl Iterator<Item = u32> {
        let first = (!self.events.is_empty()).then_some(0);
        first.into_iter().chain(self.pthreads.keys().copied())
    }

    /// Reads the fields of THREAD and END.
    pub fn fields(&mut self, number: u32, is_end: bool, payload: &[u8]) {
        let (mut ticks, mut ns, mut how, mut status) = (None, None, None, 0);
        let (mut offset, mut error) = (None, 0);
        let (mut pthread_ticks, mut began) = (0, None);
        let facts = self.facts();
        facts.id = number;
        for (field, value) in Fields(payload) {
            match field {
                Field::Host => facts.host = value.text(),
                Field::Process => facts.process = value.small(),
                Field::Ticks => ticks = Some(value.number()),
                Field::Ns => ns = Some(value.number()),
                Field::Offset => offset = Some(unzigzag(value.number()) as i64),
                Field::OffsetError => error = value.number(),
                Field::Processors => facts.processors = value.text(),
                // In ticks until the clock is known.
                Field::PairCost => facts.pair_cost = value.number(),
                Field::PairError => facts.pair_error = value.number(),
                Field::How => how = How::from_code(value.number()),
                Field::Status => status = value.small() as i32,
                Field::Events => facts.events = Some(value.number()),
                Field::Raised => facts.raised = Some(value.number()),
                Field::NodesFull => facts.paths_full = value.number(),
                Field::Salvaged => facts.salvaged = value.number() != 0,
                Field::Pthreads => facts.pthreads = value.number(),
                Field::PthreadTicks => pthread_ticks = value.number(),
                Field::Began => began = Some(value.number()),
                Field::DroppedSampling => facts.dropped.push((dropped::SAMPLED, value.number())),
                Field::DroppedRate => facts.dropped.push((dropped::RATE, value.number())),
                Field::DroppedSize => facts.dropped.push((dropped::SIZE, value.number())),
                Field::DroppedDepth => facts.dropped.push((dropped::DEPTH, value.number())),
                Field::DroppedControl => facts.dropped.push((dropped::CONTROL, value.number())),
                Field::DroppedReentry => facts.dropped.push((dropped::REENTRY, value.number())),
                Field::Program
                | Field::Argument
                | Field::Threads
                | Field::StaticThreads
                | Field::Version
                | Field::Start
                | Field::Mode
                | Field::Counter
                | Field::Setting
                | Field::Network => {}
            }
        }
        facts.dropped.retain(|(_, count)| *count > 0);
        facts.end = match how {
            Some(How::Exit) => End::Exit(status),
            Some(How::GlobalExit) => End::GlobalExit(status),
            Some(How::Signal) => End::Signal(status),
            Some(How::Job) => End::WithJob,
            Some(How::Vanished) => End::Vanished(status),
            None => facts.end,
        };
        self.pthread_ticks = self.pthread_ticks.max(pthread_ticks);
        self.began = began.or(self.began);
        if let Some((ticks, ns)) = ticks.zip(ns) {
            self.moment(Moment { ticks, ns });
        }
        if let Some((at, ns)) = ns.zip(offset) {
            self.offsets[usize::from(is_end)] = Some(Offset { at, ns, error });
        }
    }
}
