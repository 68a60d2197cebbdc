//! The form of a log: a header with the initial state, followed by inputs.
//!
//! The bytes are described in [`log_format`](crate::log_format).
//!
//! An input is written to the log before it runs, so the log of a crashed program ends with the input that crashed
//! it. A log that is cut off in the middle of an input is read up to that input.

use std::ops::Range;

use message_format::{Bytes, DataError};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"MSGCLOG\n";
const VERSION: u32 = 3;

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

/// Appends one input, with its length and its hash.
pub(super) fn put_entry(bytes: &mut Vec<u8>, input: &[u8]) {
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
}

fn check(input: &[u8]) -> [u8; 4] {
    let [a, b, c, d, ..] = xxh3_64(input).to_le_bytes();
    [a, b, c, d]
}

/// The parts of a log.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The bytes of the save that it begins with, unless that was changed.
    pub(crate) start: Result<Range<usize>, DataError>,
    pub(crate) inputs: Vec<Entry>,
    pub(crate) end: End,
}

/// The bytes of an input in a log.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The number of bytes before its length.
    pub(crate) place: u32,
    pub(crate) bytes: Range<u32>,
}

impl Entry {
    pub(crate) fn of<'b>(&self, log: &'b [u8]) -> &'b [u8] {
        &log[self.bytes.start as usize..self.bytes.end as usize]
    }

    /// Returns `true` if it names something for those behind it, or ends the names so far. Its tag tells, as a log writes it.
    pub(crate) fn declares(&self, log: &[u8]) -> bool {
        matches!(
            self.of(log),
            [0x81, 0xa1, b'N' | b'F' | b'X' | b'P', ..] | [0xa1, b'B']
        )
    }

    /// Returns `true` if it begins a frame. Its tag tells, as a log writes it.
    pub(crate) fn begins_frame(&self, log: &[u8]) -> bool {
        let input = self.of(log);
        matches!(
            input,
            [0x81, 0xa1, b't', ..] | [0x81, 0xa2, b't', b'b' | b'w', ..]
        )
    }
}

/// The end of the inputs that can be read.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "files"),
    allow(dead_code, reason = "a journal tells where")
)]
pub(crate) enum End {
    Whole,
    /// The last input is cut off, from this place on.
    Cut(u32),
    /// An input was changed.
    Damaged(DataError),
}

/// Divides a log into its parts, up to the first input that was changed.
pub(crate) fn parts_to_damage(log: &[u8]) -> Result<Parts, DataError> {
    let mut rest = Bytes::new(log)?;
    if rest.take(8)? != MAGIC {
        let what = "this is not a log of inputs: expected a file that `Log::start` has written";
        return Err(DataError::new(what).at(0));
    }
    let version = u32::from_le_bytes(rest.number()?);
    if version != VERSION {
        let what = format!("this log has format version {version}: expected version {VERSION}");
        return Err(DataError::new(what).at(8));
    }
    let length = u64::from_le_bytes(rest.number()?);
    let hash = u64::from_le_bytes(rest.number()?);
    if length == 0 {
        let what = "this log does not begin with a state, so it cannot be replayed";
        return Err(DataError::new(what).at(12));
    }
    let length = usize::try_from(length).map_err(|_| DataError::too_large())?;
    let begin = rest.at();
    let start = if xxh3_64(rest.take(length)?) == hash {
        Ok(begin..rest.at())
    } else {
        let what = "the state at the beginning of this log was changed: its hash differs";
        Err(DataError::new(what).at(28))
    };
    let (mut inputs, mut end) = (Vec::new(), End::Whole);
    while rest.left() > 0 {
        let place = rest.place();
        match next_input(&mut rest) {
            Ok(Some(input)) => {
                // Its hash is behind it.
                let end = rest.place() - 4;
                let bytes = end - u32::try_from(input.len()).expect("it is a part")..end;
                inputs.push(Entry { place, bytes });
            }
            Ok(None) => {
                end = End::Cut(place);
                break;
            }
            Err(error) => {
                end = End::Damaged(error);
                break;
            }
        }
    }
    Ok(Parts { start, inputs, end })
}

/// Returns the next input, or `None` if the log ends in the middle of it.
pub(crate) fn next_input<'b>(rest: &mut Bytes<'b>) -> Result<Option<&'b [u8]>, DataError> {
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
            return Err(
                DataError::new("this input claims to be longer than any input can be").at(place),
            );
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
