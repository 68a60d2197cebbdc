//! The names of nodes.

use std::fmt;
use std::sync::Arc;

/// The maximum length of a name, in bytes.
const LONGEST: usize = 64;

/// The name of a node, by which others know it on the same network of worlds.
///
/// ```
/// use message_net::NodeName;
///
/// let zone = NodeName::new("zone-3")?;
/// assert_eq!(zone.as_str(), "zone-3");
/// assert!(NodeName::new("zone/3").is_err());
/// # Ok::<(), message_net::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeName(Arc<str>);

/// Why a text cannot be the name of a node.
///
/// ```
/// use message_net::NodeName;
///
/// let error = NodeName::new("zone 3").unwrap_err();
/// assert!(error.to_string().starts_with("`zone 3` cannot be the name of a node"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` cannot be the name of a node: {why}")]
pub struct NameError {
    name: String,
    why: &'static str,
}

impl NodeName {
    /// Creates a name from a text: 1 to 64 bytes of letters, digits, `-`, `_` and `.`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is empty, too long, or contains any other character.
    ///
    /// ```
    /// use message_net::NodeName;
    ///
    /// assert!(NodeName::new("zone-3").is_ok());
    /// assert!(NodeName::new("").is_err());
    /// ```
    pub fn new(name: &str) -> Result<Self, NameError> {
        let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let why = if name.is_empty() {
            "expected at least one character"
        } else if name.len() > LONGEST {
            "expected at most 64 bytes"
        } else if !name.chars().all(allowed) {
            "expected letters, digits, `-`, `_` and `.`"
        } else {
            return Ok(Self(name.into()));
        };
        Err(NameError {
            name: name.to_owned(),
            why,
        })
    }

    /// Returns the name as a text.
    ///
    /// ```
    /// use message_net::NodeName;
    ///
    /// assert_eq!(NodeName::new("hub")?.as_str(), "hub");
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name as a shared text.
    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }

    /// Returns `true` if the name matches a pattern, in which `*` matches any number of characters.
    pub(crate) fn fits(&self, pattern: &str) -> bool {
        let Some((begin, rest)) = pattern.split_once('*') else {
            return pattern == &*self.0;
        };
        let Some(mut left) = self.0.strip_prefix(begin) else {
            return false;
        };
        let mut parts: Vec<&str> = rest.split('*').collect();
        let end = parts.pop().unwrap_or_default();
        for part in parts {
            // The first match is the best: it leaves the most.
            let Some(at) = left.find(part) else {
                return false;
            };
            left = &left[at + part.len()..];
        }
        left.ends_with(end)
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_of_a_pattern_stands_for_any_characters() {
        let fits = |name, pattern| NodeName::new(name).expect("a name").fits(pattern);
        for (name, pattern) in [
            ("hub", "hub"),
            ("hub", "*"),
            ("hub", "h*b"),
            ("hub", "hub*"),
            ("zone-12", "zone-*"),
            ("zone-12", "*-*2"),
            ("abab", "*ab"),
            ("aab", "a*ab"),
        ] {
            assert!(fits(name, pattern), "{pattern} {name}");
        }
        for (name, pattern) in [
            ("hub", ""),
            ("hub", "hu"),
            ("hub", "b*"),
            ("ab", "ab*b"),
            ("zone-12", "*-*3"),
            ("abc", "*b"),
        ] {
            assert!(!fits(name, pattern), "{pattern} {name}");
        }
    }
}
