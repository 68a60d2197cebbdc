//! Names of keys that have come from other managers and from world files. Names are never freed, and somebody who is
//! not trusted can invent them.

use std::sync::atomic::{AtomicUsize, Ordering};

use message_core::internals::{Name, known_name, name};

/// The maximum number of names from outside.
const MOST: usize = 1 << 14;
/// The maximum length of such a name, in bytes.
const LONGEST: usize = 256;

/// Returns the name with this text.
pub(crate) fn read(text: &str) -> Result<&'static Name, String> {
    static KEPT: AtomicUsize = AtomicUsize::new(0);
    if let Some(name) = known_name(text) {
        return Ok(name);
    }
    if text.len() > LONGEST {
        let len = text.len();
        return Err(format!(
            "the name has {len} bytes: expected at most {LONGEST} from outside the program"
        ));
    }
    if KEPT.fetch_add(1, Ordering::Relaxed) >= MOST {
        KEPT.store(MOST, Ordering::Relaxed);
        return Err(format!(
            "the name `{text}` is new, and {MOST} names have already come from outside the program, which is the limit"
        ));
    }
    Ok(name(text))
}
