//! What changes under way: structural changes that handlers ask for, when they take effect, and
//! what the manager tells of them.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod common;

use common::{Actor, Do, Ear, Log, Note, Tested, Tour, Who, stage};
use message_core::lifecycle::{Despawning, Hooked, Unhooking};
use message_core::prelude::*;

mnemonic!(WORLD, HOME);

/// Logs what the manager tells.
struct Clerk {
    name: &'static str,
    log: Log,
}

impl Clerk {
    fn new(name: &'static str, log: &Log) -> Self {
        let log = log.clone();
        Self { name, log }
    }

    fn add(&self, what: &str, component: &str) {
        let component = component.rsplit("::").next().unwrap_or_default();
        self.log.add(format!("{}: {what}{component}", self.name));
    }
}

#[handlers]
impl Clerk {
    #[on_receive]
    fn hooked(&mut self, hooked: &Hooked) {
        self.add("hooked ", hooked.component);
    }

    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking) {
        self.add("unhooking ", unhooking.component);
    }

    #[on_receive]
    fn despawning(&mut self, _: &Despawning) {
        self.add("despawning", "");
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.add(note.0, "");
    }
}

/// Does something whenever the manager tells of a new component, or of one that goes.
type Reaction = Box<dyn FnMut(&mut Context<'_>) + Send>;

#[derive(Default)]
struct Reacting {
    hooked: Option<Reaction>,
    unhooking: Option<Reaction>,
    despawning: Option<Reaction>,
}

impl Reacting {
    fn to_hooked(reaction: impl FnMut(&mut Context<'_>) + Send + 'static) -> Self {
        Self {
            hooked: Some(Box::new(reaction)),
            ..Self::default()
        }
    }

    fn to_unhooking(reaction: impl FnMut(&mut Context<'_>) + Send + 'static) -> Self {
        Self {
            unhooking: Some(Box::new(reaction)),
            ..Self::default()
        }
    }

    fn to_despawning(reaction: impl FnMut(&mut Context<'_>) + Send + 'static) -> Self {
        Self {
            despawning: Some(Box::new(reaction)),
            ..Self::default()
        }
    }
}

#[handlers]
impl Reacting {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked, cx: &mut Context<'_>) {
        if let Some(reaction) = &mut self.hooked {
            reaction(cx);
        }
    }

    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking, cx: &mut Context<'_>) {
        if let Some(reaction) = &mut self.unhooking {
            reaction(cx);
        }
    }

    #[on_receive]
    fn despawning(&mut self, _: &Despawning, cx: &mut Context<'_>) {
        if let Some(reaction) = &mut self.despawning {
            reaction(cx);
        }
    }
}

/// Hands something out of a script.
fn slot<T: Send + 'static>() -> (impl FnOnce(T) + Send, impl FnOnce() -> T) {
    let (put, get) = std::sync::mpsc::channel();
    let put = move |value| put.send(value).expect("it is awaited");
    (put, move || get.recv().expect("it was put"))
}

fn first_hook(manager: &MessageManager, id: MessageeId) -> HookId {
    manager.hooks(id).next().expect("it has a component")
}

// When changes take effect.

#[test]
fn what_a_handler_spawns_has_its_id_at_once_and_is_alive_when_the_outermost_send_returns() -> Tested
{
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let (put, get) = slot();
    let ear = Ear::new("newborn", &log);
    let nested = Do::new(move |cx| {
        let id = cx.spawn((ear,));
        assert!(!cx.is_alive(id));
        put(id);
    });
    let script = Do::new(move |cx| {
        cx.send(other, nested).expect("sent");
        let receipt = cx.send(Everyone, Note("too early")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 1));
        assert_eq!(cx.iter::<Ear>().count(), 0);
    });
    manager.send(actor, script)?;
    let newborn = get();
    assert!(manager.is_alive(newborn));
    assert_eq!(log.take(), ["other: too early", "actor: too early"]);
    manager.send(newborn, Note("now"))?;
    assert_eq!(log.take(), ["newborn: now"]);
    Ok(())
}

