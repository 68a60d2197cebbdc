//! Names in front of parentheses, and the values that the parentheses belong to.

use crate::error::DataError;
use crate::names::Short;
use crate::options::TextExtension;
use crate::reader::{Reader, Wanted};
use crate::shape::Plain;
use crate::tape::{Kind, Token};

impl Reader<'_> {
    /// Enters the parentheses after the name of a type that is not written as a struct.
    pub(super) fn go_inside(&mut self) {
        if self.at == self.inside_at && self.peek().holds_one() {
            self.next();
        }
    }

    /// Begins the content of a variant or of `Some`. If the text unwraps it, the parentheses are those of the value
    /// itself.
    pub(super) fn begin_inside(&mut self) -> Result<(), DataError> {
        if !self.enables(TextExtension::UnwrapVariantNewtypes) || self.is_packed() {
            return self.inside();
        }
        if !self.peek().has_parentheses() {
            return Err(self.unwanted(Wanted::Inside));
        }
        (self.inside_at, self.is_unwrapped) = (self.at, true);
        Ok(())
    }

    /// Begins a value that may be in the parentheses after its type's name.
    pub(super) fn begin(&mut self, wanted: Wanted) -> Result<(), DataError> {
        self.go_inside();
        self.answer(wanted)
    }

    /// Like [`begin`](Self::begin), for a value that is never written as a word.
    pub(super) fn begin_plain(&mut self, plain: Plain) -> Result<(), DataError> {
        if self.is_packed() {
            // There are no words in it.
            return Ok(());
        }
        self.begin(Wanted::Plain(plain))?;
        let token = self.peek();
        let is_key = self.at == self.key_at && plain == Plain::Str;
        if matches!(token.kind, Kind::Word | Kind::Named | Kind::Range) && !is_key {
            return Err(self.mismatch(Wanted::Plain(plain)));
        }
        if token.kind == Kind::Float && plain.is_integer() {
            let digits = self.tape.source_of(token);
            let is_digit = |digit: char| digit.is_ascii_digit() || digit == '_';
            if !digits.is_empty() && digits.trim_start_matches(['+', '-']).chars().all(is_digit) {
                let what = format!("`{digits}` is too large: the largest number is 2^128 - 1");
                return Err(DataError::new(what).at(token.start));
            }
        }
        Ok(())
    }

    /// Enters a value with this name in front of it, if the text gives one.
    pub(super) fn enter(&mut self, name: &str) -> Result<(), DataError> {
        if self.at == self.inside_at && self.is_unwrapped && self.peek().kind == Kind::Wrapped {
            // The parentheses of the variant, and in them the name of the struct.
            let named = self.tokens[self.at + 1];
            if named.kind == Kind::Named && self.tape.str(named) == name {
                self.next();
            }
        }
        let token = self.peek();
        if token.is_name() {
            self.check_name(token, name)?;
            self.next();
            return Ok(());
        }
        self.check_named(name)
    }

    /// Checks that a struct may be written without its name here.
    pub(super) fn check_named(&self, name: &str) -> Result<(), DataError> {
        if !self.enables(TextExtension::ExplicitStructNames) || self.at == self.inside_at {
            return Ok(());
        }
        let found = self.describe(self.peek());
        let what =
            format!("expected `{name}`, found {found}: the text enables explicit_struct_names");
        Err(DataError::new(what).at(self.peek().start))
    }

    pub(super) fn check_name(&self, token: Token, name: &str) -> Result<(), DataError> {
        let found = self.tape.str(token);
        // A renamed type can have a name that no text could give.
        if found == name {
            return Ok(());
        }
        let what = format!("expected `{name}`, found `{}`", Short(found));
        Err(DataError::new(what).at(token.start))
    }

    /// Enters the content of a newtype: the one value in its parentheses.
    pub(super) fn inside(&mut self) -> Result<(), DataError> {
        if self.peek().holds_one() {
            self.next();
            return Ok(());
        }
        Err(self.unwanted(Wanted::Inside))
    }
}
