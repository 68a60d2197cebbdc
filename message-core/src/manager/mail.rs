//! The manager's mailboxes, and the messages that are retained.

use crate::address::Recipient;
use crate::input::Input;
use crate::manager::MessageManager;
use crate::message::Message;

impl MessageManager {
    /// Sets the number of frames for which messages of a type can be found, from the next frame on. The
    /// default is 1. A message published in frame f can be found in the frames from f + 1 to f + `frames`: in
    /// the first of them with [`inbox`](Self::inbox), which this does not affect, and in all of them with a
    /// [cursor](crate::mailbox::Inbox::since). With 0, it is never found.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::mailbox::Cursor;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_mail_retention::<Noise>(3);
    /// let mut cursor = Cursor::<Noise>::new();
    /// for _ in 0..5 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// assert_eq!(manager.inbox::<Noise>().count(), 1);
    /// assert_eq!(manager.inbox::<Noise>().since(&mut cursor).count(), 3);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the [registry](crate::registry()) does not know the message type, or if a handler panics
    /// while this call settles what an earlier panic left pending; see [`settle`](Self::settle).
    pub fn set_mail_retention<M: Message>(&mut self, frames: u64) {
        let Some(of) = M::FACTS.index() else {
            panic!(
                "`{}` has no mailbox: its type is not in the registry; register it with \
                 `Registry::builder()` before the first manager is made",
                M::NAME
            );
        };
        self.no_input().changes().take_up();
        let outermost = self.input(|| Input::SetMailRetention(M::ID, frames));
        outermost.0.mail.set_retention(of, frames);
    }

    /// Forgets the message of that type that was [retained](crate::post::HeaderBuilder::retain) for the
    /// recipient. Returns `true` if there was one.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Weather(&'static str);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).retain(), Weather("rain"))?;
    /// assert!(manager.forget_retained::<Weather>(Everyone));
    /// assert!(!manager.forget_retained::<Weather>(Everyone));
    ///
    /// manager.subscribe(Filter::of::<Weather>().with_retained(), |_, _| unreachable!());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn forget_retained<M: Message>(&mut self, recipient: impl Into<Recipient>) -> bool {
        let to = recipient.into();
        let outermost = self.input(|| Input::ForgetRetained(M::ID, to));
        let forgotten =
            outermost.change(|world| world.listen.retained.get_mut().take(M::FACTS.index()?, to));
        forgotten.is_some()
    }
}
