//! Small random programs of messages to one messagee each, some of which are over where they begin. The
//! programs record everything that they see, and how many of the messages are still there. Two runs with
//! the same dice differ only where the manager does.
#![allow(dead_code, reason = "each file of tests uses its own part of this")]

use std::any::Any;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use message_core::lifecycle::{DeadLetter, HandlerFailed, Unhooking};
use message_core::prelude::*;
use message_core::{AnyMessage, SpeakingFor, post::PendingPost};
use message_core::{Request, SubscriptionId};

/// For [`Still`] alone, which is never busy.
#[derive(Message)]
pub(crate) struct Tap(
    u64,
    #[expect(dead_code, reason = "it tells of its end")] Living,
);

/// For [`Mover`] alone, whose handler takes no context but whose component can be busy.
#[derive(Message)]
struct Nudge(u64);

/// For [`Mover`] alone: makes it act at random.
#[derive(Message)]
pub(crate) struct Move(u64);

/// Like [`Move`], but handled with `&self`, and only sometimes answered.
#[derive(Message)]
#[message(reply = u64)]
struct Probe(u64);

/// In–out, answered by [`Still`].
#[derive(Message)]
#[message(reply = String)]
struct Mark(Vec<u64>);

/// A message that nobody sends.
#[derive(Message)]
pub(crate) struct Unsaid;

/// Counts how many of its kind there are.
struct Living(Arc<AtomicUsize>);

