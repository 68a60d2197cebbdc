//! Numbers, with their signs and suffixes.

use crate::error::DataError;
use crate::text::scan::Scanner;

/// A number as it is written.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Natural(u128),
    /// Below zero.
    Negative(i128),
    Single(f32),
    Float(f64),
}

/// The suffixes of integers, with the least and the largest number of each.
#[rustfmt::skip]
const INTEGERS: [(&str, i128, u128); 10] = [
    ("i8", i8::MIN as i128, i8::MAX as u128),
    ("i16", i16::MIN as i128, i16::MAX as u128),
    ("i32", i32::MIN as i128, i32::MAX as u128),
    ("i64", i64::MIN as i128, i64::MAX as u128),
    ("i128", i128::MIN, i128::MAX as u128),
    ("u8", 0, u8::MAX as u128),
    ("u16", 0, u16::MAX as u128),
    ("u32", 0, u32::MAX as u128),
    ("u64", 0, u64::MAX as u128),
    ("u128", 0, u128::MAX),
];

/// Returns the value of `inf` or `NaN`, with a suffix or without.
pub(super) fn literal(word: &str) -> Option<Number> {
    Some(match word {
        "inf" | "inff64" => Number::Float(f64::INFINITY),
        "NaN" | "NaNf64" => Number::Float(f64::NAN),
        "inff32" => Number::Single(f32::INFINITY),
        "NaNf32" => Number::Single(f32::NAN),
        _ => return None,
    })
}

impl Scanner<'_> {
    /// Reads the next number, with its sign if it has one.
    pub(crate) fn number(&mut self) -> Result<Number, DataError> {
        let begin = self.at();
        let negative = self.eat("-");
        if !negative {
            self.eat("+");
        }
        let number = if self.rest().starts_with(|next: char| next.is_alphabetic()) {
            let word = self.word().and_then(|word| literal(word.text));
            word.ok_or_else(|| DataError::new("expected a number after the sign"))
        } else {
            self.unsigned(negative)
        };
        match number.map_err(|error| error.at(begin))? {
            Number::Float(number) if negative => Ok(Number::Float(-number)),
            Number::Single(number) if negative => Ok(Number::Single(-number)),
            number => Ok(number),
        }
    }

    /// Reads the digits and the suffix. Only an integer is negated here, because there is one more below zero.
    fn unsigned(&mut self, negative: bool) -> Result<Number, DataError> {
        let radix = match self.rest().get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        let digits = self.digits(radix);
        let has_radix = if radix == 10 { 0 } else { 2 };
        let (digits, suffix) = split_suffix(&digits[has_radix..], radix);
        let plain: String = digits.chars().filter(|&digit| digit != '_').collect();
        let wrong = || {
            DataError::new(format_args!(
                "`{digits}{suffix}` is not a number: expected digits, and at most a suffix such as `u8` or `f32`"
            ))
        };
        let float = || plain.parse().map(Number::Float).map_err(|_| wrong());
        let is_integer = !plain.is_empty() && plain.chars().all(|digit| digit.is_digit(radix));
        if matches!(suffix, "f32" | "f64") || !is_integer {
            let is_float = radix == 10 && plain.chars().all(is_in_float);
            return match suffix {
                "f32" if is_float => plain.parse().map(Number::Single).map_err(|_| wrong()),
                "" | "f64" if is_float => float(),
                _ => Err(wrong()),
            };
        }
        let limits = INTEGERS.iter().find(|(name, ..)| *name == suffix);
        let (_, least, largest) = *limits.unwrap_or(&("", i128::MIN, u128::MAX));
        let fitting = |number: u128| {
            if negative && number > 0 {
                let number = 0_i128.checked_sub_unsigned(number)?;
                return (number >= least).then_some(Number::Negative(number));
            }
            (number <= largest).then_some(Number::Natural(number))
        };
        match u128::from_str_radix(&plain, radix).ok().and_then(fitting) {
            Some(number) => Ok(number),
            // A float can be this large.
            None if suffix.is_empty() && radix == 10 => float(),
            None if negative => Err(DataError::new(format_args!(
                "`-{digits}{suffix}` is too small: the smallest number is {least}"
            ))),
            None => Err(DataError::new(format_args!(
                "`{digits}{suffix}` is too large: the largest number is {largest}"
            ))),
        }
    }

    /// Reads everything that can belong to a number. Two points are not part of it.
    fn digits(&mut self, radix: u32) -> &str {
        let rest = self.rest();
        let is_part = |next: char| next.is_alphanumeric() || matches!(next, '_' | '.');
        let mut end = rest.find(|next| !is_part(next)).unwrap_or(rest.len());
        if let Some(range) = rest[..end].find("..") {
            end = range;
        } else if radix == 10
            && rest[..end].ends_with(['e', 'E'])
            && rest[end..].starts_with(['+', '-'])
        {
            // The sign of an exponent.
            let exponent = &rest[end + 1..];
            let digits = exponent.find(|next| !is_part(next));
            end += 1 + digits.unwrap_or(exponent.len());
        }
        self.skip_bytes(end);
        &rest[..end]
    }
}

fn is_in_float(character: char) -> bool {
    matches!(character, '0'..='9' | '.' | 'e' | 'E' | '+' | '-')
}

/// Splits off the suffix of a number. In a hexadecimal number, `f32` is digits.
fn split_suffix(digits: &str, radix: u32) -> (&str, &str) {
    let integers = INTEGERS.iter().map(|(name, ..)| *name);
    let floats = ["f32", "f64"].into_iter().filter(|_| radix == 10);
    let mut suffixes = integers.chain(floats);
    match suffixes.find(|suffix| digits.ends_with(suffix)) {
        Some(suffix) => digits.split_at(digits.len() - suffix.len()),
        None => (digits, ""),
    }
}
