//! The command line.

use std::path::PathBuf;

use super::failure::Failure;
use super::workload::Workload;

pub(super) const HELP: &str = "\
Runs every workload by every contender in turns, each in a process of its own, and prints a table.

    cargo run --release -p message-benches [--features peers] --bin compare [-- OPTIONS]

Without the feature `peers`, message-core is compared with the hand-written floors alone.

  --only W1,W5   only these workloads; `W1` stands for W1-two and all others whose names
                 go on after a dash, too; `W1.` for itself alone
  --reps N       counted repetitions (9 unless told); one more is not counted
  --tsv FILE     writes the figures to this file too, separated by tabs
  --against FILE another build of `compare`: each line of message-core is measured there, too, and
                 tells how many times as long it takes here (`÷old 0.92`)
  --svg FILE     draws them, without the rows that depart from another; needs the feature `svg`
  --from FILE    measures nothing: reads what `--tsv` has written, for `--svg` to draw it
  --list         tells the workloads and who can do them, and runs none
  --help         this text";

/// The argument with which the program starts itself as a child.
pub(super) const CHILD: &str = "--child";

/// The command to run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    List,
    Compare(Arguments),
    /// Draws the figures of an earlier run.
    Draw {
        from: PathBuf,
        svg: PathBuf,
        workloads: Vec<Workload>,
    },
    /// Runs one repetition of one contender.
    Child {
        workload: Workload,
        name: String,
    },
}

/// The settings of a comparison.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) workloads: Vec<Workload>,
    pub(super) repetitions: usize,
    pub(super) tsv: Option<PathBuf>,
    pub(super) svg: Option<PathBuf>,
    /// Another build of the program, which is measured for comparison.
    pub(super) against: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn parse(given: impl IntoIterator<Item = String>) -> Result<Command, Failure> {
        let mut given = given.into_iter();
        let mut arguments = Self {
            workloads: Workload::ALL.to_vec(),
            repetitions: 9,
            tsv: None,
            svg: None,
            against: None,
        };
        let mut from: Option<PathBuf> = None;
        let mut measured = None;
        while let Some(argument) = given.next() {
            // Accepts both `--reps 9` and `--reps=9`.
            let (option, joined) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let mut value = |expected: &str| {
                let value = joined.clone().or_else(|| given.next());
                value.ok_or_else(|| asked(format!("`{option}` needs {expected} after it")))
            };
            match option {
                "--only" => {
                    let names = value("names of workloads, as in `--only W1,W5`,")?;
                    arguments.workloads = workloads(&names)?;
                }
                "--reps" => {
                    let number = value("a number of repetitions")?;
                    arguments.repetitions = repetitions(&number)?;
                    measured = Some("--reps");
                }
                "--tsv" => {
                    arguments.tsv = Some(value("the name of a file")?.into());
                    measured = Some("--tsv");
                }
                "--against" => {
                    arguments.against = Some(value("another build of `compare`")?.into());
                    measured = Some("--against");
                }
                "--svg" => arguments.svg = Some(value("the name of a file")?.into()),
                "--from" => from = Some(value("the name of a file")?.into()),
                CHILD => {
                    let workload = one_workload(&value("a workload")?)?;
                    let name = value("a contender")?;
                    return Ok(Command::Child { workload, name });
                }
                "--help" | "-h" if joined.is_none() => return Ok(Command::Help),
                "--list" if joined.is_none() => return Ok(Command::List),
                _ => {
                    return Err(asked(format!(
                        "unknown argument `{argument}`; expected one of --only, --reps, --tsv, \
                         --svg, --against, --from, --list, --help"
                    )));
                }
            }
        }
        match (from, measured) {
            (None, _) => Ok(Command::Compare(arguments)),
            (Some(_), Some(option)) => Err(asked(format!(
                "`--from` measures nothing: expected no `{option}`"
            ))),
            (Some(from), None) => {
                let svg = arguments.svg.ok_or_else(|| {
                    asked("`--from` needs `--svg FILE`: where to draw the figures".to_owned())
                })?;
                let workloads = arguments.workloads;
                Ok(Command::Draw {
                    from,
                    svg,
                    workloads,
                })
            }
        }
    }
}

fn asked(why: String) -> Failure {
    Failure::Asked(why)
}

fn repetitions(number: &str) -> Result<usize, Failure> {
    let parsed = number.parse().ok().filter(|&repetitions| repetitions > 0);
    parsed.ok_or_else(|| {
        asked(format!(
            "`--reps {number}`: expected a whole number of repetitions, 1 or more"
        ))
    })
}

