//! A manager held against a naive model: random changes and sends, from outside and from inside
//! handlers, after each of which both have to tell the same.
//!
//! The model has two states: what is (`now`), and what will be when the outermost send returns
//! (`future`). Sends are answered from the first, leaving out who is not in the second; changes
//! are checked against the second and made there.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use message_core::lifecycle::{Despawning, Unhooking};
use message_core::prelude::*;

mnemonic!(FIRST, SECOND);

const MNEMONICS: [Mnemonic; 2] = [FIRST, SECOND];
const POPULATION: usize = 24;
const DEEPEST: usize = 4;

// The components. All log what they hear; an active one takes steps of its own when told.

/// A message to be logged.
#[derive(Message)]
struct Ping(u32);

/// Tells the active component of that label to take steps.
#[derive(Message)]
struct Batch {
    label: u32,
}

struct Active(u32, Shared);
struct Late(u32, Shared);
struct Plain(u32, Shared);

#[handlers]
impl Active {
    #[on_receive(priority = 1)]
    fn ping(&mut self, ping: &Ping) {
        self.1.lock().heard.push((ping.0, self.0));
    }

    #[on_receive]
    fn batch(&mut self, batch: &Batch, cx: &mut Context<'_>) -> ControlFlow<()> {
        if batch.label != self.0 {
            return ControlFlow::Continue(());
        }
        let me = Some(cx.me());
        let steps = self.1.lock().below(6);
        for _ in 0..steps {
            step(&self.1, cx, me);
        }
        self.1.lock().become_free(self.0);
        ControlFlow::Break(())
    }
}

#[handlers]
impl Late {
    #[on_receive]
    fn ping(&mut self, ping: &Ping) {
        self.1.lock().heard.push((ping.0, self.0));
    }

    // Despawning and unhooking go the long way when somebody listens.
    #[on_receive]
    fn despawning(&self, _: &Despawning) {}

    #[on_receive]
    fn unhooking(&self, _: &Unhooking) {}
}

#[handlers]
impl Plain {
    #[on_receive]
    fn ping(&self, ping: &Ping) {
        self.1.lock().heard.push((ping.0, self.0));
    }
}

// The model.

/// In the order in which everyone is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Active,
    Late,
    Plain,
}

#[derive(Clone, Debug)]
struct Part {
    /// Not known before its messagee is alive, if it was spawned with it.
    hook: Option<HookId>,
    kind: Kind,
    label: u32,
    enabled: bool,
}

#[derive(Clone, Debug, Default)]
struct Member {
    parts: Vec<Part>,
    parent: Option<MessageeId>,
    children: Vec<MessageeId>,
}

#[derive(Clone, Debug, Default)]
struct State {
    members: BTreeMap<MessageeId, Member>,
    bound: [Option<MessageeId>; MNEMONICS.len()],
}

impl State {
    fn parts(&self) -> impl Iterator<Item = (MessageeId, &Part)> {
        let members = self.members.iter();
        members.flat_map(|(&id, member)| member.parts.iter().map(move |part| (id, part)))
    }

    fn part_mut(&mut self, hook: HookId) -> Option<&mut Part> {
        let mut parts = self
            .members
            .values_mut()
            .flat_map(|member| &mut member.parts);
        parts.find(|part| part.hook == Some(hook))
    }

    fn has(&self, label: u32) -> bool {
        self.parts().any(|(_, part)| part.label == label)
    }

    fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.members.get(&id).and_then(|member| member.parent)
    }

    fn up(&self, id: MessageeId) -> Vec<MessageeId> {
        std::iter::successors(Some(id), |&id| self.parent(id)).collect()
    }

    fn down(&self, id: MessageeId) -> Vec<MessageeId> {
        let mut family = vec![id];
        for &child in &self.members[&id].children {
            family.extend(self.down(child));
        }
        family
    }

    fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) {
        if let Some(old) = self.parent(child) {
            let old = self.members.get_mut(&old).expect("a parent is alive");
            old.children.retain(|&other| other != child);
        }
        self.members.get_mut(&child).expect("checked").parent = parent;
        if let Some(parent) = parent {
            let parent = self.members.get_mut(&parent).expect("checked");
            parent.children.push(child);
        }
    }

    fn despawn(&mut self, id: MessageeId, children: Children) {
        let parent = self.parent(id);
        for child in self.members[&id].children.clone() {
            match children {
                Children::Follow => self.despawn(child, children),
                Children::Reparent => self.set_parent(child, parent),
            }
        }
        self.set_parent(id, None);
        self.members.remove(&id);
        for bound in &mut self.bound {
            bound.take_if(|bound| *bound == id);
        }
    }
}

/// A small generator of random numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

struct Model {
    random: Random,
    now: State,
    future: State,
    /// The labels of each kind in storage order.
    stored: Vec<u32>,
    /// Who was spawned since the outermost send began, with the messages that wait for it.
    born: Vec<(MessageeId, Vec<u32>)>,
    busy: Vec<u32>,
    kept: Vec<(u32, u32)>,
    expected: Vec<(u32, u32)>,
    heard: Vec<(u32, u32)>,
    all: Vec<MessageeId>,
    all_hooks: Vec<(HookId, Kind)>,
    labels: u32,
}

impl Model {
    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// Mostly one that will be there, sometimes one that is long gone.
    fn any_id(&mut self) -> Option<MessageeId> {
        let stays: Vec<MessageeId> = self.future.members.keys().copied().collect();
        let from = if self.below(8) == 0 {
            &self.all
        } else {
            &stays
        };
        let length = from.len();
        (length > 0).then(|| from[self.random.below(length)])
    }

    fn any_hook(&mut self) -> Option<(HookId, Kind)> {
        let stays = self.future.parts();
        let stays = stays.filter_map(|(_, part)| Some((part.hook?, part.kind)));
        let stays: Vec<(HookId, Kind)> = stays.collect();
        let from = if self.below(8) == 0 {
            &self.all_hooks
        } else {
            &stays
        };
        let length = from.len();
        (length > 0).then(|| from[self.random.below(length)])
    }

