//! The operations available from outside, on behalf of a messagee, and in a handler.

use message_core::Bundle;
use message_core::post::PendingPost;
use message_core::prelude::*;

pub(crate) trait Hand {
    fn post<M: Message>(&mut self, header: &Header, message: M) -> Result<Ticket, SendError>;
    fn cancel(&mut self, posts: Posts) -> usize;
    fn has_pending(&self, posts: Posts) -> bool;
    fn pending_posts(&self, posts: Posts) -> Vec<PendingPost>;
    fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId;
    fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError>;
    fn set_paused(&mut self, paused: bool);
    fn set_time_scale(&mut self, scale: f64);
    /// Returns the messagee that `Me` refers to when posts are chosen.
    fn me(&self) -> Option<MessageeId>;
}

macro_rules! hand {
    ($hand:ty, |$this:ident| $by:expr, |$poster:ident| $post:expr, $me:expr) => {
        impl Hand for $hand {
            fn post<M: Message>(
                &mut self,
                header: &Header,
                message: M,
            ) -> Result<Ticket, SendError> {
                let $poster = self;
                $post.post(header, message)
            }
            fn cancel(&mut self, posts: Posts) -> usize {
                let $this = self;
                $by.cancel(posts)
            }
            fn has_pending(&self, posts: Posts) -> bool {
                let $this = self;
                $by.has_pending(posts)
            }
            fn pending_posts(&self, posts: Posts) -> Vec<PendingPost> {
                let $this = self;
                $by.pending_posts(posts)
            }
            fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
                let $this = self;
                $by.spawn(bundle)
            }
            fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
                let $this = self;
                $by.despawn(id)
            }
            fn set_paused(&mut self, paused: bool) {
                let $this = self;
                $by.set_paused(paused);
            }
            fn set_time_scale(&mut self, scale: f64) {
                let $this = self;
                $by.set_time_scale(scale).expect("a good scale");
            }
            fn me(&self) -> Option<MessageeId> {
                $me(self)
            }
        }
    };
}

/// A manager whose posts come from a messagee.
pub(crate) struct Speaker<'m>(pub(crate) &'m mut MessageManager, pub(crate) MessageeId);

hand!(MessageManager, |this| this, |this| this, |_| None);
hand!(Context<'_>, |this| this, |this| this, called_me);
hand!(
    Speaker<'_>,
    |this| this.0,
    |this| this.0.speak_for(this.1).expect("it is alive"),
    |_| None
);

#[allow(
    clippy::unnecessary_wraps,
    reason = "some hands belong to nobody who is called so"
)]
fn called_me(cx: &Context<'_>) -> Option<MessageeId> {
    Some(cx.me())
}
