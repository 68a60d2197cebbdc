//! A radio: calls arrive a little later, if they arrive at all.
//!
//! The header defines *how* a shout travels. It is built once, together with
//! the radio. A shout itself is then one `post` of a message with one of the headers:
//!
//! - `after`: it arrives 0.2 s later, at the first `Update` from then on;
//! - `tags(RADIO)`: everyone who listens to the radio receives it, whatever its type is;
//! - `bound`: it ends with its sender, so a pilot who is shot down meanwhile is not heard;
//! - `key`: each pilot has at most one shout on its way, and the next one replaces it;
//! - `require(1)`, in two of the three: a shout that nobody receives becomes a dead letter.

use std::time::Duration;

use message_core::HeaderError;
use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::messages::{Engage, Struck, UnderAttack};
use crate::squadron::Squadron;

tag! {
    /// Everything that is said over the radio.
    pub RADIO,
}

/// The key of a shout on its way. Together with the sender, it identifies the shout.
pub const SHOUT: &str = "shout";

/// How long a shout takes to arrive.
const LAG: Duration = Duration::from_millis(200);

/// A pilot's radio: one header for each recipient.
pub struct Radio {
    /// For the members of the squadron at the time of delivery.
    squadron: Header,
    /// For the wingman, who must receive it.
    wingman: Header,
    /// For the base, which must receive it when there is no wingman.
    base: Header,
}

impl Radio {
    /// Creates the radio of a pilot with that wingman. The three headers differ in their recipients and in
    /// what they require.
    pub fn new(wingman: MessageeId, squadron: Squadron) -> Result<Self, HeaderError> {
        let shout = Header::to(squadron.group())
            .stage(Stage::Update)
            .after(LAG)
            .tags(RADIO)
            .key(SHOUT)
            .tied_to_sender();
        let must_be_heard = shout.require(1).build()?;
        Ok(Self {
            squadron: shout.build()?,
            wingman: must_be_heard.with_recipient(wingman),
            base: must_be_heard.with_recipient(squadron.base()),
        })
    }

    /// Calls the wingman. If the wingman was shot down before, this fails at once, so there is still
    /// time to call the base. If the wingman is shot down while the shout is on its way, the shout
    /// becomes a dead letter.
    fn call_for_help(&self, shout: UnderAttack, cx: &mut Context<'_>) -> Result<(), SendError> {
        match cx.post(&self.wingman, shout.clone()) {
            Err(error)
                if matches!(
                    error.kind(),
                    SendErrorKind::Absent(Absence::Gone | Absence::Leaving)
                ) =>
            {
                cx.post(&self.base, shout).map(drop)
            }
            posted => posted.map(drop),
        }
    }
}

#[handlers]
impl Radio {
    /// Reports the first hit to the whole squadron. The second hit is serious, and breaks the
    /// radio: earlier shouts are still on their way, but no new ones are sent or received.
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

    /// Notifies the guns of a comrade's shout. The sender is also a member of the squadron's group, but
    /// should not hear itself: `false` is "not received".
    #[on_receive]
    fn hear(&self, shout: &UnderAttack, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if cx.is_from_me() {
            return Ok(false);
        }
        cx.send(Me, Engage { enemy: shout.by })?;
        Ok(true)
    }
}
