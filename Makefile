# make [all|bench|check|plots|...] [config=release|debug|scalar|sanitize|coverage] [V=1] [WERROR=1]
#
# `make help` lists the targets.
MAKEFLAGS += -r
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

config ?= release
B := build/$(config)
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-6s %s\n' $(1) '$(2)')
ifeq ($(origin CC),default)
CC := gcc
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wundef -Wvla \
        -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wcast-align=strict -Wwrite-strings \
        -Wformat=2 -Wimplicit-fallthrough -Wduplicated-cond -Wlogical-op -Wnull-dereference \
        $(if $(filter 1,$(WERROR)),-Werror)
# No contraction and no wide-ISA default: the same bits from every build on every CPU.
FP   := -ffp-contract=off -fno-math-errno
OPT_release  := -O3 -DNDEBUG
# Lines and functions for profilers and debuggers; variables would take a seventh of the time of compilation.
DEBUG_release := -g1
OPT_debug    := -O0
OPT_scalar   := -O3 -DNDEBUG -DBASE_NO_SIMD
OPT_sanitize := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT_coverage := -O0 --coverage
# Tests are compiled more often than they are run: this takes half the time of -O3 -g.
TEST_OPT := $(if $(filter release scalar,$(config)),-O1 -g1)
$(if $(OPT_$(config)),,$(error unknown config '$(config)': release, debug, scalar, sanitize or coverage))
cflags = -std=c17 -D_GNU_SOURCE -I. -I$(B) $(or $(DEBUG_$(config)),-g) $(WARN) $(FP) $(OPT_$(config)) $(CFLAGS)
VERSION := 0.1.0
LIBS  := -lconfig -lcsv -lxxhash -lpng -lmeshoptimizer -lmicrohttpd -lpthread -lm
# Criterion opens every library of a program twice for each test, so tests have few.
TEST_LIBS := -Wl,-Bstatic -lconfig -lcsv -lxxhash -lgmp -lpng -lz -Wl,-Bdynamic -lcriterion \
             -Wl,--push-state,--as-needed -lmeshoptimizer -lmicrohttpd -Wl,--pop-state -lpthread -lm

# bottom to top; each line is the whole list of what a module may use
USES_base        :=
USES_geometry    := base
USES_algorithms  := geometry base
USES_groundtruth := geometry base
USES_scenarios   := geometry base
USES_suite       := scenarios groundtruth algorithms geometry base
MODULES := base geometry algorithms groundtruth scenarios suite

