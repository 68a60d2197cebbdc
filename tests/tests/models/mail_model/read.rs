//! Reading with a selection, from outside and from a handler alike.

use message_core::mailbox::Cursor;
use message_core::prelude::*;
use message_core::{
    mailbox::{AnyCursor, AnyInbox, AnyMail, Inbox, Mail},
    time::Moment,
};

use super::naive::{Entry, Kind};
use super::{Blue, Red};

/// The part of the mail that is looked at.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    Red,
    RedSince(Cursor<Red>),
    RedPending,
    Blue,
    BlueSince(Cursor<Blue>),
    BluePending,
    Any,
    AnySince(AnyCursor),
}

impl Look {
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Red | Self::RedSince(_) | Self::RedPending => Some(Kind::Red),
            Self::Blue | Self::BlueSince(_) | Self::BluePending => Some(Kind::Blue),
            Self::Any | Self::AnySince(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) to: Option<Recipient>,
    pub(crate) reaching: Option<MessageeId>,
    pub(crate) from: Option<Sender>,
    /// Only those with an odd number.
    pub(crate) odd: bool,
}

/// A message that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    number: u64,
    kind: Kind,
    to: Recipient,
    sender: Sender,
    published: Moment,
}

impl Seen {
    pub(crate) fn of(entry: &Entry) -> Self {
        Self {
            number: entry.number,
            kind: entry.kind,
            to: entry.to,
            sender: entry.sender,
            published: entry.published,
        }
    }

    fn of_mail<M: Message>(mail: Mail<'_, M>, kind: Kind, number: u64) -> Self {
        Self {
            number,
            kind,
            to: mail.recipient(),
            sender: mail.sender(),
            published: mail.published(),
        }
    }

    fn of_any(mail: AnyMail<'_>) -> Self {
        let red = mail.downcast_ref::<Red>().map(|red| red.number);
        let blue = mail.downcast_ref::<Blue>().map(|blue| blue.number);
        let (kind, number) = match (red, blue) {
            (Some(number), None) => (Kind::Red, number),
            (None, Some(number)) => (Kind::Blue, number),
            _ => panic!("{mail:?}"),
        };
        Self {
            number,
            kind,
            to: mail.recipient(),
            sender: mail.sender(),
            published: mail.published(),
        }
    }
}

/// Narrows a mailbox down, and collects the mail found.
macro_rules! collect {
    ($mail:expr, $selection:expr, $odd:expr, $seen:expr) => {{
        let (mut mail, selection) = ($mail, $selection);
        if let Some(to) = selection.to {
            mail = mail.to(to);
        }
        if let Some(id) = selection.reaching {
            mail = mail.reaching(id);
        }
        if let Some(from) = selection.from {
            mail = mail.from(from);
        }
        if selection.odd {
            mail.iter().filter($odd).map($seen).collect()
        } else {
            let seen: Vec<Seen> = mail.iter().map($seen).collect();
            assert_eq!(mail.count(), seen.len());
            assert_eq!(mail.is_empty(), seen.is_empty());
            assert_eq!(mail.first().map($seen).as_ref(), seen.first());
            assert_eq!(mail.iter().last().map($seen).as_ref(), seen.last());
            seen
        }
    }};
}

/// Looks, through any type that has these four methods.
macro_rules! look {
    ($from:expr, $look:expr, $selection:expr) => {{
        let (from, mut look, selection) = ($from, $look, $selection);
        let seen = match &mut look {
            Look::Red => reds(from.inbox(), selection),
            Look::RedSince(cursor) => reds(from.inbox().since(cursor), selection),
            Look::RedPending => {
                collect!(
                    from.published::<Red>(),
                    selection,
                    |red: &Mail<'_, Red>| red.number % 2 == 1,
                    red
                )
            }
            Look::Blue => blues(from.inbox(), selection),
            Look::BlueSince(cursor) => blues(from.inbox().since(cursor), selection),
            Look::BluePending => {
                collect!(
                    from.published::<Blue>(),
                    selection,
                    |blue: &Mail<'_, Blue>| blue.number % 2 == 1,
                    blue
                )
            }
            Look::Any => all(from.inbox_any(), selection),
            Look::AnySince(cursor) => all(from.inbox_any().since(cursor), selection),
        };
        (seen, look)
    }};
}

fn red(mail: Mail<'_, Red>) -> Seen {
    Seen::of_mail(mail, Kind::Red, mail.number)
}

fn blue(mail: Mail<'_, Blue>) -> Seen {
    Seen::of_mail(mail, Kind::Blue, mail.number)
}

fn reds(inbox: Inbox<'_, Red>, selection: Selection) -> Vec<Seen> {
    collect!(
        inbox,
        selection,
        |red: &Mail<'_, Red>| red.number % 2 == 1,
        red
    )
}

fn blues(inbox: Inbox<'_, Blue>, selection: Selection) -> Vec<Seen> {
    collect!(
        inbox,
        selection,
        |blue: &Mail<'_, Blue>| blue.number % 2 == 1,
        blue
    )
}

fn all(inbox: AnyInbox<'_>, selection: Selection) -> Vec<Seen> {
    let is_odd = |mail: &AnyMail<'_>| {
        let message = mail.message();
        let red = message.downcast_ref::<Red>().map(|red| red.number);
        let blue = message.downcast_ref::<Blue>().map(|blue| blue.number);
        red.or(blue).is_some_and(|number| number % 2 == 1)
    };
    collect!(inbox, selection, is_odd, Seen::of_any)
}

pub(crate) fn outside(
    manager: &MessageManager,
    look: Look,
    selection: Selection,
) -> (Vec<Seen>, Look) {
    look!(manager, look, selection)
}

pub(crate) fn inside(cx: &Context<'_>, look: Look, selection: Selection) -> (Vec<Seen>, Look) {
    look!(cx, look, selection)
}
