//! Sends to one messagee that cannot be over where they begin: strangers, stale ids, several components of
//! a type, handlers by hand, limits, and tracing that begins in between.

mod common;

use std::sync::LazyLock;
use std::time::Duration;

use common::{Log, Tested};
use message_core::error::Limit;
use message_core::prelude::*;
use message_core::{
    AnyMessage, NoReply, Receives, Registry,
    handler::{Exclusive, HandlerReturn, HandlerSpec, Outcome},
    registry::Place,
};
use message_trace::Recorder;

/// A zero-sized message.
#[derive(Message)]
struct Tick;

/// Larger than any register.
#[derive(Message)]
struct Page([u64; 64]);

/// Not known to the registry.
struct Unknown;

impl Message for Unknown {
    type Reply = NoReply;
    const NAME: &'static str = "unknown";
}

#[derive(Default)]
struct Clock {
    ticks: u64,
    sum: u64,
}

#[handlers]
impl Clock {
    #[on_receive]
    fn tick(&mut self, _: &Tick) {
        self.ticks += 1;
    }

    #[on_receive]
    fn page(&mut self, page: &Page) {
        self.sum += page.0.iter().sum::<u64>();
    }
}

/// Makes its receiver send itself the next lower one, down to 0.
#[derive(Message)]
struct Dig(u32);

struct Hole(Log);

#[handlers]
impl Hole {
    #[on_receive]
    fn dig(&self, dig: &Dig, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.0.add(format!("dig {}", dig.0));
        if dig.0 > 0 {
            cx.send(cx.me(), Dig(dig.0 - 1))?;
        }
        Ok(())
    }
}

/// The registry, extended with types that are not linked in. Every test starts with it.
static PUBLISHED: LazyLock<()> = LazyLock::new(|| {
    let registry = Registry::builder().handler::<Door, Knock>().publish();
    registry.expect("it is the first use of the registry");
});

fn with_config(config: ManagerConfig) -> MessageManager {
    LazyLock::force(&PUBLISHED);
    MessageManager::with_config(config)
}

fn manager() -> MessageManager {
    with_config(ManagerConfig::new())
}

fn ticks(manager: &MessageManager, id: MessageeId) -> Vec<u64> {
    let clocks = manager.iter::<Clock>().filter(|(owner, _)| *owner == id);
    clocks.map(|(_, clock)| clock.ticks).collect()
}

// holds: messagees.same-type-twice
#[test]
fn each_of_several_components_of_one_type_receives_and_one_that_is_left_still_does() -> Tested {
    let mut manager = manager();
    let id = manager.spawn((Clock::default(), Clock::default()));
    let other = manager.spawn((Clock::default(),));
    assert_eq!(manager.send(id, Tick)?.received, 2);
    let first = manager.hooks(id).next().expect("it has two");
    manager.unhook::<Clock>(first)?;
    assert_eq!(manager.send(id, Tick)?.received, 1);
    assert_eq!(ticks(&manager, id), [2]);
    let again = manager.hook(id, Clock::default())?;
    assert_eq!(manager.send(id, Tick)?.received, 2);
    manager.set_enabled(again, false)?;
    assert_eq!(manager.send(id, Tick)?.received, 1);
    manager.unhook::<Clock>(again)?;
    let last = manager.hooks(id).next().expect("one is left");
    manager.unhook::<Clock>(last)?;
    assert_eq!(manager.send(id, Tick)?.received, 0);
    manager.hook(id, Clock::default())?;
    assert_eq!(manager.send(id, Tick)?.received, 1);
    assert_eq!(ticks(&manager, other), [0]);
    Ok(())
}

// holds: messagees.stale-id, messagees.other-manager
#[test]
fn a_stale_id_or_one_of_another_manager_reaches_nobody_who_has_its_place() -> Tested {
    let (mut one, mut two) = (manager(), manager());
    let stale = one.spawn((Clock::default(),));
    let foreign = two.spawn((Clock::default(),));
    one.despawn(stale)?;
    let newcomer = one.spawn((Clock::default(),));
    assert!(matches!(
        one.send(stale, Tick),
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(stale.into())
    ));
    let other = one.send(foreign, Tick);
    assert!(matches!(
        other,
        Err(error) if *error.kind() == SendErrorKind::Absent(Absence::OtherManager) && error.to() == Some(foreign.into())
    ));
    let soon = Header::to(Everyone).after_frames(1).build()?;
    assert!(one.post_to(foreign, &soon, Tick).is_err());
    assert_eq!(ticks(&one, newcomer), [0]);
    assert_eq!(one.send(newcomer, Tick)?.received, 1);
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn a_ticket_of_another_manager_cancels_nothing_that_is_due_together() -> Tested {
    let mut managers = [manager(), manager()];
    let soon = Header::to(Everyone).after_frames(1).build()?;
    let mut tickets = Vec::new();
    let mut ids = Vec::new();
    for manager in &mut managers {
        let id = manager.spawn((Clock::default(),));
        for _ in 0..40 {
            tickets.push(manager.post_to(id, &soon, Tick)?);
        }
        ids.push(id);
    }
    let [one, two] = &mut managers;
    for ticket in &tickets[40..] {
        assert_eq!(one.cancel(*ticket), 0);
        assert!(!one.has_pending(*ticket));
    }
    assert_eq!(one.cancel(tickets[7]), 1);
    assert_eq!(one.cancel(tickets[7]), 0);
    one.tick(Duration::ZERO);
    two.tick(Duration::ZERO);
    assert_eq!(
        (ticks(one, ids[0]), ticks(two, ids[1])),
        (vec![39], vec![40])
    );
    assert!(tickets.iter().all(|ticket| two.cancel(*ticket) == 0));
    Ok(())
}

#[test]
fn messages_of_no_size_and_large_ones_are_delivered_by_value_on_every_way() -> Tested {
    for heard in [false, true] {
        let mut manager = manager();
        let id = manager.spawn((Clock::default(),));
        if heard {
            manager.subscribe(Filter::all(), |_: &dyn AnyMessage, _| {});
        }
        let soon = Header::to(id).after_frames(2).build()?;
        for number in 0..1_500 {
            manager.post(&soon, Tick)?;
            manager.post(&soon, Page([number; 64]))?;
        }
        manager.send(id, Tick)?;
        manager.send(id, Page([1; 64]))?;
        assert_eq!(manager.pending_posts(Posts::all()).len(), 3_000);
        for _ in 0..2 {
            manager.tick(Duration::ZERO);
        }
        let clock = manager.get::<Clock>(id)?;
        assert_eq!((clock.ticks, clock.sum), (1_501, 64 * (1_499 * 750 + 1)));
    }
    Ok(())
}

#[test]
fn a_message_that_nobody_has_registered_is_an_error_wherever_it_goes() {
    let mut manager = manager();
    let id = manager.spawn((Clock::default(),));
    let sent = manager.send(id, Unknown);
    let unregistered = SendError::new("unknown", id, SendErrorKind::Unregistered);
    assert_eq!(sent, Err(unregistered));
    let mut unknown = Unknown;
    assert!(manager.send_mut(id, &mut unknown).is_err());
    assert!(manager.send(Everyone, Unknown).is_err());
}

// holds: reentrancy.bounds
#[test]
fn sends_to_one_messagee_end_at_the_limit_of_depth() {
    for limit in 0..4 {
        let (log, config) = (Log::default(), ManagerConfig::new().max_depth(limit));
        let mut manager = with_config(config);
        let id = manager.spawn((Hole(log.clone()),));
        let sent = manager.send(id, Dig(9));
        assert_eq!(sent.is_ok(), limit > 0);
        assert_eq!(log.take().len(), limit);
        match sent {
            // Only the innermost handler has failed, whose send was refused.
            Ok(receipt) => assert_eq!(receipt.failed, 1),
            Err(error) => assert!(matches!(
                error.kind(),
                SendErrorKind::AtLimit {
                    limit: Limit::Depth(0),
                    ..
                }
            )),
        }
    }
}

#[test]
fn tracing_that_begins_between_two_sends_tells_of_the_second_alone() -> Tested {
    let (mut manager, log) = (manager(), Log::default());
    let id = manager.spawn((Hole(log.clone()),));
    let calls = |recorder: &Recorder| recorder.events().count();
    manager.send(id, Dig(1))?;
    Recorder::new(64).start(&mut manager);
    manager.send(id, Dig(1))?;
    let recorded = Recorder::stop(&mut manager).expect("it was recording");
    assert!(calls(&recorded) > 0);
    manager.send(id, Dig(1))?;
    recorded.start(&mut manager);
    let before = calls(&Recorder::of(&manager).expect("it is recording"));
    manager.send(id, Dig(0))?;
    assert!(calls(&Recorder::of(&manager).expect("it is recording")) > before);
    assert_eq!(log.take().len(), 7);
    Ok(())
}

#[derive(Message)]
struct Knock(u32);

/// Its handler was written by hand, with nothing but what the trait asks for.
struct Door(Log);

impl Receives<Knock> for Door {
    type Access = Exclusive;
    const HANDLER: HandlerSpec = HandlerSpec::new(
        "knock",
        0,
        false,
        Place {
            file: file!(),
            line: line!(),
        },
    );

    fn receive(this: &mut Self, knock: &mut Knock, cx: &mut Context<'_>) -> Outcome<NoReply> {
        this.0.add(format!("knock {} at {}", knock.0, cx.me()));
        HandlerReturn::<Knock>::into_outcome(knock.0.is_multiple_of(2))
    }
}

#[test]
fn a_handler_by_hand_is_given_its_context_although_it_says_that_it_takes_none() -> Tested {
    let (mut manager, log) = (manager(), Log::default());
    let id = manager.spawn((Door(log.clone()),));
    assert_eq!(manager.send(id, Knock(2))?.received, 1);
    assert_eq!(manager.send(id, Knock(3))?.received, 0);
    let soon = Header::to(id).after_frames(1).build()?;
    for number in 4..30 {
        manager.post(&soon, Knock(number))?;
    }
    assert_eq!(log.take().len(), 2);
    manager.tick(Duration::ZERO);
    let knocks: Vec<String> = (4..30).map(|n| format!("knock {n} at {id}")).collect();
    assert_eq!(log.take(), knocks);
    Ok(())
}
