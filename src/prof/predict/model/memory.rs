//! Whether the processors' caches hold the data of the recorded run, and that of the predicted one.

use super::super::costs::Costs;
use super::Model;
use crate::prof::table::bytes;

/// Data that takes more than this part of the caches does not stay there: private data and other programs are there as well.
const HELD: f64 = 0.5;

impl Model<'_> {
    /// Says that memory may become slower than in the recorded run, which the model does not know: a machine's threads have
    /// more shared data than its processors' caches hold, and had less.
    pub(super) fn slower_memory(&self) -> Option<String> {
        let caches = self.target.platform.processor_caches as f64;
        let of_machine = |costs: &Costs<'_>, each: f64| {
            each * costs.at.load * f64::from(self.target.platform.processors)
        };
        let each = self.work.shared_bytes;
        let before = of_machine(&self.before, each);
        let after = of_machine(&self.after, each * self.growth());
        let grows = after > before && before <= caches && after > caches * HELD;
        (grows && caches > 0.0).then(|| {
            format!(
                "the shared data of a machine's threads grows from {} to {}, and its processors' caches hold {}: computing may take longer than predicted, because it is taken to be in proportion to the work",
                bytes(before.round() as u64),
                bytes(after.round() as u64),
                bytes(caches as u64),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::work;
    use super::super::super::{Blocks, Changes, Target, parse, predict};
    use crate::platform::Platform;
    use std::collections::BTreeMap;

    /// Two threads with 8 MiB each fit into caches of 32 MiB, and eight do not.
    #[test]
    fn data_that_outgrows_the_caches_is_named() {
        let mut of = work(2, 1e9, Vec::new());
        of.network = "smp".to_owned();
        of.shared_bytes = f64::from(8 << 20);
        let platform = |caches: &str| {
            format!(
                "format = \"upcc platform 1\"\nname = \"x\"\n{caches}processors = 2\n[[setting]]\nnetwork = \"smp\"\n[setting.cost]\n"
            )
        };
        let names = |caches: &str, threads: u32| {
            let platform = Platform::parse(&platform(caches)).expect("a platform");
            let blocks = Blocks::default();
            let target = Target {
                platform: &platform,
                network: None,
                was_cached: None,
                measured: None,
                weak: true,
                values: &BTreeMap::new(),
                later: None,
                blocks: &blocks,
            };
            let change = parse(&format!("threads={threads}")).expect("a change");
            let changes = Changes::default().with(&change);
            let predicted = predict(&of, &target, &changes).expect("a prediction");
            predicted
                .notes
                .iter()
                .any(|it| it.contains("from 16.000 MiB to 64.000 MiB"))
        };
        assert!(names("processor-caches = 33554432\n", 8));
        assert!(!names("processor-caches = 33554432\n", 2));
        assert!(!names("", 8));
        // It was in memory before as well.
        assert!(!names("processor-caches = 8388608\n", 8));
        assert!(!names("processor-caches = 268435456\n", 8));
    }
}
