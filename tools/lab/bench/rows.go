package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"tradepost/sql/bare"
)

// serveRows is the first argument with which this program runs as the usual way: see package bare.
const serveRows = "serve-rows"

func runRows(args []string) error {
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var requests bare.Requests
	if err := json.Unmarshal(text, &requests); err != nil {
		return err
	}
	pool, err := bare.Open(context.Background(), args[1])
	if err != nil {
		return err
	}
	handler, err := bare.Handler(pool, requests)
	if err != nil {
		return err
	}
	return serveAsPeer(handler)
}

// startRows starts the usual way with the statements of these requests.
func (b *bench) startRows(ctx context.Context, asks []ask) (*peerProcess, error) {
	requests := bare.Requests{}
	for _, asked := range asks {
		uri, cookie := asked.target()
		sent, err := b.statementsOf(asked)
		if err != nil {
			return nil, err
		}
		var trips [][]bare.Statement
		for i, s := range sent {
			if i == 0 || s.trip != sent[i-1].trip {
				trips = append(trips, nil)
			}
			one := bare.Statement{SQL: s.sql}
			for _, arg := range s.args {
				one.Args = append(one.Args, asText(arg))
			}
			trips[len(trips)-1] = append(trips[len(trips)-1], one)
		}
		requests[bare.Key(uri, cookie)] = trips
	}
	file, err := json.Marshal(requests)
	if err != nil {
		return nil, err
	}
	return startWith(ctx, serveRows, file, b.dsn)
}

// target is what an ask asks for, and whose cookie it has.
func (a ask) target() (uri, cookie string) {
	head, _, _ := strings.Cut(string(a), "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	for _, line := range lines[1:] {
		if value, found := strings.CutPrefix(line, "Cookie: "); found {
			cookie = value
		}
	}
	return strings.Fields(lines[0])[1], cookie
}

// asText writes a parameter as PostgreSQL reads it; nil for null.
func asText(value any) *string {
	text := ""
	switch v := value.(type) {
	case nil:
		return nil
	case time.Time:
		text = v.UTC().Format("2006-01-02 15:04:05.999999Z")
		return &text
	case []byte:
		text = fmt.Sprintf(`\x%x`, v)
		return &text
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return asText(v.Elem().Interface())
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = strconv.Quote(*asText(v.Index(i).Interface()))
		}
		text = "{" + strings.Join(parts, ",") + "}"
	case reflect.String:
		text = v.String()
	case reflect.Int, reflect.Int32, reflect.Int64: // some of them print themselves otherwise
		text = strconv.FormatInt(v.Int(), 10)
	default:
		text = fmt.Sprint(value)
	}
	return &text
}
