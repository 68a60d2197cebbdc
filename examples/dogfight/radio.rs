//! A radio: what is said over it arrives a little later, if it arrives at all.
//!
//! All that there is to say about *how* a shout travels stands in its header, which is built once,
//! when the radio is. A shout itself is then one `post` of a message under one of the headers:
//!
//! - `after`: it arrives 0.2 s later, at the first `Update` from then on;
//! - `tags(RADIO)`: whoever listens to the radio hears it, whatever its type is;
//! - `bound`: it ends with its sender, so a pilot who is shot down meanwhile is not heard;
//! - `key`: of each pilot one shout at most is on its way, and the next one replaces it;
//! - `require(1)`, in two of the three: a shout that nobody hears becomes a dead letter.

use std::time::Duration;

use message_core::HeaderError;
use message_core::prelude::*;

use crate::messages::{Engage, Struck, UnderAttack};
use crate::squadron::Squadron;

tag! {
    /// Everything that is said over the radio.
    pub RADIO,
}

/// What a pilot's shout is known by while it is on its way, together with the pilot.
pub const SHOUT: &str = "shout";

/// How long a shout is on its way.
const LAG: Duration = Duration::from_millis(200);

/// A pilot's radio: one header for each of those it may call.
pub struct Radio {
    /// For whoever of the squadron is there to hear it.
    squadron: Header,
    /// For the wingman, who has to hear it.
    wingman: Header,
    /// For the base, which has to hear it when there is no wingman.
    base: Header,
}

impl Radio {
    /// The radio of a pilot with that wingman. The three headers are one pattern, addressed three
    /// times.
    pub fn new(wingman: MessageeId, squadron: Squadron) -> Result<Self, HeaderError> {
        let shout = Header::builder()
            .stage(Stage::Update)
            .after(LAG)
            .tags(RADIO)
            .key(SHOUT)
            .bound();
        Ok(Self {
            squadron: shout.to(squadron.group()).build()?,
            wingman: shout.to(wingman).require(1).build()?,
            base: shout.to(squadron.base()).require(1).build()?,
        })
    }

    /// Calls the wingman. One who was shot down before is an error at once, so there is still
    /// time to call the base. One who is shot down while the shout is on its way is not: that
    /// becomes a dead letter.
    fn call_for_help(&self, shout: UnderAttack, cx: &mut Context<'_>) -> Result<(), SendError> {
        let posted = cx.post(&self.wingman, shout.clone());
        match posted.map_err(SendError::into_kind) {
            Err(SendErrorKind::Gone { .. } | SendErrorKind::Leaving { .. }) => {
                cx.post(&self.base, shout)?;
            }
            other => drop(other?),
        }
        Ok(())
    }
}

#[handlers]
impl Radio {
    /// The first hit is for the whole squadron to hear. The second one is serious, and breaks the
    /// radio: what was said before is still on its way, but nothing is said or heard any more.
    #[on_receive]
    fn struck(&self, struck: &Struck, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let &Struck { by, left } = struck;
        if left > 1 {
            cx.post(&self.squadron, UnderAttack { by })?;
        } else {
            self.call_for_help(UnderAttack { by }, cx)?;
            cx.set_enabled(cx.my_hook(), false)?;
        }
        Ok(())
    }

    /// A comrade shouts: the guns have to know. The squadron's group has the one who shouts in it
    /// too, and nobody is a listener of their own: `false` is "not received".
    #[on_receive]
    fn hear(&self, shout: &UnderAttack, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if cx.is_from_me() {
            return Ok(false);
        }
        cx.send(Me, Engage { enemy: shout.by })?;
        Ok(true)
    }
}
