//! Walks over a text: white space, comments, words.

use crate::error::DataError;
use crate::steps::step;
use crate::text::{begins_word, is_blank, is_in_raw_word, is_in_word};

/// A position in a text.
#[derive(Clone)]
pub(crate) struct Scanner<'s> {
    source: &'s str,
    at: usize,
}

/// A word of a text.
#[derive(Clone, Copy)]
pub(crate) struct Word<'s> {
    /// Without `r#`.
    pub(crate) text: &'s str,
    /// It begins with `r#`, so it is a name even if it would otherwise be a keyword or a number.
    pub(crate) is_raw: bool,
}

impl<'s> Scanner<'s> {
    /// Begins at the first byte of a text, which has to have less than 4 GiB.
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, at: 0 }
    }

    /// Returns the position, in bytes.
    pub(crate) fn at(&self) -> u32 {
        u32::try_from(self.at).expect("the text has less than 4 GiB")
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes over this text, if it is next.
    #[inline]
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.skip_bytes(text.len());
        }
        is_next
    }

    /// Skips `count` bytes. Every move goes through here, so that tests can count how far a reader walks.
    #[inline]
    pub(crate) fn skip_bytes(&mut self, count: usize) {
        step(count);
        self.at += count;
    }

    /// Returns the error that `what` was expected here and something else was found.
    pub(crate) fn expected(&self, what: &str) -> DataError {
        let what = match self.peek() {
            None => format!("the text ends here: expected {what}"),
            Some(found) => format!("expected {what}, found `{}`", found.escape_debug()),
        };
        DataError::new(what).at(self.at())
    }

    /// Skips white space and comments.
    pub(crate) fn skip(&mut self) -> Result<(), DataError> {
        loop {
            self.skip_blanks();
            let rest = self.rest();
            if rest.starts_with("//") {
                self.skip_bytes(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.skip_block()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Skips white space.
    pub(crate) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.skip_bytes(rest.len() - rest.trim_start_matches(is_blank).len());
    }

    /// Skips a comment between `/*` and `*/`, including nested ones.
    fn skip_block(&mut self) -> Result<(), DataError> {
        let begin = self.at();
        let mut depth = 0_usize;
        loop {
            if self.eat("/*") {
                depth += 1;
            } else if self.eat("*/") {
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            } else {
                let Some(next) = self.peek() else {
                    let what = "this comment is not closed: expected `*/`";
                    return Err(DataError::new(what).at(begin));
                };
                self.skip_bytes(next.len_utf8());
            }
        }
    }

    /// Reads a word, if one is next.
    pub(crate) fn word(&mut self) -> Option<Word<'s>> {
        let rest = self.rest();
        let raw = rest
            .strip_prefix("r#")
            .filter(|word| word.starts_with(is_in_raw_word));
        let (is_raw, word) = (raw.is_some(), raw.unwrap_or(rest));
        if !is_raw && !word.starts_with(begins_word) {
            return None;
        }
        // Behind `r#` a word can have what separates others.
        let is_part = |next| is_in_word(next) || is_raw && is_in_raw_word(next);
        let text = &word[..word.find(|next| !is_part(next)).unwrap_or(word.len())];
        self.skip_bytes(text.len() + if is_raw { 2 } else { 0 });
        Some(Word { text, is_raw })
    }
}
