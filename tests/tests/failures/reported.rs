//! Nothing fails silently: failures that nobody handles are reported, and receipts, frames and errors
//! mention them.

use std::cell::RefCell;
use std::error::Error;
use std::num::ParseIntError;
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::common::{Actor, Consider, Do, Log, Note, Tested, Tour, panic_of};
use message_core::Recipient::EveryoneElse;
use message_core::Recipient::Me;
use message_core::lifecycle::{DeadLetter, HandlerFailed, HandlerPanicked};
use message_core::prelude::*;
use message_core::{
    PanicPolicy,
    error::Undelivered,
    report::{Report, ReportTo},
};

/// A report: its kind and its text.
type Reported = (&'static str, String);

thread_local! {
    static REPORTS: RefCell<Vec<Reported>> = const { RefCell::new(Vec::new()) };
}

fn note(report: &Report) {
    let kind = match report {
        Report::HandlerFailed(_) => "failed",
        Report::HandlerPanicked(_) => "panicked",
        Report::DeadLetter(_) => "dead letter",
        Report::NotKept(_) => "not kept",
        Report::Unhandled(_) => "unhandled",
        _ => "other",
    };
    REPORTS.with_borrow_mut(|reports| reports.push((kind, report.to_string())));
}

fn reported() -> Vec<Reported> {
    REPORTS.take()
}

fn kinds() -> Vec<&'static str> {
    reported().into_iter().map(|(kind, _)| kind).collect()
}

fn noting() -> ManagerConfig {
    ManagerConfig::new().report_to(ReportTo::Function(note))
}

