//! Access checks: a request that names another host, comes from another page, or has no token is refused
//! before the rest of it is read.
//!
//! The host name is checked because a foreign page can make its own name resolve to this machine. An
//! IP address cannot be redirected like that, so every IP address is allowed.

use std::net::IpAddr;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, Method};

use super::query::Query;
use crate::builder::Builder;
use crate::shared::Refusal;
use crate::token::Token;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const OURS: HeaderName = HeaderName::from_static("x-message-inspector");

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Returns whether this server can be reached by a host.
fn is_ours(host: &str, port: u16, settings: &Builder) -> bool {
    let (name, named_port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    if named_port != Some(port) {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let inner = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_ip = match inner {
        Some(inner) => inner.parse().is_ok_and(|ip: IpAddr| ip.is_ipv6()),
        None => name.parse().is_ok_and(|ip: IpAddr| ip.is_ipv4()),
    };
    is_ip || name == "localhost" || settings.hosts.contains(&name)
}

/// Refuses requests that do not name this server or that come from another page.
pub(super) fn check_place(
    headers: &HeaderMap,
    port: u16,
    settings: &Builder,
) -> Result<(), Refusal> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() || !host.is_some_and(|host| is_ours(host, port, settings)) {
        let found = host.map_or_else(|| "none".to_owned(), |host| format!("{host:?}"));
        let text = format!(
            "the header `Host` is {found}: expected one, an IP address, `localhost` or a host that \
             `Builder::host` allows, with port {port}"
        );
        return Err(Refusal::new(421, "host", text));
    }
    let foreign = || {
        let text = "this request comes from another page: expected one of this server's own";
        Refusal::new(403, "origin", text)
    };
    if headers.contains_key(ORIGIN) {
        let origin = text(headers, ORIGIN).and_then(|it| it.strip_prefix("http://"));
        // It must be the requested host exactly: another port of this machine is another page.
        let is_same = origin.is_some_and(|origin| host == Some(origin));
        if !is_same {
            return Err(foreign());
        }
    }
    match text(headers, FETCH_SITE) {
        Some("cross-site" | "same-site") => Err(foreign()),
        _ => Ok(()),
    }
}

/// Refuses requests without the token, if the server has one.
pub(super) fn check_token(
    headers: &HeaderMap,
    query: &Query,
    port: u16,
    token: Option<&Token>,
) -> Result<(), Refusal> {
    let Some(token) = token else {
        return Ok(());
    };
    let bearer = text(headers, AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter();
    let cookies = cookies.filter_map(|line| line.to_str().ok());
    let (cookies, name) = (cookies.flat_map(|line| line.split(';')), cookie(port));
    let mut cookies = cookies.filter_map(|it| it.trim().strip_prefix(&*name)?.strip_prefix('='));
    let is_known = bearer.is_some_and(|given| token.is(given))
        || query.get("token").is_some_and(|given| token.is(given))
        || cookies.any(|given| token.is(given));
    if is_known {
        return Ok(());
    }
    let text = "expected the token of this server: open the address that the program prints, or send \
                `Authorization: Bearer TOKEN`";
    Err(Refusal::new(401, "token", text))
}

/// Returns the name of the cookie with the token. Browsers send cookies to every port of a host, so the name tells
/// the servers of one machine apart.
pub(super) fn cookie(port: u16) -> String {
    format!("message-inspector-{port}")
}

/// Refuses requests that would change a world but are not allowed to. Their body is of the given kind.
pub(super) fn check_change(
    headers: &HeaderMap,
    settings: &Builder,
    wanted: &str,
) -> Result<(), Refusal> {
    if text(headers, OURS) != Some("1") {
        let text = "expected the header `X-Message-Inspector: 1`";
        return Err(Refusal::new(403, "header", text));
    }
    let kind = text(headers, CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case(wanted) {
        let text = format!("expected `Content-Type: {wanted}`");
        return Err(Refusal::new(415, "content-type", text));
    }
    if !settings.writable {
        let text = "this inspector is read-only: it was not made `writable`";
        return Err(Refusal::new(403, "read-only", text));
    }
    Ok(())
}

/// Refuses methods that a path does not support.
pub(super) fn check_method(method: &Method, wanted: &Method) -> Result<(), Refusal> {
    // The server answers HEAD like GET.
    if method == wanted || (method == Method::HEAD && wanted == Method::GET) {
        return Ok(());
    }
    Err(Refusal::new(405, "method", format!("expected {wanted}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_ours_by_address_or_by_a_name_that_is_allowed() {
        let settings = Builder::default().host("Workstation.lan");
        for host in [
            "127.0.0.1:7000",
            "192.168.0.7:7000",
            "localhost:7000",
            "LOCALHOST:7000",
            "[::1]:7000",
            "workstation.lan:7000",
        ] {
            assert!(is_ours(host, 7000, &settings), "{host}");
        }
        for host in [
            "",
            "localhost",
            "localhost:7001",
            "evil.example:7000",
            "127.0.0.1.evil.example:7000",
            "localhost.evil.example:7000",
            "[::1]",
            "[evil.example]:7000",
            "::1:7000",
            "127.0.0.1:7000:7000",
            "localhost:07000x",
        ] {
            assert!(!is_ours(host, 7000, &settings), "{host}");
        }
    }
}
