//! Manual registration, for types that cannot be listed.

use std::error::Error;
use std::sync::LazyLock;

use message_core::AnyMessage;
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::{NoReply, registry, registry::MessageIndex, try_registry};
use message_core::{Registry, RegistryError};

type Tested = Result<(), Box<dyn Error>>;

trait Topic: Send + 'static {
    const NAME: &'static str;
}

struct About<T>(T);

impl<T: Topic> Message for About<T> {
    type Reply = NoReply;
    const NAME: &'static str = T::NAME;
}

struct Log<T> {
    last: Option<T>,
    lines: usize,
}

impl<T> Log<T> {
    fn new() -> Self {
        Self {
            last: None,
            lines: 0,
        }
    }
}

#[handlers(types())]
impl<T: Topic + Clone> Log<T> {
    #[on_receive]
    fn write(&mut self, about: &About<T>) {
        self.last = Some(about.0.clone());
        self.lines += 1;
    }

    #[on_receive]
    fn clear(&mut self, _: &Clear) {
        self.last = None;
    }
}

#[derive(Message)]
struct Clear;

macro_rules! topics {
    ($($topic:ident = $name:literal),*) => {
        $(
            #[derive(Clone, Debug, PartialEq)]
            struct $topic(u32);

            impl Topic for $topic {
                const NAME: &'static str = $name;
            }
        )*
    };
}

topics!(
    Weather = "about weather",
    Harvest = "about harvest",
    Rumour = "about rumour",
    Secret = "about secret"
);

#[derive(Default)]
struct Listener {
    heard: u32,
}

#[handlers]
impl Listener {
    #[on_receive]
    fn hear(&mut self, about: &About<Weather>) {
        self.heard += about.0.0;
    }
}

/// The state seen before the registry was published. Every test starts with it.
static BEFORE: LazyLock<Before> = LazyLock::new(|| {
    let before = Before {
        weather: About::<Weather>::index(),
        clear: Clear::index(),
    };
    let registry = Registry::builder()
        .handler::<Log<Weather>, About<Weather>>()
        .handler::<Log<Weather>, About<Weather>>()
        .handler::<Log<Weather>, Clear>()
        .handler::<Log<Harvest>, About<Harvest>>()
        .handler::<Listener, About<Weather>>()
        .message::<About<Rumour>>()
        .message::<Clear>()
        .publish();
    let registry = registry.expect("it is the first use of the registry");
    assert!(std::ptr::eq(registry, message_core::registry()));
    before
});

struct Before {
    weather: Option<MessageIndex>,
    clear: Option<MessageIndex>,
}

fn publish() -> &'static Before {
    &BEFORE
}

#[test]
fn what_cannot_be_listed_is_received_once_it_is_registered_by_hand() -> Tested {
    publish();
    let mut manager = MessageManager::new();
    let log = manager.spawn((Log::<Weather>::new(), Log::<Harvest>::new()));
    assert_eq!(manager.send(log, About(Weather(3)))?.received, 1);
    assert_eq!(manager.send(log, About(Harvest(4)))?.received, 1);
    let weather = manager.get::<Log<Weather>>(log)?;
    assert_eq!((weather.lines, &weather.last), (1, &Some(Weather(3))));
    let harvest = manager.get::<Log<Harvest>>(log)?;
    assert_eq!((harvest.lines, &harvest.last), (1, &Some(Harvest(4))));
    Ok(())
}

#[test]
fn what_was_linked_in_is_there_beside_what_was_registered_by_hand() -> Tested {
    publish();
    let mut manager = MessageManager::new();
    let id = manager.spawn((Listener::default(), Log::<Weather>::new()));
    assert_eq!(manager.send(id, About(Weather(7)))?.received, 2);
    assert_eq!(manager.get::<Listener>(id)?.heard, 7);
    assert_eq!(manager.send(Everyone, About(Weather(1)))?.received, 2);
    Ok(())
}

#[test]
fn a_handler_that_is_registered_twice_is_called_once() -> Tested {
    publish();
    let handlers = registry().handlers_of(About::<Weather>::ID);
    assert_eq!(handlers.count(), 2);
    let mut manager = MessageManager::new();
    let id = manager.spawn((Log::<Weather>::new(),));
    assert_eq!(manager.send(id, About(Weather(1)))?.received, 1);
    Ok(())
}

#[test]
fn an_instantiation_receives_only_with_the_handlers_it_was_registered_with() -> Tested {
    publish();
    let mut manager = MessageManager::new();
    let log = manager.spawn((Log::<Weather>::new(), Log::<Harvest>::new()));
    manager.send(log, About(Weather(3)))?;
    manager.send(log, About(Harvest(3)))?;
    assert_eq!(manager.send(log, Clear)?.received, 1);
    assert_eq!(manager.get::<Log<Weather>>(log)?.last, None);
    assert_eq!(manager.get::<Log<Harvest>>(log)?.last, Some(Harvest(3)));
    Ok(())
}

#[test]
fn a_message_registered_by_hand_is_in_the_registry_like_any_other() {
    publish();
    let rumour = registry().message_named("about rumour");
    let rumour = rumour.expect("it was registered");
    assert_eq!(rumour.id, About::<Rumour>::ID);
    assert_eq!(rumour.place.file, file!());
    assert_eq!(About::<Rumour>::index(), Some(rumour.index));
    assert_eq!(registry().handlers_of(rumour.id).count(), 0);
    let names: Vec<&str> = registry().messages().map(|info| info.name).collect();
    assert!(names.is_sorted());
}

#[test]
fn nothing_is_numbered_before_the_registry_is_published() {
    let before = publish();
    assert_eq!((before.weather, before.clear), (None, None));
    assert!(About::<Weather>::index().is_some());
    assert!(Clear::index().is_some());
}

#[test]
fn a_second_publication_is_refused_and_changes_nothing() {
    publish();
    let count = registry().messages().len();
    let refused = Registry::builder()
        .handler::<Log<Secret>, About<Secret>>()
        .publish();
    assert_eq!(refused.err(), Some(RegistryError::AlreadyPublished));
    assert_eq!(registry().messages().len(), count);
    assert!(registry().message_named("about secret").is_none());
    assert_eq!(About::<Secret>::index(), None);
    assert!(try_registry().is_ok());
}

#[test]
fn a_type_that_was_not_registered_cannot_be_sent() -> Tested {
    publish();
    let mut manager = MessageManager::new();
    let log = manager.spawn((Log::<Secret>::new(),));
    let unregistered = |to: Recipient| {
        Err(SendError::new(
            "about secret",
            to,
            SendErrorKind::Unregistered,
        ))
    };
    let sent = manager.send(log, About(Secret(1)));
    assert_eq!(sent.map(drop), unregistered(log.into()));
    let sent = manager.send_mut(Everyone, &mut About(Secret(1)));
    assert_eq!(sent.map(drop), unregistered(Everyone));
    let sent = manager.speak_for(log)?.send(Me, About(Secret(1)));
    assert_eq!(sent.map(drop), unregistered(Me));
    let published = manager.publish(Everyone, About(Secret(1)));
    assert_eq!(published, unregistered(Everyone));
    assert!(manager.inbox::<About<Secret>>().is_empty());
    assert!(manager.published::<About<Secret>>().is_empty());
    assert_eq!(manager.get::<Log<Secret>>(log)?.lines, 0);
    Ok(())
}

#[test]
fn of_a_type_that_was_not_registered_only_the_name_is_shown() {
    publish();
    let secret: &dyn AnyMessage = &About(Secret(1));
    assert_eq!(format!("{secret:?}"), "about secret { .. }");
    assert!(secret.try_clone().is_none());
}
