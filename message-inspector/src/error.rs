//! The errors of starting a server.

use std::io;
use std::net::SocketAddr;

/// An error returned by [`Inspector::serve`](crate::Inspector::serve).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectorError {
    /// The address cannot be parsed.
    #[error("`{address}` is not an address: {error}; expected one such as `127.0.0.1:7000`")]
    Address {
        /// The address that was given.
        address: String,
        /// The reason.
        error: io::Error,
    },
    /// The address can be reached from other machines, but the token is switched off.
    #[error(
        "{address} can be reached from other machines: expected a token, or a loopback address such as \
         127.0.0.1"
    )]
    NeedsToken {
        /// The address.
        address: SocketAddr,
    },
    /// The token is too short, or has characters that are not allowed in an address.
    #[error(
        "this token cannot be used: expected at least 16 characters, each a letter, a digit, `-` or `_`"
    )]
    BadToken,
    /// The system has no random numbers for a token.
    #[error(
        "cannot make a random token: {0}; expected the system to provide random numbers, or a given token"
    )]
    Random(io::Error),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: io::Error,
    },
    /// The server thread cannot be started.
    #[error("the thread of the server cannot be started: {0}")]
    Thread(io::Error),
}

#[cfg(test)]
mod tests {
    use super::InspectorError;

    /// C-GOOD-ERR: the error can be boxed, sent to other threads, and wrapped by types that require all of that.
    #[test]
    fn the_error_can_be_sent_to_other_threads_and_wrapped() {
        fn is_good_error<E: std::error::Error + Send + Sync + 'static>() {}
        is_good_error::<InspectorError>();
    }
}
