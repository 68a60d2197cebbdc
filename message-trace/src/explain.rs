//! Explanations of why something happened: the chain of causes, and the outcome of its last link.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use message_core::trace::{TraceEvent, TraceId, TraceOutcome, Traced};

use crate::{Recorder, describe};

/// The explanation of a delivery or a send, from
/// [`Recorder::explain`].
///
/// It prints the whole chain, a line for each link:
///
/// ```
/// use message_core::TraceId;
/// use message_core::prelude::*;
/// use message_trace::Recorder;
///
/// #[derive(Message)]
/// #[message(name = "Alarm")]
/// struct Alarm;
///
/// #[derive(Message)]
/// #[message(name = "Fire")]
/// struct Fire;
///
/// mnemonic!(GUN = "GUN");
///
/// struct Guard;
///
/// #[handlers]
/// impl Guard {
///     #[on_receive]
///     fn alarm(&mut self, _: &Alarm, cx: &mut Context<'_>) -> Result<(), SendError> {
///         cx.send(GUN, Fire).map(drop)
///     }
/// }
///
/// #[derive(Default)]
/// struct Gun { fired_for: Option<TraceId> }
///
/// #[handlers]
/// impl Gun {
///     #[on_receive]
///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) { self.fired_for = cx.trace_id(); }
/// }
///
/// let mut manager = MessageManager::new();
/// let guard = manager.spawn((Guard,));
/// let gun = manager.spawn((Gun::default(),));
/// manager.bind(GUN, gun)?;
/// Recorder::new(1_000).start(&mut manager);
/// manager.send(guard, Alarm)?;
///
/// let shot = manager.get::<Gun>(gun)?.fired_for.expect("it was traced");
/// let why = Recorder::of(&manager).and_then(|it| it.explain(shot)).expect("it was recorded").to_string();
/// let lines: Vec<&str> = why.lines().map(str::trim).collect();
/// assert!(lines[0].starts_with("#1 `Alarm` sent by outside to messagee 0v0 at "));
/// assert!(lines[1].starts_with("#2 received by `"));
/// assert!(lines[1].ends_with("Guard` of messagee 0v0 in `alarm`"));
/// assert!(lines[2].starts_with("#3 `Fire` sent by messagee 0v0 to `GUN` at "));
/// assert!(lines[3].starts_with("#4 received by `"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The links from the outermost cause to the delivery or send in question: sends, and the deliveries in which
    /// the next one was sent. The outermost cause can be a send in another manager, as the message has arrived from
    /// there.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Spark;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Spark>(), |_, cx| { let _ = cx.send(Everyone, Fire); });
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Spark)?;
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let fires = TraceFilter::of::<Fire>();
    /// let fire = recorder.select(&fires).find_map(|event| event.send).expect("there was one");
    /// let why = recorder.explain(fire).expect("it was recorded");
    /// let messages = why.chain.iter().map(|event| event.message);
    /// assert!(messages.eq([Spark::NAME, Spark::NAME, Fire::NAME])); // Sent, received, sent.
    /// # Ok::<(), SendError>(())
    /// ```
    pub chain: Vec<TraceEvent>,
    /// The cause of the first link, if it has one of which nothing is recorded: it was overwritten, or a
    /// [filter](Recorder::only) left it out. `None` if the chain is complete.
    pub unknown_cause: Option<TraceId>,
    /// The outcome of the last message of the chain: every delivery of it and its result, the skipped receivers, the
    /// conditions it waits for, and why it was not delivered. In chronological order.
    ///
    /// ```
    /// use message_core::trace::{PassedOver, Traced};
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Ears;
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Ping) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let ears = manager.hook(orc, Ears)?;
    /// manager.set_enabled(ears, false)?;
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(orc, Ping)?;
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let ping = recorder.events().find_map(|event| event.send).expect("it was sent");
    /// let why = recorder.explain(ping).expect("it was recorded");
    /// let mut outcome = why.outcome.iter().map(|event| &event.what);
    /// let disabled = PassedOver::Disabled;
    /// assert!(outcome.any(|what| matches!(what, Traced::PassedOver { why, .. } if *why == disabled)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub outcome: Vec<TraceEvent>,
}

