use super::*;

fn parse(line: &str) -> Result<Options, Failure> {
    Options::parse(line.split_whitespace().map(str::to_owned))
}

fn parsed(line: &str) -> Options {
    parse(line).unwrap_or_else(|failure| panic!("{line}: {}", failure.message))
}

#[test]
fn static_threads_in_every_spelling() {
    for spelled in [
        "-T4",
        "-T=4",
        "-T 4",
        "-fupc-threads-4",
        "-fupc-threads=4",
        "--fupc-threads 4",
        "-fthreads-4",
        "--fthreads=4",
    ] {
        assert_eq!(
            parsed(&format!("{spelled} a.upc")).target.threads,
            Some(4),
            "{spelled}"
        );
    }
    for wrong in ["-T0", "-T=x", "-T -c", "-fupc-threads=", "-T=99999999999"] {
        assert_eq!(
            parse(&format!("{wrong} a.upc")).unwrap_err().exit,
            crate::driver::Exit::Usage,
            "{wrong}"
        );
    }
}

#[test]
fn one_or_two_dashes_equals_or_blank() {
    for spelled in [
        "-network=smp",
        "--network=smp",
        "-network smp",
        "--network smp",
    ] {
        parsed(&format!("{spelled} a.upc"));
    }
    assert!(
        parse("-network=tcp a.upc")
            .unwrap_err()
            .message
            .contains("smp")
    );
    assert_eq!(
        parsed("-network=udp a.upc").target.conduit.as_deref(),
        Some("udp")
    );
    assert_eq!(
        parsed("-network=udp -network=smp a.upc").target.conduit,
        None
    );
    assert!(parse("--c a.upc").is_err());
}

#[test]
fn optimisation_level() {
    for (line, flag) in [
        ("", "-O2"),
        ("-O", "-O3"),
        ("-O1", "-O1"),
        ("-Os -O0", "-O0"),
        ("-g", "-O0"),
        ("-g0", "-O2"),
        ("-O -ggdb", "-O3"),
    ] {
        assert_eq!(
            parsed(&format!("{line} a.upc")).flags.optimize_flag(),
            flag,
            "{line}"
        );
    }
}

#[test]
fn line_tables_unless_the_user_says() {
    assert_eq!(parsed("a.upc").flags.line_tables(), Some("-g1"));
    for line in ["-g", "-g0", "-ggdb3"] {
        assert_eq!(parsed(&format!("{line} a.upc")).flags.line_tables(), None);
    }
}

#[test]
fn flags_reach_their_stage() {
    let options = parsed(
        "-DX=1 -D Y -Iinc -std=gnu11 -fno-common -march=native -Wall -Wc,-O1 -Wp,-DZ -isystem s a.upc -Ld -lm",
    );
    assert_eq!(
        options.flags.cpp,
        ["-DX=1", "-D", "Y", "-Iinc", "-Wp,-DZ", "-isystem", "s"]
    );
    assert_eq!(
        options.flags.all,
        ["-std=gnu11", "-fno-common", "-march=native", "-Wall"]
    );
    assert_eq!(options.flags.cc, ["-O1"]);
    assert_eq!(options.flags.link, ["-Ld"]);
    assert_eq!(options.items.last(), Some(&Item::LinkArg("-lm".to_owned())));
}

#[test]
fn linker_words_of_both_traditions() {
    let link_args = |args: &[&str]| {
        let args = args
            .iter()
            .map(|arg| (*arg).to_owned())
            .chain(["a.o".to_owned()]);
        let options = Options::parse(args).unwrap();
        options
            .items
            .into_iter()
            .filter(|item| matches!(item, Item::LinkArg(_)))
            .collect::<Vec<_>>()
    };
    let arg = |text: &str| Item::LinkArg(text.to_owned());
    assert_eq!(link_args(&["-Wl,-rpath,/x"]), [arg("-Wl,-rpath,/x")]);
    assert_eq!(link_args(&["-Wl,-Wl,-lfoo"]), [arg("-Wl,-lfoo")]);
    assert_eq!(
        link_args(&["-Wl,-lfoo -lbar"]),
        [arg("-lfoo"), arg("-lbar")]
    );
}

