//! Subscriptions with a stage: messages they hear wait for the next pass of that stage.

use super::send::Receipt;
use super::world::{Life, OpenTo, Sent, World};

#[derive(Clone, Debug)]
pub(super) struct Staged {
    pub(super) subscription: usize,
    pub(super) stage: usize,
    pub(super) sent: Sent,
}

impl World {
    /// Returns `true` unless the subscription has ended meanwhile, or has got the one message that it wanted.
    pub(super) fn wait_for_stage(
        &mut self,
        subscription: usize,
        stage: usize,
        sent: &Sent,
    ) -> bool {
        let it = &mut self.subscriptions[subscription];
        if it.life != Life::There || it.is_promised {
            return false;
        }
        it.is_promised = it.hears.once;
        self.staged.push(Staged {
            subscription,
            stage,
            sent: sent.clone(),
        });
        true
    }

    /// Returns how many wait for a stage.
    pub(super) fn count_staged(&self, stage: usize) -> usize {
        let staged = self.staged.iter();
        staged.filter(|staged| staged.stage == stage).count()
    }

    /// Ends a pass: delivers the messages that have waited since it began, each as an outermost send.
    pub(super) fn pass_staged(&mut self, stage: usize, count: usize) {
        for _ in 0..count {
            let mut staged = self.staged.iter();
            let at = staged.position(|staged| staged.stage == stage);
            let staged = self.staged.remove(at.expect("it waits"));
            self.outermost(|world| world.hear_staged(&staged));
        }
    }

    fn hear_staged(&mut self, staged: &Staged) {
        let it = &mut self.subscriptions[staged.subscription];
        it.is_promised = false;
        let is_open = staged.sent.open_to.get() == OpenTo::Everyone;
        if it.life == Life::There && !it.is_paused && is_open {
            let (able, mut receipt) = (self.able(), Receipt::default());
            self.hear(staged.subscription, &staged.sent, &able, &mut receipt);
        }
    }
}
