//! Components whose handlers take a context.
//!
//! They are types of their own: a component type with such a handler is stored differently, even for
//! its other handlers, so a shared type would change every row.

use message_core::prelude::*;

use crate::work::{Advance, Age, Ai, Arrow, Health, Position, State, Word};

/// A [`Position`] of W2-context.
pub(super) struct Walker(Position);

/// An [`Ai`] of W2-context and W2-dying.
pub(super) struct Thinker(Ai);

/// A [`Health`] of W5-context and W5-word.
pub(super) struct Target(Health);

#[handlers]
impl Walker {
    #[on_receive]
    fn on_advance(&mut self, advance: &Advance, _: &mut Context<'_>) {
        self.0.integrate(advance.dt);
    }
}

#[handlers]
impl Thinker {
    #[on_receive]
    fn on_advance(&mut self, _: &Advance, _: &mut Context<'_>) {
        self.0.step();
    }

    #[on_receive]
    fn on_age(&mut self, _: &Age, _: &mut Context<'_>) {
        self.0.step();
    }
}

#[handlers]
impl Target {
    #[on_receive]
    fn on_arrow(&mut self, arrow: &Arrow, _: &mut Context<'_>) {
        self.0.hurt(arrow.0.damage());
    }

    #[on_receive]
    fn on_word(&mut self, word: &Word, _: &mut Context<'_>) {
        self.0.hurt(word.damage());
    }
}

macro_rules! wrappers {
    ($($wrapper:ident of $component:ident,)*) => {
        $(
            impl From<$component> for $wrapper {
                fn from(component: $component) -> Self {
                    Self(component)
                }
            }

            impl State for $wrapper {
                fn bits(&self) -> u64 {
                    self.0.bits()
                }
            }
        )*
    };
}
wrappers! {
    Walker of Position,
    Thinker of Ai,
    Target of Health,
}
