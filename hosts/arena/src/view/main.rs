//! The game in a window or in a web page: it passes keys on and draws the scene.

mod hud;
mod input;
mod look;
mod options;
mod paint;
mod panel;
mod session;
mod sparks;
mod theatre;

use std::path::Path;
use std::time::Duration;

use arena::Vector;
use arena::film::Film;
use arena::game::STEP;
use arena::scene::Scene;
use macroquad::prelude::*;
use message_core::HandlerError;

use options::{Options, USAGE};
use paint::Paint;
use panel::Costs;
use session::Session;
use sparks::Sparks;
use theatre::Theatre;

/// The background colour. Empty areas of the window are never brighter than this.
const NIGHT: Color = Color::new(0.008, 0.012, 0.045, 1.0);
/// The maximum duration of a frame: a longer one, such as while the window was hidden, is cut to this.
const LONGEST: f32 = 0.1;
/// How long a note is shown.
const NOTED: f32 = 4.0;

fn main() {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{USAGE}");
            return;
        }
        Err(error) => fail(2, &error),
    };
    let conf = Conf {
        window_title: "arena".to_owned(),
        window_width: options.size.0,
        window_height: options.size.1,
        sample_count: options.samples,
        ..Conf::default()
    };
    macroquad::Window::from_config(conf, async move {
        if let Err(error) = run(options).await {
            fail(1, &error.to_string());
        }
    });
}

fn fail(code: i32, error: &str) -> ! {
    // In a page, this goes to the console.
    error!("arena: {error}");
    eprintln!("arena: {error}");
    std::process::exit(code)
}

/// A note that is shown in the title line for a while.
struct Note {
    text: String,
    age: f32,
}

impl Note {
    fn say(&mut self, text: impl Into<String>) {
        self.text = text.into();
        self.age = 0.0;
    }
}

async fn run(mut options: Options) -> Result<(), HandlerError> {
    if options.save.is_none() && cfg!(not(target_family = "wasm")) {
        options.save = Some("arena.save".to_owned());
    }
    let mut theatre = match &options.replay {
        Some(log) => Some(Theatre::new(Film::open(Path::new(log))?)),
        None => None,
    };
    let mut is_panel_open = options.panel;
    let still = options.still;
    options.demo |= still.is_some();
    let mut session = Session::new(options)?;
    let mut paint = Paint::new()?;
    let mut sparks = Sparks::new();
    let mut costs = Costs::default();
    let mut scene = session.game.scene();
    let mut note = Note {
        text: String::new(),
        age: 0.0,
    };
    if let Some(frames) = still {
        for _ in 0..frames {
            session.frame(STEP)?;
            for flash in session.game.flashes() {
                sparks.add(&flash);
            }
            sparks.pass(STEP.as_secs_f32());
        }
        scene = session.game.scene();
    }
    prevent_quit();
    // A finger is no pointer: it steers or presses a pad.
    simulate_mouse_with_touch(false);
    while !is_quit_requested() && !is_key_pressed(KeyCode::Escape) {
        let seconds = get_frame_time().min(LONGEST);
        if is_key_pressed(KeyCode::F1) {
            is_panel_open = !is_panel_open;
        }
        if is_key_pressed(KeyCode::F7) {
            theatre = match theatre {
                Some(_) => None,
                None => Some(Theatre::new(session.film()?)),
            };
            sparks = Sparks::new();
        }
        if let Some(theatre) = &mut theatre {
            let scenes = theatre.advance(seconds);
            for flash in scenes.iter().flat_map(|scene| &scene.flashes) {
                sparks.add(flash);
            }
            if let Some(last) = scenes.last() {
                scene.clone_from(last);
            }
        } else if still.is_none() {
            commands(&mut session, &mut note)?;
            input::pass_on(&mut session, &paint)?;
            let begun = miniquad::date::now();
            let report = session.frame(Duration::from_secs_f32(seconds))?;
            let tick = miniquad::date::now() - begun;
            costs.add(tick, get_frame_time().into(), report.delivered);
            scene = session.game.scene();
            for flash in &scene.flashes {
                sparks.add(flash);
            }
        }
        if !scene.is_paused && still.is_none() {
            sparks.pass(seconds * scene.time_scale);
        }
        note.age += seconds;
        let line = match &theatre {
            Some(theatre) => theatre.note(),
            None if note.age < NOTED => note.text.clone(),
            None => String::new(),
        };
        draw(&mut paint, &scene, &mut sparks, &line);
        if theatre.is_none() {
            hud::pads(&paint, &session.touch);
        }
        match &theatre {
            Some(theatre) => theatre.draw_bar(&paint),
            None if is_panel_open => {
                panel::draw(&paint, &session.game, &costs, session.url().as_deref());
            }
            None => {}
        }
        next_frame().await;
    }
    session.end()
}

/// Executes commands to the program, as opposed to the game.
fn commands(session: &mut Session, note: &mut Note) -> Result<(), HandlerError> {
    if is_key_pressed(KeyCode::F2) {
        let has_it = session.switch_pilot()?;
        note.say(if has_it {
            "autopilot on"
        } else {
            "autopilot off"
        });
    }
    if is_key_pressed(KeyCode::F5) {
        let bytes = session.save()?;
        note.say(format!("saved, including pending messages: {bytes} bytes"));
    }
    if is_key_pressed(KeyCode::F9) {
        note.say(if session.load()? {
            "loaded"
        } else {
            "nothing saved yet: press F5 first"
        });
    }
    Ok(())
}

fn draw(paint: &mut Paint, scene: &Scene, sparks: &mut Sparks, note: &str) {
    clear_background(NIGHT);
    paint.fit(sparks.shake());
    paint.light();
    look::floor(paint, scene, sparks);
    for thing in &scene.things {
        look::thing(paint, scene, thing);
    }
    sparks.draw(paint);
    paint.matter();
    sparks.words(paint);
    paint.fit(Vec2::ZERO);
    hud::bars(paint, scene, note);
    hud::radio(paint, scene);
    hud::notices(paint, scene);
}
