//! The focus, and the ring in which it moves.

use std::ops::ControlFlow;

use message_core::prelude::*;

use crate::keys::Key;

mnemonic! {
    /// The widget with the keyboard focus.
    pub FOCUS,
}

/// Moves the focus. This takes effect at once: the next lookup and the next send use the new one.
pub fn focus(cx: &mut Context<'_>, widget: MessageeId) -> Result<(), MessageeError> {
    if let Some(before) = cx.bound(FOCUS) {
        cx.unbind(FOCUS, before)?;
    }
    cx.bind(FOCUS, widget)
}

/// Moves the focus around the children of its messagee.
#[derive(Debug)]
pub struct Ring;

#[handlers]
impl Ring {
    /// Runs before the other components of the window, which may consume all keys.
    #[on_receive(priority = 1)]
    fn step(&mut self, key: &Key, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        let ring: Vec<_> = cx.children(cx.me()).collect();
        let focused = cx.bound(FOCUS);
        let at = ring.iter().position(|&widget| Some(widget) == focused);
        let next = match (key, at) {
            (Key::Tab, Some(at)) => (at + 1) % ring.len(),
            (Key::BackTab, Some(at)) => (at + ring.len() - 1) % ring.len(),
            _ => return Ok(ControlFlow::Continue(())),
        };
        focus(cx, ring[next])?;
        Ok(ControlFlow::Break(()))
    }
}
