package trade

import (
	"encoding/json"
	"testing"

	"tradepost/core/trade"
)

func TestEveryTextThatRequestsShareCanBePostedWithAList(t *testing.T) {
	t.Parallel()
	sent := map[string]string{}
	for _, f := range trade.Fields {
		sent[f.Name] = "some " + f.Name
	}
	body, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	var read listDraft
	if err := json.Unmarshal(body, &read); err != nil {
		t.Fatal(err)
	}
	draft := read.draft()
	for _, f := range trade.Fields {
		if f.List != nil && *f.List(&draft) != sent[f.Name] {
			t.Errorf("%s is %q, sent as %q", f.Name, *f.List(&draft), sent[f.Name])
		}
	}
}
