//! The hello that two nodes exchange first: the message types that each can send, and their shapes.
//!
//! From then on, a type is identified by its index in this list.

use std::collections::HashMap;

use message_data::{DataType, Shape, ShapeDifference, types};

use crate::hash::OwnKeys;
use crate::name::NodeName;
use crate::node::entry;
use crate::pack::{Malformed, Packer, Unpacker};

/// The maximum number of types in a hello.
const MOST_TYPES: usize = 1 << 16;

/// The message types of this program, in the order in which they appear in the hello.
#[derive(Debug)]
pub(crate) struct OwnTypes {
    all: Vec<&'static DataType>,
    /// The indexes by the addresses of the types. Most types are found this way, without comparing their names.
    numbers: HashMap<usize, u32, OwnKeys>,
}

/// A message type of another node.
#[derive(Clone, Debug)]
pub(crate) struct TheirType {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) shape: Shape,
    /// Whether the other node reads a list of the fields.
    pub(crate) takes_lists: bool,
}

impl OwnTypes {
    pub(crate) fn collect() -> Self {
        let all: Vec<_> = types().filter(|ty| ty.is_message()).collect();
        let numbers = all.iter().zip(0..).map(|(ty, at)| (address(ty), at));
        Self {
            numbers: numbers.collect(),
            all,
        }
    }

    /// Returns the number of a type.
    pub(crate) fn number(&self, of: &DataType) -> Option<u32> {
        if let Some(number) = self.numbers.get(&address(of)) {
            return Some(*number);
        }
        let found = self.all.binary_search_by(|ty| ty.name().cmp(of.name()));
        u32::try_from(found.ok()?).ok()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&'static DataType> {
        self.all.get(number as usize).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Writes the hello that contains them.
    pub(crate) fn hello(&self) -> Vec<u8> {
        let mut to = Packer::default();
        to.uint(entry::VERSION);
        to.array(self.all.len());
        for ty in &self.all {
            to.array(4);
            to.str(ty.name());
            to.uint(ty.version().into());
            to.str(&ty.shape().to_string());
            to.bool(!ty.fields_by_position().is_empty());
        }
        to.0
    }
}

fn address(of: &DataType) -> usize {
    std::ptr::from_ref(of).addr()
}

/// Reads the message types of another node from its hello.
pub(crate) fn read(hello: &[u8]) -> Result<Vec<TheirType>, Malformed> {
    let mut from = Unpacker::new(hello);
    let version = from.uint()?;
    if version != entry::VERSION {
        return Err(from.wrong(format!(
            "it speaks version {version} of the format of messages, and this node version {}",
            entry::VERSION
        )));
    }
    let len = from.array()?;
    if len > MOST_TYPES {
        return Err(from.wrong(format!(
            "{len} message types: expected {MOST_TYPES} at most"
        )));
    }
    // The types are read one by one, because the length is only claimed.
    let mut types: Vec<TheirType> = Vec::new();
    for _ in 0..len {
        from.array_of(4)?;
        let begin = from;
        let name = from.str()?;
        // This ensures that no type is listed, and compared, twice.
        if types.last().is_some_and(|last| *last.name >= *name) {
            return Err(begin.wrong("a type behind one of a larger name: expected them in order"));
        }
        types.push(TheirType {
            name: name.to_owned(),
            version: from.u32()?,
            shape: {
                let begin = from;
                let shape: Result<Shape, _> = from.str()?.parse();
                shape.map_err(|error| begin.wrong(format!("the shape of a type: {error}")))?
            },
            takes_lists: from.bool()?,
        });
    }
    Ok(types)
}

/// Whether two programs understand each other's values of a type.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// The reason why the other node's values cannot be read here.
    pub(crate) unreadable_here: Option<String>,
    /// The reason why this node's values cannot be read there.
    pub(crate) unreadable_there: Option<String>,
    /// Whether the shapes are the same, so that a list of the fields means the same to both.
    pub(crate) is_same: bool,
}

/// Compares a type of this node with the type of the same name at another node.
pub(crate) fn compare(
    (here, of): (&NodeName, &DataType),
    (there, their): (&NodeName, &TheirType),
) -> Comparison {
    let (name, shape) = (of.name(), of.shape());
    if their.version != of.version() {
        let what = format!(
            "`{name}` differs: node `{here}` has version {}, `{shape}`, and node `{there}` version {}, `{}`",
            of.version(),
            their.version,
            their.shape
        );
        return Comparison {
            unreadable_here: Some(what.clone()),
            unreadable_there: Some(what),
            is_same: false,
        };
    }
    let differs = |reader: &NodeName, difference: ShapeDifference| {
        let (path, their) = (&difference.path, &their.shape);
        format!(
            "node `{reader}` cannot read the other's `{name}`, for `{path}` differs: node `{here}` has \
             `{shape}`, and node `{there}` `{their}`"
        )
    };
    let here_reads = shape.reads(&their.shape);
    let there_reads = their.shape.reads(&shape);
    Comparison {
        unreadable_here: here_reads.err().map(|difference| differs(here, difference)),
        unreadable_there: there_reads
            .err()
            .map(|difference| differs(there, difference)),
        is_same: shape == their.shape,
    }
}
