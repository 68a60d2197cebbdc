//! Reports of failures that nobody was notified of, and their destinations.

use std::fmt;
use std::mem::discriminant;
use std::sync::Arc;

use crate::error::{Chain, Limit, Receiver, SendError, SendErrorKind, Unhandled};
use crate::lifecycle::{DeadLetter, HandlerFailed, HandlerPanicked};

/// The destination of a manager's reports of failures that no component or subscriber was notified of.
/// See [`ManagerConfig::report_to`](crate::ManagerConfig::report_to).
///
/// ```
/// use message_core::prelude::*;
/// use message_core::report::{Report, ReportTo};
/// use std::sync::Mutex;
///
/// static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
///
/// fn note(report: &Report) {
///     REPORTS.lock().unwrap().push(report.to_string());
/// }
///
/// #[derive(Message)]
/// struct Load;
///
/// struct Gun;
///
/// #[handlers]
/// impl Gun {
///     #[on_receive]
///     fn load(&mut self, _: &Load) -> Result<(), HandlerError> { Err("it jams".into()) }
/// }
///
/// let config = ManagerConfig::new().report_to(ReportTo::Function(note));
/// let mut manager = MessageManager::with_config(config);
/// let gun = manager.spawn((Gun,));
/// manager.send(gun, Load)?;
/// assert!(REPORTS.lock().unwrap()[0].contains("it jams"));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum ReportTo {
    /// Prints lines to stderr. What fails for the first time is printed in full. If the same handler
    /// fails again on the same message type, it is printed in short, with how often it has failed and
    /// why it does now: at the second time, the fourth, the eighth and so on. How often it was in all
    /// is printed when the manager is dropped.
    #[default]
    Stderr,
    /// Reports nothing. Failures are counted all the same.
    Nobody,
    /// Calls a function with each report. No handler is running then. If the function panics, the
    /// panic goes to the caller of the manager.
    Function(fn(&Report)),
    /// Like [`Function`](Self::Function), but calls a closure; from [`ReportTo::closure`].
    Closure(Arc<dyn Fn(&Report) + Send + Sync>),
}

impl ReportTo {
    /// Calls a closure with each report, for example to send it through a channel.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::report::ReportTo;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let (log, lines) = mpsc::channel();
    /// let report_to = ReportTo::closure(move |report| {
    ///     let _ = log.send(report.headline());
    /// });
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().report_to(report_to));
    /// manager.post(Header::to(Everyone).after_frames(1).require(1), Alarm)?;
    /// manager.tick(std::time::Duration::from_millis(16)); // Nobody was there.
    /// assert!(lines.try_recv().is_ok_and(|line| line.ends_with("was not delivered")));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn closure(call: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        Self::Closure(Arc::new(call))
    }
}

/// A closure equals its clones.
impl PartialEq for ReportTo {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Function(one), Self::Function(other)) => std::ptr::fn_addr_eq(*one, *other),
            (Self::Closure(one), Self::Closure(other)) => Arc::ptr_eq(one, other),
            _ => discriminant(self) == discriminant(other),
        }
    }
}

impl Eq for ReportTo {}

impl fmt::Debug for ReportTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stderr => "Stderr",
            Self::Nobody => "Nobody",
            Self::Function(_) => "Function(..)",
            Self::Closure(_) => "Closure(..)",
        })
    }
}

/// A failure that no component and no subscriber was notified of, or a report that the config asks for.
///
/// Prints the failure in full, with its place and its chain of handlers.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::report::{Report, ReportTo};
///
/// fn to_the_log(report: &Report) {
///     eprintln!("{}\n  {report}", report.headline());
/// }
///
/// let config = ManagerConfig::new().report_to(ReportTo::Function(to_the_log));
/// let manager = MessageManager::with_config(config);
/// assert_eq!(manager.inspect().failure_count(), 0);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Report {
    /// A handler has returned an error.
    HandlerFailed(HandlerFailed),
    /// A handler or a subscriber has panicked, under
    /// [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook).
    HandlerPanicked(HandlerPanicked),
    /// A posted message was not received by as many as its header requires, or could not be delivered
    /// because of a limit.
    DeadLetter(DeadLetter),
    /// A handler has sent a message that could not be kept, and has ignored that error: the limit
    /// [`ManagerConfig::max_kept`](crate::ManagerConfig::max_kept) was reached.
    NotKept(SendError),
    /// A message was sent to a messagee that does not handle it; see
    /// [`ManagerConfig::report_unhandled`](crate::ManagerConfig::report_unhandled).
    Unhandled(Unhandled),
    /// A log of the inputs misses one, or breaks off; the text says why.
    NotLogged(String),
}

