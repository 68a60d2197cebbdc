//! The events that the crate `tracing` receives, collected by a subscriber.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use crate::common::{Actor, Do, Ear, Log, Note, Peek, Tested, first_hook, panic_of, slot};
use crate::pending::{heard, ms, soon};
use message_core::PanicPolicy;
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::report::ReportTo;
use message_core::{PostKey, TraceId};
use message_trace::Recorder;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// An event, as a subscriber of `tracing` sees it.
#[derive(Clone, Debug)]
struct Emitted {
    target: String,
    level: Level,
    fields: BTreeMap<&'static str, String>,
}

impl Emitted {
    fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    fn text(&self) -> &str {
        self.field("message").unwrap_or_default()
    }
}

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Emitted>>>);

impl Collector {
    fn take(&self) -> Vec<Emitted> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Collects the events emitted meanwhile on this thread.
    fn during<T>(&self, run: impl FnOnce() -> T) -> T {
        tracing::subscriber::with_default(self.clone(), run)
    }
}

impl Subscriber for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut emitted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        emitted.push(Emitted {
            target: event.metadata().target().to_owned(),
            level: *event.metadata().level(),
            fields: fields.0,
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

/// Returns a manager with an actor and an ear, whose events are emitted.
fn emitting() -> (MessageManager, MessageeId, MessageeId) {
    let (mut manager, _, actor, ear) = heard();
    message_trace::emit_tracing_events(&mut manager, true);
    (manager, actor, ear)
}

/// Returns the only event whose text contains `part`.
fn with_text(emitted: &[Emitted], part: &str) -> Emitted {
    let mut with = emitted.iter().filter(|event| event.text().contains(part));
    let found = with.next();
    let found = found.unwrap_or_else(|| panic!("{part} is in {emitted:#?}"));
    assert!(with.next().is_none(), "once");
    found.clone()
}

// holds: seeing.tracing
#[test]
fn nothing_is_emitted_unless_it_is_asked_for_nor_after_it_is_no_longer() -> Tested {
    let (mut manager, _, actor, _) = heard();
    let collector = Collector::default();
    collector.during(|| -> Result<(), SendError> {
        manager.send(actor, Note("before"))?;
        Recorder::new(10).start(&mut manager);
        manager.send(actor, Note("only recorded"))?;
        assert!(collector.take().is_empty());
        message_trace::emit_tracing_events(&mut manager, true);
        manager.send(actor, Note("emitted"))?;
        assert_eq!(collector.take().len(), 4);
        message_trace::emit_tracing_events(&mut manager, false);
        manager.send(actor, Note("after"))?;
        assert!(collector.take().is_empty());
        Ok(())
    })?;
    Ok(())
}

// holds: seeing.tracing
#[test]
fn events_have_the_target_message_and_say_what_a_recorder_writes_down() -> Tested {
    let (mut manager, actor, ear) = emitting();
    Recorder::new(100).start(&mut manager);
    let collector = Collector::default();
    let script = Do::new(move |cx| {
        cx.send(ear, Note("nested")).expect("it is there");
        cx.send(actor, Note("kept")).expect("it is kept");
    });
    collector.during(|| manager.send(actor, script))?;
    let emitted = collector.take();
    assert!(emitted.iter().all(|event| event.target == "message"));
    let recorder = Recorder::of(&manager).ok_or("it records")?;
    let texts: Vec<_> = emitted.iter().map(Emitted::text).collect();
    assert_eq!(texts, crate::traces::lines(&recorder));
    Ok(())
}

// holds: seeing.tracing
#[test]
fn the_fields_are_the_numbers_the_names_and_the_frame() -> Tested {
    let (mut manager, actor, ear) = emitting();
    let collector = Collector::default();
    manager.tick(ms(1));
    let script = Do::new(move |cx| {
        cx.send(ear, Note("nested")).expect("it is there");
    });
    collector.during(|| manager.send(actor, script))?;
    let emitted = collector.take();
    let notes = emitted
        .iter()
        .filter(|it| it.field("name") == Some(Note::NAME));
    let [sent, called, returned, settled] = notes.collect::<Vec<_>>()[..] else {
        panic!("four are about it: {emitted:#?}");
    };
    for event in [sent, called, returned, settled] {
        assert_eq!(event.field("send"), Some("3"));
        assert_eq!(event.field("from"), Some("messagee 0v0"));
        assert_eq!(event.field("to"), Some("messagee 1v0"));
        assert_eq!(event.field("frame"), Some("1"));
    }
    assert_eq!(sent.field("cause"), Some("2"));
    assert_eq!(called.field("cause"), None);
    assert_eq!(sent.field("delivery"), None);
    assert_eq!(called.field("delivery"), Some("4"));
    assert_eq!(returned.field("delivery"), Some("4"));
    Ok(())
}

// holds: seeing.tracing
#[test]
fn the_ways_of_messages_have_the_level_trace() -> Tested {
    let (mut manager, _, ear) = emitting();
    let collector = Collector::default();
    collector.during(|| manager.send(ear, Note("1")))?;
    let levels = collector.take().into_iter().map(|event| event.level);
    assert!(levels.eq([Level::TRACE; 4]));
    Ok(())
}

// holds: seeing.tracing
#[test]
fn what_waits_is_passed_over_or_is_cancelled_has_the_level_debug() -> Tested {
    let (mut manager, actor, ear) = emitting();
    let collector = Collector::default();
    collector.during(|| -> Tested {
        let script = Do::new(move |cx| {
            cx.send(actor, Note("kept")).expect("it is kept");
        });
        manager.send(actor, script)?;
        manager.set_enabled(first_hook(&manager, ear), false)?;
        manager.send(ear, Note("disabled"))?;
        let header = Header::to(ear).after(ms(10)).key("key").build()?;
        manager.post(&header, Note("replaced"))?;
        manager.post(&header, Note("cancelled"))?;
        manager.cancel(PostKey::from("key"));
        Ok(())
    })?;
    let emitted = collector.take();
    for part in ["waits until", "it is disabled", "replaced by", "cancelled"] {
        assert_eq!(with_text(&emitted, part).level, Level::DEBUG, "{part}");
    }
    let debug = emitted.iter().filter(|event| event.level == Level::DEBUG);
    assert_eq!(debug.count(), 4);
    Ok(())
}

// holds: seeing.tracing
#[test]
fn what_fails_has_the_level_warn() -> Tested {
    #[derive(Message)]
    struct Try;
    struct Clumsy;
    #[handlers]
    impl Clumsy {
        #[on_receive]
        fn fail(&mut self, _: &Try) -> Result<(), &'static str> {
            Err("it slips")
        }
        #[on_receive]
        fn panic(&mut self, _: &Peek) {
            panic!("it falls");
        }
    }
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config);
    message_trace::emit_tracing_events(&mut manager, true);
    let clumsy = manager.spawn((Clumsy,));
    let collector = Collector::default();
    collector.during(|| -> Tested {
        manager.send(clumsy, Try)?;
        manager.send(clumsy, Peek("now"))?;
        manager.post(&soon(clumsy), Note("late"))?;
        manager.despawn(clumsy)?;
        assert!(manager.send(clumsy, Note("refused")).is_err());
        manager.tick(ms(10));
        Ok(())
    })?;
    let emitted = collector.take();
    for part in ["it slips", "panicked", "refused", "dead letter"] {
        assert_eq!(with_text(&emitted, part).level, Level::WARN, "{part}");
    }
    let warn = emitted.iter().filter(|event| event.level == Level::WARN);
    assert_eq!(warn.count(), 4);
    Ok(())
}

