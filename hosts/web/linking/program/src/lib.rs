//! The functions that a page would call from JavaScript. `hosts/web/test` compares their results
//! with the contents of the library.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use linked_library as _;
use message_core::InletError;
use message_core::prelude::*;
use message_data as data;
use message_trace::Recorder;

#[derive(Message)]
struct Ping;

struct Ear;

#[handlers]
impl Ear {
    #[on_receive]
    fn ping(&mut self, _: &Ping) {}
}

/// Returns the number of items.
fn number(things: impl Iterator) -> u32 {
    things.map(|_| 1).sum()
}

/// Returns the number of the library's message types.
#[unsafe(no_mangle)]
pub extern "C" fn messages() -> u32 {
    let all = message_core::registry().messages();
    number(all.filter(|message| message.name.starts_with("library.")))
}

/// Returns the number of the library's handlers.
#[unsafe(no_mangle)]
pub extern "C" fn handlers() -> u32 {
    let all = message_core::registry().handlers();
    number(all.filter(|handler| handler.component.starts_with("linked_library::")))
}

/// Returns the number of the library's data types.
#[unsafe(no_mangle)]
pub extern "C" fn data_types() -> u32 {
    let is_of_library = |name: &str| {
        ["library.", "linked_library::"]
            .iter()
            .any(|it| name.starts_with(it))
    };
    number(data::types().filter(|ty| is_of_library(ty.name())))
}

/// Returns the number of the library's mnemonics.
#[unsafe(no_mangle)]
pub extern "C" fn mnemonics() -> u32 {
    number(data::declared_mnemonics().filter(|it| it.name().ends_with("LIGHTHOUSE")))
}

/// Returns the number of the program's own handlers.
#[unsafe(no_mangle)]
pub extern "C" fn own_handlers() -> u32 {
    number(message_core::registry().handlers_of(Ping::ID))
}

/// Records without a clock. Returns the number of events, each of which is later than the one before.
#[unsafe(no_mangle)]
pub extern "C" fn recorded_without_a_clock() -> u32 {
    let mut manager = MessageManager::new();
    recorded(&mut manager).0
}

/// Records with a clock. Returns the number of milliseconds between the first event and the last.
#[unsafe(no_mangle)]
pub extern "C" fn recorded_with_a_clock() -> u32 {
    static NOW: AtomicU64 = AtomicU64::new(0);
    fn now() -> Duration {
        Duration::from_millis(NOW.fetch_add(10, Relaxed))
    }
    let mut manager = MessageManager::with_config(ManagerConfig::new().wall_clock(now));
    recorded(&mut manager).1
}

fn recorded(manager: &mut MessageManager) -> (u32, u32) {
    let ear = manager.spawn((Ear,));
    Recorder::new(100).start(manager);
    manager.send(ear, Ping).expect("it is alive");
    let recorder = Recorder::stop(manager).expect("it was started");
    let walls: Vec<_> = recorder.events().map(|event| event.wall).collect();
    assert!(walls.is_sorted_by(|one, next| one < next));
    let [first, .., last] = walls[..] else {
        panic!("expected several events: {walls:?}");
    };
    let between = u32::try_from((last - first).as_millis()).expect("less than a second");
    (number(walls.iter()), between)
}

/// Posts to a full inlet with a timeout. Returns 1 if that failed at once, as it should.
#[unsafe(no_mangle)]
pub extern "C" fn a_full_inlet_times_out() -> u32 {
    let mut manager = MessageManager::with_config(ManagerConfig::new().inlet_capacity(1));
    let inlet = manager.inlet();
    let post = |timeout| inlet.post(Header::to(Everyone), Ping, timeout);
    assert!(post(Duration::MAX).is_ok());
    let is_timed_out = |result| matches!(result, Err(InletError::TimedOut { .. }));
    let timed_out =
        is_timed_out(post(Duration::from_secs(60))) && is_timed_out(post(Duration::MAX));
    assert_eq!(manager.tick(Duration::from_millis(16)).drained, 1);
    u32::from(timed_out && post(Duration::ZERO).is_ok())
}
