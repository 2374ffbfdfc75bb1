package trade_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
)

func TestCoinVectors(t *testing.T) {
	v := coretest.Vectors[struct {
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
		got, err := game.Standard().ParseCopper("maxPricePerUnit", tt.Text)
		if tt.Error != "" {
			if want := map[string]string{"maxPricePerUnit": tt.Error}; !maps.Equal(coretest.FieldsOf(err), want) {
				t.Errorf("ParseCopper(%q) = %v, %v; want the error %v", tt.Text, got, err, want)
			}
			continue
		}
		if err != nil || got != coretest.CopperOf(t, tt.Copper) {
			t.Errorf("ParseCopper(%q) = %d, %v; want %s", tt.Text, got, err, tt.Copper)
		}
	}
	for _, tt := range v.Print {
		if got := game.Standard().Format(coretest.CopperOf(t, tt.Copper)); got != tt.Text {
			t.Errorf("%s copper prints as %q, want %q", tt.Copper, got, tt.Text)
		}
	}
	for _, tt := range v.Total {
		order := trade.Order{OrderDraft: trade.OrderDraft{MaxPrice: coretest.CopperOf(t, tt.Unit), Quantity: tt.Quantity}}
		if got := order.TotalValue(); got != coretest.CopperOf(t, tt.Copper) {
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
			if got := coretest.FieldsOf(check(draft)); !maps.Equal(got, tt.Errors) {
				t.Errorf("returned %v, want %v", got, tt.Errors)
			}
		})
	}
}

type orderFields struct {
	ItemName, Description, BuyerContact, IGN string
	Quantity                                 int
	MaxPricePerUnit                          core.Copper
	LevelRequirement                         *int
	Category                                 game.Category
	Importance                               game.Importance
}

func (f orderFields) draft() trade.OrderDraft {
	return trade.OrderDraft{
		ItemName: f.ItemName, Quantity: f.Quantity, MaxPrice: f.MaxPricePerUnit, Description: f.Description,
		BuyerContact: f.BuyerContact, InGameName: f.IGN, LevelRequirement: f.LevelRequirement,
		Category: f.Category, Importance: f.Importance,
	}
}

func TestValidationVectors(t *testing.T) {
	v := coretest.Vectors[struct {
		Order, Offer, Sale validation
		Spam               []struct {
			ItemName, Description string
			Refused               []string // fields
		}
	}](t, "validation.json")

	t.Run("order", func(t *testing.T) {
		each(t, v.Order, func(f orderFields) error {
			_, err := trade.NewOrder(f.draft(), 1, game.Standard(), coretest.Forms, coretest.Noon)
			return err
		})
	})
	t.Run("offer", func(t *testing.T) {
		order := coretest.Order(func(o *trade.Order) { o.Quantity = v.Offer.Total })
		each(t, v.Offer, func(f struct {
			SellerName, SellerContact, Message string
			QuantityOffered                    int
		},
		) error {
			draft := trade.OfferDraft{SellerName: f.SellerName, SellerContact: f.SellerContact, Message: f.Message, Quantity: f.QuantityOffered}
			_, err := order.NewOffer(draft, core.Actor{}, trade.Seller{}, coretest.Forms, coretest.Noon)
			return err
		})
	})
	t.Run("sale", func(t *testing.T) {
		order := coretest.Order(func(o *trade.Order) { o.Quantity, o.Sold = 60+v.Sale.Remaining, 60 })
		each(t, v.Sale, func(f struct {
			QuantitySold int
			Notes        string
		},
		) error {
			_, _, err := order.Sell(trade.SaleDraft{Quantity: f.QuantitySold, Notes: f.Notes}, 1, coretest.Forms, coretest.Noon)
			return err
		})
	})
	for _, tt := range v.Spam {
		t.Run("spam in "+tt.ItemName+" "+tt.Description, func(t *testing.T) {
			draft := trade.OrderDraft{ItemName: tt.ItemName, Description: tt.Description, Quantity: 1, MaxPrice: 1, BuyerContact: "maple"}
			_, err := trade.NewOrder(draft, 1, game.Standard(), coretest.Forms, coretest.Noon)
			var refused *core.Error
			got := []string{}
			if errors.As(err, &refused) {
				for _, field := range refused.Fields {
					got = append(got, field.Field)
					if want := "Your post contains suspicious content. Please revise."; field.Message != want {
						t.Errorf("%s returned %q", field.Field, field.Message)
					}
				}
			}
			if !slices.Equal(got, tt.Refused) {
				t.Errorf("NewOrder = %v with the fields %q, want %q", err, got, tt.Refused)
			}
		})
	}
}
