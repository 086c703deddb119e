// Licensed under the MIT License. See LICENSE.

package main

import (
	"sort"
	"syscall"
	"time"
	"unsafe"
)

const (
	// rowTime is how long each row is measured.
	rowTime = 600 * time.Millisecond
	// sampleTime is how long the calls of one sample take together, so that reading the clock hardly matters.
	sampleTime = time.Millisecond
)

// cpu returns the processor time of all threads of this process. Getrusage has only whole microseconds.
func cpu() time.Duration {
	const processClock = 2 // CLOCK_PROCESS_CPUTIME_ID
	var now syscall.Timespec
	_, _, code := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&now)), 0)
	if code != 0 {
		fail("the processor time: " + code.Error())
	}
	return time.Duration(now.Nano())
}

// microseconds returns the median CPU time of one call. Each sample of a short call has several.
func microseconds(work func()) float64 {
	begin, start := time.Now(), cpu()
	work()
	calls := int(sampleTime / (cpu() - start + 1))
	if calls < 1 {
		calls = 1
	}
	if calls > 200 {
		calls = 200
	}
	var times []float64
	for len(times) < 2 || (len(times) < 1000 && time.Since(begin) < rowTime) {
		start := cpu()
		for call := 0; call < calls; call++ {
			work()
		}
		times = append(times, inMicroseconds(cpu()-start)/float64(calls))
	}
	return median(times)
}

func inMicroseconds(time time.Duration) float64 { return float64(time.Nanoseconds()) / 1000 }

func median(times []float64) float64 {
	sort.Float64s(times)
	return times[len(times)/2]
}
