package loadgen

import (
	"bytes"
	_ "embed"
)

// embedded.csv.gz is 2,647 rows (14 commits, 172 page images, 1,539,086 bytes
// of records) of a trace taken on PostgreSQL 15.18 with pg_walinspect: eight
// clients, each transaction an UPDATE of 100 random rows in one of four tables
// of a million rows, when a transaction cost about 12 page images; rows 2,074 to
// 4,720 of it, from behind one commit to another with no transaction left open.
// Settings: 16 MB segments, wal_level=replica, full_page_writes=on,
// wal_compression=off, checksums off. The tables held generated data only.
//
//go:embed embedded.csv.gz
var embeddedTrace []byte

func openEmbedded(name, _ string, _ Options) (Workload, error) {
	return loadTrace(name, "embedded.csv.gz", bytes.NewReader(embeddedTrace))
}
