//! Medians over the rounds.

use crate::work::{Contender, Measure, Work};

pub(crate) struct Report {
    len: usize,
    messages: usize,
    frame: usize,
    /// For each contender, the messages per second and the latencies of each round.
    rounds: [(Vec<f64>, Vec<[f64; 3]>); Contender::ALL.len()],
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Report {
    pub(crate) fn new(len: usize, messages: usize) -> Self {
        Self {
            len,
            messages,
            frame: 0,
            rounds: Default::default(),
        }
    }

    pub(crate) fn add(&mut self, work: &Work, result: &[f64]) {
        self.frame = work.frame;
        let place = Contender::ALL.iter().position(|it| *it == work.contender);
        let rounds = &mut self.rounds[place.unwrap_or_default()];
        match (work.measure, result) {
            (Measure::Throughput, [rate, ..]) => rounds.0.push(*rate),
            (Measure::Latency, [median, late, missing]) => {
                rounds.1.push([*median, *late, *missing]);
            }
            _ => {}
        }
    }

    pub(crate) fn tell(&self) {
        let (len, messages, frame) = (self.len, self.messages, self.frame);
        println!("{len} B, {messages} messages in a frame of {frame} bytes");
        println!(
            "  {:24} {:>12}  {:>12} to {:>12}  {:>8}   ticks until the answer: median, 99th, missing",
            "", "messages/s", "least", "most", "to zenoh"
        );
        let same = &self.rounds[1].0;
        for (contender, (rates, latencies)) in Contender::ALL.iter().zip(&self.rounds) {
            if rates.is_empty() {
                continue;
            }
            let ratios = rates.iter().zip(same).map(|(rate, same)| rate / same);
            let least = rates.iter().copied().fold(f64::NAN, f64::min);
            let most = rates.iter().copied().fold(f64::NAN, f64::max);
            let of = |place: usize| median(latencies.iter().map(|it| it[place]).collect());
            println!(
                "  {:24} {:>12.0}  {least:>12.0} to {most:>12.0}  {:>8.2}   {:>6} {:>6} {:>6}",
                contender.name(),
                median(rates.clone()),
                median(ratios.collect()),
                of(0),
                of(1),
                of(2),
            );
        }
    }
}
