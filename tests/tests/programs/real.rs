//! Programs that are run by the manager.

use std::cell::RefCell;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use message_core::data::{Data, SaveOptions, Wire, WireTarget};
use message_core::lifecycle::{DeadLetter, HandlerFailed, HandlerPanicked};
use message_core::post::HeaderBuilder;
use message_core::prelude::*;
use message_core::{
    Children, Group, HandlerError, Mnemonic, PanicPolicy, SubscriptionId, Ticket, report::ReportTo,
};
use serde::{Deserialize, Serialize};

use crate::far::Far;
use crate::program::{
    After, End, Every, Head, Hears, Kind, Line, Program, Script, Step, Tie, To, What,
};
use crate::{BUDGET, FIXED_STEP, FUEL, MOST_FIXED_STEPS, Run};

mnemonic!(FIRST, SECOND);
group!(REDS, BLUES);

const MNEMONICS: [Mnemonic; 2] = [FIRST, SECOND];
const GROUPS: [Group; 2] = [REDS, BLUES];
const STAGES: [Stage; 4] = [
    Stage::Update,
    Stage::LateUpdate,
    Stage::EndOfFrame,
    Stage::FixedUpdate,
];

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(exact)]
pub(crate) struct Act {
    pub(crate) number: u32,
    pub(crate) fuel: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(exact)]
pub(crate) struct Note {
    pub(crate) number: u32,
}

#[derive(Message, Debug)]
struct Tour {
    seen: Vec<u32>,
}

#[derive(Message, Debug)]
#[message(reply = u32)]
struct Ask {
    number: u32,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
struct Actor {
    label: u32,
    script: usize,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
struct Calm {
    label: u32,
    script: usize,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
struct Quick {
    label: u32,
}

/// What the program has made, for when the manager is restored.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
struct Made {
    ids: Vec<MessageeId>,
    hooks: Vec<HookId>,
    tickets: Vec<Ticket>,
}

/// What a program has done and made so far.
struct State {
    program: Arc<Program>,
    log: Vec<String>,
    aside: Vec<String>,
    ids: Vec<MessageeId>,
    hooks: Vec<HookId>,
    tickets: Vec<Ticket>,
    subscriptions: Vec<SubscriptionId>,
    numbers: u32,
    labels: u32,
    left: u32,
}

thread_local! {
    /// Handlers have no other way to it: components with a save hold nothing but data.
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(|state| work(state.as_mut().expect("a program is running")))
}

pub(crate) fn say(line: impl Into<String>) {
    let line = line.into();
    with(|state| state.log.push(line));
}

fn number() -> u32 {
    with(|state| {
        state.numbers += 1;
        state.numbers
    })
}

fn label() -> u32 {
    with(|state| {
        state.labels += 1;
        state.labels
    })
}

/// How the program names a messagee.
fn named(id: MessageeId) -> String {
    with(|state| {
        let at = state.ids.iter().position(|known| *known == id);
        at.map_or("?".into(), |at| format!("m{at}"))
    })
}

fn at<T: Copy>(all: &[T], number: usize) -> Option<T> {
    (!all.is_empty()).then(|| all[number % all.len()])
}

fn messagee(number: usize) -> Option<MessageeId> {
    with(|state| at(&state.ids, number))
}

/// It is a proxy.
fn is_far(id: MessageeId) -> bool {
    with(|state| state.ids[..state.program.far].contains(&id))
}

/// The name of the error.
fn variant(error: &impl Debug) -> String {
    let text = format!("{error:?}");
    let end = text.find([' ', '(']).unwrap_or(text.len());
    text[..end].to_owned()
}

fn told<T>(result: Result<T, impl Debug>, fine: impl FnOnce(T) -> String) -> String {
    match result {
        Ok(value) => fine(value),
        Err(error) => variant(&error),
    }
}

impl Actor {
    fn run(&self, act: &Act, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        run_script(self.label, self.script, act, cx)
    }
}

fn heard<R>(who: &str, number: u32, cx: &Context<'_, R>) {
    let from = cx.sender().id().map_or("outside".into(), named);
    let how = if cx.is_overheard() { " overheard" } else { "" };
    say(format!("{who} has {number} from {from}{how}"));
}

/// Runs the lines of a script. Returns how it ends, unless that is a panic.
fn run_lines<R>(who: &str, script: usize, number: u32, fuel: u32, cx: &mut Context<'_, R>) -> End {
    heard(who, number, cx);
    let Script { lines, end } = with(|state| state.program.scripts[script].clone());
    if fuel > 0 {
        for line in &lines {
            let goes_on = with(|state| {
                let goes_on = state.left > 0;
                state.left = state.left.saturating_sub(1);
                goes_on
            });
            if goes_on {
                let seen = in_handler(line, fuel - 1, cx);
                say(format!("in handler: {seen}"));
            }
        }
    }
    say(format!("{who} is done with {number}"));
    panic_if(end, who, number);
    end
}

/// Panics if the script ends so; without a word on stderr.
fn panic_if(end: End, who: &str, number: u32) {
    if end == End::Panics {
        std::panic::resume_unwind(Box::new(format!("{who} panics at {number}")));
    }
}

fn run_script(
    label: u32,
    script: usize,
    act: &Act,
    cx: &mut Context<'_>,
) -> Result<ControlFlow<()>, HandlerError> {
    let (who, number) = (format!("c{label}"), act.number);
    match run_lines(&who, script, number, act.fuel, cx) {
        End::Consumes => Ok(ControlFlow::Break(())),
        End::Fails => Err(format!("{who} fails at {number}").into()),
        End::Returns | End::Panics => Ok(ControlFlow::Continue(())),
    }
}

/// A component that is asked, or that writes its label: it panics if its script ends so.
fn asked(label: u32, script: usize, number: u32) {
    let end = with(|state| state.program.scripts[script].end);
    panic_if(end, &format!("c{label}"), number);
}

/// What a subscriber may return.
trait Ends {
    fn ends(end: End) -> Self;
}

impl Ends for bool {
    fn ends(end: End) -> Self {
        end != End::Fails
    }
}

impl Ends for ControlFlow<()> {
    fn ends(end: End) -> Self {
        match end {
            End::Consumes => Self::Break(()),
            _ => Self::Continue(()),
        }
    }
}

#[handlers]
impl Actor {
    #[on_receive]
    fn act(&mut self, act: &Act, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        self.run(act, cx)
    }

