//! Helpers shared by the tests of storms: components that answer each other endlessly, and the errors
//! about them.
#![allow(dead_code, reason = "each file of tests uses its own part of this")]

use std::sync::mpsc::{Receiver as Told, channel};

use message_core::Recipient::Me;
use message_core::error::{Chain, ChainLink, Limit, Receiver};
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;

/// The file that contains these components.
pub(crate) const FILE: &str = file!();

#[derive(Message)]
pub(crate) struct Ping;

#[derive(Message)]
pub(crate) struct Pong;

#[derive(Message)]
pub(crate) struct Tick;

/// Answers a `Ping` with a `Pong`, and is busy while it does.
pub(crate) struct Ann {
    pub(crate) to: Recipient,
}

pub(crate) const ANN_PONGS: u32 = line!() + 6;

#[handlers]
impl Ann {
    #[on_receive]
    fn ping(&mut self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Pong).map(drop)
    }
}

/// Answers a `Pong` with a `Ping`, and is busy while it does.
pub(crate) struct Bob {
    pub(crate) to: Recipient,
}

pub(crate) const BOB_PINGS: u32 = line!() + 6;

#[handlers]
impl Bob {
    #[on_receive]
    fn pong(&mut self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Ping).map(drop)
    }
}

/// As the others, and never busy, so that it is nested in itself.
pub(crate) struct Mirror {
    pub(crate) to: Recipient,
}

pub(crate) const MIRROR_PONGS: u32 = line!() + 6;

#[handlers]
impl Mirror {
    #[on_receive]
    fn ping(&self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Pong).map(drop)
    }

    #[on_receive]
    fn pong(&self, _: &Pong, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Ping).map(drop)
    }

    #[on_receive]
    fn tick(&self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.to, Tick).map(drop)
    }
}

/// Sends itself `ticks` messages for each one it receives.
pub(crate) struct Clock {
    pub(crate) ticks: usize,
    pub(crate) received: usize,
}

pub(crate) const CLOCK_TICKS: u32 = line!() + 8;

#[handlers]
impl Clock {
    #[on_receive]
    fn tick(&mut self, _: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.received += 1;
        for _ in 0..self.ticks {
            cx.send(Me, Tick)?;
        }
        Ok(())
    }
}

pub(crate) const MAX_KEPT: usize = 500;

/// Returns a configuration with few kept deliveries, so that storms end soon.
pub(crate) fn calm() -> ManagerConfig {
    ManagerConfig::new().max_kept(MAX_KEPT)
}

/// Collects the errors of handlers.
pub(crate) fn failures(manager: &mut MessageManager) -> Told<SendError> {
    let (tell, told) = channel();
    manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
        let error = failed.error.downcast_ref::<SendError>();
        tell.send(error.expect("a send has failed").clone())
            .expect("it is awaited");
    });
    told
}

pub(crate) fn chain(error: &SendError) -> &Chain {
    match error.kind() {
        SendErrorKind::AtLimit {
            limit: Limit::Depth(_) | Limit::Kept(_) | Limit::Pending { .. },
            chain,
        } => chain,
        _ => panic!("{error}"),
    }
}

pub(crate) fn cycle(error: &SendError) -> &[ChainLink] {
    chain(error).cycle().unwrap_or_else(|| panic!("{error}"))
}

/// Returns the hops of the cycle: component, message, and line.
pub(crate) fn hops(error: &SendError) -> Vec<(String, &'static str, u32)> {
    let short = |name: &'static str| name.rsplit("::").next().expect("a name has an end");
    let who = |receiver| match receiver {
        Receiver::Component {
            component,
            messagee,
        } => format!("{} {messagee}", short(component)),
        Receiver::Subscription { .. } => "a subscription".to_owned(),
    };
    let hop = |hop: &ChainLink| {
        assert!(hop.place.file().contains("storm"), "{}", hop.place);
        (who(hop.receiver), short(hop.message), hop.place.line())
    };
    cycle(error).iter().map(hop).collect()
}

pub(crate) fn hop(who: &str, message: &'static str, line: u32) -> (String, &'static str, u32) {
    (who.to_owned(), message, line)
}

/// Asserts that the lists are equal up to rotation.
pub(crate) fn assert_same_round<T: PartialEq + std::fmt::Debug + Clone>(
    found: &[T],
    expected: &[T],
) {
    let mut turned = expected.to_vec();
    let turns = (0..expected.len()).map(|_| {
        turned.rotate_left(1);
        turned.clone()
    });
    let same = turns.into_iter().any(|turned| turned == found);
    assert!(same, "expected {expected:#?}, found {found:#?}");
}