impl Report {
    /// Returns the failure without the parts that can differ from time to time: reports with the same
    /// headline are repeats of each other.
    ///
    /// ```
    /// use message_core::report::{Report, ReportTo};
    /// use message_core::prelude::*;
    /// use std::sync::Mutex;
    ///
    /// static HEADLINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    ///
    /// fn note(report: &Report) {
    ///     HEADLINES.lock().unwrap().push(report.headline());
    /// }
    ///
    /// #[derive(Message)]
    /// struct Load;
    ///
    /// struct Gun { jams: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn load(&mut self, _: &Load) -> Result<(), HandlerError> {
    ///         self.jams += 1;
    ///         Err(format!("jam {}", self.jams).into())
    ///     }
    /// }
    ///
    /// let config = ManagerConfig::new().report_to(ReportTo::Function(note));
    /// let mut manager = MessageManager::with_config(config);
    /// let gun = manager.spawn((Gun { jams: 0 },));
    /// manager.send(gun, Load)?;
    /// manager.send(gun, Load)?;
    /// let headlines = HEADLINES.lock().unwrap();
    /// assert!(headlines[0].starts_with("handler `load` of `"));
    /// assert_eq!(headlines[0], headlines[1]);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn headline(&self) -> String {
        match self {
            Self::HandlerFailed(failed) => format!(
                "handler `{}` of `{}` failed on `{}`",
                failed.handler, failed.component, failed.message
            ),
            Self::HandlerPanicked(panicked) => {
                let message = panicked.message;
                match (&panicked.receiver, panicked.handler) {
                    (Receiver::Component { component, .. }, Some(handler)) => {
                        format!("handler `{handler}` of `{component}` panicked on `{message}`")
                    }
                    _ => format!("a subscriber panicked on `{message}`"),
                }
            }
            Self::DeadLetter(DeadLetter { name, envelope, .. }) => {
                format!("`{name}` posted at {} was not delivered", envelope.place)
            }
            Self::NotKept(error) => match self.message() {
                Some(message) => format!("`{message}` could not be kept for its receiver"),
                None => error.to_string(),
            },
            Self::Unhandled(unhandled) => format!(
                "`{}` is not handled by a messagee with {:?}",
                unhandled.message, unhandled.components
            ),
            Self::NotLogged(what) => what.clone(),
        }
    }

    /// Returns why it has failed, if the headline does not say so.
    pub(crate) fn why(&self) -> Option<String> {
        match self {
            Self::HandlerFailed(failed) => Some(failed.error.to_string()),
            Self::DeadLetter(letter) => Some(letter.why.to_string()),
            _ => None,
        }
    }

    /// Returns the name of the message type that was being handled or was not delivered.
    ///
    /// ```
    /// use message_core::report::{Report, ReportTo};
    /// use message_core::prelude::*;
    /// use std::sync::Mutex;
    ///
    /// static NAMES: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    ///
    /// fn note(report: &Report) {
    ///     NAMES.lock().unwrap().extend(report.message());
    /// }
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let config = ManagerConfig::new().report_to(ReportTo::Function(note));
    /// let mut manager = MessageManager::with_config(config);
    /// manager.post(Header::to(Everyone).after_frames(1).require(1), Alarm)?;
    /// manager.tick(std::time::Duration::from_millis(16)); // Nobody was there.
    /// assert_eq!(*NAMES.lock().unwrap(), [Alarm::NAME]);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn message(&self) -> Option<&'static str> {
        self.parts().1
    }

    /// Returns the handlers that were running around the one that failed, the outermost first. `None`
    /// for a [`DeadLetter`](Self::DeadLetter), which happens outside of handlers, and for
    /// [`Unhandled`](Self::Unhandled), which is about several sends.
    ///
    /// ```
    /// use message_core::report::{Report, ReportTo};
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    /// use std::sync::Mutex;
    ///
    /// static AROUND: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    ///
    /// fn note(report: &Report) {
    ///     let links = report.chain().into_iter().flat_map(|chain| chain.links());
    ///     AROUND.lock().unwrap().extend(links.map(|link| link.message));
    /// }
    ///
    /// #[derive(Message)]
    /// struct Trigger;
    ///
    /// #[derive(Message)]
    /// struct Load;
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn trigger(&self, _: &Trigger, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.send(Me, Load).map(drop)
    ///     }
    ///
    ///     #[on_receive]
    ///     fn load(&self, _: &Load) -> Result<(), HandlerError> { Err("it jams".into()) }
    /// }
    ///
    /// let config = ManagerConfig::new().report_to(ReportTo::Function(note));
    /// let mut manager = MessageManager::with_config(config);
    /// let gun = manager.spawn((Gun,));
    /// manager.send(gun, Trigger)?;
    /// assert_eq!(*AROUND.lock().unwrap(), [Trigger::NAME]);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn chain(&self) -> Option<&Chain> {
        self.parts().2
    }

    /// Returns what is printed, the name of the message type and the handlers that were running.
    fn parts(&self) -> (&dyn fmt::Display, Option<&'static str>, Option<&Chain>) {
        match self {
            Self::HandlerFailed(failed) => (failed, Some(failed.message), Some(&failed.chain)),
            Self::HandlerPanicked(panicked) => {
                (panicked, Some(panicked.message), Some(&panicked.chain))
            }
            Self::DeadLetter(letter) => (letter, Some(letter.name), None),
            Self::NotKept(error) => {
                let chain = match error.kind() {
                    SendErrorKind::AtLimit {
                        limit: Limit::Kept(_),
                        chain,
                    } => Some(chain),
                    _ => None,
                };
                (error, error.message(), chain)
            }
            Self::Unhandled(unhandled) => (unhandled, Some(unhandled.message), None),
            Self::NotLogged(what) => (what, None, None),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, _, chain) = self.parts();
        write!(f, "{shown}")?;
        match chain {
            // Prints its chain itself.
            _ if matches!(self, Self::NotKept(_)) => Ok(()),
            Some(chain) if !chain.links().is_empty() => write!(f, "; {chain}"),
            _ => Ok(()),
        }
    }
}
