//! Late move reductions: the part that depends on depth and number of the move alone.

use super::params;

const SIZE: usize = 64;

/// Base reductions in 1024ths of a ply, by depth and number of the move. The terms of a reduction
/// are added up before it is rounded.
pub(super) struct Reductions(Box<[[i32; SIZE]; SIZE]>);

impl Reductions {
    /// The reductions for the present numbers of `params`.
    pub(super) fn new() -> Self {
        let base = f64::from(params::lmr_base()) / 100.0;
        let divisor = f64::from(params::lmr_divisor()) / 100.0;
        let mut reductions = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *reduction = (1024.0 * (base + product / divisor)) as i32;
            }
        }
        Self(reductions)
    }

    /// The reduction at this depth for the move with this number, from 1.
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}
