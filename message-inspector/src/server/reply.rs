//! Answers, with the headers that keep other pages out.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};

use crate::page::File;
use crate::shared::Refusal;

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

pub(super) fn data(value: &Value) -> Response<Body> {
    with(200, "application/json", Body::from(value.to_string()))
}

pub(super) fn refused(refusal: &Refusal) -> Response<Body> {
    let Refusal { status, code, text } = refusal;
    let told = json!({ "error": text, "code": code });
    with(*status, "application/json", Body::from(told.to_string()))
}

pub(super) fn stream(body: Body) -> Response<Body> {
    with(200, "text/event-stream", body)
}
