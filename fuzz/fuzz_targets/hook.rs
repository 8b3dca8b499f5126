//! Any payload of any agent is read or passed over.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_agents::Agent;

fuzz_target!(|payload: &[u8]| {
    for agent in Agent::ALL {
        let _ = recovery_agents::parse(agent, payload);
    }
});
