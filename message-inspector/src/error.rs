//! Why a server cannot be started.

use std::io;
use std::net::SocketAddr;

/// Why [`Inspector::serve`](crate::Inspector::serve) has failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectorError {
    /// The address cannot be read.
    #[error("`{address}` is no address: {error}; expected one such as `127.0.0.1:7000`")]
    Address {
        /// What was given.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// The address can be reached from other machines, and there is no token.
    #[error(
        "{address} can be reached from other machines: expected a loopback address such as \
         127.0.0.1, or a token"
    )]
    NeedsToken {
        /// The address.
        address: SocketAddr,
    },
    /// The token is too short, or has characters that do not stand in an address.
    #[error(
        "this token cannot be used: expected at least 16 characters, each a letter, a digit, `-` or `_`"
    )]
    BadToken,
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The thread of the server cannot be started.
    #[error("the thread of the server cannot be started: {0}")]
    Thread(io::Error),
}

#[cfg(test)]
mod tests {
    use super::InspectorError;

    /// C-GOOD-ERR: it can be boxed, sent to other threads, and wrapped by what asks for all of that.
    #[test]
    fn the_error_can_be_sent_to_other_threads_and_wrapped() {
        fn is_good_error<E: std::error::Error + Send + Sync + 'static>() {}
        is_good_error::<InspectorError>();
    }
}
