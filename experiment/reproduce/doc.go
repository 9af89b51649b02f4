// Package reproduce sets what documents say beside what walbench models and
// measures: the document's figure, the model fed with the document's own figures,
// a run on this machine, and the model fed with costs measured on it.
//
// Life of a [Run]: [New] checks what was asked for; [Run.Execute] goes through the
// columns and returns a [results.Reproduction], which is marked partial when it was
// stopped.
package reproduce
