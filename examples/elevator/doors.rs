//! The doors of a cabin, and their timing.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::messages::{DoorsClosed, DoorsOpen, FireAlarm, HoldDoors};

const STAY_OPEN: Duration = Duration::from_secs(4);

/// Opens the doors at that floor. Posted by the cabin to itself.
#[derive(Message, Debug)]
pub struct Open {
    pub floor: usize,
}

/// Closes the doors. Posted by the doors to themselves with the key `close`: each post replaces
/// the previous one, so holding the doors restarts their time.
#[derive(Message, Debug)]
pub struct Close;

#[derive(Debug)]
pub struct Doors {
    pub floors: Vec<MessageeId>,
    pub is_open: bool,
}

/// Closes the doors after that time. This replaces an earlier time.
fn close_after(delay: Duration, cx: &mut Context<'_>) -> Result<(), SendError> {
    cx.post(Header::to(Me).after(delay).key("close"), Close)?;
    Ok(())
}

#[handlers]
impl Doors {
    #[on_receive]
    fn open(&mut self, open: &Open, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.is_open = true;
        close_after(STAY_OPEN, cx)?;
        let opened = DoorsOpen { floor: open.floor };
        cx.send(Down(cx.me()), opened.clone())?;
        cx.send(Down(self.floors[open.floor]), opened)?;
        Ok(())
    }

    #[on_receive]
    fn hold(&mut self, _: &HoldDoors, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.is_open {
            close_after(STAY_OPEN, cx)?;
        }
        Ok(())
    }

    #[on_receive]
    fn close(&mut self, _: &Close, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.is_open = false;
        cx.send(Me, DoorsClosed)?;
        Ok(())
    }

    /// Closes the doors soon: nobody can hold them any more.
    #[on_receive]
    fn fire(&mut self, _: &FireAlarm, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.is_open {
            close_after(Duration::from_secs(1), cx)?;
        }
        Ok(())
    }
}