// holds: seeing.tracing
#[test]
fn a_panic_that_propagates_is_told_too() {
    let (mut manager, actor, _) = emitting();
    let collector = Collector::default();
    let oops = Do::new(|_| panic!("oops"));
    panic_of(|| collector.during(|| manager.send(actor, oops)));
    let last = collector.take().pop().expect("it was reported");
    assert_eq!((last.text(), last.level), ("#2 panicked", Level::WARN));
}

// holds: seeing.numbers
#[test]
fn numbers_are_given_out_without_a_recorder() -> Tested {
    let (mut manager, actor, _) = emitting();
    let (put, get) = slot();
    manager.send(actor, Do::new(move |cx| put(cx.trace_id())))?;
    assert_eq!(get().map(TraceId::get), Some(2));
    assert!(Recorder::of(&manager).is_none());
    Ok(())
}

// holds: seeing.numbers-go-on
#[test]
fn each_manager_numbers_its_own_events() -> Tested {
    let log = Log::default();
    let mut inner = MessageManager::new();
    let ear = inner.spawn((Ear::new("ear", &log),));
    message_trace::emit_tracing_events(&mut inner, true);
    let mut outer = MessageManager::new();
    let actor = outer.spawn((Actor::new("actor", &log),));
    message_trace::emit_tracing_events(&mut outer, true);
    let collector = Collector::default();
    let script = Do::new(move |_| {
        inner.send(ear, Note("within")).expect("it is there");
    });
    collector.during(|| outer.send(actor, script))?;
    assert_eq!(log.take(), ["ear: within"]);
    let numbers = collector.take().into_iter();
    let sends: Vec<_> = numbers.filter(|it| it.text().contains("sent by")).collect();
    assert!(sends.iter().all(|send| send.field("send") == Some("1")));
    assert_eq!(sends.len(), 2);
    Ok(())
}

