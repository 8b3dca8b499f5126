//! Settings of any text are accepted, or refused with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_project::ProjectSettings;
use std::path::Path;

fuzz_target!(|text: &str| {
    for name in ["recovery.toml", "config.json"] {
        if let Ok(settings) = ProjectSettings::parse(Path::new(name), text.to_owned()) {
            let _ = settings.engine(None);
            let _ = (settings.needs_consent(), settings.settings_needing_consent(), settings.ensure_may_run());
        }
    }
});
