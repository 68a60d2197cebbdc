//! The texts of errors: they name the message, the recipient and the reason.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use message_core::lifecycle::{HandlerFailed, Hooked};
use message_core::prelude::*;
use message_core::{MessageId, Registry, RegistryError};
use message_core::{
    NoReply,
    error::ChainLink,
    registry::{Declared, Place},
};

type Tested = Result<(), Box<dyn Error>>;

mnemonic!(WORLD);

#[derive(Message)]
struct Ping;

#[derive(Message)]
#[message(reply = u32)]
struct Ask;

/// Implemented by hand, and registered nowhere.
struct Unlisted;

impl Message for Unlisted {
    type Reply = NoReply;
    const NAME: &'static str = "failures::errors::Unlisted";
}

type Run = dyn FnMut(&mut Context<'_>) -> Result<String, Box<dyn Error>> + Send;

/// A script to run in a handler. The reply is its result.
#[derive(Message)]
#[message(reply = String)]
struct Script {
    run: Box<Run>,
}

#[derive(Default)]
struct Actor {
    runs: u32,
}

#[handlers]
impl Actor {
    #[on_receive]
    fn run(&mut self, script: &mut Script, cx: &mut Context<'_>) -> String {
        self.runs += 1;
        let said = (script.run)(cx).unwrap_or_else(|error| error.to_string());
        said.replace(&cx.place().to_string(), "HERE")
    }

    #[on_receive]
    fn ping(&mut self, _: &Ping) {
        self.runs += 1;
    }

    #[on_receive]
    fn ask(&mut self, _: &Ask) -> Option<u32> {
        (self.runs > 100).then_some(self.runs)
    }
}

/// A component without handlers.
#[derive(Debug)]
struct Label;

/// Replies to the manager.
#[derive(Default)]
struct Polite {
    refused: Option<SendError>,
}

#[handlers]
impl Polite {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked, cx: &mut Context<'_>) {
        self.refused = cx.reply(Ping).err();
    }
}

