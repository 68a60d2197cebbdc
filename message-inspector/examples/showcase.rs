//! A small world that has something for each view of the page: a tree with names, one of which looks like
//! markup; a chain of causes; failures, dead letters, posts with keys, a wire, a proxy, a message that
//! nobody handles, a door that cannot be opened. Waves of raiders attack the castle and are shot by an archer,
//! without end. A second world, `crowd`, has two hundred messagees that pass something on.
//!
//! `cargo run --release -p message-inspector --example showcase` prints the address of the page and runs
//! until it is killed. With `-- --recording FILE` it instead writes three seconds of itself to a
//! file that can be dropped onto the page.

use std::env;
use std::error::Error;
use std::fs::File;
use std::thread::sleep;
use std::time::Duration;

use message_core::lifecycle::Despawning;
use message_core::prelude::*;
use message_data::{self as data, Data, Wire};
use message_inspector::Inspector;
use message_net::proxy;
use message_trace::{Recorder, TraceFilter};
use serde::{Deserialize, Serialize};

const FRAME: Duration = Duration::from_millis(50);
/// A name that would become an element if a page treated it as markup.
const HOSTILE: &str = "<img src=x onerror=document.title='broken'>";

mnemonic! {
    CASTLE = "showcase.Castle",
    /// Never bound to anyone.
    DRAGON = "showcase.Dragon",
}

group! {
    GUARDS = "showcase.Guards",
    /// The raiders of the current wave.
    RAIDERS = "showcase.Raiders",
    /// A group without members.
    GHOSTS = "showcase.Ghosts",
}

/// Hurts the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
struct Damage {
    amount: u32,
}

/// Rings the bell.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Ring;

/// Tells the guards that the bell was rung.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Alarm;

/// Passed from guard to guard.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
struct Whisper {
    left: u32,
    text: String,
}

/// Asks the well for water.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Draw;

/// Serves a meal.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
struct Supper {
    courses: u32,
}

/// Sent to the proxy.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
struct Signal {
    fires: u32,
}

/// A message that nobody handles.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Sunrise;

/// Opens a door.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Open;

/// Lets the raiders go on.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Advance;

/// Lets the archer shoot.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Shoot;

/// The part of a door that can open it. The door of this castle has none.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Hinge;

#[handlers]
impl Hinge {
    #[on_receive]
    fn open(&mut self, _: &Open) {}
}

#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Frame;

#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Lock;

/// A raider, at some distance from the castle.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Raider {
    distance: u32,
}

#[handlers]
impl Raider {
    #[on_receive]
    fn advance(&mut self, _: &Advance, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.distance = self.distance.saturating_sub(1);
        if self.distance == 0 {
            cx.send(CASTLE, Damage { amount: 5 })?;
        }
        Ok(())
    }
}

/// An archer, who shoots at the raiders.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Bow {
    arrows: u64,
}

#[handlers]
impl Bow {
    #[on_receive]
    fn shoot(&mut self, _: &Shoot, cx: &mut Context<'_>) -> Result<(), SendError> {
        let target = cx.members(RAIDERS).next();
        if let Some(target) = target {
            self.arrows += 1;
            cx.send(target, Damage { amount: 4 })?;
        }
        Ok(())
    }
}

/// Hit points.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        if self.hp == 0 {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }
}

/// A bell, which notifies the guards.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Bell {
    rung: u64,
}

#[handlers]
impl Bell {
    #[on_receive]
    fn ring(&mut self, _: &Ring, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.rung += 1;
        cx.send(GUARDS, Alarm)?;
        Ok(())
    }
}

/// A guard that whispers what it hears to the next one.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Guard {
    next: Option<MessageeId>,
    heard: u64,
}

#[handlers]
impl Guard {
    #[on_receive]
    fn wake(&mut self, _: &Alarm, cx: &mut Context<'_>) -> Result<(), SendError> {
        let text = "the bell is rung".to_owned();
        match self.next {
            // Only the first one whispers: one chain is easier to follow than three.
            Some(next) if self.heard.is_multiple_of(2) => {
                cx.post(Header::to(next), Whisper { left: 9, text })?;
            }
            _ => {}
        }
        Ok(())
    }

