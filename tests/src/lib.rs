//! Tests of the whole engine; shared helpers live here.

pub mod transcript;
