//! The outer form of a save: a header, and chunks with a tag, a version, a length and a checksum.

use message_core::AnyMessage;
use message_format::tape::Tape;
use message_format::{DataError, Packer, Reader, Unknown, pack};
use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::data_type::MessageData;
use crate::save::catalog::TypeRow;
use crate::save::error::{RestoreError, SaveError};

/// The first bytes of every save. The last ones show whether line ends or the high bit were lost on the way.
const MAGIC: [u8; 8] = *b"MSGSAV\x8a\n";

/// The version of the format. It is raised when an earlier program could not read what is written.
pub(crate) const FORMAT: u32 = 1;

/// The newest version of every chunk.
const CHUNK_VERSION: u32 = 1;

/// Tag, version, length, checksum.
const CHUNK_HEAD: usize = 4 + 4 + 8 + 8;

/// The tag of a chunk, which tells its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tag(pub(crate) [u8; 4]);

impl Tag {
    /// Names and versions of the types.
    pub(crate) const TYPES: Self = Self(*b"TYPE");
    pub(crate) const CLOCK: Self = Self(*b"CLCK");
    /// Messagees and hooks: those that exist, and the ids that come next.
    pub(crate) const STRUCTURE: Self = Self(*b"MSGS");
    pub(crate) const POSTS: Self = Self(*b"POST");
    /// The components of one type. There is one chunk per type.
    pub(crate) const COMPONENTS: Self = Self(*b"COMP");
    pub(crate) const RETAINED: Self = Self(*b"RETN");
    /// The messagees that came alive after messages were retained, if there are any.
    pub(crate) const NEWCOMERS: Self = Self(*b"NEWC");
    pub(crate) const MAIL: Self = Self(*b"MAIL");
    /// The keys of subscriptions, if there are any.
    pub(crate) const SUBSCRIPTIONS: Self = Self(*b"SUBS");
    pub(crate) const OVERHEARING: Self = Self(*b"HEAR");
    pub(crate) const WIRES: Self = Self(*b"WIRE");
    /// Proxies, if there can be any.
    pub(crate) const PROXIES: Self = Self(*b"PRXY");
    /// The last chunk: the number of chunks before it.
    pub(crate) const END: Self = Self(*b"END.");

    /// All but the last, in the order in which they are written.
    const IN_ORDER: [Self; 12] = [
        Self::TYPES,
        Self::CLOCK,
        Self::STRUCTURE,
        Self::POSTS,
        Self::COMPONENTS,
        Self::RETAINED,
        Self::NEWCOMERS,
        Self::MAIL,
        Self::SUBSCRIPTIONS,
        Self::OVERHEARING,
        Self::WIRES,
        Self::PROXIES,
    ];

    fn seed(self, version: u32) -> u64 {
        u64::from(u32::from_le_bytes(self.0)) | u64::from(version) << 32
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// Writes a save, chunk by chunk. After an error it goes on, so that all types without data are found.
#[derive(Default)]
pub(super) struct ChunkWriter {
    packer: Packer,
    /// The checksums of the chunks so far.
    sums: Vec<(Tag, u64)>,
    /// The first error.
    failed: Option<SaveError>,
}

/// A save, with the checksums of its chunks.
pub(super) struct Saved {
    pub(super) bytes: Vec<u8>,
    pub(super) sums: Vec<(Tag, u64)>,
}

impl ChunkWriter {
    /// Writes a chunk with the content that `fill` writes.
    pub(super) fn chunk(
        &mut self,
        tag: Tag,
        fill: impl FnOnce(&mut Packer) -> Result<(), SaveError>,
    ) {
        let bytes = self.packer.bytes_mut();
        bytes.extend_from_slice(&tag.0);
        bytes.extend_from_slice(&CHUNK_VERSION.to_le_bytes());
        let at = bytes.len();
        bytes.extend_from_slice(&[0; 16]);
        if let Err(error) = fill(&mut self.packer) {
            self.fail(error);
        }
        let bytes = self.packer.bytes_mut();
        let content = &bytes[at + 16..];
        let (len, sum) = (content.len() as u64, checksum(tag, CHUNK_VERSION, content));
        bytes[at..at + 8].copy_from_slice(&len.to_le_bytes());
        bytes[at + 8..at + 16].copy_from_slice(&sum.to_le_bytes());
        self.sums.push((tag, sum));
    }

    /// Writes a chunk that is one value.
    pub(super) fn value<T: Serialize>(&mut self, tag: Tag, value: &T) {
        self.chunk(tag, |packer| put(packer, "the manager", value));
    }

    pub(super) fn fail(&mut self, error: SaveError) {
        self.failed.get_or_insert(error);
    }

    /// Puts the header and the chunk of the types, which are known by now, in front of the other chunks.
    pub(super) fn finish(mut self, types: &[TypeRow]) -> Result<Saved, SaveError> {
        let chunks = u32::try_from(self.sums.len() + 1).expect("there are fewer types");
        self.value(Tag::END, &chunks);
        let mut whole = Self::default();
        whole.packer.bytes_mut().extend_from_slice(&MAGIC);
        whole
            .packer
            .bytes_mut()
            .extend_from_slice(&FORMAT.to_le_bytes());
        whole.value(Tag::TYPES, &types);
        if let Some(error) = self.failed.or(whole.failed) {
            return Err(error);
        }
        let (mut bytes, sums) = (self.packer.into_bytes(), self.sums);
        bytes.splice(..0, whole.packer.into_bytes());
        Ok(Saved { bytes, sums })
    }
}

/// Appends the content of a message.
pub(super) fn put_message(
    packer: &mut Packer,
    data: MessageData,
    message: &dyn AnyMessage,
) -> Result<(), SaveError> {
    let written = packer.write(|writer| (data.write)(message, writer));
    written.map_err(SaveError::of(message.name()))
}

/// Appends a value. An error calls it by this name.
pub(super) fn put<T: Serialize>(
    packer: &mut Packer,
    name: &str,
    value: &T,
) -> Result<(), SaveError> {
    let written = packer.write(|writer| value.serialize(writer));
    written.map_err(SaveError::of(name))
}

fn checksum(tag: Tag, version: u32, content: &[u8]) -> u64 {
    xxh3_64_with_seed(content, tag.seed(version))
}

/// A chunk whose checksum is right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'b> {
    pub(crate) tag: Tag,
    content: &'b [u8],
    /// Where the content begins in the save.
    begin: usize,
}

/// Splits a save into chunks. Unknown chunks are passed over, and their tags are returned.
///
/// # Errors
///
/// Returns an error if the bytes are not a save, if the format is newer, or if a chunk is damaged, missing,
/// duplicated or out of order.
pub(crate) fn split(bytes: &[u8]) -> Result<(Vec<Chunk<'_>>, Vec<Tag>), RestoreError> {
    let Some((magic, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(RestoreError::NotASave);
    };
    let Some((format, mut rest)) = rest.split_first_chunk::<4>() else {
        return Err(RestoreError::NotASave);
    };
    if *magic != MAGIC {
        return Err(RestoreError::NotASave);
    }
    let found = u32::from_le_bytes(*format);
    if found > FORMAT {
        let known = FORMAT;
        return Err(RestoreError::NewerFormat { found, known });
    }
    if found == 0 {
        return Err(RestoreError::at(8, "there is no format 0"));
    }
    let (mut chunks, mut unknown) = (Vec::<Chunk<'_>>::new(), Vec::new());
    let mut count: u32 = 0;
    loop {
        let at = bytes.len() - rest.len();
        let chunk = next_chunk(&mut rest, at)?;
        if chunk.tag == Tag::END {
            let expected: u32 = Body::new(chunk).only()?;
            if expected != count {
                let what = format!("expected {expected} chunks before the last one, found {count}");
                return Err(RestoreError::at(at, what));
            }
            if !rest.is_empty() {
                let what = format!("the save ends here, but {} bytes follow", rest.len());
                return Err(RestoreError::at(bytes.len() - rest.len(), what));
            }
            break;
        }
        count = count.saturating_add(1);
        let Some(place) = Tag::IN_ORDER.iter().position(|tag| *tag == chunk.tag) else {
            unknown.push(chunk.tag);
            continue;
        };
        let last = chunks.last().map(|last| last.tag);
        let last = Tag::IN_ORDER.iter().position(|tag| Some(*tag) == last);
        let may_repeat = chunk.tag == Tag::COMPONENTS;
        if last.is_some_and(|last| last > place || (last == place && !may_repeat)) {
            let what = format!("the chunk `{}` is duplicate or out of order", chunk.tag);
            return Err(RestoreError::at(at, what));
        }
        chunks.push(chunk);
    }
    for tag in [Tag::TYPES, Tag::CLOCK, Tag::STRUCTURE, Tag::POSTS] {
        if !chunks.iter().any(|chunk| chunk.tag == tag) {
            let what = format!("the chunk `{tag}` is missing");
            return Err(RestoreError::at(bytes.len(), what));
        }
    }
    Ok((chunks, unknown))
}

fn next_chunk<'b>(rest: &mut &'b [u8], at: usize) -> Result<Chunk<'b>, RestoreError> {
    let Some((head, behind)) = rest.split_first_chunk::<CHUNK_HEAD>() else {
        let what = format!(
            "the save ends here: expected a chunk, found {} bytes",
            rest.len()
        );
        return Err(RestoreError::at(at, what));
    };
    let (words, _) = head.as_chunks::<4>();
    let (tag, version) = (Tag(words[0]), u32::from_le_bytes(words[1]));
    let (longs, _) = head.as_chunks::<8>();
    let [len, sum] = [longs[1], longs[2]].map(u64::from_le_bytes);
    let fits = usize::try_from(len)
        .ok()
        .and_then(|len| behind.split_at_checked(len));
    let Some((content, next)) = fits else {
        let left = behind.len();
        let what = format!("the chunk `{tag}` has {len} bytes, but only {left} follow");
        return Err(RestoreError::at(at, what));
    };
    if checksum(tag, version, content) != sum {
        let what = format!("the chunk `{tag}` is damaged: its checksum is wrong");
        return Err(RestoreError::at(at, what));
    }
    let is_known = Tag::IN_ORDER.contains(&tag) || tag == Tag::END;
    if is_known && version != CHUNK_VERSION {
        let known = CHUNK_VERSION;
        let what =
            format!("the chunk `{tag}` has version {version}, but this program knows {known}");
        return Err(RestoreError::at(at + 4, what));
    }
    *rest = next;
    Ok(Chunk {
        tag,
        content,
        begin: at + CHUNK_HEAD,
    })
}

/// The content of a chunk: values one after the other.
pub(crate) struct Body<'b> {
    chunk: Chunk<'b>,
    /// The place after the last value that was read.
    at: usize,
    /// The place where that value begins.
    value: usize,
    tape: Tape,
}

