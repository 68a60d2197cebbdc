//! The format of endpoints.

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

#[cfg(test)]
mod tests {
    use super::*;

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