/// Returns the text that `run` produces in a handler of a component of `0v0`.
fn said<F>(config: ManagerConfig, run: F) -> Result<String, SendError>
where
    F: FnMut(&mut Context<'_>) -> Result<String, Box<dyn Error>> + Send + 'static,
{
    let mut manager = MessageManager::with_config(config);
    let id = manager.spawn((Actor::default(),));
    manager.request(id, Script { run: Box::new(run) })
}

const DEFAULT: ManagerConfig = ManagerConfig::new();

fn text<T>(result: Result<T, impl Error>) -> String {
    match result {
        Ok(_) => String::from("no error"),
        Err(error) => error.to_string(),
    }
}

mod sending {
    use super::*;

    // holds: messagees.stale-id
    #[test]
    fn gone() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn(());
        manager.despawn(id)?;
        assert_eq!(
            text(manager.send(id, Ping)),
            "`failures::errors::Ping` was not sent to messagee 0v0: it is gone"
        );
        Ok(())
    }

    // holds: messagees.other-manager
    #[test]
    fn other_manager() {
        let mut manager = MessageManager::new();
        let id = MessageManager::new().spawn(());
        assert_eq!(
            text(manager.send(id, Ping)),
            "`failures::errors::Ping` was not sent to messagee 0v0: the id belongs to another \
             manager"
        );
    }

    // holds: reentrancy.newborn-request
    #[test]
    fn not_yet_spawned() -> Tested {
        let said = said(DEFAULT, |cx| {
            let id = cx.spawn((Actor::default(),));
            Ok(cx.request(id, Ask)?.to_string())
        })?;
        assert_eq!(
            said,
            "`failures::errors::Ask` was not sent to messagee 1v0: it was spawned or hooked \
             during this dispatch; use `send`, which waits until it is there"
        );
        Ok(())
    }

    // holds: messagees.mnemonic-unbound
    #[test]
    fn unbound() {
        let mut manager = MessageManager::new();
        assert_eq!(
            text(manager.send(WORLD, Ping)),
            "`failures::errors::Ping` was not sent to `failures::errors::WORLD`: no messagee is \
             bound to it"
        );
    }

    // holds: send.me-from-outside
    #[test]
    fn no_sender() {
        let mut manager = MessageManager::new();
        assert_eq!(
            text(manager.send(Me, Ping)),
            "`failures::errors::Ping` was not sent to the sender itself, which requires a sender; use \
             `manager.speak_for(id)` to send on behalf of a messagee"
        );
        assert_eq!(
            text(manager.send(EveryoneElse, Ping)),
            "`failures::errors::Ping` was not sent to everyone else, which requires a sender; use \
             `manager.speak_for(id)` to send on behalf of a messagee"
        );
    }

    // holds: send.nobody-to-reply-to
    #[test]
    fn nobody_to_reply_to() -> Tested {
        let said = said(DEFAULT, |cx| Ok(format!("{:?}", cx.reply(Ping)?)))?;
        assert_eq!(
            said,
            "`failures::errors::Ping` was not sent as a reply: the message being received came \
             from outside"
        );
        let mut manager = MessageManager::new();
        let polite = manager.spawn((Polite::default(),));
        let refused = manager.get_mut::<Polite>(polite)?.refused.take();
        let refused = refused.ok_or("it was told that it was hooked")?;
        let (sender, message) = (Sender::Manager, Ping::NAME);
        assert_eq!(
            refused,
            SendErrorKind::NobodyToReplyTo { sender, message }.into()
        );
        assert_eq!(
            refused.to_string(),
            "`failures::errors::Ping` was not sent as a reply: the message being received came \
             from the manager"
        );
        Ok(())
    }

    // holds: reentrancy.busy-request
    #[test]
    fn busy() -> Tested {
        let said = said(DEFAULT, |cx| Ok(cx.request(Me, Ask)?.to_string()))?;
        assert_eq!(
            said,
            "`failures::errors::Ask` was not sent to the sender itself: \
             `failures::errors::Actor` of messagee 0v0 would receive it and is busy; post the message to a later \
             stage, or use `send`, which waits until it is free; running: \
             `failures::errors::Actor` of messagee 0v0 on `failures::errors::Script` sent at HERE"
        );
        Ok(())
    }

    // holds: reentrancy.bounds, reentrancy.limit-names-remedy
    #[test]
    fn too_deep() -> Tested {
        let config = ManagerConfig::new().max_depth(1);
        let said = said(config, |cx| {
            Ok(format!("{:?}", cx.send(Everyone, Ping)?.received))
        })?;
        assert_eq!(
            said,
            "`failures::errors::Ping` was not sent to everyone: sends are nested more than 1 \
             deep, which is `ManagerConfig::max_depth`; post it to a later stage, or raise the \
             limit; running: `failures::errors::Actor` of messagee 0v0 on \
             `failures::errors::Script` sent at HERE"
        );
        Ok(())
    }

    // holds: reentrancy.bounds, reentrancy.limit-names-remedy
    #[test]
    fn too_deep_from_outside() {
        let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(0));
        let id = manager.spawn(());
        assert_eq!(
            text(manager.send(Down(id), Ping)),
            "`failures::errors::Ping` was not sent to messagee 0v0 and its descendants: sends are \
             nested more than 0 deep, which is `ManagerConfig::max_depth`; post it to a later \
             stage, or raise the limit; nothing is running"
        );
    }

    // holds: reentrancy.bounds, reentrancy.limit-names-remedy
    #[test]
    fn too_many_kept() -> Tested {
        let config = ManagerConfig::new().max_kept(1);
        let said = said(config, |cx| {
            assert_eq!(cx.send(Me, Ping)?.pending, 1);
            Ok(format!("{:?}", cx.send(Me, Ping)?.received))
        })?;
        assert_eq!(
            said,
            "`failures::errors::Ping` was not kept for the sender itself: 1 deliveries have been \
             kept in this dispatch, which is `ManagerConfig::max_kept`; post it to a later stage, \
             or raise the limit; running: `failures::errors::Actor` of messagee 0v0 on \
             `failures::errors::Script` sent at HERE"
        );
        Ok(())
    }

    // holds: send.request-none
    #[test]
    fn no_answer() {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::default(),));
        assert_eq!(
            text(manager.request(Up(id), Ask)),
            "nobody at messagee 0v0 and its ancestors answered `failures::errors::Ask`"
        );
        assert_eq!(
            text(manager.request(id, Ask)),
            "nobody at messagee 0v0 answered `failures::errors::Ask`"
        );
    }

    #[test]
    fn unregistered() {
        let mut manager = MessageManager::new();
        assert_eq!(
            text(manager.send(Everyone, Unlisted)),
            "`failures::errors::Unlisted` was not sent: its type is not in the registry; register \
             it with `Registry::builder()` before the first manager is made; a type of a plugin is \
             known from the manager's next frame on"
        );
    }
}

mod chains {
    use super::*;

    #[derive(Message)]
    struct Dig;

