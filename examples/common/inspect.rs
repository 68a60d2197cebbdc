//! Shows a world in a browser while it runs slowly.

use std::error::Error;
use std::time::Duration;

use message_core::prelude::*;

/// Visits the managers of a world, each with the name under which the page offers it.
pub(crate) type EachManager<W> = fn(&mut W, &mut dyn FnMut(&str, &mut MessageManager));

/// Opens the page, and calls `frame` once per `pace`, for this many seconds or until the program is killed.
#[cfg(feature = "inspect")]
pub(crate) fn inspect<W>(
    mut world: W,
    _name: &str,
    pace: Duration,
    seconds: Option<u32>,
    managers: EachManager<W>,
    mut frame: impl FnMut(&mut W) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    use std::thread::sleep;
    use std::time::Instant;

    use message_inspector::Inspector;

    /// The address of the page, unless it is in use.
    const ADDRESS: &str = "127.0.0.1:7707";
    /// Any free address.
    const ELSEWHERE: &str = "127.0.0.1:0";
    /// How often requests of the page are answered.
    const ANSWERS: Duration = Duration::from_millis(16);

    let builder = Inspector::builder().writable(true);
    let served = builder.clone().serve(ADDRESS);
    let mut inspector = served.or_else(|_| builder.serve(ELSEWHERE))?;
    managers(&mut world, &mut |name, manager| {
        inspector.attach(manager, name);
    });
    println!("look at {}", inspector.url());
    let begun = Instant::now();
    let end = seconds.map(|seconds| Duration::from_secs(seconds.into()));
    let mut next = Duration::ZERO;
    while end.is_none_or(|end| begun.elapsed() < end) {
        if begun.elapsed() >= next {
            frame(&mut world)?;
            next = begun.elapsed() + pace;
        }
        managers(&mut world, &mut |_, manager| inspector.update(manager));
        sleep(ANSWERS);
    }
    managers(&mut world, &mut |_, manager| _ = inspector.detach(manager));
    Ok(())
}

/// Says how to build the program with the page. The page takes 40 crates that nothing else here needs.
#[cfg(not(feature = "inspect"))]
pub(crate) fn inspect<W>(
    _world: W,
    name: &str,
    _pace: Duration,
    _seconds: Option<u32>,
    _managers: EachManager<W>,
    _frame: impl FnMut(&mut W) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    Err(format!(
        "this `{name}` was built without the page: run \
         `cargo run --release -p {} --features inspect --example {name} -- --inspect`",
        env!("CARGO_PKG_NAME")
    )
    .into())
}
