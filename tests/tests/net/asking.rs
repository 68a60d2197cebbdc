//! Requests to messagees of other worlds.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use message_data::ask::{Answered, Ask, AskError, Unanswered};
use message_net::NodeConfig;
use serde::{Deserialize, Serialize};

use crate::common::{Ear, Fails, GetHeard, Net, Note, accept_all, two};

/// Writes down the answers.
#[derive(Default)]
struct Asker {
    answers: Answers,
    failures: Vec<Result<u32, Unanswered>>,
}

#[derive(Message)]
struct AskFor {
    proxy: MessageeId,
    within: Duration,
}

#[handlers]
impl Asker {
    #[on_receive]
    fn ask(&mut self, ask: &AskFor, cx: &mut Context<'_>) -> Result<(), AskError> {
        cx.ask(ask.proxy, GetHeard).within(ask.within)?;
        Ok(())
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<GetHeard>) {
        let mut answers = self.answers.lock().expect("no panic");
        answers.push(answered.answer.clone());
    }

    #[on_receive]
    fn failed(&mut self, answered: &Answered<Fails>) {
        self.failures.push(answered.answer.clone());
    }
}

/// An answer, or why there is none.
type Answer = Result<Vec<u32>, Unanswered>;

type Answers = Arc<Mutex<Vec<Answer>>>;

/// Asks from a handler.
fn ask(net: &mut Net, at: usize, proxy: MessageeId) -> (MessageeId, Answers) {
    let answers = Answers::default();
    let asker = net.manager(at).spawn((Asker {
        answers: Arc::clone(&answers),
        ..Asker::default()
    },));
    let within = Duration::from_secs(2);
    let receipt = net.manager(at).send(asker, AskFor { proxy, within });
    assert_eq!(receipt.map(|it| it.failed), Ok(0));
    (asker, answers)
}

fn gate(net: &mut Net, a: usize, b: usize) -> (MessageeId, MessageeId) {
    let ear = net.manager(b).spawn((Ear {
        heard: vec![3, 5],
        ..Ear::default()
    },));
    net.places[b].export(ear, "gate");
    (ear, net.places[a].import("b/gate"))
}

fn answer(answers: &Answers) -> Vec<Answer> {
    answers.lock().expect("no panic").clone()
}

// holds: net.answered, net.one-answer
#[test]
fn the_answer_comes_as_a_message_to_who_asked() {
    let (mut net, a, b) = two();
    let (_, gate) = gate(&mut net, a, b);
    let (_, answers) = ask(&mut net, a, gate);
    net.run(10);
    assert_eq!(answer(&answers), [Ok(vec![3, 5])]);
    net.run(60);
    assert_eq!(answer(&answers).len(), 1, "it does not time out as well");
}

// holds: net.answered, net.one-answer
#[test]
fn an_answer_that_does_not_come_in_time_is_told_once() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let gate = net.places[a].import("b/gate");
    let (_, answers) = ask(&mut net, a, gate);
    net.run(60);
    assert_eq!(answer(&answers), [Err(Unanswered::TimedOut)]);
    // The question arrives when the node comes at last; the answer is too late.
    let b = net.add("b", accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    net.run(20);
    assert_eq!(answer(&answers).len(), 1);
}

// holds: net.one-answer
#[test]
fn who_is_asked_may_end_refuse_or_fail() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let missing = net.places[a].import("b/gat");
    let (_, refused) = ask(&mut net, a, missing);
    let asker = net.manager(a).spawn((Asker::default(),));
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    from.ask(gate, Fails)
        .within(Duration::from_secs(2))
        .expect("asked");
    net.run(10);
    let why = "node `b` exports no `gat`: it exports gate".to_owned();
    assert_eq!(answer(&refused), [Err(Unanswered::Refused { why })]);
    let failures = net
        .manager(a)
        .get::<Asker>(asker)
        .expect("alive")
        .failures
        .clone();
    let why = "it always does".to_owned();
    assert_eq!(failures, [Err(Unanswered::HandlerFailed { why })]);

    let (_, gone) = ask(&mut net, a, gate);
    net.manager(b).despawn(ear).expect("alive");
    net.run(10);
    // The question reaches nobody, or its proxy ends: both are reported.
    let told = answer(&gone);
    assert!(
        matches!(
            &told[..],
            [Err(Unanswered::Refused { .. } | Unanswered::Gone)]
        ),
        "{told:?}"
    );
}

