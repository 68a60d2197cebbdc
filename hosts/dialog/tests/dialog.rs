//! The story, as a user at the keyboard would tell it.

use std::error::Error;
use std::sync::mpsc;

use dialog::form::{Form, Saved};
use dialog::keys::{self, Key, press};
use dialog::notice::STAYS;
use dialog::ring::FOCUS;
use dialog::script;
use message_core::prelude::*;
use ratatui::crossterm::event::KeyCode;

type Told = Result<(), Box<dyn Error>>;

/// A form and its user.
struct Desk {
    ui: MessageManager,
    form: MessageeId,
    saved: mpsc::Receiver<Saved>,
}

impl Desk {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut ui = MessageManager::new();
        let (log, saved) = mpsc::channel();
        ui.subscribe(Filter::of::<Saved>(), move |visitor: &Saved, _| {
            let _ = log.send(visitor.clone());
        });
        let form = Form::open(&mut ui)?;
        Ok(Self { ui, form, saved })
    }

    fn press(&mut self, script: &str) -> Told {
        for key in keys::parse(script)? {
            press(&mut self.ui, key)?;
        }
        Ok(())
    }

    fn screen(&mut self) -> Result<String, Box<dyn Error>> {
        script::frame(&mut self.ui, self.form)
    }

    /// Returns the line that has the focus.
    fn focused(&mut self) -> Result<String, Box<dyn Error>> {
        let screen = self.screen()?;
        let line = screen.lines().find(|line| line.contains('>'));
        let text = line.and_then(|line| line.split_once("> "));
        Ok(text
            .map_or("", |(_, text)| text)
            .trim_end_matches(['│', ' '])
            .to_owned())
    }
}

#[test]
fn the_ring_of_the_form_is_closed_both_ways() -> Told {
    let mut desk = Desk::new()?;
    for next in ["City", "( Save )", "( Quit )", "Name"] {
        desk.press("<Tab>")?;
        assert!(desk.focused()?.starts_with(next), "{}", desk.screen()?);
    }
    desk.press("<BackTab>")?;
    assert_eq!(desk.focused()?, "( Quit )");
    Ok(())
}

#[test]
fn what_is_typed_goes_to_the_field_with_the_focus_and_is_saved() -> Told {
    let mut desk = Desk::new()?;
    desk.press("Ada<Tab>Londom<Backspace>n<Tab><Enter>")?;
    let (name, city) = ("Ada".to_owned(), "London".to_owned());
    assert_eq!(desk.saved.try_recv()?, Saved { name, city });
    Ok(())
}

#[test]
fn a_dialog_has_the_focus_as_soon_as_it_is_open_and_gives_it_back() -> Told {
    let mut desk = Desk::new()?;
    desk.press("<Tab><Tab>")?;
    let save = desk.ui.bound(FOCUS);
    desk.press("<Enter>")?;
    assert!(desk.screen()?.contains("A name is needed"));
    assert_eq!(desk.focused()?, "( Ok )");
    desk.press("<Esc>")?;
    assert!(!desk.screen()?.contains("A name is needed"));
    assert_eq!(desk.ui.bound(FOCUS), save);
    assert!(desk.saved.try_recv().is_err());
    Ok(())
}

#[test]
fn no_key_gets_past_a_dialog() -> Told {
    let mut desk = Desk::new()?;
    desk.press("A<Esc>")?;
    let before = desk.screen()?;
    assert!(before.contains("Discard the changes?"));
    desk.press("xyz<Backspace>")?;
    assert_eq!(desk.screen()?, before);
    desk.press("<Tab>")?;
    assert_eq!(desk.focused()?, "( No )");
    desk.press("<Tab>")?;
    assert_eq!(desk.focused()?, "( Yes )"); // The ring of the dialog, not of the form.
    Ok(())
}

