//! Writes the facts of the run and of threads: the blocks RUN, THREAD and END.

use super::{APART, FIRST_NS, FIRST_TICK, Writer};
use crate::prof::format::{BlockKind, Field, How, mode, put_varint, zigzag};
use crate::prof::model::{End, dropped};

/// Nanoseconds from when the measurement library records a thread to when the program begins on it.
const STARTING: u64 = 300;

impl Writer<'_> {
    fn clocks(&self, fields: &mut Vec<u8>, time: u64) {
        field(fields, Field::Ticks, self.ticks(time));
        field(fields, Field::Ns, self.ns(time));
        if self.apart() > 0 {
            field(fields, Field::Offset, zigzag(APART.wrapping_neg()));
            field(fields, Field::OffsetError, 700);
        }
    }

    pub(super) fn run(&mut self, file: &mut Vec<u8>) {
        let facts = &self.of.facts;
        let mut fields = Vec::new();
        text_field(&mut fields, Field::Program, &facts.program);
        for arg in &facts.args {
            text_field(&mut fields, Field::Argument, arg);
        }
        field(&mut fields, Field::Threads, facts.threads.into());
        field(
            &mut fields,
            Field::StaticThreads,
            facts.static_threads.into(),
        );
        text_field(&mut fields, Field::Version, &facts.runtime);
        text_field(&mut fields, Field::Network, &facts.network);
        let started = facts
            .started
            .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        field(
            &mut fields,
            Field::Start,
            started.map_or(0, |since| since.as_nanos() as u64),
        );
        let flags = [
            (!facts.has_paths, mode::FLAT),
            (facts.has_local, mode::LOCAL),
            (facts.has_processor, mode::PROCESSOR),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set);
        let modes = flags.fold(mode::TRACE | mode::PROFILE, |all, (_, bit)| all | bit);
        field(&mut fields, Field::Mode, modes);
        for counter in &facts.counters {
            text_field(&mut fields, Field::Counter, counter);
        }
        for setting in &facts.settings {
            text_field(&mut fields, Field::Setting, setting);
        }
        field(&mut fields, Field::Ticks, FIRST_TICK);
        field(&mut fields, Field::Ns, FIRST_NS);
        // A field that a later version may add.
        put_varint(&mut fields, 99);
        put_varint(&mut fields, 3);
        fields.extend(b"new");
        self.block(BlockKind::Run, &fields, file);
    }

    pub(super) fn thread(&mut self, file: &mut Vec<u8>) {
        let facts = &self.of.threads[self.thread as usize];
        let mut fields = Vec::new();
        text_field(&mut fields, Field::Host, &facts.host);
        field(&mut fields, Field::Process, facts.process.into());
        text_field(&mut fields, Field::Processors, &facts.processors);
        // The measurement library begins before the program, which END says.
        let starting = if self.shape.ends { STARTING } else { 0 };
        self.clocks(&mut fields, facts.first.saturating_sub(starting));
        self.block(BlockKind::Thread, &fields, file);
    }

    pub(super) fn end(&mut self, file: &mut Vec<u8>) {
        let facts = &self.of.threads[self.thread as usize];
        let (how, status) = match facts.end {
            End::Unknown => return,
            End::Exit(status) => (How::Exit, status),
            End::GlobalExit(status) => (How::GlobalExit, status),
            End::Signal(signal) => (How::Signal, signal),
            End::WithJob => (How::Job, 0),
            End::Vanished(status) => (How::Vanished, status),
        };
        let mut fields = Vec::new();
        self.clocks(&mut fields, facts.last);
        field(&mut fields, Field::Began, self.ticks(facts.first));
        field(&mut fields, Field::How, how as u64);
        field(&mut fields, Field::Status, status as u64);
        let of = self.of;
        let recorded = of.events[self.thread as usize].len() as u64;
        field(&mut fields, Field::Events, recorded);
        field(&mut fields, Field::Raised, facts.raised.unwrap_or(recorded));
        for (why, number) in [
            (dropped::RATE, Field::DroppedRate),
            (dropped::SIZE, Field::DroppedSize),
            (dropped::DEPTH, Field::DroppedDepth),
        ] {
            field(&mut fields, number, facts.dropped(why));
        }
        field(&mut fields, Field::NodesFull, facts.paths_full);
        self.block(BlockKind::End, &fields, file);
    }
}

fn field(fields: &mut Vec<u8>, field: Field, value: u64) {
    let mut bytes = Vec::new();
    put_varint(&mut bytes, value);
    put_field(fields, field, &bytes);
}

fn text_field(fields: &mut Vec<u8>, field: Field, text: &str) {
    put_field(fields, field, text.as_bytes());
}

fn put_field(fields: &mut Vec<u8>, field: Field, value: &[u8]) {
    put_varint(fields, field as u64);
    put_varint(fields, value.len() as u64);
    fields.extend(value);
}
