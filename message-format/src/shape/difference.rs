//! Compares what one program writes with what another one reads.

use std::fmt;

use super::value::{Content, Field, Plain, Value, Variant};

/// The reason why a program cannot read what another one writes: see [`Shape::reads`](super::Shape::reads).
///
/// ```
/// use message_format::Shape;
///
/// let here: Shape = "Kind{Fire}".parse()?;
/// let there: Shape = "Kind{Fire, Ice(u8)}".parse()?;
/// let difference = here.reads(&there).expect_err("a variant is missing here");
/// assert_eq!(difference.to_string(), "`Kind::Ice` is missing here and `Ice(u8)` there");
/// assert_eq!((difference.here(), difference.there()), (None, Some("Ice(u8)")));
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeDifference {
    path: String,
    here: Option<String>,
    there: Option<String>,
}

impl ShapeDifference {
    /// Returns the path of the field, from the name of the type on.
    ///
    /// A dot is followed by a field, or by the number of a value in parentheses; two colons are followed by a
    /// variant. The values of a list and a map are `[]`, the keys of a map `{}`.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let here: Shape = "Path(points: [(f32, f32)])".parse()?;
    /// let there: Shape = "Path(points: [(f32, f64)])".parse()?;
    /// let difference = here.reads(&there).expect_err("one is wider");
    /// assert_eq!(difference.path(), "Path.points[].1");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns what the reader has there, as a shape's text; `None` if it lacks a variant.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let (here, there): (Shape, Shape) = ("u8".parse()?, "str".parse()?);
    /// let difference = here.reads(&there).expect_err("they differ");
    /// assert_eq!(difference.here(), Some("u8"));
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn here(&self) -> Option<&str> {
        self.here.as_deref()
    }

    /// Returns what the writer has there, as a shape's text; `None` if it lacks a field.
    ///
    /// ```
    /// use message_format::Shape;
    ///
    /// let (here, there): (Shape, Shape) = ("u8".parse()?, "str".parse()?);
    /// let difference = here.reads(&there).expect_err("they differ");
    /// assert_eq!(difference.there(), Some("str"));
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn there(&self) -> Option<&str> {
        self.there.as_deref()
    }
}

impl fmt::Display for ShapeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &Option<String>| match side {
            Some(text) => format!("`{text}`"),
            None => "missing".to_owned(),
        };
        let (here, there) = (side(&self.here), side(&self.there));
        match &*self.path {
            "" => write!(f, "the value is {here} here and {there} there"),
            path => write!(f, "`{path}` is {here} here and {there} there"),
        }
    }
}

impl std::error::Error for ShapeDifference {}

/// The maximum number of values and fields compared. Only types that contain themselves can have more.
const MOST: usize = 1_000_000;
/// The maximum depth of the comparison, for the same reason.
const DEEPEST: u32 = 300;
/// The maximum number of characters shown of each side's text.
const TOLD: usize = 80;

/// Returns the first difference between a reader's value and a writer's as an error.
pub(super) fn find(here: &Value, there: &Value) -> Result<(), ShapeDifference> {
    let mut comparison = Comparison {
        path: here.own_name().unwrap_or_default().to_owned(),
        depth: 0,
        left: MOST,
    };
    comparison.values(Side::root(here), Side::root(there))
}

/// A value of one side, and the one around it.
#[derive(Clone, Copy)]
struct Side<'s, 'v> {
    value: &'v Value,
    around: Option<&'s Side<'s, 'v>>,
}

impl<'v> Side<'_, 'v> {
    fn root(value: &'v Value) -> Self {
        Self {
            value,
            around: None,
        }
    }

    fn within<'s>(&'s self, value: &'v Value) -> Side<'s, 'v> {
        Side {
            value,
            around: Some(self),
        }
    }
}

impl Side<'_, '_> {
    /// Returns the nearest enclosing type with this name.
    fn named(self, name: &str) -> Option<Self> {
        let mut around = std::iter::successors(self.around, |side| side.around);
        let found = around.find(|side| side.value.own_name() == Some(name));
        found.copied()
    }
}

type Found = Result<(), ShapeDifference>;

/// Compares both sides in parallel.
struct Comparison {
    path: String,
    depth: u32,
    left: usize,
}

impl Comparison {
    fn values(&mut self, here: Side<'_, '_>, there: Side<'_, '_>) -> Found {
        if self.left == 0 || self.depth == DEEPEST {
            // They were the same so far, and repeat themselves.
            return Ok(());
        }
        self.left -= 1;
        self.depth += 1;
        let found = self.inner(here, there);
        self.depth -= 1;
        found
    }

