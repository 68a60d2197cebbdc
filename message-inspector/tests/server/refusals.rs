//! The requests that are refused, and how.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use message_core::prelude::*;
use message_inspector::{Inspector, InspectorError};

use crate::client::{Client, Tested, while_running};
use crate::world::{frame, world};

const HELLO: &str = "/api/v1/hello";
const TOKEN: &str = "0123456789-abcDEF_";

fn shown() -> Result<(Inspector, Client), InspectorError> {
    let inspector = Inspector::serve("127.0.0.1:0")?;
    let client = Client::new(&inspector);
    Ok((inspector, client))
}

#[test]
fn an_address_that_others_reach_needs_a_token_and_a_token_has_a_form() {
    let refused = Inspector::builder().without_token().serve("0.0.0.0:0");
    assert!(matches!(refused, Err(InspectorError::NeedsToken { .. })));
    for token in ["", "short", "0123456789 abcDEF", "0123456789abcde"] {
        let refused = Inspector::builder().token(token).serve("127.0.0.1:0");
        assert!(matches!(refused, Err(InspectorError::BadToken)), "{token}");
    }
    let refused = Inspector::serve("nowhere");
    assert!(matches!(refused, Err(InspectorError::Address { .. })));
    for builder in [Inspector::builder(), Inspector::builder().token(TOKEN)] {
        assert!(builder.serve("0.0.0.0:0").is_ok());
    }
}

#[test]
fn a_request_that_names_another_host_is_refused() -> Tested {
    let (inspector, client) = shown()?;
    assert_eq!(client.get(HELLO)?.status, 200);
    let port = inspector.address().port();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("localhost:{}", port ^ 1),
        format!("127.0.0.1.evil.example:{port}"),
    ] {
        let asked = client.with("Host", &format!("Host: {host}"));
        for path in [HELLO, "/"] {
            assert_eq!(asked.get(path)?.code(), (421, "host".to_owned()), "{host}");
        }
    }
    let local = client.with("Host", &format!("Host: localhost:{port}"));
    assert_eq!(local.get(HELLO)?.status, 200);
    Ok(())
}

#[test]
fn a_request_from_another_page_is_refused() -> Tested {
    let (inspector, client) = shown()?;
    let own = format!("Origin: http://{}", inspector.address());
    assert_eq!(client.with("Origin", &own).get(HELLO)?.status, 200);
    for origin in [
        "http://evil.example",
        "null",
        "http://127.0.0.1:1",
        "https://localhost",
    ] {
        let asked = client.with("Origin", &format!("Origin: {origin}"));
        let code = asked.get(HELLO)?.code();
        assert_eq!(code, (403, "origin".to_owned()), "{origin}");
    }
    for (site, status) in [
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
        ("none", 200),
    ] {
        let asked = client.with("Sec-Fetch-Site", &format!("Sec-Fetch-Site: {site}"));
        assert_eq!(asked.get(HELLO)?.status, status, "{site}");
    }
    Ok(())
}

#[test]
fn with_a_token_only_who_has_it_sees_the_worlds() -> Tested {
    let inspector = Inspector::builder().token(TOKEN).serve("127.0.0.1:0")?;
    let client = Client::stranger(inspector.address());
    assert_eq!(client.get("/")?.status, 200);
    assert_eq!(client.get(HELLO)?.code(), (401, "token".to_owned()));
    for wrong in [
        "0123456789-abcDEF",
        "0123456789-abcDEF-",
        "0123456789-abcDEF_x",
        "",
    ] {
        let asked = client.get(&format!("{HELLO}?token={wrong}"))?;
        assert_eq!(asked.status, 401, "{wrong}");
    }
    assert_eq!(client.get(&format!("{HELLO}?token={TOKEN}"))?.status, 200);
    assert_eq!(client.with_token(TOKEN).get(HELLO)?.status, 200);
    let port = inspector.address().port();
    for (cookies, status) in [
        (format!("message-inspector-{port}={TOKEN}"), 200),
        (format!("a=b; message-inspector-{port}={TOKEN}; c"), 200),
        (format!("message-inspector-{port}={TOKEN}x"), 401),
        (format!("message-inspector-{}={TOKEN}", port ^ 1), 401),
        (format!("xmessage-inspector-{port}={TOKEN}"), 401),
    ] {
        let asked = client.with("Cookie", &format!("Cookie: {cookies}"));
        assert_eq!(asked.get(HELLO)?.status, status, "{cookies}");
    }
    Ok(())
}

