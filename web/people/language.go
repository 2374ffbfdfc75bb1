package people

import (
	"context"

	"tradepost/web/kernel"
	"tradepost/web/kernel/bearer"
)

// languageView is the JSON shape of the language that a user has chosen, in answers and in writes.
type languageView struct {
	Language string `json:"language" doc:"One of those that the market offers, as an IETF tag; empty for that of the browser, and in Discord of Discord" example:"de"`
}

type putLanguageInput struct {
	kernel.Keyed
	Body kernel.Sent[languageView]
}

type languageOutput struct {
	Cookie string `header:"Set-Cookie" hidden:"true"`
	Body   languageView
}

func (a operations) putLanguage(ctx context.Context, in *putLanguageInput) (*languageOutput, error) {
	language := in.Body.Fields.Language
	if err := a.Market.People.SetLanguage(ctx, in.By, language); err != nil {
		return nil, err
	}
	return &languageOutput{a.LanguageCookieFor(language), languageView{language}}, nil
}

// rememberLanguage returns the Set-Cookie header that has the browser ask for documents in the language of
// the account; empty where it does, or where the account has none.
func (a operations) rememberLanguage(ctx context.Context, language string) string {
	if bearer.Of(ctx) != nil { // it asks for no documents
		return ""
	}
	if language == "" || language == kernel.ChosenLanguage(ctx) || !a.Languages.Has(language) {
		return ""
	}
	return a.LanguageCookieFor(language)
}
