//! The token that each request to an inspector needs.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use crate::error::InspectorError;

/// How many random bytes a token has.
const RANDOM: usize = 16;
/// How many characters a given token needs.
const SHORTEST: usize = 16;

/// The token that a program wants.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Random,
    Given(Token),
    Without,
}

impl Choice {
    /// Returns the token of a server on an address, or `None` if it has none.
    pub(crate) fn for_server(&self, address: SocketAddr) -> Result<Option<Token>, InspectorError> {
        match self {
            Self::Random => Token::random().map(Some),
            Self::Given(token) if token.is_usable() => Ok(Some(token.clone())),
            Self::Given(_) => Err(InspectorError::BadToken),
            Self::Without if address.ip().is_loopback() => Ok(None),
            Self::Without => Err(InspectorError::NeedsToken { address }),
        }
    }
}

/// A secret. Its `Debug` does not show it.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    fn random() -> Result<Self, InspectorError> {
        let mut bytes = [0; RANDOM];
        getrandom::fill(&mut bytes)
            .map_err(|error| InspectorError::Random(io::Error::from(error)))?;
        Ok(Self(bytes.map(|byte| format!("{byte:02x}")).concat()))
    }

    fn is_usable(&self) -> bool {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        self.0.len() >= SHORTEST && self.0.bytes().all(fits)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on how many characters are equal.
    pub(crate) fn is(&self, given: &str) -> bool {
        let differences = given
            .bytes()
            .zip(self.0.bytes())
            .fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == self.0.len() && differences == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_token_is_usable_differs_from_the_next_and_is_not_shown()
    -> Result<(), InspectorError> {
        let (one, other) = (Token::random()?, Token::random()?);
        assert!(one.is_usable() && one.as_str().len() == 2 * RANDOM);
        assert!(one.is(one.as_str()) && !one.is(other.as_str()));
        assert!(!format!("{one:?}").contains(one.as_str()));
        Ok(())
    }
}
