# The step `platforms` of tests/run, which sources this file: Orthrus is built for other systems, and
# runs under Wine and QEMU; for a Mac it is only checked by the compiler.

windows=x86_64-pc-windows-gnu
arm=aarch64-unknown-linux-musl
mac=aarch64-apple-darwin

# Where rustup cannot get a standard library, Debian's compiler builds it from its source, and links
# with the C library of Debian's cross compiler.
debian_rustc=/usr/bin/rustc
debian_source=/usr/lib/rustlib/src/rust/library
arm_from_source=aarch64-unknown-linux-gnu

has_standard_library() {
    [ -d "$(rustc --print target-libdir --target "$1" 2>/dev/null)" ]
}

has_source() {
    [ -x "$debian_rustc" ] && [ -e "$debian_source/std/Cargo.toml" ]
}

# Debian's packages that the step needs and that are missing, into `missing`, an array of the caller.
platform_packages() {
    command -v x86_64-w64-mingw32-gcc >/dev/null || missing+=(gcc-mingw-w64-x86-64)
    command -v wine >/dev/null || missing+=(wine wine64)
    command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    for system in $windows $arm $mac; do
        has_standard_library "$system" || rustup --quiet target add "$system" 2>/dev/null
    done
    if ! has_standard_library $windows || ! has_standard_library $arm; then
        has_source || missing+=(rustc-web rust-web-src)
        command -v aarch64-linux-gnu-gcc >/dev/null ||
            missing+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
    fi
}

# for_system SYSTEM COMMAND...: the command, with cargo building for another system.
for_system() {
    local -x CARGO_BUILD_TARGET=$1
    shift
    if ! has_standard_library "$CARGO_BUILD_TARGET"; then
        local -x RUSTC=$debian_rustc RUSTC_BOOTSTRAP=1
        local -x CARGO_UNSTABLE_BUILD_STD=std,panic_abort,panic_unwind,test
    fi
    "$@"
}

# can_run SYSTEM PROGRAM...: whether the system can be built for, and the programs are there that run
# what is built; if not, its tests are skipped by name.
can_run() {
    local system=$1 program
    shift
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            skip "platforms $system" "$program is not installed"
            return 1
        fi
    done
    if ! has_standard_library "$system" && ! has_source; then
        skip "platforms $system" "no standard library for it"
        return 1
    fi
}

# The first program starts Wine's services, which then keep its output open as long as any program
# runs: this one, which waits for input.
keep_services() {
    exec {services}> >(exec tests/platforms/wine "$1" >/dev/null 2>&1)
    services_process=$!
}

release_services() {
    exec {services}>&-
    kill "$services_process" 2>/dev/null || true
    wait "$services_process" 2>/dev/null || true
}

run_windows() {
    can_run $windows x86_64-w64-mingw32-gcc wine || return
    local binary=$target/$windows/release/orthrus.exe
    local -x CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$PWD/tests/platforms/wine
    check windows-build for_system $windows cargo build --quiet --release --package orthrus
    keep_services "$binary"
    check windows-bench tests/check-bench tests/platforms/wine "$binary"
    for_system $windows run_tests windows-core --package orthrus-core --lib
    # Wine shows the root folder as the drive Z.
    ORTHRUS_BIN=Z:${binary//\//\\} for_system $windows run_tests windows-process \
        --package orthrus --package orthrus-tests --bin orthrus \
        --test process --test command_line --test tools --test book_tools --test windows
    # Chess programs start a file.
    local orthrus=$PWD/$artifacts/orthrus-windows
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$PWD/tests/platforms/wine" "$binary" >"$orthrus"
    chmod +x "$orthrus"
    release_services
    if .venv/bin/python -c 'import chess.engine' 2>/dev/null; then
        # Whatever has become of the first in the tests before.
        keep_services "$binary"
        check windows-games .venv/bin/python tests/clients/run.py --engine "$orthrus" \
            test_python_chess.Uci.test_games_against_itself \
            test_python_chess.Cecp.test_games_against_itself \
            test_python_chess.Against.test_uci_against_cecp
        release_services
    else
        skip windows-games "no Python environment with the package chess"
    fi
}

run_arm() {
    local system=$arm
    has_standard_library $system || system=$arm_from_source
    can_run "$system" qemu-aarch64-static || return
    local -x QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    local -x CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    # Links without a C compiler for ARM.
    local -x CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
    local -x CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64-static
    local -x CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER=qemu-aarch64-static
    local binary=$target/$system/release/orthrus
    check arm-build for_system "$system" cargo build --quiet --release --package orthrus
    check arm-bench tests/check-bench qemu-aarch64-static "$binary"
    for_system "$system" run_tests arm-kernels --package orthrus-core --lib evaluation::
}

# The compiler's and clippy's opinion of what only other systems compile.
lint_platforms() {
    local system
    for system in $windows $arm $mac; do
        if has_standard_library "$system"; then
            check "lint-$system" cargo clippy --quiet --workspace --all-targets \
                --target "$system" -- -D warnings
        else
            skip "lint-$system" "no standard library for it"
        fi
    done
}

run_platforms() {
    if [ "$(uname -sm)" != "Linux x86_64" ]; then
        skip platforms "not Linux on x86-64"
        return
    fi
    run_windows
    run_arm
    lint_platforms
}
