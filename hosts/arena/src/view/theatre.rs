//! Shows a film: a game that is replayed from its log.

use arena::film::Film;
use arena::scene::Scene;
use macroquad::prelude::{Color, KeyCode, is_key_down, is_key_pressed};

use crate::paint::{Paint, TOP, WIDTH, faded};

/// The number of scenes that are shown per second.
const PACE: f32 = 60.0;

/// A film that is being shown.
pub(crate) struct Theatre {
    film: Film,
    at: f32,
    is_stopped: bool,
}

impl Theatre {
    pub(crate) fn new(film: Film) -> Self {
        Self {
            film,
            at: 0.0,
            is_stopped: false,
        }
    }

    /// Advances the film by that time, and returns the scenes that are new.
    pub(crate) fn advance(&mut self, seconds: f32) -> &[Scene] {
        if is_key_pressed(KeyCode::Space) {
            self.is_stopped = !self.is_stopped;
        }
        let before = self.place();
        let speed = match (is_key_down(KeyCode::Right), is_key_down(KeyCode::Left)) {
            (true, false) => 6.0,
            (false, true) => -6.0,
            _ if self.is_stopped => 0.0,
            _ => 1.0,
        };
        self.at = (self.at + seconds * PACE * speed).max(0.0);
        let after = self.place();
        // No flashes while winding back.
        let first = (before + 1).min(after);
        self.film.scenes.get(first..=after).unwrap_or_default()
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative"
    )]
    fn place(&mut self) -> usize {
        let last = self.film.scenes.len().saturating_sub(1);
        let place = (self.at as usize).min(last);
        if self.at as usize > last {
            #[expect(clippy::cast_precision_loss, reason = "it is to be shown")]
            {
                self.at = last as f32;
            }
        }
        place
    }

    /// Returns the text of the title line.
    pub(crate) fn note(&self) -> String {
        format!(
            "REPLAY of {} steps from the log, {} states compared and equal   SPACE stop   LEFT/RIGHT wind   F7 back",
            self.film.scenes.len(),
            self.film.digests
        )
    }

    /// Draws the progress bar.
    #[expect(clippy::cast_precision_loss, reason = "it is to be shown")]
    pub(crate) fn draw_bar(&self, paint: &Paint) {
        let part = self.at / (self.film.scenes.len().max(2) - 1) as f32;
        let color = Color::new(1.0, 0.8, 0.3, 1.0);
        paint.area(0.0, TOP - 3.0, WIDTH, 3.0, faded(color, 0.2));
        paint.area(0.0, TOP - 3.0, WIDTH * part.min(1.0), 3.0, color);
    }
}
