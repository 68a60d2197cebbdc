//! How the last kept messages came to be sent.
//!
//! What is kept for a busy receiver is delivered when its sender has returned. So a cycle of such
//! messages is not in the chain of what is running. When only few more deliveries may be kept, each
//! one that is kept leaves a step here: what ran from the kept delivery before down to its sender.
//! Before that nothing is written, so that keeping costs no more than it has to.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::num::NonZeroU32;

use crate::error::ChainLink;

/// So many of the last deliveries that may be kept leave a step.
pub(crate) const STEPS: usize = 64;

/// The number of a step. One that was forgotten is never given again, and after the last one
/// nothing is remembered any more. Of 32 bits, so that a kept message is none the larger for it.
pub(crate) type StepNumber = NonZeroU32;

struct Step {
    number: StepNumber,
    /// What ran since the last delivery of a kept message, that one included; the innermost first.
    links: Box<[ChainLink]>,
    /// The step of that kept message.
    before: Option<StepNumber>,
}

#[derive(Default)]
pub(crate) struct Causes {
    steps: RefCell<VecDeque<Step>>,
    last: Cell<u32>,
}

impl Causes {
    /// Adds the step of a message that is kept, and forgets the oldest of too many.
    #[cold]
    pub(crate) fn add(
        &self,
        links: Vec<ChainLink>,
        before: Option<StepNumber>,
    ) -> Option<StepNumber> {
        let number = StepNumber::MIN.checked_add(self.last.get())?;
        self.last.set(number.get());
        let mut steps = self.steps.borrow_mut();
        if steps.len() >= STEPS {
            steps.pop_front();
        }
        steps.push_back(Step {
            number,
            links: links.into(),
            before,
        });
        Some(number)
    }

    /// Adds to those links what led to a step, the latest first, until they are so many.
    pub(crate) fn trace(&self, links: &mut Vec<ChainLink>, from: Option<StepNumber>, most: usize) {
        let steps = self.steps.borrow();
        let mut next = from;
        while let Some(number) = next
            && links.len() < most
            && let Some(step) = steps.iter().find(|step| step.number == number)
        {
            links.extend_from_slice(&step.links);
            next = step.before;
        }
    }

    pub(crate) fn clear(&self) {
        self.steps.borrow_mut().clear();
    }
}
