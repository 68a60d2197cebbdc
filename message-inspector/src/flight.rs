//! The flight recorder of a world: the log of its last frames.

use std::path::PathBuf;

use message_core::MessageManager;
use message_data::{FlightRecorder, Log, LogError};
use serde_json::{Value, json};

use crate::builder::Builder;
use crate::shared::Refusal;

/// The size of a state, in bytes, up to which it is saved again and again without being asked for: that takes some ten
/// milliseconds.
const SMALL: usize = 4 << 20;
/// The number of frames that are kept if the program does not say how many.
const FRAMES: u64 = 3_600;

/// The flight recorder of a world, or the reason why it has none.
#[derive(Debug)]
pub(crate) enum Flight {
    On {
        recorder: FlightRecorder,
        /// The file to which a panic writes it.
        file: Option<PathBuf>,
        /// Whether somebody has asked for it, however long it takes.
        is_asked_for: bool,
    },
    Off(String),
}

impl Flight {
    /// Starts recording, if the settings and the manager allow it.
    pub(crate) fn start(
        manager: &mut MessageManager,
        settings: &Builder,
        name: &str,
        id: usize,
        is_asked_for: bool,
    ) -> Self {
        let frames = wanted_frames(settings);
        if frames == 0 {
            let why = "the program has switched it off: `Builder::flight_recorder(0)`";
            return Self::Off(why.to_owned());
        }
        match FlightRecorder::start(manager, frames) {
            Ok(recorder) => {
                let folder = settings.crashes.as_ref();
                let file = folder.map(|folder| folder.join(file_name(name, id, "log")));
                if let Some(file) = &file {
                    recorder.write_on_panic(file);
                }
                let mut flight = Self::On {
                    recorder,
                    file,
                    is_asked_for: is_asked_for || settings.flight.is_some(),
                };
                flight.check(manager);
                flight
            }
            Err(LogError::Started) => {
                let why = "the program writes a log of this world itself, and a manager has one log at a time";
                Self::Off(why.to_owned())
            }
            Err(error) => Self::Off(error.to_string()),
        }
    }

    /// Ends the log if saving the state holds the manager up and nobody has asked for it.
    pub(crate) fn check(&mut self, manager: &mut MessageManager) {
        let Self::On {
            recorder,
            is_asked_for: false,
            ..
        } = self
        else {
            return;
        };
        let size = recorder.state_size();
        if size > SMALL && recorder.is_recording() {
            self.stop(manager);
            let mib = size >> 20;
            let why = format!(
                "the state has {mib} MiB, and saving it again and again would hold up the world; \
                 `Builder::flight_recorder` or a page can still ask for it"
            );
            *self = Self::Off(why);
        }
    }

    /// Ends the log of the manager, if it is this one. What it has is kept.
    pub(crate) fn stop(&self, manager: &mut MessageManager) {
        if self.is_recording() {
            // Its output is memory, which takes everything.
            let _ = Log::stop(manager);
        }
    }

    pub(crate) fn is_recording(&self) -> bool {
        matches!(self, Self::On { recorder, .. } if recorder.is_recording())
    }

    /// Returns the recorder, if there is a log.
    pub(crate) fn recorder(&self) -> Result<FlightRecorder, Refusal> {
        match self {
            Self::On { recorder, .. } => Ok(recorder.clone()),
            Self::Off(why) => Err(Refusal::unknown(format!("nothing is recorded: {why}"))),
        }
    }

    /// Describes the log for the page.
    pub(crate) fn told(&self, settings: &Builder) -> Value {
        let exportable = may_export(settings).is_ok();
        match self {
            Self::Off(why) => json!({
                "recording": false,
                "why": why,
                "from": Value::Null,
                "to": Value::Null,
                "bytes": 0,
                "frames": wanted_frames(settings),
                "file": Value::Null,
                "exportable": false,
            }),
            Self::On { recorder, file, .. } => {
                let frames = recorder.frames();
                let is_on = recorder.is_recording();
                json!({
                    "recording": is_on,
                    "why": (!is_on).then_some("the log of this world has ended"),
                    "from": frames.start(),
                    "to": frames.end(),
                    "bytes": recorder.size(),
                    "frames": wanted_frames(settings),
                    "file": file.as_ref().map(|file| file.display().to_string()),
                    "exportable": exportable,
                })
            }
        }
    }
}

/// Returns the number of frames that are kept.
fn wanted_frames(settings: &Builder) -> u64 {
    settings.flight.unwrap_or(FRAMES)
}

/// Refuses to export a log if it has values that the settings do not show.
pub(crate) fn may_export(settings: &Builder) -> Result<(), Refusal> {
    if settings.contents && settings.hidden.is_empty() {
        return Ok(());
    }
    let text = "a log contains all values, but this inspector hides some: expected neither `Builder::hide` nor \
                `Builder::contents(false)`";
    Err(Refusal::new(403, "hidden", text))
}

/// Returns the name of a file about a world. It has nothing that leads to another folder.
pub(crate) fn file_name(name: &str, id: usize, kind: &str) -> String {
    let letters = name.chars().take(60);
    let letters = letters.map(|it| if it.is_ascii_alphanumeric() { it } else { '-' });
    format!("{}-{id}.{kind}", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn the_file_of_a_log_stays_in_its_folder() {
        assert_eq!(
            file_name("../../etc/passwd", 3, "log"),
            "------etc-passwd-3.log"
        );
        assert_eq!(
            file_name(&"ä\"\r\n".repeat(50), 0, "log"),
            format!("{}-0.log", "-".repeat(60))
        );
    }
}
