//! How far does a failure reach? The ordered F1..F6 rules with confidence and evidence.
