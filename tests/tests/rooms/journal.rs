//! The journal of all rooms: they are dropped or killed, and go on.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::report::ReportTo;
use message_data::journal::JournalConfig;
use message_data::{Data, Digest, Log, LogOptions, Replay};
use message_rooms::{RoomId, Rooms, RoomsDigest, RoomsJournalError};
use serde::{Deserialize, Serialize};

use crate::common::{FRAME, Point};
use crate::random::Random;
use crate::walker::{LEDGER, Ledger, Nudge, Query, STUMBLED, WALKERS, Walker};

const NAMES: [&str; 3] = ["north", "east", "south"];

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("rooms-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn quiet() -> ManagerConfig {
    ManagerConfig::new().report_to(ReportTo::Nobody)
}

fn config() -> JournalConfig {
    let config = JournalConfig::new().manager(quiet()).segment_frames(7);
    config.digest_every(3)
}

/// A program whose inputs depend on the number of the frame alone.
#[derive(Clone, Copy)]
struct Program {
    seed: u64,
    is_fragile: bool,
}

impl Program {
    /// Opens its rooms. Returns `true` if they are new.
    fn open(folder: &Folder, threads: usize) -> (Rooms, bool) {
        message_data::ask::register::<Query>();
        let mut rooms = Rooms::with_threads(threads);
        let found = rooms.open_journal(&folder.0, NAMES, &config()).unwrap();
        rooms.span(WALKERS);
        (rooms, found[0].is_new)
    }

    fn without_journal() -> Rooms {
        let mut rooms = Rooms::new();
        for name in NAMES {
            let manager = MessageManager::with_config(quiet());
            rooms.add(name, manager).unwrap();
        }
        rooms.span(WALKERS);
        rooms
    }

    fn begin(self, rooms: &mut Rooms) {
        let mut random = Random::new(self.seed);
        let mut walkers = Vec::new();
        for room in rooms.ids() {
            let manager = rooms.manager_mut(room);
            let ledger = manager.spawn((Ledger::default(),));
            manager.bind(LEDGER, ledger).unwrap();
            for _ in 0..random.between(1, 4) {
                let walker = Walker::new(random.next(), 3, self.is_fragile);
                walkers.push((room, manager.spawn((walker,))));
            }
        }
        for _ in 0..walkers.len() * 3 {
            let [one, other] = [(); 2].map(|()| walkers[random.place(walkers.len())]);
            let known = rooms.proxy(one.0, other.0, other.1).unwrap();
            let manager = rooms.manager_mut(one.0);
            manager.get_mut::<Walker>(one.1).unwrap().meet(known);
        }
    }

    /// Carries out a frame with what the program does before it.
    fn frame(self, rooms: &mut Rooms, number: u64) {
        let mut random = Random::new(self.seed ^ (number << 20) ^ 0x4d);
        for _ in 0..random.between(1, 6) {
            let room = RoomId::new(random.between(0, 2));
            let walkers = rooms.manager(room).iter::<Walker>();
            let walkers: Vec<MessageeId> = walkers.map(|(id, _)| id).collect();
            if walkers.len() < 2 {
                let walker = Walker::new(random.next(), 3, self.is_fragile);
                rooms.manager_mut(room).spawn((walker,));
                continue;
            }
            let id = walkers[random.place(walkers.len())];
            let to = RoomId::new(random.between(0, 2));
            if random.once_in(4) || walkers.len() > 12 {
                drop(rooms.move_to(room, id, to));
            } else {
                let left = random.between(0, 3);
                let header = Header::to(id).stage(Stage::Update);
                drop(rooms.manager_mut(room).post(header, Nudge { left }));
            }
        }
        drop(rooms.frame(FRAME));
    }

    /// Returns the digests of an undisturbed run before each of these frames.
    fn digests(self, frames: u64) -> Vec<RoomsDigest> {
        let mut rooms = Self::without_journal();
        self.begin(&mut rooms);
        let step = |number| {
            let before = rooms.digest();
            self.frame(&mut rooms, number);
            before
        };
        (0..frames).map(step).collect()
    }
}

fn frames(rooms: &Rooms) -> u64 {
    rooms.manager(RoomId::new(0)).clock().frame()
}

fn cases(or: u64) -> u64 {
    let cases = std::env::var("ROOMS_JOURNAL_CASES").ok();
    cases.map_or(or, |cases| cases.parse().unwrap())
}

