//! The error of a handler, shared by everyone who is notified of it.

use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The error type of handlers: a boxed error, into which `?` converts every other error.
///
/// ```
/// use message_core::HandlerError;
///
/// fn parse(text: &str) -> Result<u32, HandlerError> {
///     if text.is_empty() {
///         return Err("expected a number".into());
///     }
///     Ok(text.parse()?)
/// }
///
/// assert_eq!(parse("7").ok(), Some(7));
/// assert_eq!(parse("").expect_err("it is empty").to_string(), "expected a number");
/// ```
pub type HandlerError = Box<dyn Error + Send + Sync>;

/// The error that a handler has returned. It is shared:
/// [`HandlerFailed`](crate::lifecycle::HandlerFailed) has it, and so has the
/// [`NoAnswer`](crate::SendErrorKind::NoAnswer) of the request that failed.
///
/// It dereferences to the error itself, which can be downcast. Two are equal if they are the same
/// error, not if they say the same.
///
/// ```
/// use message_core::prelude::*;
/// use std::error::Error;
/// use std::num::ParseIntError;
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct Parse(&'static str);
///
/// struct Parser;
///
/// #[handlers]
/// impl Parser {
///     #[on_receive]
///     fn parse(&self, it: &Parse) -> Result<u32, ParseIntError> { it.0.parse() }
/// }
///
/// # let config = ManagerConfig::new().report_to(message_core::report::ReportTo::Nobody);
/// # let mut manager = MessageManager::with_config(config);
/// # let _ = "
/// let mut manager = MessageManager::new();
/// # ";
/// let parser = manager.spawn((Parser,));
/// let Err(error) = manager.request(parser, Parse("one")) else { unreachable!() };
/// let source = error.source().expect("the handler has failed");
/// assert!(source.is::<ParseIntError>());
/// ```
#[derive(Clone, Debug)]
pub struct SharedError(Arc<dyn Error + Send + Sync>);

impl From<HandlerError> for SharedError {
    fn from(error: HandlerError) -> Self {
        Self(error.into())
    }
}

impl Deref for SharedError {
    type Target = dyn Error + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for SharedError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedError {}

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Writes an error and its sources. A source that the error before has printed at its end is not
/// printed again.
pub(crate) fn write_with_sources(
    f: &mut fmt::Formatter<'_>,
    error: &(dyn Error + 'static),
) -> fmt::Result {
    let mut text = error.to_string();
    f.write_str(&text)?;
    let mut next = error.source();
    while let Some(source) = next {
        next = source.source();
        let source = source.to_string();
        if !text.ends_with(&source) {
            write!(f, ": {source}")?;
        }
        text = source;
    }
    Ok(())
}