    fn inner(&mut self, here: Side<'_, '_>, there: Side<'_, '_>) -> Found {
        use Value as V;
        match (here.value, there.value) {
            // Of two that begin again, both begin what is being compared.
            (V::Plain(Plain::Any), _) | (_, V::Plain(Plain::Any)) | (V::Again(_), V::Again(_)) => {
                Ok(())
            }
            (V::Newtype(_, value), _) => self.values(here.within(value), there),
            (_, V::Newtype(_, value)) => self.values(here, there.within(value)),
            (V::Again(name), _) => match here.named(name) {
                Some(here) => self.values(here, there),
                None => Ok(()),
            },
            (_, V::Again(name)) => match there.named(name) {
                Some(there) => self.values(here, there),
                None => Ok(()),
            },
            (V::Plain(one), V::Plain(other)) if one == other => Ok(()),
            (
                V::Plain(Plain::Unit) | V::UnitStruct(_),
                V::Plain(Plain::Unit) | V::UnitStruct(_),
            ) => Ok(()),
            (V::Option(one), V::Option(other)) => {
                self.values(here.within(one), there.within(other))
            }
            (V::Seq(one), V::Seq(other)) => {
                self.below("[]", |it| it.values(here.within(one), there.within(other)))
            }
            (V::Map(one), V::Map(other)) => {
                self.below("{}", |it| {
                    it.values(here.within(&one.0), there.within(&other.0))
                })?;
                self.below("[]", |it| {
                    it.values(here.within(&one.1), there.within(&other.1))
                })
            }
            (V::Struct(_, fields), V::Struct(_, theirs)) => {
                self.fields((here, fields), (there, theirs))
            }
            (V::Enum(_, variants), V::Enum(_, theirs)) => {
                for variant in theirs {
                    self.left = self.left.saturating_sub(variants.len());
                    let mine = variants.iter().find(|mine| mine.name == variant.name);
                    self.below(&format!("::{}", variant.name), |it| match mine {
                        Some(mine) => it.contents((here, mine), (there, variant)),
                        None => Err(it.difference(None::<&Variant>, Some(variant))),
                    })?;
                }
                Ok(())
            }
            (one, other) => match (Items::of(one), Items::of(other)) {
                (Some(one), Some(other)) if one.len() == other.len() => {
                    self.items((here, one), (there, other))
                }
                _ => Err(self.difference(Some(one), Some(other))),
            },
        }
    }

    fn contents<'v>(
        &mut self,
        (here, one): (Side<'_, 'v>, &'v Variant),
        (there, other): (Side<'_, 'v>, &'v Variant),
    ) -> Found {
        match (&one.content, &other.content) {
            (Content::Nothing, Content::Nothing) => Ok(()),
            (Content::One(one), Content::One(other)) => {
                self.values(here.within(one), there.within(other))
            }
            (Content::Fields(fields), Content::Fields(theirs)) => {
                self.fields((here, fields), (there, theirs))
            }
            (Content::Values(mine), Content::Values(theirs)) if mine.len() == theirs.len() => {
                self.items((here, Items::Each(mine)), (there, Items::Each(theirs)))
            }
            _ => Err(self.difference(Some(one), Some(other))),
        }
    }

    fn items<'v>(
        &mut self,
        (here, mine): (Side<'_, 'v>, Items<'v>),
        (there, theirs): (Side<'_, 'v>, Items<'v>),
    ) -> Found {
        for at in 0..mine.listed().max(theirs.listed()) {
            let (Some(one), Some(other)) = (mine.get(at), theirs.get(at)) else {
                break;
            };
            self.below(&format!(".{at}"), |it| {
                it.values(here.within(one), there.within(other))
            })?;
        }
        Ok(())
    }

    fn fields<'v>(
        &mut self,
        (here, mine): (Side<'_, 'v>, &'v [Field]),
        (there, theirs): (Side<'_, 'v>, &'v [Field]),
    ) -> Found {
        for field in mine {
            self.left = self.left.saturating_sub(theirs.len());
            let other = theirs
                .iter()
                .find(|other| other.name == field.name || field.aliases.contains(&other.name));
            self.below(&format!(".{}", field.name), |it| match other {
                Some(other) => it.values(here.within(&field.value), there.within(&other.value)),
                None if field.may_be_missing => Ok(()),
                None => Err(it.difference(Some(&field.value), None)),
            })?;
        }
        Ok(())
    }

    /// Compares with this step at the end of the path.
    fn below(&mut self, step: &str, compare: impl FnOnce(&mut Self) -> Found) -> Found {
        let len = self.path.len();
        self.path += step;
        let found = compare(self);
        self.path.truncate(len);
        found
    }

    fn difference<T: fmt::Display>(&self, here: Option<&T>, there: Option<&T>) -> ShapeDifference {
        let told = |side: Option<&T>| side.map(|side| beginning(&side.to_string()));
        ShapeDifference {
            path: beginning(&self.path),
            here: told(here),
            there: told(there),
        }
    }
}

/// Returns the beginning of a text, shortened for display.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(TOLD) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Values in a fixed order.
#[derive(Clone, Copy)]
enum Items<'v> {
    Each(&'v [Value]),
    All(&'v Value, u32),
}

impl<'v> Items<'v> {
    fn of(value: &'v Value) -> Option<Self> {
        match value {
            Value::Tuple(values) | Value::TupleStruct(_, values) => Some(Self::Each(values)),
            Value::Array(value, len) => Some(Self::All(value, *len)),
            _ => None,
        }
    }

    fn len(self) -> usize {
        match self {
            Self::Each(values) => values.len(),
            Self::All(_, len) => len as usize,
        }
    }

    /// Returns how many have to be looked at.
    fn listed(self) -> usize {
        match self {
            Self::Each(values) => values.len(),
            Self::All(..) => 1,
        }
    }

    fn get(self, at: usize) -> Option<&'v Value> {
        match self {
            Self::Each(values) => values.get(at),
            Self::All(value, _) => Some(value),
        }
    }
}
