//! The losses of a training as a picture: loss (logarithmic) over positions visited.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_8X13;
use embedded_graphics::pixelcolor::{Rgb888, RgbColor as _, WebColors as _};
use embedded_graphics::prelude::{
    DrawTarget, Drawable as _, OriginDimensions, Point, Primitive as _, Size, Transform as _,
};
use embedded_graphics::primitives::{Line, Polyline, PrimitiveStyle};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

use super::log::Row;
use super::sample::Phase;

const WIDTH: u32 = 960;
const HEIGHT: u32 = 600;
/// The corners of the plotted area.
const LEFT: i32 = 80;
const RIGHT: i32 = WIDTH as i32 - 30;
const TOP: i32 = 30;
const BOTTOM: i32 = HEIGHT as i32 - 50;

const GRID: Rgb888 = Rgb888::CSS_GAINSBORO;

/// Draws the rows as a PNG file.
///
/// # Errors
///
/// If the picture cannot be encoded, which would be a fault of this program.
pub(crate) fn png(rows: &[Row]) -> Result<Vec<u8>, png::EncodingError> {
    let mut canvas = Canvas::new();
    match draw(&mut canvas, rows) {
        Ok(()) => canvas.encode(),
    }
}

/// A line of the plot.
struct Curve {
    name: String,
    color: Rgb888,
    points: Vec<(f64, f64)>,
}

fn draw(canvas: &mut Canvas, rows: &[Row]) -> Result<(), Infallible> {
    let curves = curves(rows);
    let points = curves.iter().flat_map(|curve| &curve.points);
    let losses = points.map(|&(_, loss)| loss);
    let (low, high) = losses.fold((f64::MAX, f64::MIN), |(low, high), loss| {
        (low.min(loss), high.max(loss))
    });
    if low <= high {
        let last = rows.last().map_or(1.0, |row| row.visits as f64);
        let scale = Scale {
            visits: last.max(1.0),
            low: low / 1.05,
            high: high * 1.05,
        };
        draw_grid(canvas, &scale)?;
        for curve in &curves {
            draw_curve(canvas, &scale, curve)?;
        }
    }
    draw_legend(canvas, &curves)
}

fn curves(rows: &[Row]) -> Vec<Curve> {
    let curve = |name: &str, color, loss: &dyn Fn(&Row) -> f64| Curve {
        name: name.to_owned(),
        color,
        points: rows
            .iter()
            .map(|row| (row.visits as f64, loss(row)))
            .filter(|(_, loss)| loss.is_finite() && *loss > 0.0)
            .collect(),
    };
    let mut curves = vec![
        curve("training", Rgb888::CSS_GRAY, &|row| row.training),
        curve("validation", Rgb888::BLACK, &|row| row.validation),
    ];
    let colors = [
        Rgb888::CSS_ROYAL_BLUE,
        Rgb888::CSS_DARK_ORANGE,
        Rgb888::CSS_FOREST_GREEN,
    ];
    for (phase, color) in Phase::ALL.into_iter().zip(colors) {
        curves.push(curve(phase.name(), color, &|row| {
            row.phases[phase as usize]
        }));
    }
    curves
}

/// Maps numbers to pixels.
struct Scale {
    /// The right end of the horizontal axis.
    visits: f64,
    /// The ends of the vertical axis, which is logarithmic.
    low: f64,
    high: f64,
}

impl Scale {
    fn place(&self, visits: f64, loss: f64) -> Point {
        let right = visits / self.visits * f64::from(RIGHT - LEFT);
        let up = (loss / self.low).ln() / (self.high / self.low).ln() * f64::from(BOTTOM - TOP);
        Point::new(LEFT + right.round() as i32, BOTTOM - up.round() as i32)
    }
}

fn draw_grid(canvas: &mut Canvas, scale: &Scale) -> Result<(), Infallible> {
    const STEPS: u32 = 5;
    let style = PrimitiveStyle::with_stroke(GRID, 1);
    for step in 0..=STEPS {
        let share = f64::from(step) / f64::from(STEPS);
        let visits = share * scale.visits;
        let loss = scale.low * (scale.high / scale.low).powf(share);

        let left = scale.place(0.0, loss);
        Line::new(left, Point::new(RIGHT, left.y))
            .into_styled(style)
            .draw(canvas)?;
        let label = format!("{loss:.5}");
        write(
            canvas,
            &label,
            left - Point::new(6, 0),
            Alignment::Right,
            Rgb888::BLACK,
        )?;

        let bottom = scale.place(visits, scale.low);
        Line::new(bottom, Point::new(bottom.x, TOP))
            .into_styled(style)
            .draw(canvas)?;
        let label = format!("{:.1} M", visits / 1e6);
        write(
            canvas,
            &label,
            bottom + Point::new(0, 14),
            Alignment::Center,
            Rgb888::BLACK,
        )?;
    }
    let below = Point::new(i32::midpoint(LEFT, RIGHT), BOTTOM + 34);
    write(
        canvas,
        "positions visited",
        below,
        Alignment::Center,
        Rgb888::BLACK,
    )
}

