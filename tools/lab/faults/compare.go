//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/tools/lab/faults/history"
)

// linearLimit is how long the linearizability check of one order may take.
const linearLimit = 20 * time.Second

// operations names the ops as the history does. Those that it does not compare are missing.
var operations = map[op]history.Operation{
	opPost: history.Post, opEdit: history.Edit, opRenew: history.Renew, opClose: history.Close,
	opDelete: history.Delete,
	opOffer:  history.Offer, opWithdraw: history.Remove, opDecline: history.Remove, opAccept: history.Accept,
	opSell: history.Sell,
	opSay:  history.Say,

	opUndoSale: history.UndoSale, opUndoClose: history.UndoClose, opUndoOffer: history.UndoOffer,
	opPutStock: history.PutStock, opDeleteStock: history.DeleteStock, opSetStanding: history.SetStanding,
	opEndStanding: history.EndStanding,
	opPostList:    history.PostList, opOfferOnList: history.OfferOnList,
	opBlockSeller: history.BlockSeller, opUnblockSeller: history.UnblockSeller,
	opBlockUser: history.BlockUser, opUnblockUser: history.UnblockUser, opVouch: history.Vouch,
	opRemoveOrder: history.RemoveOrder, opRemoveOffer: history.RemoveOffer, opMergeItem: history.MergeItem,
	opUndoRemoval: history.UndoRemoval,
	opTakeBack:    history.TakeBack, opLook: history.Look, opSettle: history.Settle,
}

// clockStart is where the monotonic clock of the histories begins.
var clockStart = time.Now()

// requestNumber finds the number of a request on its card.
var requestNumber = regexp.MustCompile(`request #(\d+)`)

// keep records a write that has ended.
func (s *scene) keep(w write, o outcome, called, returned time.Time) {
	operation, compared := operations[w.op]
	if !compared {
		return
	}
	kept := kept(operation, w, o, called, returned)
	if len(w.sales) == 0 {
		s.history.Keep(kept)
		return
	}
	for _, sale := range w.sales { // one write speaks of several
		kept.Sale = sale
		s.history.Keep(kept)
	}
}

// kept is a write that has ended as the history has it.
func kept(operation history.Operation, w write, o outcome, called, returned time.Time) history.Write {
	kept := history.Write{
		Operation: operation, Adapter: history.Web, Key: o.key, Order: w.order, Offer: w.offer,
		Quantity: w.quantity, Price: w.price, Version: w.version, Mark: w.name, Word: w.word,
		Subject: w.subject, Lines: w.lines,
		Called: called.Sub(clockStart), Returned: returned.Sub(clockStart), Attempts: o.attempts,
		Outcome: o.known(w.adapter),
	}
	if w.adapter == overDiscord {
		kept.Adapter = history.Bot
	}
	if w.actor != nil {
		kept.Actor = w.actor.Username()
	}
	if number := requestNumber.FindSubmatch(o.answer); w.adapter == overDiscord && w.op == opPost &&
		number != nil {
		kept.Outcome.Answer.Order, _ = strconv.ParseInt(string(number[1]), 10, 64) // digits
	}
	if w.op == opUndoSale || w.op == opLook || w.op == opSettle {
		kept.Sale = w.number
	}
	return kept
}

// known is what the outcome proves, in the words of the history.
func (o outcome) known(by adapter) history.Outcome {
	known := history.Outcome{Status: history.Status(o.certainty), Detail: o.String()}
	if by != overHTTP {
		return known
	}
	switch o.certainty {
	case refused:
		known.Kind = errorKinds[o.status]
	case acknowledged:
		known.Answer = answerIn(o.answer)
	}
	return known
}

var errorKinds = map[int]string{
	http.StatusBadRequest: "invalid", http.StatusUnprocessableEntity: "invalid",
	http.StatusConflict: "conflict",
	http.StatusNotFound: "not_found", http.StatusForbidden: "forbidden",
	http.StatusUnauthorized: "unauthenticated", http.StatusTooManyRequests: "too_many",
}

// orderAnswer is an order in an answer of the API.
type orderAnswer struct {
	ID, MaxPricePerUnit     int64
	Version, Quantity, Sold int
	Status                  string
}

func (o orderAnswer) state() history.State {
	return history.State{Version: o.Version, Quantity: o.Quantity, Sold: o.Sold,
		Closed: o.Status == "fulfilled"}
}

// answerIn reads what an answer of the API says: an order by itself, or an offer, a sale and an order.
func answerIn(data []byte) (answer history.Answer) {
	var body struct {
		orderAnswer
		Order    *orderAnswer
		Offer    *struct{ ID, PricePerUnit int64 }
		Sale     *struct{ ID, UnitPrice int64 }
		Accepted int
		Orders   []struct {
			ID, MaxPricePerUnit int64
			ItemName            string
			Quantity            int
		}
		Offers []struct {
			ID, OrderID, PricePerUnit int64
			QuantityOffered           int
		}
	}
	if json.Unmarshal(data, &body) != nil {
		return answer // an empty answer says nothing
	}
	if body.Status != "" {
		answer.Order, answer.State = body.ID, body.state()
	}
	if body.Offer != nil {
		answer.Offer, answer.Price = body.Offer.ID, body.Offer.PricePerUnit
	}
	if body.Order != nil {
		answer.State = body.Order.state()
	}
	answer.Accepted = body.Accepted
	if len(body.Orders) > 0 {
		answer.List = body.ID
	}
	for _, o := range body.Orders {
		answer.Lines = append(answer.Lines,
			history.Line{Item: o.ItemName, Quantity: o.Quantity, Price: o.MaxPricePerUnit, Order: o.ID})
	}
	for _, o := range body.Offers {
		answer.Lines = append(answer.Lines,
			history.Line{Quantity: o.QuantityOffered, Price: o.PricePerUnit, Order: o.OrderID, Offer: o.ID})
	}
	if body.Sale != nil {
		answer.Sale, answer.Price = body.Sale.ID, body.Sale.UnitPrice
	}
	return answer
}

