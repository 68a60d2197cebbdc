//! The wall clock of a manager. Only traces show it, and nothing that is delivered depends on it.
//!
//! It is given by the configuration; without that it is the standard library's `Instant`, where there is
//! one. WebAssembly in a page has none: asking for the time there would abort the program. Then no time
//! passes.

use std::time::Duration;

/// Returns the time since any fixed moment.
pub(crate) type WallSource = fn() -> Duration;

/// Returns the time since any fixed moment, by the platform's clock if there is no source.
pub(crate) fn wall_time(source: Option<WallSource>) -> Duration {
    source.map_or_else(platform, |source| source())
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