#[test]
fn what_a_handler_hooks_has_its_hook_at_once_and_receives_when_the_outermost_send_returns() -> Tested
{
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        put(cx.hook(actor, ear).expect("it is alive"));
        let receipt = cx.send(Me, Note("too early")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
        assert!(cx.get::<Ear>(actor).is_err());
    });
    manager.send(actor, script)?;
    let hook = get();
    assert_eq!(manager.owner(hook)?, actor);
    assert_eq!(manager.hooks(actor).last(), Some(hook));
    assert_eq!(log.take(), ["actor: too early"]);
    assert_eq!(manager.send(actor, Note("now"))?.received, 2);
    Ok(())
}

#[test]
fn what_a_handler_unhooks_is_there_until_the_outermost_send_returns_and_receives_nothing() -> Tested
{
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log), Ear::new("stays", &log)));
    let hook = first_hook(&manager, ear);
    let script = Do::new(move |cx| {
        cx.unhook(hook).expect("it is hooked");
        assert_eq!(cx.get::<Ear>(ear).expect("still there").name, "ear");
        cx.send(ear, Note("!")).expect("sent");
        cx.send(Everyone, Note("all")).expect("sent");
        assert_eq!(cx.request(ear, Who), Ok("stays"));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["stays: !", "stays: all", "actor: all"]);
    assert_eq!(manager.hooks(ear).count(), 1);
    assert_eq!(manager.owner(hook), Err(MessageeError::NotHooked { hook }));
    Ok(())
}

