//! A user interface in a terminal: a form, and modal dialogs over it. The crate `ratatui` draws it.
//!
//! This example shows:
//!
//! - the focus is a mnemonic, [`FOCUS`](ring::FOCUS). A key is sent `Up` from the focused widget, and the first
//!   component that can use the key consumes it (`widgets.rs`);
//! - a tab ring consists of the children of a messagee. Moving the focus takes effect at once, in the
//!   same handler, even to a widget that was spawned in the same handler (`ring.rs`);
//! - a modal dialog is a child of the form that lets no key through. It opens over the focused widget,
//!   restores the focus when it closes, and takes its buttons with it (`modal.rs`);
//! - a notice stays for three seconds: it is removed by a message that was posted for later (`notice.rs`);
//! - a frame is drawn from the answers to one request that is sent `Down` the tree (`screen.rs`);
//! - the loop of a terminal sends the keys and passes the time to the manager (`live.rs`).

pub mod form;
pub mod keys;
pub mod live;
pub mod modal;
pub mod notice;
pub mod ring;
pub mod screen;
pub mod script;
pub mod widgets;

/// Any error ends the program.
pub type Failure = Box<dyn std::error::Error>;
