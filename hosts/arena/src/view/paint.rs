//! Drawing in the units of a virtual screen, regardless of the size of the window, and additive light.

use arena::Vector;
use macroquad::prelude::*;

/// The width of the virtual screen.
pub(crate) const WIDTH: f32 = 1200.0;
/// The height of the virtual screen.
pub(crate) const HEIGHT: f32 = 720.0;
/// The top of the arena on the virtual screen.
pub(crate) const TOP: f32 = 44.0;

/// The letters that are drawn in each size.
const LETTERS: [(f32, &str); 8] = [
    (16.0, ASCII),
    (20.0, ASCII),
    (22.0, ASCII),
    (24.0, ASCII),
    (30.0, "SLOW TIME 0123456789"),
    (34.0, "ARENA"),
    (72.0, "SHIP LOST PAUSED"),
    (80.0, "WAVE 0123456789"),
];
const ASCII: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

const VERTEX: &str = "#version 100
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
varying lowp vec2 uv;
varying lowp vec4 color;
uniform mat4 Model;
uniform mat4 Projection;
void main() {
    gl_Position = Projection * Model * vec4(position, 1);
    color = color0 / 255.0;
    uv = texcoord;
}";

const FRAGMENT: &str = "#version 100
varying lowp vec4 color;
varying lowp vec2 uv;
uniform sampler2D Texture;
void main() {
    gl_FragColor = color * texture2D(Texture, uv);
}";

/// The resources for drawing.
pub(crate) struct Paint {
    light: Material,
    halo: Texture2D,
    scale: f32,
    left: f32,
    top: f32,
    /// The offset of everything that shakes.
    shake: Vec2,
}

/// Returns the same colour with this opacity.
pub(crate) fn faded(color: Color, alpha: f32) -> Color {
    Color {
        a: color.a * alpha.clamp(0.0, 1.0),
        ..color
    }
}

/// Creates a round spot of light that fades to its rim.
fn halo() -> Texture2D {
    const SIZE: u16 = 64;
    let mut image = Image::gen_image_color(SIZE, SIZE, BLANK);
    let middle = f32::from(SIZE) / 2.0;
    for y in 0..SIZE {
        for x in 0..SIZE {
            let off = vec2(f32::from(x) + 0.5 - middle, f32::from(y) + 0.5 - middle);
            let far = (off.length() / middle).min(1.0);
            let light = (1.0 - far).powi(2);
            image.set_pixel(x.into(), y.into(), Color::new(1.0, 1.0, 1.0, light));
        }
    }
    let texture = Texture2D::from_image(&image);
    texture.set_filter(FilterMode::Linear);
    texture
}

impl Paint {
    pub(crate) fn new() -> Result<Self, macroquad::Error> {
        use macroquad::miniquad::{BlendFactor, BlendState, BlendValue, Equation};
        let source = ShaderSource::Glsl {
            vertex: VERTEX,
            fragment: FRAGMENT,
        };
        let adds = BlendState::new(
            Equation::Add,
            BlendFactor::Value(BlendValue::SourceAlpha),
            BlendFactor::One,
        );
        let params = MaterialParams {
            pipeline_params: PipelineParams {
                color_blend: Some(adds),
                ..Default::default()
            },
            ..Default::default()
        };
        let mut paint = Self {
            light: load_material(source, params)?,
            halo: halo(),
            scale: 0.0,
            left: 0.0,
            top: 0.0,
            shake: Vec2::ZERO,
        };
        paint.fit(Vec2::ZERO);
        Ok(paint)
    }

    /// Fits the virtual screen into the window.
    pub(crate) fn fit(&mut self, shake: Vec2) {
        let (width, height) = (screen_width(), screen_height());
        let scale = (width / WIDTH).min(height / HEIGHT);
        if self.scale.to_bits() != scale.to_bits() {
            self.scale = scale;
            self.prepare_letters();
        }
        self.left = ((width - WIDTH * self.scale) / 2.0).round();
        self.top = ((height - HEIGHT * self.scale) / 2.0).round();
        self.shake = shake;
    }

    /// Puts all letters into macroquad's texture before anything is drawn. If the texture became too small in the middle
    /// of a frame, macroquad would replace it, and the frame would be drawn with one that is deleted.
    fn prepare_letters(&self) {
        let font = get_default_font();
        for (size, letters) in LETTERS {
            let letters: Vec<char> = letters.chars().collect();
            font.populate_font_cache(&letters, self.pixels(size));
        }
    }

