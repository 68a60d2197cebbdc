//! The kinds and texts of the errors of each operation.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "`UPDATE_EXPECT=1` writes them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use expect_test::expect;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::error::Undelivered;
use message_core::lifecycle::{DeadLetter, Hooked};
use message_data::Data;
use message_net::proxy;
use serde::{Deserialize, Serialize};

use super::*;

/// A message with data, which a proxy can receive.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(exact)]
struct Far;

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

/// Returns a line with the kind of an error and its text, in which places of this file are `HERE`.
fn told<T>(result: Result<T, impl Error>) -> String {
    let Err(error) = result else {
        return String::from("no error\n");
    };
    let text = error.to_string().replace("failures::errors::", "");
    let mut parts = text.split(concat!(file!(), ":"));
    let mut line = format!(
        "{}: {}",
        crate::common::variant(&error),
        parts.next().unwrap_or_default()
    );
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
        line += "HERE";
        line += rest;
    }
    line + "\n"
}

/// Returns a manager and messagees: one that is gone, and one of another manager.
fn world(config: ManagerConfig) -> Result<(MessageManager, [MessageeId; 2]), Box<dyn Error>> {
    let mut manager = MessageManager::with_config(config);
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    Ok((manager, [gone, MessageManager::new().spawn(())]))
}

