use message_core::prelude::*;

fn see(manager: &mut MessageManager, id: message_core::TraceId) {
    let recorded = manager.recorder().is_some(); //~ enable the feature `trace` of message-core
    println!("{recorded}");
    if let Some(recorder) = manager.stop_recording() { //~ enable the feature `trace` of message-core
        println!("{}", recorder.len());
    }
    if let Some(explanation) = manager.explain(id) { //~ enable the feature `trace` of message-core
        println!("{explanation}");
    }
    manager.subscribe(Filter::any(), move |_, cx| {
        cx.explain(id); //~ enable the feature `trace` of message-core
    });
}

fn main() {
    see(&mut MessageManager::new(), todo!());
}
