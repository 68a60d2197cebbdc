//! Descriptions of what a type reads from bytes, for two programs to compare.
//!
//! A shape is a tree of [`Value`]s. The shape of a type is determined on request, by running the function that reads
//! the type: see [`probe`]. So no code is compiled for it. Programs exchange shapes as text. Parsing the text of an
//! untrusted peer is safe: see [`text`].

mod difference;
mod probe;
mod sample;
mod text;
mod value;

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::DataError;
use crate::reader::Reader;
use crate::tape::Tape;
pub use difference::ShapeDifference;
pub(crate) use value::Plain;
use value::Value;

/// A description of what a type reads from bytes: its fields and their types.
///
/// [`Shape::of`] determines it. Two programs that send each other values first exchange the texts of their shapes;
/// [`reads`](Shape::reads) says whether one program reads what the other writes.
///
/// ```
/// use message_format::Shape;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// enum Kind { Fire, Ice(u8) }
///
/// #[derive(Deserialize)]
/// struct Sting {
///     amount: u32,
///     kind: Kind,
///     #[serde(default)]
///     tags: Vec<String>,
/// }
///
/// let here = Shape::of(&|reader| reader.read::<Sting>().map(drop));
/// assert_eq!(here.to_string(), "Sting(amount: u32, kind: Kind{Fire, Ice(u8)}, tags?: [str])");
///
/// // What another program sent.
/// let there: Shape = "Sting(amount: f32, kind: Kind{Fire})".parse()?;
/// let difference = here.reads(&there).expect_err("the amount differs");
/// assert_eq!(difference.to_string(), "`Sting.amount` is `u32` here and `f32` there");
/// # Ok::<(), message_format::DataError>(())
/// ```
///
/// # Text
///
/// | text | meaning |
/// |---|---|
/// | `bool` `u8` … `i128` `f32` `f64` `char` `str` `bytes` `()` | plain values |
/// | `MessageeId` `HookId` `SubscriptionId` | ids of a manager |
/// | `Option<u8>` `[u8]` `{str: u8}` | an option, a list, a map |
/// | `(u8, str)` `(u8; 32)` `(u8,)` | values in a fixed order, 32 of one type, one |
/// | `Point(x: f32, y?: f32)` | a struct with fields; one with `?` may be missing |
/// | `Health(hp\|life: u8)` | a field with an alias |
/// | `Pair(u8, str)` `Meters(f32)` `Roar` | a tuple struct, a newtype, a struct without fields |
/// | `Kind{Fire, Ice(u8), Bolt(x: f32), Two(u8, str)}` | an enum |
/// | `Node(next: Option<Node>)` | a type inside itself is its name alone |
/// | `any` | a self-describing value, or one whose form could not be determined |
///
/// Aliases of variants are listed among the variants. `any` is also used for what `#[serde(flatten)]` and enums
/// without a name or with a tag are read from, for what is nested too deeply, and for what comes after the first
/// thousands of values.
#[derive(Clone, PartialEq, Eq)]
pub struct Shape {
    root: Value,
}

/// The maximum length of a shape's text, in bytes.
const MAX_TEXT: usize = 256 * 1024;

impl Shape {
    /// Determines the shape of a type, by calling a function that reads a value of the type and drops it.
    ///
    /// The function is called many times, with values that are made for that.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let shape = Shape::of(&|reader| reader.read::<(u8, String)>().map(drop));
    /// assert_eq!(shape.to_string(), "(u8, str)");
    /// ```
    #[must_use]
    pub fn of(read: &dyn Fn(&mut Reader<'_>) -> Result<(), DataError>) -> Self {
        let root = probe::Probe::new(read).root();
        Self { root }
    }

    /// Returns the names of a type's fields, if it is a struct with fields. The function reads a value of the type, as
    /// for [`of`](Self::of), and is called once.
    ///
    /// ```
    /// use message_format::Shape;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Point { x: f32, y: f32 }
    ///
    /// assert_eq!(Shape::fields_of(&|reader| reader.read::<Point>().map(drop)), ["x", "y"]);
    /// ```
    #[must_use]
    pub fn fields_of(
        read: &dyn Fn(&mut Reader<'_>) -> Result<(), DataError>,
    ) -> &'static [&'static str] {
        probe::Probe::new(read).fields()
    }

    /// Returns a value that a type accepts: the required fields with values such as 0 and `""`. The function reads a
    /// value of the type, as for [`of`](Self::of). Returns `None` if none was found.
    ///
    /// ```
    /// use message_format::{Shape, text};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Sting { amount: u32, name: String }
    ///
    /// let sample = Shape::sample_of(&|reader| reader.read::<Sting>().map(drop)).ok_or("none")?;
    /// assert_eq!(text::print(&sample, 0), r#"(amount: 0, name: "")"#);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn sample_of(read: &dyn Fn(&mut Reader<'_>) -> Result<(), DataError>) -> Option<Tape> {
        probe::Probe::new(read).sample()
    }

