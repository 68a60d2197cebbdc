//! Zenoh alone: the same bytes, put by a declared publisher and counted by a callback.

use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use zenoh::bytes::ZBytes;
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait as _};

use crate::Failure;
use crate::latency::{self, Clock, WARM_UP};
use crate::work::{Contender, Measure, Work};

/// Opens a session with the transport of a `ZenohLink`.
fn open(mode: &str, kind: &str, port: u16) -> Result<Session, Failure> {
    let mut config = zenoh::Config::default();
    let endpoint = format!("[\"tcp/127.0.0.1:{port}\"]");
    for (path, value) in [
        ("mode", format!("\"{mode}\"")),
        (kind, endpoint),
        ("scouting/multicast/enabled", "false".to_owned()),
        ("scouting/delay", "0".to_owned()),
        ("transport/link/tx/queue/size/data", "16".to_owned()),
    ] {
        config
            .insert_json5(path, &value)
            .map_err(|error| error.to_string())?;
    }
    zenoh::open(config)
        .wait()
        .map_err(|error| error.to_string().into())
}

/// Listens to a key. Returns a receiver of the first number and the length of each payload.
fn listen(session: &Session, key: &str) -> Result<Receiver<(u32, usize)>, Failure> {
    let (sender, came) = mpsc::channel();
    session
        .declare_subscriber(key.to_owned())
        .callback(move |sample| {
            let bytes = sample.payload().to_bytes();
            let tick = bytes
                .first_chunk()
                .map_or(0, |first| u32::from_le_bytes(*first));
            // The listener may have ended.
            let _ = sender.send((tick, bytes.len()));
        })
        .background()
        .wait()
        .map_err(|error| error.to_string())?;
    Ok(came)
}

/// Returns the number of bytes in a put, and the number of messages that it represents.
fn put_of(work: &Work) -> (usize, usize) {
    if work.contender == Contender::Frames {
        (work.frame, work.messages)
    } else {
        (work.len, 1)
    }
}

pub(crate) fn receive(work: &Work) -> Result<Vec<f64>, Failure> {
    let session = open("router", "listen/endpoints", work.port)?;
    let came = listen(&session, "bench/to")?;
    println!("ready");
    let (_, each) = put_of(work);
    if work.measure == Measure::Throughput {
        came.recv()?;
        let begin = Instant::now();
        let mut received = each;
        while received < work.all_messages() {
            came.recv_timeout(Duration::from_secs(20))?;
            received += each;
        }
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        return Ok(vec![received as f64 / begin.elapsed().as_secs_f64(), 0.0]);
    }
    let back = session.declare_publisher("bench/back").wait();
    let back = back.map_err(|error| error.to_string())?;
    let mut clock = Clock::new();
    loop {
        while let Ok((tick, _)) = came.try_recv() {
            if tick > 0 {
                let put = back.put(tick.to_le_bytes().to_vec()).wait();
                put.map_err(|error| error.to_string())?;
            }
        }
        clock.wait();
    }
}

pub(crate) fn send(work: &Work) -> Result<Vec<f64>, Failure> {
    let session = open("client", "connect/endpoints", work.port)?;
    let came = listen(&session, "bench/back")?;
    let publisher = session
        .declare_publisher("bench/to")
        .congestion_control(CongestionControl::Block)
        .wait()
        .map_err(|error| error.to_string())?;
    while !publisher
        .matching_status()
        .wait()
        .is_ok_and(|status| status.matching())
    {
        thread::sleep(Duration::from_millis(5));
    }
    let (len, each) = put_of(work);
    let put = |tick: u32| -> Result<(), Failure> {
        let mut bytes = vec![7; len];
        bytes[..4].copy_from_slice(&tick.to_le_bytes());
        let put = publisher.put(ZBytes::from(bytes)).wait();
        put.map_err(|error| error.to_string().into())
    };
    if work.measure == Measure::Throughput {
        for _ in 0..work.all_messages() / each {
            put(0)?;
        }
        loop {
            thread::sleep(Duration::from_secs(1));
        }
    }
    let ticks = u32::try_from(work.frames)?;
    let mut clock = Clock::new();
    let mut took = Vec::new();
    for now in 1..=ticks + 40 {
        while let Ok((tick, _)) = came.try_recv() {
            if tick > WARM_UP {
                took.push(now - tick);
            }
        }
        if now <= ticks {
            put(now)?;
            for _ in each..work.messages {
                put(0)?;
            }
        }
        clock.wait();
    }
    Ok(latency::of(took, work.frames - WARM_UP as usize))
}
