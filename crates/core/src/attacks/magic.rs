//! Magic multiplication on plain numbers: squares are 0 to 63, sets of squares are `u64`.
//!
//! The build script includes this file to compute the tables that [`super::sliders`] reads, since
//! the compiler's own evaluation of them would take a minute. It therefore uses no other module.

/// The four lines through a square, as steps of (files, ranks).
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Which two of the four lines a rook uses.
pub(crate) const ROOK: [usize; 2] = [0, 1];
/// Which two of the four lines a bishop uses.
pub(crate) const BISHOP: [usize; 2] = [2, 3];

/// The squares seen from `square` along one line, both ways, up to and including the first of
/// the `occupied` ones.
pub(crate) const fn along(line: usize, square: u8, occupied: u64) -> u64 {
    let (files, ranks) = DIRECTIONS[line];
    let mut attacks = 0;
    let mut sign = -1;
    while sign <= 1 {
        let mut file = (square & 7) as i8 + files * sign;
        let mut rank = (square >> 3) as i8 + ranks * sign;
        while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            let bit = 1 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += files * sign;
            rank += ranks * sign;
        }
        sign += 2;
    }
    attacks
}

/// The squares attacked from `square` along two lines.
pub(crate) const fn rays(lines: [usize; 2], square: u8, occupied: u64) -> u64 {
    along(lines[0], square, occupied) | along(lines[1], square, occupied)
}

/// How one square finds its row in the attack table.
#[derive(Clone, Copy)]
pub(crate) struct Magic {
    /// The squares whose occupation matters: the rays without the last square of each.
    pub(crate) mask: u64,
    factor: u64,
    /// 64 minus the number of squares in the mask.
    shift: u32,
    /// Where the attacks of this square begin in the table.
    offset: usize,
}

impl Magic {
    /// Where the table holds the attacks with these `occupied` squares.
    #[inline]
    pub(crate) const fn index(&self, occupied: u64) -> usize {
        self.offset + ((occupied & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

/// The rays without the board's edge, where a piece blocks nothing, unless the ray runs along it.
const fn relevant(lines: [usize; 2], square: u8) -> u64 {
    const FIRST_RANK: u64 = 0xff;
    const A_FILE: u64 = 0x0101010101010101;
    let ranks = (FIRST_RANK | FIRST_RANK << 56) & !(FIRST_RANK << (square / 8 * 8));
    let files = (A_FILE | A_FILE << 7) & !(A_FILE << (square % 8));
    rays(lines, square, 0) & !(ranks | files)
}

/// The magics of all squares for a piece that uses these lines.
pub(crate) const fn magics(lines: [usize; 2], factors: &[u64; 64]) -> [Magic; 64] {
    let mut magics = [Magic {
        mask: 0,
        factor: 0,
        shift: 0,
        offset: 0,
    }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(lines, square as u8);
        let shift = 64 - mask.count_ones();
        magics[square] = Magic {
            mask,
            factor: factors[square],
            shift,
            offset,
        };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    magics
}

// Found by trying sparse random numbers; the test in sliders.rs proves that no two sets of blockers
// with different attacks share an index.
#[rustfmt::skip]
pub(crate) const ROOK_FACTORS: [u64; 64] = [
    0x0280038860400010, 0x098020004000b080, 0x2100110008402002, 0x0880080081041000,
    0x0200020020041008, 0x2300040008010012, 0x0c00283004008201, 0x0180010000407a80,
    0x0168800080400020, 0x0010400040201000, 0x1001002001001048, 0x1001002408100100,
    0x0801000408010012, 0x4001000209000400, 0x08a20004c8020001, 0x2002801145002280,
    0x0080860021004200, 0x001000c009402002, 0x00b0002004002800, 0x100a808010020800,
    0x8101010008000410, 0x0244008002000480, 0x0000040010810208, 0x2000020000448534,
    0x4104400480008033, 0x0000810100204000, 0x0440430900200010, 0x4600240900100100,
    0x0060080080040080, 0x0001000300080400, 0x0004084400011002, 0x0023040200008041,
    0x0580050043002080, 0x0400804002802008, 0x0001002001004010, 0x1000200901001000,
    0x4410800801800c00, 0xa012003806001004, 0x0020100104008802, 0x0004808402000041,
    0x0010400170898000, 0x0080500020004004, 0x1040408012020020, 0x8010040008004040,
    0x2001080100110004, 0x0000020004008080, 0x0021010810040002, 0x0800008c43020024,
    0x0000800021005100, 0x0070201040008080, 0x0000d04282006a00, 0x0010014400080240,
    0x0001080110050100, 0x0012000810240600, 0x0402000801040200, 0x028100108a004100,
    0x0050800300102045, 0x8208210040120882, 0x8010600101183441, 0x020b000910006045,
    0x0241001002480005, 0x0081000400880241, 0x0000009008024124, 0x0048122980410402,
];
#[rustfmt::skip]
pub(crate) const BISHOP_FACTORS: [u64; 64] = [
    0x8008029802002200, 0x4291040808802804, 0x0008180040800300, 0x00088a0202aa1050,
    0x000410a800000000, 0x0009100804040009, 0x0801140121080011, 0xa040808400824000,
    0x000008a004040048, 0x0600200440808114, 0x2020410401204403, 0x000404106200c001,
    0x0100011040800026, 0x00080088200a0820, 0x0008004804642080, 0x4000004402981800,
    0x0710002220020088, 0x2010808202020402, 0x8010080844002820, 0x800c000124028000,
    0x0002000422010040, 0x6438402200422000, 0x0010a1004c0c2000, 0x000a00e109010190,
    0x08022010400414c0, 0x8428022220240101, 0x0008088004040010, 0x0008080000220020,
    0x0421010000104000, 0x219102082500a000, 0x0018008042120150, 0x02108020a09c0402,
    0x301c202000890208, 0xa004022000080100, 0x100c024100881200, 0x8000080800460a00,
    0x1004010804440040, 0x420c920080041000, 0x05018c0114440100, 0x00040100308a0080,
    0x0020821042801000, 0x0202026120001c02, 0x0002001044000800, 0x20aa844200800801,
    0x0000012011001200, 0x0860209008808042, 0x0008100080a80200, 0x0808020050420201,
    0x00051c0104c00000, 0x0000840108820022, 0x000a461842080004, 0x2400400914880002,
    0x00040040102481b4, 0x2104a14202020060, 0x0004081041020060, 0x00a0840082005100,
    0x0000412210101482, 0x0108504208042210, 0x000020044c040405, 0x4140050206051401,
    0x0122008051820200, 0x0082800428109100, 0x9104042454440401, 0x141e200c00820848,
];
