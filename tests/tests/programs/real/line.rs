//! The lines of a program, done from outside and in handlers.

use std::ops::ControlFlow;
use std::time::Duration;

use message_core::Children;
use message_core::prelude::*;
use message_data::{self as data, Wire, WireTarget};

use super::cast::{Act, Actor, Ask, Calm, Ends, Note, Quick, Tour, addressee, run_lines};
use super::header::{GROUPS, MNEMONICS, STAGES, filter, header, receipt, recipient};
use super::state::{at, is_far, label, messagee, named, number, say, told, with};
use crate::program::{After, End, Every, Head, Kind, Line, To, What};

/// The operations that the manager and a context share here.
pub(super) trait Hand {
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

/// Returns a subscriber that runs a script when it receives an `Act`.
pub(super) fn acts<T: Ends>(
    label: u32,
    script: usize,
) -> impl FnMut(&Act, &mut SubscriberContext<'_>) -> T + Send {
    move |act, cx| {
        let who = format!("s{label}");
        T::ends(run_lines(&who, script, act.number, act.fuel, cx))
    }
}

/// Like [`acts`], but for a `Note`, which has no fuel of its own.
pub(super) fn notes<T: Ends>(
    label: u32,
    script: usize,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) -> T + Send {
    move |note, cx| T::ends(run_lines(&format!("s{label}"), script, note.number, 1, cx))
}

macro_rules! follow {
    ($hand:expr, $hears:expr, $owner:expr, $subscriber:expr) => {
        match $owner {
            Some(owner) => $hand.subscribe_for(owner, filter($hears, &*$hand), $subscriber),
            None => Ok($hand.subscribe(filter($hears, &*$hand), $subscriber)),
        }
    };
}

/// Executes a line by the manager or a context, and returns what the program sees of it.
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
                format!("{number}: {}", told(posted, |ticket| {
                    ticket.receipt().map_or("posted".into(), receipt)
                }))
            }
            Line::Letter(head, to, what) => {
                let to = reach!(to);
                if matches!(to, Recipient::Id(id) if is_far(id)) {
                    return nothing();
                }
                let (number, inlet) = (number(), with(|state| state.inlet.clone()));
                let header = header(to, head);
                let posted = match what {
                    What::Act => told(inlet.try_post(header, Act { number, fuel }), done),
                    What::Note => told(inlet.try_post(header, Note { number }), done),
                };
                format!("{number}: {posted}")
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
                    What::Act => hand.subscribe(filter::<Act>(hears, &*hand), move |act: &Act, cx| {
                        say(format!("s{label} has {}{}", act.number, addressee(cx)));
                    }),
                    What::Note => {
                        hand.subscribe(filter::<Note>(hears, &*hand), move |note: &Note, cx| {
                            say(format!("s{label} has {}{}", note.number, addressee(cx)));
                        })
                    }
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
                let hears = hears.of_an_interceptor();
                let flow = if consumes { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                let id = match hears.what {
                    What::Act => hand.subscribe(filter::<Act>(hears, &*hand).before(), move |act: &mut Act, _| {
                        say(format!("s{label} intercepts {}", act.number));
                        flow
                    }),
                    What::Note => {
                        hand.subscribe(filter::<Note>(hears, &*hand).before(), move |note: &mut Note, _| {
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
                    What::Act => hand.overhear(id, filter::<Act>(hears, &*hand)),
                    What::Note => hand.overhear(id, filter::<Note>(hears, &*hand)),
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
            Line::Wire(..) | Line::Forget(..) => nothing(),
        }
    }};
}

pub(super) fn in_handler<R>(line: &Line, fuel: u32, cx: &mut Context<'_, R>) -> String {
    line!(line, fuel, cx)
}

pub(super) fn outside(line: &Line, fuel: u32, manager: &mut MessageManager) -> String {
    if let Line::Wire(from, on, head, to, what) = line {
        return wire(*from, *on, *head, *to, *what, manager);
    }
    if let Line::Forget(to, what) = line {
        let Some(to) = recipient(*to, manager) else {
            return "nothing".into();
        };
        let forgotten = match what {
            What::Act => manager.forget_retained::<Act>(to),
            What::Note => manager.forget_retained::<Note>(to),
        };
        return format!("forgotten: {forgotten}");
    }
    line!(line, fuel, manager)
}

pub(super) fn wire(
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
        To::Back => WireTarget::Sender,
        To::Part(_) => WireTarget::Activator,
        To::Id(number) => format!("n{}", number % 3).as_str().into(),
        _ => WireTarget::Me,
    };
    let number = number();
    let wire = match what {
        What::Act => wire.send(target, Act { number, fuel: 1 }),
        What::Note => wire.send(target, Note { number }),
    };
    let wire = wire.header(|it| it.stage(STAGES[head.stage % STAGES.len()]));
    let wire = match head.after {
        After::Milliseconds(delay) => wire.header(|it| it.after(Duration::from_millis(delay))),
        _ => wire,
    };
    let wire = match head.every {
        Every::Once => wire,
        Every::Milliseconds(_, times) | Every::Frames(_, times) => wire.times(times),
    };
    format!(
        "{number}: {}",
        data::add_wire(manager, wire).map_or("refused", |_| "wired")
    )
}
