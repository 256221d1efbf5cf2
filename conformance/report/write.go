package report

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON returns the record as indented JSON with a line end. Bytes of the adapter that are no UTF-8
// become U+FFFD.
func (r *Record) JSON() ([]byte, error) {
	data, err := json.Marshal(r, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	return append(data, '\n'), err
}

// PendingFile is a file that has its new content only once it is complete: nobody sees half of
// it, and a run that breaks leaves the old one as it was.
type PendingFile struct {
	target    string
	temporary *os.File
}

// Create begins to write a file. It fails at once where the file cannot be written, so that
// nobody waits for a run whose record is lost.
func Create(target string) (*PendingFile, error) {
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a directory", target)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device cannot be replaced
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		return &PendingFile{temporary: file}, err
	case err == nil: // write to where a symbolic link leads
		if target, err = filepath.EvalSymlinks(target); err != nil {
			return nil, err
		}
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.tmp")
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", target, err)
	}
	return &PendingFile{target, temporary}, nil
}

// Commit writes the content and puts the file in place.
func (f *PendingFile) Commit(content []byte) error {
	_, err := f.temporary.Write(content)
	if f.target == "" {
		if closed := f.temporary.Close(); err == nil {
			err = closed
		}
		return err
	}
	if err == nil {
		err = f.temporary.Chmod(0o644) // CreateTemp makes it private
	}
	if err == nil {
		err = f.temporary.Sync()
	}
	if closed := f.temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.temporary.Name(), f.target)
	}
	if err != nil {
		_ = os.Remove(f.temporary.Name())
	}
	return err
}

// Discard gives the file up.
func (f *PendingFile) Discard() {
	_ = f.temporary.Close()
	if f.target != "" {
		_ = os.Remove(f.temporary.Name())
	}
}
