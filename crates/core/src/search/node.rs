//! The kinds of nodes, known at compile time.

/// What is known of a node before it is searched.
pub(super) trait Node {
    /// Whether it is on the principal variation: searched with an open window.
    const PV: bool;
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
/// A node searched with a zero window, only to prove a bound.
pub(super) struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
