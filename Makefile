# make [all|bench|check|plots|...] [config=release|debug|scalar|sanitize|coverage] [V=1] [WERROR=1]
#
# `make help` lists the targets. `make bench` and `make check` install what is missing (`make deps`).
MAKEFLAGS += -r
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

config ?= release
B := build/$(config)
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-6s %s\n' $(1) $(2))
ifeq ($(origin CC),default)
CC := gcc
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wundef -Wvla \
        -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wcast-align=strict -Wwrite-strings \
        -Wformat=2 -Wimplicit-fallthrough -Wduplicated-cond -Wlogical-op -Wnull-dereference \
        $(if $(filter 1,$(WERROR)),-Werror)
# No contraction and no wide-ISA default: the same bits from every build on every CPU.
FP   := -ffp-contract=off -fno-math-errno
OPT_release  := -O2 -DNDEBUG
OPT_debug    := -O0 -DGEO_VALIDATE
OPT_scalar   := -O2 -DNDEBUG -DGEO_NO_SIMD
OPT_sanitize := -O1 -DGEO_VALIDATE -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT_coverage := -O0 --coverage
$(if $(OPT_$(config)),,$(error unknown config '$(config)': release, debug, scalar, sanitize or coverage))
cflags = -std=c17 -D_GNU_SOURCE -I. -g $(WARN) $(FP) $(OPT_$(config)) $(CFLAGS)
LIBS  := -lconfig -lcsv -lxxhash -lpthread -lm

# bottom to top; each line is the whole list of what a module may use
USES_geometry    :=
USES_algorithms  := geometry
USES_groundtruth := geometry
USES_scenarios   := geometry
USES_suite       := scenarios groundtruth algorithms geometry
MODULES := geometry algorithms groundtruth scenarios suite

# A module is its folder and one level of sub-folders (an algorithm family, a kind of model).
lib = $(patsubst %,$(B)/lib%.a,$(1))
define module
SRC_$(1)  := $$(filter-out $(1)/main.c $(1)/tests/%,$$(wildcard $(1)/*.c $(1)/*/*.c))
TEST_$(1) := $$(patsubst %.c,$$(B)/%,$$(wildcard $(1)/tests/test_*.c $(1)/*/tests/test_*.c))
$$(B)/lib$(1).a: $$(SRC_$(1):%.c=$$(B)/%.o)
$$(TEST_$(1)): %: %.o $$(call lib,$(1) $$(USES_$(1)))
TESTS += $$(TEST_$(1))
OBJS  += $$(SRC_$(1):%.c=$$(B)/%.o) $$(TEST_$(1):%=%.o)
endef
$(foreach m,$(MODULES),$(eval $(call module,$(m))))
OBJS += $(B)/suite/main.o

.PHONY: all bench plots check check-layers check-format check-cli format deps clean help FORCE
all: $(B)/proxbench ## build build/$(config)/proxbench
$(B)/proxbench: $(B)/suite/main.o $(call lib,suite $(USES_suite))
	$(call say,LINK,$@)
	$(Q)$(CC) $(cflags) $(LDFLAGS) $^ $(LIBS) -o $@
$(TESTS):
	$(call say,LINK,$@)
	$(Q)$(CC) $(cflags) $(LDFLAGS) $^ -lcriterion $(LIBS) -o $@
$(B)/%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^
$(B)/%.o: %.c $(B)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(cflags) $(ISA) -MMD -MP -c $< -o $@
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(cflags)' | cmp -s - $@ || echo '$(CC) $(cflags)' > $@
$(B)/%_avx2.o: ISA := -mavx2

clean: ## remove build/
	rm -rf build

-include $(OBJS:.o=.d)
FORCE:
