package loadgen

import (
	"encoding/binary"

	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// xl_logical_message (replication/message.h), written whole into main data:
//
//	0        4               5      8             16             24      33        74
//	+--------+---------------+------+-------------+--------------+-------+---------+
//	| dbId   | transactional | zero | prefix_size | message_size | prefix| message |
//	+--------+---------------+------+-------------+--------------+-------+---------+
//
// With the record header and the short main data header that makes 100 bytes.
const (
	messagePrefix   = "walbench\x00" // prefix_size counts the zero byte
	messageStruct   = 24
	messagePayload  = 41
	messageMainLen  = messageStruct + len(messagePrefix) + messagePayload
	messageDatabase = 5 // of the first database initdb makes for users
)

// small is the workload of the source article's argument about small records:
// every transaction is one record of 100 bytes. It is not transactional in
// PostgreSQL's meaning: it counts without a commit record.
type small struct{ plain }

func openSmall(name, _ string, _ Options) (Workload, error) { return small{plain{name}}, nil }

func (small) Source(o SourceOptions) Source {
	checkUpdater(o.Updater, o.Updaters)
	s := &smallSource{content: newContent(o)}
	le := binary.LittleEndian
	le.PutUint32(s.main[0:], messageDatabase)
	le.PutUint64(s.main[8:], uint64(len(messagePrefix)))
	le.PutUint64(s.main[16:], messagePayload)
	copy(s.main[messageStruct:], messagePrefix)
	s.spec = pgformat.Spec{RMID: pgformat.RMLogicalMsg, Info: pgformat.InfoLogicalMsgMessage, MainLen: messageMainLen, Main: s.main[:]}
	return s
}

type smallSource struct {
	content content
	main    [messageMainLen]byte
	spec    pgformat.Spec
}

func (s *smallSource) Next() {
	s.content.next()
	s.content.of(0).Fill(s.main[messageMainLen-messagePayload:])
}

func (s *smallSource) Build(tx *walsim.Tx, _ pgformat.LSN) { s.build(tx) }

func (s *smallSource) buildFor(to sink, _ pgformat.LSN) { s.build(to) }

func (s *smallSource) build(to sink) { to.Add(&s.spec, s.content.of(0)) }
