// Package fpw models what full_page_writes puts into the log: tables whose rows
// are updated at random, the pages they lie on, checkpoints, and which record
// of which update carries the image of which page, as PostgreSQL 15 writes it.
// It knows no locks and does no I/O, and gets the redo pointer as an argument.
//
// The life of a [Model]: [New] checks a [Config] and makes the plan, once;
// [Model.Session] gives each updater a [Session]; the updater calls Next for
// each transaction and Build as often as the log wants the records. A Model
// never changes and serves any number of sessions at once.
//
// # Who decides on images
//
// In PostgreSQL a page carries its LSN, and the page's lock orders those who
// look at it. Sharing page LSNs between updaters here would make the records
// depend on which updater came first, so on the design under test. Instead the
// transactions of all updaters have one order that is fixed beforehand:
// transaction k of updater u of N is number k*N+u. The plan goes through them in
// that order once, keeps for each page who touched it last, and notes in two
// bits a row whether heap page and index leaf need an image. It is read-only
// afterwards, and depends neither on a session's seed nor on the number of
// updaters: what a seed changes is by how far all page numbers are rotated (which
// keeps the bits right), where in a ring (below) the first transaction is, and every
// byte of content. So one plan serves all designs and all repetitions, every design
// gets the same records, and a transaction costs a look at a cache line of bits.
//
// Phases that follow checkpoints ([Fresh], [Steady]) begin a cycle at number 0
// and at every multiple of [Model.CycleCommits]; there the log's redo pointer has
// to move, while no updater is behind or ahead. Phases that hold a place on the
// decay curve ([Late], [Images]) have a redo pointer that trails the current
// transaction by a fixed number of transactions, so every transaction costs the
// same on average; the plan is a ring in which that many always lie before.
//
// A redo pointer that moves at any other place is honoured too: from then to the
// next planned checkpoint a session adds the image whenever it touches a page
// for the first time itself. No first touch lacks its image then; some pages are
// imaged by several sessions.
//
// Updaters keep the planned order only roughly. Where two touch the same page
// the other way round, the image is on the second touch in the log, not on the
// first: the price of equal records for all designs. Each page still has one image in
// each cycle, and nothing reads pages back here.
//
// # What is left out
//
// Rows that moved to a new page are still looked for on their old one. Rows of
// a transaction come in drawn order, not by page. The second row of one
// transaction on one page is pruned for like any other. Pages are never split,
// and visibility and free space maps are not logged. The first PRUNE of a
// transaction has its transaction id, where PostgreSQL has none yet. Images are
// real pages, compressed for real, but a session owns a limited number of them
// and shows them again and again.
package fpw