# A module is its folder and two levels of sub-folders (an algorithm family, a part of one).
lib = $(patsubst %,$(B)/lib%.a,$(1))
files = $(wildcard $(foreach d,$(1) $(1)/* $(1)/*/*,$(d)/$(2)))
# Names of the objects of source files. X_isa.c becomes X_sse2 and X_avx2, one per instruction set.
built = $(call per_isa,$(1:%.c=$(B)/%))
per_isa = $(1:%_isa=%_sse2) $(patsubst %_isa,%_avx2,$(filter %_isa,$(1)))
objects = $(addsuffix .o,$(call built,$(1)))
define module
SRC_$(1)   := $$(filter-out $(1)/main.c $(1)/tests/% $$(call files,$(1),tests/*.c),$$(call files,$(1),*.c))
OBJS_$(1)  := $$(call objects,$$(SRC_$(1)))
$$(B)/lib$(1).a: $$(OBJS_$(1))
OBJS += $$(OBJS_$(1))
endef
$(foreach m,$(MODULES),$(eval $(call module,$(m))))
# FOLDER/tests/test_*.c become one program, FOLDER/tests/tests, which `make check` runs;
# FOLDER/tests/slow_*.c become FOLDER/tests/slow, which `make check-all` runs.
# $(1) folder with a slash at its end, $(2) begin of the files, $(3) program, $(4) module, $(5) list of programs
define program
$(B)/$(1)$(3): $(call objects,$(wildcard $(1)$(2)_*.c)) $(call lib,$(4) $(USES_$(4)))
$(5) += $(B)/$(1)$(3)
$(5)_OBJS += $(call objects,$(wildcard $(1)$(2)_*.c))
endef
folders_of = $(sort $(dir $(call files,$(1),tests/$(2)_*.c)))
$(foreach m,$(MODULES),$(foreach d,$(call folders_of,$(m),test),$(eval $(call program,$(d),test,tests,$(m),TESTS))))
$(foreach m,$(MODULES),$(foreach d,$(call folders_of,$(m),slow),$(eval $(call program,$(d),slow,slow,$(m),SLOW))))
SOAK := $(B)/suite/tests/soak.o $(B)/suite/tests/soak_poses.o
ORACLE := $(patsubst %.c,$(B)/%.o,$(wildcard groundtruth/tests/oracle*.c))
OBJS += $(B)/suite/main.o $(TESTS_OBJS)
MORE_OBJS := $(SLOW_OBJS) $(SOAK) $(ORACLE)

.PHONY: all bench bench-steps papers papers-check papers-keep plots peers build-peers install uninstall refresh page
.PHONY: check check-parts check-tests check-cli check-all check-all-parts check-all-cases check-clock check-slow test
.PHONY: check-soak check-oracle check-kills check-bench check-pages check-pages-tree check-pages-installed
.PHONY: regress power check-layers check-format check-words check-mutants mutants mutants-all mutants-drawn soak soak-simulate oracle large format deps clean help
.PHONY: FORCE
all: $(B)/proxbench ## build build/$(config)/proxbench
$(B)/proxbench: $(B)/suite/main.o $(call lib,suite $(USES_suite))
	$(call say,LINK,$@)
	$(Q)$(CC) $(cflags) $(LDFLAGS) $^ $(LIBS) -o $@
$(B)/soak: $(SOAK) $(call lib,suite $(USES_suite))
	$(call say,LINK,$@)
	$(Q)$(CC) $(cflags) $(LDFLAGS) $^ $(LIBS) -o $@
$(B)/oracle: $(ORACLE) $(call lib,groundtruth $(USES_groundtruth))
	$(call say,LINK,$@)
	$(Q)$(CC) $(cflags) $(LDFLAGS) $^ $(LIBS) -lgmp -o $@
# It gets the name that libcriterion asks for, and test programs look for it in its folder first.
NO_LIBGIT2 := $(B)/stand-in/made
$(NO_LIBGIT2): base/tests/no_libgit2.c
	$(Q)mkdir -p $(@D) && name=$$(ldd $$($(CC) -print-file-name=libcriterion.so) | awk '/libgit2/ { print $$1 }') && \
	{ [ -z "$$name" ] || $(CC) -shared -fPIC -Wl,-soname,$$name $< -o $(@D)/$$name; } && touch $@
$(TESTS) $(SLOW): | $(NO_LIBGIT2)
	$(call say,LINK,$@)
	$(Q)$(CC) $(cflags) $(LDFLAGS) $^ $(TEST_LIBS) -Wl,--disable-new-dtags,-rpath,$(abspath $(dir $(NO_LIBGIT2))) -o $@
$(B)/%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^
# COUNT=FILE counts the compiled files there: names of hundreds of files tell a user nothing.
say_file = $(if $(COUNT),@echo >> $(COUNT); n=$$(wc -l < $(COUNT)); [ $$((n % 25)) -ne 1 ] || \
  echo "  CC     $$n of at most $(words $(OBJS)) files",$(call say,CC,$<))
define compile
	$(say_file)
	$(Q)mkdir -p $(@D) && $(CC) $(cflags) $(ISA) $(if $(findstring /tests/,$@),$(TEST_OPT)) -MMD -MP -c $< -o $@
endef
$(B)/%.o: %.c $(B)/flags
	$(compile)
$(B)/%_sse2.o: %_isa.c $(B)/flags
	$(compile)
$(B)/%_avx2.o: %_isa.c $(B)/flags
	$(compile)
# -Werror changes no object.
built_by = $(CC) $(filter-out -Werror,$(cflags)) $(TEST_OPT)
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(built_by)' | cmp -s - $@ || echo '$(built_by)' > $@
$(B)/%_avx2.o: ISA := -mavx2

# Facts of this build for --version and manifest.csv. The file is rewritten only when they change.
$(B)/suite/build_info.h: FORCE
	@mkdir -p $(@D); new=$@.$$$$; { printf '#define BENCH_VERSION "%s"\n' '$(VERSION)'; \
	  printf '#define BENCH_COMMIT "%s"\n' "$$(git describe --always --dirty 2>/dev/null || echo unknown)"; \
	  printf '#define BENCH_CONFIG "%s"\n' '$(config)'; \
	  printf '#define BENCH_FLAGS "%s"\n' '$(FP) $(OPT_$(config)) $(CFLAGS)'; } > $$new; \
	  cmp -s $$new $@ && rm $$new || mv $$new $@
$(B)/suite/results/manifest.o $(B)/suite/score/export.o $(B)/suite/main.o: $(B)/suite/build_info.h

# The shell functions of `proxbench completion`, as string literals.
$(B)/suite/completion.%.inc: packaging/completion.%
	@mkdir -p $(@D); sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< > $@
$(B)/suite/commands/cmd_completion.o: $(patsubst packaging/%,$(B)/suite/%.inc,$(wildcard packaging/completion.*))

# --- The main jobs ---------------------------------------------------------------------------

# As many jobs as CPUs, unless the caller said how many; expanded inside recipes.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

bench: ## install what is missing, build, measure every family on five scenarios, write a page: 6 minutes on two cores
	$(Q)$(MAKE) --no-print-directory deps PACKAGES='$(PACKAGES) g++ libfcl-dev' || \
	  { echo 'going on without FCL: its package cannot be had'; $(MAKE) --no-print-directory deps; }
	$(Q)packaging/progress.sh compiling $$($(MAKE) -n all | grep -c "^printf '  %-6s") '^  [A-Z]+ ' \
	  $(MAKE) --no-print-directory $(PARALLEL) all
	$(Q)packaging/progress.sh 'compiling the plug-in of FCL' 1 '^  CXX ' $(MAKE) --no-print-directory $(B)/peers/fcl.so || \
	  echo 'going on without FCL: it cannot be compiled'
	$(Q)$(MAKE) --no-print-directory bench-steps

# The steps of `make bench` after the build. `make check-all` does the same in short, so that both fail
# together: the same experiment, the same commands, the same scripts.
BENCH_RUN      := results/bench
RUN_FLAGS      :=
SIMULATE_FLAGS :=
HANDS          := exact-volume,ist,vps,pst,imp,lpd
bench-steps:
	$(Q)$(B)/proxbench run bench $(RUN_FLAGS) > $(B)/bench.table
	$(Q)$(B)/proxbench simulate --scene press --algorithm '$(HANDS)' --out $(BENCH_RUN)/press $(SIMULATE_FLAGS) >> $(B)/bench.table
	$(Q)$(B)/proxbench plot $(BENCH_RUN) > $(B)/bench.pictures
	$(Q)$(B)/proxbench plot $(BENCH_RUN)/press >> $(B)/bench.pictures
	$(Q)$(B)/proxbench report $(BENCH_RUN)

# Finished runs are kept, and interrupted ones continued, so the same command goes on where it was stopped.
papers: ## run, draw and judge what the five papers show, in results/papers: 6.5 hours; QUICK=1: 15 minutes; PAPER=vps, FIGURE=VPS-F7: a part
	$(Q)$(MAKE) --no-print-directory deps
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) all
	$(Q)$(MAKE) --no-print-directory $(B)/peers/fcl.so || echo 'going on without FCL: it cannot be compiled'
	$(Q)$(B)/proxbench figure $(or $(strip $(FIGURE) $(PAPER)),--all) $(if $(filter 1,$(QUICK)),--quick)

PAPERS_KEPT := results/reference/papers/claims.csv
papers-keep: $(B)/proxbench ## keep the claims of results/papers in results/reference/papers, and write docs/papers.md and docs/goals.md again
	$(Q)mkdir -p $(dir $(PAPERS_KEPT))
	$(Q)$(B)/proxbench claims $(wildcard $(PAPERS_KEPT) results/papers/quick/claims.csv results/papers/claims.csv) \
	  --format csv --out $(PAPERS_KEPT)
	$(Q)export PATH="$(CURDIR)/$(B):$$PATH"; docs/papers/pictures.sh && docs/refresh.sh docs/papers.md docs/goals.md

# Numbers without a clock must be equal, ratios of times nearly so (`proxbench claims --help`).
papers-check: $(B)/proxbench ## compare the claims of results/papers with those in results/reference/papers
	$(Q)$(B)/proxbench claims $(or $(wildcard results/papers/claims.csv results/papers/quick/claims.csv),results/papers/claims.csv) \
	  --against $(PAPERS_KEPT)

plots: all ## draw the figures of the newest run of every experiment into its figures/; measures nothing
	$(Q)for run in $$(find results -maxdepth 1 -type l | sort); do \
	    $(B)/proxbench compare $$run > /dev/null && $(B)/proxbench plot $$run || exit; done

# --- Peers -----------------------------------------------------------------------------------

# Other libraries as plug-ins: each is built where its package is, the others are left out. No
# -march: they get the instructions that their packages were built for.
PEERS := bullet ccd cgal fcl ode $(if $(PQP_DIR),pqp)
ifeq ($(origin CXX),default)
CXX := g++
endif
PEER_FLAGS := -O3 -DNDEBUG -ffp-contract=off
PEER_WARN  := -Wall -Wextra -Wpedantic -Wshadow -Wcast-qual -Wundef -Wnon-virtual-dtor \
              $(if $(filter 1,$(WERROR)),-Werror)
# Headers of libraries as system headers: their warnings are not ours.
package_flags = $$(pkg-config --cflags --libs $(1) | sed 's/-std=[^ ]*//; s/-I/-isystem /g')
PEER_THERE_bullet := pkg-config --exists bullet 2>/dev/null
PEER_LIBS_bullet   = $(call package_flags,bullet)
PEER_THERE_ccd    := pkg-config --exists ccd 2>/dev/null
PEER_LIBS_ccd      = $(call package_flags,ccd) -DPEER_VERSION='"'$$(pkg-config --modversion ccd)'"'
PEER_THERE_cgal   := echo '\#include <CGAL/version.h>' | $(CXX) -E -x c++ - >/dev/null 2>&1
PEER_LIBS_cgal    := -lgmp -lmpfr
PEER_THERE_fcl    := pkg-config --exists fcl 2>/dev/null
PEER_LIBS_fcl      = $(call package_flags,fcl)
PEER_THERE_ode    := pkg-config --exists ode 2>/dev/null
PEER_LIBS_ode      = $(call package_flags,ode) -DPEER_VERSION='"'$$(pkg-config --modversion ode)'"'
PEER_THERE_pqp    := [ -f '$(PQP_DIR)/PQP.h' ]
PEER_LIBS_pqp     := -isystem '$(PQP_DIR)' '$(PQP_DIR)'/*.cpp -w

peers: ## install what other libraries need that is missing; build them as plug-ins (PQP_DIR=: PQP too)
	$(Q)$(MAKE) --no-print-directory deps PACKAGES='$(PEER_PACKAGES)' || echo 'going on without'
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) build-peers
build-peers: $(PEERS:%=$(B)/peers/%.so)
	@:
$(B)/peers/%.so: algorithms/peers/%.cpp algorithms/peers/peer.h algorithms/algorithms.h geometry/types.h
	@mkdir -p $(@D); $(PEER_THERE_$*) || { echo '  no     $*: its library is not there'; exit 0; }; \
	$(if $(Q),printf '  %-6s %s\n' CXX $<;,set -x;) \
	$(CXX) -std=c++17 -I. $(PEER_WARN) $(PEER_FLAGS) -DPEER_FLAGS='"$(PEER_FLAGS)"' $(CXXFLAGS) \
	  -fPIC -fvisibility=hidden -fno-gnu-unique -shared -Wl,-z,defs $< $(PEER_LIBS_$*) -o $@

# --- Installing ------------------------------------------------------------------------------

PREFIX ?= /usr/local
DESTDIR ?=
to = $(DESTDIR)$(PREFIX)
# Files that the installed program finds beside itself (suite/share.h), and files by which others find it.
SHARED_experiments := $(wildcard scenarios/experiments/*.cfg)
SHARED_plots       := $(wildcard plots/*.gp)
SHARED_experiments/recordings := $(wildcard scenarios/experiments/recordings/*.csv)
SHARED_experiments/meshes := $(wildcard scenarios/experiments/meshes/*.off)
SHARED_record      := $(wildcard suite/record/record.*)
SHARED_reference   := $(wildcard results/reference/*.csv)
SHARED_report      := $(wildcard suite/report/report.*)
SHARED_examples    := $(wildcard examples/*.py)
SHARED_reference/papers := $(wildcard results/reference/papers/*.csv)
PACKAGE_pkgconfig       := proxbench.pc
PACKAGE_cmake/proxbench := proxbenchConfig.cmake proxbenchConfigVersion.cmake
# Files that the program itself writes.
WRITTEN := man/man1/proxbench.1 bash-completion/completions/proxbench zsh/site-functions/_proxbench
install: ## install program, manual page, experiments, plots, header, completions under $(DESTDIR)$(PREFIX), and peers if built
	$(Q)[ -x $(B)/proxbench ] || $(MAKE) --no-print-directory $(PARALLEL) all
	$(call say,INSTALL,$(to))
	$(Q)install -D -t $(to)/bin $(B)/proxbench
	$(Q)install -D -m 644 -t $(to)/include/proxbench algorithms/algorithms.h
	$(Q)install -D -m 644 -t $(to)/include/proxbench/geometry geometry/types.h
	$(Q)$(foreach k,experiments experiments/meshes experiments/recordings plots record reference reference/papers report \
	  examples,\
	  install -D -m 644 -t $(to)/share/proxbench/$(k) $(SHARED_$(k)) &&) :
	$(Q)$(foreach k,pkgconfig cmake/proxbench,install -d $(to)/lib/$(k) &&) :
	$(Q)$(foreach k,pkgconfig cmake/proxbench,$(foreach f,$(PACKAGE_$(k)),\
	  sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' packaging/$(f).in > $(to)/lib/$(k)/$(f) &&)) :
	$(Q)install -d $(dir $(WRITTEN:%=$(to)/share/%))
	$(Q)$(B)/proxbench help --man > $(to)/share/man/man1/proxbench.1
	$(Q)$(B)/proxbench completion bash > $(to)/share/bash-completion/completions/proxbench
	$(Q)$(B)/proxbench completion zsh > $(to)/share/zsh/site-functions/_proxbench
	$(Q)for so in $(wildcard $(B)/peers/*.so); do \
	  install -D -m 644 -t $(to)/lib/proxbench/peers $$so || exit; done

# The ready set of the catalogue, for releases. The archive depends on the sources alone: names are sorted, and
# times and owners are left out.
DATASET ?= catalogue/*
DATASET_FLAGS ?=
DATASET_BYTES := 200000000
dataset: $(B)/proxbench ## export the catalogue with its truth as build/$(config)/dataset/*.tar.gz; DATASET='catalogue/pump/*', DATASET_FLAGS='--quantity distance'
	$(Q)rm -rf $(B)/dataset && mkdir -p $(B)/dataset
	$(Q)$(B)/proxbench export '$(DATASET)' --out $(B)/dataset/proxbench-dataset $(DATASET_FLAGS)
	$(Q)cd $(B)/dataset && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - proxbench-dataset | \
	  gzip -9n > proxbench-dataset-$(VERSION).tar.gz
	$(Q)size=$$(stat -c %s $(B)/dataset/*.tar.gz); echo "$(B)/dataset/proxbench-dataset-$(VERSION).tar.gz: $$size bytes"; \
	  [ $$size -lt $(DATASET_BYTES) ] || { echo 'more than $(DATASET_BYTES) bytes'; exit 1; }

uninstall: ## remove what `make install` put under $(DESTDIR)$(PREFIX)
	$(call say,REMOVE,$(to))
	$(Q)rm -rf $(to)/share/proxbench $(to)/lib/proxbench $(to)/lib/cmake/proxbench $(to)/include/proxbench
	$(Q)rm -f $(to)/bin/proxbench $(to)/lib/pkgconfig/proxbench.pc $(WRITTEN:%=$(to)/share/%)

# --- Checking --------------------------------------------------------------------------------

# Tests free large blocks often. They take a seventh less time if malloc keeps these blocks, in pages
# of 2 MB.
check: export GLIBC_TUNABLES := glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:$(strip \
  )glibc.malloc.trim_threshold=1073741824
# $(B)/check and $(B)/check-all hold what each part leaves: its log, its counts, its skipped tests.
check: ## install what is missing, build, run unit tests, command-line cases, the gate, layers, format, words: 5 minutes on two cores
	$(Q)$(MAKE) --no-print-directory deps
	$(Q)rm -rf $(B)/check && mkdir -p $(B)/check
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) COUNT=$(B)/check/compiled $(B)/proxbench $(TESTS)
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) -k check-parts; status=$$?; \
	suite/tests/total.sh $(B) check || status=1; exit $$status
check-parts: $(B)/check/regress.part check-tests check-cli $(patsubst %,$(B)/check/%.part,check-layers check-format check-words)

check-all: all ## what CI runs besides `make check`: what needs a clock or is slow, pages, kills, 40 breaks: 30 minutes on two cores
	$(Q)rm -rf $(B)/check-all && mkdir -p $(B)/check-all
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) COUNT=$(B)/check-all/compiled $(B)/soak $(B)/oracle $(SLOW)
	$(Q)status=0; $(MAKE) --no-print-directory -k -j1 check-clock || status=1; \
	$(MAKE) --no-print-directory $(PARALLEL) -k check-all-parts || status=1; \
	$(MAKE) --no-print-directory -j1 $(B)/check-all/mutants-drawn.part || status=1; \
	suite/tests/total.sh $(B) check-all || status=1; exit $$status
check-all-parts: check-slow check-all-cases $(patsubst %,$(B)/check-all/%.part,check-pages-tree check-pages-installed \
  check-bench check-soak check-oracle check-kills check-mutants check-layers)

# `make TARGET` as a part of a check: its output is shown only if it fails.
$(B)/check/%.part $(B)/check-all/%.part: FORCE
	$(call say,CHECK,$*)
	$(Q)suite/tests/part.sh $(@:.part=) $(MAKE) --no-print-directory $*

# Limits stop a test that hangs: seconds of CPU time of one test, and of wall time of a program.
# No test of `make check` needs 5 s of CPU time in the release build, and none depends on these limits.
CPU_LIMIT := $(if $(filter release,$(config)),100,2000)
WALL_LIMIT := 14400
export CPU_LIMIT WALL_LIMIT
# Sweeps of check-all are smaller than those of `make test TEST=depth_sweeps` and TEST=voxel_sweeps.
SWEEPS := DIRECTIONS=1000 PAIRS=200 FRAMES=1 RESOLUTION=64 OLD=0
check-tests: $(TESTS:$(B)/%=$(B)/check/%.tests)
check-slow: $(SLOW:$(B)/%=$(B)/check-all/%.tests)
# The programs of check-tests once more, with all cases of their sweeps (base/tests/support.h).
check-all-cases: $(TESTS:$(B)/%=$(B)/check-all/%.tests)
$(B)/check/%.tests: $(B)/% FORCE
	$(call say,TEST,$(<D) ($(words $(filter $(<D)/%,$(TESTS_OBJS))) files))
	$(Q)suite/tests/criterion.sh $< $(@:.tests=)
$(B)/check-all/%.tests: $(B)/% FORCE
	$(call say,TEST,$< (all cases))
	$(Q)ALL_CASES=1 $(SWEEPS) CPU_LIMIT=7200 suite/tests/criterion.sh $< $(@:.tests=)

TEST ?=
TEST_NAMES = $(foreach k,test slow,$(k)_$(TEST) $(k)_$(TEST)_isa)
TEST_FILES = $(strip $(foreach m,$(MODULES),$(foreach f,$(TEST_NAMES),$(call files,$(m),tests/$(f).c))))
program_of = $(dir $(1))$(if $(filter slow_%,$(notdir $(1))),slow,tests)
test: $(foreach f,$(TEST_FILES),$(B)/$(call program_of,$(f))) ## TEST=csv: build and run what is in tests/test_csv.c or tests/slow_csv.c
	$(if $(TEST_FILES),,$(error no file test_$(TEST).c or slow_$(TEST).c in a folder tests: TEST=NAME))
	$(Q)$(foreach f,$(TEST_FILES),$(B)/$(call program_of,$(f)) --short-filename \
	  --filter "$$(suite/tests/suites.sh $(f))" &&) :

# Cases that take longest begin first. Those that need a clock run alone.
CLOCK_CASES := $(patsubst suite/tests/cli/%.sh,%,$(shell grep -l '^\# check-all: ' suite/tests/cli/*.sh))
CASES := $(filter-out run $(CLOCK_CASES),$(patsubst suite/tests/cli/%.sh,%,$(wildcard suite/tests/cli/*.sh)))
LONG_CASES := plugin exact replay interrupt simulate truth
CASES := $(filter $(CASES),$(LONG_CASES)) $(filter-out $(LONG_CASES),$(CASES))
check-cli: $(CASES:%=$(B)/check/cli/%.case)
check-clock: $(CLOCK_CASES:%=$(B)/check-all/cli/%.case)
$(B)/check/cli/%.case $(B)/check-all/cli/%.case: $(B)/proxbench FORCE
	$(call say,CASE,$*)
	$(Q)mkdir -p $(@D); suite/tests/cli/run.sh --result $(@:.case=) $< $* >$(@:.case=.log) || { cat $(@:.case=.log); exit 1; }

check-soak: $(B)/soak
	$(Q)$(B)/soak 320 1
check-oracle: $(B)/oracle
	$(Q)$(B)/oracle 300 1
check-kills: $(B)/proxbench
	$(Q)suite/tests/kills.sh run $(B)/proxbench 20 1
	$(Q)suite/tests/kills.sh simulate $(B)/proxbench 6 1
check-bench: $(B)/proxbench
	$(Q)rm -rf $(B)/bench && mkdir -p $(B)/bench
	$(Q)$(MAKE) --no-print-directory bench-steps BENCH_RUN=$(B)/bench/run \
	  RUN_FLAGS='--mode smoke --out $(B)/bench/run --cache $(B)/bench/cache' \
	  SIMULATE_FLAGS='--steps 200 --cache $(B)/bench/cache'

# Commands that the pages print, typed from the tree and from an installed copy in another folder.
# Runs of docs/vps.md, docs/pst.md, docs/cad.md and docs/which-method.md, and the car of docs/catalogue.md, take minutes even with small bodies.
# The cases plot-vps and plot-pst draw the figures of the first two, and the case details prints rows as the last one.
# docs/score.md needs numpy; the cases score-python, score and export type its commands.
PAGES := README.md $(filter-out docs/ist.md docs/vps.md docs/pst.md docs/imp.md docs/lpd.md docs/forces.md docs/cad.md docs/catalogue.md \
         docs/which-method.md docs/score.md,$(wildcard docs/*.md))
check-pages: check-pages-tree check-pages-installed
check-pages-tree check-pages-installed: check-pages-%: $(B)/proxbench
	$(Q)suite/tests/pages.sh $(B)/proxbench $* $(PAGES)
refresh: $(B)/proxbench ## write the outputs and pictures in README.md and docs/ anew, from the newest runs
	$(Q)$(B)/proxbench list columns --format markdown > docs/columns.md
	$(Q)PATH="$(CURDIR)/$(B):$$PATH" docs/refresh.sh

# The runs of the page that are of this commit and this mode are kept, unless FRESH=1.
page: $(B)/proxbench ## PAGE=ist: run all experiments of docs/ist.md, compare, draw, write the page; MODE=smoke, FRESH=1, RUN_FLAGS=
	$(if $(wildcard docs/$(PAGE).md),,$(error no page docs/$(PAGE).md: PAGE=NAME))
	$(Q)PATH="$(CURDIR)/$(B):$$PATH" FRESH=$(FRESH) docs/page.sh $(PAGE) $(if $(MODE),--mode $(MODE)) $(RUN_FLAGS)

# Truth and trajectories are made anew: a cache would answer for code that has changed since. What
# the run's own exit status says of wrong and dead cells, the gate says by name.
regress: $(B)/proxbench ## the gate: run the experiment `ci`, check it against results/reference/ci.csv
	$(Q)rm -rf $(B)/regress && mkdir -p $(B)/regress
	$(Q)$(B)/proxbench run ci --out $(B)/regress/run --cache $(B)/regress/cache >$(B)/regress/table; \
	status=$$?; case $$status in 0|1|5) ;; *) exit $$status ;; esac
	$(Q)$(B)/proxbench check $(B)/regress/run --baseline results/reference/ci.csv --same \
	  --junit $(B)/regress/junit.xml --markdown $(B)/regress/summary.md

RUNS ?= 100
power: $(B)/proxbench ## how often compare and the gate are right: RUNS=100 runs of each kind; writes its column of docs/timing.md
	$(Q)suite/tests/power/power.sh $(B)/proxbench $(RUNS) docs/timing.md
.PHONY: size
size: ## lines, files, functions and exported names of the tree, or of the commit REV=
	$(Q)suite/tests/size.sh $(REV)

POSES ?= 100000
KILLS ?= 180
SIMULATION_KILLS ?= 100
SEED  ?= 1
PAIRS ?= *
soak: $(B)/soak $(B)/proxbench ## both volume methods on POSES=100000 poses of ten PAIRS='*', KILLS=180 kills of runs, SIMULATION_KILLS=100 of simulations; SEED=1
	$(Q)$(B)/soak $(POSES) $(SEED) '$(PAIRS)'
	$(Q)suite/tests/kills.sh run $(B)/proxbench $(KILLS) $(SEED)
	$(Q)$(MAKE) --no-print-directory soak-simulate
soak-simulate: $(B)/proxbench ## SIMULATION_KILLS=100 kills of simulations with a variant that crashes and one that hangs; SEED=1
	$(Q)suite/tests/kills.sh simulate $(B)/proxbench $(SIMULATION_KILLS) $(SEED)

FAMILY ?= ist
# A break may leave a variable unused: warnings are no errors there.
MUTANT_MAKE = 'CC=$(CC)' 'CFLAGS=$(CFLAGS)' WERROR=
mutants: ## break algorithms/FAMILY=ist at one place at a time and run its tests: names the breaks that none notices
	$(Q)suite/tests/mutants.sh '$(FAMILY)' $(MUTANT_MAKE)
mutants-all: ## the same for the breaks of all families: many hours
	$(Q)suite/tests/mutants.sh --all $(MUTANT_MAKE)
mutants-drawn:
	$(Q)suite/tests/mutants.sh --draw 40 $(MUTANT_MAKE)
# A break whose text is gone, or that does not compile, tests nothing.
check-mutants:
	$(Q)CC='$(CC)' suite/tests/mutants.sh --compile

FRAMES ?= 10000
oracle: $(B)/oracle ## the truth on FRAMES=10000 frames of small bodies against exact rational arithmetic; SEED=1
	$(Q)$(B)/oracle $(FRAMES) $(SEED)

large: $(B)/proxbench ## 20 variants x 10000 frames: memory of the supervisor, files in gnuplot and pandas
	$(Q)suite/tests/large.sh $(B)/proxbench

# Folders that include each other in a circle cannot be read one after the other; tsort finds such.
folders = awk -F'"' '/^\#include "[^"]*\// { from = FILENAME; to = $$2; sub("/[^/]*$$", "", from); \
  sub("/[^/]*$$", "", to); if (from != to) print from, to }'
check-layers: $(OBJS) ## an upward include shows up in the dependency files; no circle of folders
	$(Q)bad=0; $(foreach m,$(MODULES),for d in $(filter-out $(m) $(USES_$(m)),$(MODULES)); do \
	  grep -l " $$d/" $(filter $(B)/$(m)/%,$(OBJS:.o=.d) $(wildcard $(MORE_OBJS:.o=.d))) /dev/null && bad=1; done;) \
	grep -n '#include "' algorithms/peers/*.* | \
	  grep -v '"algorithms/algorithms.h"\|"algorithms/peers/peer.h"' && bad=1; \
	$(folders) $(foreach m,$(MODULES),$(filter-out suite/main.c $(m)/tests/%,$(call files,$(m),*.[ch]))) | \
	  sort -u | tsort > /dev/null || bad=1; exit $$bad

SOURCES = $(wildcard $(foreach m,$(MODULES),$(m)/*.[ch] $(m)/*/*.[ch] $(m)/*/*/*.[ch] $(m)/*/*/*/*.[ch]) \
          algorithms/peers/*.cpp examples/*.c examples/*.cpp)
# Their tables of parameters have rows that clang-format does not break.
WIDE = algorithms/imp/imp.c algorithms/ist/triangles.c algorithms/lpd/lpd.c algorithms/pst/pst.c algorithms/vps/vps.c \
       scenarios/trajectories/sampler.h
check-format:
	$(Q)clang-format --dry-run --Werror $(SOURCES)
	$(Q)awk 'length > 100 { print FILENAME ":" FNR ": " length " columns, more than 100"; bad = 1 } \
	  END { exit bad }' $(filter-out $(WIDE),$(SOURCES))
check-words: ## words that hide the subject of a sentence: their table is in suite/tests/words.sh
	$(Q)suite/tests/words.sh
format: ## rewrite all sources in house style
	$(Q)clang-format -i $(SOURCES)

# --- Set-up ----------------------------------------------------------------------------------

PACKAGES := gcc libc6-dev libcriterion-dev libcsv-dev libconfig-dev libxxhash-dev libgmp-dev libpng-dev \
            libmeshoptimizer-dev libmicrohttpd-dev libjs-three tetgen gnuplot-nox fonts-dejavu-core fontconfig \
            clang-format git pkg-config
PEER_PACKAGES := g++ libbullet-dev libccd-dev libcgal-dev libfcl-dev libode-dev
deps: ## install the Debian packages that are missing, saying which
	@if ! command -v dpkg-query >/dev/null; then \
	  echo 'not a Debian system: make sure that these are there: $(PACKAGES)'; exit 0; fi; \
	missing=; for p in $(PACKAGES); do \
	  [ "$$(dpkg-query -W -f '$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || missing="$$missing $$p"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	echo "installing:$$missing"; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	[ -z "$$sudo" ] || command -v sudo >/dev/null || { \
	  echo "no sudo here; as root: apt-get install$$missing"; exit 1; }; \
	packaging/progress.sh 'reading the lists of packages' 1 '^Reading' $$sudo apt-get update && \
	steps=$$(apt-get install -s --no-install-recommends $$missing | grep -c '^Inst') && \
	packaging/progress.sh installing $$((3 * steps)) '^(Get:|Unpacking |Setting up )' $$sudo env \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

clean: ## remove build/
	rm -rf build

-include $(OBJS:.o=.d) $(MORE_OBJS:.o=.d)
FORCE:
