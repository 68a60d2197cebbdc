//! Why something happened: the contents and the text of `explain`.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    clippy::unused_self,
    reason = "a handler takes its component, used or not, and a reference to the message"
)]

use std::ops::ControlFlow;

use crate::common::{Do, Ear, Note, Peek, Tested, slot, stage};
use crate::pending::ms;
use crate::traces::{explain, recorded, told};
use message_core::PanicPolicy;
use message_core::Recipient::Me;
use message_core::TraceId;
use message_core::prelude::*;
use message_core::trace::{SentBy, TraceOutcome, Traced};
use message_trace::{Recorder, TraceFilter};

#[derive(Message, Debug)]
#[message(name = "Alarm")]
struct Alarm {
    level: u8,
}

#[derive(Message, Debug)]
#[message(name = "Fire")]
struct Fire;

#[derive(Message)]
#[message(name = "Report", reply = u8)]
struct Report;

mnemonic!(GUN = "GUN");

/// Fires the gun after a while.
struct Guard;

#[handlers]
impl Guard {
    #[on_receive]
    fn alarm(&mut self, alarm: &Alarm, cx: &mut Context<'_>) -> Result<(), SendError> {
        let frames = u64::from(alarm.level);
        let header = Header::to(GUN).after_frames(frames).build();
        cx.post(&header.expect("it is plain"), Fire).map(drop)
    }
}

/// Reports to itself while it fires.
#[derive(Default)]
struct Gun {
    last: Option<TraceId>,
}

#[handlers]
impl Gun {
    #[on_receive]
    fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(Me, Report).map(drop)
    }

    #[on_receive]
    fn report(&mut self, _: &Report, cx: &mut Context<'_>) -> u8 {
        self.last = cx.trace_id();
        7
    }
}

/// Everything that can happen to a message at its receiver.
#[derive(Message, Debug, Clone, Copy)]
#[message(name = "Offer")]
enum Offer {
    Take,
    Decline,
    Consume,
    Fail,
    Panic,
}

struct Buyer;

#[handlers]
impl Buyer {
    #[on_receive]
    fn offer(&mut self, offer: &Offer) -> Result<ControlFlow<()>, &'static str> {
        match offer {
            Offer::Take | Offer::Decline => Ok(ControlFlow::Continue(())),
            Offer::Consume => Ok(ControlFlow::Break(())),
            Offer::Fail => Err("too dear"),
            Offer::Panic => panic!("no!"),
        }
    }
}

struct Miser;

#[handlers]
impl Miser {
    #[on_receive]
    fn offer(&mut self, offer: &Offer) -> bool {
        !matches!(offer, Offer::Decline)
    }
}

/// Returns a guard and a gun, and the number of the report that an alarm of that level leads to.
fn shot(level: u8, recorder: Recorder) -> (MessageManager, TraceId) {
    let mut manager = MessageManager::new();
    let guard = manager.spawn((Guard,));
    let gun = manager.spawn((Gun::default(),));
    manager.bind(GUN, gun).expect("it is free");
    recorder.start(&mut manager);
    manager.send(guard, Alarm { level }).expect("it is there");
    for _ in 0..level {
        manager.tick(ms(10));
    }
    let last = manager.get::<Gun>(gun).expect("it is there").last;
    (manager, last.expect("it was traced"))
}

/// Returns the lines of a text without the line and column numbers of places.
fn without_places(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let (before, after) = line.split_once(".rs:").unwrap_or((line, ""));
        let after = after.trim_start_matches(|it: char| it.is_ascii_digit() || it == ':');
        format!("{before}{}{after}", if before == line { "" } else { ".rs" })
    };
    text.lines().map(line).collect()
}