#[test]
fn what_a_handler_despawns_is_there_until_the_outermost_send_returns_and_receives_nothing() -> Tested
{
    let (mut manager, log, actor) = stage();
    let parent = manager.spawn((Ear::new("parent", &log),));
    let child = manager.spawn((Ear::new("child", &log),));
    manager.set_parent(child, Some(parent))?;
    manager.bind(WORLD, child)?;
    let script = Do::new(move |cx| {
        cx.despawn(parent).expect("it is alive");
        assert!(cx.is_alive(parent) && cx.is_alive(child));
        assert_eq!(cx.bound(WORLD), Some(child));
        for to in [parent.into(), Down(parent), Up(child), WORLD.into()] {
            assert_eq!(cx.send(to, Note("")), Ok(Receipt::default()), "{to}");
        }
        cx.send(EveryoneElse, Note("")).expect("sent");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    assert!(!manager.is_alive(parent) && !manager.is_alive(child));
    assert_eq!(manager.bound(WORLD), None);
    assert_eq!(manager.len(), 1);
    Ok(())
}

#[test]
fn other_changes_take_effect_when_the_outermost_send_returns_too() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let hook = first_hook(&manager, ear);
    let script = Do::new(move |cx| {
        cx.bind(WORLD, ear).expect("it is free");
        cx.set_parent(ear, Some(actor)).expect("no cycle");
        cx.set_enabled(hook, false).expect("it is hooked");
        assert_eq!(cx.bound(WORLD), None);
        assert_eq!(cx.parent(ear), None);
        assert_eq!(cx.children(actor).count(), 0);
        let refused = cx.send(WORLD, Note(""));
        assert!(matches!(refused, Err(SendError::Unbound { .. })));
        cx.send(ear, Note("still enabled")).expect("sent");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: still enabled"]);
    assert_eq!(manager.bound(WORLD), Some(ear));
    assert_eq!(manager.parent(ear), Some(actor));
    assert!(!manager.is_enabled(hook)?);
    assert_eq!(manager.send(WORLD, Note(""))?.received, 0);
    let script = Do::new(move |cx| {
        cx.unbind(WORLD, ear).expect("it is bound to it");
        cx.set_parent(ear, None).expect("it is alive");
        cx.set_enabled(hook, true).expect("it is hooked");
        assert_eq!(cx.bound(WORLD), Some(ear));
        assert_eq!(cx.parent(ear), Some(actor));
    });
    manager.send(actor, script)?;
    assert_eq!(manager.bound(WORLD), None);
    assert_eq!(manager.parent(ear), None);
    assert!(manager.is_enabled(hook)?);
    Ok(())
}

#[test]
fn changes_take_effect_in_the_order_asked_for() -> Tested {
    let (mut manager, log, actor) = stage();
    let clerk = manager.spawn((Clerk::new("clerk", &log),));
    let clerk_hook = first_hook(&manager, clerk);
    log.take();
    let (one, two) = (Ear::new("one", &log), Actor::new("two", &log));
    let script = Do::new(move |cx| {
        let hook = cx.hook(clerk, one).expect("alive");
        cx.hook(clerk, two).expect("alive");
        cx.unhook(hook).expect("it will be hooked");
        cx.despawn(clerk).expect("alive");
        let refused = cx.unhook(clerk_hook);
        assert!(matches!(refused, Err(MessageeError::NotHooked { .. })));
    });
    manager.send(actor, script)?;
    // Whoever is going to leave hears the farewells alone.
    let expected = [
        "clerk: despawning",
        "clerk: unhooking Clerk",
        "clerk: unhooking Actor",
    ];
    assert_eq!(log.take(), expected);
    assert!(!manager.is_alive(clerk));
    Ok(())
}

// Who receives a send during which something changes.

#[test]
fn the_receivers_of_a_send_are_those_present_when_it_began() -> Tested {
    /// At each word, one more of its kind.
    struct Breeder(Log);
    #[handlers]
    impl Breeder {
        #[on_receive]
        fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
            self.0.add("heard");
            cx.spawn((Self(self.0.clone()),));
            cx.hook(cx.me(), Self(self.0.clone())).expect("alive");
        }
    }
    let (mut manager, log) = (MessageManager::new(), Log::default());
    manager.spawn((Breeder(log.clone()),));
    assert_eq!(manager.send(Everyone, Note(""))?.received, 1);
    assert_eq!(log.take().len(), 1);
    assert_eq!(manager.send(Everyone, Note(""))?.received, 3);
    assert_eq!(manager.iter::<Breeder>().count(), 9);
    Ok(())
}

/// Ends others when it hears a word.
#[derive(Default)]
struct Assassin {
    despawn: Option<MessageeId>,
    unhook: Option<HookId>,
    heard: usize,
}

#[handlers]
impl Assassin {
    #[on_receive(priority = 1)]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.heard += 1;
        self.despawn.map_or(Ok(()), |id| cx.despawn(id))?;
        self.unhook.map_or(Ok(()), |hook| cx.unhook(hook))
    }
}

#[test]
fn one_of_another_type_that_was_despawned_or_unhooked_meanwhile_is_skipped() -> Tested {
    let (mut manager, log, _) = stage();
    let ears = manager.spawn((Ear::new("one", &log), Ear::new("two", &log)));
    let victim = manager.spawn((Ear::new("three", &log), Actor::new("four", &log)));
    let assassin = Assassin {
        despawn: Some(victim),
        unhook: Some(first_hook(&manager, ears)),
        heard: 0,
    };
    manager.spawn((assassin,));
    assert_eq!(manager.send(Everyone, Note("!"))?.received, 3);
    assert_eq!(log.take(), ["actor: !", "two: !"]);
    Ok(())
}

#[test]
fn one_of_the_same_type_that_was_despawned_meanwhile_is_skipped() -> Tested {
    let mut manager = MessageManager::new();
    let killer = manager.spawn((Assassin::default(),));
    let victim = manager.spawn((Assassin::default(),));
    manager.spawn((Assassin::default(),));
    manager.get_mut::<Assassin>(killer)?.despawn = Some(victim);
    let receipt = manager.send(Everyone, Note(""))?;
    assert_eq!((receipt.received, receipt.failed), (2, 0));
    assert!(!manager.is_alive(victim));
    Ok(())
}

#[test]
fn one_of_the_same_type_that_was_unhooked_meanwhile_is_skipped() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Assassin::default(), Assassin::default()));
    let hook = manager.hooks(id).nth(1);
    manager.get_mut::<Assassin>(id)?.unhook = hook;
    assert_eq!(manager.send(id, Note(""))?.received, 1);
    assert_eq!(manager.hooks(id).count(), 1);
    manager.hook(id, Assassin::default())?;
    let hook = manager.hooks(id).nth(1);
    manager.get_mut::<Assassin>(id)?.unhook = hook;
    assert_eq!(manager.send(Everyone, Note(""))?.received, 1);
    Ok(())
}

