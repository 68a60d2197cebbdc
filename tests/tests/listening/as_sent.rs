//! Filters and overhearing consider the recipient at the time of the send: mnemonics, groups and families count
//! as they were then, whatever the receivers change.

use std::time::Duration;

use crate::common::{Actor, Do, Log, Note, Tested, Tour, Who, stage};
use crate::subscribers::notes;
use message_core::prelude::*;

mnemonic!(LEAD, DEPUTY);
group!(SQUAD);

/// Binds the mnemonic to another messagee, or unbinds it, when it receives a note.
struct Fickle {
    log: Log,
    heir: Option<MessageeId>,
}

#[handlers]
impl Fickle {
    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.log.add(format!("fickle: {}", note.0));
        if let Some(holder) = cx.bound(LEAD) {
            cx.unbind(LEAD, holder)?;
        }
        self.heir.map_or(Ok(()), |heir| cx.bind(LEAD, heir))
    }

    #[on_receive]
    fn tour(&mut self, tour: &mut Tour, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        tour.0.push("fickle");
        cx.unbind(LEAD, cx.me())
    }
}

/// Returns a manager with a fickle messagee, its heir, and one that nobody listens to.
fn fickle(to_heir: bool) -> (MessageManager, Log, [MessageeId; 2]) {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let heir = manager.spawn(());
    let fickle = Fickle {
        log: log.clone(),
        heir: to_heir.then_some(heir),
    };
    let fickle = manager.spawn((fickle,));
    (manager, log, [fickle, heir])
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_message_that_waits_for_an_interceptor_does_not_slip_past_it_if_the_mnemonic_is_unbound_meanwhile()
-> Tested {
    let (mut manager, log, _) = stage();
    let a = manager.spawn((Actor::new("a", &log),));
    manager.bind(LEAD, a)?;
    let told = log.clone();
    let guard = Filter::of::<Note>().before().to(LEAD);
    manager.subscribe(guard, move |note, cx| {
        told.add(format!("guard: {}", note.0));
        if note.0 == "1" {
            // It waits until the guard is free.
            cx.send(a, Note("2")).expect("it is kept");
            cx.unbind(LEAD, a).expect("it is bound");
        }
    });
    manager.send(a, Note("1"))?;
    assert_eq!(log.take(), ["guard: 1", "guard: 2", "a: 2", "a: 1"]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_message_that_waits_for_an_interceptor_does_not_come_to_another_whose_mnemonic_is_bound_meanwhile()
-> Tested {
    let (mut manager, log, _) = stage();
    let a = manager.spawn((Actor::new("a", &log),));
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().before().to(a), move |note, cx| {
        if note.0 == "1" {
            cx.send(a, Note("2")).expect("it is kept");
            cx.bind(LEAD, a).expect("it is free");
        }
    });
    manager.subscribe(Filter::of::<Note>().before().to(LEAD), move |note, _| {
        told.add(format!("guard: {}", note.0));
    });
    manager.send(a, Note("1"))?;
    assert_eq!(log.take(), ["a: 2", "a: 1"]);
    manager.send(a, Note("3"))?;
    assert_eq!(log.take(), ["guard: 3", "a: 3"]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_handler_that_hands_the_mnemonic_on_does_not_hide_the_message_from_those_who_ask_for_it()
-> Tested {
    for to_heir in [false, true] {
        let (mut manager, log, [fickle, heir]) = fickle(to_heir);
        manager.subscribe(Filter::of::<Note>().to(LEAD), notes(&log, "lead"));
        manager.subscribe(Filter::of::<Note>().to(Up(LEAD)), notes(&log, "up"));
        manager.subscribe(Filter::of::<Note>().to(heir), notes(&log, "heir"));
        let (lead, up): ([Recipient; 2], [Recipient; 2]) =
            ([fickle.into(), LEAD.into()], [Up(fickle), Up(LEAD)]);
        for (to, name) in lead
            .map(|to| (to, "lead"))
            .into_iter()
            .chain(up.map(|to| (to, "up")))
        {
            if let Some(bound) = manager.bound(LEAD) {
                manager.unbind(LEAD, bound)?;
            }
            manager.bind(LEAD, fickle)?;
            assert_eq!(manager.send(to, Note("1"))?.received, 2, "{to}");
            assert_eq!(
                log.take(),
                ["fickle: 1".to_owned(), format!("{name}: 1")],
                "{to}"
            );
        }
        // Among others, so that it is not the only one who hears.
        manager.subscribe(Filter::all().hidden(), |_, _| {});
        manager.bind(DEPUTY, fickle)?;
        manager.subscribe(
            Filter::all().to(DEPUTY),
            crate::subscribers::all(&log, "deputy"),
        );
        if manager.bound(LEAD).is_some() {
            manager.unbind(LEAD, heir)?;
        }
        manager.bind(LEAD, fickle)?;
        manager.send(fickle, Note("2"))?;
        let expected = ["fickle: 2", "lead: 2", "deputy: Note(\"2\")"];
        assert_eq!(log.take(), expected);
    }
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_handler_that_binds_the_mnemonic_does_not_make_others_hear_the_message() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Do>().to(LEAD), |_, _| unreachable!());
    manager.subscribe(Filter::of::<Do>().to(Up(LEAD)), |_, _| unreachable!());
    let script = || {
        Do::new(move |cx| {
            if cx.bound(LEAD).is_none() {
                cx.bind(LEAD, cx.me()).expect("it is free");
            }
        })
    };
    manager.send(actor, script())?;
    manager.unbind(LEAD, actor)?;
    manager.send(Up(actor), script())?;
    manager.unbind(LEAD, actor)?;
    let all = log.clone();
    manager.subscribe(Filter::all(), move |message, _| all.add(message.name()));
    manager.send(actor, script())?;
    assert_eq!(log.take().len(), 1);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_message_that_stays_with_its_sender_is_heard_by_those_who_asked_when_it_was_sent() -> Tested {
    let (mut manager, log, [fickle, _]) = fickle(false);
    manager.bind(LEAD, fickle)?;
    let told = log.clone();
    manager.subscribe(Filter::of::<Tour>().to(LEAD), move |tour, _| {
        told.add(tour.0.join(" "));
    });
    manager.send_mut(fickle, &mut Tour::default())?;
    assert_eq!(log.take(), ["fickle"]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn one_with_a_stage_receives_what_was_sent_to_whom_the_mnemonic_was_bound_to() -> Tested {
    let (mut manager, log, [fickle, _]) = fickle(false);
    manager.bind(LEAD, fickle)?;
    let late = Filter::of::<Note>().to(LEAD).stage(Stage::Update);
    manager.subscribe(late, notes(&log, "late"));
    assert_eq!(manager.send(fickle, Note("1"))?.pending, 1);
    assert_eq!(manager.send(fickle, Note("2"))?.pending, 0);
    manager.bind(LEAD, fickle)?;
    manager.tick(Duration::ZERO);
    assert_eq!(log.take(), ["fickle: 1", "fickle: 2", "late: 1"]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_message_kept_for_a_newborn_is_heard_by_those_who_asked_when_it_was_sent() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        for (name, to) in [("lead", LEAD), ("deputy", DEPUTY)] {
            cx.subscribe(Filter::of::<Note>().to(to), notes(&told, name));
        }
        let newborn = cx.spawn(());
        cx.bind(LEAD, newborn).expect("it is free");
        cx.send(newborn, Note("1")).expect("it is kept");
        cx.unbind(LEAD, newborn).expect("it is bound");
        cx.bind(DEPUTY, newborn).expect("it is free");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["lead: 1"]);
    Ok(())
}

// holds: subscriptions.to-mnemonic-when-sent
#[test]
fn a_request_is_heard_by_those_who_asked_when_it_was_sent() -> Tested {
    struct Oracle;

    #[handlers]
    impl Oracle {
        #[on_receive]
        fn who(&mut self, _: &Who, cx: &mut Context<'_>) -> &'static str {
            cx.unbind(LEAD, cx.me()).expect("it is bound");
            "oracle"
        }
    }

    let (mut manager, log, _) = stage();
    let oracle = manager.spawn((Oracle,));
    manager.bind(LEAD, oracle)?;
    let told = log.clone();
    manager.subscribe(Filter::of::<Who>().to(LEAD), move |_, _| told.add("lead"));
    manager.request(oracle, Who)?;
    assert_eq!(log.take(), ["lead"]);
    Ok(())
}

/// Leaves its group, or goes to another family, when it hears a word.
struct Deserter(Log);

#[handlers]
impl Deserter {
    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let how = if cx.is_overheard() { " overheard" } else { "" };
        self.0.add(format!("deserter: {}{how}", note.0));
        cx.leave(SQUAD, cx.me())?;
        cx.set_parent(cx.me(), None)
    }
}

// holds: overhearing.not-twice, overhearing.decided-when-sent
#[test]
fn who_leaves_its_group_or_family_by_a_message_does_not_overhear_that() -> Tested {
    let (mut manager, log, actor) = stage();
    let deserter = manager.spawn((Deserter(log.clone()),));
    manager.overhear(deserter, Filter::of::<Note>())?;
    for to in [Recipient::Group(SQUAD), Down(actor)] {
        manager.join(SQUAD, deserter)?;
        manager.set_parent(deserter, Some(actor))?;
        manager.send(to, Note("1"))?;
        let mut heard = log.take();
        heard.retain(|line| line.starts_with("deserter"));
        assert_eq!(heard, ["deserter: 1"], "{to}");
    }
    Ok(())
}

// holds: overhearing.not-twice, overhearing.decided-when-sent
#[test]
fn who_joins_a_group_while_a_message_is_under_way_overhears_that() -> Tested {
    struct Recruiter(MessageeId);

    #[handlers]
    impl Recruiter {
        #[on_receive]
        fn note(&mut self, _: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
            cx.join(SQUAD, self.0).map(|_| ())
        }
    }

    let (mut manager, log, actor) = stage();
    let recruiter = manager.spawn((Recruiter(actor),));
    manager.join(SQUAD, recruiter)?;
    manager.overhear(actor, Filter::of::<Note>())?;
    manager.send(SQUAD, Note("1"))?;
    assert_eq!(log.take(), ["actor: 1"]);
    Ok(())
}
