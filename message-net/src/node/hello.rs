//! The hello that two nodes exchange first: the message types that each can send, and their shapes.
//!
//! From then on, a type is identified by its index in this list.

use std::collections::{BTreeMap, HashMap};

use message_data::{DataType, Shape, ShapeDifference, types};

use crate::hash::OwnKeys;
use crate::name::NodeName;
use crate::node::accept::Readable;
use crate::node::entry;
use crate::node::error::{LONGEST_WHY, shortened};
use crate::pack::{Malformed, Packer, Unpacker};

/// The maximum length of the text of a shape that is parsed, in bytes. A parsed shape takes up to fifty times its
/// text.
const LONGEST_SHAPE: usize = 64 << 10;
/// The maximum number of values and fields that are compared for one hello. Honest types have some dozens each.
const MOST_COMPARED: usize = 200_000;
/// The maximum length of a shape in the reason why a type cannot be read, in bytes.
const LONGEST_TOLD: usize = 400;
/// The maximum length of all reasons that are kept for one node, in bytes.
const MOST_REASONS: usize = 64 << 10;

/// A message type of this program. Its shape is determined once, because that takes long.
#[derive(Debug)]
struct OwnType {
    of: &'static DataType,
    shape: Shape,
    text: String,
}

/// The message types of this program, in the order in which they appear in the hello: sorted by name.
#[derive(Debug)]
pub(crate) struct OwnTypes {
    all: Vec<OwnType>,
    /// The indexes by the addresses of the types. Most types are found this way, without comparing their names.
    numbers: HashMap<usize, u32, OwnKeys>,
}

impl OwnTypes {
    pub(crate) fn collect() -> Self {
        let all = types().filter(|ty| ty.is_message()).map(|of| {
            let shape = of.shape();
            let text = shape.to_string();
            OwnType { of, shape, text }
        });
        let all: Vec<_> = all.collect();
        let numbers = all.iter().zip(0..).map(|(own, at)| (address(own.of), at));
        Self {
            numbers: numbers.collect(),
            all,
        }
    }

    /// Returns the number of a type.
    pub(crate) fn number(&self, of: &DataType) -> Option<u32> {
        let number = self.numbers.get(&address(of)).copied();
        number.or_else(|| self.find(of.name()))
    }

    /// Returns the number of the type with this full name. No other name leads to a type, and none is suggested,
    /// because another node may have sent it.
    fn find(&self, name: &str) -> Option<u32> {
        let found = self.all.binary_search_by(|own| own.of.name().cmp(name));
        u32::try_from(found.ok()?).ok()
    }

    /// Returns the type with this full name.
    pub(crate) fn named(&self, name: &str) -> Option<&'static DataType> {
        self.get(self.find(name)?)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&'static DataType> {
        self.all.get(number as usize).map(|own| own.of)
    }

    /// Writes the hello that contains them.
    pub(crate) fn hello(&self) -> Vec<u8> {
        let mut to = Packer::default();
        to.uint(entry::VERSION);
        to.array(self.all.len());
        for OwnType { of, text, .. } in &self.all {
            to.array(4);
            to.str(of.name());
            to.uint(of.version().into());
            to.str(text);
            to.bool(!of.fields_by_position().is_empty());
        }
        to.0
    }
}

fn address(of: &DataType) -> usize {
    std::ptr::from_ref(of).addr()
}

/// A type of another node: the corresponding type here, or the reason why it is refused. The reason is empty if
/// there was no more room for one.
pub(crate) type Known = Result<Readable, Box<str>>;

/// The message types of another node, compared with those of this one.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// The types of the other node, by their numbers there.
    pub(crate) theirs: Vec<Known>,
    /// The types of this node that the other one cannot read, by their numbers here, with the reason.
    pub(crate) unreadable: BTreeMap<u32, Box<str>>,
    /// Whether the other node reads a list of the fields as this node writes it, by the numbers of the types
    /// here.
    pub(crate) lists: Vec<bool>,
}

/// A comparison of the types of another node with those of this one. The work and the memory of a
/// comparison are bounded, because it happens before anything is known of the other node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparing<'a> {
    pub(crate) own: &'a OwnTypes,
    pub(crate) here: &'a NodeName,
    pub(crate) there: &'a NodeName,
    /// The maximum number of types.
    pub(crate) most: usize,
}

/// A type of another node, as its hello describes it.
struct Their<'h> {
    version: u32,
    shape: &'h str,
}

/// Whether two programs understand each other's values of a type.
#[derive(Debug, Default)]
struct Verdict {
    /// The reason why the other node's values cannot be read here.
    unreadable_here: Option<String>,
    /// The reason why this node's values cannot be read there.
    unreadable_there: Option<String>,
    /// Whether the shapes are the same, so that a list of the fields means the same to both.
    is_same: bool,
}

/// The work and the memory that are left for a hello.
struct Left {
    compared: usize,
    reasons: usize,
}

