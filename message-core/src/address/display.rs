//! Addresses in words, with the width that is asked for.

use std::fmt;

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};

/// Writes a text with the width, fill and alignment that a format string asks for. Unlike
/// [`Formatter::pad`](fmt::Formatter::pad) it never cuts the text off.
pub(crate) fn write_padded(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    match f.width() {
        Some(_) => f.pad(text),
        None => f.write_str(text),
    }
}

/// Returns an id as it is printed in a text that may leave names out by `{:#}`.
pub(crate) fn in_text(id: MessageeId, f: &fmt::Formatter<'_>) -> String {
    match id.name().filter(|_| !f.alternate()) {
        Some(name) => format!("{} {name:?}", id.0),
        None => id.0.to_string(),
    }
}

/// Prints place and generation, and the name if the messagee has one: `7v2` or `7v2 "Red Baron"`. In
/// the name, quotes and control characters are escaped. `{:#}` leaves the name out.
///
/// The name is that at the time of printing, as [`name`](crate::Structure::name) returns it. After
/// the manager has been dropped, no name is printed.
impl fmt::Display for MessageeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_padded(f, &in_text(*self, f))
    }
}

/// Prints place and generation, as `7v2`.
impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_padded(f, &self.0.to_string())
    }
}

/// Prints place and generation, as `7v2`.
impl fmt::Display for SubscriptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_padded(f, &self.0.to_string())
    }
}

/// Prints in words where the send goes. `{:#}` leaves the name of a messagee out.
impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::Id(id) => format!("messagee {}", in_text(id, f)),
            Self::Me => "the sender itself".to_owned(),
            Self::Everyone => "everyone".to_owned(),
            Self::EveryoneElse => "everyone else".to_owned(),
            Self::Mnemonic(mnemonic) => format!("`{}`", mnemonic.name()),
            Self::Group(group) => format!("group `{}`", group.name()),
            Self::Up(id) => format!("messagee {} and its ancestors", in_text(id, f)),
            Self::Down(id) => format!("messagee {} and its descendants", in_text(id, f)),
            Self::UpFrom(mnemonic) => format!("`{}` and its ancestors", mnemonic.name()),
            Self::DownFrom(mnemonic) => format!("`{}` and its descendants", mnemonic.name()),
            Self::Hook(hook) => format!("hook {hook}"),
        };
        write_padded(f, &text)
    }
}

/// Prints in words who sent it. `{:#}` leaves the name of a messagee out.
impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Outside => write_padded(f, "outside"),
            Self::Manager => write_padded(f, "the manager"),
            Self::Messagee(id) => write_padded(f, &format!("messagee {}", in_text(id, f))),
        }
    }
}
