//! The waiting at barriers that findings explain. Who loses time because of a finding makes others wait at the next
//! barrier: that waiting belongs to the finding, as far as the thread is late because of it.

use super::super::model::SiteId;
use super::Run;
use super::finding::Finding;
use super::phases::Caused;
use hashbrown::HashMap;

/// The time that threads lose at a place because of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delay {
    /// Where threads spend it.
    pub site: SiteId,
    /// The thread, if it loses what others do not: the time is in what it spends more than they do. Otherwise the time is
    /// the same part of what each thread spends there.
    pub thread: Option<u32>,
    /// Nanoseconds.
    pub time: u64,
}

/// A delay of a finding, by the number of the finding.
struct Claim {
    finding: usize,
    thread: Option<u32>,
    time: u64,
}

/// The delays of findings, by place.
pub(super) struct Explained<'s> {
    claims: HashMap<SiteId, Vec<Claim>>,
    /// The time of all threads, by place.
    spent: &'s HashMap<SiteId, u64>,
}

impl<'s> Explained<'s> {
    pub(super) fn new(findings: &[Finding], spent: &'s HashMap<SiteId, u64>) -> Explained<'s> {
        let mut claims: HashMap<SiteId, Vec<Claim>> = HashMap::new();
        for (number, finding) in findings.iter().enumerate() {
            for delay in &finding.delays {
                claims.entry(delay.site).or_default().push(Claim {
                    finding: number,
                    thread: delay.thread,
                    time: delay.time,
                });
            }
        }
        Explained { claims, spent }
    }

    /// Returns the findings that explain why a thread spends more time at a place than others, by their numbers, and the
    /// part of that time that each explains; together at most all of it. `more`: that time in nanoseconds.
    pub(super) fn parts(&self, site: SiteId, thread: u32, more: u64) -> Vec<(usize, f64)> {
        let claims = self.claims.get(&site).into_iter().flatten();
        let of_thread = claims.filter(|claim| claim.thread.is_none_or(|of| of == thread));
        let part = |claim: &Claim| {
            let whole = match claim.thread {
                Some(_) => more,
                None => self.spent.get(&site).copied().unwrap_or(0),
            };
            (claim.time as f64 / whole.max(1) as f64).min(1.0)
        };
        let parts: Vec<(usize, f64)> = of_thread
            .map(|claim| (claim.finding, part(claim)))
            .collect();
        // Several findings may have the same time, if each of their remedies saves it.
        let sum: f64 = parts.iter().map(|(_, part)| part).sum();
        let scaled = parts
            .into_iter()
            .map(|(it, part)| (it, part / sum.max(1.0)));
        scaled.collect()
    }
}

impl Finding {
    /// Adds the time that threads waited at barriers for those that this finding delayed.
    pub(super) fn add_waiting(&mut self, run: &Run, caused: &Caused) {
        if caused.time == 0 {
            return;
        }
        self.cost = self.cost.saturating_add(caused.time);
        self.most = self.most.map(|most| most.saturating_add(caused.time));
        self.why.push(format!(
            "meanwhile other threads wait {} at barriers, most at {}",
            super::super::table::time(caused.time),
            run.place(caused.barrier)
        ));
    }
}