#[test]
fn one_that_despawns_itself_has_received_it_and_receives_nothing_more() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Ear::new("ear", &log))?;
    let script = Do::new(move |cx| {
        cx.send(Me, Note("before")).expect("sent");
        cx.despawn(actor).expect("alive");
        assert_eq!(cx.send(Me, Note("after")).expect("sent").pending, 0);
        assert_eq!(cx.me(), actor);
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    assert_eq!(log.take(), ["ear: before"]);
    assert!(!manager.is_alive(actor));
    Ok(())
}

#[test]
fn what_was_kept_for_one_that_was_unhooked_meanwhile_is_not_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let script = Do::new(move |cx| {
        assert_eq!(cx.send(actor, Note("kept")).expect("kept").pending, 1);
        let me = cx.my_hook();
        cx.unhook(me).expect("hooked");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    assert_eq!(manager.hooks(actor).count(), 0);
    Ok(())
}

// Newborns.

#[test]
fn a_message_to_a_newborn_is_delivered_right_after_it_comes_alive() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("old", &log),));
    let (first, second) = (Clerk::new("first", &log), Clerk::new("second", &log));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let first = cx.spawn((first,));
        let second = cx.spawn((second,));
        let receipt = cx.send(second, Note("b")).expect("kept");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
        cx.send(first, Note("a1")).expect("kept");
        cx.send(Down(first), Note("a2")).expect("kept");
        cx.send(ear, Note("at once")).expect("sent");
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = [
        "old: at once",
        "done",
        "first: hooked Clerk",
        "first: a1",
        "first: a2",
        "second: hooked Clerk",
        "second: b",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn a_newborn_knows_who_wrote_to_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let newborn = Actor::new("newborn", &log);
    let told = log.clone();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((newborn,));
        let question = Do::new(move |cx| {
            assert_eq!(cx.sender(), Sender::Messagee(actor));
            assert_eq!(cx.recipient(), newborn.into());
            assert!(cx.is_alive(newborn));
            cx.send(actor, Note("hello")).expect("it is free again");
            told.add("asked");
        });
        cx.send(newborn, question).expect("kept");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: hello", "asked"]);
    Ok(())
}

#[test]
fn a_receipt_counts_the_components_of_a_newborn_that_will_receive_it() -> Tested {
    let (mut manager, log, actor) = stage();
    let bundle = (
        Ear::new("one", &log),
        Reacting::default(),
        Ear::new("two", &log),
    );
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(bundle);
        assert_eq!(cx.send(newborn, Note("!")).expect("kept").pending, 2);
        let empty = cx.spawn(());
        assert_eq!(cx.send(empty, Note("!")), Ok(Receipt::default()));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["one: !", "two: !"]);
    Ok(())
}

#[test]
fn a_request_or_in_out_message_to_a_newborn_is_not_yet_spawned() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let id = cx.spawn((ear,));
        let message = Who::NAME;
        let expected = SendError::NotYetSpawned { id, message };
        assert_eq!(cx.request(id, Who), Err(expected.clone()));
        assert_eq!(cx.request_all(Up(id), Who), Err(expected));
        let refused = cx.send_mut(id, &mut Tour::default());
        assert!(matches!(refused, Err(SendError::NotYetSpawned { .. })));
        let refused = cx.get::<Ear>(id).err();
        assert_eq!(refused, Some(MessageeError::NotYetSpawned { id }));
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    Ok(())
}

