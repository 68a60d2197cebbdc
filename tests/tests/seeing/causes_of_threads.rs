//! Causes go along when a handler hands work to another thread.

use std::error::Error;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use message_core::prelude::*;
use message_core::trace::{SentBy, Traced};
use message_trace::Recorder;

use crate::traces::explain;
use message_core::{HeaderError, TraceId};

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct FindPath;

#[derive(Message)]
struct PathFound;

#[derive(Default)]
struct Legs {
    search: Option<JoinHandle<()>>,
    asked_in: Option<TraceId>,
    answered_in: Option<TraceId>,
}

#[handlers]
impl Legs {
    #[on_receive]
    fn find(&mut self, _: &FindPath, cx: &mut Context<'_>) -> Result<(), HeaderError> {
        self.asked_in = cx.trace_id();
        let (inlet, home) = (cx.inlet(), Header::to(cx.me()).build()?);
        self.search = Some(thread::spawn(move || {
            inlet.try_post(&home, PathFound).expect("there is room");
        }));
        Ok(())
    }

    #[on_receive]
    fn found(&mut self, _: &PathFound, cx: &mut Context<'_>) {
        self.answered_in = cx.trace_id();
    }
}

// holds: seeing.cause-through-inlet
#[test]
fn what_a_thread_posts_that_a_handler_has_started_is_caused_by_that_delivery() -> Tested {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Legs::default(),));
    Recorder::new(100).start(&mut manager);
    manager.send(orc, FindPath)?;
    let search = manager.get_mut::<Legs>(orc)?.search.take();
    search
        .ok_or("no thread was started")?
        .join()
        .map_err(|_| "it panicked")?;
    manager.tick(Duration::from_millis(16));

    let legs = manager.get::<Legs>(orc)?;
    let answered_in = legs.answered_in.ok_or("no answer was traced")?;
    let why = explain(&manager, answered_in).ok_or("nothing is recorded")?;
    let [asking, asked, answering, answered] = &why.chain[..] else {
        return Err(format!("expected four links, found {why}").into());
    };
    assert_eq!(asking.message_id, FindPath::ID);
    assert_eq!(asked.what.delivery(), legs.asked_in);
    let Traced::Sent { cause, by, .. } = answering.what else {
        return Err("expected a send".into());
    };
    assert_eq!((cause, by), (legs.asked_in, SentBy::Inlet));
    assert_eq!(answered.what.delivery(), Some(answered_in));
    Ok(())
}
