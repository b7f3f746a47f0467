use super::*;
use std::path::Path;

fn parse(line: &str) -> Result<Launch, Failure> {
    Launch::parse(line.split_whitespace().map(str::to_owned), None)
}

#[test]
fn options_end_at_the_program() {
    let launch = parse("-n 4 -shared-heap=64MB -q ./a.out -n 5 -- x").unwrap();
    assert_eq!(launch.threads, Some(4));
    assert_eq!(launch.args, ["-n", "5", "--", "x"]);
    assert_eq!(
        launch.shown(),
        "UPCR_THREADS=4 UPC_SHARED_HEAP_SIZE=64MB UPC_QUIET=1 ./a.out -n 5 -- x"
    );
    let launch = parse("-n 4 -- -odd -n 5").unwrap();
    assert_eq!(launch.program, Path::new("-odd"));
    assert_eq!(launch.args, ["-n", "5"]);
}

#[test]
fn flags_of_the_environment_come_first() {
    let args = || ["-n", "3", "a.out"].map(str::to_owned);
    let launch = Launch::parse(args(), Some("-n 2 -freeze=1 -polite-sync")).unwrap();
    assert_eq!(launch.threads, Some(3));
    assert!(launch.shown().contains("UPC_FREEZE=1 UPC_POLITE_SYNC=1"));
    for flags in ["a.out", "-q \"", "-frobnicate"] {
        let failure = Launch::parse(args(), Some(flags)).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage, "{flags}");
    }
}

/// `-noabort` is an option of its own, not `-n oabort`.
#[test]
fn options_that_begin_with_no_cancel_flags_of_the_environment() {
    let flags = "-abort -backtrace -freeze-on-error -trace -q -v -t -i";
    let args = |line: &str| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Launch::parse(words, Some(flags)).unwrap()
    };
    let launch = args(
        "-noabort -nobacktrace -nofreeze-on-error -notrace -noquiet -noverbose -noshow -noinfo a.out",
    );
    assert_eq!(launch.shown(), "a.out");
    assert!(!launch.quiet && !launch.verbose && !launch.show_only && !launch.describe);
    let launch = args("-notraceall a.out");
    assert!(launch.shown().contains("UPC_ABORT=1") && !launch.shown().contains("UPC_MEASURE"));
}

#[test]
fn what_means_nothing_here_is_noted() {
    let launch = parse("-c 2 -p4 -N 1 -localhost -fca_enable 0 -encode-args -norc a.out").unwrap();
    assert_eq!(
        launch.ignored.join(" "),
        "-c 2 -p4 -N 1 -localhost -fca_enable 0 -encode-args -norc"
    );
    assert_eq!(launch.shown(), "a.out");
}

#[test]
fn mistakes() {
    let lines = [
        "",
        "-n",
        "-n 0 a.out",
        "-n x a.out",
        "-nox a.out",
        "--n3 a.out",
        "-frobnicate a.out",
        "-c x a.out",
        "-freeze=x a.out",
        "-timeout 0 a.out",
        "-tracefile",
    ];
    for line in lines {
        assert_eq!(parse(line).unwrap_err().exit, Exit::Usage, "{line}");
    }
    assert!(
        parse("--help")
            .unwrap()
            .answer
            .is_some_and(|text| text.contains("-n <N>"))
    );
}

#[test]
fn measuring() {
    let shown = |line: &str| parse(line).unwrap().shown();
    assert_eq!(
        shown("-profile a.out"),
        "UPC_TOOL=measure UPC_MEASURE=profile a.out"
    );
    assert_eq!(shown("-tool dump a.out"), "UPC_TOOL=dump a.out");
    assert_eq!(shown("-tool libx.so a.out"), "UPC_TOOL=libx.so a.out");
    assert!(shown("-tool ./libx.so a.out").starts_with("UPC_TOOL=/"));
    for (option, environment, both) in [
        ("-trace", None, "trace"),
        ("-trace", Some("both"), "both"),
        ("-trace", Some("profile"), "both"),
        ("-profile", Some("profile"), "profile"),
        ("-profile", Some("nonsense"), "profile"),
    ] {
        let words = [option, "a.out"].map(str::to_owned);
        let mut launch = Launch::parse(words, None).expect("options of upcrun");
        launch.add_measure(environment);
        let settings = launch.shown();
        assert_eq!(
            settings,
            format!("UPC_TOOL=measure UPC_MEASURE={both} a.out")
        );
    }
    assert_eq!(
        shown("-trace -profile -tracefile f a.out"),
        "UPC_TOOL=measure UPC_MEASURE=both UPC_MEASURE_FILE=f a.out"
    );
}

/// Returns the rows of the runtime's table: kind, variable, option of the launcher.
fn runtime_rows() -> Vec<[String; 3]> {
    let text = include_str!("../../runtime-c/src/options.def");
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("UPCR_OPTION("));
    let field = |row: &str, index: usize| {
        let cell = row.split(", ").nth(index).unwrap_or_default();
        cell.trim_matches('"').to_owned()
    };
    rows.map(|row| [field(row, 1), field(row, 2), field(row, 3)])
        .collect()
}

#[test]
fn the_runtime_knows_each_variable_and_the_launcher_each_option() {
    let rows = runtime_rows();
    assert!(rows.len() > 10);
    for [kind, variable, option] in rows.iter().filter(|row| !row[2].is_empty()) {
        for option in option.split(' ') {
            let value = match kind.as_str() {
                "COUNT" | "SECONDS" | "NUMBER" | "AMOUNT" => " 3",
                "SIZE" => " 3MB",
                "SWITCH" => "",
                "THREAD" => "=2",
                "TEXT" if ["tracefile", "tool"].contains(&option) => " f%",
                "TEXT" => "",
                other => panic!("unknown kind {other}"),
            };
            let set = parse(&format!("-{option}{value} a.out"))
                .unwrap()
                .variables();
            let names: Vec<&str> = set.iter().map(|(name, _)| *name).collect();
            assert!(names.contains(&variable.as_str()), "-{option}: {names:?}");
        }
    }
    for spec in OPTIONS {
        let mut launch = Launch::default();
        let hit = Hit {
            typed: Vec::new(),
            value: "1".to_owned(),
        };
        // A rejected value sets nothing.
        let _ = (spec.apply)(&mut launch, &hit);
        for (variable, _) in launch.variables() {
            assert!(
                rows.iter().any(|row| row[1] == variable
                    && row[2].split(' ').any(|name| spec.names.contains(&name))),
                "-{} sets {variable}",
                spec.names[0]
            );
        }
    }
}

#[test]
fn the_help_of_calibrate_names_each_effort() {
    let is_calibrate = |row: &&OptSpec<Launch>| row.names.contains(&"calibrate");
    let row = OPTIONS.iter().find(is_calibrate).unwrap();
    assert_eq!(row.value, Effort::names());
}
