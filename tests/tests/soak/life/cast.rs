//! The components and messages of the world.

use std::cell::Cell;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::account::{CALL, LETTER, POKE, PULSE, RADIO, SHOUT, count};
use super::lottery::Lottery;

mnemonic!(NORTH, SOUTH, EAST, WEST);
group!(REDS, BLUES, GREENS);

/// All mnemonics, to choose from.
pub(crate) const MNEMONICS: [message_core::Mnemonic; 4] = [NORTH, SOUTH, EAST, WEST];
/// All groups, to choose from.
pub(crate) const GROUPS: [message_core::Group; 3] = [REDS, BLUES, GREENS];

/// Part of each message that is posted: counts how many are alive, and whether one that is dropped had been
/// delivered, or had become a dead letter.
#[derive(Debug)]
pub(crate) struct Token<const KIND: usize> {
    seen: Cell<bool>,
}

impl<const KIND: usize> Token<KIND> {
    pub(crate) fn new() -> Self {
        Self::with(false)
    }

    fn with(seen: bool) -> Self {
        count(KIND, |it| &it.alive, 1);
        Self {
            seen: Cell::new(seen),
        }
    }

    /// Marks it as delivered or as a dead letter.
    pub(crate) fn mark(&self) {
        self.seen.set(true);
    }
}

impl<const KIND: usize> Drop for Token<KIND> {
    fn drop(&mut self) {
        count(KIND, |it| &it.alive, -1);
        if !self.seen.get() {
            count(KIND, |it| &it.dropped, 1);
        }
    }
}

impl<const KIND: usize> Clone for Token<KIND> {
    fn clone(&self) -> Self {
        Self::with(self.seen.get())
    }
}

impl<const KIND: usize> Serialize for Token<KIND> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.seen.get())
    }
}

impl<'de, const KIND: usize> Deserialize<'de> for Token<KIND> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bool::deserialize(deserializer).map(Self::with)
    }
}

/// To one messagee, which has to receive it.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Letter")]
#[data(name = "soak.Letter", exact)]
pub(crate) struct Letter {
    pub(crate) token: Token<LETTER>,
    pub(crate) deed: Deed,
}

/// The effect of receiving a message.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Nothing,
    Fail,
    Panic,
}

/// Repeats.
#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[message(name = "soak.Pulse")]
#[data(name = "soak.Pulse", exact)]
pub(crate) struct Pulse {
    pub(crate) token: Token<PULSE>,
    pub(crate) left: u64,
}

/// To many, or up and down a family.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Shout")]
#[data(name = "soak.Shout", exact)]
pub(crate) struct Shout {
    pub(crate) token: Token<SHOUT>,
    pub(crate) text: String,
}

/// Sent to a mnemonic, which must be bound when it is due.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Call")]
#[data(name = "soak.Call", exact)]
pub(crate) struct Call {
    pub(crate) token: Token<CALL>,
}

/// Dropped without a word if its recipient has gone; ends with its sender.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Poke")]
#[data(name = "soak.Poke", exact)]
pub(crate) struct Poke {
    pub(crate) token: Token<POKE>,
}

/// From other threads.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Radio")]
#[data(name = "soak.Radio", exact)]
pub(crate) struct Radio {
    pub(crate) token: Token<RADIO>,
    pub(crate) noise: Vec<u8>,
}

/// Sent, and never posted.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Touch")]
#[data(name = "soak.Touch", exact)]
pub(crate) struct Touch;

/// Sent directly: its receiver does something at random, also to others.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Order")]
#[data(name = "soak.Order", exact)]
pub(crate) struct Order {
    pub(crate) seed: u64,
    pub(crate) depth: u32,
    pub(crate) about: MessageeId,
}

/// Published.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.News")]
#[data(name = "soak.News", exact)]
pub(crate) struct News(pub(crate) u64);

/// Its handlers take no context, so that it is stored packed and called where a send begins.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
#[data(name = "soak.Body")]
pub(crate) struct Body {
    pub(crate) touched: u64,
}

#[handlers]
impl Body {
    #[on_receive]
    fn letter(&mut self, letter: &Letter) -> Result<(), std::fmt::Error> {
        count(LETTER, |it| &it.delivered, 1);
        letter.token.mark();
        match letter.deed {
            Deed::Nothing => Ok(()),
            Deed::Fail => Err(std::fmt::Error),
            Deed::Panic => panic!("soak: a letter"),
        }
    }

