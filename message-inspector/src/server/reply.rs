//! Answers, with the headers that keep other pages out.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HeaderValue, LOCATION, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};

use crate::page::File;
use crate::shared::Refusal;
use crate::token::Token;

/// The page loads nothing but its own files, and cannot be shown in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn with(status: u16, kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

pub(super) fn file(file: &File) -> Response<Body> {
    with(200, file.kind, Body::from(file.bytes))
}

/// Returns a file to keep. Its name has only letters, digits, `-` and `.`.
pub(super) fn download(bytes: Vec<u8>, name: &str) -> Response<Body> {
    let mut response = with(200, "application/octet-stream", Body::from(bytes));
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

pub(super) fn data(value: &Value) -> Response<Body> {
    with(200, "application/json", Body::from(value.to_string()))
}

pub(super) fn refused(refusal: &Refusal) -> Response<Body> {
    let Refusal { status, code, text } = refusal;
    let told = json!({ "error": text, "code": code });
    with(*status, "application/json", Body::from(told.to_string()))
}

pub(super) fn stream(body: Body) -> Response<Body> {
    closing(with(200, "text/event-stream", body))
}

/// Leads a browser that came with the token to the page without it, and leaves it the token as a cookie, which scripts
/// cannot read and which pages of other sites cannot use.
pub(super) fn welcome(name: &str, token: &Token) -> Response<Body> {
    let mut response = with(303, "text/plain", Body::empty());
    let cookie = format!(
        "{name}={}; Path=/; HttpOnly; SameSite=Strict",
        token.as_str()
    );
    let cookie =
        HeaderValue::try_from(cookie).expect("a token has only letters, digits, `-` and `_`");
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static("/"));
    headers.insert(SET_COOKIE, cookie);
    response
}

/// Makes an answer the last one of its connection.
pub(super) fn closing(mut response: Response<Body>) -> Response<Body> {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}
