//! The line at the bottom of the form that says what has happened.

use std::time::Duration;

use message_core::prelude::*;

use crate::form::Saved;
use crate::screen::{Draw, View};

/// How long a notice stays.
pub const STAYS: Duration = Duration::from_secs(3);

/// Removes the notice. Posted for later under a key, so that a newer notice stays for its whole time.
#[derive(Message, Debug)]
struct Fade;

/// The notice, which is empty most of the time.
#[derive(Debug, Default)]
pub struct Notice(String);

#[handlers]
impl Notice {
    #[on_receive]
    fn saved(&mut self, saved: &Saved, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.0 = format!("saved {}", saved.name);
        cx.post(Header::to(Recipient::Me).after(STAYS).key("notice"), Fade)?;
        Ok(())
    }

    #[on_receive]
    fn fade(&mut self, _: &Fade) {
        self.0.clear();
    }

    #[on_receive]
    fn draw(&self, _: &Draw) -> View {
        View::Notice(self.0.clone())
    }
}
