//! Compares what one program writes with what another one reads.

use std::fmt;

use super::value::{Content, Field, Named, Plain, Value};
use crate::names::shortened;
use crate::steps::step;

/// A difference between what one program reads and what another one writes: see [`Shape::reads`](super::Shape::reads)
/// and [`Shape::differences`](super::Shape::differences).
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
    /// The type that the reader has there, as a shape's text; `None` if it lacks the field or the variant.
    pub here: Option<String>,
    /// The type that the writer has there, as a shape's text; `None` if it lacks the field or the variant.
    pub there: Option<String>,
    /// `true` if values are read in spite of it: the reader passes over a field that it does not have, and a field that
    /// may be missing or a variant can be new.
    pub is_read: bool,
}

impl fmt::Display for ShapeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [here, there] = [&self.here, &self.there].map(|side| {
            let text = side.as_ref().map(|text| format!("`{text}`"));
            text.unwrap_or("missing".to_owned())
        });
        match &*self.path {
            "" => write!(f, "the value is {here} here and {there} there"),
            path => write!(f, "`{path}` is {here} here and {there} there"),
        }
    }
}

impl std::error::Error for ShapeDifference {}

/// The maximum number of values and fields compared. Only types that contain themselves can have more.
pub(super) const MOST: usize = 1_000_000;
/// The maximum number of differences in a list.
const MOST_LISTED: usize = 100;
/// The maximum depth of the comparison, for the same reason.
const DEEPEST: u32 = 300;
/// The maximum number of characters shown of each side's text.
const TOLD: usize = 80;

/// Returns the first difference between a reader's value and a writer's as an error. Subtracts the number of values
/// and fields compared from `left`, and compares no more than that.
pub(super) fn find(here: &Value, there: &Value, left: &mut usize) -> Result<(), ShapeDifference> {
    let mut comparison = Comparison::of(here, *left);
    let found = comparison.whole(here, there);
    *left = comparison.left;
    found
}

/// Returns all differences between a reader's value and a writer's, or the first hundred.
pub(super) fn list(here: &Value, there: &Value) -> Vec<ShapeDifference> {
    let mut comparison = Comparison::of(here, MOST);
    comparison.listed = Some(Vec::new());
    // It ends early when there are too many.
    let _ = comparison.whole(here, there);
    comparison.listed.unwrap_or_default()
}

/// A value of one side, and the one around it.
#[derive(Clone, Copy)]
struct Side<'v> {
    value: &'v Value,
    around: Option<&'v Side<'v>>,
}

impl Side<'_> {
    fn within<'s>(&'s self, value: &'s Value) -> Side<'s> {
        let around = Some(self);
        Side { value, around }
    }

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
    /// All differences, if a list of them is wanted. Otherwise, the comparison ends with the first one because of which a
    /// value cannot be read.
    listed: Option<Vec<ShapeDifference>>,
}

impl Comparison {
    fn of(here: &Value, left: usize) -> Self {
        Self {
            path: here.own_name().unwrap_or_default().to_owned(),
            depth: 0,
            left,
            listed: None,
        }
    }

    fn whole(&mut self, here: &Value, there: &Value) -> Found {
        let around = None;
        let [here, there] = [here, there].map(|value| Side { value, around });
        self.values(here, there)
    }

    fn values(&mut self, here: Side<'_>, there: Side<'_>) -> Found {
        if self.left == 0 || self.depth == DEEPEST {
            // They were the same so far, and repeat themselves.
            return Ok(());
        }
        self.left -= 1;
        step(1);
        self.depth += 1;
        let found = self.inner(here, there);
        self.depth -= 1;
        found
    }