#[test]
fn inputs_by_ending_and_by_x() {
    let languages = |line: &str| {
        parsed(line)
            .inputs()
            .map(|(_, language)| language)
            .collect::<Vec<_>>()
    };
    use Language::*;
    assert_eq!(
        languages("a.upc b.c c.i d.upci"),
        [Upc, Upc, PreprocessedUpc, PreprocessedUpc]
    );
    assert_eq!(
        languages("e.trans.c f.o g.a libh.so.1"),
        [TranslatedC, Linkable, Linkable, Linkable]
    );
    assert_eq!(languages("-x upc a.txt -x none b.txt"), [Upc, Linkable]);
    assert_eq!(languages("-c -"), [Upc]);
    assert!(
        parse("-x fortran a.f")
            .unwrap_err()
            .message
            .contains("cpp-output")
    );
}

#[test]
fn run_separates_program_arguments() {
    let options = parsed("--run a.upc b.o -n 4 12 -x 3");
    assert_eq!(
        (options.execution.threads, options.inputs().count()),
        (Some(4), 2)
    );
    assert_eq!(options.execution.args, ["12", "-x", "3"]);
    assert_eq!(parsed("--run a.upc -- b.upc").execution.args, ["b.upc"]);
    assert!(parse("--run -c a.upc").is_err());
    assert_eq!(parsed("-n 4 a.upc").target.threads, Some(4));
    assert!(
        parse("--run -T=2 -n 4 a.upc")
            .unwrap_err()
            .message
            .contains("-T=2")
    );
}

#[test]
fn mistakes_are_named() {
    assert!(parse("").unwrap_err().message.contains("no input files"));
    assert!(
        parse("-c a.upc b.upc -o x")
            .unwrap_err()
            .message
            .contains("one input file")
    );
    assert!(parse("-o").unwrap_err().message.contains("FILE"));
    assert!(
        parse("--sav-temps a.upc")
            .unwrap_err()
            .message
            .contains("unknown option `--sav-temps`")
    );
    assert!(
        parse("--save a.upc")
            .unwrap_err()
            .message
            .contains("-save-temps")
    );
}

#[test]
fn outputs_that_are_inputs_and_v_alone() {
    assert!(
        parse("-c a.upc -o a.upc")
            .unwrap_err()
            .message
            .contains("input and output")
    );
    assert_eq!(parsed("-v").query, Some(Query::AskCompiler));
    assert!(parse("-###").is_err());
}

#[test]
fn no_name_is_listed_twice() {
    let mut names: Vec<&str> = OPTIONS
        .iter()
        .flat_map(|spec| spec.names)
        .copied()
        .collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn help_lists_every_row_that_has_help() {
    command().debug_assert();
    let help = command().render_help().to_string();
    assert!(
        OPTIONS
            .iter()
            .filter(|spec| !spec.help.is_empty())
            .all(|spec| help.contains(spec.help))
    );
    assert!(help.lines().all(|line| !line.ends_with(' ')));
}

#[test]
fn heap_sizes() {
    for right in ["64", "64M", "64MB", "2GiB", "50%", "1t"] {
        assert_eq!(
            parsed(&format!("-shared-heap={right} a.upc"))
                .target
                .shared_heap
                .as_deref(),
            Some(right)
        );
    }
    for wrong in [
        "",
        "0",
        "x",
        "-1",
        "64X",
        "101%",
        "64b",
        "1.5G",
        "99999999999999999999",
    ] {
        assert!(
            parse(&format!("-shared-heap={wrong} a.upc")).is_err(),
            "{wrong}"
        );
    }
}
