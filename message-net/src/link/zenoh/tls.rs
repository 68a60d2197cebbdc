//! Certificates on both sides.

use std::path::{Path, PathBuf};

use super::config::quote;
use super::error::ZenohError;

/// The certificates by which the two ends of a connection authenticate each other: for
/// [`ZenohConfig::tls`](super::ZenohConfig::tls).
///
/// Each process has a certificate with its key, and the certificate of the authority that signed the
/// certificates of all the others. A router refuses a client without a certificate from that authority, and a
/// client refuses such a router. The script `examples/certificates.sh` of message-net creates these files with
/// `openssl`.
///
/// ```
/// use message_net::link::zenoh::Tls;
///
/// let tls = Tls::new("authority.pem", "zone-1.pem", "zone-1.key");
/// # let _ = tls;
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Tls {
    authority: PathBuf,
    certificate: PathBuf,
    key: PathBuf,
    verify_names: bool,
}

impl Tls {
    /// Takes the paths of three PEM files: the authority's certificate, the certificate of this process,
    /// and its private key.
    ///
    /// ```
    /// use message_net::link::zenoh::Tls;
    ///
    /// let tls = Tls::new("authority.pem", "hub.pem", "hub.key");
    /// # let _ = tls;
    /// ```
    pub fn new(
        authority: impl Into<PathBuf>,
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Self {
        Self {
            authority: authority.into(),
            certificate: certificate.into(),
            key: key.into(),
            verify_names: true,
        }
    }

    /// Sets whether the connecting side checks that the router's certificate names the host of the endpoint; on
    /// by default. When it is off, any process with a certificate from the authority can pose as the router.
    ///
    /// ```
    /// use message_net::link::zenoh::Tls;
    ///
    /// // For addresses that change: any host with a certificate of the authority will do.
    /// let tls = Tls::new("authority.pem", "zone-1.pem", "zone-1.key").verify_names(false);
    /// # let _ = tls;
    /// ```
    pub fn verify_names(mut self, on: bool) -> Self {
        self.verify_names = on;
        self
    }

    /// Describes the certificate, for an error that says that it was not accepted.
    pub(super) fn describe(&self) -> String {
        format!(
            " with the certificate `{}` and the authority `{}`",
            self.certificate.display(),
            self.authority.display(),
        )
    }

    /// Checks the files, and returns the settings for zenoh.
    pub(super) fn settings(&self) -> Result<[(&'static str, String); 8], ZenohError> {
        let authority = pem("certificate of the authority", &self.authority)?;
        let certificate = pem("certificate", &self.certificate)?;
        let key = pem("private key", &self.key)?;
        Ok([
            ("transport/link/tls/root_ca_certificate", authority),
            ("transport/link/tls/enable_mtls", "true".to_owned()),
            ("transport/link/tls/listen_private_key", key.clone()),
            ("transport/link/tls/listen_certificate", certificate.clone()),
            ("transport/link/tls/connect_private_key", key),
            ("transport/link/tls/connect_certificate", certificate),
            (
                "transport/link/tls/verify_name_on_connect",
                self.verify_names.to_string(),
            ),
            (
                "transport/link/tls/close_link_on_expiration",
                "true".to_owned(),
            ),
        ])
    }
}

/// Checks that a file exists and is in PEM format, and returns its path as JSON.
fn pem(what: &'static str, path: &Path) -> Result<String, ZenohError> {
    let error = |why: String| ZenohError::File {
        what,
        path: path.display().to_string(),
        why,
    };
    let text = std::fs::read(path).map_err(|e| error(e.to_string()))?;
    if !text.windows(11).any(|part| part == b"-----BEGIN ") {
        return Err(error("expected a PEM file".to_owned()));
    }
    let path = path
        .to_str()
        .ok_or_else(|| error("expected a path in UTF-8".to_owned()))?;
    Ok(quote(path))
}
