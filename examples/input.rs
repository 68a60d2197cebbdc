//! Keyboard and mouse events of a small form: a window holds a panel, the panel holds a text
//! field and a button. No game is involved; the user interface has its own manager.
//!
//! This example shows:
//!
//! - a mnemonic, `FOCUS`, which is bound to the widget with the keyboard focus;
//! - events that bubble: a key is sent `Up` from the focused widget, and the first one that can use
//!   it consumes it with `ControlFlow::Break`;
//! - a higher priority: the shortcuts of the field get a key before the field does;
//! - a component that is disabled while there is nothing to save: a click on it bubbles past.
//!
//! Run it with `cargo run --example input`.

#[path = "common/arguments.rs"]
mod arguments;

use std::error::Error;
use std::ops::ControlFlow;

use message_core::prelude::*;

mnemonic! {
    /// The widget with the keyboard focus.
    FOCUS,
}

/// A key was pressed.
#[derive(Message, Debug)]
enum KeyDown {
    Char(char),
    Ctrl(char),
    Backspace,
    Tab,
    Escape,
}

/// The mouse was clicked on a widget.
#[derive(Message)]
struct Click;

/// The text of a field has changed.
#[derive(Message)]
struct Changed {
    length: usize,
}

/// Asks for the form to be saved.
#[derive(Message)]
struct Save;

/// Asks a field for its text.
#[derive(Message)]
#[message(reply = String)]
struct GetText;

/// A line of text that can be edited by typing.
#[derive(Default)]
struct TextField {
    text: String,
}

#[handlers]
impl TextField {
    /// Handles the keys that edit text; the others bubble on.
    #[on_receive]
    fn edit(
        &mut self,
        key: &KeyDown,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, HandlerError> {
        match key {
            KeyDown::Char(typed) => self.text.push(*typed),
            KeyDown::Backspace => {
                self.text.pop();
            }
            _ => return Ok(ControlFlow::Continue(())),
        }
        println!("  field: \"{}\"", self.text);
        let length = self.text.len();
        cx.send(Up(cx.me()), Changed { length })?;
        Ok(ControlFlow::Break(()))
    }

    #[on_receive]
    fn text(&self, _: &GetText) -> String {
        self.text.clone()
    }
}

/// The shortcuts of a widget. They run before the widget handles a key.
struct Shortcuts {
    save: char,
}

#[handlers]
impl Shortcuts {
    #[on_receive(priority = 10)]
    fn look_up(
        &mut self,
        key: &KeyDown,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, HandlerError> {
        if !matches!(key, KeyDown::Ctrl(letter) if *letter == self.save) {
            return Ok(ControlFlow::Continue(()));
        }
        println!("  shortcut: save");
        cx.send(Up(cx.me()), Save)?;
        Ok(ControlFlow::Break(()))
    }
}

/// A button.
struct Button {
    label: &'static str,
}

#[handlers]
impl Button {
    #[on_receive]
    fn click(&mut self, _: &Click, cx: &mut Context<'_>) -> Result<ControlFlow<()>, HandlerError> {
        println!("  button: {}", self.label);
        cx.send(Up(cx.me()), Save)?;
        Ok(ControlFlow::Break(()))
    }
}

/// The panel. It moves the focus, and disables saving while the field is empty.
struct Panel {
    tab_order: Vec<MessageeId>,
    button: HookId,
}

#[handlers]
impl Panel {
    #[on_receive]
    fn tab(
        &mut self,
        key: &KeyDown,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, HandlerError> {
        let (KeyDown::Tab, Some(focused)) = (key, cx.bound(FOCUS)) else {
            return Ok(ControlFlow::Continue(()));
        };
        let at = self.tab_order.iter().position(|&widget| widget == focused);
        let next = self.tab_order[at.map_or(0, |at| (at + 1) % self.tab_order.len())];
        cx.unbind(FOCUS, focused)?;
        cx.bind(FOCUS, next)?;
        println!("  panel: the focus moves on");
        Ok(ControlFlow::Break(()))
    }

    #[on_receive]
    fn changed(&mut self, changed: &Changed, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.set_enabled(self.button, changed.length > 0)
    }
}

/// The window. It saves the form, and handles the keys that no widget in it wants.
struct Window {
    title: &'static str,
    field: MessageeId,
    saved: Vec<String>,
}

#[handlers]
impl Window {
    #[on_receive]
    fn key(&mut self, key: &KeyDown, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        if let KeyDown::Escape = key {
            println!("  {}: closes", self.title);
            cx.despawn(cx.me())?;
        } else {
            println!("  {}: nobody wants {key:?}", self.title);
        }
        Ok(())
    }

    #[on_receive]
    fn click(&mut self, _: &Click) {
        println!("  {}: nobody wants the click", self.title);
    }

    #[on_receive]
    fn save(&mut self, _: &Save, cx: &mut Context<'_>) -> Result<(), SendError> {
        let text = cx.request(self.field, GetText)?;
        println!("  {}: saves \"{text}\"", self.title);
        self.saved.push(text);
        Ok(())
    }
}

/// Sends a key to the focused widget, and on to the widgets around it.
fn press(ui: &mut MessageManager, key: KeyDown) -> Result<(), SendError> {
    println!("{key:?}");
    if let Some(focused) = ui.bound(FOCUS) {
        ui.send(Up(focused), key)?;
    } else {
        println!("  nobody has the focus");
    }
    Ok(())
}

/// Clicks on a widget.
fn click(ui: &mut MessageManager, widget: MessageeId) -> Result<(), SendError> {
    println!("Click");
    ui.send(Up(widget), Click)?;
    Ok(())
}

const USAGE: arguments::Usage = arguments::Usage {
    name: "input",
    about: "Keyboard and mouse events of a small form.",
    options: &[],
    look: &[
        (
            "input.rs",
            "`press` sends `Up` from the focus, and the first widget that uses the key breaks",
        ),
        (
            "input.rs",
            "`Shortcuts` has a priority; the button is disabled while there is nothing to save",
        ),
    ],
};

fn main() -> Result<(), Box<dyn Error>> {
    USAGE.read();
    let mut ui = MessageManager::new();
    let field = ui.spawn((TextField::default(), Shortcuts { save: 's' }));
    let save = ui.spawn(());
    let button = ui.hook(save, Button { label: "Save" })?;
    ui.set_enabled(button, false)?;
    let tab_order = vec![field, save];
    let panel = ui.spawn((Panel { tab_order, button },));
    let window = ui.spawn((Window {
        title: "window",
        field,
        saved: Vec::new(),
    },));
    for (child, parent) in [(field, panel), (save, panel), (panel, window)] {
        ui.set_parent(child, Some(parent))?;
    }
    ui.bind(FOCUS, field)?;

    click(&mut ui, save)?; // the field is empty, so the button is disabled
    press(&mut ui, KeyDown::Char('h'))?;
    press(&mut ui, KeyDown::Char('j'))?;
    press(&mut ui, KeyDown::Backspace)?;
    press(&mut ui, KeyDown::Char('i'))?;
    click(&mut ui, save)?;
    press(&mut ui, KeyDown::Char('!'))?;
    press(&mut ui, KeyDown::Ctrl('s'))?;
    press(&mut ui, KeyDown::Tab)?;
    press(&mut ui, KeyDown::Char('x'))?; // the button has the focus and does not type
    println!("saved: {:?}", ui.get::<Window>(window)?.saved);
    press(&mut ui, KeyDown::Escape)?;
    press(&mut ui, KeyDown::Char('x'))?; // the window took all of its widgets with it
    Ok(())
}
