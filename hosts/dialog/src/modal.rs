//! A modal dialog.

use std::ops::ControlFlow;

use message_core::prelude::*;

use crate::keys::Key;
use crate::ring::{FOCUS, Ring, focus};
use crate::screen::{Draw, View};
use crate::widgets::{Button, Choice, Pressed};

/// The dialog was closed by this button. Sent to the messagee that opened it.
#[derive(Message, Debug)]
pub struct Answered(pub Choice);

/// A question that must be answered before anything else: it lets no key through.
#[derive(Debug)]
pub struct Modal {
    question: &'static str,
    /// The widget that had the focus before, and gets it back.
    before: Option<MessageeId>,
}

impl Modal {
    /// Opens a dialog over the messagee of a handler. The first button has the focus immediately, although
    /// the dialog only becomes alive when the outermost send returns.
    pub fn open(
        cx: &mut Context<'_>,
        question: &'static str,
        choices: &[Choice],
    ) -> Result<(), MessageeError> {
        let before = cx.bound(FOCUS);
        let dialog = cx.spawn((Self { question, before }, Ring));
        cx.set_parent(dialog, Some(cx.me()))?;
        for (at, &choice) in choices.iter().enumerate() {
            let button = cx.spawn((Button(choice),));
            cx.set_parent(button, Some(dialog))?;
            if at == 0 {
                focus(cx, button)?;
            }
        }
        Ok(())
    }

    /// Restores the focus and despawns the dialog with its buttons.
    fn close(&self, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        if let Some(before) = self.before {
            focus(cx, before)?;
        }
        cx.despawn(cx.me())
    }
}

#[handlers]
impl Modal {
    /// Consumes all keys: nothing gets past a modal dialog.
    #[on_receive]
    fn key(&mut self, key: &Key, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        if *key == Key::Escape {
            self.close(cx)?;
        }
        Ok(ControlFlow::Break(()))
    }

    #[on_receive]
    fn pressed(
        &mut self,
        pressed: &Pressed,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, HandlerError> {
        self.close(cx)?;
        if let Some(opener) = cx.parent(cx.me()) {
            cx.send(opener, Answered(pressed.0))?;
        }
        Ok(ControlFlow::Break(()))
    }

    #[on_receive]
    fn draw(&self, _: &Draw) -> View {
        View::Dialog(self.question)
    }
}
