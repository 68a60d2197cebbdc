//! The shared messages as events, and the shared components as components.
//!
//! An event is either targeted or global; the shared messages are wrapped in one of the two, just as
//! evenio's own derive macro would define them.

use evenio::component::Component;
use evenio::event::{GlobalEvent, TargetedEvent};
use evenio::mutability::Mutable;

use crate::work::{Ai, Health, Position, Render};

/// A message to one object.
#[derive(TargetedEvent)]
pub(super) struct ToOne<M: 'static>(pub(super) M);

/// A message to all listeners.
#[derive(GlobalEvent)]
pub(super) struct ToAll<M: 'static>(pub(super) M);

macro_rules! components {
    ($($component:ident)*) => {
        $(
            impl Component for $component {
                type Mutability = Mutable;
            }
        )*
    };
}
components!(Position Health Ai Render);
