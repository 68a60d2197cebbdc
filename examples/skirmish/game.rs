//! The game: the manager with everyone in it, and the operations on it from outside.

use std::cell::Ref;
use std::error::Error;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use message_core::ManagerConfig;
use message_core::prelude::*;
use message_core::trace::TraceEvent;
use message_data::{
    self as data, Log, LogError, LogOptions, Replay, SaveError, SaveOptions, WorldFile,
};
use message_trace::Recorder;

use crate::ai_log::AiLog;
use crate::body::{Body, Side};
use crate::chronicle::STEPS;
use crate::ledger::Ledger;
use crate::messages::{Begin, GetVerdict, Update, Verdict, WORLD};
use crate::world::World;

/// A manager with the contents of a world file.
pub struct Game {
    manager: MessageManager,
    world: MessageeId,
}

/// The duration of a turn: one second, so that the wires of the world file can use seconds.
const TURN: Duration = Duration::from_secs(1);

impl Game {
    /// Creates a game from a world file.
    pub fn new(file: &WorldFile) -> Result<Self, Box<dyn Error>> {
        let mut manager = MessageManager::new();
        file.instantiate(&mut manager)?;
        let world = manager.bound(WORLD);
        let world = world.ok_or("the world file has nobody with the mnemonic `WORLD`")?;
        let sides: Vec<Side> = manager.iter::<Body>().map(|(_, body)| body.side).collect();
        let rules = manager.get_mut::<World>(world)?;
        for side in sides {
            rules.enlist(side);
        }
        manager.hook(world, Ledger::default())?;
        manager.hook(world, AiLog::default())?;
        Self::prepare(&mut manager);
        Ok(Self { manager, world })
    }

    /// Continues a saved battle.
    pub fn load(save: &[u8]) -> Result<Self, Box<dyn Error>> {
        let restored = data::restore(save, ManagerConfig::new())?;
        for note in &restored.notes {
            eprintln!("{note}");
        }
        let mut manager = restored.manager;
        let world = Self::prepare(&mut manager).ok_or("the save has no battle in it")?;
        Ok(Self { manager, world })
    }

    /// Replays a battle from the log of its inputs.
    pub fn replay(log: &Path) -> Result<Self, Box<dyn Error>> {
        let manager = Self::replayed(log)?.run()?.manager;
        let world = manager.bound(WORLD).ok_or("the log has no battle in it")?;
        Ok(Self { manager, world })
    }

    /// Opens a log, to be replayed and recorded.
    fn replayed(log: &Path) -> Result<Replay, Box<dyn Error>> {
        let replay = Replay::open(log)?.prepare(|manager| {
            Self::prepare(manager);
            Recorder::new(STEPS).with_contents().start(manager);
        });
        Ok(replay)
    }

    /// Describes a turn of a battle from the log of its inputs: what was delivered, and why.
    pub fn describe_turn(log: &Path, turn: u32) -> Result<String, Box<dyn Error>> {
        let mut replay = Self::replayed(log)?;
        let manager = replay.until(turn.into())?;
        let recorder = Recorder::of(manager).ok_or("it is recorded")?;
        Ok(recorder.describe_frame(turn.into()))
    }

    /// Explains the last wound of a fighter in a battle from the log of its inputs.
    pub fn who_hurt(log: &Path, name: &str) -> Result<String, Box<dyn Error>> {
        // From the beginning, so that the explanation begins there, too.
        let mut replay = Self::replayed(log)?.key_frames(0, 0);
        let mut fighter = None;
        for turn in 0.. {
            let manager = replay.until(turn)?;
            fighter = manager.find(name).next().or(fighter);
            if manager.clock().frame() < turn {
                break;
            }
        }
        let fighter = fighter.ok_or_else(|| format!("nobody is called `{name}`"))?;
        let Some(change) = replay.who_changed(fighter, "Health", "hp")? else {
            return Ok(format!("nobody has hurt `{name}`"));
        };
        let manager = replay.run_on()?;
        let recorder = Recorder::of(&manager).ok_or("it is recorded")?;
        let delivery = change.delivery.as_ref().and_then(TraceEvent::begun);
        let why = delivery.and_then(|delivery| recorder.explain(delivery));
        let why = why.map(|why| format!("\n{why}")).unwrap_or_default();
        Ok(format!("{change}{why}"))
    }

    /// Creates the subscribers, which are closures and thus neither in a save nor in a log.
    fn prepare(manager: &mut MessageManager) -> Option<MessageeId> {
        let world = manager.bound(WORLD)?;
        AiLog::keep(manager, world);
        Some(world)
    }

