//! Writes the blocks PROFILE and COUNTS.

use super::{EventSiteKey, Writer};
use crate::prof::format::{BlockKind, put_varint};
use crate::prof::kinds;
use crate::prof::model::{Cell, Event, Frame, Key, PathId, Phase, Profile, Samples};
use std::collections::HashMap;

impl Writer<'_> {
    pub(super) fn profile(&mut self, profile: &Profile, file: &mut Vec<u8>) {
        let mut nodes: HashMap<PathId, u64> = HashMap::from([(PathId::ROOT, 0)]);
        let mut payload = Vec::new();
        let mut samples = Vec::new();
        let mut count = 0;
        for (at, frame) in profile.paths.iter().enumerate().skip(1) {
            let path = PathId(at as u32);
            let mine = |(key, _): &&(Key, Cell)| key.thread == self.thread && key.path == path;
            let mut cells: Vec<(Key, Cell)> = profile.cells.iter().filter(mine).cloned().collect();
            if cells.is_empty() {
                // A node that only leads to its children.
                let key = Key {
                    thread: self.thread,
                    path,
                    peer: None,
                    object: None,
                };
                cells.push((
                    key,
                    Cell {
                        min: 0,
                        min_bytes: 0,
                        ..Cell::default()
                    },
                ));
            }
            for (key, cell) in cells {
                count += 1;
                nodes.entry(path).or_insert(count);
                let event_site = self.event_site_of_frame(frame);
                let object = key.object.map(|it| &self.of.tables.objects[it.0 as usize]);
                let address = cell.first.or(object.map(|it| it.addr)).unwrap_or(0);
                for number in [
                    nodes[&frame.parent],
                    event_site,
                    key.peer.map_or(0, |peer| u64::from(peer) + 1),
                    address,
                    cell.count,
                    cell.timed,
                ] {
                    put_varint(&mut payload, number);
                }
                let min = if cell.timed == 0 { 0 } else { cell.min };
                for time in [cell.total, cell.own, min, cell.max] {
                    put_varint(&mut payload, time * self.shape.ticks);
                }
                let min_bytes = if cell.max_bytes == 0 {
                    0
                } else {
                    cell.min_bytes
                };
                for number in [cell.bytes, min_bytes, cell.max_bytes] {
                    put_varint(&mut payload, number);
                }
                let mut counters = cell.counters.clone();
                counters.resize(self.of.facts.counters.len(), (0, 0));
                for (total, own) in &counters {
                    put_varint(&mut payload, *total);
                    put_varint(&mut payload, *own);
                }
                self.samples(count, &cell, &mut samples);
            }
        }
        self.flush_define(file);
        let mut block = Vec::new();
        put_varint(&mut block, 1);
        put_varint(&mut block, count);
        block.append(&mut payload);
        self.block(BlockKind::Profile, &block, file);
        self.block(BlockKind::Samples, &samples, file);
    }

    fn samples(&self, node: u64, cell: &Cell, payload: &mut Vec<u8>) {
        let samples = &cell.samples;
        if *samples == Samples::default() {
            return;
        }
        put_varint(payload, node);
        put_varint(payload, samples.counted);
        put_varint(payload, samples.passed * self.shape.ticks);
        put_varint(payload, samples.classes.len() as u64);
        for (count, time) in &samples.classes {
            put_varint(payload, *count);
            put_varint(payload, time * self.shape.ticks);
        }
    }

    fn event_site_of_frame(&mut self, frame: &Frame) -> u64 {
        let known = self.event_sites.iter().filter(|(key, _)| {
            key.kind == frame.kind && key.site == frame.site && key.phase != Phase::End
        });
        if let Some(known) = known.map(|(_, &number)| number).min() {
            return known;
        }
        let mut event = Event {
            time: 0,
            thread: self.thread,
            pthread: 0,
            kind: frame.kind,
            phase: Phase::Start,
            site: frame.site,
            traffic: None,
            bytes: 0,
            delayed: 0,
            written: 0,
            args: Vec::new(),
            counters: Vec::new(),
            weight: 1,
        };
        kinds::complete(self.of.tables.kind(frame.kind), &mut event);
        self.event_site(&event)
    }

    pub(super) fn counts(&mut self, file: &mut Vec<u8>) {
        self.flush_define(file);
        let mut payload = Vec::new();
        put_varint(&mut payload, 1);
        put_varint(&mut payload, self.counts.len() as u64);
        let mut event_sites: Vec<(&EventSiteKey, usize)> = self
            .event_sites
            .iter()
            .map(|(key, &number)| (key, number as usize - 1))
            .collect();
        event_sites.sort_by_key(|(_, index)| *index);
        for (key, index) in event_sites {
            let said = self.of.counts.iter().find(|count| {
                (count.thread, count.kind, count.phase, count.site)
                    == (self.thread, key.kind, key.phase, key.site)
            });
            let recorded = self.counts[index];
            put_varint(&mut payload, said.map_or(recorded, |count| count.raised));
            put_varint(&mut payload, recorded);
        }
        self.block(BlockKind::Counts, &payload, file);
    }
}
