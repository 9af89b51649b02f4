package main

import (
	"os"
	"os/signal"
	"syscall"
)

// interrupts turns the first SIGINT or SIGTERM into the closing of stop, so that
// the command can end at the end of what is under way, named in the line that
// says so, and the second one into an exit at once. release ends that.
// Before that exit, cleanup is called.
func (a *app) interrupts(quiet bool, underWay string, cleanup func()) (stop <-chan struct{}, release func()) {
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
			a.screen.say("stopping at the end of the %s under way; once more to stop at once", underWay)
		}
		select {
		case <-signals:
			a.screen.clear()
			cleanup()
			os.Exit(exitInterrupted)
		case <-done:
		}
	}()
	return stopped, func() {
		signal.Stop(signals)
		close(done)
	}
}
