//! What the macros and the traits say to a mistake, and what they must not mind.

#[test]
fn every_mistake_is_reported_once_and_where_it_stands() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/fail/*.rs");
}

#[test]
fn expansions_do_not_depend_on_what_surrounds_them() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
}
