//! The components: one that hears and then acts, and one that only hears.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use message_core::prelude::*;

use super::message::{Census, Flyer, Kind, Leaf, Note, Pallet, Parcel, Petal, panic_on_purpose};
use super::naive::Model;
use super::people::Part;
use super::step;

/// A small generator of random numbers: xorshift.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// The state shared by both sides and all components.
pub(crate) struct Run {
    pub(crate) random: Random,
    pub(crate) model: Model,
    pub(crate) labels: u32,
    pub(crate) tickets: Vec<Ticket>,
    /// `n`: one in `n` calls of a component panics.
    pub(crate) panics: Option<usize>,
}

#[derive(Clone)]
pub(crate) struct Shared {
    run: Arc<Mutex<Run>>,
    pub(crate) census: Census,
}

impl Shared {
    pub(crate) fn new(seed: u64, model: Model, panics: Option<usize>) -> Self {
        let run = Run {
            random: Random(seed),
            model,
            labels: 0,
            tickets: Vec::new(),
            panics,
        };
        Self {
            run: Arc::new(Mutex::new(run)),
            census: Census::default(),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Panics at random; called after a message was heard.
    fn may_panic(&self) {
        let mut run = self.lock();
        if let Some(times) = run.panics
            && run.random.one_in(times)
        {
            run.model.panicked();
            drop(run);
            panic_on_purpose();
        }
    }

    /// Ends in the model everything that an outermost call has led to.
    pub(crate) fn end(&self) {
        self.lock().model.end();
    }
}

pub(crate) struct Agent(pub(crate) u32, pub(crate) Shared);
pub(crate) struct Ear(pub(crate) u32, pub(crate) Shared);

impl Agent {
    fn hear(&self, message: (Kind, u64, u32), cx: &mut Context<'_>) {
        let (me, envelope) = (cx.me(), cx.envelope());
        let mut run = self.1.lock();
        let told = Some((me, envelope));
        run.model.hear(Part::Agent(self.0), message, told);
        let steps = run.random.of(&[0, 0, 0, 0, 1, 1, 2]);
        drop(run);
        for _ in 0..steps {
            step::take(&self.1, cx, Some(me));
        }
        self.1.may_panic();
    }
}

impl Ear {
    fn hear(&self, message: (Kind, u64, u32)) {
        self.1.lock().model.hear(Part::Ear(self.0), message, None);
        self.1.may_panic();
    }
}

#[handlers]
impl Agent {
    #[on_receive]
    fn note(&mut self, note: &mut Note, cx: &mut Context<'_>) {
        self.hear((Kind::Note, note.number, note.heard), cx);
        note.heard += 1;
    }

    #[on_receive]
    fn flyer(&mut self, flyer: &mut Flyer, cx: &mut Context<'_>) {
        self.hear((Kind::Flyer, flyer.number, flyer.heard), cx);
        flyer.heard += 1;
    }

    #[on_receive]
    fn parcel(&mut self, parcel: &mut Parcel, cx: &mut Context<'_>) {
        self.hear((Kind::Parcel, parcel.number, parcel.heard), cx);
        parcel.heard += 1;
    }

    #[on_receive]
    fn pallet(&mut self, pallet: &mut Pallet, cx: &mut Context<'_>) {
        self.hear((Kind::Pallet, pallet.number, pallet.heard), cx);
        pallet.heard += 1;
    }
}

#[handlers]
impl Ear {
    #[on_receive]
    fn note(&mut self, note: &mut Note) {
        self.hear((Kind::Note, note.number, note.heard));
        note.heard += 1;
    }

    #[on_receive]
    fn flyer(&mut self, flyer: &mut Flyer) {
        self.hear((Kind::Flyer, flyer.number, flyer.heard));
        flyer.heard += 1;
    }

    #[on_receive]
    fn parcel(&mut self, parcel: &mut Parcel) -> bool {
        self.hear((Kind::Parcel, parcel.number, parcel.heard));
        parcel.heard += 1;
        Part::Ear(self.0).accepts(Kind::Parcel, parcel.number)
    }

    #[on_receive]
    fn leaf(&mut self, leaf: &mut Leaf) {
        self.hear((Kind::Leaf, leaf.number, leaf.heard));
        leaf.heard += 1;
    }

    #[on_receive]
    fn petal(&mut self, petal: &mut Petal) -> bool {
        self.hear((Kind::Petal, petal.number, petal.heard));
        petal.heard += 1;
        Part::Ear(self.0).accepts(Kind::Petal, petal.number)
    }
}