/// A number in words of digits.
#[derive(Message, Clone)]
#[message(reply = u32)]
struct Parse(&'static str);

/// Like [`Parse`], but without a reply.
#[derive(Message)]
struct Check(&'static str);

/// Ends in a panic.
#[derive(Message)]
struct Jam;

/// Sends itself the same again, and says when that has failed.
#[derive(Message)]
struct Storm;

/// Sends itself the same again, regardless of the outcome.
#[derive(Message)]
struct Squall;

#[derive(Default)]
struct Parser {
    checked: usize,
}

#[handlers]
impl Parser {
    #[on_receive]
    fn parse(&self, it: &Parse) -> Result<u32, ParseIntError> {
        it.0.parse()
    }

    #[on_receive]
    fn check(&mut self, it: &Check, cx: &mut Context<'_>) -> Result<(), ParseIntError> {
        self.checked += 1;
        // The message to itself is kept until it is free.
        if it.0 == "twice" {
            let _ = cx.send(Me, Check("not once"));
        }
        it.0.parse::<u32>().map(drop)
    }

    #[on_receive]
    fn jam(&mut self, _: &Jam) {
        panic!("it jams");
    }

    #[on_receive]
    fn storm(&mut self, _: &Storm, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(Me, Storm).map(drop)
    }

    #[on_receive]
    fn squall(&mut self, _: &Squall, cx: &mut Context<'_>) {
        let _ = cx.send(Me, Squall);
    }
}

/// Receives every failure message, and accepts or declines it.
struct Nurse {
    takes: bool,
    told: usize,
}

#[handlers]
impl Nurse {
    #[on_receive]
    fn failed(&mut self, _: &HandlerFailed) -> bool {
        self.told += 1;
        self.takes
    }

    #[on_receive]
    fn panicked(&mut self, _: &HandlerPanicked) -> bool {
        self.told += 1;
        self.takes
    }

    #[on_receive]
    fn died(&mut self, _: &DeadLetter) -> bool {
        self.told += 1;
        self.takes
    }
}

/// Lets everything happen that is reported: an error, a panic, a dead letter, a message that is not kept.
fn fail_in_every_way(manager: &mut MessageManager) -> Tested {
    let one = manager.spawn((Parser::default(),));
    manager.send(one, Check("one"))?;
    manager.send(one, Squall)?;
    let header = Header::to(Everyone).after_frames(1).require(1).build()?;
    manager.post(&header, Note("nobody"))?;
    manager.tick(Duration::ZERO);
    manager.send(one, Jam)?;
    Ok(())
}

fn failing() -> ManagerConfig {
    noting().panic_policy(PanicPolicy::Unhook).max_kept(20)
}

// holds: failures.untold-reported
#[test]
fn what_nobody_is_told_of_is_reported() -> Tested {
    let mut manager = MessageManager::with_config(failing());
    fail_in_every_way(&mut manager)?;
    assert_eq!(kinds(), ["failed", "not kept", "dead letter", "panicked"]);
    Ok(())
}

// holds: failures.told
#[test]
fn what_somebody_has_received_is_not_reported() -> Tested {
    let mut manager = MessageManager::with_config(failing());
    let nurse = Nurse {
        takes: true,
        told: 0,
    };
    let nurse = manager.spawn((nurse,));
    let one = manager.spawn((
        Parser::default(),
        Nurse {
            takes: true,
            told: 0,
        },
    ));
    manager.send(one, Check("one"))?;
    manager.send(one, Jam)?;
    let header = Header::to(Everyone).after_frames(1).require(1).build()?;
    manager.post(&header, Note("nobody"))?;
    manager.tick(Duration::ZERO);
    assert_eq!(reported(), []);
    assert_eq!(manager.get::<Nurse>(nurse)?.told, 2);
    assert_eq!(manager.get::<Nurse>(one)?.told, 3);
    Ok(())
}

// holds: failures.told
#[test]
fn a_handler_that_declines_the_news_has_not_been_told() -> Tested {
    let mut manager = MessageManager::with_config(failing());
    let nurse = manager.spawn((Nurse {
        takes: false,
        told: 0,
    },));
    fail_in_every_way(&mut manager)?;
    assert_eq!(kinds(), ["failed", "not kept", "dead letter", "panicked"]);
    assert_eq!(manager.get::<Nurse>(nurse)?.told, 2);
    Ok(())
}

// holds: failures.told
#[test]
fn subscribers_and_interceptors_are_told_also_if_they_are_hidden() -> Tested {
    let filters = [
        Filter::of::<HandlerFailed>(),
        Filter::of::<HandlerFailed>().hidden(),
        Filter::of::<HandlerFailed>().stage(Stage::Update),
    ];
    for filter in filters {
        let mut manager = MessageManager::with_config(noting());
        manager.subscribe(filter, |_, _| {});
        let one = manager.spawn((Parser::default(),));
        manager.send(one, Check("one"))?;
        assert_eq!(reported(), []);
    }
    let mut manager = MessageManager::with_config(noting());
    manager.subscribe(Filter::all().hidden(), |_, _| {});
    let one = manager.spawn((Parser::default(),));
    manager.send(one, Check("one"))?;
    assert_eq!(reported(), []);
    let other = manager.spawn(());
    let mut manager = MessageManager::with_config(noting());
    manager.subscribe(Filter::of::<HandlerFailed>().from(other), |_, _| {});
    let one = manager.spawn((Parser::default(),));
    manager.send(one, Check("one"))?;
    assert_eq!(kinds(), ["failed"], "its filter lets nothing pass");
    Ok(())
}

// holds: failures.untold-reported
#[test]
fn a_report_has_the_place_the_sources_and_the_chain() -> Tested {
    let mut manager = MessageManager::with_config(noting());
    let parser = manager.spawn((Parser::default(),));
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    let line = line!() + 2;
    let script = Do::new(move |cx| {
        cx.send(parser, Check("one")).expect("sent");
    });
    manager.send(actor, script)?;
    let reports = reported();
    let [(_, text)] = &*reports else {
        panic!("{reports:?}");
    };
    let expected = format!(
        "`failures::reported::Parser` of messagee {parser} failed in `check` on \
         `failures::reported::Check` from messagee {actor}, sent at {}:{line}:",
        file!()
    );
    assert!(text.starts_with(&expected), "{text}\n{expected}");
    let chain = format!(
        ": invalid digit found in string; running: `failures::common::Actor` of messagee {actor} \
         on "
    );
    assert!(text.contains(&chain), "{text}");
    Ok(())
}

#[test]
fn the_sources_of_an_error_are_printed_behind_it_and_none_twice() -> Tested {
    #[derive(Debug)]
    struct Outer(Option<Box<Outer>>, &'static str);
    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.1)
        }
    }
    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.0.as_deref().map(|it| it as _)
        }
    }
    #[derive(Message)]
    #[message(name = "reported.sources")]
    struct Sources;
    struct Failing;
    #[handlers]
    impl Failing {
        #[on_receive]
        fn fail(&mut self, _: &Sources) -> Result<(), Outer> {
            let inner = Outer(None, "the file is gone");
            let middle = Outer(Some(Box::new(inner)), "cannot read: the file is gone");
            Err(Outer(Some(Box::new(middle)), "no config"))
        }
    }
    let mut manager = MessageManager::with_config(noting());
    let id = manager.spawn((Failing,));
    manager.send(id, Sources)?;
    let text = reported().remove(0).1;
    assert!(
        text.ends_with(": no config: cannot read: the file is gone"),
        "{text}"
    );
    Ok(())
}

