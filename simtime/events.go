package simtime

// event is something that happens to a process at a time.
type event struct {
	at   Time
	seq  int64 // events at one time happen in the order in which they were made
	proc *virtualProc
	runs bool // the process has a core and goes on; else it becomes runnable

	alarm int64 // not 0: it ends this wait of the process, for cond, or this work, if that is still on
	cond  *Cond
	bring bool // a core to the process, unless that has got one before
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// eventQueue holds the events to come: a binary heap.
type eventQueue struct {
	heap []event
	made int64
}

func (q *eventQueue) push(e event) {
	e.seq = q.made
	q.made++
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = e
}

func (q *eventQueue) pop() (first event, ok bool) {
	n := len(q.heap) - 1
	if n < 0 {
		return event{}, false
	}
	first = q.heap[0]
	last := q.heap[n]
	q.heap[n] = event{}
	if q.heap = q.heap[:n]; n > 0 {
		q.heap[q.sink(&last)] = last
	}
	return first, true
}

// sink moves smaller events up from the root until e fits, and says where.
func (q *eventQueue) sink(e *event) int {
	i, n := 0, len(q.heap)
	for {
		child := 2*i + 1
		if child >= n {
			return i
		}
		if child+1 < n && q.heap[child+1].before(&q.heap[child]) {
			child++
		}
		if !q.heap[child].before(e) {
			return i
		}
		q.heap[i] = q.heap[child]
		i = child
	}
}

// free says whether nothing happens up to and including t.
func (q *eventQueue) free(t Time) bool { return len(q.heap) == 0 || q.heap[0].at > t }

// fifo is a queue that keeps its memory.
type fifo[T any] struct {
	items []T // a ring: its length is a power of two
	first int
	n     int
}

func (f *fifo[T]) push(v T) {
	if f.n == len(f.items) {
		f.grow()
	}
	f.items[(f.first+f.n)&(len(f.items)-1)] = v
	f.n++
}

// pushFront puts v before all others.
func (f *fifo[T]) pushFront(v T) {
	if f.n == len(f.items) {
		f.grow()
	}
	f.first = (f.first - 1) & (len(f.items) - 1)
	f.items[f.first] = v
	f.n++
}

func (f *fifo[T]) grow() {
	items := make([]T, max(8, 2*len(f.items)))
	for i := range f.n {
		items[i] = f.items[(f.first+i)&(len(f.items)-1)]
	}
	f.items, f.first = items, 0
}

func (f *fifo[T]) pop() (v T, ok bool) {
	if f.n == 0 {
		return v, false
	}
	var none T
	v = f.items[f.first]
	f.items[f.first] = none
	f.first = (f.first + 1) & (len(f.items) - 1)
	f.n--
	return v, true
}

// remove takes v out, wherever it stands, and says whether it was there.
func remove[T comparable](f *fifo[T], v T) bool {
	found := false
	for n := f.n; n > 0; n-- {
		w, _ := f.pop()
		if w == v && !found {
			found = true
			continue
		}
		f.push(w)
	}
	return found
}
