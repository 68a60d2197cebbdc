//! The battle as a picture: every message with its cause, in a file that can be opened in
//! [Perfetto](https://ui.perfetto.dev).
//!
//! The messagees do not know about it. The manager records all messages; at the end,
//! the recording is written as a Chrome trace, with a track for each messagee.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use message_trace::{Recorder, TraceFilter};

/// The maximum number of recorded steps: the built-in battle has less than a
/// thousand. If a battle has more, the last ones are kept.
pub const STEPS: usize = 1 << 20;

/// The file that the battle is written to.
#[derive(Debug)]
pub struct Chronicle {
    path: PathBuf,
    file: File,
}

/// An error of writing the battle.
#[derive(Debug)]
pub struct ChronicleError {
    path: PathBuf,
    why: io::Error,
}

impl fmt::Display for ChronicleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(f, "the trace cannot be written to {path}: {}", self.why)
    }
}

impl std::error::Error for ChronicleError {}

impl Chronicle {
    /// Creates the file, or truncates it.
    pub fn create(path: &Path) -> Result<Self, ChronicleError> {
        let path = path.to_owned();
        match File::create(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(why) => Err(ChronicleError { path, why }),
        }
    }

    /// Writes the recording. Returns a line that says so.
    pub fn write(self, recorder: &Recorder) -> Result<String, ChronicleError> {
        let Self { path, file } = self;
        match message_trace::write_chrome_trace(recorder, &TraceFilter::all(), BufWriter::new(file))
        {
            Ok(()) => Ok(format!(
                "trace: {} events written to {}, to be opened in https://ui.perfetto.dev",
                recorder.len(),
                path.display()
            )),
            Err(why) => Err(ChronicleError { path, why }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fs;

    use message_data::WorldFile;

    use super::*;
    use crate::game::Game;

    /// A file for this run of the tests, which is removed at the end.
    struct Temporary(PathBuf);

    impl Temporary {
        fn named(name: &str) -> Self {
            let name = format!("{name}-{}.json", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn the_trace_of_a_battle_has_a_track_for_every_fighter() -> Result<(), Box<dyn Error>> {
        let temporary = Temporary::named("skirmish-trace");
        let chronicle = Chronicle::create(&temporary.0)?;
        let mut game = Game::new(&WorldFile::parse(crate::WORLD)?)?;
        let fighters = [
            "tank",
            "knight",
            "archer",
            "ogre",
            "goblin Grib",
            "goblin Snag",
            "goblin Mok",
        ];
        let fighters = fighters.map(|name| game.find(name).expect("it fights"));
        let tracks = fighters.map(|fighter| format!("messagee {fighter}"));
        game.record();
        game.begin()?;
        for _ in 0..game.turns()? {
            game.turn()?;
        }
        let recorder = game.stop_recording().ok_or("it was recorded")?;
        assert_eq!(recorder.overwritten(), 0);
        let line = chronicle.write(&recorder)?;
        assert!(line.contains(&*temporary.0.to_string_lossy()), "{line}");

        let written = fs::read_to_string(&temporary.0)?;
        for track in &tracks {
            let named = format!("\"args\":{{\"name\":{track:?}}}");
            assert!(written.contains(&named), "{named} in {written}");
        }
        let of_phase = |phase| written.matches(&format!("\"ph\":\"{phase}\"")).count();
        assert!(of_phase("X") > 100);
        assert_eq!(of_phase("s"), of_phase("f"));
        Ok(())
    }

    #[test]
    fn a_file_that_cannot_be_written_is_told_by_its_name() {
        let error = Chronicle::create(Path::new("no/such/place/battle.json"));
        let text = error.expect_err("there is no such place").to_string();
        let expected = "the trace cannot be written to no/such/place/battle.json: ";
        assert!(text.starts_with(expected), "{text}");
    }
}
