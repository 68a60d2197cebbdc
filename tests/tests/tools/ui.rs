//! Compile errors of the macros and traits, and programs that they must accept.

#[test]
fn every_mistake_is_reported_once_and_where_it_stands() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/fail/*.rs");
}

#[cfg(feature = "rayon")]
#[test]
fn every_mistake_of_a_parallel_handler_is_reported_once_and_where_it_stands() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/parallel/*.rs");
}

#[test]
fn expansions_do_not_depend_on_what_surrounds_them() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
}

#[test]
fn no_report_names_what_is_hidden_or_unstable() {
    let hidden = [
        "see issue #",
        "https://",
        "#![feature",
        "Nightly",
        "__private",
        "__submit",
        "__Message",
        "'__message",
        "probe::",
        "sealed::",
        "Offers",
        "Collector",
        "Itself",
        "NoReply",
        "asking::",
    ];
    let mut read = 0;
    let folders = ["ui/fail", "ui/parallel"];
    let cases = folders.map(|folder| std::fs::read_dir(folder).expect("the cases are here"));
    for case in cases.into_iter().flatten() {
        let path = case.expect("they can be listed").path();
        if path.extension().is_some_and(|kind| kind == "stderr") {
            let report = std::fs::read_to_string(&path).expect("a report is text");
            for line in report
                .lines()
                .filter(|line| !line.trim_start().starts_with("-->"))
            {
                let leak = hidden.iter().find(|hidden| line.contains(**hidden));
                assert_eq!(leak, None, "in {}: {line}", path.display());
            }
            read += 1;
        }
    }
    assert!(read > 60, "only {read} reports");
}
