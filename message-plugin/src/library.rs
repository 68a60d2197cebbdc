//! Checks whether bytes are a complete library for this machine.

use object::{Architecture, BinaryFormat, Object, ObjectKind, ObjectSection, ObjectSegment};

/// Describes what is wrong with the bytes of a library for this machine, or returns `None` if nothing is.
pub(crate) fn flaw(bytes: &[u8]) -> Option<String> {
    let file = match object::File::parse(bytes) {
        Ok(file) => file,
        Err(error) => {
            let length = bytes.len();
            return Some(format!(
                "{length} bytes that are not a library, or only a part of one ({error})"
            ));
        }
    };
    if file.format() != native() {
        return Some(format!("a file of the format {:?}", file.format()));
    }
    if let Some(ours) = architecture()
        && file.architecture() != ours
    {
        return Some(format!("a library for {:?}", file.architecture()));
    }
    // A position-independent program looks like a library, but it names its loader.
    if file.kind() != ObjectKind::Dynamic || file.section_by_name(".interp").is_some() {
        let kind = match file.kind() {
            ObjectKind::Dynamic | ObjectKind::Executable => "a program",
            ObjectKind::Relocatable => "an object file that is not linked",
            _ => "a file of another kind",
        };
        return Some(kind.to_owned());
    }
    let is_cut = file.segments().any(|it| it.data().is_err())
        || file.sections().any(|it| it.data().is_err());
    is_cut.then(|| format!("the first {} bytes of a longer library", bytes.len()))
}

/// Describes the expected file.
pub(crate) fn expected() -> String {
    let arch = std::env::consts::ARCH;
    format!("a whole shared library for {arch} ({:?})", native())
}

fn native() -> BinaryFormat {
    if cfg!(windows) {
        BinaryFormat::Pe
    } else if cfg!(target_vendor = "apple") {
        BinaryFormat::MachO
    } else {
        BinaryFormat::Elf
    }
}

fn architecture() -> Option<Architecture> {
    match std::env::consts::ARCH {
        "x86_64" => Some(Architecture::X86_64),
        "aarch64" => Some(Architecture::Aarch64),
        "x86" => Some(Architecture::I386),
        "arm" => Some(Architecture::Arm),
        "riscv64" => Some(Architecture::Riscv64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: plugins.file-refused
    #[test]
    fn a_text_is_no_library() {
        let flaw = flaw(b"hello").expect("it is a text");
        assert!(flaw.starts_with("5 bytes that are not a library"), "{flaw}");
    }

    // holds: plugins.file-refused
    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_is_no_library() -> std::io::Result<()> {
        let bytes = std::fs::read(std::env::current_exe()?)?;
        assert_eq!(flaw(&bytes).as_deref(), Some("a program"));
        Ok(())
    }
}
