//! Taking pending messages out, to post them somewhere else.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::post::Interval;
use message_core::prelude::*;

use crate::pending::ms;

#[derive(Message, Clone, Debug, PartialEq)]
struct Count(u32);

#[derive(Default)]
struct Counter(Vec<u32>);

#[handlers]
impl Counter {
    #[on_receive]
    fn count(&mut self, count: &Count) {
        self.0.push(count.0);
    }
}

/// Takes the given posts, and posts them for a messagee in another manager.
fn carry(from: &mut MessageManager, posts: Posts, to: &mut MessageManager, id: MessageeId) {
    for post in from.take_posts(posts) {
        to.post_any(post.header.with_recipient(id), post.message)
            .expect("it was pending");
    }
}

// holds: time.take-out
#[test]
fn what_was_taken_out_is_not_pending_any_more() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Counter::default(),));
    // A batch, and single ones.
    for n in 0..40 {
        manager.post(Header::to(id).after(ms(5)), Count(n))?;
    }
    let kept = manager.post(Header::to(id).after(ms(5)), Count(100))?;
    let keyed = manager.post(Header::to(id).after(ms(5)).key("k"), Count(101))?;
    let taken = manager.take_posts(keyed);
    assert_eq!(taken.len(), 1);
    assert!(!manager.has_pending(keyed) && !manager.has_pending("k"));
    let others: Vec<Ticket> = manager
        .pending_posts(Posts::all())
        .iter()
        .map(|post| post.ticket)
        .collect();
    for ticket in others.into_iter().filter(|&ticket| ticket != kept) {
        assert_eq!(manager.take_posts(ticket).len(), 1);
        assert_eq!(manager.take_posts(ticket).len(), 0);
    }
    assert_eq!(manager.pending_posts(Posts::all()).len(), 1);
    manager.tick(ms(5));
    assert_eq!(manager.get::<Counter>(id)?.0, [100]);
    Ok(())
}

// holds: time.take-out
#[test]
fn what_was_taken_out_comes_in_the_order_in_which_it_was_due()
-> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    for (delay, n) in [(9, 0), (3, 1), (6, 2), (3, 3)] {
        manager.post(Header::to(Everyone).after(ms(delay)), Count(n))?;
    }
    let taken = manager.take_posts(Posts::of::<Count>());
    let counts = taken
        .iter()
        .map(|post| post.message.downcast_ref::<Count>().map(|it| it.0));
    assert_eq!(counts.collect::<Option<Vec<_>>>(), Some(vec![1, 3, 2, 0]));
    Ok(())
}

// holds: time.take-out-header
#[test]
fn the_header_says_what_is_left() -> Result<(), Box<dyn std::error::Error>> {
    tag!(LEFT);
    let mut manager = MessageManager::new();
    let id = manager.spawn((Counter::default(),));
    let header = Header::to(Me)
        .stage(Stage::LateUpdate)
        .after(ms(10))
        .every(ms(4))
        .times(3);
    let header = header
        .unscaled()
        .tags(LEFT)
        .key("own")
        .tied_to_sender()
        .build()?;
    manager.speak_for(id)?.post(&header, Count(1))?;
    manager.post(Header::to(id).after_frames(5), Count(2))?;
    manager.post(Header::to(id).stage(Stage::Update).require(2), Count(3))?;
    manager
        .take_posts(Posts::all().from(Sender::Outside))
        .into_iter()
        .for_each(|post| {
            let expected = if post.message.downcast_ref() == Some(&Count(2)) {
                Header::to(id).after_frames(5).build()
            } else {
                Header::to(id).stage(Stage::Update).require(2).build()
            };
            assert_eq!(Ok(post.header), expected);
            assert_eq!(post.sender, Sender::Outside);
        });
    manager.tick(ms(11));
    let taken = manager.take_posts(Posts::all());
    let [post] = &taken[..] else {
        panic!("{taken:?}")
    };
    assert_eq!(post.sender, Sender::Messagee(id));
    assert_eq!(post.header.delay(), Some(Interval::Unscaled(ms(3))));
    assert_eq!(post.header.period(), Some(Interval::Unscaled(ms(4))));
    assert_eq!(
        (post.header.times(), post.header.key()),
        (Some(2), header.key())
    );
    assert!(post.header.is_tied_to_sender() && post.header.tags() == header.tags());
    assert_eq!(post.header.stage(), Stage::LateUpdate);
    Ok(())
}

// holds: time.take-out-header
#[test]
fn what_is_taken_and_posted_at_once_is_due_when_it_would_have_been()
-> Result<(), Box<dyn std::error::Error>> {
    let run = |move_at: Option<u32>| -> Result<Vec<u32>, SendError> {
        let (mut a, mut b) = (MessageManager::new(), MessageManager::new());
        let here = a.spawn((Counter::default(),));
        let there = b.spawn((Counter::default(),));
        a.post(
            Header::to(here).after(ms(5)).every(ms(3)).times(4),
            Count(1),
        )?;
        a.post(Header::to(here).after(ms(9)), Count(2))?;
        a.post(Header::to(here).after_frames(7), Count(3))?;
        a.post(
            Header::to(here).stage(Stage::Update).every_pass().times(3),
            Count(4),
        )?;
        let mut seen = Vec::new();
        for at in 0..20 {
            if move_at == Some(at) {
                carry(&mut a, Posts::all().to(here), &mut b, there);
            }
            a.tick(ms(1));
            b.tick(ms(1));
            for (manager, id) in [(&mut a, here), (&mut b, there)] {
                let counter = manager.get_mut::<Counter>(id).expect("it is alive");
                seen.extend(counter.0.drain(..).map(|n| at * 10 + n));
            }
        }
        Ok(seen)
    };
    let expected = run(None)?;
    assert_eq!(expected.len(), 9);
    for at in 0..20 {
        let mut moved = run(Some(at))?;
        let mut expected = expected.clone();
        // Messages that are due in one frame by different clocks can come in another order.
        moved.sort_unstable();
        expected.sort_unstable();
        assert_eq!(moved, expected, "moved before frame {at}");
    }
    Ok(())
}

#[derive(Message)]
struct Beat;

#[derive(Default)]
struct Heart {
    taken: usize,
    beats: u32,
}

#[handlers]
impl Heart {
    #[on_receive]
    fn beat(&mut self, _: &Beat, cx: &mut Context<'_>) {
        self.beats += 1;
        self.taken += cx.take_posts(Posts::of::<Beat>().to(Me)).len();
    }
}

// holds: time.take-out-repeating
#[test]
fn a_message_that_repeats_and_is_being_delivered_stays() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Heart::default(),));
    manager.post(Header::to(id).every(ms(1)), Beat)?;
    for _ in 0..3 {
        manager.tick(Duration::from_millis(1));
    }
    let heart = manager.get::<Heart>(id)?;
    assert_eq!((heart.beats, heart.taken), (3, 0));
    Ok(())
}
