//! Background transfers, each on a lane of its own while it is in flight.

use std::collections::HashMap;

use super::packets::Track;
use crate::prof::export::nest::Span;
use crate::prof::model::Traffic;

/// A transfer in flight.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// Its initiation.
    pub span: Span,
    /// The memory that it accesses.
    pub traffic: Option<Traffic>,
    /// Its lane.
    pub lane: usize,
    /// The arrow from its initiation to its completion.
    pub flow: u64,
    /// The runtime has reported that its data started to move, and not yet that the move has ended.
    pub moving: bool,
}

/// The transfers of one thread.
#[derive(Default)]
pub struct Flights {
    flying: HashMap<u64, Flight>,
    /// The lanes' tracks, and whether each is in use.
    lanes: Vec<(Track, bool)>,
}

impl Flights {
    pub fn get(&mut self, handle: u64) -> Option<&mut Flight> {
        self.flying.get_mut(&handle)
    }

    /// Returns the number of transfers in flight.
    pub fn count(&self) -> u64 {
        self.flying.len() as u64
    }

    /// Returns a free lane; if there is none, the number of the lane to create.
    pub fn free_lane(&mut self) -> Result<usize, usize> {
        let free = self.lanes.iter().position(|(_, used)| !used);
        free.ok_or(self.lanes.len())
    }

    pub fn add_lane(&mut self, track: Track) {
        self.lanes.push((track, false));
    }

    pub fn track(&self, lane: usize) -> Option<Track> {
        self.lanes.get(lane).map(|(track, _)| *track)
    }

    pub fn start(&mut self, handle: u64, flight: Flight) {
        if let Some((_, used)) = self.lanes.get_mut(flight.lane) {
            *used = true;
        }
        self.flying.insert(handle, flight);
    }

    pub fn end(&mut self, handle: u64) -> Option<Flight> {
        let flight = self.flying.remove(&handle)?;
        if let Some((_, used)) = self.lanes.get_mut(flight.lane) {
            *used = false;
        }
        Some(flight)
    }

    /// Returns the handles of all transfers in flight, ordered by lane.
    pub fn handles(&self) -> Vec<u64> {
        let mut handles: Vec<(usize, u64)> = self
            .flying
            .iter()
            .map(|(handle, flight)| (flight.lane, *handle))
            .collect();
        handles.sort_unstable();
        handles.into_iter().map(|(_, handle)| handle).collect()
    }
}
