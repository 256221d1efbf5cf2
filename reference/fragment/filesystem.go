package fragment

import (
	"slices"
	"strconv"
)

// Filesystem is what may be read and written (WLD-56).
type Filesystem struct {
	WorkspaceRoots []string
	Profile        string      // managed, disabled or external
	Access         *FileAccess // nil where the profile says nothing of it
}

// FileAccess is the file_system element of a profile.
type FileAccess struct {
	Type             string // restricted, unrestricted or external
	GlobScanMaxDepth int    // 0: no limit; restricted only
	Entries          []FileEntry
}

// FileEntry gives one access to one place, or denies it.
type FileEntry struct {
	Access string // read, write, deny
	Name   string // path, glob or special: how the place is given
	Place  string
}

// Render returns the <filesystem> element, on one line (DET-24, WLD-56).
func (f Filesystem) Render() string {
	roots := ""
	for _, root := range f.WorkspaceRoots {
		roots += element("root", root)
	}
	if roots != "" {
		roots = "<workspace_roots>" + roots + "</workspace_roots>"
	}
	profile := `<permission_profile type="` + f.Profile + `"`
	if f.Access == nil {
		profile += " />"
	} else {
		profile += ">" + f.Access.render() + "</permission_profile>"
	}
	return "<filesystem>" + roots + profile + "</filesystem>"
}

func (a FileAccess) render() string {
	open := `<file_system type="` + a.Type + `"`
	if a.Type != "restricted" || (len(a.Entries) == 0 && a.GlobScanMaxDepth == 0) {
		return open + " />"
	}
	if a.GlobScanMaxDepth != 0 {
		open += ` glob_scan_max_depth="` + strconv.Itoa(a.GlobScanMaxDepth) + `"`
	}
	entries := ""
	for i, entry := range a.Entries {
		if !slices.Contains(a.Entries[:i], entry) {
			entries += entry.render()
		}
	}
	return open + ">" + entries + "</file_system>"
}

func (e FileEntry) render() string {
	access := `"` + xmlEscapes.Replace(e.Access) + `"`
	if e.Access == "deny" {
		access += ` escalatable="false"`
	}
	return "<entry access=" + access + ">" + element(e.Name, e.Place) + "</entry>"
}