impl Left {
    /// Returns a reason to keep: an empty one if there is no more room.
    fn reason(&mut self, why: impl FnOnce() -> String) -> Box<str> {
        if self.reasons == 0 {
            return Box::default();
        }
        let why = why();
        let why = shortened(&why, LONGEST_WHY);
        let Some(left) = self.reasons.checked_sub(why.len()) else {
            self.reasons = 0;
            return Box::default();
        };
        self.reasons = left;
        why.into()
    }
}

impl Comparing<'_> {
    /// Reads a hello. `readable` returns how messages of a type are admitted, and receives whether the shapes on both
    /// sides are the same.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if the hello cannot be read, or has too many types.
    pub(crate) fn read(
        self,
        hello: &[u8],
        mut readable: impl FnMut(&'static DataType, bool) -> Readable,
    ) -> Result<Compared, Malformed> {
        let mut from = Unpacker::new(hello);
        let len = self.begin(&mut from)?;
        let here = self.here;
        let mut left = Left {
            compared: MOST_COMPARED,
            reasons: MOST_REASONS,
        };
        let mut compared = Compared {
            lists: vec![false; self.own.all.len()],
            ..Compared::default()
        };
        let mut last: Option<&str> = None;
        // The types are read one by one, because the length is only claimed.
        for _ in 0..len {
            from.array_of(4)?;
            let begin = from;
            let name = from.str()?;
            // This ensures that no type is listed, and compared, twice.
            if last.replace(name).is_some_and(|last| last >= name) {
                return Err(
                    begin.wrong("a type follows one with a larger name: expected them in order")
                );
            }
            let version = from.u32()?;
            let begin = from;
            let shape = from.str()?;
            let takes_lists = from.bool()?;
            let Some(number) = self.own.find(name) else {
                let why = left.reason(|| format!("node `{here}` has no message type `{name}`"));
                compared.theirs.push(Err(why));
                continue;
            };
            let own = &self.own.all[number as usize];
            let verdict = self.compare(own, &Their { version, shape }, &mut left.compared);
            let verdict = verdict.map_err(|why| begin.wrong(why))?;
            if let Some(why) = verdict.unreadable_there {
                let why = left.reason(|| why);
                compared.unreadable.insert(number, why);
            }
            compared.lists[number as usize] = verdict.is_same && takes_lists;
            compared.theirs.push(match verdict.unreadable_here {
                None => Ok(readable(own.of, verdict.is_same)),
                Some(why) => Err(left.reason(|| why)),
            });
        }
        compared.theirs.shrink_to_fit();
        Ok(compared)
    }

    /// Reads the beginning of a hello. Returns the number of types that follow.
    fn begin(self, from: &mut Unpacker<'_>) -> Result<usize, Malformed> {
        let version = from.uint()?;
        if version != entry::VERSION {
            return Err(from.wrong(format!(
                "it speaks version {version} of the format of messages, but this node speaks version {}",
                entry::VERSION
            )));
        }
        let (len, most) = (from.array()?, self.most);
        if len > most {
            return Err(from.wrong(format!(
                "{len} message types: expected at most {most}; `NodeConfig::max_types` can allow more"
            )));
        }
        Ok(len)
    }

    /// Compares a type of this node with the type of the same name at the other node, with at most `left` steps.
    ///
    /// # Errors
    ///
    /// Returns the reason if the text of the other node is not a shape.
    fn compare(
        self,
        own: &OwnType,
        their: &Their<'_>,
        left: &mut usize,
    ) -> Result<Verdict, String> {
        let (name, here, there) = (own.of.name(), self.here, self.there);
        let [own_told, their_told] =
            [&*own.text, their.shape].map(|it| shortened(it, LONGEST_TOLD));
        let neither_reads = |why: String| Verdict {
            unreadable_here: Some(why.clone()),
            unreadable_there: Some(why),
            is_same: false,
        };
        if their.version != own.of.version() {
            return Ok(neither_reads(format!(
                "`{name}` differs: node `{here}` has version {}, `{own_told}`, and node `{there}` version {}, \
                 `{their_told}`",
                own.of.version(),
                their.version
            )));
        }
        if their.shape == own.text {
            return Ok(Verdict {
                is_same: true,
                ..Verdict::default()
            });
        }
        let len = their.shape.len();
        if len > LONGEST_SHAPE {
            return Ok(neither_reads(format!(
                "`{name}` differs, but its shape at node `{there}` has {len} bytes: at most {LONGEST_SHAPE} are \
                 compared"
            )));
        }
        let shape: Shape = their
            .shape
            .parse()
            .map_err(|error| format!("the shape of a type: {error}"))?;
        let differs = |reader: &NodeName, difference: ShapeDifference| {
            let path = difference.path;
            format!(
                "node `{reader}` cannot read the other's `{name}`, because `{path}` differs: node `{here}` has \
                 `{own_told}`, and node `{there}` `{their_told}`"
            )
        };
        let here_reads = own.shape.reads_within(&shape, left);
        let there_reads = shape.reads_within(&own.shape, left);
        Ok(Verdict {
            unreadable_here: here_reads.err().map(|difference| differs(here, difference)),
            unreadable_there: there_reads
                .err()
                .map(|difference| differs(there, difference)),
            is_same: false,
        })
    }
}
