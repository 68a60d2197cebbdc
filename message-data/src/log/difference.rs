//! Finds where two runs first differ.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use message_core::internals::{Identity, Inside as _, Pool};
use message_core::{ManagerConfig, MessageManager};
use message_format::tape::{Kind, Tape};
use message_format::{Writer, text};

use crate::Digest;
use crate::save::{STRUCTURE, component_part, is_no_component, restore_untold};
use crate::scope::Scope;

/// The first difference between a replay and the recorded run.
///
/// It prints the frame, the component type and, if they were found, the messagee and the field with both values.
///
/// ```
/// use message_data::{Replay, ReplayError};
///
/// /// Returns the field in which a replay differs first.
/// fn field(mut replay: Replay) -> Option<String> {
///     match replay.run() {
///         Err(ReplayError::Differs(difference)) => difference.field.map(|(name, ..)| name),
///         _ => None,
///     }
/// }
/// # _ = field;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The number of frames that had begun at the digest that differs. The difference arose after the previous
    /// digest.
    pub frame: u64,
    /// The number of inputs replayed before it.
    pub inputs: u64,
    /// The part that differs: the name of a component type, or `the clock`, `the structure`, `what is pending`.
    pub part: String,
    /// The messagee with its name, if it was found.
    pub messagee: Option<String>,
    /// The field, such as `Health.hp`, with its recorded value and its value in the replay.
    pub field: Option<(String, String, String)>,
    /// `true` if two replays of the log differ from each other. The program then depends on something that is not an
    /// input, such as a clock, an address or the order of a hash map.
    pub is_unstable: bool,
    /// The part of the state that handlers of [`Restored`](message_core::lifecycle::Restored) changed when the first
    /// state was restored, if any. The recorded run did not call them.
    pub restored: Option<String>,
}

impl Difference {
    /// Returns the first difference between two managers that should have the same state, such as those of two players in
    /// the same frame. `None` if their [digests](Digest) are equal. The values of the first manager take the place of the
    /// recorded ones.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Data, Difference};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(exact, name = "docs.Score")]
    /// struct Score { points: u32 }
    ///
    /// let [mine, yours] = [3, 4].map(|points| {
    ///     let mut manager = MessageManager::new();
    ///     manager.spawn_named("board", (Score { points },));
    ///     manager
    /// });
    /// let difference = Difference::between(&mine, &yours).expect("the points differ");
    /// let field = ("Score.points".to_owned(), "3".to_owned(), "4".to_owned());
    /// assert_eq!(difference.field, Some(field));
    /// assert!(Difference::between(&mine, &mine).is_none());
    /// ```
    #[must_use]
    pub fn between(one: &MessageManager, other: &MessageManager) -> Option<Self> {
        let digest = Digest::of(one);
        let part = digest.difference(&Digest::of(other))?;
        let mut found = Self::new(digest.frame(), Some(part), 0);
        found.find(one, other, true);
        Some(found)
    }

    pub(super) fn new(frame: u64, part: Option<String>, inputs: u64) -> Self {
        Self {
            frame,
            inputs,
            part: part.unwrap_or_else(|| STRUCTURE.to_owned()),
            messagee: None,
            field: None,
            is_unstable: false,
            restored: None,
        }
    }

    /// Searches two states for the messagee and the field.
    pub(super) fn find(&mut self, one: &MessageManager, other: &MessageManager, recorded: bool) {
        if is_no_component(&self.part) {
            self.is_unstable = !recorded && Digest::of(one) != Digest::of(other);
            return;
        }
        let Some(found) = first_difference(one, other, &self.part) else {
            return;
        };
        self.messagee = Some(found.messagee);
        self.field = Some(found.field);
        self.is_unstable = !recorded;
    }
}

/// Returns the first part of a saved state that the handlers of [`Restored`](message_core::lifecycle::Restored) change
/// when the save is restored.
pub(super) fn changed_by_restored(save: &[u8], config: &ManagerConfig) -> Option<String> {
    let before = restore_untold(save, config.clone(), Location::caller()).ok()?;
    let after = crate::restore(save, config.clone()).ok()?;
    let before = MessageManager::of_world(before.world);
    Digest::of(&before).difference(&Digest::of(&after.manager))
}

