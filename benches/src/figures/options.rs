//! What is asked on the command line.

use std::path::PathBuf;

pub(crate) const USAGE: &str =
    "usage: figures [--only PART,PART] [--reps N] [--types N] [--tsv FILE] [--keep]";

/// What to measure, how often, and where to write it.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    only: Vec<String>,
    /// How often everything that varies is measured; a figure is the median.
    pub(crate) reps: usize,
    /// How many message types a generated crate has; it has twice as many handlers.
    pub(crate) types: usize,
    pub(crate) tsv: Option<PathBuf>,
    /// Whether generated programs are left where they are, to be looked at.
    pub(crate) keep: bool,
}

/// What this process is for.
#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Measure(Options),
    Help,
    /// One piece of work, for the process that measures.
    Child {
        work: String,
        size: usize,
    },
}

impl Task {
    /// Reads the arguments behind the program's name.
    pub(crate) fn read(
        mut arguments: impl Iterator<Item = String>,
        parts: &[&str],
    ) -> Result<Self, String> {
        let mut options = Options {
            only: Vec::new(),
            reps: 3,
            types: 500,
            tsv: None,
            keep: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let value = arguments.next();
                value.ok_or_else(|| format!("{argument} needs a value\n{USAGE}"))
            };
            match argument.as_str() {
                "--only" => options.only = chosen(&value()?, parts)?,
                "--reps" => options.reps = number(&value()?)?,
                "--types" => options.types = number(&value()?)?,
                "--keep" => options.keep = true,
                "--help" => return Ok(Self::Help),
                "--tsv" => options.tsv = Some(value()?.into()),
                "--child" => {
                    let (work, size) = (value()?, number(&value()?)?);
                    return Ok(Self::Child { work, size });
                }
                _ => return Err(format!("{argument} is not known\n{USAGE}")),
            }
        }
        Ok(Self::Measure(options))
    }
}

impl Options {
    /// Whether that part is asked for.
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
    fn what_is_not_known_is_told_with_what_was_expected() {
        let mistake = read("--only memory,speed").expect_err("there is no such part");
        assert_eq!(mistake, "expected some of memory, code, found \"speed\"");
        assert!(read("--reps 0").is_err());
        assert!(read("--reps").is_err());
        assert!(read("--fast").is_err());
    }
}