#[test]
fn a_dialog_takes_its_buttons_along() -> Told {
    let mut desk = Desk::new()?;
    let before = desk.ui.len();
    desk.press("A<Esc>")?;
    assert_eq!(desk.ui.len(), before + 3);
    desk.press("<Esc>")?;
    assert_eq!(desk.ui.len(), before);
    Ok(())
}

#[test]
fn leaving_asks_only_if_something_would_be_lost() -> Told {
    let mut desk = Desk::new()?;
    desk.press("A<Esc><Tab><Enter>")?; // No.
    assert!(desk.ui.is_alive(desk.form));
    desk.press("<Esc><Enter>")?; // Yes.
    assert!(desk.ui.is_empty());
    desk.press("x")?; // Nobody has the focus any more.

    let mut desk = Desk::new()?;
    desk.press("<Esc>")?;
    assert!(desk.ui.is_empty());
    Ok(())
}

#[test]
fn a_notice_stays_for_its_time_after_the_last_save() -> Told {
    let mut desk = Desk::new()?;
    desk.press("Ada<Tab><Tab><Enter>")?;
    desk.ui.tick(STAYS / 2);
    desk.press("<Enter>")?;
    desk.ui.tick(STAYS / 2);
    assert!(desk.screen()?.contains("│   saved Ada "));
    desk.ui.tick(STAYS / 2);
    assert!(!desk.screen()?.contains("saved"));
    Ok(())
}

#[test]
fn a_frame_shows_the_dialog_over_the_form() -> Told {
    let frames = script::play(&keys::parse("Ada<Esc>")?)?;
    let (before, after) = frames.split_once("<Esc>\n").ok_or("no frame for a key")?;
    let form = "\
Ada
┌ Visitor ───────────────────────┐
│ > Name  [Ada             ]     │
│   City  [                ]     │
│   ( Save )                     │
│   ( Quit )                     │
│                                │
└────────────────────────────────┘
";
    assert!(before.ends_with(form), "{before}");
    let dialog = "\
┌ Visitor ───────────────────────┐
│   Name  [Ada             ]     │
│  ┌ Discard the changes? ────┐  │
│  │ > ( Yes )                │  │
│  │   ( No )                 │  │
│  └──────────────────────────┘  │
└────────────────────────────────┘
";
    assert_eq!(after, dialog);
    Ok(())
}

#[test]
fn a_form_that_was_closed_ends_the_script() -> Told {
    let frames = script::play(&keys::parse("A<Esc><Enter>x")?)?;
    assert!(
        frames.ends_with("<Enter>\nthe form is closed\n"),
        "{frames}"
    );
    Ok(())
}

#[test]
fn a_screen_that_is_too_small_shows_what_fits() -> Told {
    let mut desk = Desk::new()?;
    let views = dialog::screen::views(&mut desk.ui, desk.form)?;
    for size in [(0, 0), (1, 1), (34, 2), (3, 7)] {
        let backend = ratatui::backend::TestBackend::new(size.0, size.1);
        let mut terminal = ratatui::Terminal::new(backend)?;
        terminal.draw(|frame| dialog::screen::draw(&views, frame))?;
    }
    Ok(())
}

#[test]
fn the_keys_of_a_terminal_are_those_of_a_script() -> Told {
    let codes = [KeyCode::Char('a'), KeyCode::Esc, KeyCode::BackTab];
    let keys: Vec<Key> = codes.into_iter().filter_map(Key::of).collect();
    assert_eq!(keys, keys::parse("a<Esc><BackTab>")?);
    assert_eq!(Key::of(KeyCode::F(1)), None);
    Ok(())
}

#[test]
fn a_script_with_an_unknown_key_says_where_and_what_was_expected() {
    assert_eq!(keys::parse("a<Esc>"), Ok(vec![Key::Char('a'), Key::Escape]));
    let error = keys::parse("ab<Tap>").expect_err("there is no such key");
    assert!(error.contains("at character 3"), "{error}");
    assert!(error.contains("`<Tab>`"), "{error}");
}
