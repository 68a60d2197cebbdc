//! Certificates on both sides, made with openssl by the script that users have.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use message_net::link::zenoh::{Tls, ZenohConfig, ZenohError};

use crate::common::{Stranger, Tapped, free_port, name, skip};

/// A directory with certificates, removed when dropped.
struct Certificates(PathBuf);

impl Certificates {
    /// Makes certificates with an authority of its own, or reports loudly that the test is skipped.
    fn or_skip(nodes: &[&str]) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if Command::new("openssl").arg("version").output().is_err() {
            skip("there is no openssl to make certificates");
            return None;
        }
        let number = COUNT.fetch_add(1, Relaxed);
        let directory = format!("message-net-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(directory);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/certificates.sh");
        let output = Command::new("sh")
            .arg(script)
            .arg(&directory)
            .args(nodes)
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        Some(Self(directory))
    }

    fn path(&self, file: &str) -> String {
        self.0
            .join(file)
            .to_str()
            .expect("a path in UTF-8")
            .to_owned()
    }

    fn of(&self, node: &str) -> Tls {
        Tls::new(
            self.path("authority.pem"),
            self.path(&format!("{node}.pem")),
            self.path(&format!("{node}.key")),
        )
    }
}

impl Drop for Certificates {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn endpoint(port: u16) -> String {
    format!("tls/127.0.0.1:{port}")
}

fn hub(port: u16, tls: Tls) -> ZenohConfig {
    ZenohConfig::hub(&endpoint(port)).tls(tls)
}

fn client(port: u16, tls: Tls) -> ZenohConfig {
    ZenohConfig::client(&endpoint(port)).tls(tls)
}

#[test]
fn nodes_with_certificates_of_one_authority_reach_each_other() {
    let Some(certificates) = Certificates::or_skip(&["hub", "zone"]) else {
        return;
    };
    let port = free_port();
    let mut hub = Tapped::open("hub", hub(port, certificates.of("hub")).open_to_anyone());
    let mut zone = Tapped::open("zone", client(port, certificates.of("zone")));
    zone.until_came("hub");
    zone.send("hub", b"sealed");
    assert_eq!(hub.frame(), ("zone".to_owned(), b"sealed".to_vec()));
    hub.send("zone", b"as well");
    assert_eq!(zone.frame(), ("hub".to_owned(), b"as well".to_vec()));
}

#[test]
fn a_certificate_that_does_not_fit_is_told_with_both_sides() {
    let Some(ours) = Certificates::or_skip(&["hub", "zone"]) else {
        return;
    };
    let Some(theirs) = Certificates::or_skip(&["zone"]) else {
        return;
    };
    let port = free_port();
    let mut hub = Tapped::open("hub", hub(port, ours.of("hub")).open_to_anyone());
    // The zone's authority did not sign the hub's certificate.
    let mut zone = Tapped::open("zone", client(port, theirs.of("zone")));
    let text = zone.until_trouble("UnknownIssuer");
    for part in ["node `zone`", &theirs.path("zone.pem"), &endpoint(port)] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The zone trusts the hub's authority, but the hub does not trust the zone's.
    let mixed = Tls::new(
        ours.path("authority.pem"),
        theirs.path("zone.pem"),
        theirs.path("zone.key"),
    );
    let mut mixed = Tapped::open("mixed", client(port, mixed));
    let text = mixed.until_trouble("UnknownCA");
    for part in ["node `mixed`", &theirs.path("zone.pem"), &endpoint(port)] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let _other = Tapped::open("other", client(port, ours.of("zone")));
    hub.until_came("other");
    assert!(hub.rest().is_empty(), "nobody else came");
}

#[test]
fn a_router_whose_certificate_does_not_name_its_host_is_refused_unless_that_is_off() {
    let Some(certificates) = Certificates::or_skip(&["hub=hub.example", "zone"]) else {
        return;
    };
    let port = free_port();
    let mut hub = Tapped::open("hub", hub(port, certificates.of("hub")).open_to_anyone());
    let mut strict = Tapped::open("strict", client(port, certificates.of("zone")));
    let text = strict.until_trouble("not valid for name");
    for part in ["node `strict`", "127.0.0.1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let lax = certificates.of("zone").verify_names(false);
    let _lax = Tapped::open("lax", client(port, lax));
    hub.until_came("lax");
}

#[test]
fn a_hub_that_knows_its_nodes_believes_each_only_its_own_name() {
    let Some(certificates) = Certificates::or_skip(&["hub", "a", "b", "c"]) else {
        return;
    };
    let port = free_port();
    let known = ["a", "b"].map(name);
    let mut hub = Tapped::open("hub", hub(port, certificates.of("hub")).only(known));
    let mut a = Tapped::open("a", client(port, certificates.of("a")));
    hub.until_came("a");
    a.until_came("hub");
    a.echo_with(&mut hub);

    // A process with the certificate of `b` cannot speak as `a`, be present as `a`, or receive frames for `a`.
    let stranger = |node: &str| {
        let file = |name: &str| format!("\"{}\"", certificates.path(name));
        let tls = [
            ("root_ca_certificate", file("authority.pem")),
            ("enable_mtls", "true".to_owned()),
            ("connect_certificate", file(&format!("{node}.pem"))),
            ("connect_private_key", file(&format!("{node}.key"))),
        ]
        .map(|(setting, value)| (format!("transport/link/tls/{setting}"), value));
        let settings: Vec<_> = tls
            .iter()
            .map(|(path, value)| (path.as_str(), value.clone()))
            .collect();
        Stranger::open(&endpoint(port), &settings)
    };
    // `c` has a certificate from the authority, but the hub does not know it.
    let unknown = stranger("c");
    unknown.put("world/to/hub/c", b"unknown");
    let impostor = stranger("b");
    let heard = impostor.subscribe("world/to/a/*");
    let _false = impostor.token("world/alive/a/x");
    let _true = impostor.token("world/alive/b/x");
    hub.until_came("b");
    impostor.put("world/to/hub/a", b"false");
    impostor.put("world/to/hub/b", b"true");
    assert_eq!(hub.frame(), ("b".to_owned(), b"true".to_vec()));
    a.echo_with(&mut hub);
    drop(a);
    hub.until_went("a");
    assert!(hub.rest().is_empty());
    assert!(heard.try_recv().expect("a session").is_none());
}

#[test]
fn files_that_are_not_certificates_are_refused_before_anything_is_opened() {
    let Some(certificates) = Certificates::or_skip(&["hub"]) else {
        return;
    };
    let missing = client(1, certificates.of("zone"))
        .check()
        .expect_err("a bad file");
    assert!(
        matches!(
            missing,
            ZenohError::File {
                what: "certificate",
                ..
            }
        ),
        "{missing}"
    );
    std::fs::write(certificates.path("hub.key"), "no key").expect("a file");
    let no_key = client(1, certificates.of("hub"))
        .check()
        .expect_err("a bad file");
    assert!(
        no_key
            .to_string()
            .contains("hub.key` cannot be used: expected a PEM file")
    );
    let plain = ZenohConfig::client("tcp/127.0.0.1:1").only([name("a")]);
    assert!(matches!(plain.check(), Err(ZenohError::Only)));
}

// holds: net.identity
#[test]
fn a_hub_with_certificates_lists_its_nodes_or_says_that_it_is_open() {
    let Some(certificates) = Certificates::or_skip(&["hub"]) else {
        return;
    };
    for config in [
        hub(1, certificates.of("hub")),
        ZenohConfig::hub("tls/0.0.0.0:1").tls(certificates.of("hub")),
        ZenohConfig::peer("tls/127.0.0.1:1").tls(certificates.of("hub")),
    ] {
        let error = config
            .check()
            .expect_err("any certificate would be any node");
        assert!(matches!(error, ZenohError::Open { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("any process with a certificate"), "{text}");
        assert!(config.open_to_anyone().check().is_ok());
    }
    let listed = hub(1, certificates.of("hub")).only([name("a")]);
    assert!(listed.check().is_ok());
}
