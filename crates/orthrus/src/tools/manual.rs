//! What the program says about itself: the manual page, completions for shells, its registration
//! with XBoard and the table of options. All of it is made from the definitions that the program
//! itself uses.

use std::io;

use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use orthrus_core::engine::options::{self, OptionKind, TextContent};

use crate::args::{Args, EXAMPLES};
use crate::text::capital;

/// The section of the manual that holds games.
const SECTION: &str = "6";

/// A file that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Companion {
    /// The manual page, for section 6
    Man,
    /// Completions for bash
    Bash,
    /// Completions for zsh
    Zsh,
    /// Completions for fish
    Fish,
    /// Completions for `PowerShell`
    #[value(help = "Completions for PowerShell")]
    Powershell,
    /// The file by which `XBoard` finds the program.
    #[value(help = "The file by which XBoard finds the program, games/plugins/xboard/orthrus.eng")]
    Eng,
}

impl Companion {
    /// The lines of the file.
    ///
    /// # Errors
    ///
    /// None of its own: all is written to memory.
    pub(crate) fn lines(self) -> io::Result<Vec<String>> {
        let text = match self {
            Self::Eng => registration().into_bytes(),
            Self::Man => manual_page()?,
            Self::Bash => completions(Shell::Bash),
            Self::Zsh => completions(Shell::Zsh),
            Self::Fish => completions(Shell::Fish),
            Self::Powershell => completions(Shell::PowerShell),
        };
        let text = String::from_utf8_lossy(&text);
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// What `XBoard` reads: a heading, the command line, the variants.
fn registration() -> String {
    // Such files call the normal game chess.
    let variants = orthrus_cecp::variants().replace("normal", "chess");
    format!("plugin spec 0.0\northrus\n{variants}\n")
}

fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "orthrus", &mut text);
    text
}

/// One page for everything: people look for `man orthrus`, not for a page of each tool.
fn manual_page() -> io::Result<Vec<u8>> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone()).title("ORTHRUS").section(SECTION);
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    Roff::new()
        .control("SH", ["TOOLS"])
        .text([roman("Each of them says more with --help.")])
        .to_writer(&mut page)?;
    render_tools(&command, &mut page)?;
    engine_options().to_writer(&mut page)?;
    let mut rest = Roff::new();
    rest.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in EXAMPLES.lines() {
        rest.text([roman(line)]);
    }
    rest.control("fi", []).control("SH", ["SEE ALSO"]);
    rest.text([
        bold("xboard"),
        roman("(6), "),
        bold("polyglot"),
        roman("(6)"),
    ]);
    rest.to_writer(&mut page)?;
    Ok(page)
}

/// A subsection for each tool, and for each tool within a tool.
fn render_tools(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    for tool in command.get_subcommands().filter(|tool| !tool.is_hide_set()) {
        if tool.has_subcommands() {
            render_tools(tool, page)?;
            continue;
        }
        let name = tool.get_bin_name().unwrap_or(tool.get_name());
        Roff::new().control("SS", [name]).to_writer(page)?;
        let man = Man::new(tool.clone());
        for render in [
            Man::render_description_section,
            Man::render_synopsis_section,
            Man::render_options_section,
        ] {
            let mut section = Vec::new();
            render(&man, &mut section)?;
            // Its heading has become the name of the tool.
            for line in String::from_utf8_lossy(&section).lines() {
                let line = if line.starts_with(".SH") { ".PP" } else { line };
                page.extend_from_slice(line.as_bytes());
                page.push(b'\n');
            }
        }
    }
    Ok(())
}

fn engine_options() -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["ENGINE OPTIONS"]);
    section.text([roman(
        "What a chess program can set, over either protocol. In parentheses: values, and the one \
         at start.",
    )]);
    for spec in options::all() {
        section.control("TP", []);
        let default = default(&spec.kind);
        let default = if default.is_empty() {
            String::new()
        } else {
            format!("; {default}")
        };
        let values = format!(" ({}{default})", values(&spec.kind));
        section.text([bold(spec.name), roman(values)]);
        section.text([roman(format!("{}.", plain(spec.help)))]);
    }
    section
}

