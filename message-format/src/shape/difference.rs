//! Compares what one program writes with what another one reads.

use std::fmt;

use super::value::{Content, Field, Named, Plain, Value};

/// The reason why a program cannot read what another one writes: see [`Shape::reads`](super::Shape::reads).
///
/// ```
/// use message_format::Shape;
///
/// let here: Shape = "Kind{Fire}".parse()?;
/// let there: Shape = "Kind{Fire, Ice(u8)}".parse()?;
/// let difference = here.reads(&there).expect_err("a variant is missing here");
/// assert_eq!(difference.to_string(), "`Kind::Ice` is missing here and `Ice(u8)` there");
/// assert_eq!((difference.here, difference.there.as_deref()), (None, Some("Ice(u8)")));
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeDifference {
    /// The path of the field, from the name of the type on.
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
    /// assert_eq!(difference.path, "Path.points[].1");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub path: String,
    /// The type that the reader has there, as a shape's text; `None` if it lacks a variant.
    pub here: Option<String>,
    /// The type that the writer has there, as a shape's text; `None` if it lacks a field.
    pub there: Option<String>,
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
            (V::Struct(Named(_, Content::One(value))), _) => self.values(here.within(value), there),
            (_, V::Struct(Named(_, Content::One(value)))) => self.values(here, there.within(value)),
            (V::Again(name), _) => match here.named(name) {
                Some(here) => self.values(here, there),
                None => Ok(()),
            },
            (_, V::Again(name)) => match there.named(name) {
                Some(there) => self.values(here, there),
                None => Ok(()),
            },
            (V::Plain(one), V::Plain(other)) if one == other => Ok(()),
            (V::Plain(Plain::Unit), V::Struct(Named(_, Content::Nothing)))
            | (V::Struct(Named(_, Content::Nothing)), V::Plain(Plain::Unit)) => Ok(()),
            (V::Option(one), V::Option(other)) => {
                self.values(here.within(one), there.within(other))
            }
            (V::Seq(one), V::Seq(other)) => self.below("[]", here.within(one), there.within(other)),
            (V::Map(one), V::Map(other)) => {
                self.below("{}", here.within(&one.0), there.within(&other.0))?;
                self.below("[]", here.within(&one.1), there.within(&other.1))
            }
            (V::Struct(one), V::Struct(other)) => self.contents(here, one, there, other),
            (V::Enum(_, variants), V::Enum(_, theirs)) => {
                for variant in theirs {
                    self.left = self.left.saturating_sub(variants.len());
                    let mine = variants.iter().find(|mine| mine.0 == variant.0);
                    self.at(&format!("::{}", variant.0), |it| match mine {
                        Some(mine) => it.contents(here, mine, there, variant),
                        None => Err(it.difference(None, Some(variant))),
                    })?;
                }
                Ok(())
            }
            (one, other) => match (one.items(), other.items()) {
                (Some((mine, len)), Some((theirs, other_len))) if len == other_len => {
                    self.items(here, mine, there, theirs)
                }
                _ => Err(self.difference(Some(one), Some(other))),
            },
        }
    }

    fn contents(
        &mut self,
        here: Side<'_, '_>,
        one: &Named,
        there: Side<'_, '_>,
        other: &Named,
    ) -> Found {
        match (&one.1, &other.1) {
            (Content::Nothing, Content::Nothing) => Ok(()),
            (Content::One(one), Content::One(other)) => {
                self.values(here.within(one), there.within(other))
            }
            (Content::Fields(fields), Content::Fields(theirs)) => {
                self.fields(here, fields, there, theirs)
            }
            (Content::Values(mine), Content::Values(theirs)) if mine.len() == theirs.len() => {
                self.items(here, mine, there, theirs)
            }
            _ => Err(self.difference(Some(one), Some(other))),
        }
    }

    fn items(
        &mut self,
        here: Side<'_, '_>,
        mine: &[Value],
        there: Side<'_, '_>,
        theirs: &[Value],
    ) -> Found {
        for at in 0..mine.len().max(theirs.len()) {
            // The values of an array are one for all.
            let [one, other] = [mine, theirs].map(|all| all.get(at).or(all.last()));
            let (Some(one), Some(other)) = (one, other) else {
                return Ok(());
            };
            self.below(&format!(".{at}"), here.within(one), there.within(other))?;
        }
        Ok(())
    }

    fn fields(
        &mut self,
        here: Side<'_, '_>,
        mine: &[Field],
        there: Side<'_, '_>,
        theirs: &[Field],
    ) -> Found {
        for field in mine {
            self.left = self.left.saturating_sub(theirs.len());
            let other = theirs
                .iter()
                .find(|other| other.name == field.name || field.aliases.contains(&other.name));
            self.at(&format!(".{}", field.name), |it| match other {
                Some(other) => it.values(here.within(&field.value), there.within(&other.value)),
                None if field.may_be_missing => Ok(()),
                None => Err(it.difference(Some(&field.value), None)),
            })?;
        }
        Ok(())
    }

    /// Compares two values with this step at the end of the path.
    fn below(&mut self, step: &str, here: Side<'_, '_>, there: Side<'_, '_>) -> Found {
        self.at(step, |it| it.values(here, there))
    }

    /// Compares with this step at the end of the path.
    fn at(&mut self, step: &str, compare: impl FnOnce(&mut Self) -> Found) -> Found {
        let len = self.path.len();
        self.path += step;
        let found = compare(self);
        self.path.truncate(len);
        found
    }

    fn difference(
        &self,
        here: Option<&dyn fmt::Display>,
        there: Option<&dyn fmt::Display>,
    ) -> ShapeDifference {
        let told = |side: &dyn fmt::Display| beginning(&side.to_string());
        ShapeDifference {
            path: beginning(&self.path),
            here: here.map(told),
            there: there.map(told),
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
