//! The three programs as processes, over zenoh: the hub embeds the router, and starts the zones.

use std::net::TcpListener;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Instant;

use message_net::NodeName;
#[cfg(feature = "tls")]
use message_net::link::zenoh::Tls;
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

fn start(zone: &str, router: &str, certificates: Option<&str>) -> Result<Started, Failure> {
    let program = std::env::current_exe()?;
    let child = Command::new(program)
        .args(["--zone", zone, router])
        .args(certificates)
        .spawn()?;
    Ok(Started(child))
}

/// Returns the configuration with the certificate of a node, if there is a directory with certificates.
fn with_certificate(config: ZenohConfig, node: &str, certificates: Option<&str>) -> ZenohConfig {
    #[cfg(feature = "tls")]
    if let Some(directory) = certificates {
        let file = |name: &str| std::path::Path::new(directory).join(name);
        let (own, key) = (file(&format!("{node}.pem")), file(&format!("{node}.key")));
        return config.tls(Tls::new(file("authority.pem"), own, key));
    }
    let _ = (node, certificates);
    config
}

/// Returns the configuration of the hub. With certificates, it accepts the zones, and nobody else.
fn hub_config(router: &str, certificates: Option<&str>, zones: [NodeName; 2]) -> ZenohConfig {
    let config = with_certificate(ZenohConfig::hub(router), "hub", certificates);
    #[cfg(feature = "tls")]
    if certificates.is_some() {
        return config.only(zones);
    }
    drop(zones);
    config
}

/// Sleeps until the next frame begins.
fn wait(begin: Instant, frame: u64) {
    let frame = u32::try_from(frame).unwrap_or(u32::MAX);
    sleep((begin + FRAME * frame).saturating_duration_since(Instant::now()));
}

/// Runs the hub, and starts and kills the zones.
pub(crate) fn run(certificates: Option<&str>) -> Result<bool, Failure> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let protocol = certificates.map_or("tcp", |_| "tls");
    let router = format!("{protocol}/127.0.0.1:{port}");
    let name = NodeName::new("hub")?;
    let zones = [NodeName::new("zone-1")?, NodeName::new("zone-2")?];
    let config = hub_config(&router, certificates, zones);
    let link = ZenohLink::open(name, config)?;
    let mut hub = Hub::new(link);
    let _first = start("zone-1", &router, certificates)?;
    let mut second = Some(start("zone-2", &router, certificates)?);
    let begin = Instant::now();
    for frame in 1..=END {
        if frame == KILLED {
            println!("{frame:>4}  zone-2 is killed");
            second = None;
        }
        if frame == AGAIN {
            println!("{frame:>4}  zone-2 is restarted");
            second = Some(start("zone-2", &router, certificates)?);
        }
        hub.frame()?;
        wait(begin, frame);
    }
    drop(second);
    Ok(hub.look_back())
}

/// Runs a zone until somebody kills it.
pub(crate) fn run_zone(
    name: &str,
    router: &str,
    certificates: Option<&str>,
) -> Result<bool, Failure> {
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
    let config = with_certificate(ZenohConfig::client(router), own, certificates);
    let (own, other) = (NodeName::new(own)?, NodeName::new(other)?);
    let link = ZenohLink::open(own.clone(), config)?;
    let mut zone = Zone::new(link, &own, &other, walkers)?;
    let begin = Instant::now();
    // This is longer than the hub runs: it kills the zones.
    for frame in 1..=END * 10 {
        zone.frame();
        wait(begin, frame);
    }
    Ok(true)
}
