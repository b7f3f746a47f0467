//! The platforms of Zhang's thesis on MuPC, and costs worked by hand.

use super::{CACHE_MOST, Cost, Placement, Platform, Time};

/// `docs/platforms/mupc.toml`: tables 6.1 to 6.4.
pub(crate) fn mupc() -> Platform {
    Platform::parse(include_str!("../../docs/platforms/mupc.toml")).expect("a file of the project")
}

fn alone(threads: u32) -> Placement {
    Placement { threads, load: 0.5 }
}

fn mean(of: &Platform, network: &str, cache: bool, operation: &str, threads: u32) -> f64 {
    let setting = of.setting(network, Some(cache)).expect("a setting");
    let cost = of.cost(setting, operation, 0, alone(threads));
    cost.expect("a cost").0.mean
}

#[test]
fn a_file_has_the_thesis_tables() {
    let mupc = mupc();
    assert_eq!(mean(&mupc, "mpi", false, "baseline.read", 2), 71_400.0);
    assert_eq!(mean(&mupc, "mpi", true, "vector.read", 12), 1_300.0);
    assert_eq!(mean(&mupc, "mpi", true, "coalesce.write", 8), 18_400.0);
    assert_eq!(mean(&mupc, "mpi", false, "local.read", 6), 120.0);
}

#[test]
fn a_file_keeps_its_costs() {
    let mut mupc = mupc();
    mupc.settings[1].cache_most = CACHE_MOST;
    mupc.processor_caches = 32 << 20;
    assert_eq!(Platform::parse(&mupc.text()), Ok(mupc));
}

#[test]
fn a_cache_grows_as_far_as_that_of_the_runtime() {
    let text = include_str!("../../runtime-c/src/cache/geometry.c");
    assert!(text.contains(&format!("BUDGET_MOST = {} << 20,", CACHE_MOST >> 20)));
}

#[test]
fn a_missing_operation_has_another_one_in_its_place() {
    let mupc = mupc();
    let setting = mupc.setting("mpi", Some(false)).expect("a setting");
    let (time, from) = mupc
        .cost(setting, "strict.write", 0, alone(2))
        .expect("a cost");
    assert_eq!((time.mean, from), (28_100.0, "baseline.write"));
    assert_eq!(mupc.cost(setting, "no such", 0, alone(2)), None);
}

/// What is measured over messages may be disturbed by their delivery.
#[test]
fn own_memory_costs_no_more_over_messages_than_in_shared_memory() {
    let mut mupc = mupc();
    let shared = super::Setting {
        network: "smp".to_owned(),
        cache: None,
        costs: ["local.read", "baseline.read"]
            .map(|it| (it.to_owned(), vec![row(6, 0, 15.0)]))
            .into(),
        ..mupc.settings[0].clone()
    };
    mupc.settings.push(shared);
    assert_eq!(mean(&mupc, "mpi", false, "local.read", 6), 15.0);
    assert!(mean(&mupc, "mpi", false, "baseline.read", 6) > 15.0);
}

fn row(threads: u32, amount: u64, mean: f64) -> Cost {
    Cost {
        threads,
        amount,
        time: Time::exactly(mean),
    }
}

/// A cost that depends on nothing but the number of threads.
pub(super) fn cost(threads: u32, mean: f64) -> Cost {
    row(threads, 0, mean)
}

pub(super) fn means(costs: &[Cost]) -> Vec<f64> {
    costs.iter().map(|it| it.time.mean).collect()
}

fn at(costs: &[Cost], threads: u32, load: f64) -> f64 {
    let at = Placement { threads, load };
    super::by_threads(costs, 4, at).expect("a cost").mean
}

#[test]
fn costs_grow_with_the_logarithm_of_threads() {
    let costs = [row(2, 0, 10.0), row(4, 0, 20.0), row(16, 0, 80.0)];
    assert_eq!(at(&costs, 1, 0.5), 10.0);
    assert_eq!(at(&costs, 4, 1.0), 20.0);
    // 16 threads shared 4 processors: between 4 and 16 for 8 that do the same, and beyond 4 for 8 that do not.
    assert_eq!(at(&costs, 8, 2.0), 50.0);
    assert_eq!(at(&costs, 8, 1.0), 30.0);
    assert_eq!(at(&costs, 64, 1.0), 60.0);
    // Four times as many threads on each processor as in the last measurement.
    assert_eq!(at(&costs, 64, 16.0), 320.0);
}

#[test]
fn costs_grow_with_bytes() {
    let known = [
        (8, Time::exactly(100.0)),
        (1008, Time::exactly(200.0)),
        (2008, Time::exactly(400.0)),
    ];
    let cost = |bytes| super::by_bytes(&known, bytes).expect("a cost").mean;
    assert_eq!(cost(1), 100.0);
    assert_eq!(cost(508), 150.0);
    assert_eq!(cost(1008), 200.0);
    assert_eq!(cost(3008), 600.0);
}

#[test]
fn costs_grow_with_the_logarithm_of_computing() {
    let known = [(50, Time::exactly(100.0)), (3200, Time::exactly(700.0))];
    let cost = |microseconds| {
        let cost = super::by_computing(&known, microseconds);
        cost.expect("a cost").mean
    };
    assert_eq!([1, 50].map(cost), [100.0; 2]);
    assert_eq!([3200, 9999].map(cost), [700.0; 2]);
    assert!((cost(400) - 400.0).abs() < 1e-6);
}

#[test]
fn mistakes_in_a_file_are_named() {
    let head = "format = \"upcc platform 1\"\nname = \"x\"\n[[setting]]\nnetwork = \"smp\"\n[setting.cost]\n";
    let wrong = |line: &str| Platform::parse(&format!("{head}{line}")).expect_err(line);
    assert!(wrong("\"baseline.raed\" = [[2, 3]]").contains("baseline.raed"));
    for rows in ["[]", "[[2]]", "[[0, 3]]", "[[2, -1]]", "[[2, 5, 6, 7]]"] {
        let message = wrong(&format!("\"baseline.read\" = {rows}"));
        assert!(message.contains("[threads, time]"), "{rows}: {message}");
    }
    let message = wrong("\"busy.barrier\" = [[2, 3]]");
    assert!(message.contains("microseconds of computing"), "{message}");
    assert!(Platform::parse("format = \"x\"").is_err());
}