// holds: failures.tracing
#[test]
fn a_report_can_be_a_warning() -> Tested {
    let collector = Collector::default();
    let config = ManagerConfig::new().max_kept(0);
    let config = config.report_to(ReportTo::Function(message_trace::warn));
    let mut manager = MessageManager::with_config(config);
    let actor = manager.spawn((Actor::new("actor", &Log::default()),));
    let mut warned = Vec::new();
    // Other tests report without a subscriber. While one of them comes to that line of source as the first,
    // `tracing` may note there that nobody wants it, although the collector has come meanwhile.
    for _ in 0..1000 {
        let sent = collector.during(|| {
            tracing::callsite::rebuild_interest_cache();
            manager.send(
                actor,
                Do::new(|cx| {
                    let refused = cx.send(Me, Note("not kept"));
                    assert!(refused.is_err());
                }),
            )
        });
        assert_eq!(sent?.failed, 1);
        warned = collector.take();
        warned.retain(|it| it.level == Level::WARN);
        if !warned.is_empty() {
            break;
        }
        std::thread::sleep(ms(1));
    }
    let last = warned.last().ok_or("nothing was emitted")?;
    assert_eq!(last.target, "message");
    assert_eq!(last.field("name"), Some(Note::NAME));
    assert!(
        last.text().contains("was not kept for the sender itself"),
        "{}",
        last.text()
    );
    Ok(())
}

// holds: seeing.names-printed
#[test]
fn events_say_the_names_of_messagees() -> Tested {
    let (mut manager, actor, ear) = emitting();
    manager.set_name(actor, "Rook")?;
    manager.set_name(ear, "Ear")?;
    let collector = Collector::default();
    collector.during(|| {
        manager
            .speak_for(actor)?
            .send(ear, Note("hello"))
            .map(drop)
            .map_err(Box::<dyn std::error::Error>::from)
    })?;
    let sent = with_text(&collector.take(), " sent by ");
    let rook = format!("messagee {actor:#} \"Rook\"");
    let ear = format!("messagee {ear:#} \"Ear\"");
    assert_eq!(
        (sent.field("from"), sent.field("to")),
        (Some(&*rook), Some(&*ear))
    );
    assert!(sent.text().contains(&format!("sent by {rook} to {ear}")));
    Ok(())
}
