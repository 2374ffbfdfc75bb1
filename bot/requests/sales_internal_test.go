package requests

import (
	"testing"

	"tradepost/bot/kernel"
	"tradepost/core/text"
	"tradepost/core/trade"
)

func TestTheNoteOfAnAcceptedOfferIsTranslated(t *testing.T) {
	t.Parallel()
	for stored, german := range map[string]string{
		"Accepted offer from Fern (fern)":            "Angebot von Fern (fern) angenommen",
		"Accepted offer from a visitor":              "Angebot eines Besuchers angenommen",
		"Accepted offer from a seller who has left":  "Angebot eines Verkäufers angenommen, der nicht mehr hier ist",
		"The rest, as accepted offer from yesterday": "The rest, as accepted offer from yesterday",
	} {
		for language, want := range map[string]string{"en": stored, "de": german} {
			if got := saleNote(kernel.Translator{Printer: text.For(language)}, trade.Sale{Notes: stored}); got != want {
				t.Errorf("%q in %s: %q, want %q", stored, language, got, want)
			}
		}
	}
}