impl Recorder {
    /// Explains this delivery or this send: the chain from the outermost cause to it, and its outcome.
    /// Returns `None` when nothing is recorded of it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Spark;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Spark>(), |_, cx| { let _ = cx.send(Everyone, Fire); });
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Spark)?;
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let fires = TraceFilter::of::<Fire>();
    /// let fire = recorder.select(&fires).find_map(|event| event.send).expect("there was one");
    /// let why = recorder.explain(fire).expect("it was recorded");
    /// assert_eq!(why.chain[0].message, Spark::NAME);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        let events = &self.events;
        let begins = events.iter().filter_map(|it| Some((it.begun()?, it)));
        let begins: HashMap<TraceId, &TraceEvent> = begins.collect();
        let mut chain: Vec<TraceEvent> = Vec::new();
        let mut unknown_cause = None;
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(&event) = begins.get(&id) else {
                unknown_cause = Some(id);
                break;
            };
            chain.push(event.clone());
            // A cause that was named by hand may be any number.
            next = event.cause().filter(|&next| next < id);
        }
        let last = chain.first()?.send;
        chain.reverse();
        let about = |event: &&TraceEvent| match event.what {
            Traced::Sent { .. } | Traced::Arrived { .. } | Traced::CameBack { .. } => false,
            // Without a number of its message, this delivery is all that is known.
            _ if last.is_none() => event.what.delivery() == Some(id),
            _ => event.send == last,
        };
        Some(Explanation {
            chain,
            unknown_cause,
            outcome: events.iter().filter(about).cloned().collect(),
        })
    }
}

impl Recorder {
    /// Describes a frame: the messages that were sent and delivered in it, one line each, further in within the delivery
    /// that led to them. A message that was sent in an earlier frame has the chain of its causes above it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// #[message(name = "Ring")]
    /// struct Ring;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Ring>(), |_, _| {});
    /// Recorder::new(100).start(&mut manager);
    /// manager.post(Header::to(Everyone).after_frames(2), Ring)?;
    /// manager.tick(Duration::ZERO);
    /// manager.tick(Duration::ZERO);
    ///
    /// let recorder = Recorder::of(&manager).expect("it was started");
    /// assert_eq!(recorder.describe_frame(1), "");
    /// let text = recorder.describe_frame(2);
    /// let lines: Vec<&str> = text.lines().map(str::trim).collect();
    /// assert!(lines[0].starts_with("#1 `Ring` posted by outside to everyone at "));
    /// assert!(lines[1].starts_with("#2 received by "));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn describe_frame(&self, frame: u64) -> String {
        let mut text = String::new();
        let mut line = |depth: usize, event: &TraceEvent| {
            let _ = writeln!(
                text,
                "{:1$}{2}",
                "",
                2 * depth.min(DEEPEST),
                describe(event)
            );
        };
        let (mut depth, mut sent) = (0_usize, HashSet::new());
        for event in self.events().filter(|event| event.moment.frame == frame) {
            match &event.what {
                Traced::Sent { .. } => {
                    sent.extend(event.send);
                    line(depth, event);
                }
                Traced::Called { delivery, .. } => {
                    if depth == 0
                        && event.send.is_some_and(|send| sent.insert(send))
                        && let Some(why) = self.explain(*delivery)
                    {
                        // The last link is the delivery itself.
                        let causes = why.chain.len() - 1;
                        for cause in &why.chain[..causes] {
                            line(0, cause);
                        }
                    }
                    depth += 1;
                    line(depth, event);
                }
                Traced::Returned { outcome, .. } => {
                    if matches!(outcome, TraceOutcome::Failed | TraceOutcome::Panicked) {
                        line(depth, event);
                    }
                    depth = depth.saturating_sub(1);
                }
                Traced::Settled { receipt } if receipt.received > 0 => {}
                _ => line(depth, event),
            }
        }
        text
    }
}

/// The number of links that are each indented further than the one before. A message that leads to
/// itself in each frame has a chain of thousands, and every line would be as long as that.
const DEEPEST: usize = 40;

/// Prints the chain, each link further in than the one before, as far as a line has room for that, and
/// under it the outcome of its last message.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(unknown) = self.unknown_cause {
            writeln!(f, "{unknown}, of which nothing is recorded")?;
        }
        let from = usize::from(self.unknown_cause.is_some());
        let asked = self.chain.last().and_then(|event| event.what.delivery());
        let depth = from + self.chain.len() - usize::from(asked.is_some());
        let outcome = self.outcome.iter().filter(|event| match event.what {
            // It is the last line of the chain.
            Traced::Called { delivery, .. } => asked != Some(delivery),
            _ => true,
        });
        let outcome = outcome.map(|event| (depth, event));
        let mut shown = None;
        for (depth, event) in (from..).zip(&self.chain).chain(outcome) {
            let moment = event.moment;
            write!(f, "{:1$}{2}", "", 2 * depth.min(DEEPEST), describe(event))?;
            let is_new = shown.replace(moment) != Some(moment);
            // A send says its time itself.
            if is_new && !matches!(event.what, Traced::Sent { .. }) {
                write!(f, ", in frame {} at {:?}", moment.frame, moment.time)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
