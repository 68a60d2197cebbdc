//! The registry made longer while managers are at work.

use std::any::type_name;
use std::error::Error;
use std::time::Duration;

use message_core::prelude::*;
use message_core::{NoReply, Registry, RegistryError, SendError, registry};

type Tested = Result<(), Box<dyn Error>>;

/// A type that is registered by hand, to simulate one that a library brings.
trait Late: Send + 'static {
    const NAME: &'static str;
}

struct News<T>(T);

impl<T: Late> Message for News<T> {
    type Reply = NoReply;
    const NAME: &'static str = T::NAME;
}

/// Receives news late, before those who were there.
struct Reporter<T> {
    heard: Vec<T>,
}

impl<T> Default for Reporter<T> {
    fn default() -> Self {
        Self { heard: Vec::new() }
    }
}

#[handlers(types())]
impl<T: Late + Clone> Reporter<T> {
    #[on_receive(priority = 5)]
    fn write(&mut self, news: &News<T>) {
        self.heard.push(news.0.clone());
    }

    #[on_receive(priority = 5)]
    fn ask(&mut self, call: &mut Call<T>) {
        call.who.push("reporter");
    }
}

/// Is there from the beginning, for the types that are listed.
#[derive(Default)]
struct Reader<T> {
    heard: Vec<T>,
}

struct Call<T> {
    who: Vec<&'static str>,
    _of: std::marker::PhantomData<T>,
}

impl<T> Call<T> {
    fn new() -> Self {
        Self {
            who: Vec::new(),
            _of: std::marker::PhantomData,
        }
    }
}

impl<T: Late> Message for Call<T> {
    type Reply = NoReply;
    const NAME: &'static str = const {
        match T::NAME.as_bytes() {
            [b'o', ..] => "call.order",
            [b's', ..] => "call.silence",
            _ => "call.other",
        }
    };
}

#[handlers(types())]
impl<T: Late + Clone> Reader<T> {
    #[on_receive]
    fn read(&mut self, news: &News<T>) {
        self.heard.push(news.0.clone());
    }

    #[on_receive]
    fn ask(&mut self, call: &mut Call<T>) {
        call.who.push("reader");
    }

    #[on_receive]
    fn relay(&mut self, _: &Relay<T>, _: &mut Context<'_>) {}
}

struct Relay<T>(std::marker::PhantomData<T>);

impl<T: Late> Message for Relay<T> {
    type Reply = NoReply;
    const NAME: &'static str = "relay";
}

macro_rules! late {
    ($($topic:ident = $name:literal),* $(,)?) => {
        $(
            #[derive(Clone, Debug, Default, PartialEq)]
            struct $topic(u32);

            impl Late for $topic {
                const NAME: &'static str = $name;
            }
        )*
    };
}

late!(
    Order = "order",
    Silence = "silence",
    Flood = "a flood",
    Storm = "b storm",
    Quake = "quake",
    Frost = "frost",
    Drought = "drought",
    Taken = "earth.calm",
    Fair = "fair",
    Rain = "rain",
    Hail = "hail",
    Gale = "gale",
    Snow = "snow",
    Sleet = "sleet",
);

/// Linked in, and without a handler at first.
#[derive(Message)]
#[message(name = "earth.calm")]
struct Calm;

fn extend<C: message_core::Receives<M>, M: Message>() -> &'static Registry {
    let extended = Registry::builder().handler::<C, M>().extend();
    extended.unwrap_or_else(|error| panic!("{error}"))
}

// holds: plugins.indices-stay, identity.extended-behind
#[test]
fn indices_that_exist_stay_and_new_types_come_behind_them_by_name() {
    let before = registry();
    let extended = Registry::builder()
        .message::<News<Storm>>()
        .message::<News<Flood>>()
        .extend()
        .expect("both are new");
    for (old, new) in before.messages().zip(extended.messages()) {
        assert_eq!((old.id, old.index), (new.id, new.index));
    }
    let index = |name| extended.message_named(name).map(|info| info.index);
    assert!(index("a flood") < index("b storm"));
    assert!(index("earth.calm") < index("a flood"));
    assert_eq!(News::<Storm>::index(), index("b storm"));
    for (at, info) in registry().messages().enumerate() {
        assert_eq!(info.index.get(), at);
    }
}

