//! A manager with messagees of four components each.

use std::marker::PhantomData;

use message_core::Component;
use message_core::prelude::*;

use super::setting::Setting;
use crate::work::{Ai, Checksum, Health, Position, Render, State, Total, small};

/// Messagees with a [`Position`] and an [`Ai`], or components that replace them, a [`Health`] and a [`Render`] each.
pub(super) struct World<P = Position, A = Ai> {
    pub(super) manager: MessageManager,
    /// The objects, by number.
    pub(super) ids: Vec<MessageeId>,
    /// The total of the setting's subscriber.
    heard: Total,
    parts: PhantomData<(P, A)>,
}

impl<P, A> World<P, A>
where
    P: Component + State + From<Position>,
    A: Component + State + From<Ai>,
{
    pub(super) fn new(objects: usize) -> Self {
        Self::set(Setting::Plain, objects)
    }

    pub(super) fn set(setting: Setting, objects: usize) -> Self {
        let mut manager = setting.manager();
        let spawn = |seed| {
            manager.spawn((
                P::from(Position::new(seed)),
                Health::new(seed),
                A::from(Ai::new(seed)),
                Render::new(seed),
            ))
        };
        let ids = (0..small(objects)).map(spawn).collect();
        Self {
            heard: setting.listen(&mut manager),
            manager,
            ids,
            parts: PhantomData,
        }
    }

    /// Returns the checksum of all components and of what was heard. Drops the manager.
    pub(super) fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        let there = "it was spawned with one";
        for (number, &id) in self.ids.iter().enumerate() {
            sum.add(number, &*self.manager.get::<P>(id).expect(there));
            sum.add(number, &*self.manager.get::<Health>(id).expect(there));
            sum.add(number, &*self.manager.get::<A>(id).expect(there));
            sum.add(number, &*self.manager.get::<Render>(id).expect(there));
        }
        self.manager = MessageManager::new();
        sum.value().wrapping_add(self.heard.checksum())
    }
}
