//! The report of unused messages.

use std::cell::RefCell;
use std::error::Error;
use std::time::Duration;

use message_core::prelude::*;
use message_core::report::{Report, ReportTo};

thread_local! {
    static REPORTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(report: &Report) {
    let text = match report {
        Report::Unused(unused) => unused.to_string(),
        other => format!("not about unused messages: {other}"),
    };
    REPORTS.with_borrow_mut(|reports| reports.push(text));
}

fn reported() -> Vec<String> {
    REPORTS.take()
}

fn noting() -> ManagerConfig {
    ManagerConfig::new().report_to(ReportTo::Function(note))
}

/// A message that is never used.
#[derive(Message)]
#[message(name = "unused.forgotten")]
struct Forgotten;

#[derive(Message)]
#[message(name = "unused.published")]
struct Published;

#[derive(Message)]
#[message(name = "unused.read")]
struct Read;

#[derive(Message)]
#[message(name = "unused.heard")]
struct Heard;

fn unused(manager: &MessageManager) -> Vec<&'static str> {
    let unused = manager.inspect().unused_messages();
    unused
        .messages()
        .iter()
        .map(|message| message.name)
        .filter(|name| name.starts_with("unused.") || name.starts_with("message_core"))
        .collect()
}

// holds: failures.unused-messages, failures.report-unused
#[test]
fn the_start_up_report_tells_which_messages_are_not_used() -> Result<(), Box<dyn Error>> {
    let mut manager = MessageManager::with_config(noting());
    manager.subscribe(Filter::all(), |_, _| {});
    let all = [
        "unused.forgotten",
        "unused.heard",
        "unused.published",
        "unused.read",
    ];
    assert_eq!(unused(&manager), all);
    let heard = manager.subscribe(Filter::of::<Heard>(), |_, _| {});
    manager.publish(Everyone, Published)?;
    assert_eq!(manager.inbox::<Read>().count(), 0);
    assert_eq!(unused(&manager), ["unused.forgotten"]);
    let text = manager.inspect().unused_messages().to_string();
    assert!(
        text.contains(&format!("\n  `unused.forgotten`, declared at {}:", file!())),
        "{text}"
    );
    manager.unsubscribe(heard);
    manager.tick(Duration::ZERO);
    manager.tick(Duration::ZERO);
    assert!(reported().is_empty(), "it was not asked for");
    Ok(())
}

// holds: failures.report-unused
#[test]
fn the_start_up_report_comes_once_when_the_second_frame_begins() {
    let mut manager = MessageManager::with_config(noting().report_unused(true));
    manager.tick(Duration::ZERO);
    assert!(reported().is_empty());
    manager.tick(Duration::ZERO);
    manager.tick(Duration::ZERO);
    let reports = reported();
    let [text] = &*reports else {
        panic!("{reports:?}");
    };
    assert!(text.contains("`unused.forgotten`"), "{text}");
    assert!(!text.contains("lifecycle"), "{text}");
}