impl<'b> Body<'b> {
    pub(crate) fn new(chunk: Chunk<'b>) -> Self {
        Self {
            chunk,
            at: 0,
            value: 0,
            tape: Tape::default(),
        }
    }

    /// Reads the next value.
    pub(crate) fn read<T: DeserializeOwned>(&mut self) -> Result<T, RestoreError> {
        self.next()?;
        let value = Reader::new(&self.tape, 0, Unknown::Noted).read();
        value.map_err(|error| self.error(&error))
    }

    /// Goes to the next value.
    pub(crate) fn next(&mut self) -> Result<&Tape, RestoreError> {
        self.value = self.at;
        let len = pack::read(&self.chunk.content[self.at..], &mut self.tape);
        self.at += len.map_err(|error| self.error(&error))?;
        Ok(&self.tape)
    }

    /// Reads the value that is the whole content.
    pub(super) fn only<T: DeserializeOwned>(mut self) -> Result<T, RestoreError> {
        let value = self.read()?;
        self.finish()?;
        Ok(value)
    }

    /// Checks that nothing follows.
    pub(crate) fn finish(&self) -> Result<(), RestoreError> {
        let left = self.chunk.content.len() - self.at;
        if left == 0 {
            return Ok(());
        }
        let what = format!("{left} bytes follow the last value of `{}`", self.chunk.tag);
        Err(RestoreError::at(self.chunk.begin + self.at, what))
    }

    /// Returns the error for the value that was read last, with its place in the save.
    pub(crate) fn error(&self, error: &DataError) -> RestoreError {
        let offset = error.offset().unwrap_or(0);
        let at = self.chunk.begin + self.value + offset;
        RestoreError::at(at, format!("in `{}`: {}", self.chunk.tag, error.what()))
    }

    /// Like [`error`](Self::error), but takes a text.
    pub(crate) fn wrong(&self, what: impl std::fmt::Display) -> RestoreError {
        self.error(&DataError::new(what))
    }
}
