//! The three programs as processes, over zenoh: the hub embeds the router, and starts the zones.

use std::net::TcpListener;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Instant;

use message_net::NodeName;
use message_net::link::zenoh::{ZenohConfig, ZenohLink};

use crate::hub::Hub;
use crate::zone::Zone;
use crate::{AGAIN, END, FRAME, KILLED};

type Failure = Box<dyn std::error::Error>;

/// A process that ends with this one.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        // It does not say goodbye.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(zone: &str, router: &str) -> Result<Started, Failure> {
    let program = std::env::current_exe()?;
    let child = Command::new(program)
        .args(["--zone", zone, router])
        .spawn()?;
    Ok(Started(child))
}

/// Sleeps until the next frame begins.
fn wait(begin: Instant, frame: u64) {
    let frame = u32::try_from(frame).unwrap_or(u32::MAX);
    sleep((begin + FRAME * frame).saturating_duration_since(Instant::now()));
}

/// Runs the hub, and starts and kills the zones.
pub(crate) fn run() -> Result<bool, Failure> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let router = format!("tcp/127.0.0.1:{port}");
    let name = NodeName::new("hub")?;
    let link = ZenohLink::open(name.clone(), ZenohConfig::hub(&router))?;
    let mut hub = Hub::new(link, name);
    let _first = start("zone-1", &router)?;
    let mut second = Some(start("zone-2", &router)?);
    let begin = Instant::now();
    for frame in 1..=END {
        if frame == KILLED {
            println!("{frame:>4}  zone-2 is killed");
            second = None;
        }
        if frame == AGAIN {
            println!("{frame:>4}  zone-2 is restarted");
            second = Some(start("zone-2", &router)?);
        }
        hub.frame()?;
        wait(begin, frame);
    }
    drop(second);
    Ok(hub.look_back())
}

/// Runs a zone until somebody kills it.
pub(crate) fn run_zone(name: &str, router: &str) -> Result<bool, Failure> {
    let (own, other) = match name {
        "zone-1" => ("zone-1", "zone-2"),
        "zone-2" => ("zone-2", "zone-1"),
        _ => {
            return Err(
                format!("no zone is called `{name}`: expected `zone-1` or `zone-2`").into(),
            );
        }
    };
    let walkers: &[&str] = if own == "zone-1" {
        &["Ada", "Bo"]
    } else {
        &["Cy"]
    };
    let (own, other) = (NodeName::new(own)?, NodeName::new(other)?);
    let link = ZenohLink::open(own.clone(), ZenohConfig::client(router))?;
    let mut zone = Zone::new(link, &own, &other, walkers)?;
    let begin = Instant::now();
    // This is longer than the hub runs: it kills the zones.
    for frame in 1..=END * 10 {
        zone.frame();
        wait(begin, frame);
    }
    Ok(true)
}