// holds: plugins.extend-at-work
#[test]
fn what_was_registered_by_hand_stays_registered() {
    let first = extend::<Reporter<Quake>, News<Quake>>();
    let again = extend::<Reader<Quake>, News<Quake>>();
    for registry in [first, again, registry()] {
        assert!(registry.component::<Reporter<Quake>>().is_some());
    }
    assert!(first.component::<Reader<Quake>>().is_none());
    let info = registry().component::<Reader<Quake>>().expect("it is new");
    assert_eq!(info.name, type_name::<Reader<Quake>>());
    let handlers = registry().handled_by::<Reader<Quake>>();
    assert!(handlers.map(|handler| handler.method).eq(["read"]));
}

// holds: plugins.taken-up, plugins.before-taken-up
#[test]
fn a_manager_takes_up_a_component_type_when_it_is_first_hooked() -> Tested {
    let mut manager = MessageManager::new();
    let paper = manager.spawn(());
    let unknown = manager.send(paper, News(Frost(1)));
    assert!(matches!(
        unknown.map_err(SendError::into_kind),
        Err(SendErrorKind::Unregistered)
    ));

    extend::<Reporter<Frost>, News<Frost>>();
    assert_eq!(manager.send(paper, News(Frost(2)))?.received, 0);
    manager.hook(paper, Reporter::<Frost>::default())?;
    assert_eq!(manager.send(paper, News(Frost(3)))?.received, 1);
    assert_eq!(manager.send(Everyone, News(Frost(4)))?.received, 1);
    let heard = &manager.get::<Reporter<Frost>>(paper)?.heard;
    assert_eq!(*heard, [Frost(3), Frost(4)]);
    Ok(())
}

/// Publishes news of a type that comes late.
#[derive(Message)]
struct Print;

#[derive(Default)]
struct Press {
    published: Vec<Result<(), SendError>>,
}

#[handlers]
impl Press {
    #[on_receive]
    fn print(&mut self, _: &Print, cx: &mut Context<'_>) {
        self.published.push(cx.publish(Everyone, News(Snow(1))));
    }
}

// holds: plugins.publish-before-taken-up
#[test]
fn a_handler_cannot_publish_a_type_that_its_manager_has_not_taken_up() -> Tested {
    let mut manager = MessageManager::new();
    let press = manager.spawn((Press::default(),));
    Registry::builder().message::<News<Snow>>().extend()?;
    manager.send(press, Print)?;
    manager.tick(Duration::ZERO);
    manager.send(press, Print)?;
    let unregistered = SendError::new("snow", Everyone, SendErrorKind::Unregistered);
    let published = manager.get::<Press>(press)?.published.clone();
    assert_eq!(published, [Err(unregistered), Ok(())]);
    manager.tick(Duration::ZERO);
    assert_eq!(manager.inbox::<News<Snow>>().count(), 1);
    Ok(())
}

/// Hires a reporter of a type that comes while posts are due.
#[derive(Message)]
struct Hire(MessageeId);

struct Editor;

#[handlers]
impl Editor {
    #[on_receive]
    fn hire(&mut self, hire: &Hire, cx: &mut Context<'_>) {
        extend::<Reporter<Sleet>, News<Sleet>>();
        cx.hook(hire.0, Reporter::<Sleet>::default())
            .expect("the paper is there");
    }
}

// holds: plugins.taken-up
#[test]
fn a_component_type_that_comes_during_a_pass_receives_the_posts_behind() -> Tested {
    extend::<Reader<Sleet>, News<Sleet>>();
    let mut manager = MessageManager::new();
    let (editor, paper) = (manager.spawn((Editor,)), manager.spawn(()));
    manager.post(Header::to(editor).after_frames(1), Hire(paper))?;
    for number in 1..=4 {
        manager.post(Header::to(paper).after_frames(1), News(Sleet(number)))?;
    }
    manager.tick(Duration::ZERO);
    let heard = &manager.get::<Reporter<Sleet>>(paper)?.heard;
    assert_eq!(*heard, [1, 2, 3, 4].map(Sleet));
    Ok(())
}

