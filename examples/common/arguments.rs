//! The command line of an example: its options, `--help`, and a clear error for everything else.
#![allow(dead_code, reason = "an example without options reads none")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::process::exit;

/// The command line that an example accepts.
pub(crate) struct Usage {
    /// The name of the example.
    pub(crate) name: &'static str,
    /// The description of the example, in one sentence.
    pub(crate) about: &'static str,
    /// Each option and its description: `--flag`, `--option VALUE`, or the name of a file, which needs
    /// no dashes.
    pub(crate) options: &'static [(&'static str, &'static str)],
    /// Files in `examples`, and what to look at in each of them.
    pub(crate) look: &'static [(&'static str, &'static str)],
}

/// The options that were given.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Given(BTreeMap<&'static str, OsString>);

impl Given {
    /// Returns `true` if the option was given.
    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.contains_key(option)
    }

    /// Returns the value of an option, if it was given.
    pub(crate) fn value(&self, option: &str) -> Option<&OsStr> {
        self.0.get(option).map(OsString::as_os_str)
    }
}

impl Usage {
    /// Parses the command line of the program. Prints the help and exits if it was requested.
    /// On an error, prints it and exits with code 2. Otherwise, prints what to look at to the standard error.
    pub(crate) fn read(&self) -> Given {
        match self.parse(std::env::args_os().skip(1)) {
            Ok(Some(given)) => {
                eprintln!("{}\n{}\n", self.about, self.source());
                given
            }
            Ok(None) => {
                println!("{}", self.help());
                exit(0)
            }
            Err(error) => {
                eprintln!("{}: {error}", self.name);
                exit(2)
            }
        }
    }

    /// Returns the number given for an option, or `or` if the option was not given. If it is not a
    /// number, prints an error and exits with code 2.
    pub(crate) fn number(&self, given: &Given, option: &str, or: u32) -> u32 {
        let Some(text) = given.value(option).map(OsStr::to_string_lossy) else {
            return or;
        };
        text.parse().unwrap_or_else(|_| {
            eprintln!("{}: `{option} {text}`: expected a number", self.name);
            exit(2)
        })
    }

    /// Parses the arguments after the name of the program. Returns `None` if the help is requested.
    pub(crate) fn parse(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Option<Given>, String> {
        let mut given = Given::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if text == "--help" || text == "-h" {
                return Ok(None);
            }
            let is_option = text.starts_with('-');
            let known = self.options.iter().find_map(|(option, _)| {
                let (name, value) = option.split_once(' ').unwrap_or((option, ""));
                let fits = if is_option {
                    name == text
                } else {
                    !name.starts_with('-')
                };
                fits.then_some((name, value))
            });
            let Some((name, value)) = known else {
                let kind = if is_option { "option" } else { "argument" };
                return Err(format!("unknown {kind} `{text}`: {}", self.expected()));
            };
            let value = match (is_option, value) {
                (false, _) => argument,
                (true, "") => OsString::new(),
                (true, value) => arguments
                    .next()
                    .filter(|next| !next.to_string_lossy().starts_with("--"))
                    .ok_or_else(|| format!("`{name}` has no value: expected `{name} {value}`"))?,
            };
            if given.0.insert(name, value).is_some() {
                return Err(format!("`{name}` is given twice: expected it once"));
            }
        }
        Ok(Some(given))
    }

    fn expected(&self) -> String {
        let options = self.options.iter().map(|(option, _)| *option);
        let all: Vec<_> = options.chain(["--help"]).collect();
        format!("expected `{}`", all.join("`, `"))
    }

    /// Returns what to look at in the source.
    fn source(&self) -> String {
        let files = self.look.iter();
        let files = files.map(|(file, what)| format!("\n  {file:<24} {what}"));
        format!("Look at, in `examples`:{}", files.collect::<String>())
    }

    /// Returns the help text.
    pub(crate) fn help(&self) -> String {
        let options = self.options.iter();
        let options = options.chain(&[("--help", "Prints this text.")]);
        let options = options.map(|(option, what)| format!("  {option:<21} {what}"));
        format!(
            "{}\n\nUsage: cargo run --release -p {} --example {} [-- OPTIONS]\n\nOptions:\n{}\n\n{}",
            self.about,
            env!("CARGO_PKG_NAME"),
            self.name,
            options.collect::<Vec<_>>().join("\n"),
            self.source(),
        )
    }
}
