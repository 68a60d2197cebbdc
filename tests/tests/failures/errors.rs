//! Errors: what they say, the chains of handlers that they name, and that they change nothing.

use std::error::Error;

use message_core::error::Limit;
use message_core::lifecycle::HandlerFailed;
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

#[derive(Message)]
#[message(reply = u32)]
struct Refuse;

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
        (script.run)(cx).unwrap_or_else(|error| error.to_string())
    }

    #[on_receive]
    fn refuse(&mut self, _: &Refuse) -> Result<u32, HandlerError> {
        Err("it is late".into())
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

fn text<T>(result: Result<T, impl Error>) -> String {
    match result {
        Ok(_) => String::from("no error"),
        Err(error) => error.to_string(),
    }
}

mod texts;

mod chains {
    use super::*;
    use message_core::Recipient::Me;

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
        let SendErrorKind::AtLimit {
            limit: Limit::Depth(_),
            chain,
        } = error.kind()
        else {
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
                "`failures::errors::chains::Dig` was not delivered to the sender itself: sends are \
                 already nested 3 deep, the limit set by `ManagerConfig::max_depth`; post the message to a \
                 later stage, or raise the limit; a cycle: {inner} → {again} …; running: \
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
        let SendErrorKind::AtLimit {
            limit: Limit::Depth(limit),
            chain,
        } = error.kind()
        else {
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
        RegistryError::TooManyManagers.to_string(),
        "no manager can be made: 65535 managers are alive, which is the limit of a process; drop one \
         first"
    );
}

mod unchanged {
    use super::*;
    use message_core::Recipient::{EveryoneElse, Me};

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
             messagee 1v0 cannot be the parent of 0v0: it is 0v0 itself or one of its descendants; \
             messagee 2v0 cannot be reached: it is gone; messagee 2v0 cannot be reached: it is gone; \
             messagee 2v0 cannot be reached: it is gone"
        );
        assert_eq!(manager.bound(WORLD), Some(other));
        assert_eq!(manager.parent(other), Some(id));
        assert_eq!(manager.parent(id), None);
        assert_eq!(manager.len(), 2);
        assert_eq!(manager.iter::<Label>().count(), 0);
        Ok(())
    }
}
