//! Random little programs: components that do whatever the dice say, and write down everything that
//! they see. Two runs with the same dice differ only where the manager does.
#![allow(dead_code, reason = "each program uses its own part of this")]

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use message_core::Inlet;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::lifecycle::{Despawning, HandlerFailed, HandlerPanicked, Hooked, Unhooking};
use message_core::prelude::*;

group!(pub(crate) CLUB);
mnemonic!(pub(crate) CHAIR);
tag!(pub(crate) LOUD);

/// A message whose receivers act.
#[derive(Message, Debug, Clone)]
pub(crate) struct Turn(pub(crate) u64);

/// Not `Clone`, without `Debug`, and in–out.
#[derive(Message)]
#[message(tags(LOUD))]
pub(crate) struct Round(pub(crate) Vec<u64>);

#[derive(Message, Debug)]
#[message(reply = u64)]
pub(crate) struct Ask(pub(crate) u64);

/// The state shared by all components of a program.
#[derive(Clone)]
pub(crate) struct Table(Arc<Mutex<State>>);

struct State {
    dice: u64,
    /// How much may be done until the dice are handed out again.
    budget: u32,
    panics: bool,
    ids: Vec<MessageeId>,
    hooks: Vec<HookId>,
    tickets: Vec<Ticket>,
    inlet: Option<Inlet>,
    log: Vec<String>,
}

impl State {
    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.dice;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn one_of<T: Copy>(&mut self, list: impl Fn(&Self) -> &[T]) -> Option<T> {
        let count = list(self).len() as u64;
        let at = (count > 0).then(|| self.roll(count))?;
        list(self).get(usize::try_from(at).ok()?).copied()
    }

    fn recipient(&mut self) -> Recipient {
        let id = self.one_of(|state| &state.ids);
        let hook = self.one_of(|state| &state.hooks);
        match (self.roll(9), id) {
            (0, _) => Everyone,
            (1, _) => EveryoneElse,
            (2, _) => Me,
            (3, _) => CHAIR.into(),
            (4, _) => CLUB.into(),
            (5, Some(id)) => Up(id),
            (6, Some(id)) => Down(id),
            (7, Some(id)) => hook.map_or(Recipient::Id(id), Recipient::Hook),
            (_, Some(id)) => id.into(),
            (_, None) => Everyone,
        }
    }

    fn header(&mut self) -> Header {
        let header = Header::to(self.recipient());
        let header = match self.roll(6) {
            0 => header.stage(Stage::LateUpdate),
            1 => header.after(Duration::from_millis(self.roll(40))),
            2 => header.after_frames(self.roll(3)),
            3 => header.every(Duration::from_millis(7)).times(3),
            4 => header.stage(Stage::Update).key("key"),
            _ => header.stage(Stage::EndOfFrame).require(1),
        };
        header.build().expect("nothing contradicts itself")
    }
}

