//! The game in a window: keys are pressed from outside, and the result is read from the screen.
//!
//! Requires a display, `xdotool`, and `import` from `ImageMagick`: `window-test` provides them.
#![cfg(feature = "window")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use message_core::HandlerError;

type Told = Result<(), HandlerError>;
type Rgb = [u8; 3];

/// How long something may take to appear. Drawing without a graphics card is slow.
const PATIENCE: Duration = Duration::from_secs(30);

/// A window with the game in it.
struct Window(Child);

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Window {
    fn open(options: &[&str]) -> Result<Self, HandlerError> {
        let arena = Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["--samples", "1"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()?;
        Ok(Self(arena))
    }

    /// Asks it to exit, and waits until it has.
    fn close(mut self) -> Told {
        xdotool(&["key", "Escape"])?;
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.0.try_wait()? {
                assert!(status.success(), "{status}");
                return Ok(());
            }
            sleep(Duration::from_millis(100));
        }
        Err("the window does not close".into())
    }
}

fn xdotool(arguments: &[&str]) -> Told {
    let status = Command::new("xdotool").args(arguments).status()?;
    assert!(status.success(), "xdotool {arguments:?}: {status}");
    Ok(())
}

/// A screenshot.
struct Screen {
    width: usize,
    pixels: Vec<u8>,
}

impl Screen {
    fn take() -> Result<Self, HandlerError> {
        let shot = Command::new("import")
            .args(["-window", "root", "-depth", "8", "ppm:-"])
            .output()?;
        assert!(shot.status.success(), "import: {}", shot.status);
        let mut rest = BufReader::new(shot.stdout.as_slice());
        let mut head = Vec::new();
        while head.len() < 4 {
            let mut line = String::new();
            rest.read_line(&mut line)?;
            head.extend(line.split_whitespace().map(str::to_owned));
        }
        assert_eq!(head[0], "P6");
        let mut pixels = Vec::new();
        rest.read_to_end(&mut pixels)?;
        let width = head[1].parse()?;
        Ok(Self { width, pixels })
    }

    /// Returns the pixels in that rectangle that have a matching colour.
    fn find(
        &self,
        x: (usize, usize),
        y: (usize, usize),
        is: fn(Rgb) -> bool,
    ) -> Vec<(usize, usize)> {
        let places = (y.0..y.1).flat_map(|y| (x.0..x.1).map(move |x| (x, y)));
        let fits = |&(x, y): &(usize, usize)| {
            let at = (y * self.width + x) * 3;
            let rgb = self.pixels.get(at..at + 3);
            rgb.is_some_and(|rgb| is([rgb[0], rgb[1], rgb[2]]))
        };
        places.filter(fits).collect()
    }

    /// Returns the centre of the ship, above the lines of the radio.
    fn ship(&self) -> Option<(usize, usize)> {
        let found = self.find((4, 1196), (50, 540), is_cyan);
        let count = found.len();
        let sum = found
            .iter()
            .fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        (count > 25).then(|| (sum.0 / count, sum.1 / count))
    }
}

fn is_cyan([red, green, blue]: Rgb) -> bool {
    red < 190 && green > 200 && blue > 215
}

fn is_yellow([red, green, blue]: Rgb) -> bool {
    red > 220 && green > 210 && blue < 235
}

fn is_bright(rgb: Rgb) -> bool {
    rgb.iter().all(|part| *part > 215)
}

