//! The logbook: it records what happens, with the names of those who took part.
//!
//! It is a component without handlers, so it is never busy: both handlers and subscribers can write
//! into it through their context. The manager also knows the names of messagees that are gone.

use std::fmt;

use message_core::prelude::*;

mnemonic! {
    /// The messagee that keeps the logbook.
    LOGBOOK,
}

/// The lines of the logbook.
#[derive(Default)]
pub struct Logbook {
    lines: Vec<String>,
}

impl Logbook {
    /// Spawns the logbook.
    pub fn open(manager: &mut MessageManager) -> Result<MessageeId, MessageeError> {
        let id = manager.spawn((Self::default(),));
        manager.bind(LOGBOOK, id)?;
        Ok(id)
    }

    /// Returns the lines of one kind, without their time.
    #[cfg(test)]
    pub fn of_kind(&self, kind: &str) -> Vec<&str> {
        let lines = self.lines.iter();
        let texts = lines.filter_map(|line| line.split_once(&format!(" {kind} ")));
        texts.map(|(_, text)| text.trim_start()).collect()
    }
}

impl fmt::Display for Logbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Writes a line. `R` is a handler or a subscriber: both contexts can do this.
pub fn note<R>(cx: &mut Context<'_, R>, kind: &str, what: &str) {
    let now = cx.clock().now().as_secs_f64();
    if let Some(id) = cx.bound(LOGBOOK)
        && let Ok(mut logbook) = cx.get_mut::<Logbook>(id)
    {
        logbook.lines.push(format!("{now:7.3} {kind:<5} {what}"));
    }
}

/// Returns the current or former name of a messagee.
pub fn name_of<R>(cx: &mut Context<'_, R>, id: MessageeId) -> String {
    let name = cx.name(id);
    name.map_or_else(|| format!("somebody ({id})"), |name| name.to_string())
}

/// Returns the name of a recipient.
pub fn recipient_name<R>(cx: &mut Context<'_, R>, recipient: Recipient) -> String {
    match recipient {
        Recipient::Id(id) => name_of(cx, id),
        Recipient::Group(group) => group.name().to_owned(),
        Recipient::Mnemonic(mnemonic) => mnemonic.name().to_owned(),
        other => other.to_string(),
    }
}

/// Returns the name of a sender.
pub fn sender_name<R>(cx: &mut Context<'_, R>, sender: Sender) -> String {
    match sender {
        Sender::Messagee(id) => name_of(cx, id),
        other => other.to_string(),
    }
}
