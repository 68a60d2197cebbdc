//! What somebody is called.

use message_core::prelude::*;

/// A name. Nobody changes it, so everybody may read it.
pub struct Name(pub String);

/// What a messagee is called.
pub fn name_of(desk: Desk<'_>, id: MessageeId) -> String {
    let name = desk.get::<Name>(id);
    name.map_or_else(|_| "somebody".to_owned(), |name| name.0.clone())
}