// holds: rooms.journal
#[test]
fn rooms_that_are_opened_again_go_on_as_if_nothing_had_happened() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str() != Some(STUMBLED) {
            report(panic);
        }
    }));
    for case in 0..cases(4) {
        let is_fragile = case % 3 == 0;
        let seed = case;
        let program = Program { seed, is_fragile };
        let reference = program.digests(121);
        let (folder, mut random) = (Folder::new("again"), Random::new(case));
        let (mut rooms, is_new) = Program::open(&folder, 1);
        assert!(is_new);
        program.begin(&mut rooms);
        let digest_after = |frames: u64| &reference[usize::try_from(frames).unwrap()];
        let mut reached = 0;
        while reached < 120 {
            let difference = digest_after(reached).difference(&rooms.digest());
            assert_eq!(difference, None, "case {case}, frame {reached}");
            program.frame(&mut rooms, reached);
            assert_eq!(rooms.journal_failure(), None);
            reached += 1;
            if random.once_in(4) {
                // An input after the last frame is lost.
                rooms.manager_mut(RoomId::new(1)).spawn(());
                drop(rooms);
                let is_new;
                (rooms, is_new) = Program::open(&folder, [1, 2, 4, 8][random.place(4)]);
                assert!(!is_new);
                assert_eq!(frames(&rooms), reached);
            }
        }
    }
}

// holds: rooms.journal
#[test]
fn a_killed_process_goes_on_with_all_rooms() {
    const FOLDER: &str = "ROOMS_JOURNAL_FOLDER";
    let (seed, is_fragile) = (5, false);
    let program = Program { seed, is_fragile };
    if let Ok(folder) = std::env::var(FOLDER) {
        let folder = std::mem::ManuallyDrop::new(Folder(folder.into()));
        let (mut rooms, is_new) = Program::open(&folder, 2);
        if is_new {
            program.begin(&mut rooms);
        }
        let mut out = std::io::stdout().lock();
        for number in frames(&rooms).. {
            program.frame(&mut rooms, number);
            writeln!(out, "frame {number}").unwrap();
        }
    }
    let kills: u64 = std::env::var("ROOMS_KILLS").map_or(20, |kills| kills.parse().unwrap());
    let folder = Folder::new("killed");
    let (mut before, mut random) = (0, Random::new(1));
    let mut reference = Program::without_journal();
    program.begin(&mut reference);
    let mut number = 0;
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "journal::a_killed_process_goes_on_with_all_rooms",
                "--nocapture",
            ])
            .env(FOLDER, &folder.0)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            let frames = lines.filter_map(|line| line.strip_prefix("frame ")?.parse().ok());
            frames.last()
        });
        std::thread::sleep(Duration::from_millis(u64::from(random.between(20, 250))));
        child.kill().unwrap();
        child.wait().unwrap();
        let last: Option<u64> = reader.join().unwrap();
        let (rooms, is_new) = Program::open(&folder, 1);
        let reached = frames(&rooms);
        assert!(
            reached >= last.map_or(before, |last| last + 1),
            "kill {kill}: {reached} after {last:?}"
        );
        if is_new {
            assert_eq!(reached, 0);
            continue;
        }
        while number < reached {
            program.frame(&mut reference, number);
            number += 1;
        }
        let difference = reference.digest().difference(&rooms.digest());
        assert_eq!(difference, None, "kill {kill}, frame {reached}");
        before = reached;
    }
    println!("{kills} kills, {before} frames");
    assert!(before > kills, "{before} frames");
}

// holds: rooms.journal
#[test]
fn what_the_file_of_frames_does_not_name_is_given_up() {
    let (seed, is_fragile) = (9, false);
    let program = Program { seed, is_fragile };
    let (folder, reference) = (Folder::new("torn"), program.digests(12));
    let (mut rooms, _) = Program::open(&folder, 1);
    program.begin(&mut rooms);
    for number in 0..11 {
        program.frame(&mut rooms, number);
    }
    drop(rooms);
    // The last line is cut off, and the one before names more than a journal has, as after a power failure.
    let file = folder.0.join("frames");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 12, "{text}");
    let torn = [&lines[..9], &["99999 99999 99999", "12 1"]]
        .concat()
        .join("\n");
    std::fs::write(&file, torn).unwrap();
    let (rooms, is_new) = Program::open(&folder, 1);
    assert!(!is_new);
    assert_eq!(frames(&rooms), 8);
    assert_eq!(reference[8].difference(&rooms.digest()), None);
    drop(rooms);
    let error = Rooms::new().open_journal(&folder.0, ["north", "east"], &config());
    let error = error.expect_err("there are three");
    assert!(
        matches!(error, RoomsJournalError::OtherNames { .. }),
        "{error}"
    );
    let names = ["north", "north"];
    let error = Rooms::new().open_journal(&folder.0, names, &config());
    assert_eq!(
        error.expect_err("two of them are equal").to_string(),
        "two rooms are called `north`: expected a name of its own for each"
    );
}

