# SPDX-License-Identifier: MIT
# Where things go, the source as a file, and the Debian package. Included by the Makefile.
#   LIBDIR   has libptrace.so and its links alone, if a distribution wants that: LIBDIR=/usr/lib/x86_64-linux-gnu/ptrace
# Programs find the library, presets of events and each other from where they lie themselves, so that what is installed can be
# moved as a whole.

BINDIR  ?= $(PREFIX)/bin
LIBDIR  ?= $(PREFIX)/lib
DATADIR ?= $(PREFIX)/share
INCLUDEDIR   ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(DATADIR)/pkgconfig
MANDIR  ?= $(DATADIR)/man
DOCDIR  ?= $(DATADIR)/doc/ptrace
BASH_COMPLETIONS ?= $(DATADIR)/bash-completion/completions
ZSH_COMPLETIONS  ?= $(DATADIR)/zsh/site-functions

# Programs that know of the library's place are linked once more for what LIBDIR says, and those of the build tree stay as they are.
INSTALLED ?= $(BUILD)/installed
FROM_BIN  := $(shell realpath -ms --relative-to='$(BINDIR)' '$(LIBDIR)')
LIBRARY_USERS := $(INSTALLED)/ptrace-run $(INSTALLED)/ptrace-attach

# Changes when the place does.
$(INSTALLED)/from_bin: FORCE
	@mkdir -p $(@D)
	@echo '$(FROM_BIN)' | cmp -s - $@ || echo '$(FROM_BIN)' >$@

$(INSTALLED)/library_path.o: scripts/run/library_path.c $(INSTALLED)/from_bin
	$(SHOW)$(CC) $(C) $(CFLAGS) $(PROGRAM_FLAGS) -DLIBRARY_FROM_BIN='"$(FROM_BIN)"' -c $< -o $@

# What the archive has of the same name is then not taken.
$(INSTALLED)/ptrace-run: $(BUILD)/scripts/run/main.o $(INSTALLED)/library_path.o $(BUILD)/librun.a
	$(SHOW)$(CC) $(CFLAGS) $(PROGRAM_LINK) $(LDFLAGS) $^ $(RUN_LIBS) -o $@

$(INSTALLED)/ptrace-attach: $(ATTACH:%=$(BUILD)/%.o) $(INSTALLED)/library_path.o $(BUILD)/librun.a
	$(SHOW)$(CC) $(CFLAGS) $(PROGRAM_LINK) $(LDFLAGS) $^ $(ATTACH_LIBS) -o $@

