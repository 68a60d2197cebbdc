//! The controller, which sends a cabin to each call, and the alarm, which silences the calls.

use std::ops::ControlFlow;

use message_core::prelude::*;

use crate::cabin::CABINS;
use crate::messages::{AllClear, Call, FireAlarm, HowFar, Smoke, StopAt};

mnemonic! {
    /// The receiver of the buttons on all floors.
    pub CONTROLLER = "controller",
    /// The receiver of the smoke detectors.
    pub ALARM = "alarm",
}

#[derive(Debug)]
pub struct Controller;

#[handlers]
impl Controller {
    /// Asks all cabins, and sends the nearest one. In a tie, the cabin that joined first is sent.
    #[on_receive]
    fn call(&mut self, call: &Call, cx: &mut Context<'_>) -> Result<(), SendError> {
        let floor = call.floor;
        let distances = cx.request_all(CABINS, HowFar { floor })?;
        if let Some((cabin, _)) = distances.into_iter().min_by_key(|&(_, far)| far) {
            cx.send(cabin, StopAt { floor })?;
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub struct Alarm {
    silence: Option<message_core::SubscriptionId>,
}

#[handlers]
impl Alarm {
    /// Notifies everyone. Until the all-clear, an interceptor consumes every call.
    #[on_receive]
    fn smoke(&mut self, _: &Smoke, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.silence.is_none() {
            let calls = Filter::of::<Call>().before();
            let silence = cx.subscribe_for(cx.me(), calls, |_, _| ControlFlow::Break(()))?;
            self.silence = Some(silence);
            cx.send(Everyone, FireAlarm)?;
        }
        Ok(())
    }

    #[on_receive]
    fn all_clear(&mut self, _: &AllClear, cx: &mut Context<'_>) {
        if let Some(silence) = self.silence.take() {
            cx.unsubscribe(silence);
        }
    }
}
