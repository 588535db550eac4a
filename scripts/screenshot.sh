#!/usr/bin/env bash
# Takes the picture of a running XBoard game for docs/images. Needs what tests/run installs,
# ImageMagick and xdotool. Usage: scripts/screenshot.sh [FILE]
set -euo pipefail
cd "$(dirname "$0")/.."

file=$(realpath -m "${1:-docs/images/xboard-game.png}")
mkdir -p "$(dirname "$file")"
cargo build --quiet --release --package orthrus
engine=$PWD/target/release/orthrus
cd tests/clients
../../.venv/bin/python - "$engine" "$file" <<'PYTHON'
import sys

import engines
import test_xboard

engines.ORTHRUS = sys.argv[1]
test_xboard.screenshot(sys.argv[2])
PYTHON
