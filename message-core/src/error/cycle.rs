//! The messages that lead to each other for ever, found in what is known of how a send came about.

use std::fmt;
use std::panic::Location;

use crate::error::chain::write_ends;
use crate::error::{ChainLink, Receiver};

/// Messages that lead to each other for ever, until a limit is reached: the handling of each has
/// sent the next, and that of the last would have received the first again.
///
/// ```
/// use message_core::lifecycle::HandlerFailed;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Echo;
///
/// #[handlers]
/// impl Echo {
///     #[on_receive]
///     fn again(&self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
///         cx.send(Me, Ping)?; // Without end.
///         Ok(())
///     }
/// }
///
/// let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(8));
/// let (log, errors) = mpsc::channel();
/// manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
///     if let Some(SendError::TooDeep { chain, .. }) = failed.error.downcast_ref() {
///         let _ = log.send(chain.clone());
///     }
/// });
/// let echo = manager.spawn((Echo,));
/// manager.send(echo, Ping)?;
/// let chain = errors.recv()?;
/// let cycle = chain.cycle().ok_or("it sends to itself")?;
/// assert_eq!(cycle.hops().len(), 1);
/// assert_eq!(cycle.hops()[0].message, Ping::NAME);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    hops: Box<[ChainLink]>,
    rounds: usize,
    wanders: bool,
}

/// How many hops of a long cycle are printed at each of its ends.
const PRINTED_END: usize = 4;

impl Cycle {
    /// Returns the hops, in the order in which they lead to each other; the last leads to the first
    /// again. Each is a receiver, the message that it handles, and where that message was sent.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(8));
    /// let (log, chains) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Ping>(), |_, cx| { let _ = cx.send(Everyone, Pong); });
    /// manager.subscribe(Filter::of::<Pong>(), move |_, cx| {
    ///     if let Err(SendError::TooManyKept { chain, .. }) = cx.send(Everyone, Ping) {
    ///         let _ = log.send(chain);
    ///     }
    /// });
    /// manager.send(Everyone, Ping)?;
    /// let chain = chains.recv()?;
    /// let cycle = chain.cycle().ok_or("they answer each other")?;
    /// let mut messages: Vec<&str> = cycle.hops().iter().map(|hop| hop.message).collect();
    /// messages.sort();
    /// assert_eq!(messages, [Ping::NAME, Pong::NAME]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hops(&self) -> &[ChainLink] {
        &self.hops
    }

    /// Returns how often it has come back to its first hop, in what was known when the send failed:
    /// the message that was refused is the last time.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(8));
    /// let (log, chains) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Ping>(), move |_, cx| {
    ///     if let Err(SendError::TooManyKept { chain, .. }) = cx.send(Everyone, Ping) {
    ///         let _ = log.send(chain);
    ///     }
    /// });
    /// manager.send(Everyone, Ping)?;
    /// let chain = chains.recv()?;
    /// assert_eq!(chain.cycle().map(|cycle| cycle.rounds()), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns `true` if each round is at other messagees, as on a walk along a list. Such a chain can
    /// have an end, and is printed as a chain. The hops are those of the last round.
    ///
    /// ```
    /// use message_core::lifecycle::HandlerFailed;
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Push;
    ///
    /// struct Domino { next: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Domino {
    ///     #[on_receive]
    ///     fn push(&mut self, _: &Push, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         self.next.map_or(Ok(()), |next| cx.send(next, Push).map(drop))
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(8));
    /// let (log, chains) = mpsc::channel();
    /// manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
    ///     if let Some(SendError::TooDeep { chain, .. }) = failed.error.downcast_ref() {
    ///         let _ = log.send(chain.clone());
    ///     }
    /// });
    /// let mut first = None;
    /// for _ in 0..20 {
    ///     first = Some(manager.spawn((Domino { next: first },)));
    /// }
    /// manager.send(first.ok_or("there are 20")?, Push)?;
    /// let chain = chains.recv()?;
    /// assert!(chain.cycle().is_some_and(|row| row.wanders()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wanders(&self) -> bool {
        self.wanders
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ends(f, &self.hops, PRINTED_END, " → ", " → ")?;
        if let Some(ChainLink {
            receiver, message, ..
        }) = self.hops.first()
        {
            match (receiver, self.wanders) {
                (Receiver::Component { component, .. }, true) => {
                    write!(f, " → `{component}` of another messagee on `{message}`")?;
                }
                _ => write!(f, " → {receiver} on `{message}`")?,
            }
        }
        f.write_str(" …, ")?;
        match self.rounds {
            1 => f.write_str("once")?,
            rounds => write!(f, "{rounds} times")?,
        }
        f.write_str(if self.wanders { " so far" } else { " round" })
    }
}

