//! Late move reductions: by how much moves late in the order are reduced.

use super::params;

const SIZE: usize = 64;

/// Grains in a ply. The terms of a reduction are added up before it is rounded.
pub(super) const GRAIN: i32 = 1024;

/// Reductions in grains by depth and number of the move.
pub(super) struct Reductions(Box<[[i32; SIZE]; SIZE]>);

impl Reductions {
    pub(super) fn new() -> Self {
        let base = f64::from(params::late_reduction_base()) / 100.0;
        let divisor = f64::from(params::late_reduction_divisor()) / 100.0;
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, grains) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *grains = (f64::from(GRAIN) * (base + product / divisor)) as i32;
            }
        }
        Self(table)
    }

    /// The reduction at this depth for the move with this number, from 1.
    #[inline]
    pub(super) fn grains(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}
