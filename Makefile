# The targets: test (what .ci/run calls), build, bench, fuzz, clean.

GO       ?= go
FUZZTIME ?= 60s
PG       := 15

.PHONY: test format vet staticcheck race deps build bench fuzz clean

test: format vet staticcheck race

format:
	@unformatted=$$(gofmt -l .) && if [ -n "$$unformatted" ]; then \
	  echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) tool staticcheck ./...

# The tests compare with a real pg_waldump, with OpenSSL and with an arm64 binary,
# and must not leave that out here.
race: deps
	WALBENCH_REQUIRE_PG=1 WALBENCH_REQUIRE_OPENSSL=1 WALBENCH_REQUIRE_QEMU=1 $(GO) test -race -timeout 14m ./...

# pg_waldump and initdb of Debian's package, which is not in every PATH; a C
# compiler with OpenSSL's headers, and the openssl command; what runs arm64 binaries.
deps:
	@have() { command -v $$1 >/dev/null || ls /usr/lib/postgresql/*/bin/$$1 >/dev/null 2>&1; }; \
	links() { echo 'int main(void) { return 0; }' | cc -include openssl/evp.h -x c -o /dev/null - -lcrypto 2>/dev/null; }; \
	want=; \
	if ! have pg_waldump || ! have initdb; then want="postgresql-$(PG)"; fi; \
	if ! have cc || ! have openssl || ! links; then want="$$want gcc libc6-dev libssl-dev openssl"; fi; \
	if ! have qemu-aarch64 && ! have qemu-aarch64-static; then want="$$want qemu-user"; fi; \
	if [ -z "$$want" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$want; \
	else \
	  echo "the tests need programs that are missing: install $$want (as root: make deps)" >&2; exit 1; \
	fi

build:
	$(GO) build -trimpath -o bin/walbench ./cmd/walbench

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Every fuzz target for FUZZTIME each, one after the other.
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; \
	done

clean:
	rm -rf bin
	rm -f *.test *.prof