#[test]
fn each_server_has_a_token_that_nobody_can_guess_unless_it_is_switched_off() -> Tested {
    let (inspector, client) = shown()?;
    let (other, others) = shown()?;
    assert_eq!(client.get(HELLO)?.status, 200);
    let borrowed = others.headers.last().ok_or("a client with a token")?;
    let borrowed = client.with("Authorization", borrowed);
    assert_eq!(borrowed.get(HELLO)?.code(), (401, "token".to_owned()));
    let token = |inspector: &Inspector| inspector.url().split_once("?token=").map(|it| it.1.len());
    assert_eq!([token(&inspector), token(&other)], [Some(32); 2]);

    let open = Inspector::builder().without_token().serve("127.0.0.1:0")?;
    assert_eq!(open.url(), format!("http://{}/", open.address()));
    let stranger = Client::stranger(open.address());
    for path in [HELLO, "/?token=anything"] {
        assert_eq!(stranger.get(path)?.status, 200, "{path}");
    }
    Ok(())
}

#[test]
fn the_address_with_the_token_leads_to_one_without_and_leaves_a_cookie() -> Tested {
    let inspector = Inspector::builder().token(TOKEN).serve("127.0.0.1:0")?;
    let client = Client::stranger(inspector.address());
    let first = client.get(&format!("/?token={TOKEN}"))?;
    assert_eq!(first.status, 303);
    // The client shows headers in lower case.
    let cookie = format!(
        "message-inspector-{}={}",
        inspector.address().port(),
        TOKEN.to_ascii_lowercase()
    );
    let expected = format!("set-cookie: {cookie}; path=/; httponly; samesite=strict");
    let lines: Vec<&str> = first.head.lines().collect();
    assert!(lines.contains(&"location: /"), "{lines:?}");
    assert!(lines.contains(&&*expected), "{lines:?}");

    let wrong = client.get("/?token=0123456789-abcDEF-")?;
    assert_eq!(wrong.code(), (401, "token".to_owned()));
    assert!(!wrong.head.contains("set-cookie"), "{}", wrong.head);
    let foreign = client.with("Origin", "Origin: http://evil.example");
    let foreign = foreign.get(&format!("/?token={TOKEN}"))?;
    assert_eq!(foreign.code(), (403, "origin".to_owned()));
    assert!(!foreign.head.contains("set-cookie"), "{}", foreign.head);
    Ok(())
}

#[test]
fn what_changes_the_world_needs_a_header_json_a_small_body_and_a_writable_server() -> Tested {
    let mut manager = world()?;
    for writable in [false, true] {
        let mut inspector = Inspector::builder()
            .writable(writable)
            .serve("127.0.0.1:0")?;
        inspector.attach(&mut manager, "world");
        while_running(&mut manager, &mut inspector, frame, |client| {
            let ask = |client: &Client, body: &str| {
                let answer = client.ask("POST", "/api/v1/worlds/0/clock", body);
                answer
                    .map(|answer| answer.code())
                    .map_err(|error| error.to_string())
            };
            let posting = client.posting();
            let refused = |status: u16, code: &str| (status, code.to_owned());
            let bare = posting.with("X-Message-Inspector", "");
            assert_eq!(ask(&bare, "{}")?, refused(403, "header"));
            let text = posting.with("Content-Type", "Content-Type: text/plain");
            assert_eq!(ask(&text, "{}")?, refused(415, "content-type"));
            if writable {
                assert_eq!(ask(&posting, "{}")?, refused(200, ""));
                assert_eq!(ask(&posting, &" ".repeat(70_000))?, refused(413, "body"));
                for body in [
                    "",
                    "[]",
                    "{\"paused\": 1}",
                    "{\"scale\": -1}",
                    "{\"steps\": 1}",
                ] {
                    assert_eq!(ask(&posting, body)?, refused(400, "bad"), "{body}");
                }
            } else {
                assert_eq!(ask(&posting, "{}")?, refused(403, "read-only"));
            }
            Ok(())
        })?;
        inspector.detach(&mut manager);
    }
    Ok(())
}

