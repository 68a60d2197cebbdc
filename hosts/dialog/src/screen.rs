//! The screen.

use message_core::prelude::*;
use ratatui::Frame;
use ratatui::layout::{Constraint, Margin, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

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
    /// A dialog over the window, with this title; its contents follow.
    Dialog(&'static str),
    /// One line.
    Widget(String),
    /// The last line of the window.
    Notice(String),
}

/// The columns and rows of the window.
pub const SIZE: (u16, u16) = (34, 7);
/// The columns and rows of a dialog.
const DIALOG: (u16, u16) = (28, 4);

/// Returns the appearance of a window and of everything in it, each messagee before its children, and whether it has the
/// focus.
pub fn views(ui: &mut MessageManager, window: MessageeId) -> Result<Vec<(View, bool)>, SendError> {
    let focused = ui.bound(FOCUS);
    let views = ui.request_all(Down(window), Draw)?.into_iter();
    Ok(views
        .map(|(widget, view)| (view, Some(widget) == focused))
        .collect())
}

/// Draws the views: the widgets of the window, and the dialog with its widgets over them.
pub fn draw(views: &[(View, bool)], frame: &mut Frame<'_>) {
    let middle = |(width, height)| {
        let (width, height) = (Constraint::Length(width), Constraint::Length(height));
        frame.area().centered(width, height)
    };
    let (window, dialog) = (middle(SIZE), middle(DIALOG));
    let mut rows = window.rows();
    for (view, is_focused) in views {
        match view {
            View::Window(title) => rows = open(title, window, frame),
            View::Dialog(title) => rows = open(title, dialog, frame),
            View::Notice(text) => {
                let last = Rect {
                    y: window.bottom().saturating_sub(2),
                    height: 1,
                    ..window
                };
                let inside = last.intersection(window.inner(Margin::new(1, 1)));
                frame.render_widget(Line::from(format!("   {text}")), inside);
            }
            View::Widget(text) => {
                let (mark, style) = if *is_focused {
                    ('>', Style::new().reversed())
                } else {
                    (' ', Style::new())
                };
                let Some(row) = rows.next() else { continue };
                frame.render_widget(Paragraph::new(format!(" {mark} {text}")).style(style), row);
            }
        }
    }
}

/// Draws a border with a title, and returns the rows within it.
fn open(title: &str, area: Rect, frame: &mut Frame<'_>) -> ratatui::layout::Rows {
    let block = Block::bordered().title(format!(" {title} "));
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    inner.rows()
}
