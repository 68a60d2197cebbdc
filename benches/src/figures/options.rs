//! The command line.

use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: figures [--only PART,PART] [--reps N] [--types N] [--tsv FILE] [--svg FILE] [--keep]
       figures --from FILE --svg FILE

`--svg` draws the part `growth`, and needs the feature `svg`; `--from` measures nothing, and draws
what `--tsv` has written.";

/// The parts to measure, the repetitions, and the output files.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    only: Vec<String>,
    /// The number of times that everything variable is measured; a figure is the median.
    pub(crate) reps: usize,
    /// The number of message types in a generated crate; it has twice as many handlers.
    pub(crate) types: usize,
    pub(crate) tsv: Option<PathBuf>,
    /// The path of the picture of the growth.
    pub(crate) svg: Option<PathBuf>,
    /// Whether generated programs are kept for inspection.
    pub(crate) keep: bool,
}

/// The task of this process.
#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Measure(Options),
    /// Draws the figures of an earlier run.
    Draw {
        from: PathBuf,
        svg: PathBuf,
    },
    Help,
    /// Runs one piece of work in the process that measures.
    Child {
        work: String,
        size: usize,
    },
}

impl Task {
    /// Reads the arguments after the program's name.
    pub(crate) fn read(
        mut arguments: impl Iterator<Item = String>,
        parts: &[&str],
    ) -> Result<Self, String> {
        let mut options = Options {
            only: Vec::new(),
            reps: 3,
            types: 500,
            tsv: None,
            svg: None,
            keep: false,
        };
        let mut from = None;
        let mut measured = None;
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let value = arguments.next();
                value.ok_or_else(|| format!("{argument} needs a value\n{USAGE}"))
            };
            if ["--only", "--reps", "--types", "--keep", "--tsv"].contains(&&*argument) {
                measured = Some(argument.clone());
            }
            match argument.as_str() {
                "--only" => options.only = chosen(&value()?, parts)?,
                "--reps" => options.reps = number(&value()?)?,
                "--types" => options.types = number(&value()?)?,
                "--keep" => options.keep = true,
                "--help" => return Ok(Self::Help),
                "--tsv" => options.tsv = Some(value()?.into()),
                "--svg" => options.svg = Some(value()?.into()),
                "--from" => from = Some(PathBuf::from(value()?)),
                "--child" => {
                    let (work, size) = (value()?, number(&value()?)?);
                    return Ok(Self::Child { work, size });
                }
                _ => return Err(format!("{argument} is not known\n{USAGE}")),
            }
        }
        let Some(from) = from else {
            if options.svg.is_some() && !options.wants("growth") {
                return Err(format!(
                    "--svg draws growth, which --only leaves out\n{USAGE}"
                ));
            }
            return Ok(Self::Measure(options));
        };
        if let Some(option) = measured {
            return Err(format!(
                "--from measures nothing: expected no {option}\n{USAGE}"
            ));
        }
        match options.svg {
            Some(svg) => Ok(Self::Draw { from, svg }),
            None => Err(format!("--from needs --svg FILE\n{USAGE}")),
        }
    }
}

impl Options {
    /// Returns whether the given part was requested.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == part)
    }
}

fn chosen(list: &str, parts: &[&str]) -> Result<Vec<String>, String> {
    let chosen = list.split(',').map(|name| {
        if parts.contains(&name) {
            Ok(name.to_owned())
        } else {
            let parts = parts.join(", ");
            Err(format!("expected some of {parts}, found {name:?}"))
        }
    });
    chosen.collect()
}

fn number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(format!("expected a number from 1, found {text:?}\n{USAGE}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [&str; 2] = ["memory", "code"];

    fn read(line: &str) -> Result<Task, String> {
        Task::read(line.split_whitespace().map(String::from), &PARTS)
    }

    #[test]
    fn without_arguments_every_part_is_measured_three_times() {
        let Ok(Task::Measure(options)) = read("") else {
            panic!("it is a measurement");
        };
        assert!(options.wants("memory") && options.wants("code"));
        assert_eq!((options.reps, options.types), (3, 500));
        assert_eq!(options.tsv, None);
    }

    #[test]
    fn only_the_parts_that_are_named_are_measured() {
        let Ok(Task::Measure(options)) = read("--only code --reps 5 --types 100 --tsv out.tsv")
        else {
            panic!("it is a measurement");
        };
        assert!(options.wants("code") && !options.wants("memory"));
        assert_eq!((options.reps, options.types), (5, 100));
        assert_eq!(options.tsv, Some("out.tsv".into()));
    }

    #[test]
    fn figures_are_drawn_from_a_file_or_after_they_were_measured() {
        let drawn = read("--from in.tsv --svg out.svg");
        let expected = Task::Draw {
            from: "in.tsv".into(),
            svg: "out.svg".into(),
        };
        assert_eq!(drawn, Ok(expected));
        let Ok(Task::Measure(options)) = read("--svg out.svg") else {
            panic!("it is a measurement");
        };
        assert_eq!(options.svg, Some("out.svg".into()));
        for (line, expected) in [
            ("--from in.tsv", "--svg FILE"),
            ("--from in.tsv --svg out.svg --reps 3", "no --reps"),
            ("--only memory --svg out.svg", "draws growth"),
        ] {
            let mistake = read(line).expect_err("it is wrong");
            assert!(mistake.contains(expected), "{mistake}");
        }
    }

    #[test]
    fn what_is_not_known_is_told_with_what_was_expected() {
        let mistake = read("--only memory,speed").expect_err("there is no such part");
        assert_eq!(mistake, "expected some of memory, code, found \"speed\"");
        assert!(read("--reps 0").is_err());
        assert!(read("--reps").is_err());
        assert!(read("--fast").is_err());
    }
}