// holds: failures.reported-when
#[test]
fn a_report_comes_when_no_handler_is_running() -> Tested {
    thread_local! {
        static RUNNING: RefCell<bool> = const { RefCell::new(false) };
    }
    fn check(report: &Report) {
        assert!(!RUNNING.with_borrow(|running| *running), "{report}");
        note(report);
    }
    let config = ManagerConfig::new().report_to(ReportTo::Function(check));
    let mut manager = MessageManager::with_config(config);
    let parser = manager.spawn((Parser::default(),));
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    let script = Do::new(move |cx| {
        RUNNING.with_borrow_mut(|running| *running = true);
        cx.send(parser, Check("one")).expect("sent");
        RUNNING.with_borrow_mut(|running| *running = false);
    });
    manager.send(actor, script)?;
    assert_eq!(kinds(), ["failed"]);
    Ok(())
}

// holds: send.failure-while-telling
#[test]
fn a_failure_on_the_way_of_telling_a_failure_is_reported() -> Tested {
    struct Clumsy;
    #[handlers]
    impl Clumsy {
        #[on_receive]
        fn failed(&mut self, _: &HandlerFailed) -> Result<(), HandlerError> {
            Err("it drops the letter".into())
        }
    }
    let mut manager = MessageManager::with_config(noting());
    manager.spawn((Clumsy,));
    let parser = manager.spawn((Parser::default(),));
    assert_eq!(manager.send(parser, Check("one"))?.failed, 2);
    let reports = reported();
    let [("failed", text)] = &*reports else {
        panic!("{reports:?}");
    };
    assert!(text.ends_with("it drops the letter"), "{text}");
    Ok(())
}

// holds: failures.untold-reported
#[test]
fn a_dead_letter_is_reported_if_receivers_were_required_or_a_limit_was_hit() -> Tested {
    let mut manager = MessageManager::with_config(noting());
    let gone = manager.spawn(());
    let soon = Header::to(gone).after_frames(1);
    manager.post(&soon.build()?, Note("to who goes"))?;
    manager.post(&soon.require(1).build()?, Note("required"))?;
    manager.despawn(gone)?;
    assert_eq!(manager.tick(Duration::ZERO).dead_letters, 2);
    let reports = reported();
    let [("dead letter", text)] = &*reports else {
        panic!("{reports:?}");
    };
    assert!(text.contains("expected at least 1"), "{text}");

    let mut manager = MessageManager::with_config(noting().max_pending(1));
    manager.subscribe(Filter::of::<Note>().stage(Stage::Update), |_, _| {});
    let (tell, told) = channel();
    let ear = manager.spawn(());
    manager.send(ear, Note("waits"))?;
    manager.send(ear, Note("one too many"))?;
    let reports = reported();
    assert!(matches!(&*reports, [("dead letter", _)]), "{reports:?}");
    assert!(reports[0].1.contains("`ManagerConfig::max_pending`"));
    // Now somebody receives it.
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let refused = matches!(letter.why, Undelivered::Refused { .. });
        tell.send(refused).expect("it is awaited");
    });
    manager.send(ear, Note("one too many"))?;
    assert!(told.try_recv()?);
    assert_eq!(reported(), []);
    Ok(())
}