/// Describes a part that handlers of `Restored` have changed, as the end of an error message.
pub(super) fn on_restored(part: &str) -> String {
    format!(
        "; handlers of `Restored` changed `{part}`, so the restored world differs from the saved one: they may \
         open what is not saved, but must not change what is"
    )
}

struct Found {
    messagee: String,
    field: (String, String, String),
}

/// Returns the first component of a type, in storage order, that differs.
fn first_difference(one: &MessageManager, other: &MessageManager, part: &str) -> Option<Found> {
    let (ty, mine) = component_part(one, part)?;
    let (_, yours) = component_part(other, part)?;
    let [one, other] = [one, other].map(|manager| &manager.world().common.identity);
    let data = ty.component()?;
    let tape = |identity: &Arc<Identity>, pool: &Pool, slot: usize| {
        let mut writer = Writer::new();
        let written =
            Scope::numbered(identity).during(|| (data.write)(pool.any_values(), slot, &mut writer));
        written.ok().map(|()| writer.tape)
    };
    let (len, others) = (mine.len(), yours.len());
    for slot in 0..len.min(others) {
        let owner = mine.owner(slot);
        let (Some(a), Some(b)) = (tape(one, mine, slot), tape(other, yours, slot)) else {
            continue;
        };
        if a.compare(0..a.tokens.len(), &b, 0..b.tokens.len()).is_ne() {
            let mut path = ty.short_name().to_owned();
            let (at, bt) = first_part(&a, 0, &b, 0, &mut path);
            let (a, b) = (text::print(&a, at), text::print(&b, bt));
            return Some(Found {
                messagee: owner.to_string(),
                field: (path, a, b),
            });
        }
    }
    None
}

/// Descends to the first part that differs, and appends its name to the path.
fn first_part(a: &Tape, at: usize, b: &Tape, bt: usize, path: &mut String) -> (usize, usize) {
    let (mine, yours) = (a.tokens[at], b.tokens[bt]);
    let are_named = mine.kind == Kind::Named && yours.kind == Kind::Named;
    if are_named && a.str(mine) == b.str(yours) {
        return first_part(a, at + 1, b, bt + 1, path);
    }
    if mine.kind != yours.kind || !mine.is_container() || mine.len() != yours.len() {
        return (at, bt);
    }
    for (index, ((key, x), (other_key, y))) in a.parts(at).zip(b.parts(bt)).enumerate() {
        let name = key.map(|key| text::print(a, key));
        if name != other_key.map(|key| text::print(b, key)) {
            return (at, bt);
        }
        if text::print(a, x) != text::print(b, y) {
            let step = match name {
                Some(name) if mine.kind == Kind::Fields => format!(".{name}"),
                Some(name) => format!("[{name}]"),
                None => format!("[{index}]"),
            };
            path.push_str(&step);
            return first_part(a, x, b, y, path);
        }
    }
    (at, bt)
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (frame, part) = (self.frame, &self.part);
        write!(
            f,
            "the replay differs at the digest of frame {frame}: `{part}`"
        )?;
        if let Some(messagee) = &self.messagee {
            write!(f, " of messagee {messagee}")?;
        }
        if let Some((field, recorded, replayed)) = &self.field {
            if self.is_unstable {
                write!(
                    f,
                    ", field `{field}`: `{recorded}` in one replay, `{replayed}` in another"
                )?;
            } else {
                write!(
                    f,
                    ", field `{field}`: recorded `{recorded}`, now `{replayed}`"
                )?;
            }
        }
        if let Some(part) = &self.restored {
            f.write_str(&on_restored(part))
        } else if self.is_unstable {
            f.write_str(
                "; two replays differ, so the program depends on something that is not an input: a clock, \
                 an address, the order of a hash map, a set that is written as a list (see \
                 `data::sorted`)",
            )
        } else if self.field.is_none() {
            f.write_str(
                "; two replays are equal, so the program, or something that was not recorded, has changed since; \
                 a log with `LogOptions::keep_states` names the field",
            )
        } else {
            Ok(())
        }
    }
}

impl std::error::Error for Difference {}