// holds: plugins.late-handler-order
#[test]
fn a_handler_that_comes_late_runs_where_it_would_if_it_had_been_there() -> Tested {
    extend::<Reader<Order>, Call<Order>>();
    let mut before = MessageManager::new();
    let old = before.spawn((Reader::<Order>::default(),));
    let asked = |manager: &mut MessageManager, to: MessageeId| {
        let mut call = Call::<Order>::new();
        manager.send_mut(to, &mut call)?;
        Ok::<_, SendError>(call.who)
    };
    assert_eq!(asked(&mut before, old)?, ["reader"]);

    extend::<Reporter<Order>, Call<Order>>();
    // The manager has not taken it up: the only component type that it knows is the only one.
    assert_eq!(asked(&mut before, old)?, ["reader"]);
    before.tick(Duration::ZERO);
    assert_eq!(asked(&mut before, old)?, ["reader"]);
    before.hook(old, Reporter::<Order>::default())?;
    assert_eq!(asked(&mut before, old)?, ["reporter", "reader"]);
    let mut call = Call::<Order>::new();
    before.send_mut(Everyone, &mut call)?;
    assert_eq!(call.who, ["reporter", "reader"]);

    let mut after = MessageManager::new();
    let new = after.spawn((Reader::<Order>::default(), Reporter::<Order>::default()));
    assert_eq!(asked(&mut after, new)?, ["reporter", "reader"]);
    let alone = after.spawn((Reader::<Order>::default(),));
    assert_eq!(asked(&mut after, alone)?, ["reader"]);
    let methods = registry().handlers_of(Call::<Order>::ID);
    assert!(
        methods
            .map(|handler| handler.component)
            .eq([type_name::<Reporter<Order>>(), type_name::<Reader<Order>>()])
    );
    Ok(())
}

// holds: plugins.taken-up
#[test]
fn a_message_that_nobody_handled_reaches_the_handler_that_comes_late() -> Tested {
    Registry::builder().message::<Call<Silence>>().extend()?;
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let mut call = Call::<Silence>::new();
    assert_eq!(manager.send_mut(id, &mut call)?.received, 0);
    extend::<Reporter<Silence>, Call<Silence>>();
    manager.hook(id, Reporter::<Silence>::default())?;
    for _ in 0..2 {
        assert_eq!(manager.send_mut(id, &mut call)?.received, 1);
    }
    assert_eq!(call.who, ["reporter"; 2]);
    Ok(())
}

// holds: plugins.component-without-handlers
#[test]
fn components_without_handlers_never_stand_for_types_that_come_late() -> Tested {
    struct Early(u32);
    struct Later(u32);

    let mut manager = MessageManager::new();
    let id = manager.spawn((Early(1),));
    extend::<Reporter<Drought>, News<Drought>>();
    manager.hook(id, Later(2))?;
    assert_eq!(manager.send(Everyone, News(Drought(1)))?.received, 0);
    manager.hook(id, Reporter::<Drought>::default())?;
    assert_eq!(manager.send(id, News(Drought(2)))?.received, 1);
    assert_eq!(
        (manager.get::<Early>(id)?.0, manager.get::<Later>(id)?.0),
        (1, 2)
    );
    assert_eq!(manager.get::<Reporter<Drought>>(id)?.heard, [Drought(2)]);
    Ok(())
}

// holds: plugins.take-up-loses-nothing, plugins.before-taken-up
#[test]
fn what_waits_goes_on_and_what_is_new_can_be_posted_published_and_heard() -> Tested {
    extend::<Reader<Rain>, News<Rain>>();
    let mut manager = MessageManager::new();
    let id = manager.spawn((Reader::<Rain>::default(),));
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let noted = heard.clone();
    manager.subscribe(Filter::of::<News<Rain>>(), move |news: &News<Rain>, _| {
        noted.lock().expect("no panic").push(news.0.0);
    });
    let soon = Header::to(id).after(Duration::from_millis(10)).build()?;
    manager.post(&soon, News(Rain(1)))?;

    extend::<Reporter<Hail>, News<Hail>>();
    // Before the manager has taken it up.
    manager.publish(Everyone, News(Hail(2)))?;
    manager.subscribe(Filter::of::<News<Hail>>(), |_, _| {});
    manager.post_any(&soon, Box::new(News(Hail(3))))?;
    manager.post(&soon, News(Hail(4)))?;
    manager.hook(id, Reporter::<Hail>::default())?;
    manager.tick(Duration::from_millis(20));
    assert_eq!(manager.inbox::<News<Hail>>().count(), 1);
    assert_eq!(manager.get::<Reporter<Hail>>(id)?.heard, [Hail(3), Hail(4)]);
    assert_eq!(manager.get::<Reader<Rain>>(id)?.heard, [Rain(1)]);
    // It is still heard by a send to one component.
    manager.send(id, News(Rain(5)))?;
    assert_eq!(*heard.lock().expect("no panic"), [1, 5]);
    Ok(())
}