#[test]
fn a_newborn_can_be_hooked_to_bound_and_given_a_parent_in_the_same_dispatch() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let ears = [Ear::new("first", &log), Ear::new("second", &log)];
    let script = Do::new(move |cx| {
        let [first, second] = ears;
        let newborn = cx.spawn((first,));
        let child = cx.spawn(());
        let hook = cx.hook(newborn, second).expect("it will be alive");
        cx.bind(WORLD, newborn).expect("free");
        cx.set_parent(newborn, Some(actor)).expect("no cycle");
        cx.set_parent(child, Some(newborn)).expect("no cycle");
        let refused = cx.set_parent(actor, Some(child));
        assert!(matches!(refused, Err(MessageeError::Cycle { .. })));
        put((newborn, child, hook));
    });
    manager.send(actor, script)?;
    let (newborn, child, hook) = get();
    assert_eq!(manager.hooks(newborn).nth(1), Some(hook));
    assert_eq!(manager.bound(WORLD), Some(newborn));
    assert_eq!(manager.parent(newborn), Some(actor));
    assert_eq!(manager.parent(child), Some(newborn));
    assert_eq!(manager.parent(actor), None);
    manager.send(WORLD, Note("!"))?;
    assert_eq!(log.take(), ["first: !", "second: !"]);
    Ok(())
}

#[test]
fn a_message_to_a_newborn_comes_before_what_is_hooked_to_it_and_is_not_promised_to_that() -> Tested
{
    let (mut manager, log, actor) = stage();
    let (clerk, ear) = (Clerk::new("clerk", &log), Ear::new("ear", &log));
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((clerk,));
        cx.hook(newborn, ear).expect("it will be alive");
        let receipt = cx.send(newborn, Note("welcome")).expect("kept");
        assert_eq!(receipt.pending, 1);
    });
    manager.send(actor, script)?;
    let expected = ["clerk: hooked Clerk", "clerk: welcome", "clerk: hooked Ear"];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn a_newborn_can_be_despawned_in_the_same_dispatch_and_receives_the_farewell_alone() -> Tested {
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let clerk = Clerk::new("clerk", &log);
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        let newborn = cx.spawn((clerk,));
        cx.send(newborn, Note("lost")).expect("kept");
        cx.despawn(newborn).expect("it will be alive");
        let gone = MessageeError::Gone { id: newborn };
        assert_eq!(cx.despawn(newborn), Err(gone.clone()));
        assert_eq!(cx.hook(newborn, ear), Err(gone.clone()));
        assert_eq!(cx.bind(WORLD, newborn), Err(gone.clone()));
        assert_eq!(cx.set_parent(newborn, None), Err(gone.clone()));
        assert_eq!(cx.set_parent(actor, Some(newborn)), Err(gone));
        assert_eq!(cx.send(newborn, Note("lost too")), Ok(Receipt::default()));
        put(newborn);
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["clerk: despawning", "clerk: unhooking Clerk"]);
    assert!(!manager.is_alive(get()));
    assert_eq!(manager.len(), 1);
    Ok(())
}