    /// Continues for a while, and then asks another messagee.
    #[derive(Message)]
    struct Burrow {
        left: usize,
        visitor: MessageeId,
    }

    /// Digs until it is too deep.
    struct Mole {
        to: Recipient,
    }

    #[handlers]
    impl Mole {
        #[on_receive]
        fn dig(&self, _: &Dig, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(self.to, Dig)?;
            Ok(())
        }

        #[on_receive]
        fn burrow(&self, burrow: &Burrow, cx: &mut Context<'_>) -> Result<(), SendError> {
            let Burrow { left, visitor } = *burrow;
            match left.checked_sub(1) {
                Some(left) => cx.send(self.to, Burrow { left, visitor }).map(drop),
                None => cx.request(visitor, Ask).map(drop),
            }
        }
    }

    #[derive(Default)]
    struct Doctor {
        error: Option<SendError>,
    }

    #[handlers]
    impl Doctor {
        #[on_receive]
        fn failed(&mut self, failed: &HandlerFailed) {
            self.error = failed.error.downcast_ref().cloned();
        }
    }

    /// Returns the error of a mole that digs deeper than `depth`.
    fn dig(depth: usize) -> Result<SendError, Box<dyn Error>> {
        let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(depth));
        let mole = manager.spawn((Mole { to: Me },));
        let doctor = manager.spawn((Doctor::default(),));
        manager.send(mole, Dig)?;
        let error = manager.get_mut::<Doctor>(doctor)?.error.take();
        Ok(error.ok_or("nothing has failed")?)
    }

    fn link(at: impl std::fmt::Display) -> String {
        format!(
            "`failures::errors::chains::Mole` of messagee 0v0 on `failures::errors::chains::Dig` \
             sent at {at}"
        )
    }

    // holds: reentrancy.bounds, reentrancy.cycle-named
    #[test]
    fn a_chain_names_what_is_running_the_outermost_first() -> Tested {
        let error = dig(3)?;
        let SendErrorKind::TooDeep { chain, .. } = error.kind() else {
            return Err(error.into());
        };
        let [first, second, third] = chain.links() else {
            return Err("three handlers are running".into());
        };
        assert_eq!(second, third);
        assert_eq!(first.place.file(), file!());
        assert!(first.place.line() > second.place.line());
        let (outer, inner) = (link(first.place), link(second.place));
        let again =
            "`failures::errors::chains::Mole` of messagee 0v0 on `failures::errors::chains::Dig`";
        assert_eq!(
            error.to_string(),
            format!(
                "`failures::errors::chains::Dig` was not sent to the sender itself: sends are \
                 nested more than 3 deep, which is `ManagerConfig::max_depth`; post it to a later \
                 stage, or raise the limit; a cycle: {inner} → {again} …; running: \
                 {outer}, then {inner}, then {inner}"
            )
        );
        Ok(())
    }

    #[test]
    fn a_long_chain_prints_its_two_ends_and_has_every_link() -> Tested {
        let mut manager = MessageManager::new();
        let mole = manager.spawn((Mole { to: Me },));
        let doctor = manager.spawn((Doctor::default(),));
        let visitor = manager.spawn((Actor::default(),));
        let run = move |cx: &mut Context<'_>| {
            let left = 18;
            cx.send(mole, Burrow { left, visitor })?;
            Ok(String::new())
        };
        let script = Script { run: Box::new(run) };
        manager.send(visitor, script)?;
        let error = manager.get_mut::<Doctor>(doctor)?.error.take();
        let Some(SendErrorKind::Busy { chain, .. }) = error.map(SendError::into_kind) else {
            return Err("the visitor is busy".into());
        };
        assert_eq!((chain.links().len(), chain.cycle()), (20, None));
        let then = |links: &[ChainLink]| {
            let links = links.iter().map(|link| format!(", then {link}"));
            links.collect::<String>()
        };
        let (first, links) = (chain.links()[0], chain.links());
        let (begin, end) = (then(&links[1..4]), then(&links[16..]));
        assert_eq!(
            chain.to_string(),
            format!("running: {first}{begin}, … 12 more …{end}")
        );
        Ok(())
    }

    // holds: reentrancy.cycle-named
    #[test]
    fn behind_a_cycle_the_chain_is_printed_shorter() -> Tested {
        let error = dig(20)?;
        let SendErrorKind::TooDeep { chain, limit, .. } = error.kind() else {
            return Err(error.into());
        };
        assert_eq!((*limit, chain.links().len()), (20, 20));
        let (outer, inner) = (link(chain.links()[0].place), link(chain.links()[1].place));
        let again =
            "`failures::errors::chains::Mole` of messagee 0v0 on `failures::errors::chains::Dig`";
        assert_eq!(
            chain.to_string(),
            format!(
                "a cycle: {inner} → {again} …; running: {outer}, … 18 more …, \
                 then {inner}"
            )
        );
        Ok(())
    }
}