    /// Checks who is asked to stay in the future.
    fn stays(&self, id: MessageeId) -> Result<(), &'static str> {
        if self.future.members.contains_key(&id) {
            Ok(())
        } else {
            Err("Gone")
        }
    }

    fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) -> Expected {
        self.stays(child)?;
        if let Some(parent) = parent {
            self.stays(parent)?;
            if self.future.up(parent).contains(&child) {
                return Err("Cycle");
            }
        }
        self.future.set_parent(child, parent);
        Ok(())
    }

    fn bind(&mut self, at: usize, id: MessageeId) -> Expected {
        self.stays(id)?;
        if self.future.bound[at].is_some() {
            return Err("AlreadyBound");
        }
        self.future.bound[at] = Some(id);
        Ok(())
    }

    fn unbind(&mut self, at: usize, id: MessageeId) -> Expected {
        self.stays(id)?;
        if self.future.bound[at] != Some(id) {
            return Err("NotBound");
        }
        self.future.bound[at] = None;
        Ok(())
    }

    fn despawn(&mut self, id: MessageeId, children: Children) -> Expected {
        self.stays(id)?;
        self.future.despawn(id, children);
        Ok(())
    }

    fn unhook(&mut self, hook: HookId) -> Expected {
        self.future.part_mut(hook).ok_or("NotHooked")?;
        for member in self.future.members.values_mut() {
            member.parts.retain(|part| part.hook != Some(hook));
        }
        Ok(())
    }

    fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Expected {
        self.future.part_mut(hook).ok_or("NotHooked")?.enabled = enabled;
        Ok(())
    }

    /// How many receive the message, and how many will.
    fn send(
        &mut self,
        ping: u32,
        sender: Option<MessageeId>,
        to: Recipient,
    ) -> Result<(usize, usize), &'static str> {
        let receivers: Vec<(MessageeId, Part)> = match to {
            Everyone | EveryoneElse => {
                let except = match to {
                    Everyone => None,
                    _ => Some(sender.ok_or("NoSender")?),
                };
                let labels = self.stored.iter();
                let parts = labels.filter_map(|&label| {
                    let mut parts = self.now.parts();
                    parts.find(|(_, part)| part.label == label)
                });
                let parts = parts.filter(|(owner, _)| Some(*owner) != except);
                parts.map(|(owner, part)| (owner, part.clone())).collect()
            }
            _ => {
                let id = match to {
                    Recipient::Id(id) | Up(id) | Down(id) => id,
                    Recipient::Mnemonic(mnemonic) => {
                        let at = MNEMONICS.iter().position(|known| *known == mnemonic);
                        self.now.bound[at.expect("one of two")].ok_or("Unbound")?
                    }
                    _ => sender.ok_or("NoSender")?,
                };
                if !self.now.members.contains_key(&id) {
                    return self.send_to_newborn(ping, id);
                }
                let ids = match to {
                    Up(id) => self.now.up(id),
                    Down(id) => self.now.down(id),
                    _ => vec![id],
                };
                let parts = ids.into_iter().flat_map(|id| {
                    let parts = in_order(&self.now.members[&id]).into_iter();
                    parts.map(move |part| (id, part))
                });
                parts.collect()
            }
        };
        let (mut received, mut pending) = (0, 0);
        for (_, part) in receivers {
            if !part.enabled || !self.future.has(part.label) {
                continue;
            }
            if self.busy.contains(&part.label) {
                self.kept.push((ping, part.label));
                pending += 1;
            } else {
                self.expected.push((ping, part.label));
                received += 1;
            }
        }
        Ok((received, pending))
    }

    fn send_to_newborn(
        &mut self,
        ping: u32,
        id: MessageeId,
    ) -> Result<(usize, usize), &'static str> {
        let mut born = self.born.iter_mut();
        let (_, mail) = born.find(|(born, _)| *born == id).ok_or("Gone")?;
        mail.push(ping);
        let member = self.future.members.get(&id);
        let came_along = member.into_iter().flat_map(|member| &member.parts);
        Ok((0, came_along.filter(|part| part.hook.is_none()).count()))
    }

    fn become_free(&mut self, label: u32) {
        assert_eq!(self.busy.pop(), Some(label));
        let (free, kept) = std::mem::take(&mut self.kept)
            .into_iter()
            .partition(|&(_, receiver)| receiver == label);
        self.kept = kept;
        if self.future.has(label) {
            self.expected.extend::<Vec<_>>(free);
        }
    }

    /// The outermost send returns: what was to be is.
    fn settle(&mut self, manager: &MessageManager) {
        for (id, mail) in std::mem::take(&mut self.born) {
            let Some(member) = self.future.members.get_mut(&id) else {
                continue;
            };
            let mut parts = in_order(member);
            parts.retain(|part| part.hook.is_none());
            for ping in mail {
                let heard = parts.iter().map(|part| (ping, part.label));
                self.expected.extend(heard);
            }
            for (part, hook) in member.parts.iter_mut().zip(manager.hooks(id)) {
                part.hook.get_or_insert(hook);
                self.all_hooks.push((hook, part.kind));
            }
        }
        assert!(self.kept.is_empty() && self.busy.is_empty());
        self.now = self.future.clone();
    }
}

/// The parts of a messagee in the order in which they are reached.
fn in_order(member: &Member) -> Vec<Part> {
    let mut parts = member.parts.clone();
    parts.sort_by_key(|part| part.kind != Kind::Active);
    parts
}

/// What the model expects of a change: nothing, or the name of an error.
type Expected = Result<(), &'static str>;