    #[on_receive]
    fn tour(&mut self, tour: &mut Tour) {
        asked(self.label, self.script, 0);
        tour.seen.push(self.label);
    }

    #[on_receive]
    fn ask(&mut self, ask: &Ask) -> Option<u32> {
        say(format!("c{} is asked {}", self.label, ask.number));
        asked(self.label, self.script, ask.number);
        (self.label % 2 == 1).then_some(self.label)
    }
}

#[handlers]
impl Calm {
    #[on_receive]
    fn act(&self, act: &Act, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        run_script(self.label, self.script, act, cx)
    }

    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) {
        heard(&format!("c{}", self.label), note.number, cx);
    }

    #[on_receive(priority = -1)]
    fn ask(&self, ask: &Ask) -> u32 {
        say(format!("c{} is asked {}", self.label, ask.number));
        asked(self.label, self.script, ask.number);
        self.label
    }
}

#[handlers]
impl Quick {
    #[on_receive(priority = 1)]
    fn act(&mut self, act: &Act) {
        say(format!("c{} has {}", self.label, act.number));
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        say(format!("c{} has {}", self.label, note.number));
    }

    #[on_receive]
    fn tour(&mut self, tour: &mut Tour) {
        tour.seen.push(self.label);
    }
}

/// What the manager and a context have in common here.
trait Hand {
    fn back(&self) -> Option<MessageeId>;
    fn unhook_any(&mut self, hook: HookId) -> Result<(), MessageeError>;
}

impl Hand for MessageManager {
    fn back(&self) -> Option<MessageeId> {
        None
    }
    fn unhook_any(&mut self, hook: HookId) -> Result<(), MessageeError> {
        for unhook in [
            |manager: &mut Self, hook| manager.unhook::<Actor>(hook).map(drop),
            |manager: &mut Self, hook| manager.unhook::<Calm>(hook).map(drop),
        ] {
            match unhook(self, hook) {
                Err(MessageeError::WrongComponent { .. }) => {}
                other => return other,
            }
        }
        self.unhook::<Quick>(hook).map(drop)
    }
}

impl<R> Hand for Context<'_, R> {
    fn back(&self) -> Option<MessageeId> {
        self.sender().id()
    }
    fn unhook_any(&mut self, hook: HookId) -> Result<(), MessageeError> {
        self.unhook(hook)
    }
}

fn recipient(to: To, hand: &impl Hand) -> Option<Recipient> {
    Some(match to {
        To::Id(number) => messagee(number)?.into(),
        To::All => Everyone,
        To::AllButMe => EveryoneElse,
        To::Myself => Me,
        To::Back => hand.back()?.into(),
        To::UpFrom(number) => Up(messagee(number)?),
        To::DownFrom(number) => Down(messagee(number)?),
        To::UpFromBound(number) => Up(MNEMONICS[number]),
        To::Bound(number) => MNEMONICS[number].into(),
        To::Group(number) => GROUPS[number].into(),
        To::Part(number) => with(|state| at(&state.hooks, number))?.into(),
    })
}

fn header(to: Recipient, head: Head) -> HeaderBuilder {
    let milliseconds = Duration::from_millis;
    let mut header = Header::to(to).stage(STAGES[head.stage]);
    header = match head.after {
        After::Now => header,
        After::Milliseconds(delay) => header.after(milliseconds(delay)),
        After::Frames(delay) => header.after_frames(delay),
    };
    header = match head.every {
        Every::Once => header,
        Every::Milliseconds(period, times) => header.every(milliseconds(period)).times(times),
        Every::Frames(period, times) => header.every_frames(period).times(times),
    };
    if head.unscaled {
        header = header.unscaled();
    }
    match head.tie {
        Tie::No => header,
        Tie::Bound => header.bound(),
        Tie::IfAlive => header.if_alive(),
        Tie::Require => header.require(1),
        Tie::Key => header.key("beat"),
    }
}

fn filter<M: Message>(hears: Hears) -> Filter<M> {
    let mut filter = Filter::of::<M>();
    if let Some(from) = hears.from.and_then(messagee) {
        filter = filter.from(from);
    }
    if let Some(to) = hears.to.and_then(messagee) {
        filter = filter.to(to);
    }
    if hears.once {
        filter = filter.once();
    }
    if hears.hidden {
        filter = filter.hidden();
    }
    filter
}

fn receipt(receipt: Receipt) -> String {
    let Receipt {
        received, pending, ..
    } = receipt;
    let consumed = if receipt.consumed { ", consumed" } else { "" };
    format!("{received} received, {pending} pending{consumed}")
}

/// A subscriber that runs a script when it receives an `Act`.
fn acts<T: Ends>(
    label: u32,
    script: usize,
) -> impl FnMut(&Act, &mut SubscriberContext<'_>) -> T + Send {
    move |act, cx| {
        let who = format!("s{label}");
        T::ends(run_lines(&who, script, act.number, act.fuel, cx))
    }
}

/// The same for a `Note`, which has no fuel of its own.
fn notes<T: Ends>(
    label: u32,
    script: usize,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) -> T + Send {
    move |note, cx| T::ends(run_lines(&format!("s{label}"), script, note.number, 1, cx))
}

macro_rules! follow {
    ($hand:expr, $hears:expr, $owner:expr, $subscriber:expr) => {
        match $owner {
            Some(owner) => $hand.subscribe_for(owner, filter($hears), $subscriber),
            None => Ok($hand.subscribe(filter($hears), $subscriber)),
        }
    };
}

/// What both can do, written once. Returns what the program sees of it.
macro_rules! line {
    ($line:expr, $fuel:expr, $hand:expr) => {{
        let (hand, fuel) = ($hand, $fuel);
        let nothing = || "nothing".to_owned();
        macro_rules! reach {
            ($to:expr) => {
                match recipient($to, &*hand) {
                    Some(to) => to,
                    None => return nothing(),
                }
            };
        }
        macro_rules! who {
            ($number:expr) => {
                match messagee($number) {
                    Some(id) => id,
                    None => return nothing(),
                }
            };
        }
        // One that is no proxy.
        macro_rules! near {
            ($number:expr) => {
                match messagee($number).filter(|&id| !is_far(id)) {
                    Some(id) => id,
                    None => return nothing(),
                }
            };
        }
        macro_rules! made {
            ($list:ident, $number:expr) => {
                match with(|state| at(&state.$list, $number)) {
                    Some(it) => it,
                    None => return nothing(),
                }
            };
        }
        let done = |()| "done".to_owned();
        match $line.clone() {
            Line::Send(to, what) => {
                let (to, number) = (reach!(to), number());
                let sent = match what {
                    What::Act => hand.send(to, Act { number, fuel }),
                    What::Note => hand.send(to, Note { number }),
                };
                format!("{number}: {}", told(sent, receipt))
            }
            Line::Tour(to) => {
                let (to, mut tour) = (reach!(to), Tour { seen: Vec::new() });
                let sent = told(hand.send_mut(to, &mut tour), receipt);
                format!("{sent} {:?}", tour.seen)
            }
            Line::Ask(to) => {
                let (to, number) = (reach!(to), number());
                let asked = hand.request(to, Ask { number });
                format!("{number}: {}", told(asked, |answer| format!("c{answer}")))
            }
            Line::AskAll(to) => {
                let (to, number) = (reach!(to), number());
                let asked = hand.request_all(to, Ask { number });
                format!("{number}: {}", told(asked, |answers| {
                    let answers: Vec<u32> = answers.into_iter().map(|(_, label)| label).collect();
                    format!("{answers:?}")
                }))
            }
            Line::Post(head, to, what) => {
                let to = reach!(to);
                if matches!(to, Recipient::Id(id) if is_far(id)) {
                    return nothing();
                }
                let number = number();
                let posted = match what {
                    What::Act => hand.post(header(to, head), Act { number, fuel }),
                    What::Note => hand.post(header(to, head), Note { number }),
                };
                with(|state| state.tickets.extend(posted.iter()));
                format!("{number}: {}", told(posted, |_| "posted".into()))
            }
            Line::Cancel(number) => {
                let ticket = made!(tickets, number);
                format!("{} cancelled", hand.cancel(ticket))
            }
            Line::CancelKey => format!("{} cancelled", hand.cancel("beat")),
            Line::Publish(to) => {
                let (to, number) = (reach!(to), number());
                format!("{number}: {}", told(hand.publish(to, Note { number }), done))
            }
            Line::Read(number, reaching) => {
                let id = who!(number);
                let inbox = hand.inbox::<Note>();
                let inbox = if reaching { inbox.reaching(id) } else { inbox.to(id) };
                let read: Vec<u32> = inbox.iter().map(|mail| mail.number).collect();
                format!("reads {read:?}")
            }
            Line::Spawn(parts, name) => {
                // The first comes with the messagee, and its hook is not known; the others are hooked.
                let mut parts = parts.into_iter();
                macro_rules! spawn {
                    ($bundle:expr) => {
                        match name {
                            Some(name) => hand.spawn_named(format!("n{name}"), $bundle),
                            None => hand.spawn($bundle),
                        }
                    };
                }
                let id = match parts.next() {
                    None => spawn!(()),
                    Some((kind, script)) => {
                        let label = label();
                        match kind {
                            Kind::Actor => spawn!((Actor { label, script },)),
                            Kind::Calm => spawn!((Calm { label, script },)),
                            Kind::Quick => spawn!((Quick { label },)),
                        }
                    }
                };
                with(|state| state.ids.push(id));
                for (kind, script) in parts {
                    let label = label();
                    let hooked = match kind {
                        Kind::Actor => hand.hook(id, Actor { label, script }),
                        Kind::Calm => hand.hook(id, Calm { label, script }),
                        Kind::Quick => hand.hook(id, Quick { label }),
                    };
                    let hook = hooked.expect("it was just spawned");
                    with(|state| state.hooks.push(hook));
                }
                format!("spawned {}", named(id))
            }
            Line::Despawn(number, reparent) => {
                let children = if reparent { Children::Reparent } else { Children::Follow };
                told(hand.despawn_with(near!(number), children), done)
            }
            Line::Hook(number, kind, script) => {
                let (id, label) = (near!(number), label());
                let hooked = match kind {
                    Kind::Actor => hand.hook(id, Actor { label, script }),
                    Kind::Calm => hand.hook(id, Calm { label, script }),
                    Kind::Quick => hand.hook(id, Quick { label }),
                };
                with(|state| state.hooks.extend(hooked.iter()));
                told(hooked, |_| format!("hooked c{label}"))
            }
            Line::Unhook(number) => told(hand.unhook_any(made!(hooks, number)), done),
            Line::Enable(number, on) => told(hand.set_enabled(made!(hooks, number), on), done),
            Line::Parent(number, parent) => {
                let (id, parent) = (near!(number), parent.and_then(messagee));
                told(hand.set_parent(id, parent), done)
            }
            Line::Bind(mnemonic, number) => told(hand.bind(MNEMONICS[mnemonic], who!(number)), done),
            Line::Unbind(mnemonic, number) => {
                told(hand.unbind(MNEMONICS[mnemonic], who!(number)), done)
            }
            Line::Join(group, number) => {
                told(hand.join(GROUPS[group], who!(number)), |new| format!("joined: {new}"))
            }
            Line::Leave(group, number) => {
                told(hand.leave(GROUPS[group], who!(number)), |was| format!("left: {was}"))
            }
            Line::Name(number, name) => told(hand.set_name(near!(number), format!("n{name}")), done),
            Line::Find(name) => {
                let found: Vec<MessageeId> = hand.find(&format!("n{name}")).collect();
                let found: Vec<String> = found.into_iter().map(named).collect();
                format!("found {found:?}")
            }
            Line::Subscribe(hears) => {
                let label = label();
                let id = match hears.what {
                    What::Act => hand.subscribe(filter::<Act>(hears), move |act: &Act, _| {
                        say(format!("s{label} has {}", act.number));
                    }),
                    What::Note => hand.subscribe(filter::<Note>(hears), move |note: &Note, _| {
                        say(format!("s{label} has {}", note.number));
                    }),
                };
                with(|state| state.subscriptions.push(id));
                format!("subscribed s{label}")
            }
            Line::Follow(hears, script, owner) => {
                let owner = owner.and_then(messagee);
                if owner.is_some_and(is_far) {
                    return nothing();
                }
                let label = label();
                let end = with(|state| state.program.scripts[script].end);
                let made = match (hears.what, end) {
                    (What::Act, End::Fails) => follow!(hand, hears, owner, acts::<bool>(label, script)),
                    (What::Act, _) => follow!(hand, hears, owner, acts::<ControlFlow<()>>(label, script)),
                    (What::Note, End::Fails) => follow!(hand, hears, owner, notes::<bool>(label, script)),
                    (What::Note, _) => follow!(hand, hears, owner, notes::<ControlFlow<()>>(label, script)),
                };
                with(|state| state.subscriptions.extend(made.iter()));
                told(made, |_| format!("follows s{label}"))
            }
            Line::Intercept(hears, consumes) => {
                let label = label();
                let flow = if consumes { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                let id = match hears.what {
                    What::Act => hand.subscribe(filter::<Act>(hears).before(), move |act: &mut Act, _| {
                        say(format!("s{label} intercepts {}", act.number));
                        flow
                    }),
                    What::Note => {
                        hand.subscribe(filter::<Note>(hears).before(), move |note: &mut Note, _| {
                            say(format!("s{label} intercepts {}", note.number));
                            flow
                        })
                    }
                };
                with(|state| state.subscriptions.push(id));
                format!("subscribed s{label}")
            }
            Line::Overhear(number, hears) => {
                let id = near!(number);
                let made = match hears.what {
                    What::Act => hand.overhear(id, filter::<Act>(hears)),
                    What::Note => hand.overhear(id, filter::<Note>(hears)),
                };
                with(|state| state.subscriptions.extend(made.iter()));
                told(made, |_| "overhears".into())
            }
            Line::Unsubscribe(number) => {
                format!("ended: {}", hand.unsubscribe(made!(subscriptions, number)))
            }
            Line::Listen(number, on) => {
                let id = made!(subscriptions, number);
                format!("switched: {}", hand.set_listening(id, on))
            }
            Line::Scale(percent) => {
                let set = hand.set_time_scale(f64::from(percent) / 100.0);
                told(set, done)
            }
            Line::Pause(paused) => {
                hand.set_paused(paused);
                done(())
            }
            // Only from outside.
            Line::Wire(..) => nothing(),
        }
    }};
}

fn in_handler<R>(line: &Line, fuel: u32, cx: &mut Context<'_, R>) -> String {
    line!(line, fuel, cx)
}

fn outside(line: &Line, fuel: u32, manager: &mut MessageManager) -> String {
    if let Line::Wire(from, on, head, to, what) = line {
        return wire(*from, *on, *head, *to, *what, manager);
    }
    line!(line, fuel, manager)
}

fn wire(
    from: usize,
    on: What,
    head: Head,
    to: To,
    what: What,
    manager: &mut MessageManager,
) -> String {
    let Some(from) = messagee(from).filter(|_| with(|state| state.program.far == 0)) else {
        return "nothing".into();
    };
    let wire = match on {
        What::Act => Wire::on::<Act>(from),
        What::Note => Wire::on::<Note>(from),
    };
    let target = match to {
        To::Bound(number) | To::UpFromBound(number) => MNEMONICS[number].into(),
        To::Group(number) => GROUPS[number].into(),
        To::Back | To::Part(_) => WireTarget::Activator,
        To::Id(number) => format!("n{}", number % 3).as_str().into(),
        _ => WireTarget::Me,
    };
    let number = number();
    let wire = match what {
        What::Act => wire.send(target, Act { number, fuel: 1 }),
        What::Note => wire.send(target, Note { number }),
    };
    let wire = wire.stage(STAGES[head.stage]);
    let wire = match head.after {
        After::Milliseconds(delay) => wire.after(Duration::from_millis(delay)),
        _ => wire,
    };
    let wire = match head.every {
        Every::Once => wire,
        Every::Milliseconds(_, times) | Every::Frames(_, times) => wire.times(times),
    };
    format!(
        "{number}: {}",
        manager.wire(wire).map_or("refused", |_| "wired")
    )
}

fn hear_failures(manager: &mut MessageManager) {
    manager.subscribe(Filter::of::<HandlerFailed>(), |failed, _| {
        with(|state| state.aside.push(failed.error.to_string()));
    });
    manager.subscribe(Filter::of::<HandlerPanicked>(), |panicked, _| {
        with(|state| state.aside.push(panicked.panic.clone()));
    });
    manager.subscribe(Filter::of::<DeadLetter>(), |letter, _| {
        let number = letter.message.as_ref().and_then(|message| {
            let act = message.downcast_ref::<Act>().map(|act| act.number);
            act.or_else(|| message.downcast_ref::<Note>().map(|note| note.number))
        });
        // Why too few have received it is told in several ways.
        let why = variant(&letter.why);
        let why = match why.as_str() {
            "EmptyGroup" | "NoHandler" | "Filtered" | "TooFew" => "too few",
            why => why,
        };
        let line = format!("dead: {number:?}, {why}");
        with(|state| state.aside.push(line));
    });
}

fn config() -> ManagerConfig {
    let config = ManagerConfig::new()
        .report_to(ReportTo::Nobody)
        .fixed_step(Duration::from_millis(FIXED_STEP))
        .max_fixed_steps(MOST_FIXED_STEPS);
    if with(|state| state.program.panics()) {
        config.panic_policy(PanicPolicy::Unhook)
    } else {
        config
    }
}

fn restored(manager: &mut MessageManager) -> MessageManager {
    let shelf = manager.find("shelf").next().expect("it stays");
    *manager.get_mut::<Made>(shelf).expect("it stays") = with(|state| Made {
        ids: state.ids.clone(),
        hooks: state.hooks.clone(),
        tickets: state.tickets.clone(),
    });
    let bytes = manager.save(&SaveOptions::new()).expect("all is data");
    let back = MessageManager::restore(&bytes, config()).expect("it was just saved");
    assert_eq!(back.notes, []);
    let mut manager = back.manager;
    let shelf = manager.find("shelf").next().expect("it was saved");
    let made = std::mem::take(&mut *manager.get_mut::<Made>(shelf).expect("it was saved"));
    with(|state| {
        (state.ids, state.hooks, state.tickets) = (made.ids, made.hooks, made.tickets);
        state.subscriptions.clear();
    });
    hear_failures(&mut manager);
    manager
}

/// Who is there: names, families, components in storage order.
fn look(manager: &MessageManager) -> Vec<String> {
    let ids = with(|state| state.ids.clone());
    let mut lines = Vec::new();
    for &id in ids.iter().filter(|&&id| manager.is_alive(id)) {
        let children: Vec<String> = manager.children(id).map(named).collect();
        let hooks = manager.hooks(id).map(|hook| manager.is_enabled(hook));
        let hooks: Vec<bool> = hooks.map(|on| on.expect("it is hooked")).collect();
        let name = manager
            .name(id)
            .filter(|_| !is_far(id))
            .map_or(String::new(), |name| name.to_string());
        lines.push(format!("{} {name:?} {children:?} {hooks:?}", named(id)));
    }
    let bound = MNEMONICS.map(|mnemonic| manager.bound(mnemonic).map(named));
    let members = GROUPS.map(|group| manager.members(group).map(named).collect::<Vec<_>>());
    lines.push(format!("{bound:?} {members:?}"));
    let actors: Vec<u32> = manager.iter::<Actor>().map(|(_, it)| it.label).collect();
    let calm: Vec<u32> = manager.iter::<Calm>().map(|(_, it)| it.label).collect();
    let quick: Vec<u32> = manager.iter::<Quick>().map(|(_, it)| it.label).collect();
    lines.push(format!("{actors:?} {calm:?} {quick:?}"));
    let clock = manager.clock();
    lines.push(format!("{:?} {:?}", clock.now(), clock.unscaled_now()));
    lines.push(format!(
        "{} pending",
        manager.pending_posts(message_core::Posts::all()).len()
    ));
    lines
}

/// What the manager does with a program, step by step.
pub(crate) fn run(program: &Program) -> Run {
    let state = State {
        program: Arc::new(program.clone()),
        log: Vec::new(),
        aside: Vec::new(),
        ids: Vec::new(),
        hooks: Vec::new(),
        tickets: Vec::new(),
        subscriptions: Vec::new(),
        numbers: 0,
        labels: 0,
        left: 0,
    };
    STATE.set(Some(state));
    let mut manager = MessageManager::with_config(config());
    hear_failures(&mut manager);
    manager.spawn_named("shelf", (Made::default(),));
    let mut far = None;
    if program.far > 0 {
        let (world, proxies) = Far::meet(&mut manager, program.far);
        far = Some(world);
        with(|state| state.ids = proxies);
    }
    let mut run = Run::new();
    for step in &program.steps {
        with(|state| state.left = BUDGET);
        let seen = match step {
            Step::Do(line) => outside(line, FUEL, &mut manager),
            Step::Frame(milliseconds) => {
                let dt = Duration::from_millis(*milliseconds);
                match &mut far {
                    Some(far) => far.tick(&mut manager, dt),
                    None => drop(manager.tick(dt)),
                }
                "frame".into()
            }
            Step::Save if far.is_some() => "nothing".into(),
            Step::Save => {
                manager = restored(&mut manager);
                "saved".into()
            }
        };
        say(seen);
        let (mut log, mut aside) = with(|state| {
            (
                std::mem::take(&mut state.log),
                std::mem::take(&mut state.aside),
            )
        });
        log.extend(look(&manager));
        aside.sort();
        run.push(log, aside);
    }
    STATE.set(None);
    run
}
