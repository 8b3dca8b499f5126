//! One failure event, its history and a clock value in, one decision out.
