//! Changes the fields of a type by a setting, and by a source that it generates.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["CLIMATE_STORMY", "CLIMATE_DEEP"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rustc-check-cfg=cfg(stormy)");
    if env::var_os("CLIMATE_STORMY").is_some() {
        println!("cargo:rustc-cfg=stormy");
    }
    let depth = match env::var_os("CLIMATE_DEEP") {
        Some(_) => "u64",
        None => "u32",
    };
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let text = format!("pub type Depth = {depth};\n");
    fs::write(folder.join("depth.rs"), text)
}
