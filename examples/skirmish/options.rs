//! What is asked of the program on the command line.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// What is asked of the program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The scenario to be played instead of the one that the program comes with.
    pub scenario: Option<PathBuf>,
    /// Whether the log of the minds is printed.
    pub ai_log: bool,
    /// The file that the trace of the battle is written to.
    pub trace: Option<PathBuf>,
}

/// Something on the command line that means nothing.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionError {
    /// An option that there is not.
    Unknown(String),
    /// `--trace` with no file behind it.
    NoFile,
    /// A second scenario.
    SecondScenario(String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(option) => {
                write!(f, "there is no option `{option}`")?;
            }
            Self::NoFile => f.write_str("`--trace` asks for the file to write to")?,
            Self::SecondScenario(file) => {
                write!(f, "one scenario is played, and `{file}` is another")?;
            }
        }
        f.write_str("; expected `--ai-log`, `--trace FILE` and the file of a scenario")
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// Reads the arguments behind the name of the program.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, OptionError> {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if text == "--ai-log" {
                options.ai_log = true;
            } else if text == "--trace" {
                let file = arguments.next().filter(|file| !is_option(file));
                options.trace = Some(file.ok_or(OptionError::NoFile)?.into());
            } else if is_option(&argument) {
                return Err(OptionError::Unknown(text.into_owned()));
            } else if options.scenario.is_some() {
                return Err(OptionError::SecondScenario(text.into_owned()));
            } else {
                options.scenario = Some(argument.into());
            }
        }
        Ok(options)
    }
}

fn is_option(argument: &OsString) -> bool {
    argument.to_string_lossy().starts_with("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, OptionError> {
        Options::parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn options_and_the_scenario_can_stand_in_any_order() {
        let expected = Options {
            scenario: Some("field.ron".into()),
            ai_log: true,
            trace: Some("battle.json".into()),
        };
        for arguments in [
            ["field.ron", "--ai-log", "--trace", "battle.json"],
            ["--trace", "battle.json", "field.ron", "--ai-log"],
        ] {
            assert_eq!(parse(&arguments).as_ref(), Ok(&expected));
        }
        assert_eq!(parse(&[]), Ok(Options::default()));
    }

    #[test]
    fn what_means_nothing_is_told_with_what_was_expected() {
        for (arguments, expected) in [
            (&["--ailog"][..], "there is no option `--ailog`; expected"),
            (&["--trace"], "`--trace` asks for the file to write to;"),
            (&["--trace", "--ai-log"], "`--trace` asks for the file"),
            (&["a.ron", "b.ron"], "one scenario is played, and `b.ron`"),
        ] {
            let error = parse(arguments).expect_err("it means nothing");
            let text = error.to_string();
            assert!(text.starts_with(expected), "{text}");
            assert!(text.contains("`--trace FILE`"), "{text}");
        }
    }
}
