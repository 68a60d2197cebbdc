//! The contract of `message-core`, sentence by sentence: see `tests/`.