    /// Returns the size of letters in the window.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is small"
    )]
    fn pixels(&self, size: f32) -> u16 {
        (size * self.scale).round().max(1.0) as u16
    }

    /// Draws light, which is added to the existing colours, until [`matter`](Self::matter) is called.
    pub(crate) fn light(&self) {
        gl_use_material(&self.light);
    }

    /// Draws opaquely from now on.
    #[expect(clippy::unused_self, reason = "it is the end of `light`")]
    pub(crate) fn matter(&self) {
        gl_use_default_material();
    }

    /// Converts a position in the window to one in the arena.
    pub(crate) fn in_arena(&self, (x, y): (f32, f32)) -> Vector {
        Vector::new(
            (x - self.left) / self.scale,
            (y - self.top) / self.scale - TOP,
        )
    }

    fn at(&self, place: Vector) -> Vec2 {
        vec2(
            self.left + (place.x + self.shake.x) * self.scale,
            self.top + (place.y + TOP + self.shake.y) * self.scale,
        )
    }

    /// Draws a line in the arena.
    pub(crate) fn line(&self, from: Vector, to: Vector, thickness: f32, color: Color) {
        let (from, to) = (self.at(from), self.at(to));
        draw_line(from.x, from.y, to.x, to.y, thickness * self.scale, color);
    }

    /// Draws a glowing line.
    pub(crate) fn neon(&self, from: Vector, to: Vector, color: Color) {
        self.line(from, to, 9.0, faded(color, 0.10));
        self.line(from, to, 4.5, faded(color, 0.22));
        self.line(from, to, 2.0, color);
    }

    /// Draws a closed glowing figure: its corners are relative to a place, rotated so that `facing` is up.
    pub(crate) fn figure(&self, at: Vector, facing: Vector, corners: &[(f32, f32)], color: Color) {
        let side = facing.turned();
        let corner = |&(x, y): &(f32, f32)| at + side * x + facing * y;
        let next = corners.iter().cycle().skip(1);
        for (from, to) in corners.iter().zip(next) {
            self.neon(corner(from), corner(to), color);
        }
    }

    /// Draws a spot of light.
    pub(crate) fn glow(&self, at: Vector, radius: f32, color: Color) {
        let at = self.at(at);
        let size = 2.0 * radius * self.scale;
        let params = DrawTextureParams {
            dest_size: Some(vec2(size, size)),
            ..Default::default()
        };
        draw_texture_ex(
            &self.halo,
            at.x - size / 2.0,
            at.y - size / 2.0,
            color,
            params,
        );
    }

    /// Draws a part of a circle, from 0 to 1, clockwise from the top.
    pub(crate) fn arc(&self, at: Vector, radius: f32, part: f32, thickness: f32, color: Color) {
        const STEPS: u16 = 40;
        let point = |step: u16| {
            let angle = std::f32::consts::TAU * part * f32::from(step) / f32::from(STEPS);
            at + Vector::new(angle.sin(), -angle.cos()) * radius
        };
        for step in 0..STEPS {
            self.line(point(step), point(step + 1), thickness, color);
        }
    }

    /// Draws a glowing circle.
    pub(crate) fn ring(&self, at: Vector, radius: f32, color: Color) {
        self.arc(at, radius, 1.0, 7.0, faded(color, 0.15));
        self.arc(at, radius, 1.0, 2.0, color);
    }

    /// Draws a filled rectangle on the virtual screen.
    pub(crate) fn area(&self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        draw_rectangle(
            self.left + x * self.scale,
            self.top + y * self.scale,
            width * self.scale,
            height * self.scale,
            color,
        );
    }

    /// Draws the outline of a rectangle on the virtual screen.
    pub(crate) fn frame(&self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        draw_rectangle_lines(
            self.left + x * self.scale,
            self.top + y * self.scale,
            width * self.scale,
            height * self.scale,
            2.0 * self.scale,
            color,
        );
    }

    /// Draws text on the virtual screen. Returns where it ends.
    pub(crate) fn text(&self, text: &str, x: f32, y: f32, size: f32, color: Color) -> f32 {
        let params = TextParams {
            font_size: self.pixels(size),
            color,
            ..Default::default()
        };
        let (left, top) = (self.left + x * self.scale, self.top + y * self.scale);
        let drawn = draw_text_ex(text, left.round(), top.round(), params);
        x + drawn.width / self.scale
    }

    /// Draws text on the virtual screen, centred horizontally.
    pub(crate) fn centred(&self, text: &str, x: f32, y: f32, size: f32, color: Color) {
        let width = measure_text(text, None, self.pixels(size), 1.0).width / self.scale;
        self.text(text, x - width / 2.0, y, size, color);
    }

    /// Draws text at a position in the arena.
    pub(crate) fn label(&self, text: &str, at: Vector, size: f32, color: Color) {
        self.centred(text, at.x, at.y + TOP, size, color);
    }
}
