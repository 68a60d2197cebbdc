//! All types of the program that can be written and read by name.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt::Write;

use message_core::internals::{HashedMap, Pool};
use message_core::registry::Collected;
use message_core::registry_rows;
use message_format::DataError;
use message_format::names::{Short, suggestion};

use crate::data_type::DataType;

/// The types by their names.
struct Types {
    /// Sorted by full name.
    all: Vec<&'static DataType>,
    /// Keyed by full name, short name and alias.
    named: HashMap<&'static str, Named>,
    by_type: HashedMap<TypeId, &'static DataType>,
}

/// The types that a name means. A full name takes precedence over a short one, and a short one over an alias.
struct Named {
    rank: Rank,
    types: Vec<&'static DataType>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Full,
    Short,
    Alias,
}

fn collected() -> &'static Types {
    static TYPES: Collected<Types> = Collected::empty();
    TYPES.get(Types::collect)
}

impl Types {
    fn collect() -> Self {
        let mut by_type = HashedMap::default();
        let mut all: Vec<&DataType> = Vec::new();
        for ty in registry_rows::<DataType>() {
            if by_type.insert(ty.type_id(), ty).is_none() {
                all.push(ty);
            }
        }
        all.sort_by_key(|ty| (ty.name(), ty.place()));
        let mut named: HashMap<&str, Named> = HashMap::new();
        for &ty in &all {
            let aliases = ty.aliases().iter().map(|&alias| (Rank::Alias, alias));
            let own = [(Rank::Full, ty.name()), (Rank::Short, ty.short_name())];
            for (rank, name) in own.into_iter().chain(aliases) {
                let known = named.entry(name).or_insert(Named {
                    rank,
                    types: Vec::new(),
                });
                if rank < known.rank {
                    known.rank = rank;
                    known.types.clear();
                }
                let is_known = known.types.iter().any(|known| std::ptr::eq(*known, ty));
                if rank == known.rank && !is_known {
                    known.types.push(ty);
                }
            }
        }
        Self {
            all,
            named,
            by_type,
        }
    }
}

/// Returns all types of the program that can be written and read by name, sorted by their full names.
///
/// ```
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "zoo.Gnu")]
/// struct Gnu;
///
/// assert!(data::types().any(|ty| ty.name() == "zoo.Gnu"));
/// ```
#[must_use]
pub fn types() -> impl ExactSizeIterator<Item = &'static DataType> {
    collected().all.iter().copied()
}

/// Returns the type with that name: its full name, its short name or an alias, in this order.
///
/// # Errors
///
/// Returns an error with the nearest name if no type has the name, or with the places of all types that have it if
/// there are several.
///
/// ```
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "zoo.Okapi")]
/// struct Okapi;
///
/// assert_eq!(data::find("Okapi")?.name(), "zoo.Okapi");
/// let error = data::find("Okappi").expect_err("it is misspelled");
/// assert_eq!(error.to_string(), "no type with data is called `Okappi`; did you mean `Okapi`?");
/// # Ok::<(), data::DataError>(())
/// ```
pub fn find(name: &str) -> Result<&'static DataType, DataError> {
    find_where(name, "type", |_| true)
}

/// Returns the component type with this name.
pub(crate) fn find_component(name: &str) -> Result<&'static DataType, DataError> {
    find_of_kind(name, false)
}

/// Returns the message type with this name.
pub(crate) fn find_message(name: &str) -> Result<&'static DataType, DataError> {
    find_of_kind(name, true)
}

/// Returns the type with this name that is a message or a component.
pub(crate) fn find_of_kind(name: &str, is_message: bool) -> Result<&'static DataType, DataError> {
    find_where(name, kind_name(is_message), |ty| {
        ty.is_message() == is_message
    })
}

/// Returns the name of a kind of types, for errors.
pub(crate) fn kind_name(is_message: bool) -> &'static str {
    if is_message { "message" } else { "component" }
}

fn find_where(
    name: &str,
    what: &str,
    is_wanted: impl Fn(&DataType) -> bool,
) -> Result<&'static DataType, DataError> {
    let types = collected();
    let named = types.named.get(name).map_or(&[][..], |named| &named.types);
    let fitting: Vec<_> = named.iter().copied().filter(|ty| is_wanted(ty)).collect();
    match (&*fitting, named) {
        (&[ty], _) => Ok(ty),
        ([], []) => {
            let all = types.all.iter().filter(|ty| is_wanted(ty));
            let known = all.flat_map(|ty| [ty.short_name(), ty.name()]);
            let near = suggestion(name, known);
            Err(DataError::new(format_args!(
                "no {what} with data is called `{}`{near}",
                Short(name)
            )))
        }
        ([], [other, ..]) => Err(DataError::new(format_args!(
            "`{name}` is a {}: expected a {what}",
            kind_name(other.is_message())
        ))),
        (several, _) => {
            let mut text = format!("several types are called `{name}`:");
            for (at, ty) in several.iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                let _ = write!(text, "{comma} `{}` ({})", ty.name(), ty.place());
            }
            text += "; give the full name, or another one by `#[data(name = \"…\")]`";
            Err(DataError::new(text))
        }
    }
}

/// Returns the data type with this id, if the type has data.
pub(crate) fn of_type(id: TypeId) -> Option<&'static DataType> {
    collected().by_type.get(&id).copied()
}

/// Returns the type of the components in a pool, if it has data.
pub(crate) fn of_pool(pool: &Pool) -> Option<&'static DataType> {
    of_type(pool.type_of()).filter(|ty| !ty.is_message())
}
