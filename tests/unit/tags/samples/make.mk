# Build. fake: target
CC ?= cc
CFLAGS += -O2
export PATH := $(PATH):/x
SRCS := $(wildcard src/*.c)
override DEBUG = 1
lazy = $(shell ls)
immediate ::= x
OUT != date

-include local.mk
include rules/$(ARCH).mk config.mk

.PHONY: all clean

all: app docs

app: $(SRCS:.c=.o) libs/core.a | build
	$(CC) -o $@ $^ # fake2: x
	@echo "done: $(OUT)"

%.o: %.c common.h
	$(CC) -c $< -o $@

define banner
@echo building $(1)
endef

define recipe =
all: fake3
endef

docs:
	$(call banner,x)
	$(MAKE) -C doc html

build clean:
	mkdir -p build

$(OUT): app
	touch $@

app: TARGET_VAR = 1
objects/%.o: %.s
	as $<
ifeq ($(DEBUG),1)
debug: app
	gdb app
else
release: app
	strip app
endif
ifdef VERBOSE
Q =
endif
install:: app ; cp app $(DESTDIR)
$(eval $(call recipe,a))
undefine lazy
vpath %.c src
last: app
	true