/// All requests that change a world.
const CHANGES: &[(&str, &str)] = &[
    ("clock", "{\"paused\": true}"),
    ("console", "{\"line\": \"send gate Damage(amount: 1)\"}"),
    ("later/1/cancel", "{}"),
    ("later/1/deliver", "{}"),
    ("recording/start", "{}"),
    ("recording/open", "{}"),
    ("travel/go", "{\"frame\": 1}"),
    ("travel/who", "{}"),
    ("travel/delivery", "{\"id\": 1}"),
    ("travel/on", "{}"),
    ("travel/close", "{}"),
    ("break", "{\"message\": \"Cry\"}"),
    ("breaks/1/remove", "{}"),
];

#[test]
fn a_server_that_is_not_writable_refuses_every_change() -> Tested {
    let mut manager = world()?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    while_running(&mut manager, &mut inspector, frame, |client| {
        let wrong = |error: std::io::Error| error.to_string();
        // From now on, the numbers of posts are known.
        let later = client.get("/api/v1/worlds/0/later").map_err(wrong)?;
        assert_eq!(later.json()["posts"][0]["post"], 1);
        for (path, body) in CHANGES {
            let path = format!("/api/v1/worlds/0/{path}");
            let code = client.post(&path, body).map_err(wrong)?.code();
            assert_eq!(code, (403, "read-only".to_owned()), "{path}");
            let code = client.get(&path).map_err(wrong)?.code();
            assert_eq!(code, (405, "method".to_owned()), "{path}");
        }
        let now = client.get("/api/v1/worlds/0/now").map_err(wrong)?.json();
        assert_eq!(
            (&now["paused"], &now["pending"]),
            (&false.into(), &1.into())
        );
        Ok(())
    })?;
    assert!(!manager.clock().is_paused());
    Ok(())
}

#[test]
fn every_change_needs_the_header_json_a_small_body_and_the_own_page() -> Tested {
    let mut manager = world()?;
    let mut inspector = Inspector::builder().writable(true).serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let large = format!("{{\"line\": \"{}\"}}", "x".repeat(70_000));
    while_running(&mut manager, &mut inspector, frame, |client| {
        for (path, body) in CHANGES {
            let ask = |client: &Client, body: &str| {
                let answer = client.ask("POST", &format!("/api/v1/worlds/0/{path}"), body);
                answer
                    .map(|it| it.code())
                    .map_err(|error| error.to_string())
            };
            let posting = client.posting();
            let evil = posting.with("Origin", "Origin: http://evil.example");
            let elsewhere = posting.with("Host", "Host: evil.example");
            let framed = posting.with("Sec-Fetch-Site", "Sec-Fetch-Site: cross-site");
            let bare = posting.with("X-Message-Inspector", "");
            let form = "Content-Type: application/x-www-form-urlencoded";
            let form = posting.with("Content-Type", form);
            for (client, status, code) in [
                (&evil, 403, "origin"),
                (&elsewhere, 421, "host"),
                (&framed, 403, "origin"),
                (&bare, 403, "header"),
                (&form, 415, "content-type"),
            ] {
                assert_eq!(ask(client, body)?, (status, code.to_owned()), "{path}");
            }
            assert_eq!(ask(&posting, &large)?, (413, "body".to_owned()), "{path}");
            assert_eq!(ask(&posting, "{")?, (400, "bad".to_owned()), "{path}");
        }
        Ok(())
    })?;
    assert!(!manager.clock().is_paused());
    assert_eq!(manager.inspect().pending_len(), 1);
    Ok(())
}