impl Table {
    fn new(dice: u64, panics: bool) -> Self {
        Self(Arc::new(Mutex::new(State {
            dice,
            budget: 0,
            panics,
            ids: Vec::new(),
            hooks: Vec::new(),
            tickets: Vec::new(),
            inlet: None,
            log: Vec::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self, line: impl Debug) {
        self.state().log.push(format!("{line:?}"));
    }

    fn component(&self) -> Player {
        let name = self.state().roll(1_000);
        Player {
            name,
            table: self.clone(),
        }
    }

    /// Runs a receiver's random actions, and decides how its handler returns.
    fn act<R>(&self, name: u64, cx: &mut Context<'_, R>) -> Result<ControlFlow<()>, String> {
        let (from, to) = (cx.sender(), cx.recipient());
        self.log((name, from, to, cx.clock().frame()));
        loop {
            let mut state = self.state();
            if state.budget == 0 || state.roll(3) == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            state.budget -= 1;
            let (what, to) = (state.roll(20), state.recipient());
            let id = state.one_of(|state| &state.ids).expect("some were spawned");
            let hook = state.one_of(|state| &state.hooks);
            let ticket = state.one_of(|state| &state.tickets);
            let (number, header) = (state.roll(100), state.header());
            let (panics, inlet) = (state.panics, state.inlet.clone());
            drop(state);
            match what {
                0..=3 => self.log(cx.send(to, Turn(number))),
                4 => self.log(cx.request(to, Ask(number))),
                5 => {
                    let mut round = Round(Vec::new());
                    self.log(cx.send_mut(to, &mut round));
                    self.log(round.0);
                }
                6 | 7 => {
                    let posted = cx.post(&header, Turn(number));
                    self.state().tickets.extend(posted.ok());
                }
                8 => {
                    let id = cx.spawn((self.component(), Counter::default()));
                    self.state().ids.push(id);
                }
                9 if number < 30 => self.log(cx.despawn(id)),
                9 => self.log(hook.map(|hook| cx.set_enabled(hook, number < 70))),
                10 => {
                    let hooked = cx.hook(id, Looker(self.component()));
                    self.state().hooks.extend(hooked.ok());
                }
                11 if number < 40 => self.log(hook.map(|hook| cx.unhook(hook))),
                11 => self.log((
                    cx.join(CLUB, id),
                    cx.bind(CHAIR, id),
                    cx.set_parent(id, None),
                )),
                12 if self.state().roll(3) == 0 => {
                    let (table, name) = (self.clone(), number);
                    let listen = move |turn: &Turn, cx: &mut SubscriberContext<'_>| {
                        table.log(turn);
                        let _ = table.act(name, cx);
                    };
                    if number < 25 {
                        cx.subscribe(Filter::of::<Turn>().once(), listen);
                    } else if number < 75 {
                        // It may do so itself, and so may the messagees it has spawned.
                        let ids = self.state().ids.clone();
                        let mut ids = ids.into_iter();
                        self.log(ids.find(|&id| overhear(cx, id, number).is_ok()));
                    } else {
                        let staged = Filter::of::<Turn>().stage(Stage::LateUpdate).once();
                        self.log(cx.subscribe_for(id, staged, listen).is_ok());
                    }
                }
                13 => self.log(ticket.map(|ticket| cx.cancel(ticket))),
                14 if number < 50 => return Err(format!("{name} fails")),
                14 => return Ok(ControlFlow::Break(())),
                15 if panics => panic!("{name} panics"),
                16 => self.log(cx.publish(to, Turn(number))),
                17 => {
                    let inbox = cx.inbox::<Turn>();
                    for mail in if number < 50 {
                        inbox.to(to)
                    } else {
                        inbox.reaching(id)
                    } {
                        self.log((mail, mail.published()));
                        let react = |cx: &mut Context<'_, R>| cx.send(id, Turn(number));
                        self.log(cx.with_cause(mail.trace_id(), react));
                    }
                }
                18 => self.log((
                    cx.inbox_any().count(),
                    cx.published::<Turn>().from(id).count(),
                )),
                19 => {
                    let posted = inlet.map(|inlet| inlet.try_post(&header, Turn(number)));
                    self.log(posted.is_some_and(|posted| posted.is_ok()));
                }
                _ => {}
            }
        }
    }
}

/// Lets a messagee overhear, by a filter that the number chooses.
fn overhear<R>(
    cx: &mut Context<'_, R>,
    id: MessageeId,
    number: u64,
) -> Result<message_core::SubscriptionId, MessageeError> {
    let filter = Filter::of::<Turn>();
    match number % 6 {
        0 => cx.overhear(id, filter),
        1 => cx.overhear(id, filter.once()),
        2 => cx.overhear(id, filter.hidden()),
        3 => cx.overhear(id, filter.stage(Stage::LateUpdate).once()),
        4 => cx.overhear(id, Filter::of::<Round>().when(|round| round.0.len() > 1)),
        _ => cx.overhear(id, Filter::all().once()),
    }
}

/// Busy while it acts.
struct Player {
    name: u64,
    table: Table,
}

#[handlers]
impl Player {
    #[on_receive]
    fn turn(&mut self, turn: &Turn, cx: &mut Context<'_>) -> Result<ControlFlow<()>, String> {
        self.table.log(turn);
        self.table.act(self.name, cx)
    }

    #[on_receive]
    fn ask(&mut self, ask: &Ask, cx: &mut Context<'_>) -> Option<u64> {
        let acted = self.table.act(self.name, cx);
        acted.is_ok().then_some(ask.0 + self.name)
    }

    #[on_receive]
    fn round(&mut self, round: &mut Round) {
        round.0.push(self.name);
    }

    #[on_receive]
    fn hooked(&mut self, hooked: &Hooked) {
        self.table.log((self.name, hooked));
    }

    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking) {
        self.table.log((self.name, unhooking));
    }

    #[on_receive]
    fn despawning(&mut self, despawning: &Despawning) {
        self.table.log((self.name, despawning));
    }

    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed, cx: &mut Context<'_>) {
        self.table.log((self.name, failed.error.to_string()));
        let _ = self.table.act(self.name, cx);
    }

    #[on_receive]
    fn panicked(&mut self, panicked: &HandlerPanicked, cx: &mut Context<'_>) {
        self.table.log((self.name, panicked));
        let _ = self.table.act(self.name, cx);
    }
}

/// Acts with `&self`.
struct Looker(Player);

#[handlers]
impl Looker {
    #[on_receive(priority = 1)]
    fn turn(&self, turn: &Turn, cx: &mut Context<'_>) -> Result<ControlFlow<()>, String> {
        self.0.table.log(turn);
        self.0.table.act(self.0.name, cx)
    }
}

/// Has no context, so it is never busy.
#[derive(Default)]
struct Counter {
    turns: u64,
}

#[handlers]
impl Counter {
    #[on_receive]
    fn turn(&mut self, turn: &Turn) -> bool {
        self.turns += turn.0;
        self.turns.is_multiple_of(3)
    }

