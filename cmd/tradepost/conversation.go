package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// conversation asks one question after another. The first failure to ask ends it: what is asked later is answered with
// nothing.
type conversation struct {
	ctx    context.Context //nolint:containedctx // of the command, which Ctrl-C ends while a question waits
	in     *bufio.Reader
	out    io.Writer
	failed error
	back   bool // the last answer was to go back
}

// newConversation returns a conversation that reads answers from in and asks on out.
func newConversation(ctx context.Context, in io.Reader, out io.Writer) *conversation {
	return &conversation{ctx: ctx, in: bufio.NewReader(in), out: out}
}

// errStopped is the failure of a conversation that Ctrl-C has ended.
var errStopped = errors.New("stopped: nothing was changed")

// goBack is the answer that leads to the question before.
const goBack = "back"

// walk asks the steps in their order, leaving out those that skip says are not needed, and one again where the answer was to
// go back. Each step gets its number.
func (c *conversation) walk(steps []step) error {
	var asked []int
	for i := 0; i < len(steps) && c.failed == nil; {
		if s := steps[i]; s.skip != nil && s.skip() {
			i++
			continue
		}
		c.back = false
		steps[i].ask(len(asked) + 1)
		switch {
		case !c.back:
			asked = append(asked, i)
			i++
		case len(asked) > 0:
			i, asked = asked[len(asked)-1], asked[:len(asked)-1]
		}
	}
	return c.failed
}

// step is one question, and what belongs to it.
type step struct {
	ask  func(number int)
	skip func() bool // nil for never
}

func (c *conversation) say(text string, args ...any) {
	if c.failed == nil {
		fmt.Fprintf(c.out, text+"\n", args...)
	}
}

// ask repeats a question until the answer is right. An empty answer is the standard one, where there is one.
func (c *conversation) ask(question, standard string, check func(string) error) string {
	shown := ""
	if standard != "" {
		shown = " [" + standard + "]"
	}
	return c.repeat(question+shown, standard, c.readLine, check)
}

// askSecret is ask for what should not be seen on a screen. An empty answer is the earlier secret, where there is one.
func (c *conversation) askSecret(question, earlier string, check func(string) error) string {
	if earlier != "" {
		question += " [Enter for the one that you have]"
	}
	return c.repeat(question, earlier, c.readSecret, check)
}

func (c *conversation) repeat(prompt, standard string, read func() (string, error), check func(string) error) string {
	for c.failed == nil {
		fmt.Fprint(c.out, prompt+": ")
		answer, err := read()
		if err != nil {
			c.fail(prompt, err)
			break
		}
		if answer = strings.TrimSpace(answer); answer == goBack {
			c.back = true
			break
		}
		if answer == "" {
			answer = standard
		}
		if answer == "" {
			continue
		}
		if err := check(answer); err != nil {
			if c.ctx.Err() != nil {
				c.failed = errStopped
				break
			}
			c.say("   ✗ %s.", strings.TrimSuffix(err.Error(), "."))
			continue
		}
		c.say("   ✓")
		return answer
	}
	return ""
}

// until repeats a check, each time that Enter is pressed, until it passes or "later" is entered.
func (c *conversation) until(prompt string, check func() error) {
	for c.failed == nil {
		fmt.Fprint(c.out, prompt+" ")
		answer, err := c.readLine()
		if err != nil {
			c.fail(prompt, err)
			return
		}
		switch strings.TrimSpace(answer) {
		case goBack:
			c.back = true
			return
		case "later":
			c.say("   Later, then: tradepost doctor will remind you.")
			return
		}
		if err := check(); err != nil {
			c.say("   ✗ %s.", strings.TrimSuffix(err.Error(), "."))
			continue
		}
		c.say("   ✓")
		return
	}
}

func (c *conversation) fail(prompt string, err error) {
	if c.failed = err; !errors.Is(err, errStopped) {
		c.failed = fmt.Errorf("no answer to %q: %w", strings.TrimSpace(prompt), err)
	}
}

// readLine reads a line, or fails with errStopped when Ctrl-C is pressed.
func (c *conversation) readLine() (string, error) {
	return c.interruptible(func() (string, error) {
		line, err := c.in.ReadString('\n')
		if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
			return "", err
		}
		return line, nil
	})
}

// readSecret reads a line from the terminal without showing it, or from whatever else the input is.
func (c *conversation) readSecret() (string, error) {
	stdin := int(os.Stdin.Fd())
	before, err := term.GetState(stdin)
	if err != nil { // no terminal
		return c.readLine()
	}
	text, err := c.interruptible(func() (string, error) {
		text, err := term.ReadPassword(stdin)
		return string(text), err
	})
	if errors.Is(err, errStopped) {
		_ = term.Restore(stdin, before) // or what is typed next would stay unseen
	}
	fmt.Fprintln(c.out)
	return text, err
}

// interruptible waits for a read, but not longer than the command runs.
func (c *conversation) interruptible(read func() (string, error)) (string, error) {
	type line struct {
		text string
		err  error
	}
	got := make(chan line, 1)
	go func() {
		text, err := read()
		got <- line{text, err}
	}()
	select {
	case l := <-got:
		return l.text, l.err
	case <-c.ctx.Done():
		return "", errStopped
	}
}