/// Returns the workloads of a list, in the order of the table, each once.
fn workloads(names: &str) -> Result<Vec<Workload>, Failure> {
    let mut chosen = Vec::new();
    for name in names.split(',') {
        chosen.extend(family(name)?);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Returns the workload of that name and those whose names continue it with a dash, unless a dot ends the name.
fn family(name: &str) -> Result<Vec<Workload>, Failure> {
    let (wanted, alone) = match name.trim().strip_suffix('.') {
        Some(wanted) => (wanted, true),
        None => (name.trim(), false),
    };
    let belongs = |workload: &Workload| {
        let rest = strip_prefix(workload.name(), wanted);
        rest.is_some_and(|rest| rest.is_empty() || !alone && rest.starts_with('-'))
    };
    let found: Vec<Workload> = Workload::ALL.into_iter().filter(belongs).collect();
    if wanted.is_empty() || found.is_empty() {
        return Err(unknown(name));
    }
    Ok(found)
}

fn one_workload(name: &str) -> Result<Workload, Failure> {
    let mut all = Workload::ALL.into_iter();
    let found = all.find(|workload| workload.name() == name);
    found.ok_or_else(|| unknown(name))
}

/// Strips a prefix, ignoring case.
fn strip_prefix<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(beginning.len())?;
    start.eq_ignore_ascii_case(beginning).then_some(rest)
}

fn unknown(name: &str) -> Failure {
    let names = Workload::ALL.map(Workload::name).join(", ");
    asked(format!(
        "unknown workload `{name}`; expected one of {names}, or the beginning of some: W2, W3"
    ))
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Command, Failure, Workload};

    fn parse(given: &[&str]) -> Result<Command, Failure> {
        Arguments::parse(given.iter().map(|&argument| argument.to_owned()))
    }

    fn compare(given: &[&str]) -> Arguments {
        match parse(given) {
            Ok(Command::Compare(arguments)) => arguments,
            other => panic!("{given:?}: {other:?}"),
        }
    }

    #[test]
    fn without_arguments_everything_is_compared_nine_times() {
        let arguments = compare(&[]);
        assert_eq!(arguments.workloads, Workload::ALL);
        assert_eq!(arguments.repetitions, 9);
        assert_eq!(arguments.tsv, None);
        assert_eq!(arguments.against, None);
    }

    #[test]
    fn only_takes_names_and_what_they_begin_with() {
        let only = |names| compare(&["--only", names]).workloads;
        assert_eq!(only("W4"), [Workload::W4]);
        let mail = [Workload::W6, Workload::W6Pass, Workload::W6Batch];
        assert_eq!(only("W6"), mail);
        assert_eq!(only("W5-cancel"), [Workload::W5Cancel]);
        let past = only("W1-past");
        assert_eq!(past.len(), 5);
        assert!(past.iter().all(|it| it.name().starts_with("W1-past-")));
        assert_eq!(only("w6, w4,W4")[0], Workload::W4);
        assert_eq!(only("w6, w4,W4")[1..], mail);
        assert!(only("W2").starts_with(&Workload::W2));
    }

    #[test]
    fn a_name_with_a_dot_is_one_workload() {
        let only = |names| compare(&["--only", names]).workloads;
        assert_eq!(only("W1."), [Workload::W1]);
        assert_eq!(only("W1.,W8-two."), [Workload::W1, Workload::W8Two]);
        assert!(parse(&["--only", "W2."]).is_err());
    }

    #[test]
    fn values_may_be_joined_to_their_options() {
        let arguments = compare(&["--reps=3", "--tsv=out.tsv", "--only=W7", "--against=old"]);
        assert_eq!(arguments.against.as_deref(), Some("old".as_ref()));
        assert_eq!(arguments.repetitions, 3);
        assert_eq!(arguments.tsv.as_deref(), Some("out.tsv".as_ref()));
        assert_eq!(arguments.workloads, [Workload::W7]);
    }

    #[test]
    fn figures_are_drawn_from_a_file_or_after_they_were_measured() {
        assert_eq!(
            parse(&["--from", "in.tsv", "--svg=out.svg", "--only", "W4"]),
            Ok(Command::Draw {
                from: "in.tsv".into(),
                svg: "out.svg".into(),
                workloads: vec![Workload::W4],
            })
        );
        let arguments = compare(&["--svg", "out.svg", "--tsv", "out.tsv"]);
        assert_eq!(arguments.svg.as_deref(), Some("out.svg".as_ref()));
    }

    #[test]
    fn help_and_list_are_asked_for() {
        assert_eq!(parse(&["--help"]), Ok(Command::Help));
        assert_eq!(parse(&["-h"]), Ok(Command::Help));
        assert_eq!(parse(&["--list"]), Ok(Command::List));
    }

    #[test]
    fn a_mistake_is_named_with_what_was_expected() {
        for (given, named, expected) in [
            (&["--fast"][..], "`--fast`", "--reps"),
            (&["W1"], "`W1`", "--only"),
            (&["--help=me"], "`--help=me`", "--help"),
            (&["--only", "W10"], "`W10`", "W5-cancel"),
            (&["--only", "W1,"], "``", "W5-cancel"),
            (&["--only", "W"], "`W`", "W2-1k"),
            (&["--only"], "`--only`", "workloads"),
            (&["--reps", "0"], "`--reps 0`", "1 or more"),
            (&["--reps", "some"], "`--reps some`", "whole number"),
            (&["--reps"], "`--reps`", "number"),
            (&["--tsv"], "`--tsv`", "file"),
            (&["--svg"], "`--svg`", "file"),
            (&["--against"], "`--against`", "another build"),
            (&["--from", "in.tsv"], "`--from`", "`--svg FILE`"),
            (
                &["--from", "in.tsv", "--svg", "out.svg", "--reps", "3"],
                "`--from`",
                "no `--reps`",
            ),
        ] {
            let Err(Failure::Asked(text)) = parse(given) else {
                panic!("{given:?} is a mistake");
            };
            assert!(text.contains(named), "{given:?}: {text}");
            assert!(text.contains(expected), "{given:?}: {text}");
        }
    }
}