// errUndecided is returned where the check of a history ran out of time. That says nothing about the history.
var errUndecided = errors.New("not decided in time")

// linearizable checks the history of an order. It returns errUndecided where time ran out.
func (s *scene) linearizable(order int64) error {
	stored, err := s.stored(s.ctx)
	if err != nil {
		return fmt.Errorf("read what is stored: %w", err)
	}
	writes := history.Decide(s.history.Writes(), stored)
	switch verdict := history.Linearize(writes, order, linearLimit); verdict {
	case history.Linearizable:
		return nil
	case history.TooLong:
		return fmt.Errorf("the history of order %d: %w", order, errUndecided)
	default:
		return fmt.Errorf("the history of order %d is %s", order, verdict)
	}
}

// compare compares everything that was written in the scene with what is stored.
func (s *scene) compare(ctx context.Context) error {
	stored, err := s.stored(ctx)
	if err != nil {
		return fmt.Errorf("read what is stored: %w", err)
	}
	var differences []error
	for _, finding := range history.Check(s.history.Writes(), stored) {
		differences = append(differences, errors.New(finding.String()))
	}
	const most = 10
	if rest := len(differences) - most; rest > 0 {
		differences = append(differences[:most], fmt.Errorf("and %d more differences", rest))
	}
	return errors.Join(differences...)
}

// stored reads what there is, in one snapshot, without what crossing compares itself.
func (s *scene) stored(ctx context.Context) (stored history.Stored, err error) {
	err = pgx.BeginTxFunc(ctx, s.db, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		return errors.Join(
			collect(ctx, tx, &stored.Orders, `select o.id, u.username as owner, o.item_name as item, o.quantity, o.max_price_per_unit as price, o.sold,
				(select coalesce(sum(u.quantity_sold), 0) from order_updates u
					where u.order_id = o.id and not exists (select from sale_reversals r where r.sale_id = u.id)) as sales,
				o.status = 'fulfilled' as closed, o.status = 'active' and o.expires_at <= now() as expired
				from orders o join users u on u.id = o.user_id where o.item_name not like 'Crossing %' order by o.id`),
			collect(ctx, tx, &stored.Offers, `select f.id, f.order_id as order, coalesce(u.username, '') as seller, f.seller_name as mark,
				f.quantity_offered as quantity, f.price_per_unit as price
				from offers f left join users u on u.id = f.seller_id order by f.id`),
			collect(ctx, tx, &stored.Sales, `select s.id, coalesce(s.order_id, 0) as order, coalesce(u.username, '') as seller,
				coalesce(substring(s.notes from '^Accepted offer from (.*) \('), s.notes, '') as mark, s.quantity_sold as quantity, s.unit_price as price,
				exists (select from sale_reversals r where r.sale_id = s.id) as reversed
				from order_updates s left join users u on u.id = s.seller_id
				where s.item_name not like 'Crossing %' order by s.id`),
			collect(ctx, tx, &stored.Notices, `select n.id, coalesce(n.order_id, 0) as order, coalesce(n.offer_id, 0) as offer, coalesce(n.sale_id, 0) as sale, u.username as reader,
				n.kind, n.state, n.reason, n.name as mark, coalesce(d.message_id, '') as message_id, coalesce(d.kind = 'digest', false) as digest
				from notices n join users u on u.id = n.user_id left join deliveries d on d.id = n.delivery_id
				where n.item_name not like 'Crossing %' order by n.id`),
			collect(ctx, tx, &stored.Handovers, `select h.sale_id as sale, b.username as buyer, s.username as seller, h.state,
				coalesce(h.buyer_word, '') as buyer_word, coalesce(h.seller_word, '') as seller_word, h.buyer_messages, h.seller_messages,
				exists (select from sale_reversals r where r.sale_id = h.sale_id) as reversed, h.looked_at is not null as looked
				from handovers h join users b on b.id = h.buyer_id join users s on s.id = h.seller_id
				where h.sale_id not in (select id from order_updates where item_name like 'Crossing %') order by h.sale_id`),
			storedRules(ctx, tx, &stored),
			collect(ctx, tx, &stored.Waiting, "select id as offer from lapsed_offers order by id"),
		)
	})
	if err != nil {
		return stored, err
	}
	stored.Lapsing = s.lapsing
	for reader, messages := range s.record() {
		for id, text := range messages {
			stored.Messages = append(stored.Messages, history.Message{ID: id, Reader: reader, Text: text})
		}
	}
	return stored, s.markKnown(ctx, stored.Messages)
}

func collect[T any](ctx context.Context, tx pgx.Tx, into *[]T, query string) error {
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return err
	}
	*into, err = pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
	return err
}

// markKnown marks the messages that a delivery names.
func (s *scene) markKnown(ctx context.Context, messages []history.Message) error {
	ids := make([]string, len(messages))
	for i, m := range messages {
		ids[i] = m.ID
	}
	rows, err := s.db.Query(ctx, "select message_id from deliveries where message_id = any($1)", ids)
	if err != nil {
		return err
	}
	known, err := pgx.CollectRows(rows, pgx.RowTo[string])
	there := strings.Join(known, " ")
	for i := range messages {
		messages[i].Known = strings.Contains(there, messages[i].ID)
	}
	return err
}
