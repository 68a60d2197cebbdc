//! Generated programs of any size, to measure the cost of message types and handlers by the
//! thousand.

mod ecs;
pub(crate) mod source;
pub(crate) mod workshop;

/// The way in which a generated program delivers its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// With the macros of message-core, as its documentation recommends.
    Macros,
    /// With the same implementations written by hand, and a registry that is filled by hand.
    ByHand,
    /// Without message-core: a trait with one method, implemented for each pair of component and
    /// message, and a call through it for each.
    Plain,
    /// With evenio: a targeted event for each message, a handler for each pair.
    Evenio,
    /// With `bevy_ecs`: an entity event for each message, an observer for each pair.
    Bevy,
}

/// Which handlers of a generated program take a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contexts {
    Never,
    Always,
    /// The handlers of every other component.
    Half,
}

/// A program with a number of message types, and a number of handlers that are spread evenly over the component
/// types, each of which is spawned in one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    pub(crate) style: Style,
    pub(crate) messages: usize,
    pub(crate) components: usize,
    pub(crate) handlers: usize,
    pub(crate) contexts: Contexts,
    /// Whether each message is sent, in a function of its own. Otherwise only the first one is.
    pub(crate) sends: bool,
    /// The number of sent messages that are posted, too.
    pub(crate) posted: usize,
    /// The number of sent messages that are published, too.
    pub(crate) published: usize,
}

impl Program {
    /// Returns a program with a number of message types, each of which is sent, and twice as many handlers. There are
    /// ten on each component, or as many as message types if those are fewer, and every other component's handlers
    /// take a context.
    pub(crate) fn of_types(style: Style, types: usize) -> Self {
        Self {
            style,
            messages: types,
            components: (types / 5).max(2),
            handlers: 2 * types,
            contexts: Contexts::Half,
            sends: true,
            posted: 0,
            published: 0,
        }
    }

    /// Returns the messages that a component handles, by number.
    ///
    /// No two handlers of one component are for the same message while there are at least as many
    /// message types as handlers on a component.
    fn handled(&self, component: usize) -> impl Iterator<Item = usize> + use<> {
        let more = usize::from(component < self.handlers % self.components);
        let count = self.handlers / self.components + more;
        let messages = self.messages;
        (0..count).map(move |at| (component * count + at) % messages)
    }

    fn takes_context(&self, component: usize) -> bool {
        match self.contexts {
            Contexts::Never => false,
            Contexts::Always => true,
            Contexts::Half => component % 2 == 1,
        }
    }
}
