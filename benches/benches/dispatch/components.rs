//! The components and the fifteen message types of the rows, and the work each message is.
//!
//! The work is a method of the component, so that a handler and the floor do the very same.

use message_core::prelude::*;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Health {
    pub(crate) hp: f32,
    pub(crate) hits: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position {
    pub(crate) at: [f32; 3],
    pub(crate) speed: [f32; 3],
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ai {
    pub(crate) memory: [u32; 8],
    pub(crate) target: u32,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Render {
    pub(crate) colour: [f32; 4],
}

impl Health {
    pub(crate) fn new(seed: u32) -> Self {
        Self {
            hp: f32::from(low(seed)),
            hits: 0,
        }
    }

    #[inline]
    pub(crate) fn touch(&mut self, amount: f32) {
        self.hp -= amount;
        self.hits += 1;
    }
}

impl Position {
    pub(crate) fn new(seed: u32) -> Self {
        Self {
            at: [0.0; 3],
            speed: [f32::from(low(seed)), 1.0, 2.0],
        }
    }

    #[inline]
    pub(crate) fn integrate(&mut self, dt: f32) {
        for (at, speed) in self.at.iter_mut().zip(self.speed) {
            *at += speed * dt;
        }
    }

    #[inline]
    pub(crate) fn touch(&mut self, amount: f32) {
        self.at[0] += amount;
    }
}

impl Ai {
    pub(crate) fn new(seed: u32) -> Self {
        Self {
            memory: [seed; 8],
            target: seed,
        }
    }

    #[inline]
    pub(crate) fn step(&mut self) {
        let target = self.target;
        for thought in &mut self.memory {
            *thought = thought.wrapping_mul(31).wrapping_add(target);
        }
    }

    #[inline]
    pub(crate) fn touch(&mut self, amount: f32) {
        self.target = self.target.wrapping_add(amount.to_bits());
    }
}

impl Render {
    pub(crate) fn new(seed: u32) -> Self {
        Self {
            colour: [f32::from(low(seed)); 4],
        }
    }

    #[inline]
    pub(crate) fn touch(&mut self, amount: f32) {
        self.colour[0] += amount;
    }
}

fn low(seed: u32) -> u8 {
    seed.to_le_bytes()[0]
}

#[derive(Message)]
pub(crate) struct Update {
    pub(crate) dt: f32,
}

#[derive(Message)]
#[message(reply = f32)]
pub(crate) struct GetHp;

#[handlers]
impl Position {
    #[on_receive]
    fn on_update(&mut self, update: &Update) {
        self.integrate(update.dt);
    }
}

#[handlers]
impl Ai {
    #[on_receive]
    fn on_update(&mut self, _: &Update) {
        self.step();
    }
}

#[handlers]
impl Health {
    #[on_receive]
    fn on_get_hp(&self, _: &GetHp) -> f32 {
        self.hp
    }
}

/// Declares the message types of the targeted row: which component each is for, once with our
/// handler and once as a method of the floor's virtual interface.
macro_rules! kinds {
    ($($kind:ident to $component:ident as $method:ident),* $(,)?) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Kind { $($kind),* }

        impl Kind {
            pub(crate) const ALL: [Self; 15] = [$(Self::$kind),*];
        }

        $(
            #[derive(Message)]
            pub(crate) struct $kind { pub(crate) amount: f32 }

            #[handlers]
            impl $component {
                #[on_receive]
                fn $method(&mut self, message: &$kind) { self.touch(message.amount); }
            }
        )*

        /// The floor: one virtual method for each message type.
        pub(crate) trait Object {
            $(fn $method(&mut self, _: &$kind) {})*
            fn hp(&self) -> Option<f32> { None }
        }

        #[inline]
        pub(crate) fn send(manager: &mut MessageManager, to: MessageeId, kind: Kind) {
            match kind {
                $(Kind::$kind => {
                    let message = $kind { amount: 1.0 };
                    let receipt = manager.send(to, message).expect("it is alive");
                    debug_assert_eq!(receipt.received, 1);
                })*
            }
        }

        #[inline]
        pub(crate) fn send_to_floor(objects: &mut [Box<dyn Object>; 4], kind: Kind) {
            match kind {
                $(Kind::$kind => {
                    let message = $kind { amount: 1.0 };
                    objects[$component::PLACE].$method(&message);
                })*
            }
        }
    };
}

kinds! {
    Damage to Health as on_damage,
    Heal to Health as on_heal,
    Poison to Health as on_poison,
    Bless to Health as on_bless,
    Push to Position as on_push,
    Teleport to Position as on_teleport,
    Turn to Position as on_turn,
    Stop to Position as on_stop,
    Alarm to Ai as on_alarm,
    Calm to Ai as on_calm,
    Hear to Ai as on_hear,
    See to Ai as on_see,
    Tint to Render as on_tint,
    Blink to Render as on_blink,
    Fade to Render as on_fade,
}

/// Where each component stands among a messagee's four.
impl Position {
    pub(crate) const PLACE: usize = 0;
}
impl Health {
    pub(crate) const PLACE: usize = 1;
}
impl Ai {
    pub(crate) const PLACE: usize = 2;
}
impl Render {
    pub(crate) const PLACE: usize = 3;
}

impl Object for Position {
    fn on_push(&mut self, message: &Push) {
        self.touch(message.amount);
    }
    fn on_teleport(&mut self, message: &Teleport) {
        self.touch(message.amount);
    }
    fn on_turn(&mut self, message: &Turn) {
        self.touch(message.amount);
    }
    fn on_stop(&mut self, message: &Stop) {
        self.touch(message.amount);
    }
}

impl Object for Health {
    fn on_damage(&mut self, message: &Damage) {
        self.touch(message.amount);
    }
    fn on_heal(&mut self, message: &Heal) {
        self.touch(message.amount);
    }
    fn on_poison(&mut self, message: &Poison) {
        self.touch(message.amount);
    }
    fn on_bless(&mut self, message: &Bless) {
        self.touch(message.amount);
    }
    fn hp(&self) -> Option<f32> {
        Some(self.hp)
    }
}

impl Object for Ai {
    fn on_alarm(&mut self, message: &Alarm) {
        self.touch(message.amount);
    }
    fn on_calm(&mut self, message: &Calm) {
        self.touch(message.amount);
    }
    fn on_hear(&mut self, message: &Hear) {
        self.touch(message.amount);
    }
    fn on_see(&mut self, message: &See) {
        self.touch(message.amount);
    }
}

impl Object for Render {
    fn on_tint(&mut self, message: &Tint) {
        self.touch(message.amount);
    }
    fn on_blink(&mut self, message: &Blink) {
        self.touch(message.amount);
    }
    fn on_fade(&mut self, message: &Fade) {
        self.touch(message.amount);
    }
}

/// One hop of a chain of nested sends.
#[derive(Debug)]
pub(crate) struct Relay {
    pub(crate) next: Option<MessageeId>,
    pub(crate) passed: u64,
}

impl Relay {
    pub(crate) fn last() -> Self {
        Self {
            next: None,
            passed: 0,
        }
    }

    pub(crate) fn before(next: MessageeId) -> Self {
        Self {
            next: Some(next),
            passed: 0,
        }
    }
}

#[derive(Message)]
pub(crate) struct Pass {
    pub(crate) hops: u64,
}

#[handlers]
impl Relay {
    #[on_receive]
    fn pass(&mut self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.passed += pass.hops;
        if let Some(next) = self.next {
            cx.send(
                next,
                Pass {
                    hops: pass.hops + 1,
                },
            )?;
        }
        Ok(())
    }
}

/// A fixed shuffled order of messagees, with a message type for each.
pub(crate) fn shuffled(count: usize) -> Vec<(usize, Kind)> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits fit") % below
    };
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, random(at + 1));
    }
    order
        .into_iter()
        .map(|at| (at, Kind::ALL[random(Kind::ALL.len())]))
        .collect()
}