    /// Returns the shape of a field: its name, or the number of a value in parentheses. A dot leads to a field of the
    /// field.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let shape: Shape = "Hit(at: Point(x: f32, y: f32), by: (u8, str))".parse()?;
    /// assert_eq!(shape.field("at.x"), Some("f32".parse()?));
    /// assert_eq!(shape.field("by.1"), Some("str".parse()?));
    /// assert_eq!(shape.field("at.z"), None);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn field(&self, path: &str) -> Option<Self> {
        let found = path.split('.').try_fold(&self.root, Value::field)?;
        let root = found.clone();
        Some(Self { root })
    }

    /// Returns an error if a value that a program with the other shape writes cannot be read with this one. The error
    /// is the first difference.
    ///
    /// A field that the other program does not have must be one that may be missing. A field that only the other
    /// program has is passed over. A field that both have must be of the same type, including its width. The variants
    /// of the other program's enum must exist here. The names of types and the order of fields do not matter. `any`
    /// on one side is not a difference.
    ///
    /// # Errors
    ///
    /// Returns the first difference, with the path of the field.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let here: Shape = "Health(hp: u32, max?: u32)".parse()?;
    /// let there: Shape = "Health(hp: u32, shield: u8)".parse()?;
    /// assert!(here.reads(&there).is_ok());
    /// let difference = there.reads(&here).expect_err("`shield` is missing");
    /// assert_eq!(difference.path, "Health.shield");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn reads(&self, there: &Self) -> Result<(), ShapeDifference> {
        self.reads_within(there, &mut { difference::MOST })
    }

    /// Like [`reads`](Self::reads), but compares at most `steps` values and fields, and subtracts those that it has
    /// compared. What is not compared counts as equal. With one number for all comparisons, shapes from an untrusted
    /// peer cost a bounded amount of work.
    ///
    /// # Errors
    ///
    /// Returns the first difference, with the path of the field.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let here: Shape = "Health(hp: u32, max?: u32)".parse()?;
    /// let mut steps = 10;
    /// assert!(here.reads_within(&here, &mut steps).is_ok());
    /// assert!(steps < 10);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn reads_within(&self, there: &Self, steps: &mut usize) -> Result<(), ShapeDifference> {
        difference::find(&self.root, &there.root, steps)
    }

    /// Returns the bytes of values such as a program with this shape writes: numbers are 1, texts are empty, and lists and
    /// maps hold one value. Each variant of each enum is in one of them, and if there are options, they are empty in the
    /// last one. Returns none if the shape leaves open what a required part is.
    ///
    /// ```
    /// use message_format::Shape;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Sting { amount: u32, names: Vec<String>, by: Option<String> }
    ///
    /// let shape: Shape = "Sting(amount: u32, names: [str], by: Option<str>)".parse()?;
    /// let samples = shape.samples();
    /// let stings = samples.iter().map(|sample| message_format::from_bytes(sample));
    /// let stings = stings.collect::<Result<Vec<Sting>, _>>()?;
    /// assert_eq!((stings[0].amount, &stings[0].names), (1, &vec![String::new()]));
    /// assert_eq!([&stings[0].by, &stings[1].by], [&Some(String::new()), &None]);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn samples(&self) -> Vec<Vec<u8>> {
        sample::all(&self.root)
    }

    /// Returns all differences between what is read with this shape and what a program with the other shape writes, or the
    /// first hundred. Unlike [`reads`](Self::reads), it also lists those in spite of which values are read: fields that
    /// only one side has, and new variants.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let here: Shape = "Health(hp: u32, max?: u32)".parse()?;
    /// let there: Shape = "Health(hp: u8, shield: u8)".parse()?;
    /// let differences = here.differences(&there);
    /// let told: Vec<_> = differences.iter().map(|it| (&*it.path, it.is_read)).collect();
    /// assert_eq!(told, [("Health.hp", false), ("Health.max", true), ("Health.shield", true)]);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn differences(&self, there: &Self) -> Vec<ShapeDifference> {
        difference::list(&self.root, &there.root)
    }

    /// Returns `true` if the type may contain ids of a manager: it contains one, or a value whose form is not known.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let hit: Shape = "Hit(amount: u32, by: Option<MessageeId>)".parse()?;
    /// assert!(hit.may_have_ids());
    /// let heal: Shape = "Heal(amount: u32)".parse()?;
    /// assert!(!heal.may_have_ids());
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn may_have_ids(&self) -> bool {
        self.root.may_have_ids()
    }

    /// Returns a hash of the shape. Equal shapes have the same one on every machine.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let shape: Shape = "Health(hp: u32)".parse()?;
    /// let other: Shape = "Health(hp: u16)".parse()?;
    /// assert_eq!(shape.hash(), shape.clone().hash());
    /// assert_ne!(shape.hash(), other.hash());
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn hash(&self) -> u64 {
        xxh3_64(self.to_string().as_bytes())
    }
}

/// Parses a shape from its text.
///
/// Parsing takes memory in proportion to the length of the text, even if an untrusted peer has written it.
impl FromStr for Shape {
    type Err = DataError;

    /// # Errors
    ///
    /// Returns an error if the text is not a shape, with the place, if it has more than 256 KiB, or if it is nested
    /// more than 128 levels deep.
    fn from_str(text: &str) -> Result<Self, DataError> {
        if text.len() > MAX_TEXT {
            let len = text.len();
            let what = format!("this has {len} bytes: expected a shape of at most {MAX_TEXT}");
            return Err(DataError::new(what));
        }
        let root = text::parse(text)?;
        Ok(Self { root })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}
