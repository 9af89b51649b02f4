// Package lint holds the house rules that a compiler does not check, as tests:
// the seams of the project (what walsim, strategies and loadgen may touch), the
// arrows of its imports, and the size rules.
//
// Life of a rule: it is a function from one parsed source file to a list of
// problems; one test runs it over the whole tree, another one proves on a small
// bad snippet that it can fail. There is nothing here for other packages to use.
package lint
