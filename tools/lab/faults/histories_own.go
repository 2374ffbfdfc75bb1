//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/tools/lab/faults/history"
)

const (
	opName        op = "set in-game name"
	opLanguage    op = "set language"
	opSkills      op = "set skills"
	opSettings    op = "set quiet hours"
	opStockAlert  op = "set the alerts of stock"
	opConfirm     op = "confirm stock"
	opAddSearch   op = "add search"
	opEditSearch  op = "edit search"
	opEndSearch   op = "delete search"
	opEditWatch   op = "edit watch"
	opPauseWatch  op = "pause watch"
	opSnoozeWatch op = "snooze watch"
	opStopReach   op = "stop reach"
	opAllowReach  op = "allow reach"
	opReadOwn     op = "read what is one's own"
)

// ownerOf is a user who changes their own settings from two places at once, and reads them at both replicas:
// each
// must show what they wrote last. One of them moderates.
type ownerOf struct {
	*chapter
	who       *person
	polyglot  *person // changes the language; answers in Discord to all others are English
	random    *rand.Rand
	moderates bool
}

// value is one thing of a user's own, with a history of its own.
type value struct {
	name  string
	who   *person
	write func(r *rand.Rand, text string) write // that sets it
	next  func(r *rand.Rand) string
	path  string // where it is read
	shown func(body []byte) string
}

func (o *ownerOf) play() {
	for o.more() {
		var playing sync.WaitGroup
		values := o.values()
		failed := make(chan error, len(values))
		for _, v := range values {
			r := rand.New(rand.NewPCG(o.random.Uint64(), 0))
			playing.Go(func() { failed <- o.try(func() { o.playValue(r, v) }) })
		}
		playing.Wait()
		for range values {
			o.must(<-failed)
		}
	}
}

// playValue writes and reads one value from two places at once, and has its history checked.
func (o *ownerOf) playValue(r *rand.Rand, v value) {
	var mu sync.Mutex
	var writes []history.Write
	keep := func(h history.Write) {
		mu.Lock()
		defer mu.Unlock()
		writes = append(writes, h)
	}
	read := func(r *rand.Rand) {
		_, body, called, returned := o.get(r, v.who, opReadOwn, v.path, false)
		keep(history.Write{Operation: history.Read, Word: v.shown(body), Called: called.Sub(clockStart),
			Returned: returned.Sub(clockStart), Outcome: history.Outcome{Status: history.Acknowledged}})
	}
	read(r)
	var playing sync.WaitGroup
	failed := make(chan error, 2)
	for i := range 2 {
		r := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		playing.Go(func() {
			failed <- o.try(func() {
				for range 8 {
					if r.IntN(2) == 0 {
						read(r)
						continue
					}
					text := v.next(r)
					w := v.write(r, text)
					w.once = true
					out, sent, called, returned := o.send(r, w)
					if sent {
						h := kept(history.Set, w, out, called, returned)
						h.Word = text
						keep(h)
					}
				}
			})
		})
	}
	playing.Wait()
	for range 2 {
		o.must(<-failed)
	}
	read(r)
	o.check(v.name+" of "+v.who.Username(), writes, history.CheckValue)
}

// values are the values of the user, and of the moderator.
func (o *ownerOf) values() []value {
	field := func(name string) func([]byte) string {
		return func(body []byte) string {
			var fields map[string]any
			o.must(json.Unmarshal(body, &fields))
			return fmt.Sprint(fields[name])
		}
	}
	over := func(r *rand.Rand, w write) write {
		w.actor = o.who
		w.adapter = overHTTP
		if w.command != "" {
			w.adapter = through(r)
		}
		if w.adapter == overHTTP {
			w.command = ""
		}
		return w
	}
	clock := func(r *rand.Rand) string { return fmt.Sprintf("%02d:%02d", r.IntN(23), r.IntN(60)) }
	all := []value{
		{name: "the in-game name", who: o.who, path: "/api/me/data", shown: func(body []byte) string {
			var data struct{ User struct{ InGameName string } }
			o.must(json.Unmarshal(body, &data))
			return data.User.InGameName
		}, next: func(*rand.Rand) string { return newName(visitors.Add(1)) }, write: func(r *rand.Rand,
			text string) write {
			return over(r, write{op: opName, method: http.MethodPut, path: "/api/me/in-game-name",
				body: map[string]any{"inGameName": text}, command: "trade name",
				options: []discordtest.Option{discordtest.Str("name", text)}})
		}},
		{name: "the language", who: o.polyglot, path: "/api/me", shown: func(body []byte) string {
			var me struct{ User struct{ Language string } }
			o.must(json.Unmarshal(body, &me))
			return me.User.Language
		}, next: func(r *rand.Rand) string { return []string{"en", "de"}[r.IntN(2)] },
			write: func(r *rand.Rand, text string) write {
				return write{op: opLanguage, actor: o.polyglot, adapter: overHTTP, method: http.MethodPut,
					path: "/api/me/language", body: map[string]any{"language": text}}
			}},
		{name: "skills", who: o.who, path: "/api/me/skills", shown: func(body []byte) string {
			var skills struct{ Skills []struct{ Level int } }
			o.must(json.Unmarshal(body, &skills))
			if len(skills.Skills) == 0 {
				return ""
			}
			return fmt.Sprint(skills.Skills[0].Level)
		}, next: func(r *rand.Rand) string { return fmt.Sprint(1 + r.IntN(500)) }, write: func(r *rand.Rand,
			text string) write {
			return over(r, write{op: opSkills, method: http.MethodPut, path: "/api/me/skills",
				body: map[string]any{"skills": []map[string]any{{"category": "Miner",
					"level": json.Number(text)}}}})
		}},
		{name: "quiet hours", who: o.who, path: "/api/me/notices/settings", shown: field("quietFrom"),
			next: clock,
			write: func(r *rand.Rand, text string) write {
				return over(r, write{op: opSettings, method: http.MethodPut, path: "/api/me/notices/settings",
					body: map[string]any{"kinds": map[string]any{}, "quietFrom": text, "quietTo": "23:59",
						"timeZone": ""},
					command: "notify quiet", options: []discordtest.Option{discordtest.Str("from", text),
						discordtest.Str("to", "23:59")}})
			}},
	}
	all = append(all, o.stock()...)
	all = append(all, o.searches()...)
	if o.moderates {
		all = append(all, o.moderation()...)
	}
	return all
}

// made makes something with a number of its own, which is asked for until it is there.
func (o *ownerOf) made(w write) (id int64) {
	w.actor, w.adapter = o.who, overHTTP
	out, _, _, _ := o.send(o.random, w)
	if out.certainty != acknowledged {
		o.Fatalf("%s was not acknowledged: %s", w.op, out)
	}
	var body struct{ ID int64 }
	o.must(json.Unmarshal(out.answer, &body))
	return body.ID
}

// listed returns one of a list by its number, or by a text of it.
func listedIn(body []byte, list, key string, is any) map[string]any {
	var all map[string]any
	if json.Unmarshal(body, &all) != nil {
		return nil
	}
	rows, _ := all[list].([]any)
	for _, row := range rows {
		if fields, ok := row.(map[string]any); ok && fmt.Sprint(fields[key]) == fmt.Sprint(is) {
			return fields
		}
	}
	return nil
}

// stock is how many the user has of an item, and whether requests alert them of another.
func (o *ownerOf) stock() []value {
	item, other := "Iron "+newName(visitors.Add(1)), "Oak "+newName(visitors.Add(1))
	put := func(item, quantity string) write {
		return write{op: opPutStock, actor: o.who, adapter: overHTTP, method: http.MethodPost,
			path: "/api/me/stock",
			body: map[string]any{"confirmPrice": true,
				"stock": []map[string]any{{"itemName": item, "quantity": json.Number(quantity), "price": 5}}}}
	}
	for _, item := range []string{item, other} {
		o.send(o.random, put(item, "1"))
	}
	o.send(o.random, write{op: opConfirm, actor: o.who, adapter: overHTTP, method: http.MethodPost,
		path: "/api/me/stock/confirm"})
	id := o.number("select id from stock where item_name = $1", other)
	o.onceARound()
	return []value{
		{name: "stock", who: o.who, path: "/api/me/stock",
			next: func(r *rand.Rand) string { return fmt.Sprint(1 + r.IntN(1_000_000)) },
			shown: func(body []byte) string {
				return fmt.Sprint(listedIn(body, "stock", "itemName",
					item)["quantity"])
			},
			write: func(_ *rand.Rand, text string) write { return put(item, text) }},
		{name: "alerts of stock", who: o.who, path: "/api/me/stock",
			next: func(r *rand.Rand) string { return fmt.Sprint(r.IntN(2) == 0) },
			shown: func(body []byte) string {
				return fmt.Sprint(listedIn(body, "stock", "itemName",
					other)["alerts"])
			},
			write: func(_ *rand.Rand, text string) write {
				return write{op: opStockAlert, actor: o.who, adapter: overHTTP, method: http.MethodPut,
					path: fmt.Sprintf("/api/me/stock/%d/alerts", id),
					body: map[string]any{"on": text == "true"}}
			}},
	}
}

