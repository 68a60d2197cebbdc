//! The query of a request.

use std::str::FromStr;

use crate::shared::Refusal;

/// The parameters, decoded, in their original order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn of(text: Option<&str>) -> Result<Self, Refusal> {
        let parts = text.unwrap_or_default().split('&');
        let parts = parts.filter(|part| !part.is_empty()).map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            Ok((decoded(name)?, decoded(value)?))
        });
        parts.collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| &**value)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// Returns a number, or the default if there is none; at most `most`.
    pub(super) fn number<N: FromStr + Ord>(
        &self,
        name: &str,
        or: N,
        most: N,
    ) -> Result<N, Refusal> {
        Ok(self.some_number(name)?.unwrap_or(or).min(most))
    }

    pub(super) fn some_number<N: FromStr>(&self, name: &str) -> Result<Option<N>, Refusal> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let wrong = |_| Refusal::bad(format!("`{name}={text}`: expected a whole number"));
        text.parse().map(Some).map_err(wrong)
    }
}

/// Decodes `%XX` and `+` in a text.
fn decoded(text: &str) -> Result<String, Refusal> {
    let wrong = || Refusal::bad(format!("`{text}`: expected UTF-8 after `%`"));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || {
                    let digit = char::from(rest.next()?).to_digit(16)?;
                    u8::try_from(digit).ok()
                };
                let (high, low) = (digit().ok_or_else(wrong)?, digit().ok_or_else(wrong)?);
                high << 4 | low
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_wrong_ones_refused() {
        let query = Query::of(Some("a=b%20c+d&e&f=%C3%A4")).expect("it is well formed");
        assert_eq!(query.get("a"), Some("b c d"));
        assert_eq!(query.get("e"), Some(""));
        assert_eq!(query.get("f"), Some("ä"));
        assert_eq!(query.get("g"), None);
        for wrong in ["a=%", "a=%4", "a=%zz", "a=%ff"] {
            assert!(Query::of(Some(wrong)).is_err(), "{wrong}");
        }
        assert!(Query::of(Some("n=x")).is_ok_and(|it| it.number("n", 1, 9).is_err()));
        assert_eq!(
            Query::of(Some("n=70")).and_then(|it| it.number("n", 1, 9)),
            Ok(9)
        );
    }
}
