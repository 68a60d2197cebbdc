//! The three programs in one process, over an in-memory network. A step of the network is a frame.

use message_net::NodeName;
use message_net::link::{MemoryNetwork, MemorySettings};

use crate::hub::Hub;
use crate::zone::Zone;
use crate::{AGAIN, END, KILLED};

pub(crate) fn run() -> Result<bool, Box<dyn std::error::Error>> {
    let network = MemoryNetwork::new(7, MemorySettings::new());
    let [hub, one, two] = ["hub", "zone-1", "zone-2"].map(NodeName::new);
    let (hub_name, one, two) = (hub?, one?, two?);
    let mut hub = Hub::new(network.link(hub_name));
    let mut first = Zone::new(network.link(one.clone()), &one, &two, &["Ada", "Bo"])?;
    let mut second = Some(Zone::new(network.link(two.clone()), &two, &one, &["Cy"])?);
    for frame in 1..=END {
        if frame == KILLED {
            println!("{frame:>4}  zone-2 is killed");
            network.crash(&two);
            // It does not say goodbye.
            second = None;
        }
        if frame == AGAIN {
            println!("{frame:>4}  zone-2 is restarted");
            second = Some(Zone::new(network.link(two.clone()), &two, &one, &["Di"])?);
        }
        network.advance(1);
        hub.frame()?;
        first.frame();
        if let Some(second) = &mut second {
            second.frame();
        }
    }
    Ok(hub.look_back())
}
