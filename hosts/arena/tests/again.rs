//! A game that is saved, continued, and replayed from its log.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use arena::film::Film;
use arena::game::STEP;
use arena::pilot::Pilot;
use arena::{Button, Game};
use message_core::HandlerError;
use message_data::Digest;

type Told = Result<(), HandlerError>;

#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    fn get(&self) -> Vec<u8> {
        self.0.lock().expect("nobody panics while writing").clone()
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().expect("nobody panics while writing");
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Plays `frames` frames of uneven length.
fn play(game: &mut Game, pilot: &mut Pilot, frames: u32) -> Told {
    for frame in 0..frames {
        pilot.play(game)?;
        game.frame(STEP * (1 + frame % 3) / 2);
    }
    Ok(())
}

// holds: saves.goes-on, saves.save-of-restored
#[test]
fn a_game_that_was_loaded_goes_on_as_the_one_that_was_saved() -> Told {
    let mut game = Game::new(3)?;
    play(&mut game, &mut Pilot::default(), 900)?;
    game.press(Button::Bomb)?;
    let save = game.save()?;
    let mut loaded = Game::load(&save)?;
    assert_eq!(loaded.save()?, save);
    for frame in 0..900 {
        if frame % 50 == 0 {
            game.press(Button::FireLeft)?;
            loaded.press(Button::FireLeft)?;
        }
        game.frame(STEP);
        loaded.frame(STEP);
        if frame % 100 == 0 {
            assert_eq!(Digest::of(game.manager()), Digest::of(loaded.manager()));
        }
    }
    let (one, other) = (game.scene(), loaded.scene());
    assert_eq!((one.points, one.radio), (other.points, other.radio));
    Ok(())
}

// holds: logs.replay
#[test]
fn a_game_is_repeated_from_its_log() -> Told {
    let log = Bytes::default();
    let mut game = Game::new(5)?;
    game.log_to(log.clone())?;
    let mut pilot = Pilot::default();
    play(&mut game, &mut pilot, 1200)?;
    game.press(Button::Pause)?;
    play(&mut game, &mut pilot, 10)?;
    game.press(Button::Pause)?;
    game.press(Button::Slow)?;
    play(&mut game, &mut pilot, 400)?;
    let report = game.end_log()?.expect("it was written");
    assert!(report.impure.is_empty(), "{:?}", report.impure);

    let film = Film::of_bytes(log.get())?;
    assert!(film.digests > 40, "{}", film.digests);
    assert_eq!(Digest::of(film.end.manager()), Digest::of(game.manager()));
    let last = film.scenes.last().expect("it has scenes");
    assert_eq!(last.points, game.scene().points);
    assert!(film.scenes.len() > 1000);
    let flashes = film.scenes.iter().map(|scene| scene.flashes.len());
    assert!(flashes.sum::<usize>() > 100);
    Ok(())
}

// holds: logs.inputs-written
#[test]
fn a_log_can_be_looked_at_while_it_is_written() -> Told {
    let log = Bytes::default();
    let mut game = Game::new(5)?;
    game.log_to(log.clone())?;
    play(&mut game, &mut Pilot::default(), 300)?;
    let film = Film::of_bytes(log.get())?;
    assert_eq!(Digest::of(film.end.manager()), Digest::of(game.manager()));
    Ok(())
}

#[test]
fn what_is_no_log_is_refused() {
    assert!(Film::of_bytes(b"no log".to_vec()).is_err());
    assert!(Game::load(b"no save").is_err());
}