    #[on_receive]
    fn listen(&mut self, whisper: &Whisper, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.heard += 1;
        let text = whisper.text.clone();
        match (whisper.left.checked_sub(1), self.next) {
            (Some(left), Some(next)) => {
                cx.post(Header::to(next), Whisper { left, text })?;
            }
            _ => {
                cx.send(CASTLE, Damage { amount: 1 })?;
            }
        }
        Ok(())
    }
}

/// A dry well.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Well {
    depth: f32,
}

#[handlers]
impl Well {
    #[on_receive]
    fn draw(&mut self, _: &Draw) -> Result<(), String> {
        Err(format!("the bucket does not reach {} m", self.depth))
    }
}

/// A messagee that eats.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Cook;

#[handlers]
impl Cook {
    #[on_receive]
    fn serve(&mut self, _: &Supper) {}
}

/// A load that is passed on.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
struct Sack;

/// The number of porters in a row and the number of rows.
const CROWD: (usize, usize) = (25, 8);

/// Passes on whatever it is given.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
struct Porter {
    next: Vec<MessageeId>,
    carried: u64,
}

#[handlers]
impl Porter {
    #[on_receive]
    fn carry(&mut self, _: &Sack, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.carried += 1;
        // Take turns.
        let count = self.next.len();
        self.next.rotate_left(count.min(1));
        if let Some(&next) = self.next.first() {
            cx.send(next, Sack)?;
        }
        Ok(())
    }
}

/// Creates rows of porters, each of which passes on to two of the next row.
fn crowd() -> Result<(MessageManager, Vec<MessageeId>), MessageeError> {
    let mut manager = MessageManager::new();
    let (beside, behind) = CROWD;
    let mut rows: Vec<Vec<MessageeId>> = Vec::new();
    for row in 0..behind {
        let porter = |at| {
            (
                format!("porter {}-{}", row + 1, at + 1),
                (Porter::default(),),
            )
        };
        let porters = (0..beside).map(porter);
        rows.push(
            porters
                .map(|(name, it)| manager.spawn_named(name, it))
                .collect(),
        );
    }
    for pair in rows.windows(2) {
        for (at, &porter) in pair[0].iter().enumerate() {
            let next = vec![pair[1][at], pair[1][(at + 1) % beside]];
            manager.get_mut::<Porter>(porter)?.next = next;
        }
    }
    let first = rows.swap_remove(0);
    Ok((manager, first))
}

struct Showcase {
    manager: MessageManager,
    well: MessageeId,
    tower: MessageeId,
    door: MessageeId,
    waves: u32,
}

impl Showcase {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut manager = MessageManager::new();
        let castle = manager.spawn_named("castle", (Health { hp: 1_000_000 },));
        manager.bind(CASTLE, castle)?;
        let bell = manager.spawn_named("bell", (Bell { rung: 0 },));
        let well = manager.spawn_named("well", (Well { depth: 40.0 },));
        let kitchen = manager.spawn_named("kitchen", (Cook,));
        let outbox = proxy::open_outbox(&mut manager, 1 << 16);
        let tower = proxy::spawn_proxy(&mut manager, outbox)?;
        manager.set_name(tower, "far tower")?;
        proxy::set_outbox_blocked(&mut manager, outbox, false);
        let mut guards = Vec::new();
        for name in ["guard Ann", "guard Bob", HOSTILE] {
            let (next, heard) = (None, 0);
            let guard = manager.spawn_named(name, (Guard { next, heard }, Health { hp: 20 }));
            manager.join(GUARDS, guard)?;
            guards.push(guard);
        }
        for (at, &guard) in guards.iter().enumerate() {
            manager.get_mut::<Guard>(guard)?.next = Some(guards[(at + 1) % guards.len()]);
        }
        let archer = manager.spawn_named("archer", (Bow { arrows: 0 }, Health { hp: 50 }));
        let door = manager.spawn_named("door", (Frame, Lock));
        for child in [bell, well, kitchen, archer, door].iter().chain(&guards) {
            manager.set_parent(*child, Some(castle))?;
        }