// holds: failures.report-to
#[test]
fn a_closure_is_called_with_each_report_and_is_dropped_with_the_last_config() -> Tested {
    let (send, receive) = std::sync::mpsc::channel();
    let to = ReportTo::closure(move |report| send.send(report.headline()).expect("it is open"));
    assert_eq!(
        (&to, format!("{to:?}")),
        (&to.clone(), "Closure(..)".into())
    );
    assert_ne!(to, ReportTo::closure(|_| {}));
    assert_ne!(to, ReportTo::Nobody);
    let config = ManagerConfig::new().report_to(to);
    assert_eq!(config, config.clone());
    let mut managers = [config.clone(), config].map(MessageManager::with_config);
    for (manager, label) in managers.iter_mut().zip([1, 2]) {
        for _ in 0..label {
            manager.post(Header::to(Everyone).after_frames(1).require(1), Check(""))?;
        }
        manager.tick(Duration::ZERO);
    }
    drop(managers);
    assert_eq!(receive.iter().count(), 3);
    Ok(())
}

// holds: failures.report-to
#[test]
fn nothing_is_reported_to_nobody_and_it_is_counted_all_the_same() -> Tested {
    let config = failing().report_to(ReportTo::Nobody);
    let mut manager = MessageManager::with_config(config);
    fail_in_every_way(&mut manager)?;
    assert_eq!(reported(), []);
    assert_eq!(manager.inspect().failure_count(), 3);
    Ok(())
}

// holds: failures.receipt-outside, failures.receipt-in-handler
#[test]
fn the_receipt_of_a_send_from_outside_counts_all_failures_that_it_led_to() -> Tested {
    let mut manager = MessageManager::with_config(noting());
    let parser = manager.spawn((Parser::default(),));
    let receipt = manager.send(parser, Check("twice"))?;
    assert_eq!((receipt.received, receipt.failed), (1, 2));
    assert_eq!(manager.send(parser, Check("1"))?.failed, 0);
    // The receipt in a handler counts its own deliveries.
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    let (tell, told) = channel();
    let script = Do::new(move |cx| {
        let inner = Consider::new(move |cx| {
            cx.send(parser, Check("one")).expect("sent");
        });
        let inner = cx.send(parser, Note("")).and_then(|_| cx.send(Me, inner));
        tell.send(inner.expect("sent").failed).expect("awaited");
        let failed = cx.send(parser, Check("one")).expect("sent").failed;
        tell.send(failed).expect("awaited");
    });
    let receipt = manager.speak_for(actor)?.send(Me, script)?;
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(receipt.failed, 2);
    Ok(())
}

// holds: failures.untold-reported, reentrancy.cycle-through-busy
#[test]
fn a_storm_that_ends_at_the_limit_has_failed() -> Tested {
    let mut manager = MessageManager::with_config(noting().max_kept(50));
    let parser = manager.spawn((Parser::default(),));
    assert_eq!(manager.send(parser, Storm)?.failed, 1);
    assert_eq!(kinds(), ["failed"]);
    assert_eq!(manager.send(parser, Squall)?.failed, 1);
    let reports = reported();
    let [("not kept", text)] = &*reports else {
        panic!("{reports:?}");
    };
    assert!(text.contains("`ManagerConfig::max_kept`"), "{text}");
    assert!(text.contains("a cycle: "), "{text}");
    Ok(())
}

