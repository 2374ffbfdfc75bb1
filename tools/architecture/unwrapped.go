package main

import (
	"go/scanner"
	"go/token"
	"strings"
)

// commentWidth is how many columns of a line the text of a comment fills.
const commentWidth = maxColumns - len("// ")

// unwrappedLines counts the lines of a Go file as if none was wrapped: what parentheses or brackets hold, and
// what follows an operator, counts with the line on which it begins, and a paragraph of a comment counts as
// many lines as its text fills. Each line of a literal in braces counts.
func unwrappedLines(src []byte) (count int) {
	file, continued, comments := scanLines(src)
	paragraph := 0
	fill := func() {
		count += (paragraph + commentWidth - 1) / commentWidth
		paragraph = 0
	}
	for i := range file.LineCount() {
		goesOn, isCode := continued[i+1]
		comment := comments[i+1]
		words := strings.TrimSpace(strings.TrimPrefix(comment, "//"))
		if !isCode && words != "" && !alone(comment) {
			paragraph += len([]rune(words)) + len(" ")
			continue
		}
		fill()
		if !goesOn {
			count++
		}
	}
	fill()
	return count
}

// scanLines returns the comment of each line, and whether each line with code continues the one before.
func scanLines(src []byte) (file *token.File, continued map[int]bool, comments map[int]string) {
	file = token.NewFileSet().AddFile("", -1, len(src))
	continued, comments = map[int]bool{}, map[int]string{}
	var (
		open   []bool // for each open parenthesis, bracket or brace: whether the lines in it continue the first
		before = token.SEMICOLON
		s      scanner.Scanner
	)
	s.Init(file, src, nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		line := file.Line(pos)
		switch {
		case tok == token.EOF:
			return file, continued, comments
		case tok == token.COMMENT:
			for i, part := range strings.Split(text, "\n") {
				comments[line+i] = part
			}
			continue
		case tok == token.SEMICOLON && text == "\n":
			before = tok
			continue
		}
		if _, known := continued[line]; !known {
			continued[line] = len(open) > 0 && open[len(open)-1] || goesOn(before)
		}
		switch tok {
		case token.LPAREN:
			open = append(open, !groups(before))
		case token.LBRACK:
			open = append(open, true)
		case token.LBRACE:
			open = append(open, false)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open = open[:len(open)-1]
		}
		before = tok
		for i := range strings.Count(text, "\n") { // of a string over several lines
			continued[line+1+i] = false
		}
	}
}

// groups reports whether a parenthesis after the token groups declarations.
func groups(before token.Token) bool {
	return before == token.IMPORT || before == token.CONST || before == token.VAR || before == token.TYPE
}

// goesOn reports whether a line that ends with the token goes on in the next.
func goesOn(last token.Token) bool {
	switch last {
	case token.SEMICOLON, token.LBRACE, token.RBRACE, token.COLON, token.COMMA, token.LPAREN:
		return false
	}
	return true
}

// alone reports whether a line of a comment is no running text, but code, a list, a heading or a directive.
func alone(comment string) bool {
	text, ok := strings.CutPrefix(comment, "// ")
	return !ok || strings.HasPrefix(text, " ") || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "#")
}
