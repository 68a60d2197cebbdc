//! Checks that a world does the same when it is run twice, and goes on the same after it is restored from a save.

use std::fmt::Write;
use std::time::Duration;

use message_core::MessageManager;
use message_core::internals::Inside as _;

use crate::log::difference::{Difference, changed_by_restored, on_restored};
use crate::save::SaveOptions;

/// A function that is called before each frame with the frame's number, counted from 0.
type Step = dyn Fn(&mut MessageManager, u64);

/// Runs a world three ways and compares the states after each frame: the world itself, a second world that is made
/// the same way, and one that is restored from a save of the first in the middle.
///
/// A program that fails this test cannot be replayed, and two machines that run it diverge.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Data, SyncTest};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Blink")]
/// struct Blink;
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "docs.Beacon")]
/// #[serde(default)]
/// struct Beacon { blinks: u32 }
///
/// #[handlers]
/// impl Beacon {
///     #[on_receive]
///     fn blink(&mut self, _: &Blink) { self.blinks += 1; }
/// }
///
/// SyncTest::new(|| {
///     let mut manager = MessageManager::new();
///     manager.spawn((Beacon::default(),));
///     manager
/// })
/// .step(|manager, frame| {
///     if frame % 3 == 0 {
///         manager.send(Everyone, Blink).expect("it is not nested");
///     }
/// })
/// .assert_deterministic(20);
/// ```
#[must_use]
pub struct SyncTest {
    make: Box<dyn Fn() -> MessageManager>,
    prepare: Box<dyn Fn(&mut MessageManager)>,
    step: Box<Step>,
    dt: Duration,
}

impl std::fmt::Debug for SyncTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SyncTest")
            .field("dt", &self.dt)
            .finish_non_exhaustive()
    }
}

impl SyncTest {
    /// Creates a test from a function that makes a world.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::SyncTest;
    ///
    /// SyncTest::new(MessageManager::new).assert_deterministic(3);
    /// ```
    pub fn new(make: impl Fn() -> MessageManager + 'static) -> Self {
        Self {
            make: Box::new(make),
            prepare: Box::new(|_| {}),
            step: Box::new(|_, _| {}),
            dt: Duration::from_micros(16_667),
        }
    }

    /// Sets a function that is called with each world that was made or restored, for example to subscribe: a save has
    /// no closures.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::SyncTest;
    ///
    /// let test = SyncTest::new(MessageManager::new).prepare(|manager| {
    ///     manager.subscribe(Filter::all(), |_, _| {});
    /// });
    /// test.assert_deterministic(3);
    /// ```
    pub fn prepare(mut self, prepare: impl Fn(&mut MessageManager) + 'static) -> Self {
        self.prepare = Box::new(prepare);
        self
    }

    /// Sets a function that is called before each frame, with the frame's number, counted from 0: the inputs of the
    /// test.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::SyncTest;
    ///
    /// let test = SyncTest::new(MessageManager::new).step(|manager, frame| {
    ///     manager.spawn_named(format!("number {frame}"), ());
    /// });
    /// test.assert_deterministic(3);
    /// ```
    pub fn step(mut self, step: impl Fn(&mut MessageManager, u64) + 'static) -> Self {
        self.step = Box::new(step);
        self
    }

    /// Sets the duration of a frame. The default is 16.667 milliseconds.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::SyncTest;
    /// use std::time::Duration;
    ///
    /// SyncTest::new(MessageManager::new).dt(Duration::from_millis(20)).assert_deterministic(3);
    /// ```
    pub fn dt(mut self, dt: Duration) -> Self {
        self.dt = dt;
        self
    }