// holds: failures.not-kept
#[test]
fn what_could_not_be_kept_is_no_failure_of_its_own_beside_a_dead_letter_in_whatever_order() -> Tested
{
    type Line = fn(&mut Context<'_>);
    let refused: Line = |cx| {
        cx.send(Me, Note("too many")).expect_err("none is kept");
    };
    // Its type is not `Clone`, and a subscriber wants it later.
    let dies: Line = |cx| {
        let subscribers = cx.send_mut(EveryoneElse, &mut Tour::default());
        assert_eq!(subscribers.map(|it| it.pending), Ok(0));
    };
    for lines in [[refused, dies], [dies, refused]] {
        let mut manager = MessageManager::with_config(noting().max_kept(0));
        let actor = manager.spawn((Actor::new("actor", &Log::default()),));
        manager.subscribe(Filter::of::<Tour>().stage(Stage::Update), |_, _| {});
        let script = Do::new(move |cx| lines.into_iter().for_each(|line| line(cx)));
        assert_eq!(manager.send(actor, script)?.failed, 0);
        assert_eq!(
            (kinds(), manager.inspect().failure_count()),
            (vec!["dead letter"], 0)
        );
        // The next outermost send is judged by itself.
        assert_eq!(manager.send(actor, Do::new(refused))?.failed, 1);
        assert_eq!(
            (kinds(), manager.inspect().failure_count()),
            (vec!["not kept"], 1)
        );
    }
    // If nobody hears of dead letters and nothing is reported, it is the same.
    let config = ManagerConfig::new().max_kept(0).report_to(ReportTo::Nobody);
    let mut manager = MessageManager::with_config(config);
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    manager.subscribe(Filter::of::<Tour>().stage(Stage::Update), |_, _| {});
    manager.send(actor, Do::new(dies))?;
    assert_eq!(manager.send(actor, Do::new(refused))?.failed, 1);
    Ok(())
}

// holds: failures.frame-report
#[test]
fn a_frame_counts_its_failures() -> Tested {
    let mut manager = MessageManager::with_config(noting());
    let parser = manager.spawn((Parser::default(),));
    manager.post(&Header::to(parser).after_frames(1).build()?, Check("one"))?;
    manager
        .inlet()
        .try_post(&Header::to(parser).build()?, Check("two"))?;
    manager.send(parser, Check("three"))?;
    assert_eq!(manager.tick(Duration::ZERO).failures, 2);
    assert_eq!(manager.tick(Duration::ZERO).failures, 0);
    assert_eq!(manager.inspect().failure_count(), 3);
    let _ = reported();
    Ok(())
}

/// Returns the source of the error of a request.
fn source_of<T: std::fmt::Debug>(result: Result<T, SendError>) -> Option<String> {
    let error = result.expect_err("nobody answers");
    assert!(
        matches!(error.kind(), SendErrorKind::NoAnswer { .. }),
        "{error}"
    );
    assert_eq!(error, error.clone());
    Some(error.source()?.to_string())
}

// holds: failures.request-source
#[test]
fn a_request_that_fails_has_the_error_of_the_handler_as_its_source() -> Tested {
    let digit = "invalid digit found in string";
    let mut manager = MessageManager::with_config(noting());
    let parser = manager.spawn((Parser::default(),));
    // Over where it begins; then with a subscriber, so that all steps are taken.
    let error = manager.request(parser, Parse("one")).expect_err("no digit");
    let source = error
        .source()
        .and_then(|it| it.downcast_ref::<ParseIntError>());
    assert!(source.is_some(), "{error:?}");
    assert!(
        error
            .to_string()
            .ends_with(": a handler that was asked failed")
    );
    for _ in 0..2 {
        assert_eq!(
            source_of(manager.request(parser, Parse("one"))).as_deref(),
            Some(digit)
        );
        assert_eq!(
            source_of(manager.request(Everyone, Parse("one"))).as_deref(),
            Some(digit)
        );
        manager.subscribe(Filter::all(), |_, _| {});
    }
    // The first of several.
    let two = manager.spawn((Parser::default(), Parser::default()));
    assert_eq!(
        source_of(manager.request(two, Parse(""))).as_deref(),
        Some("cannot parse integer from empty string")
    );
    // Nothing has failed here, whatever failed before.
    let nobody = manager.spawn(());
    assert_eq!(source_of(manager.request(nobody, Parse("one"))), None);
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    let (tell, told) = channel();
    manager.send(
        actor,
        Do::new(move |cx| {
            let _ = cx.send(parser, Check("one"));
            tell.send(source_of(cx.request(nobody, Parse("one"))))
                .expect("awaited");
            tell.send(source_of(cx.request(parser, Parse("one"))))
                .expect("awaited");
        }),
    )?;
    assert_eq!(
        told.try_iter().collect::<Vec<_>>(),
        [None, Some(digit.to_owned())]
    );
    let _ = reported();
    Ok(())
}

// holds: failures.request-source
#[test]
fn a_request_that_ends_in_a_panic_has_that_as_its_source() {
    #[derive(Message)]
    #[message(name = "reported.fragile", reply = u32)]
    struct Fragile;
    struct Glass;
    #[handlers]
    impl Glass {
        #[on_receive]
        fn touch(&mut self, _: &Fragile) -> u32 {
            panic!("it breaks")
        }
    }
    let config = noting().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config);
    let glass = manager.spawn((Glass,));
    let source = source_of(manager.request(glass, Fragile));
    assert!(source.expect("it has panicked").ends_with(": it breaks"));
    assert_eq!(kinds(), ["panicked"]);
}