// holds: seeing.explain-chain
#[test]
fn it_prints_who_sent_what_to_whom_where_and_when_and_who_received_it_in_which_handler() {
    let (manager, last) = shot(2, Recorder::new(100).with_contents());
    let why = explain(&manager, last)
        .expect("it was recorded")
        .to_string();
    let here = file!();
    assert_eq!(
        without_places(&why),
        [
            format!(
                "#1 `Alarm` sent by outside to messagee 0v0 at {here}, in frame 0 at 0ns: \
                 Alarm {{ level: 2 }}"
            ),
            "  #2 received by `seeing::explaining::Guard` of messagee 0v0 in `alarm`".to_owned(),
            format!(
                "    #3 `Fire` posted by messagee 0v0 to `GUN` at {here} for Update, \
                 in frame 0 at 0ns: Fire"
            ),
            "      #4 received by `seeing::explaining::Gun` of messagee 1v0 in `fire`, in frame 2 \
             at 20ms"
                .to_owned(),
            format!(
                "        #5 `Report` sent by messagee 1v0 to the sender itself at {here}, \
                 in frame 2 at 20ms: Report {{ .. }}"
            ),
            "          #6 received by `seeing::explaining::Gun` of messagee 1v0 in \
             `report`"
                .to_owned(),
            "          #5 waits until `seeing::explaining::Gun` of messagee 1v0 is free".to_owned(),
            "          #5 settled: received by 0, later by 1".to_owned(),
            "          #6 answered".to_owned(),
        ]
    );
}

// holds: seeing.explain-chain
#[test]
fn the_chain_goes_from_the_outermost_cause_to_what_was_asked_about() {
    let (manager, last) = shot(1, Recorder::new(100));
    let why = explain(&manager, last).expect("it was recorded");
    let names: Vec<_> = why.chain.iter().map(|link| link.message).collect();
    assert_eq!(
        names,
        ["Alarm", "Alarm", "Fire", "Fire", "Report", "Report"]
    );
    let is_sent = |at: usize| matches!(why.chain[at].what, Traced::Sent { .. });
    assert!((0..6).all(|at| is_sent(at) == (at % 2 == 0)));
    assert_eq!(why.unknown_cause, None);
    assert_eq!(
        why.chain.last().and_then(|it| it.what.delivery()),
        Some(last)
    );
    assert_eq!(why.outcome.len(), 4);
}