/// The send that failed, which may close a cycle.
pub(crate) struct Closing<'a> {
    pub(crate) message: &'static str,
    pub(crate) place: &'static Location<'static>,
    /// `true` if a receiver would have been one of the message's.
    pub(crate) reaches: &'a dyn Fn(Receiver) -> bool,
    /// `true` if what led to the links is not known, so that one who handles a message of that type
    /// and from that place is enough.
    pub(crate) is_posted: bool,
}

impl Closing<'_> {
    /// Returns `true` if the same receiver would handle a message of the same type again. Where the
    /// first one was sent is of no account for a component: a cycle is often begun from elsewhere. A
    /// subscriber may listen to the messages of one sender, so for it the place has to be the same.
    fn returns(&self, link: &ChainLink) -> bool {
        let at_home = match link.receiver {
            Receiver::Component { .. } => true,
            Receiver::Subscription(_) => self.place == link.place,
        };
        at_home && self.message == link.message && (self.reaches)(link.receiver)
    }

    /// Returns `true` if it is the same call, also if another one receives the message.
    fn resembles(&self, link: &ChainLink) -> bool {
        self.message == link.message && self.place == link.place
    }
}

impl Cycle {
    /// The cycle at the end of what is known of how a send came about, the oldest link first.
    ///
    /// Best is one that comes back to the same receivers, at least twice if it can be; then one that
    /// goes on from messagee to messagee.
    pub(crate) fn find(known: &[ChainLink], closing: &Closing<'_>) -> Option<Self> {
        let returns = |link: &ChainLink| closing.returns(link);
        let found = Period::longest(known, returns, |a, b| a == b);
        if let Some(found) = found.or_else(|| Period::once(known, returns)) {
            let mut cycle = Self::at_end(known, found, false);
            // It may have been begun from elsewhere, but this is where it goes on.
            cycle.hops[0].place = closing.place;
            return Some(cycle);
        }
        let resembles = |link: &ChainLink| closing.resembles(link);
        let found = Period::longest(known, resembles, is_alike);
        // Once could also be two kinds of component that send by the same function.
        let found = found.filter(|found| found.matches > 1);
        let posted = || Period::once(known, resembles).filter(|_| closing.is_posted);
        Some(Self::at_end(known, found.or_else(posted)?, true))
    }

    fn at_end(known: &[ChainLink], found: Period, wanders: bool) -> Self {
        Self {
            hops: known[known.len() - found.length..].into(),
            rounds: (found.matches / found.length).max(1),
            wanders,
        }
    }
}

/// How links come again. `closes` says whether the closing link is like one of the others.
#[derive(Clone, Copy)]
struct Period {
    /// After how many.
    length: usize,
    /// How many links in a row, with the closing one, are those of one period before.
    matches: usize,
}

impl Period {
    /// From the last link that is like the closing one.
    fn once(known: &[ChainLink], closes: impl Fn(&ChainLink) -> bool) -> Option<Self> {
        let back = known.iter().rev().position(closes)?;
        Some(Self {
            length: back + 1,
            matches: 1,
        })
    }