    fn inner(&mut self, here: Side<'_>, there: Side<'_>) -> Found {
        use Value as V;
        match (here.value, there.value) {
            // If both begin again, they begin what is being compared.
            (V::Plain(Plain::Any), _) | (_, V::Plain(Plain::Any)) | (V::Again(_), V::Again(_)) => {
                Ok(())
            }
            (V::Struct(Named(_, Content::One(value))), _) => self.values(here.within(value), there),
            (_, V::Struct(Named(_, Content::One(value)))) => self.values(here, there.within(value)),
            (V::Again(name), _) => {
                let here = here.named(name);
                here.map_or(Ok(()), |here| self.values(here, there))
            }
            (_, V::Again(name)) => {
                let there = there.named(name);
                there.map_or(Ok(()), |there| self.values(here, there))
            }
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
                        None => it.tell(None, Some(variant), false),
                    })?;
                }
                self.only_one(
                    variants,
                    theirs,
                    |own, their| own.0 == their.0,
                    |it, own| it.at(&format!("::{}", own.0), |it| it.tell(Some(own), None, true)),
                )
            }
            (one, other) => match (one.items(), other.items()) {
                (Some((mine, len)), Some((theirs, other_len))) if len == other_len => {
                    self.items(here, mine, there, theirs)
                }
                _ => self.tell(Some(one), Some(other), false),
            },
        }
    }

    fn contents(&mut self, here: Side<'_>, one: &Named, there: Side<'_>, other: &Named) -> Found {
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
            _ => self.tell(Some(one), Some(other), false),
        }
    }

    fn items(&mut self, here: Side<'_>, one: &[Value], there: Side<'_>, other: &[Value]) -> Found {
        for at in 0..one.len().max(other.len()) {
            // The values of an array are one for all.
            let [one, other] = [one, other].map(|all| all.get(at).or(all.last()));
            let (Some(one), Some(other)) = (one, other) else {
                return Ok(());
            };
            self.below(&format!(".{at}"), here.within(one), there.within(other))?;
        }
        Ok(())
    }

    fn fields(&mut self, here: Side<'_>, one: &[Field], there: Side<'_>, other: &[Field]) -> Found {
        for field in one {
            self.left = self.left.saturating_sub(other.len());
            self.at(&format!(".{}", field.name), |it| {
                match other.iter().find(|their| is_read_as(their, field)) {
                    Some(found) => it.values(here.within(&field.value), there.within(&found.value)),
                    None => it.tell(Some(&field.value), None, field.may_be_missing),
                }
            })?;
        }
        self.only_one(other, one, is_read_as, |it, their| {
            it.at(&format!(".{}", their.name), |it| {
                it.tell(None, Some(&their.value), true)
            })
        })
    }

    /// Calls a function with each part of one side that the other one does not have, if all differences are wanted.
    fn only_one<T>(
        &mut self,
        one: &[T],
        other: &[T],
        is_same: impl Fn(&T, &T) -> bool,
        mut tell: impl FnMut(&mut Self, &T) -> Found,
    ) -> Found {
        if self.listed.is_none() {
            return Ok(());
        }
        let mut only = one
            .iter()
            .filter(|part| !other.iter().any(|other| is_same(part, other)));
        only.try_for_each(|part| tell(self, part))
    }

    /// Compares two values with this step at the end of the path.
    fn below(&mut self, step: &str, here: Side<'_>, there: Side<'_>) -> Found {
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

    /// Takes a difference. One in spite of which values are read counts only if all differences are wanted.
    fn tell(
        &mut self,
        here: Option<&dyn fmt::Display>,
        there: Option<&dyn fmt::Display>,
        is_read: bool,
    ) -> Found {
        if is_read && self.listed.is_none() {
            return Ok(());
        }
        let difference = self.difference(here, there, is_read);
        match &mut self.listed {
            Some(listed) if listed.len() < MOST_LISTED => listed.push(difference),
            _ => return Err(difference),
        }
        Ok(())
    }

    fn difference(
        &self,
        here: Option<&dyn fmt::Display>,
        there: Option<&dyn fmt::Display>,
        is_read: bool,
    ) -> ShapeDifference {
        let told = |side: &dyn fmt::Display| shortened(&side.to_string(), TOLD).into_owned();
        ShapeDifference {
            path: shortened(&self.path, TOLD).into_owned(),
            here: here.map(told),
            there: there.map(told),
            is_read,
        }
    }
}

/// Returns `true` if a writer's field is read as a reader's.
fn is_read_as(their: &Field, own: &Field) -> bool {
    their.name == own.name || own.aliases.contains(&their.name)
}