fn variant<T>(result: Result<T, impl Debug>) -> Result<T, String> {
    result.map_err(|error| {
        let text = format!("{error:?}");
        let end = text.find(' ').unwrap_or(text.len());
        text[..end].to_owned()
    })
}

#[derive(Clone)]
struct Shared(Arc<Mutex<Model>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Model> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// Both sides do the same.

/// What can be done both from outside and in a handler.
trait Hand {
    fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId;
    fn hook<C: Component>(&mut self, id: MessageeId, part: C) -> Result<HookId, MessageeError>;
    fn unhook<C: Component>(&mut self, hook: HookId) -> Result<(), MessageeError>;
    fn despawn(&mut self, id: MessageeId, children: Children) -> Result<(), MessageeError>;
    fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError>;
    fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError>;
    fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError>;
    fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError>;
    fn send<M: Message>(&mut self, to: Recipient, message: M) -> Result<Receipt, SendError>;
}

macro_rules! hand {
    ($hand:ty, $unhook:expr) => {
        impl Hand for $hand {
            fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
                self.spawn(bundle)
            }
            fn hook<C: Component>(
                &mut self,
                id: MessageeId,
                part: C,
            ) -> Result<HookId, MessageeError> {
                self.hook(id, part)
            }
            fn unhook<C: Component>(&mut self, hook: HookId) -> Result<(), MessageeError> {
                $unhook(self, hook)
            }
            fn despawn(&mut self, id: MessageeId, children: Children) -> Result<(), MessageeError> {
                self.despawn_with(id, children)
            }
            fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
                self.set_enabled(hook, enabled)
            }
            fn set_parent(
                &mut self,
                child: MessageeId,
                parent: Option<MessageeId>,
            ) -> Result<(), MessageeError> {
                self.set_parent(child, parent)
            }
            fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
                self.bind(mnemonic, id)
            }
            fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
                self.unbind(mnemonic, id)
            }
            fn send<M: Message>(
                &mut self,
                to: Recipient,
                message: M,
            ) -> Result<Receipt, SendError> {
                self.send(to, message)
            }
        }
    };
}