/// Polls the screen until something is visible.
fn until<T>(what: &str, see: impl Fn(&Screen) -> Option<T>) -> Result<T, HandlerError> {
    let begun = Instant::now();
    loop {
        if let Some(seen) = see(&Screen::take()?) {
            return Ok(seen);
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("{what} is not to be seen").into());
        }
        sleep(Duration::from_millis(100));
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Returns how many pixels of the panel's first line are text.
fn panel(screen: &Screen) -> usize {
    screen.find((570, 800), (60, 90), is_cyan).len()
}

fn paused(screen: &Screen) -> usize {
    screen.find((480, 720), (300, 370), is_bright).len()
}

#[test]
#[ignore = "needs a display: run `window-test`"]
fn keys_go_in_and_the_game_is_to_be_seen() -> Told {
    let (log, save) = (file("window.log"), file("window.save"));
    let _ = fs::remove_file(&save);
    let (log, save) = (log.to_string_lossy(), save.to_string_lossy());
    let window = Window::open(&["--record", &log, "--save", &save])?;

    let (x, y) = until("the ship", Screen::ship)?;
    assert!(x.abs_diff(600) < 30 && y.abs_diff(364) < 30, "{x}, {y}");

    xdotool(&["keydown", "d"])?;
    let right = until("the ship farther right", |screen| {
        screen.ship().filter(|it| it.0 > 700)
    });
    xdotool(&["keyup", "d"])?;
    assert!(right?.1.abs_diff(y) < 40);

    xdotool(&["keydown", "Up"])?;
    let shots = |screen: &Screen| screen.find((4, 1196), (60, 330), is_yellow).len() > 15;
    let seen = until("a shot above the ship", |screen| {
        shots(screen).then_some(())
    });
    xdotool(&["keyup", "Up"])?;
    seen?;

    xdotool(&["key", "F1"])?;
    until("the panel", |screen| (panel(screen) > 180).then_some(()))?;
    xdotool(&["key", "F1"])?;
    until("no panel", |screen| (panel(screen) < 110).then_some(()))?;

    xdotool(&["key", "p"])?;
    until("the pause", |screen| (paused(screen) > 800).then_some(()))?;
    xdotool(&["key", "F5"])?;
    let begun = Instant::now();
    while fs::metadata(&*save).is_err() && begun.elapsed() < PATIENCE {
        sleep(Duration::from_millis(100));
    }
    assert!(fs::metadata(&*save)?.len() > 500);
    xdotool(&["key", "p"])?;
    until("the end of the pause", |screen| {
        (paused(screen) < 400).then_some(())
    })?;
    window.close()?;

    // The log can be replayed, and leads to the same states.
    let drill = Command::new(env!("CARGO_BIN_EXE_drill"));
    let repeated = { drill }.args(["--replay", &log]).output()?;
    let said = String::from_utf8_lossy(&repeated.stdout).into_owned();
    assert!(
        repeated.status.success() && said.contains("digests are equal"),
        "{said}"
    );

    // The replay can also be shown.
    let window = Window::open(&["--replay", &log])?;
    until("the ship in the replay", Screen::ship)?;
    until("the ship where it flew to", |screen| {
        screen.ship().filter(|it| it.0 > 700)
    })?;
    window.close()?;

    // The save continues where it was: paused.
    let window = Window::open(&["--load", &save])?;
    until("the pause that was saved", |screen| {
        (paused(screen) > 800).then_some(())
    })?;
    window.close()
}

#[test]
#[ignore = "needs a display: run `window-test`"]
fn a_page_shows_what_happens_in_the_window() -> Told {
    let mut window = Window::open(&["--inspect", "--demo"])?;
    let printed = window.0.stdout.take().ok_or("nothing is printed")?;
    let mut line = String::new();
    BufReader::new(printed).read_line(&mut line)?;
    let address = line.trim_start_matches("look at http://");
    let address = address.split('/').next().unwrap_or_default();
    until("the ship", Screen::ship)?;
    let mut page = TcpStream::connect(address)?;
    write!(
        page,
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    page.read_to_string(&mut answer)?;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("<html"),
        "{answer:.200}"
    );
    window.close()
}

#[test]
fn the_command_line_is_checked() -> Told {
    let arena = |option: &str| {
        Command::new(env!("CARGO_BIN_EXE_arena"))
            .arg(option)
            .output()
    };
    let help = arena("--help")?;
    assert!(
        help.status.success() && String::from_utf8_lossy(&help.stdout).contains("--replay FILE")
    );
    let unknown = arena("--nonsense")?;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("`--nonsense`"));
    Ok(())
}
