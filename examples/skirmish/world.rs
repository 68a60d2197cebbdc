//! The rules: the dead are removed, and the last side left wins.

use std::collections::BTreeMap;
use std::fmt;

use message_core::lifecycle::{DeadLetter, HandlerFailed};
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Side, name_of, say};
use crate::messages::{Died, Explosion, GetVerdict, Verdict};

/// The rules, bound to the mnemonic `WORLD`. In the world file they are called `Rules`.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "skirmish.Rules", exact)]
pub struct World {
    /// The maximum number of turns.
    pub turns: u32,
    /// The number of fighters left on each side.
    #[serde(default)]
    standing: BTreeMap<Side, u32>,
    /// The dead, in the order in which they died.
    #[serde(default)]
    dead: Vec<String>,
    /// The number of handlers that failed.
    #[serde(default)]
    failures: u32,
}

impl World {
    /// Counts a fighter.
    pub fn enlist(&mut self, side: Side) {
        *self.standing.entry(side).or_default() += 1;
    }
}

#[handlers]
impl World {
    /// Removes a dead fighter. The messagee is despawned when the outermost send returns, and receives
    /// nothing from now on.
    #[on_receive]
    fn died(&mut self, died: &Died, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let side = cx.get::<Body>(died.who)?.side;
        if let Some(left) = self.standing.get_mut(&side) {
            *left -= 1;
        }
        let name = name_of(cx, died.who);
        say(cx, &format!("the {name} is dead"));
        self.dead.push(name);
        cx.despawn(died.who)
    }

    #[on_receive]
    fn verdict(&self, _: &GetVerdict) -> Verdict {
        let mut standing = self.standing.iter().filter(|&(_, &left)| left > 0);
        match (standing.next(), standing.next()) {
            (None, _) => Verdict::Nobody,
            (Some((&side, _)), None) => Verdict::Won(side),
            _ => Verdict::Open,
        }
    }

    /// Prints a message that came too late because its recipient is gone.
    #[on_receive]
    fn too_late(&mut self, letter: &DeadLetter, cx: &mut Context<'_>) {
        let what = letter.name.rsplit("::").next().unwrap_or(letter.name);
        say(cx, &format!("{what} arrives too late: {}", letter.why));
    }

    /// Prints the position of an explosion.
    #[on_receive]
    fn explosion(&mut self, blast: &Explosion) {
        println!("  an explosion at {}", blast.at);
    }

    /// Prints and counts the failures of all handlers.
    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed, cx: &mut Context<'_>) {
        self.failures += 1;
        let HandlerFailed { handler, error, .. } = failed;
        let name = name_of(cx, failed.messagee);
        say(cx, &format!("`{handler}` of the {name} failed: {error}"));
    }
}

/// Prints the dead, and how many handlers failed.
impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dead = self.dead.join(", ");
        write!(f, "dead: {dead}\nhandlers that failed: {}", self.failures)
    }
}