// holds: plugins.refused-duplicate, plugins.refused-leaves-nothing
#[test]
fn an_extension_that_is_refused_leaves_nothing_behind() {
    let refused = Registry::builder()
        .handler::<Reporter<Taken>, News<Taken>>()
        .message::<News<Fair>>()
        .extend();
    let Err(RegistryError::DuplicateIds(pairs)) = refused else {
        panic!("the name is taken");
    };
    let [(id, first, second)] = &*pairs else {
        panic!("it is one pair: {pairs:?}");
    };
    assert_eq!((*id, first.name), (Calm::ID, "earth.calm"));
    assert_eq!(second.place.file, file!());
    assert!(registry().message_named("fair").is_none());
    assert!(registry().component::<Reporter<Taken>>().is_none());
    let again = Registry::builder().message::<News<Fair>>().extend();
    assert!(again.is_ok_and(|it| it.message_named("fair").is_some()));
}

// holds: plugins.refused-duplicate, plugins.refused-leaves-nothing
#[test]
fn two_component_types_of_one_name_are_refused_with_both_places() {
    // A block without a name has the same path as another.
    struct First;
    const _: () = {
        struct Twin<T>(std::marker::PhantomData<T>);

        #[handlers(types())]
        impl<T: Send + 'static> Twin<T> {
            #[on_receive]
            fn calm(&mut self, _: &Calm) {}
        }

        impl Extend for First {
            fn extend() -> Result<&'static Registry, RegistryError> {
                Registry::builder().handler::<Twin<u8>, Calm>().extend()
            }
        }
    };
    struct Second;
    const _: () = {
        struct Twin<T>(std::marker::PhantomData<T>);

        #[handlers(types())]
        impl<T: Send + 'static> Twin<T> {
            #[on_receive]
            fn calm(&mut self, _: &Calm) {}
        }

        impl Extend for Second {
            fn extend() -> Result<&'static Registry, RegistryError> {
                Registry::builder().handler::<Twin<u8>, Calm>().extend()
            }
        }
    };
    let count = |registry: &Registry| registry.handlers_of(Calm::ID).count();
    let first = First::extend().expect("there is one of the name");
    let Err(error @ RegistryError::DuplicateNames(_)) = Second::extend() else {
        panic!("there is one of the name already");
    };
    let text = error.to_string();
    assert!(
        text.contains("Twin<u8>`: at ") && text.matches(file!()).count() == 2,
        "{text}"
    );
    assert_eq!((count(first), count(registry())), (1, 1));
}

trait Extend {
    fn extend() -> Result<&'static Registry, RegistryError>;
}

// holds: plugins.refused-context
#[test]
fn a_handler_with_a_context_comes_too_late_for_components_that_are_stored_without() {
    extend::<Reader<Gale>, News<Gale>>();
    let late = Registry::builder()
        .handler::<Reader<Gale>, Relay<Gale>>()
        .extend();
    let Err(error @ RegistryError::ContextTooLate(_)) = late else {
        panic!("it takes a context");
    };
    let text = error.to_string();
    assert!(
        text.contains("Reader<extended_registry::Gale>") && text.contains(file!()),
        "{text}"
    );
}

#[test]
fn an_extension_without_anything_new_is_the_registry_as_it_is() -> Tested {
    // Other tests extend it meanwhile.
    let before = registry().messages().len();
    let after = Registry::builder().extend()?;
    assert!(after.messages().len() >= before);
    assert!(message_core::extend_registry()?.messages().len() >= before);
    Ok(())
}