    /// Returns a save of the current state.
    pub fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        data::save(&mut self.manager, &SaveOptions::new())
    }

    /// Logs all inputs of the manager, with a digest of each turn.
    pub fn log_to(&mut self, file: File) -> Result<(), LogError> {
        let options = LogOptions::new().digest_every(1);
        Log::start(&mut self.manager, file, options)
    }

    /// Ends the log, if there is one.
    pub fn end_log(&mut self) -> io::Result<()> {
        if let Some(report) = Log::stop(&mut self.manager)? {
            println!(
                "\nthe log has {} inputs in {} bytes",
                report.inputs, report.bytes
            );
        }
        Ok(())
    }

    /// Returns the manager, for viewing.
    pub fn manager(&mut self) -> &mut MessageManager {
        &mut self.manager
    }

    /// Returns the number of turns played.
    pub fn played(&self) -> u64 {
        self.manager.clock().frame()
    }

    /// Returns the maximum number of turns.
    pub fn turns(&self) -> Result<u32, MessageeError> {
        Ok(self.manager.get::<World>(self.world)?.turns)
    }

    /// Records all messages from now on.
    pub fn record(&mut self) {
        let recorder = Recorder::new(STEPS).with_contents();
        recorder.start(&mut self.manager);
    }

    /// Ends the recording, and returns it.
    pub fn stop_recording(&mut self) -> Option<Recorder> {
        Recorder::stop(&mut self.manager)
    }

    /// Returns the messagee of that name.
    #[cfg(test)]
    pub fn find(&self, name: &str) -> Option<MessageeId> {
        self.manager.find(name).next()
    }

    /// Begins the battle: the wires of the world post the events from outside.
    pub fn begin(&mut self) -> Result<(), SendError> {
        self.tell(WORLD, Begin)?;
        Ok(())
    }

    /// Plays a turn: the posts that are due, the actions of everyone, and their consequences.
    pub fn turn(&mut self) -> Result<(), SendError> {
        self.manager.begin_frame(TURN);
        self.manager.run_stage(Stage::Update);
        self.tell(Everyone, Update)?;
        self.manager.run_stage(Stage::LateUpdate);
        Ok(())
    }

    /// Asks who has won.
    pub fn verdict(&mut self) -> Result<Verdict, SendError> {
        let verdict = self.manager.request(WORLD, GetVerdict)?;
        if let Ok(ledger) = self.manager.get_mut::<Ledger>(self.world) {
            ledger.note_answer::<GetVerdict>(true);
        }
        Ok(verdict)
    }

    /// Prints the ledger and the dead.
    pub fn report(&self) -> Result<(), MessageeError> {
        println!("\n{}", self.manager.get::<Ledger>(self.world)?);
        println!("(pending: kept for a busy component, received once it was free)");
        println!("\n{}", self.manager.get::<World>(self.world)?);
        Ok(())
    }

    /// Returns the log of the minds.
    pub fn ai_log(&self) -> Result<Ref<'_, AiLog>, MessageeError> {
        self.manager.get(self.world)
    }

    /// Sends a message from outside, and records the result.
    #[track_caller]
    fn tell<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let receipt = self.manager.send(to, message)?;
        if let Ok(ledger) = self.manager.get_mut::<Ledger>(self.world) {
            ledger.note::<M>(receipt);
        }
        Ok(receipt)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use message_core::Posts;
    use message_data::{Digest, parse_message};

    use super::*;

    #[test]
    fn goblins_can_be_hurt_by_a_message_that_is_written() -> Result<(), Box<dyn Error>> {
        let mut game = Game::new(&WorldFile::parse(crate::WORLD)?)?;
        let manager = game.manager();
        let goblins: Vec<MessageeId> = manager.find("goblin*").collect();
        let mut hurt = 0;
        for goblin in goblins {
            let damage = parse_message("Damage(amount: 3)", manager)?;
            hurt += manager.send_any(goblin, damage)?.received;
        }
        // The squad has the same name, but cannot be hurt.
        assert_eq!(hurt, 3);
        Ok(())
    }

    /// A goblin and an archer in sight of each other, and a goblin out of reach.
    const MEETING: &str = r#"World(version: 1, messagees: [
        (name: "field", mnemonics: ["WORLD"], components: [Rules(turns: 1)],
            wires: [(on: Begin, to: Group("GOBLINS"), send: Order(Regroup), after: 1)]),
        (name: "archer", components: [
            Body(side: Castle, at: 0), Health(hp: 9), Patrol(mind: (sight: 2, strength: 3))]),
        (name: "goblins", groups: ["GOBLINS"], components: [Squad(nerve: 0)], children: [
            (name: "grib", groups: ["GOBLINS"], components: [
                Body(side: Wild, at: 2), Health(hp: 8), Patrol(mind: (sight: 3, strength: 3))]),
            (name: "mok", groups: ["GOBLINS"], components: [
                Body(side: Wild, at: 20), Health(hp: 8), Patrol(mind: (sight: 3, strength: 3))]),
        ]),
    ])"#;

    #[test]
    fn the_ai_log_has_what_was_asked_shouted_and_ordered_and_nothing_else()
    -> Result<(), Box<dyn Error>> {
        let mut game = Game::new(&WorldFile::parse(MEETING)?)?;
        game.begin()?;
        game.turn()?;
        assert_eq!(
            game.ai_log()?.lines(),
            [
                "turn 1: field (0v0) to the goblins: Regroup",
                "turn 1: archer (1v0) to itself: GetHp",
                "turn 1: archer (1v0) to grib (3v0): GetHp",
                "turn 1: archer (1v0) to everyone else: Alarm { side: Castle, enemy: MessageeId(3v0 \"grib\") }",
                "turn 1: grib (3v0) to itself: GetHp",
                "turn 1: grib (3v0) to archer (1v0): GetHp",
                "turn 1: grib (3v0) to everyone else: Alarm { side: Wild, enemy: MessageeId(1v0 \"archer\") }",
            ]
        );
        Ok(())
    }

    /// Plays to the end, and returns the text of the ledger and the rules.
    fn fought(mut game: Game) -> Result<String, Box<dyn Error>> {
        while game.verdict()? == Verdict::Open && game.played() < game.turns()?.into() {
            game.turn()?;
        }
        let ledger = game.manager.get::<Ledger>(game.world)?.to_string();
        Ok(format!(
            "{ledger}\n{}",
            game.manager.get::<World>(game.world)?
        ))
    }

    #[test]
    fn a_battle_that_is_saved_and_loaded_ends_as_one_that_is_not() -> Result<(), Box<dyn Error>> {
        let file = WorldFile::parse(crate::WORLD)?;
        let begun = || -> Result<Game, Box<dyn Error>> {
            let mut game = Game::new(&file)?;
            game.begin()?;
            Ok(game)
        };
        let expected = fought(begun()?)?;
        for turns in 0..9 {
            let mut game = begun()?;
            for _ in 0..turns {
                let _ = game.verdict()?;
                game.turn()?;
            }
            let loaded = Game::load(&game.save()?)?;
            assert_eq!(loaded.played(), turns);
            assert_eq!(fought(loaded)?, expected, "after {turns} turns");
        }
        Ok(())
    }

    /// Plays nine turns, and returns the game and the file with its log.
    fn logged(name: &str) -> Result<(Game, PathBuf), Box<dyn Error>> {
        let name = format!("skirmish-{name}-{}.log", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut game = Game::new(&WorldFile::parse(crate::WORLD)?)?;
        game.log_to(File::create(&path)?)?;
        game.begin()?;
        for _ in 0..9 {
            game.turn()?;
        }
        game.end_log()?;
        Ok((game, path))
    }

    #[test]
    fn a_battle_that_is_replayed_ends_in_the_same_state() -> Result<(), Box<dyn Error>> {
        let (game, path) = logged("replayed")?;
        let replayed = Game::replay(&path)?;
        std::fs::remove_file(&path)?;
        assert_eq!(Digest::of(&replayed.manager), Digest::of(&game.manager));
        assert_eq!(replayed.ai_log()?.lines(), game.ai_log()?.lines());
        Ok(())
    }

    #[test]
    fn a_log_tells_what_happened_in_a_turn_and_who_has_hurt_whom() -> Result<(), Box<dyn Error>> {
        let (_, path) = logged("who")?;
        let turn = Game::describe_turn(&path, 2)?;
        assert!(
            turn.contains("game.rs:") && turn.contains("received by"),
            "{turn}"
        );
        let who = Game::who_hurt(&path, "ogre")?;
        let nobody = Game::who_hurt(&path, "nobody");
        std::fs::remove_file(&path)?;
        assert!(
            who.contains("in `take_damage`") && who.contains("health.rs:"),
            "{who}"
        );
        assert!(who.contains("game.rs:"), "{who}");
        assert!(nobody.is_err());
        Ok(())
    }

    #[test]
    fn the_world_file_beside_the_program_is_right() -> Result<(), Box<dyn Error>> {
        let file = WorldFile::parse(crate::WORLD)?;
        let mut game = Game::new(&file)?;
        assert_eq!(game.turns()?, 9);
        let pit = game.find("pit").ok_or("there is a pit")?;
        assert!(
            data::wires(&game.manager)
                .iter()
                .any(|wire| wire.from == pit)
        );
        game.begin()?;
        // Seven events are still pending, and none of the wires is left.
        assert_eq!(game.manager.pending_posts(Posts::all()).len(), 7);
        Ok(())
    }
}