mod messagees {
    use super::*;

    #[test]
    fn gone() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn(());
        manager.despawn(id)?;
        assert_eq!(text(manager.despawn(id)), "messagee 0v0 is gone");
        Ok(())
    }

    // holds: messagees.other-manager
    #[test]
    fn other_manager() {
        let mut manager = MessageManager::new();
        let id = MessageManager::new().spawn(());
        assert_eq!(
            text(manager.despawn(id)),
            "the id 0v0 belongs to another manager"
        );
    }

    // holds: reentrancy.looks-as-before
    #[test]
    fn not_yet_spawned() -> Tested {
        let said = said(DEFAULT, |cx| {
            let id = cx.spawn((Actor::default(),));
            Ok(cx.get::<Actor>(id)?.runs.to_string())
        })?;
        assert_eq!(
            said,
            "messagee 1v0 cannot be reached yet: it was spawned during this dispatch, and is alive when the \
             outermost send returns"
        );
        Ok(())
    }

    #[test]
    fn not_hooked() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn(());
        let hook = manager.hook(id, Label)?;
        manager.unhook::<Label>(hook)?;
        assert_eq!(
            text(manager.unhook::<Label>(hook)),
            "no component is hooked as 0v0"
        );
        Ok(())
    }

    // holds: reentrancy.existence-waits, reentrancy.panic-loses-nothing
    #[test]
    fn not_yet_hooked() -> Tested {
        let (tell, told) = std::sync::mpsc::channel();
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::default(),));
        let run = move |cx: &mut Context<'_>| {
            tell.send(cx.hook(cx.me(), Label)?)?;
            panic!("before the component is attached");
        };
        let script = Script { run: Box::new(run) };
        let panicked = catch_unwind(AssertUnwindSafe(|| manager.send(id, script)));
        assert!(panicked.is_err());
        let hook = told.recv()?;
        assert_eq!(
            text(manager.owner(hook)),
            "the component of hook 1v0 cannot be reached yet: it was hooked during this dispatch, and is \
             attached when the outermost send returns"
        );
        manager.settle();
        assert_eq!(manager.owner(hook), Ok(id));
        Ok(())
    }

    // holds: messagees.other-manager
    #[test]
    fn hook_of_other_manager() -> Tested {
        let manager = MessageManager::new();
        let mut other = MessageManager::new();
        let id = other.spawn(());
        let hook = other.hook(id, Label)?;
        assert_eq!(
            text(manager.owner(hook)),
            "the hook 0v0 belongs to another manager"
        );
        Ok(())
    }

    #[test]
    fn wrong_component() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn(());
        let hook = manager.hook(id, Label)?;
        assert_eq!(
            text(manager.unhook::<Actor>(hook)),
            "hook 0v0 holds a `failures::errors::Label`, not a `failures::errors::Actor`"
        );
        Ok(())
    }

    #[test]
    fn no_component() {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::default(),));
        assert_eq!(
            text(manager.get::<Label>(id)),
            "messagee 0v0 has no component `failures::errors::Label`"
        );
    }

    #[test]
    fn busy() -> Tested {
        let said = said(DEFAULT, |cx| Ok(cx.get::<Actor>(cx.me())?.runs.to_string()))?;
        assert_eq!(
            said,
            "component `failures::errors::Actor` of messagee 0v0 is busy: it is running or borrowed; a \
             handler has its own component as `self`"
        );
        Ok(())
    }

    // holds: messagees.mnemonic-bound-once
    #[test]
    fn already_bound() -> Tested {
        let mut manager = MessageManager::new();
        let (one, two) = (manager.spawn(()), manager.spawn(()));
        manager.bind(WORLD, one)?;
        assert_eq!(
            text(manager.bind(WORLD, two)),
            "`failures::errors::WORLD` is already bound to messagee 0v0"
        );
        Ok(())
    }

    // holds: messagees.mnemonic-bound-once
    #[test]
    fn not_bound() -> Tested {
        let mut manager = MessageManager::new();
        let (one, two) = (manager.spawn(()), manager.spawn(()));
        assert_eq!(
            text(manager.unbind(WORLD, two)),
            "`failures::errors::WORLD` is not bound to messagee 1v0: no messagee is bound to it"
        );
        manager.bind(WORLD, one)?;
        assert_eq!(
            text(manager.unbind(WORLD, two)),
            "`failures::errors::WORLD` is not bound to messagee 1v0: it is bound to messagee 0v0"
        );
        Ok(())
    }

    // holds: messagees.parent-cycle
    #[test]
    fn cycle() -> Tested {
        let mut manager = MessageManager::new();
        let (old, young) = (manager.spawn(()), manager.spawn(()));
        manager.set_parent(young, Some(old))?;
        assert_eq!(
            text(manager.set_parent(old, Some(young))),
            "messagee 1v0 cannot be the parent of 0v0: it is 0v0 or descends from it"
        );
        Ok(())
    }
}