    /// Runs the worlds for `frames` frames.
    ///
    /// # Panics
    ///
    /// Panics if two of the worlds differ, with the frame, the component type, the messagee and the field. Also
    /// panics if the world cannot be saved or restored.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::SyncTest;
    ///
    /// SyncTest::new(MessageManager::new).assert_deterministic(3);
    /// ```
    ///
    /// A world that depends on more than its inputs:
    ///
    /// ```should_panic
    /// use message_core::prelude::*;
    /// use message_data::{Data, SyncTest};
    /// use serde::{Deserialize, Serialize};
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(exact, name = "docs.Unsteady")]
    /// struct Unsteady { number: u32 }
    ///
    /// static MADE: AtomicU32 = AtomicU32::new(0);
    ///
    /// SyncTest::new(|| {
    ///     let mut manager = MessageManager::new();
    ///     manager.spawn((Unsteady { number: MADE.fetch_add(1, Ordering::Relaxed) },));
    ///     manager
    /// })
    /// .assert_deterministic(3); // The second world has another number.
    /// ```
    #[track_caller]
    pub fn assert_deterministic(&self, frames: u64) {
        if let Err(what) = self.run(frames) {
            panic!("{what}");
        }
    }

    fn run(&self, frames: u64) -> Result<(), String> {
        let again = "made a second time";
        let mut first = self.made();
        let mut second = self.made();
        compare(&first, &second, 0, again)?;
        for frame in 0..frames / 2 {
            self.frame(&mut first, frame);
            self.frame(&mut second, frame);
            compare(&first, &second, frame + 1, again)?;
        }
        let save = crate::save(&mut first, &SaveOptions::new());
        let save = save.map_err(|error| format!("the world cannot be saved: {error}"))?;
        let config = first.world().common.config.clone();
        let mut third = match crate::restore(&save, config.clone()) {
            Ok(restored) => restored.manager,
            Err(error) => return Err(format!("the world cannot be restored: {error}")),
        };
        (self.prepare)(&mut third);
        let compare_restored = |first: &_, third: &_, frames| {
            compare(first, third, frames, "restored from a save").map_err(|mut what| {
                if let Some(part) = changed_by_restored(&save, &config) {
                    what += &on_restored(&part);
                }
                what
            })
        };
        compare_restored(&first, &third, frames / 2)?;
        for frame in frames / 2..frames {
            for manager in [&mut first, &mut second, &mut third] {
                self.frame(manager, frame);
            }
            compare(&first, &second, frame + 1, again)?;
            compare_restored(&first, &third, frame + 1)?;
        }
        Ok(())
    }

    fn made(&self) -> MessageManager {
        let mut manager = (self.make)();
        (self.prepare)(&mut manager);
        manager
    }

    fn frame(&self, manager: &mut MessageManager, frame: u64) {
        (self.step)(manager, frame);
        manager.tick(self.dt);
    }
}

/// Returns an error that says where two worlds differ, if they do.
fn compare(
    one: &MessageManager,
    other: &MessageManager,
    frames: u64,
    how: &str,
) -> Result<(), String> {
    let Some(difference) = Difference::between(one, other) else {
        return Ok(());
    };
    let part = &difference.part;
    let mut text = format!("after {frames} frames the world {how} differs: `{part}`");
    if let Some(messagee) = &difference.messagee {
        let _ = write!(text, " of messagee {messagee}");
    }
    if let Some((field, one, other)) = &difference.field {
        let _ = write!(
            text,
            ", field `{field}`: `{one}` in the first, `{other}` in this one"
        );
    }
    Err(text)
}

/// Asserts that a world does the same when it is run twice, and goes on the same after it is restored from a save.
///
/// This is [`SyncTest::new(make).assert_deterministic(frames)`](SyncTest::assert_deterministic).
///
/// # Panics
///
/// Panics if it does not, with the frame, the component type, the messagee and the field.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::assert_deterministic;
///
/// assert_deterministic(MessageManager::new, 10);
/// ```
#[track_caller]
pub fn assert_deterministic(make: impl Fn() -> MessageManager + 'static, frames: u64) {
    SyncTest::new(make).assert_deterministic(frames);
}
