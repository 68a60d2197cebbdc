//! The types that send messages to each other, as text that can be committed and compared.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Write};

use message_core::Sender;
use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, Traced};

use crate::{Recorder, TraceFilter};

/// The types that send and receive messages: an arrow for each sender, message and receiver.
///
/// Prints one arrow per line, sorted, with the full names of types. The text is the same for the same arrows, whatever
/// the order and the number of messages: write it to a file of the project, and a change shows up in review.
///
/// ```
/// use message_core::prelude::*;
/// use message_trace::{Flow, Recorder, TraceFilter};
///
/// #[derive(Message)]
/// #[message(name = "flow.Ring")]
/// struct Ring;
///
/// #[derive(Message)]
/// #[message(name = "flow.Alarm")]
/// struct Alarm;
///
/// struct Bell;
///
/// #[handlers]
/// impl Bell {
///     #[on_receive]
///     fn ring(&self, _: &Ring, cx: &mut Context<'_>) -> Result<(), SendError> {
///         cx.send(Everyone, Alarm)?;
///         Ok(())
///     }
/// }
///
/// struct Guard;
///
/// #[handlers]
/// impl Guard {
///     #[on_receive]
///     fn wake(&self, _: &Alarm) {}
/// }
///
/// let mut manager = MessageManager::new();
/// let bell = manager.spawn((Bell,));
/// manager.spawn((Guard,));
/// Recorder::new(100).start(&mut manager);
/// manager.send(bell, Ring)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let flow = Flow::of(&recorder, &TraceFilter::all());
///
/// let (bell, guard) = (std::any::type_name::<Bell>(), std::any::type_name::<Guard>());
/// let mut arrows = [format!("{bell} -> flow.Alarm -> {guard}\n"), format!("outside -> flow.Ring -> {bell}\n")];
/// arrows.sort();
/// assert_eq!(flow.to_string(), arrows.concat());
/// assert!(flow.to_mermaid().starts_with("flowchart LR\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow(BTreeSet<Arrow>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    from: &'static str,
    message: &'static str,
    to: &'static str,
}

impl Flow {
    /// Returns the arrows of the recorded deliveries that the filter covers. A sender is the component whose handler
    /// sent the message, `outside`, `the manager`, `a subscriber`, or `unknown` if the recording does not contain it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Flow, Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// #[message(name = "flow.Ping")]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Ping>(), |_, _| {});
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    /// let flow = Flow::of(&recorder, &TraceFilter::of::<Ping>());
    /// assert_eq!(flow.to_string(), "outside -> flow.Ping -> a subscriber\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(recorder: &Recorder, filter: &TraceFilter) -> Self {
        Self::of_events(recorder.events(), filter)
    }

    /// Like [`of`](Self::of), for events that a program keeps in its own way, in their order.
    ///
    /// ```
    /// use message_trace::{Flow, Recorder, TraceFilter};
    ///
    /// let recorder = Recorder::new(100);
    /// let flow = Flow::of_events(recorder.events(), &TraceFilter::all());
    /// assert_eq!(flow, Flow::of(&recorder, &TraceFilter::all()));
    /// ```
    #[must_use]
    pub fn of_events<'e>(
        events: impl Iterator<Item = &'e TraceEvent> + Clone,
        filter: &TraceFilter,
    ) -> Self {
        let begun = events.clone();
        let begun: HashMap<TraceId, &TraceEvent> = begun
            .filter_map(|event| Some((event.begun()?, event)))
            .collect();
        let arrow = |event: &TraceEvent| {
            let Traced::Called { receiver, .. } = &event.what else {
                return None;
            };
            Some(Arrow {
                from: sender(event, &begun),
                message: event.message,
                to: name(*receiver),
            })
        };
        let covered = events.filter(|event| filter.covers(event));
        Self(covered.filter_map(arrow).collect())
    }

    /// Returns the arrows that the program declares: from `anyone` to each component that handles a message.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Flow;
    ///
    /// #[derive(Message)]
    /// #[message(name = "flow.Declared")]
    /// struct Ping;
    ///
    /// struct Ears;
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&self, _: &Ping) {}
    /// }
    ///
    /// let arrow = format!("anyone -> flow.Declared -> {}", std::any::type_name::<Ears>());
    /// assert!(Flow::declared().to_string().lines().any(|line| line == arrow));
    /// ```
    #[must_use]
    pub fn declared() -> Self {
        let handlers = message_core::registry().handlers();
        let arrows = handlers.map(|handler| Arrow {
            from: "anyone",
            message: handler.message,
            to: handler.component,
        });
        Self(arrows.collect())
    }

    /// Returns the same arrows as a flowchart of [Mermaid](https://mermaid.js.org), which many pages of repositories
    /// draw. Types are shown without their paths.
    ///
    /// ```
    /// use message_trace::Flow;
    ///
    /// assert_eq!(Flow::default().to_mermaid(), "flowchart LR\n");
    /// ```
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let Self(arrows) = self;
        let ends = arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]);
        // Sorted by name, so that a new type adds a line and changes no other.
        let nodes: BTreeMap<&str, String> = ends.map(|name| (name, node(name))).collect();
        let mut text = "flowchart LR\n".to_owned();
        for (name, node) in &nodes {
            let _ = writeln!(text, "    {node}[\"{}\"]", label(name));
        }
        for Arrow { from, message, to } in arrows {
            let (from, message, to) = (&nodes[from], label(message), &nodes[to]);
            let _ = writeln!(text, "    {from} -->|\"{message}\"| {to}");
        }
        text
    }
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(arrows) = self;
        arrows
            .iter()
            .try_for_each(|Arrow { from, message, to }| writeln!(f, "{from} -> {message} -> {to}"))
    }
}