fn draw_curve(canvas: &mut Canvas, scale: &Scale, curve: &Curve) -> Result<(), Infallible> {
    let points: Vec<Point> = curve
        .points
        .iter()
        .map(|&(visits, loss)| scale.place(visits, loss))
        .collect();
    // Twice one pixel wide: the joints of wider lines overflow 32 bits in some places.
    for offset in [Point::new(0, 0), Point::new(0, 1)] {
        Polyline::new(&points)
            .translate(offset)
            .into_styled(PrimitiveStyle::with_stroke(curve.color, 1))
            .draw(canvas)?;
    }
    Ok(())
}

fn draw_legend(canvas: &mut Canvas, curves: &[Curve]) -> Result<(), Infallible> {
    let mut at = Point::new(LEFT, TOP / 2);
    write(canvas, "loss:", at, Alignment::Left, Rgb888::BLACK)?;
    at.x += 60;
    for curve in curves {
        write(canvas, &curve.name, at, Alignment::Left, curve.color)?;
        at.x += (curve.name.len() as i32 + 3) * FONT_8X13.character_size.width as i32;
    }
    Ok(())
}

fn write(
    canvas: &mut Canvas,
    text: &str,
    at: Point,
    alignment: Alignment,
    color: Rgb888,
) -> Result<(), Infallible> {
    let placement = TextStyleBuilder::new()
        .alignment(alignment)
        .baseline(Baseline::Middle)
        .build();
    let font = MonoTextStyle::new(&FONT_8X13, color);
    Text::with_text_style(text, at, font, placement).draw(canvas)?;
    Ok(())
}

/// A picture in memory.
struct Canvas {
    /// Red, green, blue of every pixel, row by row from the top.
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    fn new() -> Self {
        Self {
            pixels: vec![[255; 3]; (WIDTH * HEIGHT) as usize],
        }
    }

    fn encode(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, WIDTH, HEIGHT);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(WIDTH, HEIGHT)
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb888>>,
    {
        for Pixel(at, color) in pixels {
            let (x, y) = (at.x as u32, at.y as u32); // a negative place becomes a large one
            if x < WIDTH && y < HEIGHT {
                self.pixels[(y * WIDTH + x) as usize] = [color.r(), color.g(), color.b()];
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> (png::OutputInfo, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info, pixels)
    }

    #[test]
    fn draws_every_curve_in_its_color() {
        let rows: Vec<Row> = (1..=20_u32)
            .map(|n| {
                let loss = 0.1 / f64::from(n);
                Row {
                    visits: u64::from(n) * 1_000_000,
                    seconds: f64::from(n),
                    rate: 1e-3,
                    training: loss,
                    validation: loss * 1.2,
                    phases: [loss * 1.5, loss * 2.0, f64::NAN],
                    score: 0.01,
                    result: 0.1,
                }
            })
            .collect();
        let (info, pixels) = decode(&png(&rows).unwrap());
        assert_eq!((info.width, info.height), (WIDTH, HEIGHT));

        let area = |color: Rgb888| {
            let wanted = [color.r(), color.g(), color.b()];
            let (pixels, _) = pixels.as_chunks::<3>();
            let below_legend = pixels.iter().skip((WIDTH * TOP as u32) as usize);
            below_legend.filter(|&&pixel| pixel == wanted).count()
        };
        assert!(area(Rgb888::CSS_GRAY) > 500);
        assert!(area(Rgb888::CSS_ROYAL_BLUE) > 500);
        assert!(area(Rgb888::CSS_DARK_ORANGE) > 500);
        assert_eq!(area(Rgb888::CSS_FOREST_GREEN), 0, "has no losses");
    }

    #[test]
    fn curves_may_jump() {
        let mut random = fastrand::Rng::with_seed(1);
        let rows: Vec<Row> = (1..=500)
            .map(|n| {
                let mut loss = || 10_f64.powf(random.f64() * 12.0 - 10.0);
                Row {
                    visits: n * 1_000_000_000,
                    seconds: 1.0,
                    rate: 1e-3,
                    training: loss(),
                    validation: loss(),
                    phases: [loss(), f64::INFINITY, 0.0],
                    score: 0.01,
                    result: 0.1,
                }
            })
            .collect();
        for count in [1, 2, 3, 500] {
            let (info, _) = decode(&png(&rows[..count]).unwrap());
            assert_eq!((info.width, info.height), (WIDTH, HEIGHT));
        }
    }

    #[test]
    fn a_plot_of_nothing_is_a_picture_all_the_same() {
        let (info, _) = decode(&png(&[]).unwrap());
        assert_eq!((info.width, info.height), (WIDTH, HEIGHT));
    }
}
