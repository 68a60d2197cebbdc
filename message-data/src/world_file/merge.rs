//! A component with overrides, as one value.
//!
//! Its tokens are put together only while it is read, in memory that is reused: what many messagees override is on
//! the tape once.

use std::collections::HashMap;

use message_format::DataError;
use message_format::steps::step;
use message_format::tape::{Kind, Tape, Token, behind, halves};

/// Puts the fields of each layer over those of the layers before it, and collects the tokens of the value. A layer
/// without named fields replaces everything before it, except that `()` over fields changes nothing.
pub(crate) fn merge(tape: &Tape, layers: &[u32], into: &mut Vec<Token>) -> Result<(), DataError> {
    into.clear();
    let mut layers = layers.iter().map(|&at| at as usize);
    let mut whole = layers.next().expect("a component begins somewhere");
    let mut fields = Fields::of(tape, whole);
    for over in layers {
        match (&mut fields, tape.tokens[over].kind) {
            (Some(_), Kind::Unit) => {}
            (Some(fields), Kind::Fields) => {
                fields.put_over(over);
                whole = over;
            }
            _ => {
                whole = over;
                fields = Fields::of(tape, whole);
            }
        }
    }
    match fields {
        Some(fields) => collect(&tape.tokens, tape.tokens[whole], &fields.keys, into),
        None => copy(&tape.tokens, whole, into),
    }
}

/// The fields of a value so far.
struct Fields<'t> {
    tape: &'t Tape,
    /// The indices of their names on the tape, in their order.
    keys: Vec<usize>,
    /// The first index of each name in that order.
    named: HashMap<&'t str, usize>,
}

impl<'t> Fields<'t> {
    /// Returns the fields of a value, if it has any.
    fn of(tape: &'t Tape, at: usize) -> Option<Self> {
        let mut fields = Self {
            tape,
            keys: Vec::new(),
            named: HashMap::new(),
        };
        (tape.tokens[at].kind == Kind::Fields).then(|| {
            fields.put_over(at);
            fields
        })
    }

    fn put_over(&mut self, over: usize) {
        for key in keys(&self.tape.tokens, over) {
            let name = self.tape.str(self.tape.tokens[key]);
            match self.named.get(name) {
                // One that is given twice in one layer stays so: that is a mistake.
                Some(&there) if self.keys[there] < over || self.keys[there] > key => {
                    self.keys[there] = key;
                }
                Some(_) => self.keys.push(key),
                None => {
                    self.named.insert(name, self.keys.len());
                    self.keys.push(key);
                }
            }
        }
    }
}

/// Returns the indices of the names of fields.
pub(crate) fn keys(tokens: &[Token], at: usize) -> impl Iterator<Item = usize> {
    let mut next = at + 1;
    (0..tokens[at].len()).map(move |_| {
        let key = next;
        next = behind(tokens, key + 1);
        key
    })
}

/// Collects a value with only the fields at these keys.
pub(super) fn collect(
    tokens: &[Token],
    whole: Token,
    keys: &[usize],
    into: &mut Vec<Token>,
) -> Result<(), DataError> {
    into.clear();
    into.push(whole);
    if keys.is_empty() {
        into[0].kind = Kind::Unit;
        into[0].data = 0;
        return Ok(());
    }
    for &key in keys {
        into.push(tokens[key]);
        copy(tokens, key + 1, into)?;
    }
    into[0].data = halves(keys.len(), into.len())?;
    Ok(())
}

/// Appends a value.
fn copy(tokens: &[Token], at: usize, into: &mut Vec<Token>) -> Result<(), DataError> {
    let first = into.len();
    step(behind(tokens, at) - at);
    for &token in &tokens[at..behind(tokens, at)] {
        let mut token = token;
        if token.is_container() {
            token.data = halves(token.len() as usize, token.end_of() - at + first)?;
        }
        into.push(token);
    }
    Ok(())
}
