# What a person, or OpenBench, runs by hand. `make EXE=path` leaves a release build at that path;
# with `EVALFILE=network` it embeds that network, with `ARCH=native` it is for this processor alone.
EXE ?= orthrus
ifdef EVALFILE
    $(if $(word 2,$(EVALFILE)),$(error EVALFILE has a blank in it: $(EVALFILE)))
    export ORTHRUS_EVALFILE := $(abspath $(EVALFILE))
endif
# Packagers' environments have an ARCH of their own.
ifeq ($(origin ARCH),command line)
    PROCESSOR := $(ARCH)
    export RUSTFLAGS := $(strip $(RUSTFLAGS) -Ctarget-cpu=$(PROCESSOR))
endif
ifneq (,$(findstring indows,$(or $(CARGO_BUILD_TARGET),$(OS))))
    SUFFIX := .exe
endif

OUTPUT = $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))

# Where cargo builds: packagers and users may have their own folders for that.
CARGO_TARGET_DIR ?= target
BUILT := $(CARGO_TARGET_DIR)/$(addsuffix /,$(CARGO_BUILD_TARGET))

.PHONY: all bench pgo dist deb install uninstall test clean

all:
	cargo build --release --package orthrus --target-dir $(CARGO_TARGET_DIR)
	cp -f $(BUILT)release/orthrus$(SUFFIX) $(OUTPUT)

# The signature of this version, and its speed.
bench:
	cargo run --quiet --release --package orthrus -- bench

# The same program with profile-guided optimisation; docs/speed.md says what that gains.
pgo:
	crates/orthrus/packaging/pgo.sh $(OUTPUT) $(PROCESSOR)

# The smallest binary, without symbols, for packages.
dist:
	cargo build --profile dist --package orthrus --target-dir $(CARGO_TARGET_DIR)
	@echo $(BUILT)dist/orthrus$(SUFFIX)

# The binary of the last `make`, its manual page, completions, logo, the pages, and the file by which
# XBoard finds it. DESTDIR is for packagers: a folder that stands for the root.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
SHARE := $(PREFIX)/share
# The binary that `make` left at EXE, since sudo forgets CARGO_TARGET_DIR.
BINARY ?= $(if $(filter /% C:%,$(EXE)),,./)$(OUTPUT)
# Laid out as in the repository, so that the links between them hold.
PAGES := $(SHARE)/doc/orthrus
COMPANIONS := \
    man:$(SHARE)/man/man6/orthrus.6 \
    bash:$(SHARE)/bash-completion/completions/orthrus \
    zsh:$(SHARE)/zsh/site-functions/_orthrus \
    fish:$(SHARE)/fish/vendor_completions.d/orthrus.fish \
    eng:$(SHARE)/games/plugins/xboard/orthrus.eng
# Make takes a path with a blank for two, and would build the first.
whole = $(foreach name,$(1),$(if $(word 2,$($(name))),$(error $(name) has a blank in it: $($(name)))))
$(call whole,BINARY)
TARGETS := $(foreach pair,$(COMPANIONS),$(lastword $(subst :, ,$(pair))))
LOGO := $(SHARE)/games/plugins/logos/orthrus.png
ICON := $(SHARE)/icons/hicolor/scalable/apps/orthrus.svg

$(BINARY):
	$(MAKE) all

install: $(BINARY)
	$(call whole,BINDIR DESTDIR PREFIX)
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(PAGES)/docs/images $(PAGES)/docs/lab $(dir $(LOGO) $(ICON) $(TARGETS)))
	install -m 755 $(BINARY) $(DESTDIR)$(BINDIR)/orthrus$(SUFFIX)
	@umask 022; $(foreach pair,$(COMPANIONS), \
	    $(BINARY) companion $(firstword $(subst :, ,$(pair))) \
	        >$(DESTDIR)$(lastword $(subst :, ,$(pair))) && ) true
	install -m 644 docs/images/logo-xboard.png $(DESTDIR)$(LOGO)
	install -m 644 docs/images/logo.svg $(DESTDIR)$(ICON)
	install -m 644 $(wildcard *.md LICENSE-*) $(DESTDIR)$(PAGES)
	install -m 644 $(wildcard docs/*.md) $(DESTDIR)$(PAGES)/docs
	install -m 644 $(wildcard docs/images/*) $(DESTDIR)$(PAGES)/docs/images
	install -m 644 $(wildcard docs/lab/*) $(DESTDIR)$(PAGES)/docs/lab

uninstall:
	$(call whole,BINDIR DESTDIR PREFIX)
	rm -f $(DESTDIR)$(BINDIR)/orthrus$(SUFFIX) $(DESTDIR)$(LOGO) $(DESTDIR)$(ICON) \
	    $(addprefix $(DESTDIR),$(TARGETS))
	rm -rf $(DESTDIR)$(PAGES)

# A Debian package of the binary of the last `make`, in target/package.
deb: $(BINARY)
	crates/orthrus/packaging/deb.sh $(BINARY)

test:
	tests/run

clean:
	cargo clean
