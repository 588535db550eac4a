//! What the GUI has switched on (sections 8 and 9).

/// What the GUI has switched on.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Version of the protocol; 1 without `protover`.
    pub(crate) protocol: u32,
    /// `post`: thinking lines are wanted.
    pub(crate) post: bool,
    /// `hard`: the engine may think on the opponent's time.
    pub(crate) pondering: bool,
    /// The feature `debug` was accepted: comments are allowed.
    pub(crate) comments: bool,
    /// Whether the GUI has accepted the feature `analyze`; `None` if it was not offered.
    pub(crate) analyze: Option<bool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            protocol: 1,
            post: false,
            pondering: false,
            comments: false,
            analyze: None,
        }
    }
}

impl Settings {
    /// `protover N`: features are announced from version 2 on.
    pub(crate) fn shake_hands(&mut self, version: u32) {
        self.protocol = version;
        if version >= 2 {
            self.analyze = Some(false);
        }
    }

    /// `accepted FEATURE`
    pub(crate) fn accepted(&mut self, feature: &str) {
        match feature {
            "debug" => self.comments = true,
            "analyze" => self.analyze = Some(true),
            _ => {}
        }
    }

    /// `rejected FEATURE`. Everything else Orthrus announces either has an option in its place
    /// ([`crate::features::replacement`]), only widens what it understands, or concerns the GUI alone.
    pub(crate) fn rejected(&mut self, feature: &str) {
        if feature == "debug" {
            self.comments = false;
        }
    }
}
