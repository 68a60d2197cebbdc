//! The form of a log: a header with the initial state, followed by inputs.
//!
//! The bytes are described in [`log_format`](crate::log_format).
//!
//! An input is written to the log before it runs, so the log of a crashed program ends with the input that crashed
//! it. A log that is cut off in the middle of an input is read up to that input.

use message_format::{Bytes, DataError};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"MSGCLOG\n";
const VERSION: u32 = 1;

/// Returns the header, with the initial state.
pub(super) fn head(start: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(start.len() + 28);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((start.len() as u64).to_le_bytes());
    bytes.extend(xxh3_64(start).to_le_bytes());
    bytes.extend(start);
    bytes
}

/// Returns one input, with its length and its hash.
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
    /// Each input, and the number of bytes before it in the log.
    pub(super) inputs: Vec<(u32, &'b [u8])>,
    /// `true` if the last input is cut off.
    pub(super) is_cut: bool,
}

/// Divides a log into its parts.
pub(super) fn parts(log: &[u8]) -> Result<Parts<'_>, DataError> {
    let mut rest = Bytes::new(log)?;
    if rest.take(8)? != MAGIC {
        let what = "this is no log of inputs: expected a file that `Log::start` has written";
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
    while rest.left() > 0 {
        let place = rest.place();
        let Some(input) = next_input(&mut rest)? else {
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

/// Returns the next input, or `None` if the log ends in the middle of it.
fn next_input<'b>(rest: &mut Bytes<'b>) -> Result<Option<&'b [u8]>, DataError> {
    let place = rest.place();
    let (mut length, mut shift) = (0_u64, 0);
    loop {
        let Ok([byte]) = rest.number() else {
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
    let (Ok(input), Ok(hash)) = (rest.take(length), rest.number()) else {
        return Ok(None);
    };
    if hash != check(input) {
        let what = "this input was changed: its hash differs";
        return Err(DataError::new(what).at(place));
    }
    Ok(Some(input))
}
