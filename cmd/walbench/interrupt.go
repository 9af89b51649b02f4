package main

import (
	"os"
	"os/signal"
	"syscall"
)

// interrupts turns the first SIGINT or SIGTERM into the closing of stop, so that
// the run can end between transactions, and the second one into an exit at once.
// release ends that. until says where the work ends.
func (a *app) interrupts(quiet bool, until string) (stop <-chan struct{}, release func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		close(stopped)
		if !quiet {
			a.screen.say("stopping at the end of %s; once more to stop at once", until)
		}
		select {
		case <-signals:
			a.screen.clear()
			os.Exit(exitInterrupted)
		case <-done:
		}
	}()
	return stopped, func() {
		signal.Stop(signals)
		close(done)
	}
}
