//! The widgets that can have the focus: text fields and buttons.

use std::ops::ControlFlow;

use message_core::prelude::*;

use crate::keys::Key;
use crate::screen::{Draw, View};

/// The meaning of a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Saves the form.
    Save,
    /// Leaves the form.
    Quit,
    /// Agrees.
    Yes,
    /// Declines.
    No,
    /// Confirms.
    Ok,
}

/// A button was pressed. Sent `Up` from the button.
#[derive(Message, Debug)]
pub struct Pressed(pub Choice);

/// The text of a field was changed. Sent `Up` from the field.
#[derive(Message, Debug)]
pub struct Edited;

/// Asks a field for its text.
#[derive(Message, Debug)]
#[message(reply = String)]
pub struct GetText;

/// A line of text that can be edited by typing.
#[derive(Debug)]
pub struct Field {
    /// The label in front of the text.
    pub label: &'static str,
    /// The text.
    pub text: String,
}

#[handlers]
impl Field {
    /// Handles the keys that edit text; the others are passed on to the window.
    #[on_receive]
    fn edit(&mut self, key: &Key, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        match key {
            Key::Char(typed) => self.text.push(*typed),
            Key::Backspace => {
                self.text.pop();
            }
            _ => return Ok(ControlFlow::Continue(())),
        }
        cx.send(Up(cx.me()), Edited)?;
        Ok(ControlFlow::Break(()))
    }

    #[on_receive]
    fn text(&self, _: &GetText) -> String {
        self.text.clone()
    }

    #[on_receive]
    fn draw(&self, _: &Draw) -> View {
        View::Widget(format!("{:<5} [{:<16}]", self.label, self.text))
    }
}

/// A button.
#[derive(Debug)]
pub struct Button(pub Choice);

#[handlers]
impl Button {
    #[on_receive]
    fn press(&mut self, key: &Key, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        if !matches!(key, Key::Enter | Key::Char(' ')) {
            return Ok(ControlFlow::Continue(()));
        }
        cx.send(Up(cx.me()), Pressed(self.0))?;
        Ok(ControlFlow::Break(()))
    }

    #[on_receive]
    fn draw(&self, _: &Draw) -> View {
        View::Widget(format!("( {:?} )", self.0))
    }
}
