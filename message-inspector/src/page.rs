//! The static files of the page, which are embedded in the program.
//!
//! They are in a table, so a request can only get files that are in it: the path of a request is never used as
//! the path of a file.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File {
    /// The path in its address.
    pub(crate) path: &'static str,
    /// The media type.
    pub(crate) kind: &'static str,
    pub(crate) bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const DRAWING: &str = "image/svg+xml";

/// Embeds files from the folder `page`.
macro_rules! files {
    ($($path:literal $name:literal $kind:ident;)*) => {
        &[$(File {
            path: $path,
            kind: $kind,
            bytes: include_bytes!(concat!("../page/", $name)),
        }),*]
    };
}

/// All files.
#[rustfmt::skip]
pub(crate) const FILES: &[File] = files! {
    "/" "index.html" HTML;
    "/style.css" "style.css" STYLE;
    "/icon.svg" "icon.svg" DRAWING;
    "/axis.js" "axis.js" SCRIPT;
    "/cause.js" "cause.js" SCRIPT;
    "/cells.js" "cells.js" SCRIPT;
    "/console.js" "console.js" SCRIPT;
    "/dom.js" "dom.js" SCRIPT;
    "/edit.js" "edit.js" SCRIPT;
    "/events.js" "events.js" SCRIPT;
    "/flow.js" "flow.js" SCRIPT;
    "/lanes.js" "lanes.js" SCRIPT;
    "/later.js" "later.js" SCRIPT;
    "/layout.js" "layout.js" SCRIPT;
    "/letters.js" "letters.js" SCRIPT;
    "/main.js" "main.js" SCRIPT;
    "/messagees.js" "messagees.js" SCRIPT;
    "/now.js" "now.js" SCRIPT;
    "/place.js" "place.js" SCRIPT;
    "/recording.js" "recording.js" SCRIPT;
    "/server.js" "server.js" SCRIPT;
    "/sparkline.js" "sparkline.js" SCRIPT;
    "/startup.js" "startup.js" SCRIPT;
    "/time.js" "time.js" SCRIPT;
    "/timeline.js" "timeline.js" SCRIPT;
    "/travel.js" "travel.js" SCRIPT;
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let entries = fs::read_dir(folder).expect("the folder of the page");
        let mut there: BTreeSet<String> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| format!("/{}", name.to_string_lossy()))
            .collect();
        // It is served as `/`.
        assert!(there.remove("/index.html"));
        there.insert("/".to_owned());
        let embedded: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(embedded, there);
    }

    #[test]
    fn the_page_has_nothing_that_its_content_security_policy_forbids() {
        for file in FILES
            .iter()
            .filter(|file| [HTML, SCRIPT].contains(&file.kind))
        {
            let text = std::str::from_utf8(file.bytes).expect("text");
            for forbidden in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "eval(",
                " style=",
                "style:",
            ] {
                assert!(!text.contains(forbidden), "{}: {forbidden}", file.path);
            }
        }
    }
}