// holds: messagees.stale-id, messagees.other-manager, messagees.mnemonic-unbound, send.me-from-outside
#[test]
fn a_send() -> Tested {
    let (mut manager, [gone, foreign]) = world(DEFAULT)?;
    let mut told_of = |to: Recipient| told(manager.send(to, Ping));
    let mut lines = told_of(gone.into());
    lines += &told_of(foreign.into());
    lines += &told_of(WORLD.into());
    lines += &told_of(Me);
    lines += &told_of(EveryoneElse);
    lines += &told(manager.send(Everyone, Unlisted));
    lines += &told(manager.send(Everyone, Ping)?.at_least(1));
    lines += &told(manager.despawn(gone).map_err(SendError::from));
    let mut strict = MessageManager::with_config(ManagerConfig::new().require(1));
    let deaf = strict.spawn(());
    lines += &told(strict.send(deaf, Ping));
    expect![[r#"
        Gone: `Ping` was not delivered to messagee 0v0: it is gone
        OtherManager: `Ping` was not delivered to messagee 0v0: the id belongs to another manager
        Unbound: `Ping` was not delivered to `WORLD`: no messagee is bound to it
        NoSender: `Ping` was not delivered to the sender itself, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        NoSender: `Ping` was not delivered to everyone else, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        Unregistered: `Unlisted` was not delivered: its type is not in the registry; register it with `Registry::builder()` before the first manager is made; a type of a plugin is known from the manager's next frame on
        NotReceived: the message was received by 0, expected at least 1
        Messagee: messagee 0v0 cannot be reached: it is gone
        NotReceived: `Ping` to messagee 0v0 was received by 0, expected at least 1: nobody there has a handler for it
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: send.nobody-to-reply-to
#[test]
fn a_send_in_a_handler() -> Tested {
    let mut lines = said(DEFAULT, |cx| {
        let child = cx.spawn(());
        cx.despawn(child)?;
        Ok(told(cx.send(child, Ping)) + &told(cx.reply(Ping)))
    })?;
    let mut manager = MessageManager::new();
    let polite = manager.spawn((Polite::default(),));
    let refused = manager.get_mut::<Polite>(polite)?.refused.take();
    lines += &told(refused.map_or(Ok(()), Err));
    expect![[r#"
        Leaving: `Ping` was not delivered to messagee 1v0: it was despawned or unhooked in this dispatch
        NobodyToReplyTo: `Ping` was not sent as a reply: the message being received came from outside
        NobodyToReplyTo: `Ping` was not sent as a reply: the message being received came from the manager
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: reentrancy.bounds, reentrancy.limit-names-remedy
#[test]
fn a_send_at_a_limit() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(0));
    let id = manager.spawn(());
    let mut lines = told(manager.send(Down(id), Ping));
    let config = ManagerConfig::new().max_depth(1);
    lines += &said(config, |cx| Ok(told(cx.send(Everyone, Ping))))?;
    let config = ManagerConfig::new().max_kept(1);
    lines += &said(config, |cx| {
        assert_eq!(cx.send(Me, Ping)?.pending, 1);
        Ok(told(cx.send(Me, Ping)))
    })?;
    expect![[r#"
        Depth: `Ping` was not delivered to messagee 0v0 and its descendants: sends are already nested 0 deep, the limit set by `ManagerConfig::max_depth`; post the message to a later stage, or raise the limit; nothing is running
        Depth: `Ping` was not delivered to everyone: sends are already nested 1 deep, the limit set by `ManagerConfig::max_depth`; post the message to a later stage, or raise the limit; running: `Actor` of messagee 0v0 on `Script` sent at HERE
        Kept: `Ping` was not kept for the sender itself: 1 deliveries have been kept in this dispatch, the limit set by `ManagerConfig::max_kept`; post the message to a later stage, or raise the limit; running: `Actor` of messagee 0v0 on `Script` sent at HERE
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: proxies.unwritable
#[test]
fn a_send_to_a_proxy() -> Tested {
    let mut manager = MessageManager::new();
    let [open, full, blocked] =
        [100, 1, 100].map(|capacity| proxy::open_outbox(&mut manager, capacity));
    proxy::set_outbox_blocked(&mut manager, blocked, true);
    let mut lines = String::new();
    for out in [full, blocked] {
        let proxy = proxy::spawn_proxy(&mut manager, out)?;
        lines += &told(manager.send(proxy, Far));
    }
    let proxies = [
        proxy::spawn_proxy(&mut manager, open)?,
        proxy::spawn_proxy(&mut manager, open)?,
    ];
    lines += &told(manager.send(proxies[0], Ping));
    lines += &told(manager.speak_for(proxies[0])?.send(proxies[1], Far));
    expect![[r#"
        NotCarried: `texts::Far` was not delivered: messagee 0v0 in another manager cannot receive it now: the outbox to its manager is full, with a capacity of 1 bytes; send less, or raise the capacity
        NotCarried: `texts::Far` was not delivered: messagee 1v0 in another manager cannot be reached now
        NotCarried: `Ping` was not delivered: messagee 2v0 in another manager cannot receive it: the message type `Ping` has no data: expected `#[derive(Data)]`
        NotCarried: `texts::Far` was not delivered: messagee 3v0 in another manager cannot receive it: the sender is in another manager, too, and messages are not relayed
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: send.request-none, reentrancy.newborn-request, reentrancy.busy-request
#[test]
fn a_request() -> Tested {
    let mut lines = said(DEFAULT, |cx| {
        let child = cx.spawn((Actor::default(),));
        Ok(told(cx.request(child, Ask)) + &told(cx.request(Me, Ask)))
    })?;
    let mut manager = MessageManager::new();
    let (actor, out) = (
        manager.spawn((Actor::default(),)),
        proxy::open_outbox(&mut manager, 100),
    );
    let proxy = proxy::spawn_proxy(&mut manager, out)?;
    lines += &told(manager.request(proxy, Ask));
    lines += &told(manager.send_mut(proxy, &mut Ping));
    lines += &told(manager.request(Up(actor), Ask));
    lines += &told(manager.request(actor, Refuse));
    lines += &told(manager.request_any(actor, Box::new(Ping)));
    expect![[r#"
        NotYetThere: `Ask` was not delivered to messagee 1v0: it was spawned or hooked in this dispatch, and is not there until the outermost send returns
        Busy: `Ask` was not delivered to the sender itself: `Actor` of messagee 0v0 would receive it and is busy; post the message to a later stage, or use `send`, which waits until it is free; running: `Actor` of messagee 0v0 on `Script` sent at HERE
        Elsewhere: `Ask` was not delivered to messagee 1v0: it is in another manager, where only sends and posts reach it; to get an answer, use `ask` of message-net
        Elsewhere: `Ping` was not delivered to messagee 1v0: it is in another manager, where only sends and posts reach it; to get an answer, use `ask` of message-net
        NoAnswer: nobody at messagee 0v0 and its ancestors answered `Ask`
        NoAnswer: nobody at messagee 0v0 answered `Refuse`: a handler that was asked failed
        NoReplyType: `Ping` was not delivered to messagee 0v0: its type has no reply; expected a message with `#[message(reply = …)]`
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: headers.max-pending
#[test]
fn a_post() -> Tested {
    let (mut manager, [gone, foreign]) = world(ManagerConfig::new().max_pending(1))?;
    let actor = manager.spawn((Actor::default(),));
    let soon = |to: Recipient| Header::to(to).after_frames(1);
    let mut lines = told(manager.post(soon(gone.into()), Ping));
    lines += &told(manager.post(soon(foreign.into()), Ping));
    lines += &told(manager.post(soon(Me), Ping));
    lines += &told(manager.post(soon(actor.into()).tied_to_sender(), Ping));
    lines += &told(manager.post(soon(actor.into()).after(Duration::ZERO), Ping));
    let now = Header::to(Up(actor)).stage(Stage::Immediate);
    lines += &told(manager.post(now.require(2), Ping));
    lines += &told(manager.post(now.require(1), Far));
    manager.cancel(Posts::all());
    let two = [Ping, Ping];
    lines += &told(manager.post_each(soon(actor.into()), two));
    lines += &told(manager.post(soon(actor.into()), Ping));
    expect![[r#"
        Gone: `Ping` was not delivered to messagee 0v0: it is gone
        OtherManager: `Ping` was not delivered to messagee 0v0: the id belongs to another manager
        NoSender: `Ping` was not delivered to the sender itself, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        NoSender: `Ping` was not posted to messagee 0v1: its header has `tied_to_sender`, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        Header: `Ping` was not posted: the header has two delays: expected one of `after` and `after_frames`
        NotReceived: `Ping` to messagee 0v1 and its ancestors was received by 1, expected at least 2: there were not enough receivers
        NotReceived: `texts::Far` to messagee 0v1 and its ancestors was received by 0, expected at least 1: nobody there has a handler for it
        PostEachError: stopped after posting 1: `Ping` was not posted to messagee 0v1: 1 messages are pending, the limit set by `ManagerConfig::max_pending`: 1 of them are `Ping`, all posted at HERE; cancel some, post fewer, or raise the limit; nothing is running
        Pending: `Ping` was not posted to messagee 0v1: 1 messages are pending, the limit set by `ManagerConfig::max_pending`: 1 of them are `Ping`, all posted at HERE; cancel some, post fewer, or raise the limit; nothing is running
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: threads.refused-at-once, threads.full, threads.closed
#[test]
fn a_post_through_an_inlet() {
    let manager = MessageManager::with_config(ManagerConfig::new().inlet_capacity(1));
    let inlet = manager.inlet();
    let mut lines = told(inlet.try_post(Header::to(Me), Ping));
    assert!(inlet.try_post(Header::to(Everyone), Ping).is_ok());
    lines += &told(inlet.try_post(Header::to(Everyone), Ping));
    lines += &told(inlet.post(Header::to(Everyone), Ping, Duration::from_millis(1)));
    drop(manager);
    lines += &told(inlet.try_post(Header::to(Everyone), Ping));
    expect![[r#"
        Refused: `Ping` was not delivered to the sender itself, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        Full: `Ping` was not posted: 1 messages, the limit set by `ManagerConfig::inlet_capacity`, are waiting in the inlet for the manager's next frame; post again later, wait with `post`, or raise the limit
        TimedOut: `Ping` was not posted: the inlet was full for 1ms, and no frame of its manager made room
        Closed: `Ping` was not posted: its manager was dropped
    "#]].assert_eq(&lines);
}

// holds: mail.full
#[test]
fn a_publication() -> Tested {
    let (mut manager, [gone, foreign]) = world(ManagerConfig::new().max_published(0))?;
    let out = proxy::open_outbox(&mut manager, 100);
    let proxy = proxy::spawn_proxy(&mut manager, out)?;
    let mut told_of = |to: Recipient| told(manager.publish(to, Ping));
    let mut lines = told_of(gone.into());
    lines += &told_of(foreign.into());
    lines += &told_of(WORLD.into());
    lines += &told_of(Me);
    lines += &told_of(proxy.into());
    lines += &told_of(Everyone);
    lines += &told(manager.publish(Everyone, Unlisted));
    expect![[r#"
        Gone: `Ping` was not delivered to messagee 0v0: it is gone
        OtherManager: `Ping` was not delivered to messagee 0v0: the id belongs to another manager
        Unbound: `Ping` was not delivered to `WORLD`: no messagee is bound to it
        NoSender: `Ping` was not delivered to the sender itself, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        Elsewhere: `Ping` was not delivered to messagee 0v1: it is in another manager, where only sends and posts reach it; to get an answer, use `ask` of message-net
        Published: `Ping` was not published to everyone: 0 messages have been published in this frame, the limit set by `ManagerConfig::max_published`; publish fewer, or raise the limit; nothing is running
        Unregistered: `Unlisted` was not delivered: its type is not in the registry; register it with `Registry::builder()` before the first manager is made; a type of a plugin is known from the manager's next frame on
    "#]].assert_eq(&lines);
    Ok(())
}

#[test]
fn a_header() {
    let (to, second) = (Header::to(Everyone), Duration::from_secs(1));
    let now = to.stage(Stage::Immediate);
    let headers = [
        now.after(second),
        to.after(second).after_frames(1),
        to.every(second).every_frames(1),
        to.after(second).every_frames(1),
        to.every_frames(0),
        to.every_frames(1).times(0),
        to.times(2),
        to.unscaled(),
        now.key("key"),
        now.tied_to_sender(),
        now.if_alive(),
        to.stage(Stage::FixedUpdate).every_frames(1),
        to.every_frames(1).retain(),
    ];
    let lines: String = headers.map(|header| told(header.build())).concat();
    expect![[r#"
        DelayedImmediate: the header has stage `Immediate` and a delay or a period: expected another stage, or none of `after`, `after_frames`, `every`, `every_frames`
        TwoDelays: the header has two delays: expected one of `after` and `after_frames`
        TwoPeriods: the header has two periods: expected one of `every`, `every_frames` and `every_pass`
        MixedUnits: the header's delay and period have different units: expected `after` with `every`, or `after_frames` with `every_frames`
        ZeroPeriod: the header has a period of zero: expected at least one nanosecond or one frame
        ZeroTimes: the header repeats zero times: expected at least one time
        TimesWithoutPeriod: the header has `times` and no period: expected `every`, `every_frames` or `every_pass`
        NothingUnscaled: the header is `unscaled` and has no time: expected `after` or `every` as well
        ImmediateKey: the header has stage `Immediate` and a key: expected another stage, or no key
        ImmediateTied: the header has stage `Immediate`, and `tied_to_sender` or `until_unhooked`: expected another stage, or neither of them
        ImmediateIfAlive: the header has stage `Immediate` and `if_alive`: expected another stage, or no `if_alive`
        FixedByFrames: the header repeats by frames in stage `FixedUpdate`, whose passes do not follow the frames: expected `every_pass`, `every`, or another stage
        RetainedRepeat: the header both repeats and is retained: expected one of `every` and `retain`
    "#]].assert_eq(&lines);
}

// holds: messagees.other-manager, messagees.mnemonic-bound-once, messagees.parent-cycle
#[test]
fn a_change() -> Tested {
    let (mut manager, [gone, foreign]) = world(DEFAULT)?;
    let mut lines = told(manager.despawn(gone)) + &told(manager.despawn(foreign));
    let (one, two) = (manager.spawn((Actor::default(),)), manager.spawn(()));
    let (hook, past) = (manager.hook(two, Label)?, manager.hook(one, Label)?);
    manager.unhook::<Label>(past)?;
    let mut other = MessageManager::new();
    let stranger = other.spawn(());
    let foreign = other.hook(stranger, Label)?;
    lines += &told(manager.owner(past));
    lines += &told(manager.owner(foreign));
    lines += &told(manager.unhook::<Actor>(hook));
    lines += &told(manager.get::<Label>(one));
    lines += &told(manager.unbind(WORLD, two));
    manager.bind(WORLD, one)?;
    lines += &told(manager.unbind(WORLD, two));
    lines += &told(manager.bind(WORLD, two));
    manager.set_parent(two, Some(one))?;
    lines += &told(manager.set_parent(one, Some(two)));
    let out = proxy::open_outbox(&mut manager, 100);
    let proxy = proxy::spawn_proxy(&mut manager, out)?;
    lines += &told(manager.hook(proxy, Label));
    proxy::close_outbox(&mut manager, out);
    lines += &told(proxy::spawn_proxy(&mut manager, out));
    expect![[r#"
        Gone: messagee 0v0 cannot be reached: it is gone
        OtherManager: messagee 0v0 cannot be reached: the id belongs to another manager
        NotHooked: the component of hook 2v0 cannot be reached: it is gone
        NotHooked: the component of hook 0v0 cannot be reached: the id belongs to another manager
        WrongComponent: hook 1v0 has a component of type `Label`: expected `Actor`
        NoComponent: messagee 0v1 has no component `Label`
        NotBound: `WORLD` is not bound to messagee 1v0: no messagee is bound to it
        NotBound: `WORLD` is not bound to messagee 1v0: it is bound to messagee 0v1
        AlreadyBound: `WORLD` is already bound to messagee 0v1
        Cycle: messagee 1v0 cannot be the parent of 0v1: it is 0v1 itself or one of its descendants
        Elsewhere: messagee 2v0 cannot be reached: it is in another manager, where only sends and posts reach it; to get an answer, use `ask` of message-net
        NoOutbox: there is no outbox 0: it was closed, or belongs to another manager
    "#]]
    .assert_eq(&lines);
    Ok(())
}

// holds: reentrancy.looks-as-before, subscriptions.owner
#[test]
fn a_change_in_a_handler() -> Tested {
    let (tell, hear) = std::sync::mpsc::channel();
    let mut manager = MessageManager::new();
    let (actor, other) = (manager.spawn((Actor::default(),)), manager.spawn(()));
    manager.subscribe(Filter::of::<Ping>(), move |_, cx| {
        let refused = cx.subscribe_for(other, Filter::all(), |_, _| {});
        let _ = tell.send(told(refused));
    });
    let run = move |cx: &mut Context<'_>| {
        let child = cx.spawn((Actor::default(),));
        let mut lines = told(cx.get::<Actor>(child)) + &told(cx.get::<Actor>(cx.me()));
        lines += &told(cx.subscribe_for(other, Filter::all(), |_, _| {}));
        cx.despawn(other)?;
        Ok(lines + &told(cx.despawn(other)))
    };
    let lines = manager.request(actor, Script { run: Box::new(run) })?;
    expect![[r#"
        NotYetThere: messagee 2v0 cannot be reached: it was spawned or hooked in this dispatch, and is not there until the outermost send returns
        Busy: component `Actor` of messagee 0v0 is busy: it is running or borrowed; a handler has access to its own component through `self`
        NotOneself: messagee 0v0 cannot subscribe for messagee 1v0: expected its own messagee, or one spawned in this dispatch
        Leaving: messagee 1v0 cannot be reached: it was despawned or unhooked in this dispatch
    "#]].assert_eq(&lines);
    manager.send(Everyone, Ping)?;
    expect![[r#"
        Gone: messagee 1v0 cannot be reached: it is gone
    "#]]
    .assert_eq(&hear.recv()?);
    Ok(())
}

#[test]
fn a_dead_letter() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let error = manager.send(Me, Ping).expect_err("nobody sends it");
    let whys = [
        Undelivered::Gone { to: id.into() },
        Undelivered::Unbound {
            mnemonic: WORLD.name(),
        },
        Undelivered::EmptyGroup { group: "MINERS" },
        Undelivered::Unwired {
            why: "nobody is at its target, Named(\"door *\")".into(),
        },
        Undelivered::NoHandler,
        Undelivered::Filtered,
        Undelivered::TooFew,
        Undelivered::SenderDespawned { id },
        Undelivered::NotCloned,
        Undelivered::Elsewhere {
            why: "the link is down".into(),
        },
        Undelivered::Refused { error },
    ];
    let mut lines = whys.map(|why| told::<()>(Err(why))).concat();
    let (tell, hear) = std::sync::mpsc::channel();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let _ = tell.send(letter.why.clone());
    });
    let actor = manager.spawn((Actor::default(),));
    let run = |cx: &mut Context<'_>| {
        cx.send(Me, Ping)?;
        cx.despawn(cx.me())?;
        Ok(String::new())
    };
    manager.send(actor, Script { run: Box::new(run) })?;
    lines += &told::<()>(Err(hear.recv()?));
    expect![[r#"
        Gone: messagee 0v0 is gone
        Unbound: no messagee is bound to `WORLD`
        EmptyGroup: nobody is in the group `MINERS`
        Unwired: its wire could not post it: nobody is at its target, Named("door *")
        NoHandler: nobody there has a handler for it
        Filtered: every possible receiver was left out or declined it
        TooFew: there were not enough receivers
        SenderDespawned: its sender, messagee 0v0, was despawned
        NotCloned: it could not be kept for a subscriber's stage, because its type is not `Clone`
        Elsewhere: the link is down
        Refused: `Ping` was not delivered to the sender itself, which requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee
        Lost: it was kept for `Actor` of messagee 1v0, which was removed
    "#]].assert_eq(&lines);
    Ok(())
}

// holds: reentrancy.existence-waits, reentrancy.panic-loses-nothing
#[test]
fn what_was_hooked_before_a_panic_cannot_be_reached_yet() -> Tested {
    let (tell, hear) = std::sync::mpsc::channel();
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::default(),));
    let run = move |cx: &mut Context<'_>| {
        tell.send(cx.hook(cx.me(), Label)?)?;
        panic!("before the component is attached");
    };
    let script = Script { run: Box::new(run) };
    let panicked = catch_unwind(AssertUnwindSafe(|| manager.send(id, script)));
    assert!(panicked.is_err());
    let hook = hear.recv()?;
    expect![[r#"
        NotHooked: the component of hook 1v0 cannot be reached: it was spawned or hooked in this dispatch, and is not there until the outermost send returns
    "#]].assert_eq(&told(manager.owner(hook)));
    manager.settle();
    assert_eq!(manager.owner(hook), Ok(id));
    Ok(())
}
