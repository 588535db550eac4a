//! Analyze mode (section 12), and the moves that are not to be considered (section 8).

use std::time::Instant;

use orthrus_core::engine::Command;

use super::{Analysis, Cecp, CommandError, Mode};
use crate::parse::Moves;

impl Cecp {
    pub(crate) fn serve_analysis(
        &mut self,
        now: Instant,
        analysis: Analysis<'_>,
    ) -> Result<(), CommandError> {
        match analysis {
            Analysis::Enter => self.enter_analysis(now)?,
            Analysis::Exit => self.exit_analysis()?,
            Analysis::Status if self.settings.tells_status() => {
                self.commands.push_back(Command::Progress);
            }
            Analysis::Status => {}
            Analysis::Exclude(Moves::All) => self.board.exclude_all(),
            Analysis::Exclude(Moves::One(text)) => self.board.exclude(text)?,
            Analysis::Include(Moves::All) => self.board.include_all(),
            Analysis::Include(Moves::One(text)) => self.board.include(text)?,
        }
        if matches!(analysis, Analysis::Exclude(_) | Analysis::Include(_)) {
            self.root_moves_changed(now);
        }
        Ok(())
    }

    fn enter_analysis(&mut self, now: Instant) -> Result<(), CommandError> {
        self.board.settle_turn()?;
        self.stop_search();
        self.clocks.stop(now);
        self.draw_offered = false;
        self.mode = Mode::Analysing;
        self.analyse(now);
        Ok(())
    }

    fn exit_analysis(&mut self) -> Result<(), CommandError> {
        if !matches!(self.mode, Mode::Analysing) {
            return Err(CommandError::NotNow);
        }
        self.stop_search();
        self.mode = Mode::Force;
        Ok(())
    }

    /// Restarts a search of the position on the board with the moves that are left. While the
    /// engine is thinking about its move, excluding the last one has no effect.
    fn root_moves_changed(&mut self, now: Instant) {
        match &mut self.mode {
            Mode::Analysing => self.analyse(now),
            Mode::Thinking { limits, hurry } if !self.board.excludes_all() => {
                limits.search_moves = self.board.search_moves();
                let (limits, hurry) = (limits.as_ref().clone(), *hurry);
                self.search(self.board.game().clone(), limits);
                if hurry {
                    self.commands.push_back(Command::Stop);
                }
            }
            _ => {}
        }
    }
}
