//! Tells the program how it was built, which `compiler` shows, and gives it an icon and what
//! Windows shows as its properties.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Where the icon is, from this crate.
const ICON: &str = "../../docs/images/logo.ico";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=ORTHRUS_RUSTC={}", compiler());
    for name in ["TARGET", "PROFILE"] {
        let value = env::var(name).unwrap_or_else(|_| "unknown".to_owned());
        println!("cargo::rustc-env=ORTHRUS_{name}={value}");
    }
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    // Visual Studio's compiler of resources is not on the path.
    if target("OS") == "windows" && target("ENV") == "gnu" {
        add_resources(&target("ARCH"));
    }
}

/// Links the icon and the properties, if the tool is there that compiles them.
fn add_resources(architecture: &str) {
    println!("cargo::rerun-if-changed={ICON}");
    let set = |name: &str| env::var(name).expect("cargo sets it");
    let part = |name: &str| set(&format!("CARGO_PKG_VERSION_{name}"));
    let version = format!("{},{},{},0", part("MAJOR"), part("MINOR"), part("PATCH"));
    let text = set("CARGO_PKG_VERSION");
    let description = set("CARGO_PKG_DESCRIPTION");
    let authors = set("CARGO_PKG_AUTHORS");
    let licence = set("CARGO_PKG_LICENSE");
    // 040904B0: American English, in Unicode.
    let script = format!(
        r#"1 ICON "{ICON}"
1 VERSIONINFO
FILEVERSION {version}
PRODUCTVERSION {version}
BEGIN
    BLOCK "StringFileInfo"
    BEGIN
        BLOCK "040904B0"
        BEGIN
            VALUE "ProductName", "Orthrus"
            VALUE "FileDescription", "{description}"
            VALUE "FileVersion", "{text}"
            VALUE "ProductVersion", "{text}"
            VALUE "CompanyName", "{authors}"
            VALUE "LegalCopyright", "{authors}, {licence}"
            VALUE "OriginalFilename", "orthrus.exe"
        END
    END
    BLOCK "VarFileInfo"
    BEGIN
        VALUE "Translation", 0x409, 1200
    END
END
"#
    );
    let out = set("OUT_DIR");
    let [source, object] = ["resources.rc", "resources.o"].map(|name| Path::new(&out).join(name));
    fs::write(&source, script).expect("OUT_DIR is writable");
    let tools = [
        format!("{architecture}-w64-mingw32-windres"),
        "windres".to_owned(),
    ];
    for tool in &tools {
        let made = Command::new(tool).args([&source, &object]).status();
        if made.is_ok_and(|status| status.success()) {
            println!("cargo::rustc-link-arg-bins={}", object.display());
            return;
        }
    }
    println!("cargo::warning=no {}: the program has no icon", tools[0]);
}

/// Name and version of the compiler, or `unknown` if it does not say.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    match Command::new(rustc).arg("--version").output() {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}
