//! Conversion of the first argument of a post into a header.

use std::borrow::Borrow;

use crate::error::{SendError, SendErrorKind};
use crate::header::{Header, HeaderBuilder};

/// A value that a message can be posted with: a [`Header`], a reference to one, or a [`HeaderBuilder`],
/// which is built first.
///
/// ```
/// use message_core::HeaderError;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Explode;
///
/// let mut manager = MessageManager::new();
/// let bomb = manager.spawn(());
/// manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
///
/// let twice = Header::to(bomb).after(Duration::ZERO).after_frames(1);
/// let error = manager.post(twice, Explode).expect_err("it has two delays");
/// assert!(matches!(error.kind(), SendErrorKind::Header(HeaderError::TwoDelays)));
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a message cannot be posted with `{Self}`",
    label = "no header",
    note = "expected a `Header`, a `&Header`, or a builder from `Header::to`"
)]
pub trait IntoHeader: sealed::Sealed {
    #[doc(hidden)]
    type Held: Borrow<Header>;

    // By `&mut`, so that clippy does not ask those who post by `&header` to hand over a copy. With the name of
    // the message that is posted, so that the error is made here and not in each line that posts.
    #[doc(hidden)]
    fn held(&mut self, message: &'static str) -> Result<Self::Held, SendError>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Header {}
    impl Sealed for &super::Header {}
    impl Sealed for super::HeaderBuilder {}
}

#[diagnostic::do_not_recommend]
impl<'h> IntoHeader for &'h Header {
    type Held = &'h Header;

    fn held(&mut self, _: &'static str) -> Result<&'h Header, SendError> {
        Ok(*self)
    }
}

#[diagnostic::do_not_recommend]
impl IntoHeader for Header {
    type Held = Self;

    fn held(&mut self, _: &'static str) -> Result<Self, SendError> {
        Ok(*self)
    }
}

#[diagnostic::do_not_recommend]
impl IntoHeader for HeaderBuilder {
    type Held = Header;

    fn held(&mut self, message: &'static str) -> Result<Header, SendError> {
        self.build()
            .map_err(|error| SendError::new(message, self.header.to, SendErrorKind::Header(error)))
    }
}
