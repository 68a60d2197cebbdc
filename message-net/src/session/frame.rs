//! The encoding of frames: see [`frame_format`](crate::frame_format).
//!
//! A frame is read in place: names, texts and pieces borrow from its bytes. Nothing is allocated based on a
//! length that the frame claims; there are at most as many pieces as bits in [`Body::Data::held`].

use std::fmt;

use crate::pack::{Malformed, Packer, Unpacker};

/// The version of the protocol.
pub(crate) const VERSION: u16 = 3;
/// The upper half of the first number of each frame: `MN`.
const MAGIC: u16 = 0x4D4E;
/// The maximum number of pieces in flight to a peer, and in a frame.
pub(crate) const FLIGHT: usize = 64;
/// The longest text of a refusal, in bytes.
const MAX_TEXT: usize = 512;
/// The longest name of a node, in bytes.
const MAX_NAME: usize = 64;
/// The maximum overhead of a data frame in bytes, apart from its pieces: the outer array, version, kind, the
/// name, six numbers of nine bytes, the list of pieces.
pub(crate) const HEADER: usize = 1 + 5 + 1 + 2 + MAX_NAME + 6 * 9 + 3;
/// The maximum overhead of a piece in bytes: its array, number and part, the length.
pub(crate) const PIECE_HEADER: usize = 1 + 9 + 1 + 5;

/// Returns the maximum content of a piece that is alone in a frame of the given length, in bytes.
pub(crate) fn room_of_one(max_frame: usize) -> usize {
    max_frame.saturating_sub(HEADER + PIECE_HEADER)
}

/// A frame that was read, or is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The name of the sender.
    pub(crate) from: &'a str,
    /// The run of the sender's program.
    pub(crate) run: u64,
    pub(crate) body: Body<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    /// A request for a session and an answer.
    Hello(Hello),
    /// The answer to a hello from within the session.
    Welcome(Hello),
    /// Pieces of batches, and which of the peer's pieces were accepted. Without pieces it is a sign of life.
    Data(Data<'a>),
    /// The end of the session, and of the sender.
    Bye {
        to_run: u64,
        tags: Tags,
        /// The number of the last piece that completed an accepted batch.
        accepted: u64,
    },
    /// A notice that the receiver is not accepted. It ends the session with these tags, if there is one.
    Refuse {
        to_run: u64,
        tags: Option<Tags>,
        why: &'a str,
    },
    /// A question whether a hello was really sent by the receiver, which answers by a hello that names `tags.from`.
    Challenge { to_run: u64, tags: Tags },
}

/// The tags of the sender and the receiver of a frame, which identify a session between their runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tags {
    pub(crate) from: u64,
    pub(crate) to: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    /// The number that the sender has issued for its next session.
    pub(crate) tag: u64,
    /// The run and the tag in the receiver's last hello that arrived.
    pub(crate) seen: Option<(u64, u64)>,
    /// The receiver's tag of the last session in which the sender accepted a batch from that run, and the number
    /// of the last piece of the last one.
    pub(crate) accepted: Option<(u64, u64)>,
    /// The longest batch that the sender accepts.
    pub(crate) max_batch: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Data<'a> {
    pub(crate) to_run: u64,
    pub(crate) tags: Tags,
    /// All pieces up to this one have arrived.
    pub(crate) ack: u64,
    /// Bit n is set if piece `ack + 2 + n` has arrived as well.
    pub(crate) held: u64,
    pub(crate) pieces: Vec<Piece<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    /// Counted from 1 in each session.
    pub(crate) number: u64,
    pub(crate) part: Part,
    pub(crate) bytes: &'a [u8],
}

/// The position of a piece within its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    First,
    Middle,
    Last,
}

impl Part {
    /// Returns `true` if the piece begins a batch.
    pub(crate) fn begins(self) -> bool {
        matches!(self, Self::Whole | Self::First)
    }

    /// Returns `true` if the piece ends a batch.
    pub(crate) fn ends(self) -> bool {
        matches!(self, Self::Whole | Self::Last)
    }
}

/// The reason why bytes are not a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// The bytes are a frame of another version.
    Version(u16),
    /// The bytes are not a frame.
    Malformed {
        /// The number of valid bytes.
        at: usize,
        expected: &'static str,
    },
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(theirs) => write!(
                f,
                "the peer speaks version {theirs} of the protocol, this node version {VERSION}"
            ),
            Self::Malformed { at, expected } => write!(f, "byte {at}: expected {expected}"),
        }
    }
}

