//! The options on the command line.

use std::path::PathBuf;

use crate::arguments::{Given, Usage};

/// The possible options.
pub const USAGE: Usage = Usage {
    name: "skirmish",
    about: "A battle read from a world file.",
    options: &[
        ("--ai-log", "Prints the log of the AI at the end."),
        (
            "--frame N",
            "With --replay, prints what was delivered in that turn, and why.",
        ),
        (
            "--inspect",
            "Serves a page for the browser, and plays one turn per second.",
        ),
        (
            "--inspect-for SECONDS",
            "Like --inspect, but ends after this time.",
        ),
        ("--load FILE", "Continues a saved battle."),
        ("--record FILE", "Logs all inputs of the battle."),
        ("--replay FILE", "Replays a battle from such a log."),
        ("--save FILE", "Saves the battle after the last turn."),
        (
            "--trace FILE",
            "Writes the battle for https://ui.perfetto.dev.",
        ),
        ("--turns N", "Plays at most N turns."),
        (
            "--who NAME",
            "With --replay, prints who has hurt that fighter last.",
        ),
        ("--world FILE", "The world file. Default: skirmish.ron."),
    ],
    look: &[
        (
            "skirmish/skirmish.ron",
            "the battle: fighters, and wires for traps and orders",
        ),
        (
            "skirmish/shield.rs",
            "a shield reduces the damage in the message itself",
        ),
        ("skirmish/fire.rs", "a fire hooks itself to what burns"),
        (
            "skirmish/patrol.rs",
            "a mind asks for hit points before it attacks",
        ),
    ],
};

/// The options of the program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The world file to be played instead of the built-in one.
    pub world: Option<PathBuf>,
    /// Whether the battle is shown in a browser.
    pub inspect: bool,
    /// The number of seconds for which it is shown, if not until the program is killed.
    pub inspect_for: Option<u32>,
    /// The save to continue from.
    pub load: Option<PathBuf>,
    /// The log to be written.
    pub record: Option<PathBuf>,
    /// The log to be replayed.
    pub replay: Option<PathBuf>,
    /// The turn of that log to be described.
    pub frame: Option<u32>,
    /// The name of the fighter whose last wound is explained.
    pub who: Option<String>,
    /// The file that the battle is saved to.
    pub save: Option<PathBuf>,
    /// The maximum number of turns, if it is less than that of the world.
    pub turns: Option<u32>,
    /// Whether the log of the minds is printed.
    pub ai_log: bool,
    /// The file that the trace of the battle is written to.
    pub trace: Option<PathBuf>,
}

impl From<&Given> for Options {
    fn from(given: &Given) -> Self {
        Self {
            world: given.value("--world").map(PathBuf::from),
            inspect: given.has("--inspect") || given.has("--inspect-for"),
            inspect_for: given
                .has("--inspect-for")
                .then(|| USAGE.number(given, "--inspect-for", 0)),
            load: given.value("--load").map(PathBuf::from),
            record: given.value("--record").map(PathBuf::from),
            replay: given.value("--replay").map(PathBuf::from),
            frame: given
                .has("--frame")
                .then(|| USAGE.number(given, "--frame", 0)),
            who: given
                .value("--who")
                .map(|name| name.to_string_lossy().into_owned()),
            save: given.value("--save").map(PathBuf::from),
            turns: given
                .has("--turns")
                .then(|| USAGE.number(given, "--turns", 0)),
            ai_log: given.has("--ai-log"),
            trace: given.value("--trace").map(PathBuf::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn parse(arguments: &[&str]) -> Result<Option<Options>, String> {
        let given = USAGE.parse(arguments.iter().map(OsString::from))?;
        Ok(given.as_ref().map(Options::from))
    }

    #[test]
    fn options_can_stand_in_any_order() {
        let expected = || Options {
            world: Some("field.ron".into()),
            ai_log: true,
            trace: Some("battle.json".into()),
            ..Options::default()
        };
        for arguments in [
            ["--world", "field.ron", "--ai-log", "--trace", "battle.json"],
            ["--trace", "battle.json", "--world", "field.ron", "--ai-log"],
        ] {
            assert_eq!(parse(&arguments), Ok(Some(expected())));
        }
        assert_eq!(parse(&[]), Ok(Some(Options::default())));
    }

    #[test]
    fn an_unknown_argument_is_an_error_that_says_what_was_expected() {
        let all = "expected `--ai-log`, `--frame N`, `--inspect`, `--inspect-for SECONDS`, `--load FILE`, `--record FILE`, `--replay FILE`, \
                   `--save FILE`, `--trace FILE`, `--turns N`, `--who NAME`, `--world FILE`, `--help`";
        for (arguments, expected) in [
            (
                &["--ailog"][..],
                &*format!("unknown option `--ailog`: {all}"),
            ),
            (&["-x"], &*format!("unknown option `-x`: {all}")),
            (
                &["--trace"],
                "`--trace` has no value: expected `--trace FILE`",
            ),
            (
                &["--trace", "--ai-log"],
                "`--trace` has no value: expected `--trace FILE`",
            ),
            (
                &["--world", "a.ron", "--world", "b.ron"],
                "`--world` is given twice: expected it once",
            ),
        ] {
            assert_eq!(parse(arguments), Err(expected.to_owned()));
        }
        let none = Usage {
            options: &[],
            ..USAGE
        };
        let error = none.parse(["a.ron".into()]).expect_err("it takes nothing");
        assert_eq!(error, "unknown argument `a.ron`: expected `--help`");
    }

    #[test]
    fn help_lists_every_option() {
        for asked in ["--help", "-h"] {
            assert_eq!(parse(&["--ai-log", asked, "--nonsense"]), Ok(None));
        }
        let help = USAGE.help();
        for (option, what) in USAGE.options {
            assert!(help.contains(option) && help.contains(what), "{help}");
        }
    }
}
