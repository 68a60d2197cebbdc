//! Addresses in words, with the width that is asked for.

use std::fmt;

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
use crate::names::name_of;

/// Writes a text with the width, fill and alignment that a format string asks for. Unlike
/// [`Formatter::pad`](fmt::Formatter::pad) it never cuts the text off.
pub(crate) fn write_padded(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    match f.width() {
        Some(_) => f.pad(&text.to_string()),
        None => f.write_fmt(text),
    }
}

/// An id as it is printed in a text that may leave names out.
pub(crate) struct InText {
    pub(crate) id: MessageeId,
    pub(crate) named: bool,
}

impl fmt::Display for InText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id.0)?;
        if self.named
            && let Some(name) = name_of(self.id)
        {
            write!(f, " {name:?}")?;
        }
        Ok(())
    }
}

/// Prints place and generation, and the name if the messagee has one: `7v2` or `7v2 "Red Baron"`. In
/// the name, quotes and control characters are escaped. `{:#}` leaves the name out.
///
/// The name is that at the time of printing, as [`name`](crate::Structure::name) returns it. After
/// the manager has been dropped, no name is printed.
impl fmt::Display for MessageeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, named) = (*self, !f.alternate());
        write_padded(f, format_args!("{}", InText { id, named }))
    }
}

/// Prints place and generation, as `7v2`.
impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_padded(f, format_args!("{}", self.0))
    }
}

/// Prints place and generation, as `7v2`.
impl fmt::Display for SubscriptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_padded(f, format_args!("{}", self.0))
    }
}

/// Prints in words where the send goes. `{:#}` leaves the name of a messagee out.
impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = !f.alternate();
        let of = |id| InText { id, named };
        match *self {
            Self::Id(id) => write_padded(f, format_args!("messagee {}", of(id))),
            Self::Me => write_padded(f, format_args!("the sender itself")),
            Self::Everyone => write_padded(f, format_args!("everyone")),
            Self::EveryoneElse => write_padded(f, format_args!("everyone else")),
            Self::Mnemonic(mnemonic) => write_padded(f, format_args!("`{}`", mnemonic.name())),
            Self::Group(group) => write_padded(f, format_args!("group `{}`", group.name())),
            Self::Up(id) => write_padded(f, format_args!("messagee {} and its ancestors", of(id))),
            Self::Down(id) => {
                write_padded(f, format_args!("messagee {} and its descendants", of(id)))
            }
            Self::UpFrom(mnemonic) => {
                write_padded(f, format_args!("`{}` and its ancestors", mnemonic.name()))
            }
            Self::DownFrom(mnemonic) => {
                write_padded(f, format_args!("`{}` and its descendants", mnemonic.name()))
            }
            Self::Hook(hook) => write_padded(f, format_args!("hook {hook}")),
        }
    }
}

/// Prints in words who sent it. `{:#}` leaves the name of a messagee out.
impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = !f.alternate();
        match *self {
            Self::Outside => write_padded(f, format_args!("outside")),
            Self::Manager => write_padded(f, format_args!("the manager")),
            Self::Messagee(id) => {
                write_padded(f, format_args!("messagee {}", InText { id, named }))
            }
        }
    }
}
