//! Families and focus: a modal dialog and a tab ring.
//!
//! A family is a tree of messagees, built with [`set_parent`](crate::MessageManager::set_parent). A key press
//! goes `Up` from the widget that has the focus; the first widget that can use it consumes it by returning
//! `ControlFlow::Break`. The focus is a mnemonic. It moves at once, even in a handler.
//!
//! ```
//! use message_core::prelude::*;
//! use std::ops::ControlFlow;
//!
//! mnemonic!(FOCUS);
//!
//! #[derive(Message, PartialEq)]
//! enum Key { Tab, Escape, Char(char) }
//!
//! #[derive(Default)]
//! struct Field { text: String }
//!
//! #[handlers]
//! impl Field {
//!     #[on_receive]
//!     fn type_in(&mut self, key: &Key) -> ControlFlow<()> {
//!         let Key::Char(typed) = key else { return ControlFlow::Continue(()) };
//!         self.text.push(*typed);
//!         ControlFlow::Break(())
//!     }
//! }
//!
//! /// Moves the focus around its children. Its parent sees no key: it is modal.
//! struct Dialog { focus_before: MessageeId }
//!
//! #[handlers]
//! impl Dialog {
//!     #[on_receive]
//!     fn key(&mut self, key: &Key, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
//!         let ring: Vec<_> = cx.children(cx.me()).collect();
//!         match (key, cx.bound(FOCUS)) {
//!             (Key::Tab, Some(focused)) => {
//!                 let at = ring.iter().position(|&widget| widget == focused).unwrap_or(0);
//!                 cx.unbind(FOCUS, focused)?;
//!                 cx.bind(FOCUS, ring[(at + 1) % ring.len()])?;
//!             }
//!             (Key::Escape, Some(focused)) => {
//!                 cx.unbind(FOCUS, focused)?;
//!                 cx.bind(FOCUS, self.focus_before)?;
//!                 cx.despawn(cx.me())?; // Its children go with it.
//!             }
//!             _ => {}
//!         }
//!         Ok(ControlFlow::Break(()))
//!     }
//! }
//!
//! let mut ui = MessageManager::new();
//! let form = ui.spawn((Field::default(),));
//! let dialog = ui.spawn((Dialog { focus_before: form },));
//! ui.set_parent(dialog, Some(form))?;
//! let [name, city] = [(); 2].map(|()| ui.spawn((Field::default(),)));
//! ui.set_parent(name, Some(dialog))?;
//! ui.set_parent(city, Some(dialog))?;
//! ui.bind(FOCUS, name)?;
//!
//! let mut press = |key| {
//!     let focused = ui.bound(FOCUS).expect("the focus is always somewhere");
//!     ui.send(Up(focused), key).map(|_| ui.bound(FOCUS))
//! };
//! press(Key::Char('A'))?;
//! assert_eq!(press(Key::Tab)?, Some(city));
//! press(Key::Char('B'))?;
//! assert_eq!(press(Key::Tab)?, Some(name)); // The ring is closed.
//! assert_eq!(press(Key::Escape)?, Some(form));
//! press(Key::Char('C'))?;
//! assert!(!ui.is_alive(dialog) && !ui.is_alive(name));
//! assert_eq!(ui.get::<Field>(form)?.text, "C");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `Break(())` stops the key for everybody, also for the other components of the widget. With
//! [`Break(StopAt::Messagee)`](crate::handler::StopAt) they still receive it, for example one that plays a sound, and no
//! ancestor does.
//!
//! `Down(id)` goes the other way: for example, an order from a squad leader to all members. Despawning a
//! messagee despawns its descendants, or
//! [re-parents](crate::MessageManager::despawn_with) its children.
//!
//! The package `hosts/dialog` is a complete program on this topic, in a terminal.
//!
//! Next: [errors](super::errors).
