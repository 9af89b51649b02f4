package pgformat

// types15 are the record type names of PostgreSQL 15 and 16, by resource
// manager and the high four bits of xl_info (the identify functions of
// access/rmgrdesc). A test compares them with what pg_waldump 15 printed.
var types15 = [numRM][16]string{
	RMXLog: {
		0x0: "CHECKPOINT_SHUTDOWN", 0x1: "CHECKPOINT_ONLINE", 0x2: "NOOP", 0x3: "NEXTOID",
		0x4: "SWITCH", 0x5: "BACKUP_END", 0x6: "PARAMETER_CHANGE", 0x7: "RESTORE_POINT",
		0x8: "FPW_CHANGE", 0x9: "END_OF_RECOVERY", 0xA: "FPI_FOR_HINT", 0xB: "FPI",
		0xD: "OVERWRITE_CONTRECORD",
	},
	RMXact: {
		0x0: "COMMIT", 0x1: "PREPARE", 0x2: "ABORT", 0x3: "COMMIT_PREPARED",
		0x4: "ABORT_PREPARED", 0x5: "ASSIGNMENT", 0x6: "INVALIDATION",
	},
	RMSmgr:   {0x1: "CREATE", 0x2: "TRUNCATE"},
	RMClog:   {0x0: "ZEROPAGE", 0x1: "TRUNCATE"},
	RMDBase:  {0x0: "CREATE_FILE_COPY", 0x1: "CREATE_WAL_LOG", 0x2: "DROP"},
	RMTblSpc: {0x0: "CREATE", 0x1: "DROP"},
	RMMultiXact: {
		0x0: "ZERO_OFF_PAGE", 0x1: "ZERO_MEM_PAGE", 0x2: "CREATE_ID", 0x3: "TRUNCATE_ID",
	},
	RMRelMap:  {0x0: "UPDATE"},
	RMStandby: {0x0: "LOCK", 0x1: "RUNNING_XACTS", 0x2: "INVALIDATIONS"},
	RMHeap2: {
		0x0: "REWRITE", 0x1: "PRUNE", 0x2: "VACUUM", 0x3: "FREEZE_PAGE", 0x4: "VISIBLE",
		0x5: "MULTI_INSERT", 0x6: "LOCK_UPDATED", 0x7: "NEW_CID", 0xD: "MULTI_INSERT+INIT",
	},
	RMHeap: {
		0x0: "INSERT", 0x1: "DELETE", 0x2: "UPDATE", 0x3: "TRUNCATE", 0x4: "HOT_UPDATE",
		0x5: "HEAP_CONFIRM", 0x6: "LOCK", 0x7: "INPLACE",
		0x8: "INSERT+INIT", 0xA: "UPDATE+INIT", 0xC: "HOT_UPDATE+INIT",
	},
	RMBtree: {
		0x0: "INSERT_LEAF", 0x1: "INSERT_UPPER", 0x2: "INSERT_META", 0x3: "SPLIT_L",
		0x4: "SPLIT_R", 0x5: "INSERT_POST", 0x6: "DEDUP", 0x7: "DELETE", 0x8: "UNLINK_PAGE",
		0x9: "UNLINK_PAGE_META", 0xA: "NEWROOT", 0xB: "MARK_PAGE_HALFDEAD", 0xC: "VACUUM",
		0xD: "REUSE_PAGE", 0xE: "META_CLEANUP",
	},
	RMHash: {
		0x0: "INIT_META_PAGE", 0x1: "INIT_BITMAP_PAGE", 0x2: "INSERT", 0x3: "ADD_OVFL_PAGE",
		0x4: "SPLIT_ALLOCATE_PAGE", 0x5: "SPLIT_PAGE", 0x6: "SPLIT_COMPLETE",
		0x7: "MOVE_PAGE_CONTENTS", 0x8: "SQUEEZE_PAGE", 0x9: "DELETE", 0xA: "SPLIT_CLEANUP",
		0xB: "UPDATE_META_PAGE", 0xC: "VACUUM_ONE_PAGE",
	},
	RMGin: {
		0x1: "CREATE_PTREE", 0x2: "INSERT", 0x3: "SPLIT", 0x4: "VACUUM_PAGE", 0x5: "DELETE_PAGE",
		0x6: "UPDATE_META_PAGE", 0x7: "INSERT_LISTPAGE", 0x8: "DELETE_LISTPAGE",
		0x9: "VACUUM_DATA_LEAF_PAGE",
	},
	RMGist: {
		0x0: "PAGE_UPDATE", 0x1: "DELETE", 0x2: "PAGE_REUSE", 0x3: "PAGE_SPLIT",
		0x6: "PAGE_DELETE", 0x7: "ASSIGN_LSN",
	},
	RMSeq: {0x0: "LOG"},
	RMSPGist: {
		0x1: "ADD_LEAF", 0x2: "MOVE_LEAFS", 0x3: "ADD_NODE", 0x4: "SPLIT_TUPLE", 0x5: "PICKSPLIT",
		0x6: "VACUUM_LEAF", 0x7: "VACUUM_ROOT", 0x8: "VACUUM_REDIRECT",
	},
	RMBrin: {
		0x0: "CREATE_INDEX", 0x1: "INSERT", 0x2: "UPDATE", 0x3: "SAMEPAGE_UPDATE",
		0x4: "REVMAP_EXTEND", 0x5: "DESUMMARIZE", 0x9: "INSERT+INIT", 0xA: "UPDATE+INIT",
	},
	RMCommitTs:   {0x0: "ZEROPAGE", 0x1: "TRUNCATE"},
	RMReplOrigin: {0x0: "SET", 0x1: "DROP"},
	RMLogicalMsg: {0x0: "MESSAGE"},
}

// types17 are the names that 17 and 18 have in place of or beyond those. The
// three kinds of pruning took over the infos of PRUNE, VACUUM and FREEZE_PAGE.
var types17 = [numRM][16]string{
	RMXLog:  {0xE: "CHECKPOINT_REDO"},
	RMHeap2: {0x1: "PRUNE_ON_ACCESS", 0x2: "PRUNE_VACUUM_SCAN", 0x3: "PRUNE_VACUUM_CLEANUP"},
}
