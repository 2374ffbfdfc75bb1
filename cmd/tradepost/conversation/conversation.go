// Package conversation asks questions on a terminal, one after another.
package conversation

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

// Conversation asks one question after another. The first failure to ask ends it: what is asked later is
// answered with nothing.
type Conversation struct {
	ctx    context.Context //nolint:containedctx // of the command, which Ctrl-C ends while a question waits
	in     *bufio.Reader
	out    io.Writer
	Failed error
	Back   bool // the last answer was to go back
}

// New returns a conversation that reads answers from in and asks on out.
func New(ctx context.Context, in io.Reader, out io.Writer) *Conversation {
	return &Conversation{ctx: ctx, in: bufio.NewReader(in), out: out}
}

// errStopped is the failure of a conversation that Ctrl-C has ended.
var errStopped = errors.New("stopped: nothing was changed")

// GoBack is the answer that leads to the question before.
const GoBack = "back"

// Walk asks the steps in their order, leaving out those that skip says are not needed, and one again
// where the answer was to go back. Each step gets its number.
func (c *Conversation) Walk(steps []Step) error {
	var asked []int
	for i := 0; i < len(steps) && c.Failed == nil; {
		if s := steps[i]; s.Skip != nil && s.Skip() {
			i++
			continue
		}
		c.Back = false
		steps[i].Ask(len(asked) + 1)
		switch {
		case !c.Back:
			asked = append(asked, i)
			i++
		case len(asked) > 0:
			i, asked = asked[len(asked)-1], asked[:len(asked)-1]
		}
	}
	return c.Failed
}

// Step is one question, with a condition for skipping it.
type Step struct {
	Ask  func(number int)
	Skip func() bool // nil for never
}

// Say prints a line, unless the conversation has failed.
func (c *Conversation) Say(text string, args ...any) {
	if c.Failed == nil {
		fmt.Fprintf(c.out, text+"\n", args...)
	}
}

// Ask repeats a question until the answer is right. An empty answer is the standard one, where there is one.
func (c *Conversation) Ask(question, standard string, check func(string) error) string {
	shown := ""
	if standard != "" {
		shown = " [" + standard + "]"
	}
	return c.repeat(question+shown, standard, c.ReadLine, check)
}

// AskSecret is ask for what should not be seen on a screen. An empty answer is the earlier secret, where
// there is one.
func (c *Conversation) AskSecret(question, earlier string, check func(string) error) string {
	if earlier != "" {
		question += " [Enter for the one that you have]"
	}
	return c.repeat(question, earlier, c.readSecret, check)
}

func (c *Conversation) repeat(
	prompt, standard string, read func() (string, error), check func(string) error,
) string {
	for c.Failed == nil {
		fmt.Fprint(c.out, prompt+": ")
		answer, err := read()
		if err != nil {
			c.fail(prompt, err)
			break
		}
		if answer = strings.TrimSpace(answer); answer == GoBack {
			c.Back = true
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
				c.Failed = errStopped
				break
			}
			c.Say("   ✗ %s.", strings.TrimSuffix(err.Error(), "."))
			continue
		}
		c.Say("   ✓")
		return answer
	}
	return ""
}

// Until repeats a check, each time that Enter is pressed, until it passes or "later" is entered.
func (c *Conversation) Until(prompt string, check func() error) {
	for c.Failed == nil {
		fmt.Fprint(c.out, prompt+" ")
		answer, err := c.ReadLine()
		if err != nil {
			c.fail(prompt, err)
			return
		}
		switch strings.TrimSpace(answer) {
		case GoBack:
			c.Back = true
			return
		case "later":
			c.Say("   Later, then: tradepost doctor will remind you.")
			return
		}
		if err := check(); err != nil {
			c.Say("   ✗ %s.", strings.TrimSuffix(err.Error(), "."))
			continue
		}
		c.Say("   ✓")
		return
	}
}

func (c *Conversation) fail(prompt string, err error) {
	if c.Failed = err; !errors.Is(err, errStopped) {
		c.Failed = fmt.Errorf("no answer to %q: %w", strings.TrimSpace(prompt), err)
	}
}

// ReadLine reads a line, or fails with errStopped when Ctrl-C is pressed.
func (c *Conversation) ReadLine() (string, error) {
	return c.interruptible(func() (string, error) {
		line, err := c.in.ReadString('\n')
		if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
			return "", err
		}
		return line, nil
	})
}

// readSecret reads a line from the terminal without showing it, or from whatever else the input is.
func (c *Conversation) readSecret() (string, error) {
	stdin := int(os.Stdin.Fd())
	before, err := term.GetState(stdin)
	if err != nil { // no terminal
		return c.ReadLine()
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
func (c *Conversation) interruptible(read func() (string, error)) (string, error) {
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
