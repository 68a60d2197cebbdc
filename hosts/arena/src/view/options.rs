//! The options on the command line.

/// The help text.
pub(crate) const USAGE: &str = "\
A game in a window. Every event in it is a message.

Usage: arena [OPTIONS]

Options:
  --demo          Starts with the autopilot on (F2 toggles it)
  --inspect       Serves the inspector's page for a browser
  --load FILE     Continues a saved game
  --panel         Starts with the panel of pending messages open (F1 toggles it)
  --record FILE   Logs all inputs of the game
  --replay FILE   Replays a game from such a log
  --samples N     Antialiases with N samples. Default: 4
  --save FILE     The file to which F5 saves the game. Default: arena.save
  --seed N        The seed of the game
  --size WxH      The size of the window. Default: 1200x720
  --still FRAMES  Plays FRAMES frames at once and shows the last one, for pictures
  --help          Prints this text";

/// The options of the program.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) demo: bool,
    pub(crate) inspect: bool,
    pub(crate) panel: bool,
    pub(crate) load: Option<String>,
    pub(crate) record: Option<String>,
    pub(crate) replay: Option<String>,
    pub(crate) samples: i32,
    pub(crate) still: Option<u32>,
    pub(crate) save: Option<String>,
    pub(crate) seed: u64,
    pub(crate) size: (i32, i32),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            demo: false,
            inspect: false,
            panel: false,
            load: None,
            record: None,
            replay: None,
            samples: 4,
            still: None,
            save: None,
            seed: 7,
            size: (1200, 720),
        }
    }
}

impl Options {
    /// Parses the arguments after the name of the program. Returns `None` if the help is requested.
    pub(crate) fn parse(
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Option<Self>, String> {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(option) = arguments.next() {
            let mut value = || {
                let next = arguments.next();
                next.ok_or_else(|| format!("`{option}` has no value"))
            };
            match option.as_str() {
                "--help" | "-h" => return Ok(None),
                "--demo" => options.demo = true,
                "--inspect" => options.inspect = true,
                "--panel" => options.panel = true,
                "--load" => options.load = Some(value()?),
                "--record" => options.record = Some(value()?),
                "--replay" => options.replay = Some(value()?),
                "--still" => {
                    let text = value()?;
                    let frames = text.parse();
                    let wrong = |_| format!("`--still {text}`: expected a number");
                    options.still = Some(frames.map_err(wrong)?);
                }
                "--samples" => {
                    let text = value()?;
                    let samples = text.parse();
                    options.samples =
                        samples.map_err(|_| format!("`--samples {text}`: expected a number"))?;
                }
                "--save" => options.save = Some(value()?),
                "--seed" => {
                    let text = value()?;
                    let seed = text.parse();
                    options.seed =
                        seed.map_err(|_| format!("`--seed {text}`: expected a number"))?;
                }
                "--size" => {
                    let text = value()?;
                    let size = text.split_once('x').and_then(|(width, height)| {
                        Some((width.parse().ok()?, height.parse().ok()?))
                    });
                    let wrong = || format!("`--size {text}`: expected two numbers, as `1200x720`");
                    options.size = size.ok_or_else(wrong)?;
                }
                _ => {
                    return Err(format!(
                        "unknown option `{option}`: `--help` lists all of them"
                    ));
                }
            }
        }
        Ok(Some(options))
    }
}
