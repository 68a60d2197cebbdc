//! The game without a window: the pilot plays a number of frames as fast as it can, and the program prints
//! the result and the cost of a frame.

use std::env;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use arena::Game;
use arena::film::Film;
use arena::game::STEP;
use arena::pilot::Pilot;
use message_core::HandlerError;

const USAGE: &str = "\
The game without a window, played by the autopilot.

Usage: drill [FRAMES] [--record FILE]   plays FRAMES frames (default: 3600), and logs all inputs
       drill --replay FILE              replays such a log and compares the states";

fn main() -> Result<(), HandlerError> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--replay", log] => replay(Path::new(log)),
        [] => play(3600, None),
        ["--record", log] => play(3600, Some(Path::new(log))),
        [frames] if frames.parse::<u64>().is_ok() => play(frames.parse()?, None),
        [frames, "--record", log] if frames.parse::<u64>().is_ok() => {
            play(frames.parse()?, Some(Path::new(log)))
        }
        ["--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("drill: unknown arguments\n\n{USAGE}");
            std::process::exit(2)
        }
    }
}

fn play(frames: u64, log: Option<&Path>) -> Result<(), HandlerError> {
    let mut game = Game::new(7)?;
    if let Some(log) = log {
        game.log_to(BufWriter::new(File::create(log)?))?;
    }
    let mut pilot = Pilot::default();
    let mut costs = Vec::new();
    let mut bodies = 0;
    let mut delivered = 0;
    for _ in 0..frames {
        pilot.play(&mut game)?;
        let begun = Instant::now();
        let report = game.frame(STEP);
        costs.push(begun.elapsed());
        delivered += report.delivered;
        bodies += game.manager().len();
    }
    let scene = game.scene();
    println!(
        "{frames} frames: wave {}, {} points, {} in the best game",
        scene.wave, scene.points, scene.best
    );
    println!("{delivered} posted messages, {bodies} messagees summed over all frames");
    costs.sort_unstable();
    if let Some(last) = costs.last() {
        let median = costs[costs.len() / 2];
        let high = costs[costs.len() * 99 / 100];
        println!(
            "a frame takes {median:?} (median), {high:?} (99th percentile), {last:?} (maximum)"
        );
    }
    if let Some(report) = game.end_log()? {
        println!(
            "{} inputs in the log, {} bytes",
            report.inputs, report.bytes
        );
        if let Some(impure) = report.impure.first() {
            return Err(format!("the log cannot be replayed: {impure}").into());
        }
    }
    Ok(())
}

fn replay(log: &Path) -> Result<(), HandlerError> {
    let bytes = fs::metadata(log).map_err(|error| format!("{}: {error}", log.display()))?;
    let film = Film::open(log)?;
    let scene = film.end.scene();
    println!(
        "{} bytes, {} steps, {} digests are equal: wave {}, {} points",
        bytes.len(),
        film.scenes.len(),
        film.digests,
        scene.wave,
        scene.points
    );
    Ok(())
}
