package core_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"tradepost/core"
)

var (
	forms = core.TextForms{NFC: norm.NFC.String, NFKC: norm.NFKC.String}
	noon  = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
)

func vectors[T any](t *testing.T, file string) T {
	t.Helper()
	var v T
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

// fieldsOf returns the sentence for each broken field that err names.
func fieldsOf(err error) map[string]string {
	fields := map[string]string{}
	var refusal *core.Error
	if errors.As(err, &refusal) {
		for _, f := range refusal.Fields {
			fields[f.Field] = f.Message
		}
	}
	return fields
}

func copperOf(t *testing.T, s string) core.Copper {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return core.Copper(n)
}

func TestCoinVectors(t *testing.T) {
	v := vectors[struct {
		Parse []struct{ Text, Copper, Error string }
		Print []struct{ Copper, Text string }
		Total []struct {
			Unit, Copper string
			Quantity     int
		}
	}](t, "copper.json")
	if len(v.Parse) == 0 || len(v.Print) == 0 || len(v.Total) == 0 {
		t.Fatal("a list of vectors is empty")
	}
	for _, tt := range v.Parse {
		got, err := core.ParseCopper("maxPricePerUnit", tt.Text)
		if tt.Error != "" {
			if want := map[string]string{"maxPricePerUnit": tt.Error}; !maps.Equal(fieldsOf(err), want) {
				t.Errorf("ParseCopper(%q) = %v, %v; want the refusal %v", tt.Text, got, err, want)
			}
			continue
		}
		if err != nil || got != copperOf(t, tt.Copper) {
			t.Errorf("ParseCopper(%q) = %d, %v; want %s", tt.Text, got, err, tt.Copper)
		}
	}
	for _, tt := range v.Print {
		if got := copperOf(t, tt.Copper).String(); got != tt.Text {
			t.Errorf("%s copper prints as %q, want %q", tt.Copper, got, tt.Text)
		}
	}
	for _, tt := range v.Total {
		order := core.Order{MaxPrice: copperOf(t, tt.Unit), Quantity: tt.Quantity}
		if got := order.TotalValue(); got != copperOf(t, tt.Copper) {
			t.Errorf("%d times %s = %d, want %s", tt.Quantity, tt.Unit, got, tt.Copper)
		}
	}
}

type validation struct {
	Base  map[string]any
	Cases []struct {
		Name   string
		Set    map[string]any
		Repeat map[string]int
		Errors map[string]string
	}
	Total, Remaining int
}

// each runs check over every case, with the case's fields put into the base draft and decoded into D.
func each[D any](t *testing.T, v validation, check func(D) error) {
	if len(v.Cases) == 0 {
		t.Fatal("no vectors")
	}
	for _, tt := range v.Cases {
		t.Run(tt.Name, func(t *testing.T) {
			fields := maps.Clone(v.Base)
			maps.Copy(fields, tt.Set)
			for name, n := range tt.Repeat {
				fields[name] = strings.Repeat("a", n)
			}
			data, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			var draft D
			if err := json.Unmarshal(data, &draft); err != nil {
				t.Fatal(err)
			}
			if got := fieldsOf(check(draft)); !maps.Equal(got, tt.Errors) {
				t.Errorf("refused with %v, want %v", got, tt.Errors)
			}
		})
	}
}

type orderFields struct {
	ItemName, Description, BuyerContact, IGN string
	Quantity                                 int
	MaxPricePerUnit                          core.Copper
	LevelRequirement                         *int
	Category                                 core.Category
	Importance                               core.Importance
}

func (f orderFields) draft() core.OrderDraft {
	return core.OrderDraft{
		ItemName: f.ItemName, Quantity: f.Quantity, MaxPrice: f.MaxPricePerUnit, Description: f.Description,
		BuyerContact: f.BuyerContact, InGameName: f.IGN, LevelRequirement: f.LevelRequirement,
		Category: f.Category, Importance: f.Importance,
	}
}

func TestValidationVectors(t *testing.T) {
	v := vectors[struct {
		Order, Offer, Sale validation
		Spam               []struct {
			ItemName, Description string
			Refused               bool
		}
	}](t, "validation.json")

	t.Run("order", func(t *testing.T) {
		each(t, v.Order, func(f orderFields) error {
			_, err := core.NewOrder(f.draft(), 1, forms, noon)
			return err
		})
	})
	t.Run("offer", func(t *testing.T) {
		order := core.Order{ID: 7, Owner: 1, Quantity: v.Offer.Total, MaxPrice: 5, Status: core.Active, ExpiresAt: noon.Add(time.Hour)}
		each(t, v.Offer, func(f struct {
			SellerName, SellerContact, Message string
			QuantityOffered                    int
		},
		) error {
			draft := core.OfferDraft{SellerName: f.SellerName, SellerContact: f.SellerContact, Message: f.Message, Quantity: f.QuantityOffered}
			_, err := order.NewOffer(draft, core.Actor{}, core.Seller{}, forms, noon)
			return err
		})
	})
	t.Run("sale", func(t *testing.T) {
		order := core.Order{ID: 7, Owner: 1, Quantity: 60 + v.Sale.Remaining, Sold: 60, MaxPrice: 5, Status: core.Active, ExpiresAt: noon.Add(time.Hour)}
		each(t, v.Sale, func(f struct {
			QuantitySold int
			Notes        string
		},
		) error {
			_, _, err := order.Sell(core.SaleDraft{Quantity: f.QuantitySold, Notes: f.Notes}, 1, forms, noon)
			return err
		})
	})
	for _, tt := range v.Spam {
		t.Run("spam in "+tt.ItemName+" "+tt.Description, func(t *testing.T) {
			draft := core.OrderDraft{ItemName: tt.ItemName, Description: tt.Description, Quantity: 1, MaxPrice: 1, BuyerContact: "maple"}
			_, err := core.NewOrder(draft, 1, forms, noon)
			const sentence = "Your post contains suspicious content. Please revise."
			if refused := err != nil && err.Error() == sentence; refused != tt.Refused {
				t.Errorf("NewOrder = %v, want refused: %v", err, tt.Refused)
			}
		})
	}
}
