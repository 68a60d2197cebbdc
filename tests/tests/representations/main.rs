//! Texts of generated types of every representation of serde, with JSON, the crate `ron` and the binary
//! form as judges.

mod check;
mod reader;
mod types;
#[allow(
    dead_code,
    clippy::option_option,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "it is shared with other tests, which draw numbers by their bits"
)]
#[path = "../data/values.rs"]
mod values;

use check::{Findings, Value};
use types::{
    Adjacent, BesideFlat, External, Fields, Flat, FlatEnum, HalfUntagged, InAdjacent, InExternal,
    InField, InFlat, InInternal, InUntagged, Internal, Keys, New, NewList, NewMaybe, NewTuple,
    NewUnit, Newtype, NoFields, NoTuple, Odd, OddFields, Optional, Pair, Samples, Skipped, Skips,
    Spaced, SpacedFields, Transparent, Twice, TwiceNew, Unit, Untagged, Values,
};

/// Checks a wrapper around each of these types.
macro_rules! each {
    ($findings:ident, $leaves:tt, [$($wrapper:ident)*]) => {
        $(each!(@wrapper $findings, $leaves, $wrapper);)*
    };
    (@wrapper $findings:ident, [$($leaf:ty),* $(,)?], $wrapper:ident) => {
        $($findings.check($wrapper::<$leaf>::samples());)*
    };
}

/// Checks a type alone, and in what the standard library has around it.
fn standard<T: Value + Samples + Ord>(findings: &mut Findings) {
    findings.check(T::samples());
    findings.check(T::samples().into_iter().map(Some).chain([None]));
    findings.check([T::samples(), Vec::new()]);
    findings.check(T::samples().into_iter().map(|it| (it,)));
    findings.check(T::samples().into_iter().map(|it| (it.clone(), it)));
    findings.check(T::samples().into_iter().map(|it| Keys::from([(it, 1)])));
    let named = |it| Values::from([("a".to_owned(), it)]);
    findings.check(T::samples().into_iter().map(named));
}

fn report(findings: &Findings) {
    let Findings {
        types,
        values,
        given_back,
        foreign,
        mistakes,
    } = findings;
    println!("{types} types, {values} values, {given_back} given back, {foreign} texts of ron");
    if std::env::var_os("DUMP").is_some() {
        println!("{}", mistakes.join("\n@@"));
    }
    let shown: Vec<&str> = mistakes.iter().take(40).map(String::as_str).collect();
    let (count, shown) = (mistakes.len(), shown.join("\n"));
    assert!(mistakes.is_empty(), "{count} mistakes:\n{shown}");
}

macro_rules! leaves {
    ($then:ident!($($arguments:tt)*)) => {
        $then!($($arguments)* [
            u8, i64, bool, char, String, (), Option<u8>, Option<Option<()>>, Vec<u8>, (u8,),
            (u8, String), [u8; 0], [u8; 1], [u8; 3], std::collections::BTreeMap<String, u8>, Unit,
            NoTuple, NoFields, Newtype, TwiceNew, NewTuple, NewList, NewMaybe, NewUnit, Pair, Skips,
            Fields, Optional, Transparent, OddFields, SpacedFields, External, Internal, Adjacent,
            Untagged, Odd, Spaced, Flat, FlatEnum,
        ])
    };
}

macro_rules! standard {
    ($findings:ident [$($leaf:ty),* $(,)?]) => { $(standard::<$leaf>(&mut $findings);)* };
}

// holds: data.every-representation
#[test]
fn values_alone_and_in_collections_are_read_as_they_were_written() {
    let mut findings = Findings::default();
    leaves!(standard!(findings));
    report(&findings);
}

macro_rules! wrapped {
    ($findings:ident $leaves:tt) => {
        each!($findings, $leaves, [
            New Twice InField InFlat BesideFlat Skipped InExternal InInternal InAdjacent InUntagged
            HalfUntagged
        ])
    };
}

// holds: data.every-representation
#[test]
fn values_in_every_representation_are_read_as_they_were_written() {
    let mut findings = Findings::default();
    leaves!(wrapped!(findings));
    report(&findings);
}

// holds: data.every-representation
#[test]
fn representations_in_representations_are_read_as_they_were_written() {
    let mut findings = Findings::default();
    macro_rules! nested {
        ($($wrapper:ident)*) => {
            $(each!(findings, [$wrapper<Newtype>, $wrapper<External>], [InFlat InInternal InUntagged]);)*
        };
    }
    nested!(New Twice InField InFlat BesideFlat Skipped InExternal InInternal InAdjacent InUntagged HalfUntagged);
    report(&findings);
}