// onceARound lists writes without a value that could be read again: each must succeed, or be refused for its reason.
func (o *ownerOf) onceARound() {
	gone := "Ash " + newName(visitors.Add(1))
	o.send(o.random, write{op: opPutStock, actor: o.polyglot, adapter: overHTTP, subject: gone, quantity: 5,
		price: 5})
	id := o.number("select id from stock where item_name = $1", gone)
	out, _, _, _ := o.send(o.random, write{op: opDeleteStock, actor: o.polyglot, adapter: overHTTP,
		number: id})
	_, body, _, _ := o.get(o.random, o.polyglot, opReadOwn, "/api/me/stock", false)
	if out.certainty != acknowledged || listedIn(body, "stock", "id", id) != nil {
		o.Errorf("stock that was deleted is there, or was not deleted: %s, %s", out, body)
	}
	o.send(o.random, write{op: opTest, actor: o.polyglot, adapter: overHTTP})
	if o.moderates {
		o.send(o.random, write{op: opVouch, actor: o.blocker, adapter: overHTTP, number: o.user(o.who)})
	}
}

// searches are the price of a saved search, and of a watch, and whether the watch is paused. Those of the
// round
// before are deleted.
func (o *ownerOf) searches() (all []value) {
	search := func(text string) map[string]any {
		return map[string]any{"name": "Ore", "q": "ore", "minPrice": json.Number(text)}
	}
	for _, kind := range []struct {
		list      string
		add, edit op
		end       op
	}{{"searches", opAddSearch, opEditSearch, opEndSearch}, {"watches", opWatch, opEditWatch, opUnwatch}} {
		path := "/api/me/" + kind.list
		_, body, _, _ := o.get(o.random, o.who, opReadOwn, path, false)
		var before map[string][]struct{ ID int64 }
		_ = json.Unmarshal(body, &before) // other lists in it are of no interest
		for _, row := range before[kind.list] {
			o.send(o.random, write{op: kind.end, actor: o.who, adapter: overHTTP, method: http.MethodDelete,
				path: fmt.Sprintf("%s/%d", path, row.ID)})
		}
		id := o.made(write{op: kind.add, method: http.MethodPost, path: path, body: search("1")})
		all = append(all, value{name: kind.list, who: o.who, path: path,
			next: func(r *rand.Rand) string { return fmt.Sprint(1 + r.IntN(100_000)) },
			shown: func(body []byte) string {
				return fmt.Sprint(listedIn(body, kind.list, "id",
					id)["minPrice"])
			},
			write: func(_ *rand.Rand, text string) write {
				return write{op: kind.edit, actor: o.who, adapter: overHTTP, method: http.MethodPut,
					path: fmt.Sprintf("%s/%d", path, id), body: search(text)}
			}})
		if kind.list == "watches" {
			o.send(o.random, write{op: opSnoozeWatch, actor: o.who, adapter: overHTTP,
				method: http.MethodPost,
				path:   fmt.Sprintf("%s/%d/snooze", path, id), body: map[string]any{"for": "hour"}})
			all = append(all, value{name: "a paused watch", who: o.who, path: path,
				next: func(r *rand.Rand) string { return fmt.Sprint(r.IntN(2) == 0) },
				shown: func(body []byte) string {
					return fmt.Sprint(listedIn(body, kind.list, "id",
						id)["paused"])
				},
				write: func(_ *rand.Rand, text string) write {
					return write{op: opPauseWatch, actor: o.who, adapter: overHTTP, method: http.MethodPost,
						path: fmt.Sprintf("%s/%d/pause", path, id),
						body: map[string]any{"paused": text == "true"}}
				}})
		}
	}
	return all
}

// moderation is whether a user is blocked, and whether their reach is stopped.
func (o *ownerOf) moderation() []value {
	if time.Since(o.fresh) > 2*time.Minute {
		for o.try(func() { o.signIn(o.blocker) }) != nil {
			o.rest(100 * time.Millisecond)
		}
		o.fresh = time.Now()
	}
	id := o.user(o.victim)
	bit := func(r *rand.Rand) string { return fmt.Sprint(r.IntN(2) == 0) }
	of := func(w, end write) func(*rand.Rand, string) write {
		return func(_ *rand.Rand, text string) write {
			next := w
			if text == "false" {
				next = end
			}
			next.actor, next.adapter = o.blocker, overHTTP
			return next
		}
	}
	return []value{
		{name: "a block", who: o.blocker, path: "/api/moderation/blocks", next: bit,
			shown: func(body []byte) string {
				var blocked struct {
					Users []struct{ User struct{ ID int64 } }
				}
				o.must(json.Unmarshal(body, &blocked))
				for _, u := range blocked.Users {
					if u.User.ID == id {
						return "true"
					}
				}
				return "false"
			},
			write: of(write{op: opBlockUser, number: id}, write{op: opUnblockUser, number: id})},
		{name: "a stopped reach", who: o.blocker, path: "/api/moderation/reach", next: bit,
			shown: func(body []byte) string {
				stopped := listedIn(body, "users", "id", id)["stoppedAt"]
				return fmt.Sprint(stopped != nil)
			},
			write: of(write{op: opStopReach, method: http.MethodPost, path: "/api/moderation/reach",
				body: map[string]any{"userId": id}},
				write{op: opAllowReach, method: http.MethodDelete,
					path: fmt.Sprintf("/api/moderation/reach/%d", id)})},
	}
}
