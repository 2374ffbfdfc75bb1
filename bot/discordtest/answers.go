package discordtest

import (
	"encoding/json"
	"slices"
)

// callback takes the first answer to an interaction.
func (c *call) callback() (any, *Error) {
	i := c.interactions[c.params["interaction_token"]]
	if i == nil || i.id != c.params["interaction_id"] {
		return nil, refuse(10062)
	}
	apiErr := c.answerTo(i)
	if apiErr != nil {
		i.apiErrors = append(i.apiErrors, apiErr)
		c.announce()
		return nil, apiErr
	}
	if c.query.Get("with_response") != "true" {
		return nil, nil
	}
	about := map[string]any{"id": i.id, "type": i.kind}
	response := map[string]any{"interaction": about}
	if m := i.original; m != nil {
		about["response_message_id"] = m.ID
		about["response_message_loading"] = m.Flags&flagLoading != 0
		about["response_message_ephemeral"] = m.Flags&flagEphemeral != 0
		if i.answer == AnswerMessage || i.answer == AnswerUpdate {
			response["resource"] = map[string]any{"type": i.answer, "message": m.Message}
		}
	}
	return response, nil
}

func (c *call) answerTo(i *interaction) *Error {
	switch {
	case i.answer != 0:
		return refuse(40060)
	case c.late(i):
		return refuse(10062)
	}
	var req struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if apiErr := c.decode(&req); apiErr != nil {
		return apiErr
	}
	if !slices.Contains(i.allowed(), req.Type) {
		return badForm(Problem{[]string{"type"}, "INTERACTION_CALLBACK_TYPE_INVALID",
			"answer " + itoa(req.Type) + " is not one that an interaction of this kind takes"})
	}
	c.body = req.Data
	if string(req.Data) == "null" {
		c.body = nil
	}
	var apiErr *Error
	switch req.Type {
	case AnswerMessage:
		apiErr = c.answerMessage(i, false)
	case AnswerDeferred:
		apiErr = c.answerMessage(i, true)
	case AnswerDeferredUpdate:
		i.original = i.source
	case AnswerUpdate:
		apiErr = c.answerUpdate(i)
	case AnswerChoices:
		apiErr = c.answerChoices(i)
	case AnswerModal:
		apiErr = c.answerModal(i)
	}
	if apiErr == nil {
		i.answer = req.Type
	}
	if apiErr == nil && (req.Type == AnswerMessage || req.Type == AnswerUpdate) {
		i.said = append(i.said, picture(i.original))
	}
	return apiErr
}

// answerMessage posts the answer, or the place that it will take.
func (c *call) answerMessage(i *interaction, deferred bool) *Error {
	var req messageRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return apiErr
	}
	if deferred {
		if extra := req.Flags.Value &^ flagEphemeral; extra != 0 || req.Content.Value != "" ||
			len(req.Embeds.Value) > 0 || len(req.Components.Value) > 0 {
			return badForm(Problem{[]string{"data"}, "DEFERRAL_TAKES_ONLY_EPHEMERAL",
				"a deferral takes only the ephemeral flag"})
		}
	}
	m := c.newMessage(i.channel.ID)
	m.Type = 20
	if i.kind == kindModal {
		m.Type = 0
	}
	if i.source != nil {
		c.replyTo(m, i.source)
	}
	c.signed(m, i)
	if req.Flags.Value&flagEphemeral != 0 || c.forcedPrivate(i) {
		i.ephemeral = true
		m.Flags |= flagEphemeral
		m.Reader = i.user.ID
	}
	if deferred {
		m.Flags |= flagLoading
	} else if apiErr := c.fill(m, &req, []string{"data"}, true); apiErr != nil {
		return apiErr
	}
	m.TTS = req.TTS
	i.original = m
	c.post(m)
	return nil
}

// forcedPrivate reports whether an answer is seen by its user only, whatever the bot says: where the
// application is there for the user alone, and the server does not let members use such applications
// openly.
func (c *call) forcedPrivate(i *interaction) bool {
	return i.owners["0"] == "" && i.channel.GuildID != "" &&
		c.world.permissionsIn(i.user, i.channel)&permExternalApps == 0
}

// signed marks a message as the application's answer to an interaction.
func (c *call) signed(m *message, i *interaction) {
	m.WebhookID, m.ApplicationID = c.world.App.ID, c.world.App.ID
	m.Interaction, m.Token = i.metadata(), i.token
	if i.kind == kindCommand {
		m.Used = i.what
	}
}

