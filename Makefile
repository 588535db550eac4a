# What a person, or OpenBench, runs by hand. `make EXE=path` leaves a release build at that path;
# with `EVALFILE=network` it carries that network.
EXE ?= orthrus
ifdef EVALFILE
    export ORTHRUS_EVALFILE := $(abspath $(EVALFILE))
endif
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all bench pgo dist test clean

all:
	cargo build --release --package orthrus
	cp target/release/orthrus$(SUFFIX) $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))

# The signature of this version, and its speed.
bench:
	cargo run --quiet --release --package orthrus -- bench

# The same program laid out for what it does most: some percent faster.
pgo:
	scripts/pgo.sh $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))

# The smallest binary, without symbols, for packages.
dist:
	cargo build --profile dist --package orthrus
	@echo target/dist/orthrus$(SUFFIX)

test:
	tests/run

clean:
	cargo clean
