//! The stack size of a nested send, which the default of `max_depth` is based on.
//!
//! A hop is measured from one receiver to another by the addresses of their local variables.

use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::Tested;
use message_core::prelude::*;
use message_core::{PanicPolicy, report::ReportTo};
use message_trace::Recorder;

/// The default of `max_depth`.
const DEPTH: usize = 80;
/// Half of the default stack size of a thread.
const HALF: usize = 1 << 20;
/// The hops between which it is measured.
const FROM: usize = 2;
const TO: usize = 7;

/// The way in which a hop continues.
#[derive(Clone, Copy, Debug)]
enum By {
    Send,
    SendMut,
    Request,
    Up,
}

#[derive(Message, Clone)]
struct Step(By);

#[derive(Message)]
#[message(reply = usize)]
struct Ask(By);

/// Goes to everyone; the component of that number passes it on.
#[derive(Message, Clone)]
struct Wave(usize);

/// Where the local variables of the receivers are, in the order of the hops.
type Depths = Arc<Mutex<Vec<usize>>>;

#[inline(never)]
fn mark(depths: &Depths) {
    let here = 0_u8;
    depths
        .lock()
        .expect("no handler panics")
        .push((&raw const here).addr());
}

/// One of a row: it sends to the next.
struct Link {
    next: Option<MessageeId>,
    depths: Depths,
}

impl Link {
    fn go(&self, by: By, cx: &mut Context<'_>) -> Result<(), SendError> {
        mark(&self.depths);
        let Some(next) = self.next else { return Ok(()) };
        match by {
            By::Send => drop(cx.send(next, Step(by))?),
            By::SendMut => drop(cx.send_mut(next, &mut Step(by))?),
            By::Request => drop(cx.request(next, Ask(by))?),
            By::Up => drop(cx.send(Up(next), Step(by))?),
        }
        Ok(())
    }
}

#[handlers]
impl Link {
    #[on_receive]
    fn step(&mut self, step: &Step, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        Ok(self.go(step.0, cx)?)
    }

    #[on_receive]
    fn ask(&mut self, ask: &Ask, cx: &mut Context<'_>) -> Result<usize, HandlerError> {
        self.go(ask.0, cx)?;
        Ok(1)
    }
}

struct Surfer<const N: usize>(Depths);

#[handlers(types(
    Surfer<0>, Surfer<1>, Surfer<2>, Surfer<3>, Surfer<4>, Surfer<5>, Surfer<6>, Surfer<7>
))]
impl<const N: usize> Surfer<N> {
    #[on_receive]
    fn ride(&mut self, wave: &Wave, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if wave.0 == N {
            mark(&self.0);
            cx.send(Everyone, Wave(N + 1))?;
        }
        Ok(())
    }
}

/// The wrapper around each delivery.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Around {
    Nothing,
    Recorded,
    RecordedAndGuarded,
}

fn manager(around: Around) -> MessageManager {
    let policy = match around {
        Around::RecordedAndGuarded => PanicPolicy::Unhook,
        _ => PanicPolicy::Propagate,
    };
    let config = ManagerConfig::new().panic_policy(policy);
    let mut manager = MessageManager::with_config(config.report_to(ReportTo::Nobody));
    if around != Around::Nothing {
        Recorder::new(64).start(&mut manager);
    }
    manager
}

fn row(manager: &mut MessageManager, length: usize, depths: &Depths) -> Vec<MessageeId> {
    let mut ids = Vec::new();
    for _ in 0..length {
        let next = ids.last().copied();
        let depths = Arc::clone(depths);
        ids.push(manager.spawn((Link { next, depths },)));
    }
    ids.reverse();
    ids
}

/// Returns how many bytes a hop takes, measured between the marked hops.
fn per_hop(depths: &Depths) -> usize {
    let depths = depths.lock().expect("no handler panics");
    depths[FROM].abs_diff(depths[TO]) / (TO - FROM)
}

fn hop(by: By, around: Around) -> Result<usize, SendError> {
    let (mut manager, depths) = (manager(around), Depths::default());
    let ids = row(&mut manager, TO + 1, &depths);
    match by {
        By::Request => drop(manager.request(ids[0], Ask(by))?),
        _ => drop(manager.send(ids[0], Step(by))?),
    }
    Ok(per_hop(&depths))
}

fn hop_to_everyone(around: Around) -> Result<usize, SendError> {
    let (mut manager, depths) = (manager(around), Depths::default());
    let d = || Arc::clone(&depths);
    manager.spawn((
        Surfer::<0>(d()),
        Surfer::<1>(d()),
        Surfer::<2>(d()),
        Surfer::<3>(d()),
    ));
    manager.spawn((
        Surfer::<4>(d()),
        Surfer::<5>(d()),
        Surfer::<6>(d()),
        Surfer::<7>(d()),
    ));
    manager.send(Everyone, Wave(0))?;
    Ok(per_hop(&depths))
}

fn hop_of_subscribers(around: Around) -> Result<usize, SendError> {
    let (mut manager, depths) = (manager(around), Depths::default());
    let ids: Vec<MessageeId> = (0..TO + 2).map(|_| manager.spawn(())).collect();
    for pair in ids.windows(2) {
        let (me, next, depths) = (pair[0], pair[1], Arc::clone(&depths));
        manager.subscribe(Filter::of::<Step>().to(me), move |step, cx| {
            mark(&depths);
            cx.send(next, Step(step.0)).expect("not too deep");
        });
    }
    manager.send(ids[0], Step(By::Send))?;
    Ok(per_hop(&depths))
}

// holds: reentrancy.default-depth
#[test]
fn the_default_of_max_depth_fits_half_of_a_thread_s_stack_in_a_debug_build() -> Tested {
    let mut worst = 0;
    for around in [
        Around::Nothing,
        Around::Recorded,
        Around::RecordedAndGuarded,
    ] {
        let mut note = |kind: &str, bytes: usize| {
            println!("{kind}, {around:?}: {bytes} bytes a hop");
            worst = worst.max(bytes);
        };
        for by in [By::Send, By::SendMut, By::Request, By::Up] {
            note(&format!("{by:?}"), hop(by, around)?);
        }
        note("Everyone", hop_to_everyone(around)?);
        note("a subscriber's send", hop_of_subscribers(around)?);
    }
    assert!(
        worst * DEPTH <= HALF,
        "{worst} bytes a hop, {} fit",
        HALF / worst
    );
    Ok(())
}

// holds: reentrancy.default-depth
#[test]
fn a_chain_of_the_default_depth_runs_on_a_thread_of_2_mib() -> Tested {
    let run = || {
        for around in [
            Around::Nothing,
            Around::Recorded,
            Around::RecordedAndGuarded,
        ] {
            for by in [By::Send, By::Request] {
                let (mut manager, depths) = (manager(around), Depths::default());
                let ids = row(&mut manager, DEPTH, &depths);
                match by {
                    By::Request => drop(manager.request(ids[0], Ask(by)).expect("all answer")),
                    _ => assert_eq!(manager.send(ids[0], Step(by)).expect("sent").failed, 0),
                }
                assert_eq!(depths.lock().expect("no handler panics").len(), DEPTH);
            }
        }
    };
    let thread = thread::Builder::new().stack_size(2 * HALF).spawn(run)?;
    thread.join().expect("it runs to its end");
    Ok(())
}