// holds: net.accepts, net.one-answer
#[test]
fn a_node_that_does_not_accept_the_question_refuses_it() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let b = net.add("b", message_net::NodeConfig::accept::<Note>);
    let (_, gate) = gate(&mut net, a, b);
    let (_, answers) = ask(&mut net, a, gate);
    net.run(10);
    let why = "node `b` does not accept `net.GetHeard`".to_owned();
    assert_eq!(answer(&answers), [Err(Unanswered::Refused { why })]);
}

#[test]
fn a_question_that_cannot_be_asked_is_an_error_and_no_answer_comes() {
    let (mut net, a, _) = two();
    let asker = net.manager(a).spawn((Asker::default(),));
    let second = Duration::from_secs(1);
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    let error = from.ask(asker, GetHeard).within(second);
    assert!(
        matches!(error, Err(AskError::NoProxy { id }) if id == asker),
        "{error:?}"
    );
    let mut alone = MessageManager::new();
    let asker = alone.spawn((Asker::default(),));
    let mut from = alone.speak_for(asker).expect("alive");
    let error = from.ask(asker, GetHeard).within(second);
    assert!(matches!(error, Err(AskError::NoOthers)), "{error:?}");
}

// holds: proxies.elsewhere
#[test]
fn a_request_to_a_proxy_is_an_error_that_names_ask() {
    let (mut net, a, b) = two();
    let (_, gate) = gate(&mut net, a, b);
    let error = net.manager(a).request(gate, GetHeard).expect_err("far");
    assert!(error.to_string().contains("`ask`"), "{error}");
}

/// Is answered with the messagee that the receiver remembers.
#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = Option<MessageeId>)]
#[data(name = "net.WhoIsIt", exact)]
struct WhoIsIt {
    unlike: Option<MessageeId>,
}

#[derive(Default)]
struct Witness {
    knows: Option<MessageeId>,
    heard: Vec<Result<Option<MessageeId>, Unanswered>>,
}

#[handlers]
impl Witness {
    #[on_receive]
    fn who_is_it(&self, _: &WhoIsIt) -> Option<MessageeId> {
        self.knows
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<WhoIsIt>) {
        self.heard.push(answered.answer.clone());
    }
}

// holds: net.foreign-id
#[test]
fn an_id_of_a_third_manager_in_a_question_or_an_answer_is_an_error() {
    let mut net = Net::new();
    let [a, b] = ["a", "b"].map(|node| net.add(node, NodeConfig::answer::<WhoIsIt>));
    let stranger = MessageManager::new().spawn(());
    let witness = net.manager(b).spawn((Witness {
        knows: Some(stranger),
        ..Witness::default()
    },));
    net.places[b].export(witness, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(5);
    let asker = net.manager(a).spawn((Witness::default(),));
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    let mut ask = |unlike| {
        let question = from.ask(gate, WhoIsIt { unlike });
        question.within(Duration::from_secs(2))
    };
    let error = ask(Some(stranger)).expect_err("it is of a third manager");
    assert_eq!(
        error.to_string(),
        "the request cannot be written: messagee 0v0 in `net.WhoIsIt` belongs to another manager: expected one of the \
         sending manager, or a proxy there"
    );
    ask(Some(gate)).expect("the proxy is of the sending manager");
    net.run(10);
    let witness = net.manager(a).get::<Witness>(asker).expect("it asks");
    let [Err(Unanswered::Unreadable { why })] = &witness.heard[..] else {
        panic!("one question was asked: {:?}", witness.heard);
    };
    assert_eq!(
        why,
        "messagee 0v0 in the reply to `net::asking::WhoIsIt` belongs to another manager: expected one of the sending manager, or a \
         proxy there"
    );
}
