//! Who is trusted, and who we are: the configuration of TLS.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// What a secure connection trusts, and how we show who we are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsSettings {
    /// PEM file with certificates that are trusted besides those of the system.
    pub certificates: Option<PathBuf>,
    /// PEM file with our own certificate and its private key, for services that ask who calls.
    pub client_certificate: Option<PathBuf>,
    /// Whether any certificate will do: for services under test with one of their own making.
    pub accepts_any_certificate: bool,
}

/// Why a way to a peer cannot be prepared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// A file of certificates cannot be used.
    #[error("{} holds no usable certificate or key ({reason}): PEM is wanted", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The address of the proxy is none.
    #[error("the proxy: {0}")]
    Proxy(String),
}

/// The configuration that the settings ask for.
pub(super) fn configuration(settings: &TlsSettings) -> Result<Arc<ClientConfig>, RouteError> {
    let wrong = |error: Error| RouteError::Tls(error.to_string());
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(wrong)?;
    let builder = if settings.accepts_any_certificate {
        builder.dangerous().with_custom_certificate_verifier(Arc::new(Anybody(provider)))
    } else if let Some(file) = &settings.certificates {
        let roots = Arc::new(roots(Some(file))?);
        let usual = WebPkiServerVerifier::builder_with_provider(roots, provider).build();
        let usual = usual.map_err(|error| RouteError::Tls(error.to_string()))?;
        let listed = Listed { usual, certificates: chain(file)? };
        builder.dangerous().with_custom_certificate_verifier(Arc::new(listed))
    } else {
        builder.with_root_certificates(roots(None)?)
    };
    let mut configuration = match &settings.client_certificate {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let key = PrivateKeyDer::from_pem_file(path).map_err(|error| bad_file(path, &error))?;
            builder
                .with_client_auth_cert(chain(path)?, key)
                .map_err(|error| bad_file(path, &error))?
        }
    };
    configuration.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(configuration))
}

/// The configuration that trusts whom the system trusts, made once.
pub(super) fn usual() -> Result<Arc<ClientConfig>, RouteError> {
    static USUAL: OnceLock<Result<Arc<ClientConfig>, RouteError>> = OnceLock::new();
    USUAL.get_or_init(|| configuration(&TlsSettings::default())).clone()
}

/// The certificates of the system, as far as they can be read, and those of a file.
fn roots(file: Option<&Path>) -> Result<RootCertStore, RouteError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = file {
        for certificate in chain(path)? {
            roots.add(certificate).map_err(|error| bad_file(path, &error))?;
        }
    }
    Ok(roots)
}

fn chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, RouteError> {
    let certificates = CertificateDer::pem_file_iter(path).map_err(|e| bad_file(path, &e))?;
    let certificates: Result<Vec<_>, _> = certificates.collect();
    let certificates = certificates.map_err(|error| bad_file(path, &error))?;
    if certificates.is_empty() {
        return Err(bad_file(path, &"there is no certificate in it"));
    }
    Ok(certificates)
}

fn bad_file(path: &Path, reason: &dyn std::fmt::Display) -> RouteError {
    RouteError::Certificate { path: path.to_owned(), reason: reason.to_string() }
}

/// Trusts whom the roots vouch for, and also a service that shows one of these certificates itself. One
/// that signed itself is mostly of the kind that signs others, which webpki takes from no service.
#[derive(Debug)]
struct Listed {
    usual: Arc<WebPkiServerVerifier>,
    certificates: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Listed {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.usual.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            // Comes after its time was found right, and before its name is looked at.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.certificates.contains(certificate) =>
            {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            outcome => outcome,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

/// Trusts every certificate; signatures must still fit it.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