fn name(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::Component { component, .. } => component,
        Receiver::Subscription { .. } => "a subscriber",
    }
}

/// Returns the receiver in which a delivered message was sent, or where it came from.
fn sender(event: &TraceEvent, begun: &HashMap<TraceId, &TraceEvent>) -> &'static str {
    let cause = event
        .send
        .and_then(|send| match begun.get(&send)?.what {
            Traced::Sent { cause, .. } => cause,
            _ => None,
        })
        .and_then(|cause| begun.get(&cause)?.what.receiver());
    match (event.sender, cause) {
        (Sender::Outside, _) => "outside",
        (Sender::Manager, _) => "the manager",
        (_, Some(receiver)) => name(receiver),
        _ => "unknown",
    }
}

/// Returns an identifier of Mermaid that no other name has.
fn node(name: &str) -> String {
    let mut node = "n".to_owned();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            node.push(character);
        } else {
            let _ = write!(node, "_{:x}_", u32::from(character));
        }
    }
    node
}

/// Returns the part of a name that people read, with what Mermaid would read as markup escaped.
fn label(name: &str) -> String {
    let head = name.find('<').unwrap_or(name.len());
    let begin = name[..head].rfind([':', '.']).map_or(0, |at| at + 1);
    let mut label = String::new();
    for character in name[begin..].chars() {
        if "\"#<>|&;".contains(character) {
            let _ = write!(label, "#{};", u32::from(character));
        } else {
            label.push(character);
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: &'static str, message: &'static str, to: &'static str) -> Arrow {
        Arrow { from, message, to }
    }

    #[test]
    fn the_text_is_sorted_and_mermaid_has_a_node_for_each_name() {
        let arrows = [
            arrow("outside", "a::Ring", "a::Bell"),
            arrow("a::Bell", "a::Alarm", "b::Bell"),
        ];
        let flow = Flow(arrows.into());
        let text = "a::Bell -> a::Alarm -> b::Bell\noutside -> a::Ring -> a::Bell\n";
        assert_eq!(flow.to_string(), text);
        let mermaid = "\
flowchart LR
    na_3a__3a_Bell[\"Bell\"]
    nb_3a__3a_Bell[\"Bell\"]
    noutside[\"outside\"]
    na_3a__3a_Bell -->|\"Alarm\"| nb_3a__3a_Bell
    noutside -->|\"Ring\"| na_3a__3a_Bell
";
        assert_eq!(flow.to_mermaid(), mermaid);
    }

    #[test]
    fn a_name_is_no_markup() {
        assert_eq!(label("a::Pool<b::\"Orc\">"), "Pool#60;b::#34;Orc#34;#62;");
        assert_ne!(node("a_b"), node("a:b"));
    }
}
