//! The options of the engine in words, for the help of a tool that takes them, and the manual.

use orthrus_core::engine::options::{self, OptionKind, TextContent};

use crate::text::capital;

/// The meaning, values and default of an option of the engine, for the help of a tool that takes
/// it; empty if there is no such option.
pub(crate) fn help(name: &str) -> String {
    options::find(name).map_or_else(String::new, |spec| {
        let (values, default) = (values(&spec.kind), default(&spec.kind));
        format!("{}, {values}; {default} if not given", plain(spec.help))
    })
}

/// What an option does, which is written in Markdown, as plain text.
pub(crate) fn plain(help: &str) -> String {
    capital(help).replace('`', "")
}

pub(crate) fn values(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { .. } => "true, false".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
        OptionKind::Combo { choices, .. } => choices.join(", "),
        OptionKind::Text { content, .. } => match content {
            TextContent::File => "file",
            TextContent::Path => "folders",
        }
        .to_owned(),
        OptionKind::Button { .. } => "button".to_owned(),
    }
}

pub(crate) fn default(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { default, .. } => default.to_string(),
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Combo {
            default, choices, ..
        } => choices[*default].to_owned(),
        OptionKind::Text { default, .. } => (*default).to_owned(),
        OptionKind::Button { .. } => String::new(),
    }
}
