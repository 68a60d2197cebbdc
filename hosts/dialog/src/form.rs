//! The form: two fields and two buttons, and the meaning of saving and leaving.

use std::error::Error;

use message_core::prelude::*;

use crate::keys::Key;
use crate::modal::{Answered, Modal};
use crate::notice::Notice;
use crate::ring::{FOCUS, Ring};
use crate::screen::{Draw, View};
use crate::widgets::{Button, Choice, Edited, Field, GetText, Pressed};

/// A visitor was saved. Sent to everyone.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The name, which is not empty.
    pub name: String,
    /// The city.
    pub city: String,
}

/// A form for a visitor.
#[derive(Debug)]
pub struct Form {
    name: MessageeId,
    city: MessageeId,
    /// Whether something was edited since it was saved.
    is_edited: bool,
}

impl Form {
    /// Opens the form with the focus on its first field.
    pub fn open(ui: &mut MessageManager) -> Result<MessageeId, Box<dyn Error>> {
        let [name, city] = ["Name", "City"].map(|label| {
            let text = String::new();
            ui.spawn((Field { label, text },))
        });
        let [save, quit] = [Choice::Save, Choice::Quit].map(|choice| ui.spawn((Button(choice),)));
        let is_edited = false;
        let form = ui.spawn((
            Self {
                name,
                city,
                is_edited,
            },
            Ring,
            Notice::default(),
        ));
        for widget in [name, city, save, quit] {
            ui.set_parent(widget, Some(form))?;
        }
        ui.bind(FOCUS, name)?;
        Ok(form)
    }

    fn save(&mut self, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let name = cx.request(self.name, GetText)?;
        let city = cx.request(self.city, GetText)?;
        if name.is_empty() {
            Modal::open(cx, "A name is needed", &[Choice::Ok])?;
        } else {
            self.is_edited = false;
            cx.send(Everyone, Saved { name, city })?;
        }
        Ok(())
    }

    /// Quits, but asks first if changes would be lost.
    fn quit(&mut self, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.is_edited {
            Modal::open(cx, "Discard the changes?", &[Choice::Yes, Choice::No])?;
        } else {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }
}

#[handlers]
impl Form {
    #[on_receive]
    fn key(&mut self, key: &Key, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if *key == Key::Escape {
            self.quit(cx)?;
        }
        Ok(())
    }

    #[on_receive]
    fn pressed(&mut self, pressed: &Pressed, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        match pressed.0 {
            Choice::Save => self.save(cx),
            Choice::Quit => self.quit(cx),
            Choice::Yes | Choice::No | Choice::Ok => Ok(()),
        }
    }

    #[on_receive]
    fn answered(&mut self, answer: &Answered, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if answer.0 == Choice::Yes {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }

    #[on_receive]
    fn edited(&mut self, _: &Edited) {
        self.is_edited = true;
    }

    #[on_receive]
    fn draw(&self, _: &Draw) -> View {
        View::Window("Visitor")
    }
}
