//! Any payload of any agent is read or passed over, every answer can be rendered, and what a model reads is neutral.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_agents::{Agent, Answer, Moment, is_benign, neutral, parse, render};

fuzz_target!(|payload: &[u8]| {
    for agent in Agent::ALL {
        let Some(mut report) = parse(agent, payload) else { continue };
        report.read_transcript(&String::from_utf8_lossy(payload));
        if let Moment::AfterTool(calls) = &report.moment {
            for (call, outcome) in calls {
                let _ = (is_benign(call, outcome), call.subject(), call.hides_exit_code(), call.is_polling(true));
                let _ = (call.may_change_anything(true), call.is_ours(), call.is_nested_agent(), outcome.code());
            }
        }
        let text = neutral(&String::from_utf8_lossy(payload));
        assert_eq!(neutral(&text), text);
        for answer in [Answer::Advice, Answer::Deny, Answer::Hints, Answer::Final, Answer::Summary] {
            if let Some(answer) = render(&report, &answer(text.clone())) {
                assert!(answer.is_object());
            }
        }
    }
});
