//! What the program says about itself: the manual page, completions for shells, its registration
//! with XBoard and the table of options. All of it is made from the definitions that the program
//! itself uses.

use std::io;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use orthrus_core::engine::options;

use crate::args::{Args, Companion, EXAMPLES};
use crate::option_text::{default, plain, values};

/// The section of the manual that holds games.
const SECTION: &str = "6";

/// The lines of a file that comes with the program.
pub(crate) fn companion(file: Companion) -> io::Result<Vec<String>> {
    let text = match file {
        Companion::Eng => registration().into_bytes(),
        Companion::Man => manual_page()?,
        Companion::Bash => completions(Shell::Bash),
        Companion::Zsh => completions(Shell::Zsh),
        Companion::Fish => completions(Shell::Fish),
        Companion::Powershell => completions(Shell::PowerShell),
    };
    let text = String::from_utf8_lossy(&text);
    Ok(text.lines().map(str::to_owned).collect())
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
        "What a chess program can set over UCI, and over CECP unless a command of that protocol \
         does it. In parentheses: values, and the one at start.",
    )]);
    for spec in options::all() {
        section.control("TP", []);
        let default = Some(default(&spec.kind)).filter(|default| !default.is_empty());
        let values: Vec<_> = [values(&spec.kind)].into_iter().chain(default).collect();
        section.text([bold(spec.name), roman(format!(" ({})", values.join("; ")))]);
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

#[cfg(test)]
mod tests {
    use orthrus_core::engine::options::OptionSpec;

    use super::*;
    use crate::option_text;

    #[test]
    fn the_manual_names_every_tool_and_option() {
        let page = companion(Companion::Man).unwrap().join("\n");
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
        assert_eq!(option_text::help("Threads"), help);
        let mut command = Args::command();
        for tool in ["analyse", "annotate", "epd"] {
            let tool = command.find_subcommand_mut(tool).unwrap();
            let page = tool.render_long_help().to_string();
            assert!(page.contains(help) && page.contains("table in MiB, 1 to "));
        }
    }

    #[test]
    fn xboard_reads_three_lines() {
        let lines = companion(Companion::Eng).unwrap();
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
            let text = companion(shell).unwrap().join("\n");
            assert!(text.contains("perft") && text.contains("divide"), "{text}");
        }
    }

    /// In comments names stand in backticks, and some comments become the help.
    #[test]
    fn the_manual_is_no_markdown() {
        let page = companion(Companion::Man).unwrap();
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
