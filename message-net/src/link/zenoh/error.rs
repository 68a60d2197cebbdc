//! Why a link cannot be opened.

/// Why a configuration is not one that a [`ZenohLink`](super::ZenohLink) can be opened with.
///
/// That a router cannot be reached is not among these: the link goes on trying then, and says so by
/// [`LinkEvent::Trouble`](crate::link::LinkEvent::Trouble).
///
/// ```
/// use message_net::link::zenoh::{ZenohConfig, ZenohError};
///
/// let error = ZenohConfig::client("hub.example").check().unwrap_err();
/// assert!(matches!(error, ZenohError::Endpoint { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ZenohError {
    /// An endpoint that is not one.
    #[error("`{endpoint}` is not an endpoint: expected {expected}")]
    Endpoint {
        /// The endpoint as it was given.
        endpoint: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A name that a world cannot have.
    #[error(
        "`{0}` cannot be the name of a world: expected letters, digits, `-`, `_` and `.`, with `/` \
         between parts of 1 to 64 bytes"
    )]
    World(String),
    /// A number out of its range.
    #[error("{value} {what}: expected {least} to {most}")]
    Limit {
        /// What it is.
        what: &'static str,
        /// The number.
        value: u128,
        /// The least that it can be.
        least: u128,
        /// The most that it can be.
        most: u128,
    },
    /// A file of a certificate or key that cannot be used.
    #[error("the {what} `{path}` cannot be used: {why}")]
    File {
        /// What the file is for.
        what: &'static str,
        /// Where it was looked for.
        path: String,
        /// Why it cannot be used.
        why: String,
    },
    /// Nodes were named that a hub accepts, but it is not a hub with certificates.
    #[error("only a hub with certificates can accept certain nodes only")]
    Only,
    /// zenoh refuses a setting.
    #[error("zenoh does not take the setting `{path}` = {value}: {why}")]
    Setting {
        /// Its path in zenoh's configuration.
        path: String,
        /// Its value, in JSON5.
        value: String,
        /// What zenoh says.
        why: String,
    },
    /// The system starts no thread for the link.
    #[error("no thread can be started for the link: {0}")]
    Thread(#[source] std::io::Error),
}
