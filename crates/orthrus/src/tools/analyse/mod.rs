//! `orthrus analyse`: one position, for people.

mod view;

use std::ops::ControlFlow;

use console::Term;
use orthrus_core::engine::Environment;
use orthrus_core::engine::options::OptionChange;

use self::view::{Medium, View};
use super::analyst::Analyst;
use crate::args::AnalyseArgs;
use crate::failure::Failure;

/// Analyses a position until a limit or Ctrl-C, and reports what is found as it is found.
pub(crate) fn analyse(args: &AnalyseArgs, environment: Environment) -> Result<(), Failure> {
    let game = args.position.game()?;
    let position = game.position();
    let term = Term::stdout();
    let medium = match args.json {
        true => Medium::Json,
        false if term.is_term() => Medium::live(term),
        false => Medium::Plain,
    };
    let mut view = View::new(position, medium);
    view.begin()?;
    if !position.has_legal_move() {
        return Ok(view.end(None)?);
    }
    let mut analyst = Analyst::start(&args.search, None, environment)?;
    if let Some(setting) = args.multipv.clone().and_then(OptionChange::engine) {
        analyst.set(setting);
    }
    let mut shown = Ok(());
    let analysis = analyst.search(&game, |info| {
        shown = match info {
            Some(info) => view.info(info),
            None => view.idle(),
        };
        match shown {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    shown?;
    view.end(Some(&analysis))?;
    analyst.show_notices();
    Ok(())
}
