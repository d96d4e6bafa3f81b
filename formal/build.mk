# Runs in out/formal, where the sources were copied to.

COQC := coqc -q -Q . Cavalcade
VS := $(wildcard *.v)

all: $(VS:.v=.vo) tour verify
	@:

include .dependencies

.dependencies: $(VS)
	@coqdep -Q . Cavalcade $(VS) > $@

%.vo: %.v
	@echo "Coq checks $<"
	@$(COQC) $<

Assumptions.vo: Assumptions.v
	@echo "Coq prints what the theorems assume"
	@rm -f assumptions.txt
	@$(COQC) $< > assumptions.part
	@mv assumptions.part assumptions.txt

tour: ExtractTour.vo tour.ml
	@ocamlopt -w -a -o $@ glinski.mli glinski.ml tour.ml

verify: ExtractVerify.vo verify.ml
	@ocamlopt -w -a -o $@ checker.mli checker.ml verify.ml
