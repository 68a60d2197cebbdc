//! The format of endpoints.

use std::net::IpAddr;

use super::error::ZenohError;

/// Checks that an endpoint is `tcp/host:port`, or `tls/host:port` if there are certificates.
pub(super) fn check(endpoint: &str, encrypted: bool) -> Result<(), ZenohError> {
    let error = |expected| {
        Err(ZenohError::Endpoint {
            endpoint: endpoint.to_owned(),
            expected,
        })
    };
    let form = "`tcp/host:port` or `tls/host:port`";
    let Some((protocol, address)) = endpoint.split_once('/') else {
        return error(form);
    };
    let Some((host, port)) = address.rsplit_once(':') else {
        return error(form);
    };
    // Anything after the port is for zenoh: `?` begins metadata, `#` a configuration.
    let port = port.split(['?', '#']).next().unwrap_or_default();
    if host.is_empty() || port.parse::<u16>().is_err() {
        return error(form);
    }
    match (protocol, encrypted) {
        ("tcp", false) | ("tls", true) => Ok(()),
        ("tcp", true) => error("`tls/host:port`, because certificates are given"),
        ("tls", false) if cfg!(feature = "tls") => {
            error("certificates for it, by `ZenohConfig::tls`")
        }
        ("tls", false) => error("the feature `tls` of message-net for it, and certificates"),
        _ => error(form),
    }
}

/// Returns `true` if only processes of this machine can reach a valid endpoint.
pub(super) fn is_loopback(endpoint: &str) -> bool {
    let address = endpoint.split_once('/').map(|(_, address)| address);
    let host = address.and_then(|address| address.rsplit_once(':'));
    let host = host.map_or("", |(host, _)| host);
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let address: Result<IpAddr, _> = bare.unwrap_or(host).parse();
    address.map_or(host == "localhost", |it| it.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loopback_address_is_one_of_this_machine_alone() {
        for own in [
            "tcp/localhost:1",
            "tcp/127.0.0.1:1",
            "tls/127.9.9.9:1?x=1",
            "tcp/[::1]:1",
            "tcp/[::ffff:127.0.0.1]:1",
        ] {
            assert!(is_loopback(own), "{own}");
        }
        for other in [
            "tcp/0.0.0.0:1",
            "tcp/[::]:1",
            "tcp/10.0.0.1:1",
            "tcp/127.0.0.1.example:1",
            "tcp/localhost.example:1",
            "tcp/hub:1",
        ] {
            assert!(!is_loopback(other), "{other}");
        }
    }

    #[test]
    fn an_endpoint_has_a_protocol_a_host_and_a_port() {
        for good in [
            "tcp/localhost:0",
            "tcp/[::1]:7447",
            "tcp/10.0.0.1:1#iface=eth0",
        ] {
            assert!(check(good, false).is_ok(), "{good}");
            assert!(check(&good.replace("tcp", "tls"), true).is_ok(), "{good}");
            assert!(check(good, true).is_err(), "{good}");
        }
        for bad in [
            "",
            "tcp",
            "tcp/",
            "tcp/host",
            "tcp/:1",
            "tcp/host:",
            "tcp/host:65536",
            "udp/host:1",
            "host:1",
        ] {
            assert!(check(bad, false).is_err(), "{bad}");
        }
    }
}