// holds: rooms.journal
#[test]
fn a_message_without_data_does_not_leave_a_room_with_a_journal() {
    /// Is cloned, and has no data.
    #[derive(Message, Clone, Debug)]
    #[message(name = "rooms.Rumor")]
    struct Rumor;

    message_rooms::carried!(Rumor);

    let folder = Folder::new("data");
    let mut rooms = Rooms::new();
    rooms.open_journal(&folder.0, NAMES, &config()).unwrap();
    let [here, there] = [RoomId::new(0), RoomId::new(1)];
    let ear = rooms.manager_mut(there).spawn(());
    let ear = rooms.proxy(here, there, ear).unwrap();
    let error = rooms.manager_mut(here).send(ear, Rumor).unwrap_err();
    assert!(error.to_string().contains("data"), "{error}");
}

/// Begins the log of a room.
fn start_log(rooms: &mut Rooms, room: RoomId, folder: &Folder) {
    let file = std::fs::File::create(folder.0.join(room.to_string())).unwrap();
    Log::start(rooms.manager_mut(room), file, LogOptions::new()).unwrap();
}

/// Ends the log of a room, and checks that its replay leads to the same state.
fn check_log(rooms: &mut Rooms, room: RoomId, folder: &Folder) {
    Log::stop(rooms.manager_mut(room)).unwrap();
    let replayed = Replay::open(folder.0.join(room.to_string())).unwrap();
    let replayed = replayed.config(quiet()).run().unwrap();
    let difference = Digest::of(rooms.manager(room)).difference(&Digest::of(&replayed.manager));
    assert_eq!(difference, None, "room {room}");
}

// holds: rooms.log
#[test]
fn the_log_of_a_room_repeats_it_without_the_others() {
    let (seed, is_fragile) = (3, false);
    let program = Program { seed, is_fragile };
    let mut rooms = Program::without_journal();
    program.begin(&mut rooms);
    let folder = Folder::new("log");
    for room in rooms.ids() {
        start_log(&mut rooms, room, &folder);
    }
    for number in 0..20 {
        program.frame(&mut rooms, number);
    }
    for room in rooms.ids() {
        check_log(&mut rooms, room, &folder);
    }
}

// holds: rooms.log
#[test]
fn the_log_repeats_the_dead_letters_of_a_move() {
    let (mut rooms, folder) = (Program::without_journal(), Folder::new("dead"));
    let [here, there] = [RoomId::new(0), RoomId::new(1)];
    let walker = Walker::new(1, 3, false);
    let manager = rooms.manager_mut(here);
    let [walker, friend] = [manager.spawn((walker,)), manager.spawn(())];
    let mut from = manager.speak_for(walker).unwrap();
    let later = Header::to(friend).after(FRAME * 9);
    from.post(later, Nudge { left: 0 }).unwrap();
    manager.despawn(friend).unwrap();
    start_log(&mut rooms, here, &folder);
    rooms.move_to(here, walker, there).unwrap();
    assert_eq!(rooms.manager(here).inspect().dead_letter_count(), 1);
    check_log(&mut rooms, here, &folder);
}

/// Ends the messagees that dead letters point at.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "rooms.Sexton", exact)]
struct Sexton;

#[handlers]
impl Sexton {
    #[on_receive]
    fn bury(&mut self, letter: &DeadLetter, cx: &mut Context<'_>) {
        let message = letter.message.as_ref();
        if let Some(point) = message.and_then(|message| message.downcast_ref::<Point>()) {
            cx.despawn(point.at).unwrap();
        }
    }
}

// holds: rooms.log
#[test]
fn the_log_repeats_a_dead_letter_whose_receiver_ends_a_proxy_in_it() {
    let (mut rooms, folder) = (Program::without_journal(), Folder::new("sexton"));
    let [here, there] = [RoomId::new(0), RoomId::new(1)];
    rooms.manager_mut(here).spawn((Sexton,));
    let [gone, stone] = [(); 2].map(|()| rooms.manager_mut(there).spawn(()));
    let [to, at] = [gone, stone].map(|id| rooms.proxy(here, there, id).unwrap());
    let manager = rooms.manager_mut(here);
    manager.send(to, Point { at }).unwrap();
    manager.despawn(at).unwrap();
    rooms.manager_mut(there).despawn(gone).unwrap();
    start_log(&mut rooms, here, &folder);
    for _ in 0..3 {
        rooms.frame(FRAME).unwrap();
    }
    assert_eq!(rooms.manager(here).inspect().dead_letter_count(), 1);
    check_log(&mut rooms, here, &folder);
}