        let bells = Header::to(bell).every(Duration::from_secs(1)).key("bell");
        manager.post(bells, Ring)?;
        let shots = Header::to(archer).every(Duration::from_millis(700));
        manager.post(shots, Shoot)?;
        let steps = Header::to(RAIDERS).every(Duration::from_millis(250));
        manager.post(steps, Advance)?;
        let hour = Duration::from_secs(3600);
        let supper = Header::to(kitchen).after(hour).key("supper");
        manager.post(supper, Supper { courses: 3 })?;
        let breakfast = Header::to(kitchen).after(8 * hour).key("breakfast");
        manager.post(breakfast, Supper { courses: 1 })?;
        let storm = Header::to(castle).after(24 * hour).times(5).every(hour);
        manager.post(storm, Damage { amount: 50 })?;
        manager.subscribe_for(archer, Filter::of::<Ring>(), |_, _| {})?;
        // Subscribe to the manager's own messages about despawning.
        manager.subscribe(Filter::of::<Despawning>(), |_, _| {});
        data::add_wire(
            &mut manager,
            Wire::on::<Ring>(bell).send("kitchen", Supper { courses: 1 }),
        )?;
        Ok(Self {
            manager,
            well,
            tower,
            door,
            waves: 0,
        })
    }

    /// Spawns the next raiders.
    fn wave(&mut self) -> Result<(), MessageeError> {
        self.waves += 1;
        for nth in 1..=3 {
            let name = format!("raider {}-{nth}", self.waves);
            let parts = (Raider { distance: 12 }, Health { hp: 12 });
            let raider = self.manager.spawn_named(name, parts);
            self.manager.join(RAIDERS, raider)?;
        }
        Ok(())
    }

    /// Runs one frame, in which something occasionally goes wrong.
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        self.manager.tick(FRAME);
        let clock = self.manager.clock();
        if clock.is_paused() {
            return Ok(());
        }
        if clock.frame() % 20 == 5 {
            // The receipt reports that the handler failed, and so does the page.
            let _ = self.manager.send(self.well, Draw);
            let _ = self.manager.send(self.tower, Signal { fires: 2 });
        }
        if clock.frame() % 60 == 1 && self.manager.members(RAIDERS).next().is_none() {
            self.wave()?;
        }
        if clock.frame() % 40 == 20 {
            // Nobody receives these two.
            self.manager.send(self.door, Open)?;
            self.manager.send(GHOSTS, Alarm)?;
        }
        if clock.frame() % 40 == 10 {
            let traveller = self.manager.spawn_named("traveller", (Health { hp: 1 },));
            let soon = Header::to(traveller).after_frames(2);
            self.manager.post(soon, Damage { amount: 1 })?;
            self.manager.despawn(traveller)?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut showcase = Showcase::new()?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [] => {}
        [option, path] if option == "--recording" => {
            let recorder = Recorder::new(100_000).with_contents();
            recorder.start(&mut showcase.manager);
            for _ in 0..60 {
                showcase.frame()?;
            }
            let recorder = Recorder::stop(&mut showcase.manager).expect("it was started");
            message_trace::write_json_lines(&recorder, &TraceFilter::all(), File::create(path)?)?;
            return Ok(());
        }
        _ => return Err("expected nothing, or `--recording FILE`".into()),
    }
    let mut inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    inspector.attach(&mut showcase.manager, "showcase");
    let (mut crowd, first) = crowd()?;
    inspector.attach(&mut crowd, "crowd");
    println!("look at {}", inspector.url());
    for porter in first.iter().cycle() {
        showcase.frame()?;
        inspector.update(&mut showcase.manager);
        crowd.tick(FRAME);
        crowd.send(*porter, Sack)?;
        inspector.update(&mut crowd);
        sleep(FRAME);
    }
    Ok(())
}
