//! The wall clock of a manager. Only traces show it, and nothing that is delivered depends on it.
//!
//! It is given by the configuration; without that it is the standard library's `Instant`, where there is
//! one. WebAssembly in a page has none: asking for the time there would abort the program. Then no time
//! passes.

use std::cell::OnceCell;
use std::time::Duration;

/// Returns the time since any fixed moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallSource(pub(crate) fn() -> Duration);

/// Configurations are compared. The compiler may give one function several addresses; then two that are
/// the same count as different.
impl PartialEq for WallSource {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for WallSource {}

#[derive(Debug)]
pub(crate) struct WallClock {
    source: WallSource,
    /// The value that the source returned when the clock was started.
    began: OnceCell<Duration>,
}

impl WallClock {
    /// Creates a clock. Without a source it uses the platform's.
    pub(crate) fn new(source: Option<WallSource>) -> Self {
        Self {
            source: source.unwrap_or(WallSource(platform)),
            began: OnceCell::new(),
        }
    }

    /// Starts the clock, unless it is running already.
    pub(crate) fn start(&self) {
        self.began.get_or_init(self.source.0);
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        let began = *self.began.get_or_init(self.source.0);
        (self.source.0)().saturating_sub(began)
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn platform() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn platform() -> Duration {
    Duration::ZERO
}
