//! A game that is played in this window, with its log, its save, and its inspector page.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena::Game;
use arena::film::Film;
use arena::pilot::Pilot;
use arena::touch::Touch;
use message_core::{FrameReport, HandlerError};

use crate::Vector;
use crate::options::Options;

/// The log of the game, in memory and optionally in a file.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<(Vec<u8>, Option<File>)>>);

/// The file that a log is written to in addition to memory.
type File = Box<dyn Write + Send>;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.0.extend_from_slice(bytes);
        if let Some(file) = &mut log.1 {
            file.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.1.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// A game in progress.
pub(crate) struct Session {
    pub(crate) game: Game,
    pub(crate) pilot: Option<Pilot>,
    /// The last position of the pointer, while it fires.
    pub(crate) pointed: Option<Vector>,
    pub(crate) touch: Touch,
    options: Options,
    log: Log,
    saved: Option<Vec<u8>>,
    #[cfg(not(target_family = "wasm"))]
    inspector: Option<message_inspector::Inspector>,
}

impl Session {
    pub(crate) fn new(options: Options) -> Result<Self, HandlerError> {
        let saved = match &options.load {
            Some(file) => Some(read(file)?),
            None => None,
        };
        let game = match &saved {
            Some(save) => Game::load(save)?,
            None => Game::new(options.seed)?,
        };
        let mut session = Self {
            game,
            pilot: options.demo.then(Pilot::default),
            pointed: None,
            touch: Touch::default(),
            log: Log::default(),
            saved,
            #[cfg(not(target_family = "wasm"))]
            inspector: open_inspector(&options)?,
            options,
        };
        session.begin()?;
        Ok(session)
    }

    /// Prepares a game before its first frame here.
    fn begin(&mut self) -> Result<(), HandlerError> {
        self.log = Log::default();
        if let Some(file) = &self.options.record {
            let file = create(file)?;
            let mut log = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
            log.1 = Some(file);
        }
        self.game.log_to(self.log.clone())?;
        #[cfg(not(target_family = "wasm"))]
        if let Some(inspector) = &mut self.inspector {
            use message_trace::Recorder;
            let manager = self.game.manager_mut();
            Recorder::new(20_000).with_contents().start(manager);
            inspector.attach(manager, "arena");
        }
        Ok(())
    }

    /// Runs a frame.
    pub(crate) fn frame(&mut self, time: Duration) -> Result<FrameReport, HandlerError> {
        if let Some(pilot) = &mut self.pilot {
            pilot.play(&mut self.game)?;
        }
        let report = self.game.frame(time);
        #[cfg(not(target_family = "wasm"))]
        if let Some(inspector) = &mut self.inspector {
            inspector.update(self.game.manager_mut());
        }
        Ok(report)
    }

    /// Switches the pilot on or off. Returns `true` if the pilot has the keys now.
    pub(crate) fn switch_pilot(&mut self) -> Result<bool, HandlerError> {
        match self.pilot.take() {
            Some(mut pilot) => pilot.rest(&mut self.game)?,
            None => self.pilot = Some(Pilot::default()),
        }
        Ok(self.pilot.is_some())
    }

    /// Saves the game. Returns the size of the save in bytes.
    pub(crate) fn save(&mut self) -> Result<usize, HandlerError> {
        let save = self.game.save()?;
        let bytes = save.len();
        if let Some(file) = &self.options.save {
            write(file, &save)?;
        }
        self.saved = Some(save);
        Ok(bytes)
    }

    /// Continues from the last save. Returns `false` if there is none.
    pub(crate) fn load(&mut self) -> Result<bool, HandlerError> {
        let Some(save) = &self.saved else {
            return Ok(false);
        };
        let game = Game::load(save)?;
        self.end()?;
        self.game = game;
        self.pilot = self.pilot.take().map(|_| Pilot::default());
        self.begin()?;
        Ok(true)
    }

    /// Returns the game so far as a film, by replaying its log.
    pub(crate) fn film(&mut self) -> Result<Film, HandlerError> {
        let log = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Film::of_bytes(log.0.clone())?)
    }

    /// Ends the log and the inspector.
    pub(crate) fn end(&mut self) -> Result<(), HandlerError> {
        self.game.end_log()?;
        self.log.flush()?;
        #[cfg(not(target_family = "wasm"))]
        if let Some(inspector) = &mut self.inspector {
            inspector.detach(self.game.manager_mut());
        }
        Ok(())
    }

    /// Returns the address of the inspector page.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn url(&self) -> Option<String> {
        self.inspector
            .as_ref()
            .map(message_inspector::Inspector::url)
    }

    /// Returns `None`: a program in a web page has no inspector page.
    #[cfg(target_family = "wasm")]
    pub(crate) fn url(&self) -> Option<String> {
        None
    }
}

#[cfg(not(target_family = "wasm"))]
fn open_inspector(options: &Options) -> Result<Option<message_inspector::Inspector>, HandlerError> {
    if !options.inspect {
        return Ok(None);
    }
    let builder = message_inspector::Inspector::builder().writable(true);
    let served = builder.clone().serve("127.0.0.1:7707");
    let inspector = served.or_else(|_| builder.serve("127.0.0.1:0"))?;
    println!("look at {}", inspector.url());
    Ok(Some(inspector))
}

fn read(file: &str) -> Result<Vec<u8>, HandlerError> {
    std::fs::read(file).map_err(|error| format!("{file}: {error}").into())
}

fn write(file: &str, bytes: &[u8]) -> Result<(), HandlerError> {
    std::fs::write(file, bytes).map_err(|error| format!("{file}: {error}").into())
}

fn create(file: &str) -> Result<File, HandlerError> {
    let created = std::fs::File::create(file);
    let created = created.map_err(|error| format!("{file}: {error}"))?;
    Ok(Box::new(io::BufWriter::new(created)))
}