/// Sends a raw request, and returns the response.
fn raw(inspector: &Inspector, request: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(inspector.address())?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    // The server may close before everything is written.
    let _ = stream.read_to_string(&mut text);
    Ok(text)
}

#[test]
fn a_body_without_a_length_has_the_same_limit() -> Tested {
    let mut manager = world()?;
    let builder = Inspector::builder().writable(true).without_token();
    let mut inspector = builder.serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    let request = format!(
        "POST /api/v1/worlds/0/clock HTTP/1.1\r\nHost: {}\r\nX-Message-Inspector: 1\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{}0\r\n\r\n",
        inspector.address(),
        chunk.repeat(5),
    );
    let answer = raw(&inspector, &request)?;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    Ok(())
}

#[test]
fn a_request_without_a_host_or_with_two_is_refused() -> Tested {
    let inspector = Inspector::builder().without_token().serve("127.0.0.1:0")?;
    let own = format!("Host: {}\r\n", inspector.address());
    for (hosts, status) in [
        (String::new(), "4"),
        (format!("{own}{own}"), "4"),
        (own, "200"),
    ] {
        let request = format!("GET {HELLO} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let answer = raw(&inspector, &request)?;
        let begin = format!("HTTP/1.1 {status}");
        assert!(answer.starts_with(&begin), "{hosts:?}: {answer}");
    }
    Ok(())
}

#[test]
fn an_address_that_others_reach_asks_each_request_for_the_token() -> Tested {
    let mut manager = world()?;
    let builder = Inspector::builder().token(TOKEN).writable(true);
    let mut inspector = builder.serve("0.0.0.0:0")?;
    inspector.attach(&mut manager, "world");
    let port = inspector.address().port();
    let client = Client::stranger(([127, 0, 0, 1], port).into());
    for path in ["now", "events", "flow", "later", "startup", "messagees"] {
        let path = format!("/api/v1/worlds/0/{path}");
        assert_eq!(
            client.get(&path)?.code(),
            (401, "token".to_owned()),
            "{path}"
        );
    }
    for (path, body) in CHANGES {
        let path = format!("/api/v1/worlds/0/{path}");
        assert_eq!(
            client.post(&path, body)?.code(),
            (401, "token".to_owned()),
            "{path}"
        );
    }
    let mut events = client.events(&format!("/api/v1/worlds/0/events?token={TOKEN}"))?;
    assert_eq!(events.read()?.0, "now");
    Ok(())
}

#[test]
fn a_browser_that_asks_for_another_page_is_allowed_nothing() -> Tested {
    let (_inspector, client) = shown()?;
    let asking = client.with("Origin", "Origin: http://evil.example");
    let asking = asking.with("Access-Control", "Access-Control-Request-Method: POST");
    for path in ["/", HELLO, "/api/v1/worlds/0/clock"] {
        let answer = asking.ask("OPTIONS", path, "")?;
        assert_eq!(answer.code(), (403, "origin".to_owned()), "{path}");
        assert!(!answer.head.contains("access-control"), "{path}");
    }
    Ok(())
}

#[test]
fn more_requests_than_a_world_has_room_for_are_refused() -> Tested {
    let mut manager = MessageManager::new();
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    // The manager is never updated, so nothing is answered.
    inspector.attach(&mut manager, "world");
    let client = Client::new(&inspector);
    let codes = thread::scope(|scope| {
        let asking: Vec<_> = (0..70)
            .map(|_| scope.spawn(|| client.get("/api/v1/worlds/0/startup").map(|it| it.code())))
            .collect();
        let answers = asking.into_iter().map(thread::ScopedJoinHandle::join);
        answers.collect::<Result<Vec<_>, _>>()
    });
    let codes = codes.map_err(|_| "a client has panicked")?;
    let codes = codes.into_iter().collect::<Result<Vec<_>, _>>()?;
    let count = |status| codes.iter().filter(|(found, _)| *found == status).count();
    assert_eq!((count(504), count(429)), (64, 6), "{codes:?}");
    Ok(())
}

#[test]
fn more_connections_than_are_allowed_wait() -> Tested {
    let (inspector, client) = shown()?;
    let mut open = Vec::new();
    for _ in 0..128 {
        let mut stream = TcpStream::connect(inspector.address())?;
        // A connection is accepted once the answer to its first request has begun; then it stays open.
        let headers = client.headers.join("\r\n");
        let request = format!("GET {HELLO} HTTP/1.1\r\n{headers}\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        assert_eq!(stream.read(&mut [0])?, 1);
        open.push(stream);
    }
    thread::scope(|scope| {
        let waits = scope.spawn(|| client.get(HELLO).map(|it| it.status));
        thread::sleep(Duration::from_millis(300));
        assert!(!waits.is_finished());
        open.clear();
        assert!(matches!(waits.join(), Ok(Ok(200))));
    });
    Ok(())
}

#[test]
fn what_is_not_there_is_said_to_be_unknown() -> Tested {
    let words = format!("/api/v1/worlds/0/timeline?search={}", "a+".repeat(17));
    let mut manager = world()?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    while_running(&mut manager, &mut inspector, frame, |client| {
        for (path, status, code) in [
            ("/nothing", 404, "unknown"),
            ("/api/v1/nothing", 404, "unknown"),
            ("/api/v2/hello", 404, "unknown"),
            ("/api/v1/worlds/7/now", 404, "unknown"),
            ("/api/v1/worlds/x/now", 404, "unknown"),
            ("/api/v1/worlds/0/nothing", 404, "unknown"),
            ("/api/v1/worlds/0/messagees/77v1", 404, "unknown"),
            ("/api/v1/worlds/0/messagees?parent=77v1", 404, "unknown"),
            ("/api/v1/worlds/0/cause/123456", 404, "unknown"),
            ("/api/v1/worlds/0/cause/x", 400, "bad"),
            ("/api/v1/worlds/0/timeline?frames=x", 400, "bad"),
            (&words, 400, "bad"),
            ("/api/v1/worlds/0/flow?by=colour", 400, "bad"),
            ("/api/v1/worlds/0/now?a=%zz", 400, "bad"),
            ("/api/v1/worlds/0/clock", 405, "method"),
        ] {
            let answer = client.get(path).map_err(|error| error.to_string())?;
            assert_eq!(answer.code(), (status, code.to_owned()), "{path}");
        }
        let posted = client.post("/api/v1/worlds/0/now", "{}");
        assert_eq!(posted.map_err(|error| error.to_string())?.status, 405);
        Ok(())
    })
}

#[test]
fn more_streams_than_are_allowed_are_refused() -> Tested {
    let mut manager = MessageManager::new();
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let client = Client::new(&inspector);
    let mut open = Vec::new();
    for _ in 0..32 {
        let mut events = client.events("/api/v1/worlds/0/events")?;
        assert_eq!(events.read()?.0, "now");
        open.push(events);
    }
    let refused = client.get("/api/v1/worlds/0/events")?;
    assert_eq!(refused.code(), (429, "busy".to_owned()));
    Ok(())
}

#[test]
fn a_world_that_is_not_updated_is_asleep_and_one_that_is_detached_says_so() -> Tested {
    let mut manager = MessageManager::new();
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.attach(&mut manager, "world");
    let client = Client::new(&inspector);
    let path = "/api/v1/worlds/0/startup";
    assert_eq!(client.get(path)?.code(), (504, "asleep".to_owned()));
    let mut events = client.events("/api/v1/worlds/0/events")?;
    inspector.detach(&mut manager);
    events.until("end", |_| true)?;
    assert_eq!(client.get(path)?.code(), (410, "detached".to_owned()));
    assert_eq!(client.get("/api/v1/worlds/0/now")?.status, 200);
    Ok(())
}

#[test]
fn answers_keep_other_pages_out() -> Tested {
    let (_inspector, client) = shown()?;
    for path in ["/", HELLO, "/nothing"] {
        let head = client.get(path)?.head;
        for header in [
            "cache-control: no-store",
            "x-content-type-options: nosniff",
            "frame-ancestors 'none'",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!head.contains("access-control"), "{path}: {head}");
    }
    Ok(())
}