#[test]
fn what_is_hooked_and_unhooked_in_the_same_dispatch_receives_its_farewell_alone() -> Tested {
    let (mut manager, log, actor) = stage();
    let clerk = Clerk::new("clerk", &log);
    let script = Do::new(move |cx| {
        let hook = cx.hook(actor, clerk).expect("alive");
        cx.unhook(hook).expect("it will be hooked");
        assert_eq!(cx.unhook(hook), Err(MessageeError::NotHooked { hook }));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["clerk: unhooking Clerk"]);
    assert_eq!(manager.hooks(actor).count(), 1);
    Ok(())
}

#[test]
fn a_hook_ends_with_the_messagee_it_was_to_be_attached_to() -> Tested {
    let (mut manager, log, actor) = stage();
    let ears = [Ear::new("ear", &log), Ear::new("ear", &log)];
    let other = manager.spawn(());
    let script = Do::new(move |cx| {
        let [first, second] = ears;
        let newborn = cx.spawn(());
        for (id, ear) in [(other, first), (newborn, second)] {
            let hook = cx.hook(id, ear).expect("alive");
            cx.despawn(id).expect("alive");
            let not_hooked = MessageeError::NotHooked { hook };
            assert_eq!(cx.unhook(hook), Err(not_hooked.clone()));
            assert_eq!(cx.set_enabled(hook, true), Err(not_hooked));
        }
    });
    manager.send(actor, script)?;
    assert_eq!(manager.len(), 1);
    assert_eq!(manager.iter::<Ear>().count(), 0);
    Ok(())
}

// Changes that are refused at once.

#[test]
fn what_is_going_to_happen_anyway_is_refused_the_second_time() -> Tested {
    let (mut manager, log, actor) = stage();
    let parent = manager.spawn((Ear::new("parent", &log),));
    let child = manager.spawn((Ear::new("child", &log),));
    manager.set_parent(child, Some(parent))?;
    let hook = first_hook(&manager, child);
    let own = first_hook(&manager, actor);
    let script = Do::new(move |cx| {
        cx.despawn(parent).expect("alive");
        for id in [parent, child] {
            assert_eq!(cx.despawn(id), Err(MessageeError::Gone { id }));
            let refused = cx.set_parent(id, None);
            assert_eq!(refused, Err(MessageeError::Gone { id }));
            let refused = cx.bind(WORLD, id);
            assert_eq!(refused, Err(MessageeError::Gone { id }));
            let refused = cx.hook(id, ());
            assert_eq!(refused, Err(MessageeError::Gone { id }));
        }
        assert_eq!(cx.unhook(hook), Err(MessageeError::NotHooked { hook }));
        let refused = cx.set_enabled(hook, true);
        assert_eq!(refused, Err(MessageeError::NotHooked { hook }));
        cx.unhook(own).expect("hooked");
        let refused = cx.unhook(own);
        assert_eq!(refused, Err(MessageeError::NotHooked { hook: own }));
    });
    manager.send(actor, script)?;
    assert_eq!(manager.messagees().collect::<Vec<_>>(), [actor]);
    assert_eq!(manager.hooks(actor).count(), 0);
    Ok(())
}

#[test]
fn a_mnemonic_that_is_going_to_be_bound_is_bound_already() -> Tested {
    let (mut manager, _, actor) = stage();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let mnemonic = WORLD.name();
    let script = Do::new(move |cx| {
        cx.bind(WORLD, one).expect("free");
        let already = MessageeError::AlreadyBound { mnemonic, to: one };
        assert_eq!(cx.bind(WORLD, two), Err(already.clone()));
        assert_eq!(cx.bind(WORLD, one), Err(already));
        let to = Some(one);
        let not = MessageeError::NotBound {
            mnemonic,
            id: two,
            to,
        };
        assert_eq!(cx.unbind(WORLD, two), Err(not));
        cx.unbind(WORLD, one).expect("it will be bound");
        cx.bind(WORLD, two).expect("it will be free");
        cx.bind(HOME, two).expect("one messagee may have several");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.bound(WORLD), Some(two));
    assert_eq!(manager.bound(HOME), Some(two));
    Ok(())
}

#[test]
fn the_mnemonic_of_one_that_is_going_to_be_despawned_is_free_to_be_bound() -> Tested {
    let (mut manager, _, actor) = stage();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(WORLD, one)?;
    let script = Do::new(move |cx| {
        cx.despawn(one).expect("alive");
        cx.bind(WORLD, two).expect("it will be free");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.bound(WORLD), Some(two));
    Ok(())
}

#[test]
fn a_cycle_is_refused_over_changes_that_are_pending() -> Tested {
    let (mut manager, _, actor) = stage();
    let [a, b, c] = [(); 3].map(|()| manager.spawn(()));
    manager.set_parent(b, Some(a))?;
    let script = Do::new(move |cx| {
        let refused = cx.set_parent(a, Some(b));
        let cycle = MessageeError::Cycle {
            child: a,
            parent: b,
        };
        assert_eq!(refused, Err(cycle));
        cx.set_parent(c, Some(b)).expect("no cycle");
        let refused = cx.set_parent(a, Some(c));
        let cycle = MessageeError::Cycle {
            child: a,
            parent: c,
        };
        assert_eq!(refused, Err(cycle));
        cx.set_parent(b, None).expect("alive");
        cx.set_parent(a, Some(c)).expect("no cycle any more");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.parent(a), Some(c));
    assert_eq!(manager.parent(c), Some(b));
    assert_eq!(manager.parent(b), None);
    Ok(())
}

#[test]
fn a_child_that_is_given_away_before_does_not_follow_and_one_that_came_before_does() -> Tested {
    let (mut manager, _, actor) = stage();
    let [parent, own, foster] = [(); 3].map(|()| manager.spawn(()));
    manager.set_parent(own, Some(parent))?;
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        cx.set_parent(own, Some(foster)).expect("no cycle");
        cx.set_parent(newborn, Some(parent)).expect("no cycle");
        cx.despawn(parent).expect("alive");
        let refused = cx.set_parent(newborn, None);
        assert_eq!(refused, Err(MessageeError::Gone { id: newborn }));
        put(newborn);
    });
    manager.send(actor, script)?;
    assert!(!manager.is_alive(parent) && !manager.is_alive(get()));
    assert_eq!(manager.parent(own), Some(foster));
    Ok(())
}

#[test]
fn children_are_given_to_the_grandparent_when_asked() -> Tested {
    let (mut manager, _, actor) = stage();
    let [grand, parent, one, two] = [(); 4].map(|()| manager.spawn(()));
    manager.set_parent(parent, Some(grand))?;
    manager.set_parent(one, Some(parent))?;
    manager.set_parent(two, Some(parent))?;
    let script = Do::new(move |cx| {
        cx.despawn_with(parent, Children::Reparent).expect("alive");
        cx.set_parent(one, None).expect("it stays");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.children(grand).collect::<Vec<_>>(), [two]);
    assert_eq!(manager.parent(one), None);
    assert!(!manager.is_alive(parent));
    Ok(())
}

// What the manager tells.

#[test]
fn hooked_is_told_to_the_messagee_the_new_component_included_right_after() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((Clerk::new("clerk", &log), Ear::new("ear", &log)));
    assert_eq!(log.take(), ["clerk: hooked Clerk", "clerk: hooked Ear"]);
    manager.hook(id, Clerk::new("second", &log))?;
    assert_eq!(log.take(), ["clerk: hooked Clerk", "second: hooked Clerk"]);
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        cx.hook(id, ear).expect("alive");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["clerk: hooked Ear", "second: hooked Ear"]);
    Ok(())
}

#[test]
fn unhooking_is_told_to_the_messagee_that_component_included_right_before() -> Tested {
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((Clerk::new("one", &log), Clerk::new("two", &log)));
    let second = manager.hooks(id).nth(1).expect("it has two");
    log.take();
    let script = Do::new(move |cx| cx.unhook(second).expect("hooked"));
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["one: unhooking Clerk", "two: unhooking Clerk"]);
    let first = manager.unhook::<Clerk>(first_hook(&manager, id))?;
    assert_eq!(first.name, "one");
    assert_eq!(log.take(), ["one: unhooking Clerk"]);
    Ok(())
}

