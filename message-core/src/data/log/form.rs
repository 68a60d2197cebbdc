//! The form of a log: a head with the state in the beginning, then inputs.
//!
//! The bytes are described at [`log_format`](crate::data::log_format).
//!
//! An input stands in the log before it runs, so a log of a program that has
//! crashed ends with what has crashed it. One that is cut off in the middle of an input is read up to it.

use xxhash_rust::xxh3::xxh3_64;

use crate::data::error::DataError;

const MAGIC: [u8; 8] = *b"MSGCLOG\n";
const VERSION: u32 = 1;

/// The head, with the state in the beginning.
pub(super) fn head(start: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(start.len() + 28);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((start.len() as u64).to_le_bytes());
    bytes.extend(xxh3_64(start).to_le_bytes());
    bytes.extend(start);
    bytes
}

/// One input, with its length and its hash.
pub(super) fn entry(input: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(input.len() + 6);
    let mut length = input.len();
    loop {
        let low = u8::try_from(length & 0x7f).expect("7 bits are left");
        length >>= 7;
        if length == 0 {
            bytes.push(low);
            break;
        }
        bytes.push(low | 0x80);
    }
    bytes.extend(input);
    bytes.extend(check(input));
    bytes
}

fn check(input: &[u8]) -> [u8; 4] {
    let [a, b, c, d, ..] = xxh3_64(input).to_le_bytes();
    [a, b, c, d]
}

/// The parts of a log.
#[derive(Debug)]
pub(super) struct Parts<'b> {
    /// The save that it begins with.
    pub(super) start: &'b [u8],
    /// Each input, and how many bytes stand before it in the log.
    pub(super) inputs: Vec<(u32, &'b [u8])>,
    /// `true` if the last input is cut off.
    pub(super) is_cut: bool,
}

/// Divides a log into its parts.
pub(super) fn parts(log: &[u8]) -> Result<Parts<'_>, DataError> {
    if u32::try_from(log.len()).is_err() {
        return Err(DataError::too_large());
    }
    let mut rest = Rest { log, at: 0 };
    if rest.take(8)? != MAGIC {
        let what = "this is no log of inputs: expected a file that `start_log` has written";
        return Err(DataError::new(what).at(0));
    }
    let version = u32::from_le_bytes(rest.number()?);
    if version != VERSION {
        let what =
            format!("this log has the form of version {version}: expected version {VERSION}");
        return Err(DataError::new(what).at(8));
    }
    let length = u64::from_le_bytes(rest.number()?);
    let hash = u64::from_le_bytes(rest.number()?);
    if length == 0 {
        let what = "this log has no state in its beginning, so it cannot be repeated";
        return Err(DataError::new(what).at(12));
    }
    let length = usize::try_from(length).map_err(|_| DataError::too_large())?;
    let start = rest.take(length)?;
    if xxh3_64(start) != hash {
        let what = "the state in the beginning of this log was changed: its hash differs";
        return Err(DataError::new(what).at(28));
    }
    let mut inputs = Vec::new();
    while rest.at < log.len() {
        let place = rest.place();
        let Some(input) = rest.entry()? else {
            let is_cut = true;
            return Ok(Parts {
                start,
                inputs,
                is_cut,
            });
        };
        inputs.push((place, input));
    }
    Ok(Parts {
        start,
        inputs,
        is_cut: false,
    })
}

struct Rest<'b> {
    log: &'b [u8],
    at: usize,
}

impl<'b> Rest<'b> {
    fn place(&self) -> u32 {
        u32::try_from(self.at).expect("a log has less than 4 GiB")
    }

    fn take(&mut self, len: usize) -> Result<&'b [u8], DataError> {
        let rest = &self.log[self.at..];
        let Some(taken) = rest.get(..len) else {
            let what = format!(
                "the log ends here: expected {len} more bytes, found {}",
                rest.len()
            );
            return Err(DataError::new(what).at(self.place()));
        };
        self.at += len;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], DataError> {
        let mut number = [0; N];
        number.copy_from_slice(self.take(N)?);
        Ok(number)
    }

    /// The next input, or `None` if the log ends in the middle of it.
    fn entry(&mut self) -> Result<Option<&'b [u8]>, DataError> {
        let place = self.place();
        let (mut length, mut shift) = (0_u64, 0);
        loop {
            let Ok([byte]) = self.number() else {
                return Ok(None);
            };
            length |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
            if shift > 28 {
                return Err(DataError::new("no input is as long as this one claims").at(place));
            }
        }
        let length = usize::try_from(length).map_err(|_| DataError::too_large())?;
        let (Ok(input), Ok(hash)) = (self.take(length), self.number()) else {
            return Ok(None);
        };
        if hash != check(input) {
            let what = "this input was changed: its hash differs";
            return Err(DataError::new(what).at(place));
        }
        Ok(Some(input))
    }
}