hand!(MessageManager, |manager: &mut MessageManager, hook| {
    manager.unhook::<C>(hook).map(drop)
});
hand!(Context<'_>, Context::unhook);

/// One random change or send, in the manager and in the model.
fn step(shared: &Shared, hand: &mut impl Hand, me: Option<MessageeId>) {
    let mut choice = shared.lock().below(16);
    if choice < 2 && shared.lock().future.members.len() >= POPULATION {
        choice = 5;
    }
    match choice {
        0 | 1 => spawn(shared, hand),
        2..8 => change(shared, hand, choice),
        8 | 9 => batch(shared, hand),
        _ => send(shared, hand, me),
    }
}

fn spawn(shared: &Shared, hand: &mut impl Hand) {
    let mut model = shared.lock();
    let [a, b, c] = [(); 3].map(|()| model.label());
    let size = model.below(4);
    drop(model);
    let active = |label| Active(label, shared.clone());
    let plain = |label| Plain(label, shared.clone());
    let (id, kinds) = match size {
        0 => (hand.spawn(()), vec![]),
        1 => (hand.spawn((plain(a),)), vec![Kind::Plain]),
        2 => {
            let id = hand.spawn((plain(a), active(b)));
            (id, vec![Kind::Plain, Kind::Active])
        }
        _ => {
            let id = hand.spawn((Late(a, shared.clone()), plain(b), active(c)));
            (id, vec![Kind::Late, Kind::Plain, Kind::Active])
        }
    };
    let parts = kinds.into_iter().zip([a, b, c]).map(|(kind, label)| Part {
        hook: None,
        kind,
        label,
        enabled: true,
    });
    let member = Member {
        parts: parts.collect(),
        ..Member::default()
    };
    let mut model = shared.lock();
    model.future.members.insert(id, member);
    model.born.push((id, Vec::new()));
    model.all.push(id);
}

fn change(shared: &Shared, hand: &mut impl Hand, choice: usize) {
    let mut model = shared.lock();
    let (Some(id), other, coin) = (model.any_id(), model.any_id(), model.below(3)) else {
        return;
    };
    let hook = model.any_hook();
    let (expected, done) = match (choice, hook) {
        (2, _) => {
            drop(model);
            return hook_one(shared, hand, id, coin);
        }
        (3, Some((hook, kind))) => {
            let expected = model.unhook(hook);
            drop(model);
            let done = match kind {
                Kind::Active => hand.unhook::<Active>(hook),
                Kind::Late => hand.unhook::<Late>(hook),
                Kind::Plain => hand.unhook::<Plain>(hook),
            };
            (expected, done)
        }
        (4, Some((hook, _))) => {
            let expected = model.set_enabled(hook, coin > 0);
            drop(model);
            (expected, hand.set_enabled(hook, coin > 0))
        }
        (5, _) => {
            let children = if coin > 0 {
                Children::Reparent
            } else {
                Children::Follow
            };
            let expected = model.despawn(id, children);
            drop(model);
            (expected, hand.despawn(id, children))
        }
        (6, _) => {
            let parent = other.filter(|_| coin > 0);
            let expected = model.set_parent(id, parent);
            drop(model);
            (expected, hand.set_parent(id, parent))
        }
        _ => {
            let at = model.below(MNEMONICS.len());
            let expected = if coin > 0 {
                model.bind(at, id)
            } else {
                model.unbind(at, id)
            };
            drop(model);
            let done = match coin {
                0 => hand.unbind(MNEMONICS[at], id),
                _ => hand.bind(MNEMONICS[at], id),
            };
            (expected, done)
        }
    };
    assert_eq!(variant(done), expected.map_err(str::to_owned), "{choice}");
}

fn hook_one(shared: &Shared, hand: &mut impl Hand, id: MessageeId, coin: usize) {
    let label = shared.lock().label();
    let expected = shared.lock().stays(id);
    let kind = [Kind::Active, Kind::Late, Kind::Plain][coin];
    let done = match kind {
        Kind::Active => hand.hook(id, Active(label, shared.clone())),
        Kind::Late => hand.hook(id, Late(label, shared.clone())),
        Kind::Plain => hand.hook(id, Plain(label, shared.clone())),
    };
    let done = variant(done);
    let mut model = shared.lock();
    if let Ok(hook) = done {
        let member = model.future.members.get_mut(&id).expect("it stays");
        member.parts.push(Part {
            hook: Some(hook),
            kind,
            label,
            enabled: true,
        });
        model.all_hooks.push((hook, kind));
    }
    assert_eq!(done.map(drop), expected.map_err(str::to_owned));
}

/// Lets an active component that is free take steps in its handler.
fn batch(shared: &Shared, hand: &mut impl Hand) {
    let mut model = shared.lock();
    if model.busy.len() >= DEEPEST {
        return;
    }
    let able = model.now.parts().filter(|(_, part)| {
        part.kind == Kind::Active
            && part.enabled
            && model.future.has(part.label)
            && !model.busy.contains(&part.label)
    });
    let able: Vec<(MessageeId, u32)> = able.map(|(id, part)| (id, part.label)).collect();
    if able.is_empty() {
        return;
    }
    let (id, label) = able[model.below(able.len())];
    model.busy.push(label);
    drop(model);
    let receipt = hand.send(id.into(), Batch { label }).expect("it is there");
    assert!(receipt.consumed);
}

fn send(shared: &Shared, hand: &mut impl Hand, me: Option<MessageeId>) {
    let mut model = shared.lock();
    let Some(id) = model.any_id() else { return };
    let at = model.below(MNEMONICS.len());
    let recipients = [
        id.into(),
        Everyone,
        EveryoneElse,
        Me,
        Up(id),
        Down(id),
        MNEMONICS[at].into(),
    ];
    let to = recipients[model.below(recipients.len())];
    let ping = model.label();
    let expected = model.send(ping, me, to);
    drop(model);
    let sent = variant(hand.send(to, Ping(ping)));
    let sent = sent.map(|receipt| (receipt.received, receipt.pending));
    assert_eq!(sent, expected.map_err(str::to_owned), "{to}");
}

// What has to hold after each step.

fn check(manager: &MessageManager, model: &mut Model) {
    let (heard, expected) = (&mut model.heard, &mut model.expected);
    assert_eq!(std::mem::take(heard), std::mem::take(expected));

    assert_eq!(manager.len(), model.now.members.len());
    for (&id, member) in &model.now.members {
        assert!(manager.is_alive(id));
        assert_eq!(manager.parent(id), member.parent);
        assert!(manager.children(id).eq(member.children.iter().copied()));
        let hooks = member.parts.iter().filter_map(|part| part.hook);
        assert!(manager.hooks(id).eq(hooks));
        for part in &member.parts {
            let hook = part.hook.expect("it is alive");
            assert_eq!(manager.owner(hook), Ok(id));
            assert_eq!(manager.is_enabled(hook), Ok(part.enabled));
        }
        let first = |kind| {
            let mut parts = member.parts.iter();
            parts.find(|part| part.kind == kind).map(|part| part.label)
        };
        let active = manager.get::<Active>(id).ok().map(|part| part.0);
        assert_eq!(active, first(Kind::Active));
        let late = manager.get::<Late>(id).ok().map(|part| part.0);
        assert_eq!(late, first(Kind::Late));
        let plain = manager.get::<Plain>(id).ok().map(|part| part.0);
        assert_eq!(plain, first(Kind::Plain));
    }
    for (mnemonic, bound) in MNEMONICS.into_iter().zip(model.now.bound) {
        assert_eq!(manager.bound(mnemonic), bound);
    }
    for &id in &model.all {
        assert_eq!(manager.is_alive(id), model.now.members.contains_key(&id));
    }

    model.stored = manager.iter::<Active>().map(|(_, part)| part.0).collect();
    let late = manager.iter::<Late>().map(|(_, part)| part.0);
    model.stored.extend(late);
    let plain = manager.iter::<Plain>().map(|(_, part)| part.0);
    model.stored.extend(plain);
    assert_eq!(model.stored.len(), model.now.parts().count());
}

/// Steps until the log of a whole run, as what was heard by whom.
fn run(seed: u64, steps: usize) -> Vec<(u32, u32)> {
    let shared = Shared(Arc::new(Mutex::new(Model {
        random: Random(seed),
        now: State::default(),
        future: State::default(),
        stored: Vec::new(),
        born: Vec::new(),
        busy: Vec::new(),
        kept: Vec::new(),
        expected: Vec::new(),
        heard: Vec::new(),
        all: Vec::new(),
        all_hooks: Vec::new(),
        labels: 0,
    })));
    let mut manager = MessageManager::new();
    let mut heard = Vec::new();
    for _ in 0..steps {
        step(&shared, &mut manager, None);
        let mut model = shared.lock();
        model.settle(&manager);
        heard.extend_from_slice(&model.heard);
        check(&manager, &mut model);
        if model.all.len() > 400 {
            model.all.drain(..200);
        }
    }
    heard
}

#[test]
fn a_manager_tells_the_same_as_a_naive_model_whatever_happens() {
    for seed in [1, 0x9E37_79B9, 0xDEAD_BEEF_CAFE, 77] {
        let heard = run(seed, 1500);
        assert!(heard.len() > 1000, "{} heard with seed {seed}", heard.len());
    }
}

#[test]
fn the_order_is_the_same_in_every_run_on_the_same_inputs() {
    assert_eq!(run(4711, 400), run(4711, 400));
}