// answerUpdate changes the message that the component is on.
func (c *call) answerUpdate(i *interaction) *Error {
	if i.source.Deleted {
		return refuse(10008)
	}
	if _, apiErr := c.edit(i.source, []string{"data"}, true); apiErr != nil {
		return apiErr
	}
	i.original = i.source
	return nil
}

func (c *call) answerChoices(i *interaction) *Error {
	var req struct {
		Choices []Choice `json:"choices"`
	}
	if apiErr := c.decode(&req); apiErr != nil {
		return apiErr
	}
	var p problems
	for n, choice := range req.Choices {
		here := []string{"data", "choices", itoa(n), "value"}
		text, isText := choice.Value.(string)
		if isText {
			p.longest(here, text, 100)
		}
		if isText != (i.option.Type == OptionString) {
			p.add(here, "APPLICATION_COMMAND_OPTIONS_CHOICE_TYPE_INVALID",
				"The value does not have the type of the option")
		}
	}
	if len(p.list) > 0 {
		return badForm(p.list...)
	}
	i.choices = req.Choices
	return nil
}

func (c *call) answerModal(i *interaction) *Error {
	var m Modal
	if apiErr := c.decode(&m); apiErr != nil {
		return apiErr
	}
	var p problems
	p.checkModal([]string{"data"}, &m)
	if len(p.list) > 0 {
		return badForm(p.list...)
	}
	complete(m.Components)
	i.modal = &m
	return nil
}

// answered is the interaction of a token whose first answer has been given.
func (c *call) answered() (*interaction, *Error) {
	i := c.interactions[c.params["webhook_token"]]
	switch {
	case c.params["webhook_id"] != c.world.App.ID:
		return nil, refuse(10015)
	case i == nil || c.now().Sub(i.created) > tokenLife:
		return nil, refuse(50027)
	case i.answer == 0 || i.answer == AnswerChoices:
		return nil, refuse(10015)
	}
	return i, nil
}

// answerMessage is the message of an interaction that the path names.
func (c *call) answerInPath() (*interaction, *message, *Error) {
	i, apiErr := c.answered()
	if apiErr != nil {
		return nil, nil, apiErr
	}
	id, byID := c.params["message_id"]
	if !byID {
		if i.original == nil || i.original.Deleted {
			return nil, nil, refuse(10008)
		}
		return i, i.original, nil
	}
	for _, m := range append([]*message{i.original}, i.followUps...) {
		if m != nil && m.ID == id && !m.Deleted {
			return i, m, nil
		}
	}
	return nil, nil, refuse(10008)
}

func (c *call) getAnswer() (any, *Error) {
	_, m, apiErr := c.answerInPath()
	if apiErr != nil {
		return nil, apiErr
	}
	return m.Message, nil
}

func (c *call) editAnswer() (any, *Error) {
	i, m, apiErr := c.answerInPath()
	if apiErr != nil {
		return nil, apiErr
	}
	edited, apiErr := c.edit(m, nil, true)
	if apiErr == nil {
		i.touched = true
		i.said = append(i.said, picture(m))
	}
	return edited, apiErr
}

func (c *call) deleteAnswer() (any, *Error) {
	i, m, apiErr := c.answerInPath()
	if apiErr != nil {
		return nil, apiErr
	}
	i.touched = true
	c.remove(m)
	return nil, nil
}

// maxUserInstalledFollowUps applies where the application is installed for the user alone.
const maxUserInstalledFollowUps = 5

func (c *call) followUp() (any, *Error) {
	i, apiErr := c.answered()
	if apiErr != nil {
		return nil, apiErr
	}
	var req messageRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	i.touched = true
	if m := i.original; m != nil && m.Flags&flagLoading != 0 && !m.Deleted {
		c.found = append(c.found, Problem{nil, "DEPRECATED",
			"the first follow-up after a deferral fills the deferred answer; edit @original instead"})
		filled, apiErr := c.apply(m, &req, nil, true)
		if apiErr == nil {
			i.said = append(i.said, picture(m))
		}
		return filled, apiErr
	}
	if _, inGuild := i.owners["0"]; !inGuild && len(i.followUps) >= maxUserInstalledFollowUps {
		return nil, refuse(40094)
	}
	m := c.newMessage(i.channel.ID)
	c.signed(m, i)
	if i.original != nil {
		c.replyTo(m, i.original)
		m.Interaction.OriginalID = i.original.ID
	}
	if req.Flags.Value&flagEphemeral != 0 {
		m.Flags |= flagEphemeral
		m.Reader = i.user.ID
	}
	if apiErr := c.fill(m, &req, nil, true); apiErr != nil {
		return nil, apiErr
	}
	i.followUps, i.said = append(i.followUps, m), append(i.said, picture(m))
	c.post(m)
	return m.Message, nil
}