impl Frame<'_> {
    /// Appends the frame to `bytes`.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let mut writer = Packer(std::mem::take(bytes));
        self.write_with(&mut writer, |writer, _, bytes| {
            writer.0.extend_from_slice(bytes);
        });
        *bytes = writer.0;
    }

    /// Writes the frame, and leaves the bytes of each piece to `content`, which receives the piece's index.
    pub(crate) fn write_with(
        &self,
        writer: &mut Packer,
        mut content: impl FnMut(&mut Packer, usize, &[u8]),
    ) {
        let (kind, fields) = match &self.body {
            Body::Hello(_) => (0, 6),
            Body::Welcome(_) => (1, 6),
            Body::Data(_) => (2, 6),
            Body::Bye { .. } => (3, 4),
            Body::Refuse { .. } => (4, 4),
            Body::Challenge { .. } => (5, 3),
        };
        writer.array(4 + fields);
        writer.uint(u64::from(MAGIC) << 16 | u64::from(VERSION));
        writer.uint(kind);
        writer.str(self.from);
        writer.uint(self.run);
        match &self.body {
            Body::Hello(hello) | Body::Welcome(hello) => {
                let (seen_run, seen_tag) = hello.seen.unwrap_or_default();
                let (session, accepted) = hello.accepted.unwrap_or_default();
                let most = hello.max_batch;
                let numbers = [hello.tag, seen_run, seen_tag, session, accepted, most];
                numbers_of(writer, &numbers);
            }
            Body::Data(data) => {
                let Tags { from, to } = data.tags;
                numbers_of(writer, &[data.to_run, from, to, data.ack, data.held]);
                writer.array(data.pieces.len());
                for (place, piece) in data.pieces.iter().enumerate() {
                    writer.array(3);
                    writer.uint(piece.number);
                    writer.uint(piece.part as u64);
                    writer.bin_head(piece.bytes.len());
                    content(writer, place, piece.bytes);
                }
            }
            Body::Bye {
                to_run,
                tags,
                accepted,
            } => numbers_of(writer, &[*to_run, tags.from, tags.to, *accepted]),
            Body::Refuse { to_run, tags, why } => {
                let (from, to) = tags.map_or((0, 0), |tags| (tags.from, tags.to));
                numbers_of(writer, &[*to_run, from, to]);
                writer.str(shortened(why));
            }
            Body::Challenge { to_run, tags } => {
                numbers_of(writer, &[*to_run, tags.from, tags.to]);
            }
        }
    }
}

fn numbers_of(writer: &mut Packer, numbers: &[u64]) {
    for number in numbers {
        writer.uint(*number);
    }
}

/// Returns the beginning of a text, shortened to the limit for a refusal.
fn shortened(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Reads a frame, which must take up all bytes.
///
/// # Errors
///
/// Returns an error if the bytes are not a frame of this version. Never panics, whatever the input.
pub(crate) fn read(bytes: &[u8]) -> Result<Frame<'_>, FrameError> {
    let mut reader = Reader(Unpacker::new(bytes));
    let fields = reader.array("an array")?;
    let first = reader.number("magic and version")?;
    if first >> 16 != u64::from(MAGIC) {
        return Err(reader.error("the magic number `MN`"));
    }
    // This is the lower half.
    let version = u16::try_from(first & 0xFFFF).unwrap_or_default();
    if version != VERSION {
        return Err(FrameError::Version(version));
    }
    let kind = reader.number("the kind of the frame")?;
    let from = reader.text(MAX_NAME, "the name of the sender")?;
    let run = reader.number("the run of the sender")?;
    let expected = match kind {
        0..=2 => 10,
        3 | 4 => 8,
        5 => 7,
        _ => return Err(reader.error("a kind from 0 to 5")),
    };
    if fields != expected {
        return Err(reader.error("as many fields as this kind has"));
    }
    let body = match kind {
        0 => Body::Hello(reader.hello()?),
        1 => Body::Welcome(reader.hello()?),
        2 => Body::Data(reader.data()?),
        3 => Body::Bye {
            to_run: reader.number("the run of the receiver")?,
            tags: reader.tags()?,
            accepted: reader.number("what was accepted")?,
        },
        4 => Body::Refuse {
            to_run: reader.number("the run of the receiver")?,
            tags: reader.optional_tags()?,
            why: reader.text(MAX_TEXT, "a reason of up to 512 bytes")?,
        },
        _ => Body::Challenge {
            to_run: reader.number("the run of the receiver")?,
            tags: reader.tags()?,
        },
    };
    if !reader.0.is_at_end() {
        return Err(reader.error("the end of the frame"));
    }
    Ok(Frame { from, run, body })
}