// holds: seeing.explain-outcome
#[test]
fn asked_about_a_send_it_ends_there_and_tells_of_all_its_deliveries() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Buyer, Miser, Buyer));
    Recorder::new(100).start(&mut manager);
    manager.send(id, Offer::Decline)?;
    let send = told(&manager).send::<Offer>().number;
    let why = explain(&manager, send).ok_or("it was recorded")?;
    assert_eq!(why.chain.len(), 1);
    let outcomes = why.outcome.iter().filter_map(|event| match &event.what {
        Traced::Returned { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    let expected = [
        TraceOutcome::Received,
        TraceOutcome::Declined,
        TraceOutcome::Received,
    ];
    assert!(outcomes.eq(expected));
    let printed = why.to_string();
    assert_eq!(printed.matches("received by `").count(), 3, "{printed}");
    assert!(printed.contains("\n  #3 declined\n"), "{printed}");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn it_tells_how_each_delivery_went() -> Tested {
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    for (offer, expected) in [
        (
            Offer::Take,
            &["#2 returned", "#1 settled: received by 1"][..],
        ),
        (Offer::Consume, &["#2 consumed it"]),
        (
            Offer::Fail,
            &["#2 failed: too dear", "#2 returned an error"],
        ),
        (Offer::Panic, &["#2 panicked", "#1 settled: received by 1"]),
    ] {
        let mut manager = MessageManager::with_config(config.clone());
        let buyer = manager.spawn((Buyer,));
        Recorder::new(100).start(&mut manager);
        manager.send(buyer, offer)?;
        let send = told(&manager).send::<Offer>().number;
        let why = explain(&manager, send)
            .ok_or("it was recorded")?
            .to_string();
        for line in expected {
            assert!(why.contains(line), "{line} in\n{why}");
        }
    }
    Ok(())
}

#[test]
fn nothing_is_told_of_a_number_that_was_not_recorded() {
    let (mut manager, last) = shot(1, Recorder::new(100));
    let recorder = Recorder::stop(&mut manager).expect("it was started");
    assert!(explain(&manager, last).is_none());
    // The recorder itself still can.
    assert!(recorder.explain(last).is_some());
    let empty = Recorder::new(1);
    assert!(empty.explain(last).is_none());
}

// holds: seeing.explain-gaps
#[test]
fn it_says_so_where_the_chain_goes_on_to_what_was_overwritten() {
    let (manager, last) = shot(1, Recorder::new(9));
    let why = explain(&manager, last).expect("the end of it is recorded");
    let unknown = why.unknown_cause.expect("the beginning is not");
    assert!(explain(&manager, unknown).is_none());
    let printed = why.to_string();
    let first = printed.lines().next().expect("there are lines");
    assert_eq!(first, format!("{unknown}, of which nothing is recorded"));
    assert!(printed.contains("\n  #"), "what follows is further in");
}

// holds: seeing.explain-gaps
#[test]
fn it_says_so_where_the_chain_goes_on_to_what_was_not_recorded() {
    let only = TraceFilter::of::<Report>().or_of::<Alarm>();
    let (manager, last) = shot(1, Recorder::new(100).only(only));
    let why = explain(&manager, last).expect("the end of it is recorded");
    assert_eq!(why.chain.len(), 2);
    assert_eq!(why.unknown_cause.map(TraceId::get), Some(4));
}

#[test]
fn a_cause_that_was_named_by_hand_and_is_later_ends_the_chain() -> Tested {
    let (mut manager, _, actor) = recorded();
    for text in ["1", "2"] {
        manager.send(actor, Note(text))?;
    }
    let later = told(&manager).deliveries::<Note>()[1];
    Recorder::stop(&mut manager);
    // Another manager starts its own numbering.
    let (mut other, log, _) = recorded();
    let ear = other.spawn((Ear::new("ear", &log),));
    Recorder::new(100).start(&mut other);
    let header = Header::to(ear).build()?;
    other.with_cause(later, |other| other.post(&header, Peek("early")))?;
    let send = told(&other).send::<Peek>();
    assert_eq!((send.cause, send.by), (Some(later), SentBy::Post));
    let why = explain(&other, send.number).ok_or("it was recorded")?;
    assert_eq!(why.chain.len(), 1);
    Ok(())
}

// holds: seeing.explain-chain
#[test]
fn a_handler_can_ask_why_it_runs() -> Tested {
    let (mut manager, _, actor) = recorded();
    let (put, get) = slot();
    manager.send(
        actor,
        Do::new(move |cx| {
            let recorder = cx.trace_sink::<Recorder>();
            let why = cx.trace_id().and_then(|id| recorder?.explain(id));
            put(why.map(|why| (why.chain.len(), why.to_string())));
        }),
    )?;
    let (links, text) = get().ok_or("it is traced")?;
    assert_eq!(links, 2);
    assert!(text.contains("in `act`"), "{text}");
    Ok(())
}

// holds: seeing.explain-outcome
#[test]
fn of_a_message_that_was_retained_before_it_tells_how_the_one_delivery_went() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.post(&Header::to(actor).retain().build()?, Note("kept"))?;
    Recorder::new(100).start(&mut manager);
    for _ in 0..2 {
        manager.subscribe(Filter::of::<Note>().with_retained(), |_, _| ());
    }
    let calls = told(&manager).calls::<Note>();
    assert_eq!(calls.len(), 2);
    for (delivery, send) in calls {
        assert_eq!(send, None);
        let why = explain(&manager, delivery).ok_or("it was recorded")?;
        assert_eq!((why.chain.len(), why.unknown_cause), (1, None));
        let text = why.to_string();
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        assert!(lines[0].starts_with(&format!("{delivery} received by subscription")));
        assert_eq!(lines[1..], [format!("{delivery} returned")]);
    }
    Ok(())
}