    #[on_receive]
    fn round(&mut self, round: &mut Round) {
        round.0.push(self.turns);
    }
}

/// Runs a program. Returns everything its components saw, and the manager, for inspection.
///
/// `see` prepares the manager before the program begins; `then` runs after each step.
pub(crate) fn play(
    dice: u64,
    config: ManagerConfig,
    panics: bool,
    see: impl FnOnce(&mut MessageManager),
    mut then: impl FnMut(&mut MessageManager),
) -> (Vec<String>, MessageManager) {
    let table = Table::new(dice, panics);
    let mut manager = MessageManager::with_config(config);
    see(&mut manager);
    table.state().inlet = Some(manager.inlet());
    for _ in 0..4 {
        let bundle = (
            table.component(),
            Counter::default(),
            Looker(table.component()),
        );
        let id = manager.spawn(bundle);
        let mut state = table.state();
        state.ids.push(id);
        state.hooks.extend(manager.hooks(id));
    }
    for step in 0..12 {
        let mut state = table.state();
        state.budget = 25;
        let (to, header) = (state.recipient(), state.header());
        drop(state);
        let happens = || match step % 3 {
            0 => table.log(manager.send(to, Turn(step))),
            1 => table.log(manager.post(&header, Turn(step)).is_ok()),
            _ => table.log(manager.tick(Duration::from_millis(10))),
        };
        // Under the policy to propagate.
        let panicked = catch_unwind(AssertUnwindSafe(happens)).is_err();
        table.log(("escaped", panicked));
        table.state().budget = 0;
        let settled = catch_unwind(AssertUnwindSafe(|| manager.settle()));
        table.log(("escaped", settled.is_err()));
        then(&mut manager);
    }
    let log = std::mem::take(&mut table.state().log);
    (log, manager)
}

/// Checks that every enabled component can be reached: none is busy, and none is missing.
pub(crate) fn check_rest(manager: &mut MessageManager) {
    let ids: Vec<_> = manager.messagees().collect();
    let hooks = ids.iter().flat_map(|&id| manager.hooks(id));
    let hooks: Vec<_> = hooks.collect();
    let reachable = hooks.into_iter().filter(|&hook| {
        let hears = manager.component_mut::<Player>(hook).is_ok()
            || manager.component_mut::<Counter>(hook).is_ok();
        hears && manager.is_enabled(hook) == Ok(true)
    });
    let reachable = reachable.count();
    let receipt = manager.send_mut(Everyone, &mut Round(Vec::new()));
    assert_eq!(
        receipt.map(|receipt| receipt.received as usize),
        Ok(reachable)
    );
}