#[test]
fn despawning_is_told_while_all_who_go_are_there_then_each_unhooking() -> Tested {
    let (mut manager, log, actor) = stage();
    for from_outside in [true, false] {
        let parent = manager.spawn((Clerk::new("parent", &log), Ear::new("", &log)));
        let child = manager.spawn((Clerk::new("child", &log),));
        let all_there = Reacting::to_despawning(move |cx| {
            assert!(cx.is_alive(parent) && cx.is_alive(child));
            assert_eq!(cx.get::<Clerk>(child).expect("there").name, "child");
            assert_eq!(cx.send(child, Note("lost")), Ok(Receipt::default()));
        });
        manager.hook(parent, all_there)?;
        manager.set_parent(child, Some(parent))?;
        log.take();
        if from_outside {
            manager.despawn(parent)?;
        } else {
            manager.send(actor, Do::new(move |cx| cx.despawn(parent).expect("alive")))?;
        }
        let expected = [
            "parent: despawning",
            "parent: unhooking Clerk",
            "parent: unhooking Ear",
            "parent: unhooking Reacting",
            "child: despawning",
            "child: unhooking Clerk",
        ];
        assert_eq!(log.take(), expected);
        assert_eq!(manager.len(), 1);
    }
    Ok(())
}

#[test]
fn lifecycle_handlers_may_change_the_structure_themselves() {
    let (mut manager, log, _) = stage();
    let told = log.clone();
    let mut generations = 3;
    let id = manager.spawn((Reacting::to_hooked(move |cx| {
        if generations > 0 {
            generations -= 1;
            cx.hook(cx.me(), Ear::new("ear", &told)).expect("alive");
            cx.spawn((Clerk::new("clerk", &told),));
        }
    }),));
    assert_eq!(manager.hooks(id).count(), 4);
    assert_eq!(manager.iter::<Clerk>().count(), 3);
    assert_eq!(log.take(), ["clerk: hooked Clerk"; 3]);
}