/// The table of the engine's options in Markdown: name, values, default, meaning.
pub(crate) fn option_table() -> Vec<String> {
    let mut lines = vec![
        "| option | values | at start | meaning |".to_owned(),
        "|---|---|---|---|".to_owned(),
    ];
    lines.extend(options::all().map(|spec| {
        let (name, values, default) = (spec.name, values(&spec.kind), default(&spec.kind));
        format!("| `{name}` | {values} | {default} | {} |", spec.help)
    }));
    lines
}

/// The meaning, values and default of an option of the engine, for the help of a tool that takes
/// it; empty if there is no such option.
pub(crate) fn option_help(name: &str) -> String {
    options::find(name).map_or_else(String::new, |spec| {
        let (values, default) = (values(&spec.kind), default(&spec.kind));
        format!("{}, {values}; {default} if not given", plain(spec.help))
    })
}

/// What an option does, which is written in Markdown, as plain text.
fn plain(help: &str) -> String {
    capital(help).replace('`', "")
}

fn values(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { .. } => "true, false".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
        OptionKind::Combo { choices, .. } => choices.join(", "),
        OptionKind::Text { content, .. } => match content {
            TextContent::Plain => "text",
            TextContent::File => "file",
            TextContent::Path => "folders",
        }
        .to_owned(),
        OptionKind::Button { .. } => "button".to_owned(),
    }
}

fn default(kind: &OptionKind) -> String {
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

#[cfg(test)]
mod tests {
    use orthrus_core::engine::options::OptionSpec;

    use super::*;

    #[test]
    fn the_manual_names_every_tool_and_option() {
        let page = Companion::Man.lines().unwrap().join("\n");
        assert!(page.starts_with(".ie \\n(.g .ds Aq \\(aq\n"), "{page}");
        assert!(page.contains("\n.TH ORTHRUS 6 "), "{page}");
        let mut command = Args::command();
        command.build();
        for tool in command.get_subcommands().filter(|tool| !tool.is_hide_set()) {
            let name = tool.get_name();
            let heading = format!("\n.SS \"orthrus {name}");
            assert!(name == "help" || page.contains(&heading), "{name}");
        }
        for spec in options::all() {
            let name = spec.name.replace('-', "\\-");
            assert!(page.contains(&format!("\\fB{name}\\fR (")), "{name}");
        }
    }

    #[test]
    fn tools_say_what_options_they_take() {
        let help = "Search threads, 1 to 512; 1 if not given";
        assert_eq!(option_help("Threads"), help);
        let mut command = Args::command();
        for tool in ["analyse", "annotate", "epd"] {
            let tool = command.find_subcommand_mut(tool).unwrap();
            let page = tool.render_long_help().to_string();
            assert!(page.contains(help) && page.contains("table in MiB, 1 to "));
        }
    }

    #[test]
    fn xboard_reads_three_lines() {
        let lines = Companion::Eng.lines().unwrap();
        let [heading, command, variants] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert_eq!([heading.as_str(), command], ["plugin spec 0.0", "orthrus"]);
        assert!(variants.starts_with("chess,fischerandom"), "{variants}");
    }

    #[test]
    fn completions_know_the_tools() {
        for shell in [
            Companion::Bash,
            Companion::Zsh,
            Companion::Fish,
            Companion::Powershell,
        ] {
            let text = shell.lines().unwrap().join("\n");
            assert!(text.contains("perft") && text.contains("divide"), "{text}");
        }
    }

    /// In comments names stand in backticks, and some comments become the help.
    #[test]
    fn the_manual_is_no_markdown() {
        let page = Companion::Man.lines().unwrap();
        let marked: Vec<_> = page.iter().filter(|line| line.contains('`')).collect();
        assert!(marked.is_empty(), "{marked:?}");
    }

    #[test]
    fn every_option_says_what_it_does() {
        for OptionSpec { name, help, .. } in options::all() {
            assert!(!help.is_empty() && !help.ends_with('.'), "{name}: {help}");
            assert!(!help.contains(['|', '\n']), "{name}: {help}");
        }
    }
}