    /// The period at the end that explains most links, and of those the shortest; of one whole round
    /// at the least.
    fn longest(
        known: &[ChainLink],
        closes: impl Fn(&ChainLink) -> bool,
        is_same: impl Fn(&ChainLink, &ChainLink) -> bool,
    ) -> Option<Self> {
        let mut best: Option<Self> = None;
        for length in 1..=known.len().div_ceil(2) {
            // One that explains more than half of what is known is good enough.
            if best.is_some_and(|best| 2 * best.explains() > known.len()) {
                break;
            }
            let before = &known[..known.len() - length];
            if !closes(&known[before.len()]) {
                continue;
            }
            let mut pairs = known.iter().rev().zip(before.iter().rev());
            let differ = pairs.position(|(this, before)| !is_same(this, before));
            let found = Self {
                length,
                matches: 1 + differ.unwrap_or(before.len()),
            };
            if found.matches >= length && best.is_none_or(|best| best.explains() < found.explains())
            {
                best = Some(found);
            }
        }
        best
    }

    /// How many links it explains, with the closing one.
    fn explains(self) -> usize {
        self.matches + self.length
    }
}

/// Returns `true` if two links differ only in their messagees.
fn is_alike(a: &ChainLink, b: &ChainLink) -> bool {
    let same_kind = match (a.receiver, b.receiver) {
        (Receiver::Component { component: a, .. }, Receiver::Component { component: b, .. }) => {
            a == b
        }
        (a, b) => a == b,
    };
    same_kind && a.message == b.message && a.place == b.place
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::address::SubscriptionId;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;

    /// The links of so many subscriptions that handle one message from one place.
    fn links(count: usize) -> Vec<ChainLink> {
        let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let place = Location::caller();
        let link = |_| ChainLink {
            receiver: Receiver::Subscription(SubscriptionId(keys.allocate())),
            message: "message",
            place,
        };
        (0..count).map(link).collect()
    }

    /// The cycle that sends to `next` would close.
    fn find(known: &[ChainLink], next: &ChainLink) -> Option<Cycle> {
        let closing = Closing {
            message: next.message,
            place: next.place,
            reaches: &|receiver| receiver == next.receiver,
            is_posted: false,
        };
        Cycle::find(known, &closing)
    }

    // holds: reentrancy.cycle-named
    #[test]
    fn every_cycle_is_found_in_its_true_length_wherever_it_is_cut_off() {
        let links = links(30);
        // The letters of a cycle; some come more than once.
        for cycle in [
            "a",
            "ab",
            "aab",
            "abac",
            "aabaabc",
            "abcabd",
            "abcdefghij",
            "aaaaab",
        ] {
            for before in [0, 1, 7] {
                for length in 2 * cycle.len()..5 * cycle.len() {
                    let round = cycle
                        .bytes()
                        .map(|letter| links[usize::from(letter - b'a')]);
                    let mut known = links[20..20 + before].to_vec();
                    known.extend(round.clone().cycle().take(length));
                    let next = round.clone().cycle().nth(length).expect("it goes on");
                    let found = find(&known, &next).expect("it goes round twice");
                    let mut expected: Vec<ChainLink> = round.collect();
                    expected.rotate_left(length % cycle.len());
                    assert_eq!(found.hops(), expected, "{cycle}, {before}, {length}");
                    assert_eq!(found.rounds(), (length + 1 - cycle.len()) / cycle.len());
                }
            }
        }
    }

    // holds: reentrancy.chain-is-no-cycle
    #[test]
    fn links_that_do_not_come_again_are_no_cycle() {
        let links = links(30);
        let (next, known) = links.split_last().expect("there are some");
        assert_eq!(find(known, next), None);
        assert_eq!(find(&[], next), None);
    }

    // holds: reentrancy.cycle-named
    #[test]
    fn the_nearest_return_is_the_cycle_when_it_has_not_gone_round_twice() {
        let links = links(10);
        let found = find(&links, &links[6]).expect("it returns");
        assert_eq!(found.hops(), &links[6..]);
        assert_eq!(found.rounds(), 1);
    }
}