#[test]
fn a_component_can_unhook_itself_or_its_messagee_as_soon_as_it_is_hooked() {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((
        Reacting::to_hooked(|cx| {
            let me = cx.my_hook();
            let _ = cx.unhook(me);
        }),
        Ear::new("ear", &log),
    ));
    assert_eq!(manager.hooks(id).count(), 1);
    let id = manager.spawn((Reacting::to_hooked(|cx| {
        let me = cx.me();
        let _ = cx.despawn(me);
    }),));
    assert!(!manager.is_alive(id));
}

#[test]
fn a_farewell_can_lead_to_heirs_but_not_to_a_rescue() -> Tested {
    let (mut manager, log, _) = stage();
    let child = manager.spawn((Ear::new("child", &log),));
    let told = log.clone();
    let parent = manager.spawn((Reacting::to_despawning(move |cx| {
        let me = cx.me();
        let gone = MessageeError::Gone { id: child };
        assert_eq!(cx.set_parent(child, None), Err(gone.clone()));
        assert_eq!(cx.despawn(child), Err(gone));
        assert_eq!(cx.despawn(me), Err(MessageeError::Gone { id: me }));
        let heir = cx.spawn((Ear::new("heir", &told),));
        cx.bind(WORLD, heir).expect("it will be free");
        cx.send(heir, Note("yours")).expect("kept");
        assert!(cx.set_parent(heir, Some(me)).is_err());
    }),));
    manager.set_parent(child, Some(parent))?;
    manager.bind(WORLD, parent)?;
    manager.despawn(parent)?;
    assert!(!manager.is_alive(parent) && !manager.is_alive(child));
    assert_eq!(log.take(), ["heir: yours"]);
    manager.send(WORLD, Note("!"))?;
    assert_eq!(log.take(), ["heir: !"]);
    Ok(())
}

#[test]
fn an_unhooking_that_leads_to_the_same_unhooking_happens_once() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((
        Clerk::new("clerk", &log),
        Reacting::to_unhooking(|cx| {
            let (me, mine) = (cx.me(), cx.my_hook());
            let _ = cx.unhook(mine);
            let _ = cx.despawn(me);
        }),
    ));
    let hook = manager.hooks(id).nth(1).expect("it has two");
    log.take();
    manager.unhook::<Reacting>(hook)?;
    let expected = [
        "clerk: unhooking Reacting",
        "clerk: despawning",
        "clerk: unhooking Clerk",
    ];
    assert_eq!(log.take(), expected);
    assert!(!manager.is_alive(id));
    assert_eq!(manager.iter::<Reacting>().count(), 0);
    Ok(())
}

#[test]
fn changes_from_outside_that_are_made_twice_are_errors() -> Tested {
    let (mut manager, _, actor) = stage();
    let hook = first_hook(&manager, actor);
    manager.unhook::<Actor>(hook)?;
    let refused = manager.unhook::<Actor>(hook).err();
    assert_eq!(refused, Some(MessageeError::NotHooked { hook }));
    manager.despawn(actor)?;
    let refused = manager.despawn(actor);
    assert_eq!(refused, Err(MessageeError::Gone { id: actor }));
    Ok(())
}

#[test]
fn a_component_unhooked_as_another_type_stays_hooked() -> Tested {
    let (mut manager, log, actor) = stage();
    let hook = first_hook(&manager, actor);
    let refused = manager.unhook::<Ear>(hook).err();
    assert!(matches!(
        refused,
        Some(MessageeError::WrongComponent { .. })
    ));
    manager.send(actor, Note("still here"))?;
    assert_eq!(log.take(), ["actor: still here"]);
    Ok(())
}
