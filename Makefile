# Two commands do all the set-up: `go run ./cmd/conform run` and `make test`.
GO ?= go
GOLANGCI = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: build test race bench lint cover fuzz snapshots schemas

build: ## every package, and the command at bin/conform
	$(GO) build ./...
	$(GO) build -o bin/conform ./cmd/conform

test: ## every test, on the embedded reference and on the hostile adapters
	$(GO) vet ./...
	$(GO) test ./...

race: ## the same under the race detector (slower)
	$(GO) test -race -short ./...

bench: ## µs a case: a bare echo adapter beside the whole pipeline, in one run
	$(GO) test -run '^$$' -bench . -benchtime 1x -count 1 ./conformance/suite/...
	$(GO) test -run '^$$' -bench . ./conformance/adapter/... ./reference/...

lint: ## formatting, vet and golangci-lint
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files"; exit 1; }
	$(GO) run $(GOLANGCI) run ./...

cover: ## statement coverage by package, and coverage.out
	$(GO) test -short -coverpkg=./... -coverprofile=coverage.out ./...
	$(GO) tool cover -func=coverage.out | tail -n 1

fuzz: ## each native fuzz target for a few seconds
	$(GO) run ./.ci/fuzz.go

snapshots: ## rewrite snapshots/ after a deliberate change of layout
	$(GO) test ./conformance/snapshot/... -args -rewrite-snapshots

schemas: ## rewrite the generated JSON Schemas
	$(GO) test ./conformance/protocol ./conformance/suite ./conformance/report -run TestSchemaIsCurrent -update
