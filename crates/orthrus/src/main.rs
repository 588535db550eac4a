//! Orthrus, the binary: the only part that touches standard input and output, the environment and
//! the exit code.
//!
//! - [`args`]: the command line; [`failure`]: why nothing came of it
//! - [`board`]: the board for people
//! - [`driver`]: the loop between user, front end and engine
//! - [`input`], [`script`]: lines from the user, or from the command line; [`output`]: lines to the
//!   user; [`streams`]: what both go through
//! - [`detect`]: the first line picks the protocol; [`prompt`] is what a person may type
//! - [`results`]: bench, perft and the like as text
//! - [`mod@environment`]: the processor, the program's folder, and a seed
//! - [`tools`]: what is done instead of a conversation
//! - [`text`], [`option_text`]: text for people and programs; `code_page`: text of Windows
//! - [`logging`]: what is kept of a conversation; [`signals`]

mod args;
mod board;
#[cfg(windows)]
mod code_page;
mod detect;
mod driver;
mod environment;
mod failure;
mod input;
mod logging;
mod option_text;
mod output;
mod prompt;
mod results;
mod script;
mod signals;
mod streams;
mod text;
mod tools;

use std::convert::Infallible;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, bounded, never};
use orthrus_cecp::Cecp;
use orthrus_core::VERSION;
use orthrus_core::bench::DEFAULT_DEPTH;
use orthrus_core::engine::{self, EngineHandle, StartError, Task};
use orthrus_core::evaluation::Evaluation;
use orthrus_core::fen;
use orthrus_core::frontend::Frontend;
use orthrus_core::position::Position;
use orthrus_core::search::on_search_stack;

use args::{Args, BookTool, Tool};
use detect::Protocol;
use driver::{Backlog, Driver};
use environment::{cpu_level, environment};
use failure::Failure;
use input::Input;
use logging::Transcript;
use output::Output;
use prompt::{LICENSE, Prompt};
use script::Script;
use text::printable;
use tools::genfens::Genfens;
use tools::output::print;
use tools::{analyse, annotate, book, epd, experience, manual, play};

fn main() -> ExitCode {
    match run(Args::from_command_line()) {
        Ok(()) => ExitCode::SUCCESS,
        // A user who has closed our output has left: that is no failure.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            log::info!("standard output failed: {error}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(io::stderr(), "orthrus: {}", printable(&error.to_string()));
            // As clap has it for what it refuses.
            ExitCode::from(if error.is_usage() { 2 } else { 1 })
        }
    }
}

fn run(args: Args) -> Result<(), Failure> {
    signals::ignore_size_limit();
    environment::allow_open_files();
    if let Err(source) = logging::start(args.log_file.as_deref()) {
        let file = args.log_file.unwrap_or_default();
        return Err(Failure::Log { file, source });
    }
    let lines = match args.tool {
        None => return talk(args.protocol),
        Some(Tool::Uci { lines }) if lines.is_empty() => return talk(Some(Protocol::Uci)),
        Some(Tool::Xboard) => return talk(Some(Protocol::Cecp)),
        Some(Tool::Uci { lines }) => {
            let script = Script::new(&lines);
            return converse(Some(Protocol::Uci), never(), never(), Some(script));
        }
        Some(Tool::Analyse(args)) => return analyse::analyse(&args, environment()),
        Some(Tool::Annotate(args)) => return annotate::annotate(&args, environment()),
        Some(Tool::Play(args)) => return play::play(&args, environment()),
        Some(Tool::Epd(args)) => return epd::solve_suites(&args, environment()),
        Some(Tool::Genfens { words }) => {
            return Genfens::parse(&words)?.run(cpu_level(), &mut io::stdout());
        }
        Some(Tool::Bench { depth, game }) => {
            let task = Task::Bench(depth.unwrap_or(DEFAULT_DEPTH));
            perform(task, &fen::start(game.variant))?
        }
        Some(Tool::Perft {
            depth,
            position,
            divide,
        }) => {
            let mut lines = perform(Task::Perft(depth), position.game()?.position())?;
            if !divide {
                lines.drain(..lines.len().saturating_sub(1));
            }
            lines
        }
        Some(Tool::Book(BookTool::Make(args))) => book::make(&args)?,
        Some(Tool::Book(BookTool::Show(args))) => book::show(&args)?,
        Some(Tool::Experience(tool)) => experience::run(tool)?,
        Some(Tool::Version) => vec![format!("orthrus {VERSION}")],
        Some(Tool::License) => LICENSE.lines().map(str::to_owned).collect(),
        Some(Tool::Options) => manual::option_table(),
        Some(Tool::Companion { file }) => manual::companion(file)?,
    };
    Ok(print(&lines)?)
}

/// Does a task without a conversation, and returns the lines of its result.
fn perform(task: Task, position: &Position) -> Result<Vec<String>, Failure> {
    let evaluation = || Evaluation::standard(cpu_level());
    let done = on_search_stack(|| task.run(position, evaluation, &Arc::default()));
    let result = done.map_err(Failure::Thread)??;
    Ok(results::lines(&result, false))
}

/// Talks to a user until either side ends it.
fn talk(protocol: Option<Protocol>) -> Result<(), Failure> {
    let (sender, input) = bounded(input::WAITING_LINES);
    // Not joined: it may sit in a blocking read when everything else has ended.
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || input::read(streams::stdin(), &sender))
        .map_err(StartError::from)?;
    let hangup = input::hangup().map_err(StartError::from)?;
    converse(protocol, input, hangup, None)
}

/// Lets a user or a script talk to an engine in this protocol, or in the one that the first line
/// decides, until either side ends it.
fn converse(
    protocol: Option<Protocol>,
    input: Receiver<Input>,
    hangup: Receiver<Infallible>,
    script: Option<Script>,
) -> Result<(), Failure> {
    let EngineHandle {
        commands,
        events,
        thread,
    } = engine::spawn(environment()).map_err(StartError::from)?;
    let undecided = || Box::new(Prompt::undecided(io::stdin().is_terminal())) as _;
    let driver = Driver {
        frontend: protocol.map_or_else(undecided, make_head),
        detect: match protocol {
            Some(_) => None,
            None => Some(|line| detect::recognise(line).map(make_head)),
        },
        input,
        hangup,
        script,
        commands,
        events,
        output: Output::start(streams::stdout(), output::write_at_once)
            .map_err(StartError::from)?,
        backlog: Backlog::default(),
        transcript: Transcript::new(),
    };
    let ending = driver.run();
    if ending.engine_has_ended {
        match thread.join() {
            Ok(ended) => ended?,
            Err(_) => log::error!("the engine has panicked"),
        }
    }
    Ok(ending.written?)
}

fn make_head(protocol: Protocol) -> Box<dyn Frontend> {
    log::debug!("the protocol is {protocol:?}");
    match protocol {
        Protocol::Uci => Box::new(Prompt::uci(io::stdin().is_terminal())),
        Protocol::Cecp => {
            let mut head = Cecp::default();
            // A person who has typed the first line may still use Ctrl-C.
            if io::stdin().is_terminal() {
                head.greet();
            } else {
                signals::ignore_interrupts();
            }
            Box::new(head)
        }
    }
}