mod registering {
    use super::*;

    #[test]
    fn duplicate_ids() {
        let declared = |name, line| {
            let file = "src/combat.rs";
            let place = Place { file, line };
            Declared { name, place }
        };
        let id = MessageId::from_bits(0xab);
        let pair = (id, declared("one", 3), declared("two", 14));
        assert_eq!(
            RegistryError::DuplicateIds(vec![pair]).to_string(),
            "two message types have the id 00000000000000ab: `one` at src/combat.rs:3, and `two` \
             at src/combat.rs:14; give one of them a name of its own with \
             `#[message(name = \"…\")]`"
        );
    }

    #[test]
    fn already_published() {
        assert!(message_core::try_registry().is_ok());
        assert_eq!(
            text(Registry::builder().message::<Unlisted>().publish()),
            "the registry is already published: register by hand before the first manager is \
             made and before the first call of `registry()`"
        );
    }
}

#[test]
fn too_many_managers() {
    assert_eq!(
        RegistryError::TooManyManagers { limit: 65_535 }.to_string(),
        "no manager can be made: 65535 managers are alive, which is the limit of a process; drop one \
         first"
    );
}

mod unchanged {
    use super::*;

    // holds: messagees.errors-change-nothing
    #[test]
    fn a_send_that_is_refused_reaches_nobody() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::default(),));
        let gone = manager.spawn(());
        manager.despawn(gone)?;
        let foreign = MessageManager::new().spawn(());
        let refused: [Recipient; 6] = [
            gone.into(),
            foreign.into(),
            WORLD.into(),
            Me,
            EveryoneElse,
            Up(gone),
        ];
        for to in refused {
            assert!(manager.send(to, Ping).is_err(), "{to}");
            assert!(manager.send_mut(to, &mut Ping).is_err(), "{to}");
            assert!(manager.request(to, Ask).is_err(), "{to}");
            assert!(manager.request_all(to, Ask).is_err(), "{to}");
        }
        assert_eq!(manager.get::<Actor>(id)?.runs, 0);
        Ok(())
    }

    // holds: messagees.errors-change-nothing, messagees.mnemonic-bound-once, messagees.parent-cycle
    #[test]
    fn a_change_that_is_refused_in_a_handler_is_not_made_later() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Actor::default(),));
        let other = manager.spawn((Actor::default(),));
        let gone = manager.spawn(());
        manager.despawn(gone)?;
        manager.bind(WORLD, other)?;
        manager.set_parent(other, Some(id))?;
        let run = move |cx: &mut Context<'_>| {
            let me = cx.me();
            let refused = [
                text(cx.bind(WORLD, me)),
                text(cx.unbind(WORLD, me)),
                text(cx.set_parent(me, Some(other))),
                text(cx.set_parent(other, Some(gone))),
                text(cx.hook(gone, Label)),
                text(cx.despawn(gone)),
            ];
            Ok(refused.join("; "))
        };
        let said = manager.request(id, Script { run: Box::new(run) })?;
        assert_eq!(
            said,
            "`failures::errors::WORLD` is already bound to messagee 1v0; \
             `failures::errors::WORLD` is not bound to messagee 0v0: it is bound to messagee 1v0; \
             messagee 1v0 cannot be the parent of 0v0: it is 0v0 or descends from it; \
             messagee 2v0 is gone; messagee 2v0 is gone; messagee 2v0 is gone"
        );
        assert_eq!(manager.bound(WORLD), Some(other));
        assert_eq!(manager.parent(other), Some(id));
        assert_eq!(manager.parent(id), None);
        assert_eq!(manager.len(), 2);
        assert_eq!(manager.iter::<Label>().count(), 0);
        Ok(())
    }
}
