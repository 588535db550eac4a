//! Text of games as text of a page.

/// Text as a page has it.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // It must not be taken for a placeholder.
            '@' => escaped.push_str("&#64;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
