//! The meanings of the keys, the pointer and the fingers.

use arena::touch::Finger;
use arena::{Button, Vector};
use macroquad::prelude::{
    KeyCode, MouseButton, TouchPhase, is_key_pressed, is_key_released, is_mouse_button_down,
    is_mouse_button_pressed, is_mouse_button_released, mouse_position, touches,
};
use message_core::SendError;

use crate::paint::Paint;
use crate::session::Session;

const KEYS: [(KeyCode, Button); 14] = [
    (KeyCode::W, Button::Up),
    (KeyCode::S, Button::Down),
    (KeyCode::A, Button::Left),
    (KeyCode::D, Button::Right),
    (KeyCode::Up, Button::FireUp),
    (KeyCode::Down, Button::FireDown),
    (KeyCode::Left, Button::FireLeft),
    (KeyCode::Right, Button::FireRight),
    (KeyCode::Space, Button::Shield),
    (KeyCode::B, Button::Bomb),
    (KeyCode::T, Button::Slow),
    (KeyCode::P, Button::Pause),
    (KeyCode::R, Button::Restart),
    (KeyCode::Enter, Button::Restart),
];

/// Passes on the keys and the movements of the pointer and the fingers since the last frame.
pub(crate) fn pass_on(session: &mut Session, paint: &Paint) -> Result<(), SendError> {
    for (key, button) in KEYS {
        if is_key_pressed(key) {
            session.game.press(button)?;
        }
        if is_key_released(key) {
            session.game.release(button)?;
        }
    }
    let at: Vector = paint.in_arena(mouse_position());
    if is_mouse_button_down(MouseButton::Left) && session.pointed != Some(at) {
        session.pointed = Some(at);
        session.game.aim(at)?;
    }
    if is_mouse_button_pressed(MouseButton::Left) {
        session.game.press(Button::Trigger)?;
    }
    if is_mouse_button_released(MouseButton::Left) {
        session.pointed = None;
        session.game.release(Button::Trigger)?;
    }
    let is_down = |phase| !matches!(phase, TouchPhase::Ended | TouchPhase::Cancelled);
    let touches = touches().into_iter().filter(|touch| is_down(touch.phase));
    let finger = |touch: macroquad::prelude::Touch| Finger {
        id: touch.id,
        at: paint.in_arena(touch.position.into()),
    };
    let fingers: Vec<Finger> = touches.map(finger).collect();
    session.touch.play(&fingers, &mut session.game)
}
