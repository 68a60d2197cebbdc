//! A network that can be cut: a veth pair into a network namespace, with a link that goes down.
//!
//! This requires root privileges and `ip`; without these, the tests report that and do nothing.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use message_net::link::LinkEvent;
use message_net::link::zenoh::ZenohConfig;

use crate::child::Node;
use crate::common::{Tapped, free_port, skip};

/// A network namespace with one link to this one. Removed when dropped.
pub(crate) struct Cable {
    /// Distinguishes the cables of programs and tests that run at the same time.
    number: u32,
}

impl Cable {
    /// Lays a cable, or returns the reason why it cannot.
    fn lay(test: u8) -> Result<Self, String> {
        let number = (std::process::id() % 4_096) * 8 + u32::from(test);
        let cable = Self { number };
        let (space, here, there) = (cable.space(), cable.here(), cable.there());
        ip(&format!("netns add {space}"))?;
        ip(&format!(
            "link add {here} type veth peer name {there} netns {space}"
        ))?;
        ip(&format!("addr add {}/30 dev {here}", cable.address(1)))?;
        ip(&format!("link set {here} up"))?;
        ip(&format!(
            "-n {space} addr add {}/30 dev {there}",
            cable.address(2)
        ))?;
        ip(&format!("-n {space} link set {there} up"))?;
        Ok(cable)
    }

    /// Lays a cable, or reports loudly that the test is skipped.
    pub(crate) fn or_skip(test: u8) -> Option<Self> {
        match Self::lay(test) {
            Ok(cable) => Some(cable),
            Err(why) => {
                skip(&format!("no network namespace for a cut: {why}"));
                None
            }
        }
    }

    fn space(&self) -> String {
        format!("mnet{}", self.number)
    }

    fn here(&self) -> String {
        format!("mnet{}a", self.number)
    }

    fn there(&self) -> String {
        format!("mnet{}b", self.number)
    }

    /// Returns an address in the network for tests, 198.18.0.0/15.
    fn address(&self, end: u32) -> String {
        let bits = self.number * 4 + end;
        format!(
            "198.{}.{}.{}",
            18 + (bits >> 16),
            (bits >> 8) & 255,
            bits & 255
        )
    }

    /// Returns the endpoint for a hub at this end.
    pub(crate) fn endpoint(&self) -> String {
        format!("tcp/{}:{}", self.address(1), free_port())
    }

    /// Returns a command that runs another one at the far end.
    pub(crate) fn inside(&self) -> Command {
        let mut inside = Command::new("ip");
        inside.args(["netns", "exec", &self.space()]);
        inside
    }

    /// Sets the far end of the link up or down.
    pub(crate) fn set(&self, state: &str) {
        let (space, there) = (self.space(), self.there());
        ip(&format!("-n {space} link set {there} {state}")).expect("a cable");
    }

    /// Sets the far end of the link down for a while.
    fn cut(&self, seconds: u64) {
        self.set("down");
        sleep(Duration::from_secs(seconds));
        self.set("up");
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        // The namespace removes its end of the link, which removes the other end.
        let _ = ip(&format!("link del {}", self.here()));
        let _ = ip(&format!("netns del {}", self.space()));
    }
}

fn ip(arguments: &str) -> Result<(), String> {
    let output = Command::new("ip")
        .args(arguments.split(' '))
        .output()
        .map_err(|error| format!("ip: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(format!("ip {arguments}: {}", why.trim()))
}

/// Cuts the only link between a hub and a zone, and returns the events at the hub during the cut.
fn what_a_cut_tells(test: u8, seconds: u64) -> Option<Vec<LinkEvent>> {
    let cable = Cable::or_skip(test)?;
    let endpoint = cable.endpoint();
    let mut hub = Tapped::open("hub", ZenohConfig::hub(&endpoint).open_to_anyone());
    let zone = Node::client_by(&mut cable.inside(), "zone", &endpoint);
    hub.until_came("zone");
    hub.echo("zone", "before");
    hub.rest();
    cable.cut(seconds);
    hub.echo("zone", "after");
    let told = hub.rest();
    drop(zone);
    Some(told)
}

fn presence(told: &[LinkEvent]) -> Vec<&'static str> {
    let what = |event: &LinkEvent| match event {
        LinkEvent::Came(_) => Some("came"),
        LinkEvent::Went(_) => Some("went"),
        _ => None,
    };
    told.iter().filter_map(what).collect()
}

#[test]
fn a_cut_shorter_than_the_lease_is_bridged_or_told() {
    let Some(told) = what_a_cut_tells(0, 1) else {
        return;
    };
    // On a busy machine the lease can run out.
    let presence = presence(&told);
    assert!(
        presence.is_empty() || presence == ["went", "came"],
        "{told:?}"
    );
}

#[test]
fn a_cut_longer_than_the_lease_is_told_and_mended() {
    let Some(told) = what_a_cut_tells(1, 5) else {
        return;
    };
    assert_eq!(presence(&told), ["went", "came"], "{told:?}");
}

#[test]
fn a_long_cut_is_told_and_mended() {
    if std::env::var_os("MESSAGE_NET_LONG").is_none() {
        skip("a cut of 15 s: set MESSAGE_NET_LONG");
        return;
    }
    let Some(told) = what_a_cut_tells(2, 15) else {
        return;
    };
    assert_eq!(presence(&told), ["went", "came"], "{told:?}");
}
