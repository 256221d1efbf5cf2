package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/contextfragments/conform/conformance/suite"
)

// JSON returns the record as indented JSON with a line end. Bytes of the adapter that are no UTF-8
// become U+FFFD.
func (r *Record) JSON() ([]byte, error) { return JSON(r) }

// JSON returns a value as indented JSON with a line end, in which everything that nobody can see, or
// that could drive a terminal, is escaped: it is for eyes too.
func JSON(value any) ([]byte, error) {
	data, err := json.Marshal(value, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	return []byte(suite.PrintableLines(string(data)) + "\n"), err
}

// PendingFile is a file that has its new content only once it is complete: nobody sees half of
// it, and a run that breaks leaves the old one as it was.
type PendingFile struct {
	target string
	mode   os.FileMode
	direct *os.File // a pipe or a device, which is written to as it is
}

// Create begins to write a file. It fails at once where the file cannot be written, so that
// nobody waits for a run whose record is lost.
func Create(target string) (*PendingFile, error) {
	f := &PendingFile{target: target, mode: 0o644}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a directory", target)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device cannot be replaced
		if f.direct, err = os.OpenFile(target, os.O_WRONLY, 0); err != nil {
			return nil, f.fail(err)
		}
		return f, nil
	case err == nil: // write to where a symbolic link leads
		f.mode = info.Mode().Perm()
		if f.target, err = filepath.EvalSymlinks(target); err != nil {
			return nil, f.fail(err)
		}
	}
	temporary, err := f.temporary()
	if err != nil {
		return nil, f.fail(err)
	}
	_ = temporary.Close()
	_ = os.Remove(temporary.Name()) // so that nothing stays where this process is killed
	return f, nil
}

// temporary makes a file beside the target, so that it can be renamed to it.
func (f *PendingFile) temporary() (*os.File, error) {
	return os.CreateTemp(filepath.Dir(f.target), "."+filepath.Base(f.target)+".*.tmp")
}

// fail names the target in place of the file that stands in for it.
func (f *PendingFile) fail(err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("cannot write %s: %w", f.target, err)
}

// Commit writes the content and puts the file in place.
func (f *PendingFile) Commit(content []byte) error {
	if f.direct != nil {
		_, err := f.direct.Write(content)
		if closed := f.direct.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return f.fail(err)
		}
		return nil
	}
	temporary, err := f.temporary()
	if err != nil {
		return f.fail(err)
	}
	if _, err = temporary.Write(content); err == nil {
		err = temporary.Chmod(f.mode) // CreateTemp makes it private
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary.Name(), f.target)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return f.fail(err)
	}
	return nil
}

// Discard gives the file up.
func (f *PendingFile) Discard() {
	if f.direct != nil {
		_ = f.direct.Close()
	}
}