// holds: failures.report-panics
#[test]
fn a_panic_of_the_function_goes_to_the_caller() -> Tested {
    fn panics(_: &Report) {
        panic!("no more reports");
    }
    let config = ManagerConfig::new().report_to(ReportTo::Function(panics));
    let mut manager = MessageManager::with_config(config);
    let parser = manager.spawn((Parser::default(),));
    let said = panic_of(|| manager.send(parser, Check("one")));
    assert_eq!(said, "no more reports");
    assert_eq!(manager.send(parser, Check("1"))?.failed, 0);
    Ok(())
}

const CHILD: &str = "REPORTED_CHILD";

/// Run in a process of its own by the test below.
#[test]
fn child_that_prints() -> Tested {
    if std::env::var_os(CHILD).is_none() {
        return Ok(());
    }
    let mut manager = MessageManager::new();
    let parser = manager.spawn((Parser::default(),));
    for _ in 0..11 {
        manager.send(parser, Check("one"))?;
    }
    let _ = manager.request(parser, Parse("two"));
    eprintln!("the end");
    Ok(())
}

// holds: failures.repeats-counted
#[test]
fn without_a_choice_the_first_of_each_kind_is_printed_in_full_and_repeats_are_counted() -> Tested {
    let mut child = Command::new(std::env::current_exe()?);
    child.args(["--exact", "reported::child_that_prints", "--nocapture"]);
    let output = child.env(CHILD, "yes").output()?;
    assert!(output.status.success());
    let text = String::from_utf8(output.stderr)?;
    let lines: Vec<&str> = text.lines().collect();
    let headline = "message-core: handler `check` of `failures::reported::Parser` failed on \
                    `failures::reported::Check`:";
    assert!(
        lines[0].starts_with(
            "message-core: `failures::reported::Parser` of messagee 0v0 failed in `check` on"
        ),
        "{text}"
    );
    assert!(
        lines[0].ends_with(": invalid digit found in string"),
        "{text}"
    );
    let times = ["2 times so far", "4 times so far", "8 times so far"];
    assert_eq!(
        lines[1..4],
        times.map(|times| format!(
            "{headline} {times}, most recently: invalid digit found in string"
        ))
    );
    assert!(
        lines[4].contains("failed in `parse` on `failures::reported::Parse`"),
        "{text}"
    );
    assert_eq!(
        lines[5..],
        ["the end".to_owned(), format!("{headline} 11 times in all")]
    );
    Ok(())
}
