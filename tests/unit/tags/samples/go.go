//go:build linux

package shop

import (
	"fmt"
	q "example.org/queue"
)

const (
	Small = iota
	Large
)
const Max = 10

var ErrGone, ErrBusy = fmt.Errorf("gone"), fmt.Errorf("busy")
var (
	handlers = map[string]Handler{"a": onA}
	hook     = func(a int) {}
)

type Shop struct {
	Base
	*q.Queue
	size int
}

type (
	Reader interface {
		Read(p []byte) (n int, err error)
		Closer
	}
	Pair[K comparable, V any] struct{ key K }
	ID = string
)

type Handler func(w Writer) error

func (s *Shop) Add(item q.Item, rest ...Extra) (r *Result, err error) {
	defer s.lock.Unlock()
	go run(item)
	v := Pair[string, Box]{key: "a"}
	x := &Shop{size: int(Max)}
	if y, ok := item.(Special); ok {
		return build(y, v, x, http.StatusOK), nil
	}
	return q.Push[Item](s, func() { done() }), nil
}

func Map[T any, R Number](list []T, f func(T) R) []R

func main() { new(Shop).Add(nil) }
