//! The four components with all their handlers.

use std::cell::Cell;

use super::handler::Receiver;
use super::world::World;
use crate::work::{Ai, Health, Kind, Position, Render, Update, with_kinds};

/// A request: a message with a place for the answer.
#[derive(Default)]
pub(super) struct AskHp {
    pub(super) answer: Cell<Option<f32>>,
}

macro_rules! kinds {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        $(
            fn $method(it: &mut $component, message: &crate::work::$kind, _: &World) {
                it.touch(message.amount * $weight);
            }
        )*

        /// Makes a message of that kind and sends it.
        #[inline]
        pub(super) fn send(world: &World, to: u32, kind: Kind) -> usize {
            match kind {
                $(Kind::$kind => world.send(to, &crate::work::$kind { amount: 1.0 }),)*
            }
        }
    };
}
with_kinds!(kinds);

pub(super) fn position(seed: u32) -> Receiver<Position> {
    Receiver::new(Position::new(seed))
        .handles(on_push)
        .handles(on_teleport)
        .handles(on_turn)
        .handles(on_stop)
        .handles(|it: &mut Position, update: &Update, _| it.integrate(update.dt))
}

pub(super) fn health(seed: u32) -> Receiver<Health> {
    Receiver::new(Health::new(seed))
        .handles(on_damage)
        .handles(on_heal)
        .handles(on_poison)
        .handles(on_bless)
        .handles(|it: &mut Health, ask: &AskHp, _| ask.answer.set(Some(it.hp)))
}

pub(super) fn ai(seed: u32) -> Receiver<Ai> {
    Receiver::new(Ai::new(seed))
        .handles(on_alarm)
        .handles(on_calm)
        .handles(on_hear)
        .handles(on_see)
        .handles(|it: &mut Ai, _: &Update, _| it.step())
}

pub(super) fn render(seed: u32) -> Receiver<Render> {
    Receiver::new(Render::new(seed))
        .handles(on_tint)
        .handles(on_blink)
        .handles(on_fade)
}