/// Reads the values of a frame, and reports what was expected.
struct Reader<'a>(Unpacker<'a>);

impl<'a> Reader<'a> {
    fn error(&self, expected: &'static str) -> FrameError {
        let at = self.0.at();
        FrameError::Malformed { at, expected }
    }

    /// Reads one value.
    fn value<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&mut Unpacker<'a>) -> Result<T, Malformed>,
    ) -> Result<T, FrameError> {
        read(&mut self.0).map_err(|_| self.error(expected))
    }

    fn number(&mut self, expected: &'static str) -> Result<u64, FrameError> {
        self.value(expected, Unpacker::uint)
    }

    fn array(&mut self, expected: &'static str) -> Result<usize, FrameError> {
        self.value(expected, Unpacker::array)
    }

    fn text(&mut self, most: usize, expected: &'static str) -> Result<&'a str, FrameError> {
        let begin = self.0;
        let text = self.value(expected, Unpacker::str)?;
        if text.len() > most {
            self.0 = begin;
            return Err(self.error(expected));
        }
        Ok(text)
    }

    fn binary(&mut self, expected: &'static str) -> Result<&'a [u8], FrameError> {
        self.value(expected, Unpacker::bin)
    }

    /// Reads the tag of a session. Tags begin with 1.
    fn tag(&mut self) -> Result<u64, FrameError> {
        match self.number("a tag")? {
            0 => Err(self.error("a tag from 1 on")),
            tag => Ok(tag),
        }
    }

    fn tags(&mut self) -> Result<Tags, FrameError> {
        let (from, to) = (self.tag()?, self.tag()?);
        Ok(Tags { from, to })
    }

    /// Reads the tags of a session, or two zeros if there is none.
    fn optional_tags(&mut self) -> Result<Option<Tags>, FrameError> {
        let (from, to) = (self.number("a tag")?, self.number("a tag")?);
        match (from, to) {
            (0, 0) => Ok(None),
            (0, _) | (_, 0) => Err(self.error("two tags from 1 on, or two zeros")),
            _ => Ok(Some(Tags { from, to })),
        }
    }

    fn hello(&mut self) -> Result<Hello, FrameError> {
        let tag = self.tag()?;
        let seen = (self.number("a run")?, self.number("a tag")?);
        let accepted = (self.number("a tag")?, self.number("what was accepted")?);
        Ok(Hello {
            tag,
            seen: (seen.1 != 0).then_some(seen),
            accepted: (accepted.0 != 0).then_some(accepted),
            max_batch: self.number("the longest batch")?,
        })
    }

    fn data(&mut self) -> Result<Data<'a>, FrameError> {
        let to_run = self.number("the run of the receiver")?;
        let tags = self.tags()?;
        let ack = self.number("what was accepted")?;
        let held = self.number("what has come beyond that")?;
        let len = self.array("a list of pieces")?;
        if len > FLIGHT {
            return Err(self.error("up to 64 pieces"));
        }
        let mut pieces = Vec::new();
        for _ in 0..len {
            if self.array("a piece")? != 3 {
                return Err(self.error("a piece of three fields"));
            }
            let number = self.number("the number of a piece")?;
            if number == 0 || number == u64::MAX {
                return Err(self.error("the number of a piece, from 1 to 2^64 - 2"));
            }
            let part = match self.number("the part of a piece")? {
                0 => Part::Whole,
                1 => Part::First,
                2 => Part::Middle,
                3 => Part::Last,
                _ => return Err(self.error("a part from 0 to 3")),
            };
            pieces.push(Piece {
                number,
                part,
                bytes: self.binary("the bytes of a piece")?,
            });
        }
        Ok(Data {
            to_run,
            tags,
            ack,
            held,
            pieces,
        })
    }
}

/// Reads a frame and writes it again, for the fuzz target.
///
/// # Errors
///
/// Returns the reason if the bytes are not a frame.
#[doc(hidden)]
pub fn rewrite_frame(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let frame = read(bytes).map_err(|error| error.to_string())?;
    let mut written = Vec::new();
    frame.write(&mut written);
    Ok(written)
}
