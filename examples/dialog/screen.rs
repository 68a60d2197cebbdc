//! The screen.

use message_core::prelude::*;

use crate::ring::FOCUS;

/// Asks a widget for its appearance.
#[derive(Message, Debug)]
#[message(reply = View)]
pub struct Draw;

/// The appearance of a widget.
#[derive(Debug, PartialEq, Eq)]
pub enum View {
    /// A window with this title; its contents follow.
    Window(&'static str),
    /// A dialog inside of the window, with this title; its contents follow.
    Dialog(&'static str),
    /// One line.
    Widget(String),
}

const WIDTH: usize = 34;
const INSET: usize = 2;

/// Draws a window and everything in it: each messagee before its children, the dialog last.
pub fn draw(ui: &mut MessageManager, window: MessageeId) -> Result<String, SendError> {
    let focused = ui.bound(FOCUS);
    let mut lines = Vec::new();
    let mut inner = None;
    for (widget, view) in ui.request_all(Down(window), Draw)? {
        match view {
            View::Window(title) => lines.push(edge(title, WIDTH)),
            View::Dialog(title) => inner = Some(vec![edge(title, WIDTH - 2 * INSET)]),
            View::Widget(text) => {
                let mark = if Some(widget) == focused { '>' } else { ' ' };
                let line = format!("{mark} {text}");
                match &mut inner {
                    Some(dialog) => dialog.push(row(&line, WIDTH - 2 * INSET)),
                    None => lines.push(row(&line, WIDTH)),
                }
            }
        }
    }
    if let Some(mut dialog) = inner {
        dialog.push(edge("", WIDTH - 2 * INSET));
        lines.extend(dialog.iter().map(|line| row(line, WIDTH)));
    }
    lines.push(edge("", WIDTH));
    Ok(lines.join("\n"))
}

fn row(text: &str, width: usize) -> String {
    format!("| {text:<0$} |", width - 4)
}

fn edge(title: &str, width: usize) -> String {
    let title = if title.is_empty() {
        String::new()
    } else {
        format!(" {title} ")
    };
    format!("+-{title:-<0$}+", width - 3)
}
