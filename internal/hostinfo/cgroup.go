package hostinfo

import (
	"io/fs"
	"path"
	"strings"
)

const cgroupDir = "sys/fs/cgroup"

// cpuQuota is the tightest limit on processor time over this process's control
// group and those above it. Groups are found through /proc/self/cgroup, in
// version 1 and version 2 (cgroups(7)); inside a container the path there may
// be one that only the host can see, and then the search starts at the top.
func (f files) cpuQuota() Quota {
	groups := f.line("proc/self/cgroup")
	if groups == nil {
		return Quota{}
	}
	var q Quota
	for l := range strings.Lines(*groups) {
		parts := strings.SplitN(strings.TrimSpace(l), ":", 3)
		if len(parts) != 3 {
			continue
		}
		if parts[0] == "0" && parts[1] == "" {
			f.eachGroup([]string{cgroupDir, cgroupDir + "/unified"}, parts[2], q.addV2)
		} else if strings.Contains(","+parts[1]+",", ",cpu,") {
			f.eachGroup([]string{cgroupDir + "/cpu", cgroupDir + "/cpu,cpuacct"}, parts[2], q.addV1)
		}
	}
	return q
}

// eachGroup calls add for the group at below in each mount and for all groups
// above it. A path that the root does not accept (it has ".." in it, when the
// process is outside its own namespace) stands for the top.
func (f files) eachGroup(mounts []string, below string, add func(f files, dir string)) {
	for _, mount := range mounts {
		if _, err := fs.Stat(f.root, mount); err != nil {
			continue
		}
		group := strings.Trim(below, "/")
		if group == "" || !fs.ValidPath(group) {
			group = "."
		}
		for group != "." {
			add(f, path.Join(mount, group))
			group = path.Dir(group)
		}
		add(f, mount)
	}
}

// addV2 reads cpu.max: "max 100000", or quota and period in microseconds. The
// group at the very top has no such file and no limit.
func (q *Quota) addV2(f files, dir string) {
	if text := f.line(dir + "/cpu.max"); text != nil {
		quota, period, _ := strings.Cut(*text, " ")
		q.add(quota, period)
	}
}

// addV1 reads the pair of files of version 1; a quota of -1 is no limit.
func (q *Quota) addV1(f files, dir string) {
	quota, period := f.line(dir+"/cpu.cfs_quota_us"), f.line(dir+"/cpu.cfs_period_us")
	if quota != nil && period != nil {
		q.add(*quota, *period)
	}
}

func (q *Quota) add(quota, period string) {
	if quota == "max" || quota == "-1" {
		if q.Limited == nil {
			q.Limited = new(bool)
		}
		return
	}
	us, ok := parseFinite(quota)
	per, okPer := parseFinite(period)
	if !ok || !okPer || us == 0 || per < 1 {
		return
	}
	limited, cores := true, us/per
	if q.Cores == nil || cores < *q.Cores {
		q.Limited, q.Cores = &limited, &cores
	}
}
