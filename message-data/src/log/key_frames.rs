//! Saves of a replay, from which it goes back.

use message_core::internals::caught;

use crate::log::run::{From, Run};
use crate::save::SaveOptions;

/// The state when a frame begins.
pub(super) struct KeyFrame {
    /// The number of frames before it.
    frame: u64,
    pub(super) from: From<'static>,
}

/// Key frames at about equal distances, within a number of bytes.
pub(super) struct KeyFrames {
    every: u64,
    most_bytes: usize,
    bytes: usize,
    /// In the order of the log.
    all: Vec<KeyFrame>,
    /// The frame of the last attempt to keep one.
    tried: Option<u64>,
}

impl KeyFrames {
    pub(super) const fn new(every: u64, most_bytes: usize) -> Self {
        Self {
            every,
            most_bytes,
            bytes: 0,
            all: Vec::new(),
            tried: None,
        }
    }

    /// Returns the last key frame from which a frame can be reached.
    pub(super) fn before(&self, frame: u64) -> Option<&KeyFrame> {
        let behind = self.all.partition_point(|key| key.frame <= frame);
        self.all[..behind].last()
    }

    /// Returns the last key frame before an entry of the log.
    pub(super) fn before_entry(&self, entry: usize) -> Option<&KeyFrame> {
        let behind = self.all.partition_point(|key| key.from.next < entry);
        self.all[..behind].last()
    }

    /// Returns `true` if the state after this number of frames should be kept.
    pub(super) fn is_due(&self, frame: u64) -> bool {
        let at = self.all.partition_point(|key| key.frame <= frame);
        let is_far = |key: &KeyFrame| key.frame.abs_diff(frame) >= self.every;
        let is_retried = self
            .tried
            .is_none_or(|tried| tried.abs_diff(frame) >= self.every);
        self.every != 0 && is_retried && self.all[at.saturating_sub(1)..].iter().take(2).all(is_far)
    }

    /// Keeps the state of a run, before the next frame begins.
    pub(super) fn keep(&mut self, run: &mut Run) {
        self.tried = Some(run.frame());
        if !run.is_as_prepared() {
            return;
        }
        let manager = &mut run.manager;
        // Saving settles first what an earlier panic has left, as the frame itself would.
        let Ok(Ok(save)) = caught(|| crate::save(manager, &SaveOptions::new())) else {
            return;
        };
        if save.len() > self.most_bytes {
            return;
        }
        let at = self.all.partition_point(|key| key.from.next < run.next);
        self.bytes += save.len();
        let key = KeyFrame {
            frame: run.frame(),
            from: From {
                save: save.into(),
                next: run.next,
                inputs: run.repeated,
                digests: run.digests,
            },
        };
        self.all.insert(at, key);
        while self.bytes > self.most_bytes {
            let mut index = 0;
            self.all.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.bytes = self.all.iter().map(|key| key.from.save.len()).sum();
            self.every = self.every.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use message_core::MessageManager;

    use crate::{Log, LogOptions, Replay};

    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("nobody panics with it").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    // holds: logs.back
    #[test]
    fn going_back_begins_before_the_frame_and_replays_nothing() {
        let (mut manager, memory) = (MessageManager::new(), Memory::default());
        Log::start(&mut manager, memory.clone(), LogOptions::new()).expect("it can be saved");
        manager.spawn(());
        for _ in 0..100 {
            manager.tick(Duration::from_millis(16));
        }
        Log::stop(&mut manager).expect("memory takes it");
        let log = memory.0.lock().expect("nobody panics with it").clone();
        for (every, expected) in [(30, [90, 30, 0, 0]), (0, [0; 4])] {
            let mut replay = Replay::of_bytes(log.clone()).key_frames(every, 1 << 20);
            replay.until(100).expect("it can be repeated");
            for (frame, expected) in [100, 60, 1, 0].into_iter().zip(expected) {
                let back = replay.back(frame).expect("it is kept");
                assert_eq!(back.clock().frame(), expected, "{frame}");
                let repeated = replay.run.as_ref().map(|run| run.repeated);
                let key = replay.key_frames.before(expected).filter(|_| frame > 0);
                assert_eq!(repeated, Some(key.map_or(0, |key| key.from.inputs)));
            }
        }
    }

    // holds: logs.key-frames
    #[test]
    fn key_frames_take_no_more_memory_than_they_may() {
        let (mut manager, memory) = (MessageManager::new(), Memory::default());
        for number in 0..100 {
            manager.spawn_named(format!("messagee {number}"), ());
        }
        let options = LogOptions::new().digest_every(0);
        Log::start(&mut manager, memory.clone(), options).expect("it can be saved");
        for _ in 0..1_000 {
            manager.tick(Duration::from_millis(16));
        }
        Log::stop(&mut manager).expect("memory takes it");
        let log = memory.0.lock().expect("nobody panics with it").clone();
        // Each save has at least the names.
        for (most, least_kept) in [(100_000, 8), (1_000, 0), (0, 0)] {
            let mut replay = Replay::of_bytes(log.clone()).key_frames(1, most);
            replay.until(1_000).expect("it can be repeated");
            replay.until(10).expect("it can be repeated");
            replay.until(1_000).expect("it can be repeated");
            let keys = &replay.key_frames;
            let taken: usize = keys.all.iter().map(|key| key.from.save.len()).sum();
            assert!(taken <= most && taken == keys.bytes, "{taken}");
            let kept = keys.all.len();
            assert!((least_kept..=most / 1_000).contains(&kept), "{kept}");
            let far = |two: &[super::KeyFrame]| two[1].frame - two[0].frame >= keys.every;
            assert!(keys.all.windows(2).all(far));
        }
    }
}