    #[on_receive]
    fn poke(&mut self, poke: &Poke) {
        count(POKE, |it| &it.delivered, 1);
        poke.token.mark();
    }

    #[on_receive]
    fn radio(&mut self, radio: &Radio) {
        count(RADIO, |it| &it.delivered, 1);
        self.touched = self.touched.wrapping_add(radio.noise.len() as u64);
        radio.token.mark();
    }

    #[on_receive]
    fn touch(&mut self, _: &Touch) {
        self.touched = self.touched.wrapping_add(1);
        super::account::touched();
    }

    #[on_receive]
    fn pulse(&mut self, pulse: &mut Pulse) {
        self.touched = self.touched.wrapping_add(pulse.left);
    }
}

/// Its handlers take a context.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
#[data(name = "soak.Mind")]
pub(crate) struct Mind {
    heard: u64,
}

#[handlers]
impl Mind {
    #[on_receive]
    fn call(&mut self, call: &Call, cx: &mut Context<'_>) {
        count(CALL, |it| &it.delivered, 1);
        call.token.mark();
        // Kept until this handler returns: it is busy.
        let order = Order {
            seed: self.heard,
            depth: 3,
            about: cx.me(),
        };
        let _ = cx.send(Me, order);
    }

    #[on_receive]
    fn shout(&mut self, shout: &Shout, cx: &mut Context<'_>) {
        self.heard = self.heard.wrapping_add(shout.text.len() as u64);
        if cx.is_overheard() && self.heard.is_multiple_of(16) {
            let _ = cx
                .publish(NORTH, News(self.heard))
                .map(|()| super::account::published());
        }
    }

    #[on_receive]
    fn order(&mut self, order: &Order, cx: &mut Context<'_>) {
        self.heard = self.heard.wrapping_add(1);
        let mut lottery = Lottery::new(order.seed ^ self.heard);
        for _ in 0..=lottery.below(3) {
            act(order, &mut lottery, cx);
        }
        assert!(!lottery.one_in(400), "soak: an order");
    }
}

/// Does something at random.
fn act(order: &Order, lottery: &mut Lottery, cx: &mut Context<'_>) {
    let about = order.about;
    match lottery.below(12) {
        0 if cx.len() < super::CROWD => {
            let child = cx.spawn((Body::default(), Mind::default()));
            let _ = cx.set_parent(child, Some(cx.me()));
            let _ = cx.send(child, Touch);
        }
        1 if order.depth == 1 => drop(cx.despawn(cx.me())),
        2 => drop(cx.join(GROUPS[lottery.below(3)], cx.me())),
        3 => drop(cx.leave(GROUPS[lottery.below(3)], cx.me())),
        4 => {
            let letter = Letter {
                token: Token::new(),
                deed: Deed::Nothing,
            };
            let frames = lottery.below(20) as u64;
            let header = Header::to(about).after_frames(frames).require(1);
            let posted = cx.post(header, letter);
            count(LETTER, |it| &it.posted, i64::from(posted.is_ok()));
            super::account::refused(LETTER, posted.is_err());
        }
        5 => {
            let posts = Posts::of::<Letter>().from(cx.me());
            let expected = cx.pending_posts(posts).len();
            let cancelled = cx.cancel(posts);
            assert_eq!(cancelled, expected);
            count(
                LETTER,
                |it| &it.cancelled,
                cancelled.try_into().expect("few"),
            );
        }
        6 => drop(cx.set_enabled(cx.my_hook(), lottery.one_in(2))),
        7 => drop(cx.set_name(cx.me(), format!("n{}", lottery.below(50)))),
        8 => {
            let mnemonic = MNEMONICS[lottery.below(4)];
            match cx.bound(mnemonic) {
                Some(bearer) => drop(cx.unbind(mnemonic, bearer)),
                None => drop(cx.bind(mnemonic, cx.me())),
            }
        }
        9 | 10 if order.depth > 0 => {
            let to = if lottery.one_in(2) { about } else { cx.me() };
            let further = Order {
                seed: lottery.next(),
                depth: order.depth - 1,
                about: cx.me(),
            };
            let _ = cx.send(to, further);
        }
        _ => drop(cx.send(EveryoneElse, Ping)),
    }
}

/// A broadcast that nobody handles, but subscribers to all types hear.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "soak.Ping")]
#[data(name = "soak.Ping", exact)]
struct Ping;