MAN_PAGES  := $(wildcard docs/man/*.1)
# The header's page has the names of its calls, too.
HEADER_PAGE := ptrace.h.3
HEADERS    := include/ptrace.h include/ptrace.f90
CALLS      := $(addprefix ptrace_,begin end phase mark name times)
INCLUDE_FROM_PC := $(shell realpath -ms --relative-to='$(PKGCONFIGDIR)' '$(INCLUDEDIR)')
DOCUMENTS  := $(wildcard docs/*.md docs/*.png docs/*/*.md docs/*/*/*.md)
EXAMPLES   := $(wildcard docs/example/*.c)
DOCUMENT_PLACES := $(sort $(patsubst %/,%,$(dir $(DOCUMENTS) $(EXAMPLES))))
COMPLETED  := $(notdir $(PROGRAMS))

# A name with blanks would be taken for several, by rm as well. Expands to nothing.
PLACE_NAMES  := DESTDIR PREFIX BINDIR LIBDIR INCLUDEDIR PKGCONFIGDIR DATADIR MANDIR DOCDIR BASH_COMPLETIONS ZSH_COMPLETIONS
check_place   = $(if $(filter-out 1,$(words x$($(1))x))$(strip $(foreach mark,' " `,$(findstring $(mark),$($(1))))),\
		$(error $(1) is '$($(1))': a place without blanks and quotes is needed))
check_places  = $(strip $(foreach name,$(PLACE_NAMES),$(call check_place,$(name))))

install: all $(LIBRARY_USERS)
	$(check_places)install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR) $(INCLUDEDIR) $(PKGCONFIGDIR) $(MANDIR)/man1 $(MANDIR)/man3 $(DATADIR)/libptrace/events $(addprefix $(DOCDIR)/,$(DOCUMENT_PLACES)) \
		$(BASH_COMPLETIONS) $(ZSH_COMPLETIONS))
	install -m 755 $(LIBRARY_USERS) $(ANALYZE_PROGRAMS) $(DESTDIR)$(BINDIR)
	install -m 644 $(LIBRARY) $(DESTDIR)$(LIBDIR)
	@$(call make_links,$(DESTDIR)$(LIBDIR))
	install -m 644 $(PRESETS) $(DESTDIR)$(DATADIR)/libptrace/events
	install -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)
	install -m 644 include/ptrace.pc.in $(DESTDIR)$(PKGCONFIGDIR)/ptrace.pc
	@sed -i 's|@INCLUDE_FROM_PC@|$(INCLUDE_FROM_PC)|; s|@VERSION@|$(VERSION)|' $(DESTDIR)$(PKGCONFIGDIR)/ptrace.pc
	install -m 644 $(MAN_PAGES) $(DESTDIR)$(MANDIR)/man1
	install -m 644 docs/man/$(HEADER_PAGE) $(DESTDIR)$(MANDIR)/man3
	@for name in $(CALLS); do ln -sf $(HEADER_PAGE) $(DESTDIR)$(MANDIR)/man3/$$name.3 || exit; done
	install -m 644 README.md CHANGELOG.md LICENSE $(DESTDIR)$(DOCDIR)
	@for name in $(DOCUMENTS) $(EXAMPLES); do install -m 644 $$name $(DESTDIR)$(DOCDIR)/$$name || exit; done
	ln -sfn docs/example $(DESTDIR)$(DOCDIR)/examples
	install -m 644 scripts/completion/ptrace.bash $(DESTDIR)$(BASH_COMPLETIONS)/ptrace-run
	@for name in $(filter-out ptrace-run,$(COMPLETED)); do ln -sf ptrace-run $(DESTDIR)$(BASH_COMPLETIONS)/$$name || exit; done
	install -m 644 scripts/completion/_ptrace $(DESTDIR)$(ZSH_COMPLETIONS)

# Directories go if nothing else is in them, as DOCDIR may be shared; LIBDIR is ours if it is called so.
DEEPEST_FIRST := $(shell printf '%s\n' $(DOCUMENT_PLACES) | sort -r)
OWN_DOCUMENTS := README.md CHANGELOG.md LICENSE examples $(DOCUMENTS) $(EXAMPLES)
uninstall:
	$(check_places)rm -f $(addprefix $(DESTDIR)$(BINDIR)/,$(COMPLETED)) $(DESTDIR)$(LIBDIR)/libptrace.so $(DESTDIR)$(ZSH_COMPLETIONS)/_ptrace \
		$(addprefix $(DESTDIR)$(INCLUDEDIR)/,$(notdir $(HEADERS))) $(DESTDIR)$(PKGCONFIGDIR)/ptrace.pc \
		$(addprefix $(DESTDIR)$(MANDIR)/man1/,$(notdir $(MAN_PAGES))) $(addprefix $(DESTDIR)$(MANDIR)/man3/,$(HEADER_PAGE) $(CALLS:=.3)) \
		$(addprefix $(DESTDIR)$(BASH_COMPLETIONS)/,$(COMPLETED)) \
		$(addprefix $(DESTDIR)$(DOCDIR)/,$(OWN_DOCUMENTS))
	rm -rf $(DESTDIR)$(LIBDIR)/libptrace $(DESTDIR)$(DATADIR)/libptrace
	@for name in $(addprefix $(DOCDIR)/,$(DEEPEST_FIRST)) $(DOCDIR) $(filter %/ptrace,$(LIBDIR)); do \
		test ! -d $(DESTDIR)$$name || rmdir --ignore-fail-on-non-empty $(DESTDIR)$$name || exit; \
	done

# ---- the source as a file ----

# Of the last commit: names in git's order, numbers for owners, the commit's time, and no time in the header of the compressed file:
# the same commit gives the same bytes.
DIST := $(BUILD)/ptrace-$(VERSION).tar.gz
dist:
	@mkdir -p $(BUILD)
	git -c tar.umask=0022 archive --format=tar --prefix=ptrace-$(VERSION)/ HEAD | gzip -9n >$(DIST)

check-package: dist
	@BUILD=$(BUILD) tests/check-package $(DIST)

FORCE:
.PHONY: install uninstall dist check-package FORCE
