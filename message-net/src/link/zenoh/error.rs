//! Errors of opening a link.

/// The reason why a [`ZenohLink`](super::ZenohLink) cannot be opened with a configuration.
///
/// An unreachable router is not an error: the link keeps trying to connect, and reports the problem by
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
    /// An endpoint is not valid.
    #[error("`{endpoint}` is not an endpoint: expected {expected}")]
    Endpoint {
        /// The endpoint as it was given.
        endpoint: String,
        /// The expected form.
        expected: &'static str,
    },
    /// The name of the world is not valid.
    #[error(
        "`{0}` cannot be the name of a world: expected letters, digits, `-`, `_` and `.`, with `/` \
         between parts of 1 to 64 bytes"
    )]
    World(String),
    /// A number is out of range.
    #[error("{value} {what}: expected {least} to {most}")]
    Limit {
        /// The unit and the name of the setting.
        what: &'static str,
        /// The number.
        value: u128,
        /// The minimum.
        least: u128,
        /// The maximum.
        most: u128,
    },
    /// A file with a certificate or key cannot be used.
    #[error("the {what} `{path}` cannot be used: {why}")]
    File {
        /// The purpose of the file.
        what: &'static str,
        /// The path of the file.
        path: String,
        /// The reason why it cannot be used.
        why: String,
    },
    /// The nodes to accept were listed, but this is not a hub with certificates.
    #[error("only a hub with certificates can restrict the nodes that it accepts")]
    Only,
    /// Anyone could be a node, and the program has not said that this is intended.
    #[error(
        "`{endpoint}` can be reached {who}, which could be any node: expected a hub with certificates and the \
         names of its nodes (`ZenohConfig::tls` and `only`, with the feature `tls`), a loopback address without \
         certificates, or `ZenohConfig::open_to_anyone`"
    )]
    Open {
        /// The endpoint that the link would listen on.
        endpoint: String,
        /// The processes that can reach it.
        who: &'static str,
    },
    /// Zenoh refuses a setting.
    #[error("zenoh rejects the setting `{path}` = {value}: {why}")]
    Setting {
        /// Its path in zenoh's configuration.
        path: String,
        /// Its value, in JSON5.
        value: String,
        /// The error that zenoh returned.
        why: String,
    },
    /// The system cannot start a thread for the link.
    #[error("no thread can be started for the link: {0}")]
    Thread(#[source] std::io::Error),
}