impl Drop for Living {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct State {
    dice: u64,
    budget: u32,
    living: Arc<AtomicUsize>,
    /// Whether handlers and subscribers panic now and then.
    panics: bool,
    /// Whether messages are sent in boxes.
    dynamic: bool,
    ids: Vec<MessageeId>,
    hooks: Vec<HookId>,
    tickets: Vec<Ticket>,
    /// Whether programs subscribe.
    listens: bool,
    subscriptions: Vec<SubscriptionId>,
    log: Vec<String>,
}

#[derive(Clone)]
struct Table(Arc<Mutex<State>>);

impl Table {
    fn new(dice: u64) -> Self {
        Self(Arc::new(Mutex::new(State {
            dice,
            budget: 0,
            living: Arc::default(),
            panics: false,
            dynamic: false,
            ids: Vec::new(),
            hooks: Vec::new(),
            tickets: Vec::new(),
            listens: false,
            subscriptions: Vec::new(),
            log: Vec::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self, line: impl Debug) {
        self.state().log.push(format!("{line:?}"));
    }

    fn tap(&self, number: u64) -> Tap {
        let living = Arc::clone(&self.state().living);
        living.fetch_add(1, Ordering::Relaxed);
        Tap(number, Living(living))
    }

    fn living(&self) -> usize {
        self.state().living.load(Ordering::Relaxed)
    }

    fn is_dynamic(&self) -> bool {
        self.state().dynamic
    }

    /// Panics for some numbers, if the program does so.
    fn stumble(&self, number: u64) {
        let panics = self.state().panics;
        assert!(!panics || number % 13 != 12, "stumbled over {number}");
    }

    fn still(&self) -> Still {
        let name = self.state().roll(1_000);
        Still(name, self.clone())
    }

    fn mover(&self) -> Mover {
        let name = self.state().roll(1_000);
        Mover(name, self.clone())
    }
}

impl State {
    fn roll(&mut self, sides: u64) -> u64 {
        let next = self.dice.wrapping_mul(0x5851_f42d_4c95_7f2d);
        self.dice = next.wrapping_add(0x1405_7b7e_f767_814f);
        (self.dice >> 33) % sides
    }

    fn one_of<T: Copy>(&mut self, list: impl Fn(&Self) -> &[T]) -> Option<T> {
        let count = list(self).len() as u64;
        let at = (count > 0).then(|| self.roll(count))?;
        list(self).get(usize::try_from(at).ok()?).copied()
    }

    fn header(&mut self) -> Header {
        let header = Header::to(Everyone);
        let header = match self.roll(8) {
            0 => header.stage(Stage::Update),
            1 => header.stage(Stage::FixedUpdate),
            2 => header.after(Duration::from_millis(self.roll(30))),
            3 => header.after_frames(1).key("key"),
            4 => header.after_frames(1).require(1),
            5 => header
                .after(Duration::from_millis(4))
                .every(Duration::from_millis(4))
                .times(3),
            _ => header.after_frames(1 + self.roll(2)),
        };
        header.build().expect("nothing contradicts itself")
    }
}

struct Still(u64, Table);

#[handlers]
impl Still {
    #[on_receive]
    fn tap(&mut self, tap: &Tap) -> Result<ControlFlow<()>, String> {
        self.1.log(("tap", self.0, tap.0));
        self.1.stumble(tap.0);
        match tap.0 % 7 {
            0 => Err(format!("tap {}", tap.0)),
            1 => Ok(ControlFlow::Break(())),
            _ => Ok(ControlFlow::Continue(())),
        }
    }

    #[on_receive]
    fn mark(&self, mark: &mut Mark) -> Result<Option<String>, String> {
        mark.0.push(self.0);
        self.1.log(("mark", self.0, &mark.0));
        match self.0 % 3 {
            0 => Err(format!("mark by {}", self.0)),
            1 => Ok(None),
            _ => Ok(Some(format!("by {}", self.0))),
        }
    }
}

struct Mover(u64, Table);

#[handlers]
impl Mover {
    #[on_receive]
    fn nudge(&mut self, nudge: &Nudge) -> bool {
        self.1.log(("nudge", self.0, nudge.0));
        self.1.stumble(nudge.0);
        nudge.0.is_multiple_of(2)
    }

    #[on_receive]
    fn do_move(&mut self, number: &Move, cx: &mut Context<'_>) -> Result<bool, String> {
        self.1
            .log(("move", self.0, number.0, cx.me(), cx.my_hook()));
        act(&self.1, cx);
        self.1.stumble(number.0);
        match number.0 % 5 {
            0 => Err(format!("move {}", number.0)),
            number => Ok(number != 1),
        }
    }

    #[on_receive]
    fn probe(&self, probe: &Probe, cx: &mut Context<'_>) -> Option<u64> {
        self.1
            .log(("probe", self.0, probe.0, cx.me(), cx.my_hook()));
        act(&self.1, cx);
        (!probe.0.is_multiple_of(3)).then_some(self.0)
    }

    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed, cx: &mut Context<'_>) {
        let HandlerFailed {
            messagee,
            hook,
            component,
            handler,
            message,
            error,
            ..
        } = failed;
        let place = cx.place();
        self.1.log((
            self.0,
            messagee,
            hook,
            component,
            handler,
            message,
            error.to_string(),
            place,
        ));
    }

    #[on_receive]
    fn letter(&mut self, letter: &DeadLetter) {
        self.1.log((
            self.0,
            "dead",
            letter.name,
            &letter.why,
            letter.got,
            letter.envelope.sender,
        ));
    }

    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking, cx: &mut Context<'_>) {
        self.1.log((self.0, "unhooking", unhooking.hook, cx.me()));
        act(&self.1, cx);
    }
}

/// A sender: a context, or the manager.
trait Sends {
    fn send_by_type<M: Message>(&mut self, to: Recipient, message: M)
    -> Result<Receipt, SendError>;
    fn send_boxed(
        &mut self,
        to: Recipient,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError>;
    fn request_by_type<M: Request>(
        &mut self,
        to: Recipient,
        message: M,
    ) -> Result<M::Reply, SendError>;
    fn request_boxed(
        &mut self,
        to: Recipient,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError>;
    fn post_by_type<M: Message>(
        &mut self,
        header: &Header,
        message: M,
    ) -> Result<Ticket, SendError>;
    fn post_boxed(
        &mut self,
        header: &Header,
        message: Box<dyn AnyMessage>,
    ) -> Result<Ticket, SendError>;
}

macro_rules! sends {
    ($sender:ty $(, $parameter:ident)?) => {
        impl$(<$parameter>)? Sends for $sender {
            #[track_caller]
            fn send_by_type<M: Message>(
                &mut self,
                to: Recipient,
                message: M,
            ) -> Result<Receipt, SendError> {
                self.send(to, message)
            }

            #[track_caller]
            fn send_boxed(
                &mut self,
                to: Recipient,
                message: Box<dyn AnyMessage>,
            ) -> Result<Receipt, SendError> {
                self.send_any(to, message)
            }

            #[track_caller]
            fn request_by_type<M: Request>(
                &mut self,
                to: Recipient,
                message: M,
            ) -> Result<M::Reply, SendError> {
                self.request(to, message)
            }

            #[track_caller]
            fn request_boxed(
                &mut self,
                to: Recipient,
                message: Box<dyn AnyMessage>,
            ) -> Result<Box<dyn Any>, SendError> {
                self.request_any(to, message)
            }

            #[track_caller]
            fn post_by_type<M: Message>(
                &mut self,
                header: &Header,
                message: M,
            ) -> Result<Ticket, SendError> {
                self.post(header, message)
            }

            #[track_caller]
            fn post_boxed(
                &mut self,
                header: &Header,
                message: Box<dyn AnyMessage>,
            ) -> Result<Ticket, SendError> {
                self.post_any(header, message)
            }
        }
    };
}
sends!(MessageManager);
sends!(SpeakingFor<'_>);
sends!(Context<'_, R>, R);

/// Sends a message by its type or in a box, as the program does.
#[track_caller]
fn send<M: Message>(
    by: &mut impl Sends,
    table: &Table,
    to: impl Into<Recipient>,
    message: M,
) -> Result<Receipt, SendError> {
    if table.is_dynamic() {
        by.send_boxed(to.into(), Box::new(message))
    } else {
        by.send_by_type(to.into(), message)
    }
}

/// Like [`send`], but for a request.
#[track_caller]
fn request<M: Request>(
    by: &mut impl Sends,
    table: &Table,
    to: impl Into<Recipient>,
    message: M,
) -> Result<M::Reply, SendError> {
    if !table.is_dynamic() {
        return by.request_by_type(to.into(), message);
    }
    let answer = by.request_boxed(to.into(), Box::new(message))?;
    Ok(*answer.downcast().expect("it is of the reply type"))
}

/// Like [`send`], but for a post.
#[track_caller]
fn post<M: Message>(
    by: &mut impl Sends,
    table: &Table,
    to: impl Into<Recipient>,
    header: &Header,
    message: M,
) -> Result<Ticket, SendError> {
    let header = header.with_recipient(to);
    if table.is_dynamic() {
        by.post_boxed(&header, Box::new(message))
    } else {
        by.post_by_type(&header, message)
    }
}

/// Does a few of the things that a handler can do.
fn act<R>(table: &Table, cx: &mut Context<'_, R>) {
    let envelope = cx.envelope();
    table.log((
        envelope.sender,
        envelope.recipient,
        envelope.posted,
        envelope.due,
        envelope.place,
    ));
    loop {
        let mut state = table.state();
        if state.budget == 0 || state.roll(4) == 0 {
            return;
        }
        state.budget -= 1;
        let things = if state.listens { 36 } else { 30 };
        let (what, number) = (state.roll(things), state.roll(1_000));
        let id = state.one_of(|state| &state.ids).expect("some were spawned");
        let hook = state.one_of(|state| &state.hooks);
        let to = match (state.roll(12), hook) {
            (0, _) => Me,
            (1 | 2, Some(hook)) => hook.into(),
            _ => id.into(),
        };
        let ticket = state.one_of(|state| &state.tickets);
        let header = state.header();
        drop(state);
        match what {
            0..=3 => table.log(send(cx, table, to, table.tap(number))),
            4..=6 => table.log(send(cx, table, to, Nudge(number))),
            7..=11 => table.log(send(cx, table, to, Move(number))),
            12..=13 => table.log(request(cx, table, to, Probe(number))),
            14 => {
                let mut mark = Mark(vec![number]);
                table.log(cx.send_mut(to, &mut mark));
                table.log(mark.0);
            }
            15 => table.log(request(cx, table, to, Mark(Vec::new()))),
            16 => table.log(cx.request_all(Everyone, Mark(Vec::new()))),
            17 => table.log(send(cx, table, Everyone, Nudge(number))),
            18 => table.log(cx.despawn(id)),
            19 => {
                let id = cx.spawn((table.still(), table.mover()));
                table.log(send(cx, table, id, table.tap(number)));
                table.log(send(cx, table, id, Move(number)));
                table.state().ids.push(id);
            }
            20 => {
                let hook = cx.hook(id, table.still());
                table.log(&hook);
                if let Ok(hook) = hook {
                    table.log(send(cx, table, hook, table.tap(number)));
                    table.state().hooks.push(hook);
                }
            }
            21 => table.log(hook.map(|hook| cx.unhook(hook))),
            22 => table.log(hook.map(|hook| cx.set_enabled(hook, number % 2 == 0))),
            23 => table.log(ticket.map(|ticket| cx.cancel(ticket))),
            24 => table.log(pending(&cx.pending_posts(Posts::all()))),
            25..=27 => {
                for number in 0..number % 24 {
                    let id = table.state().one_of(|state| &state.ids).expect("some");
                    let posted = post(cx, table, id, &header, table.tap(number));
                    table.state().tickets.extend(posted.as_ref().ok());
                    table.log(posted.map(|_| ()));
                }
            }
            30..=33 => listen(table, number, id, cx),
            34..=35 => {
                let ended = table.state().one_of(|state| &state.subscriptions);
                table.log(ended.map(|id| cx.unsubscribe(id)));
            }
            28 => table.log(post(cx, table, to, &header, Nudge(number)).map(|_| ())),
            _ => table.log(post(cx, table, to, &header, Move(number)).map(|_| ())),
        }
    }
}

/// Subscribes on whatever terms the dice say, or as one of many that hear everything.
fn listen<R>(table: &Table, number: u64, owner: MessageeId, cx: &mut Context<'_, R>) {
    let hear = {
        let table = table.clone();
        move |line: (&str, u64), cx: &mut SubscriberContext<'_>| {
            table.log((line, number, cx.sender(), cx.recipient()));
            act(&table, cx);
        }
    };
    let taps = Filter::of::<Tap>();
    let hear_tap = {
        let hear = hear.clone();
        move |tap: &Tap, cx: &mut SubscriberContext<'_>| hear(("heard tap", tap.0), cx)
    };
    let id = match number % 9 {
        0 => cx.subscribe(taps.once(), hear_tap),
        1 => match cx.subscribe_for(owner, taps, hear_tap) {
            Ok(id) => id,
            Err(error) => return table.log(error),
        },
        2 => cx.subscribe(taps.hidden().stage(Stage::LateUpdate), hear_tap),
        3 => cx.subscribe(taps.before(), {
            let hear = hear.clone();
            move |tap: &mut Tap, cx: &mut SubscriberContext<'_>| {
                tap.0 += 1;
                hear(("intercepted tap", tap.0), cx);
                match tap.0 % 8 {
                    0 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            }
        }),
        4 | 5 => cx.subscribe(Filter::of::<Nudge>(), {
            let hear = hear.clone();
            move |nudge: &Nudge, cx: &mut SubscriberContext<'_>| {
                hear(("heard nudge", nudge.0), cx);
            }
        }),
        _ => cx.subscribe(taps, hear_tap),
    };
    table.log(id);
    table.state().subscriptions.push(id);
}

fn pending(posts: &[PendingPost]) -> String {
    let tell = |post: &PendingPost| {
        format!(
            "{} {} {} {:?} {:?}",
            post.message, post.sender, post.recipient, post.due, post.posted
        )
    };
    posts.iter().map(tell).collect::<Vec<_>>().join("; ")
}

/// Returns the log of a program; `kinds` decides whether it subscribes and whether it panics.
pub(crate) fn run(
    dice: u64,
    kinds: [bool; 2],
    config: ManagerConfig,
    prepare: impl FnOnce(&mut MessageManager),
) -> Vec<String> {
    run_by(dice, kinds, false, config, prepare)
}

/// Like [`run`], but sends messages in boxes if `dynamic` is set.
pub(crate) fn run_by(
    dice: u64,
    [subscribes, panics]: [bool; 2],
    dynamic: bool,
    config: ManagerConfig,
    prepare: impl FnOnce(&mut MessageManager),
) -> Vec<String> {
    let table = &Table::new(dice.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    table.state().listens = subscribes;
    table.state().panics = panics;
    table.state().dynamic = dynamic;
    let mut manager = MessageManager::with_config(config);
    for number in 0..8 {
        let id = match number {
            0..=2 => manager.spawn((table.still(), table.mover())),
            3 => manager.spawn((table.still(), table.still())),
            4 => manager.spawn((table.mover(), table.mover())),
            5 => manager.spawn((table.mover(),)),
            _ => manager.spawn((table.still(),)),
        };
        table.state().ids.push(id);
        let hooks: Vec<HookId> = manager.hooks(id).collect();
        table.state().hooks.extend(hooks);
    }
    prepare(&mut manager);
    for number in 0..40 {
        table.log(number);
        table.state().budget = 30;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| turn(table, &mut manager))) {
            table.log(panic.downcast::<String>());
        }
        table.log(table.living());
    }
    drop(manager);
    assert_eq!(table.living(), 0);
    std::mem::take(&mut table.state().log)
}

/// Calls a manager, and runs a frame.
fn turn(table: &Table, manager: &mut MessageManager) {
    let mut state = table.state();
    let (what, number) = (state.roll(12), state.roll(1_000));
    let id = state.one_of(|state| &state.ids).expect("some were spawned");
    let from = state.one_of(|state| &state.ids).expect("some were spawned");
    let hook = state.one_of(|state| &state.hooks);
    let header = state.header();
    let to = match hook {
        Some(hook) if state.roll(6) == 0 => hook.into(),
        _ => Recipient::Id(id),
    };
    drop(state);
    match what {
        0 => table.log(send(manager, table, id, table.tap(number))),
        1 => table.log(send(manager, table, to, Nudge(number))),
        2 => table.log(request(manager, table, to, Probe(number))),
        3 => table.log(request(manager, table, id, Mark(Vec::new()))),
        4 => match manager.speak_for(from) {
            Ok(mut from) => table.log(send(&mut from, table, to, Move(number))),
            Err(error) => table.log(error),
        },
        5 => {
            for number in 0..number % 40 {
                let id = table.state().one_of(|state| &state.ids).expect("some");
                let posted = post(manager, table, id, &header, table.tap(number));
                table.state().tickets.extend(posted.as_ref().ok());
                table.log(posted.map(|_| ()));
            }
        }
        6 => table.log(post(manager, table, to, &header, Move(number)).map(|_| ())),
        7 => table.log(hook.map(|hook| manager.set_enabled(hook, number % 3 > 0))),
        8 => {
            let id = manager.spawn((table.mover(), table.still()));
            table.state().ids.push(id);
        }
        9 => table.log(hook.map(|hook| manager.unhook::<Still>(hook).is_ok())),
        _ => table.log(send(manager, table, id, Move(number))),
    }
    table.log(pending(&manager.pending_posts(Posts::all())));
    let report = manager.tick(Duration::from_millis(number % 30));
    table.log(report);
}

pub(crate) fn assert_same(dice: u64, short: &[String], long: &[String], way: &str) {
    let differs = short
        .iter()
        .zip(long)
        .position(|(short, long)| short != long);
    let at = differs.unwrap_or(short.len().min(long.len()));
    let around = |log: &[String]| log[at.saturating_sub(12)..log.len().min(at + 2)].join("\n");
    assert!(
        differs.is_none() && short.len() == long.len(),
        "program {dice}, {way}, line {at}:\n{}\n--- and not\n{}",
        around(short),
        around(long)
    );
}

pub(crate) fn limits() -> ManagerConfig {
    ManagerConfig::new()
        .max_depth(7)
        .max_kept(12)
        .max_pending(60)
        .fixed_step(Duration::from_millis(8))
}
