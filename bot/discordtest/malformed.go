package discordtest

import "strings"

// MalformedFrames are frames that Discord should not send. A bot must answer commands after them.
func MalformedFrames() (frames [][]byte) {
	long := strings.Repeat("x", 1<<20)
	deep := strings.Repeat("[", 100_000)
	for _, frame := range []string{
		"", "[]", "{", `"text"`, "\xff\xfe", "{}", deep,
		`{"op":0}`, `{"op":"0","t":"INTERACTION_CREATE"}`, `{"op":0,"t":1,"s":"x","d":{}}`,
		`{"op":99,"d":null}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":null}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":[]}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{}}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{"type":2,"id":"1","token":"t","user":{"id":"1"},"data":{"name":"request"}}}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{"type":2,"id":"1","application_id":"1","token":"t"}}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{"type":2,"id":"1","application_id":"1","token":"t","data":{"name":"request","options":[{"name":"post"}]}}}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{"type":3,"id":"4","application_id":"1","token":"t","data":{"custom_id":"` + long + `"},"user":{"id":"-1"}}}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{"type":5,"id":"2","application_id":"1","token":"t","user":{"id":"1"},"data":{"custom_id":"x","components":[null,{"type":18}]}}}`,
		`{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{"type":77,"id":"3","application_id":"1","token":"t","user":{"id":"1"}}}`,
		`{"op":0,"s":null,"t":"GUILD_CREATE","d":{"id":7,"channels":"none"}}`,
		`{"op":0,"s":null,"t":"GUILD_CREATE","d":{"name":"` + strings.Repeat(long, 8) + `"}}`,
		`{"op":0,"s":null,"t":"MESSAGE_CREATE","d":{"content":` + deep + `}}`,
		`{"op":0,"s":null,"t":"` + long + `","d":{}}`,
		`{"op":10,"d":{"heartbeat_interval":-1}}`, `{"op":10,"d":null}`,
		"null", `{"op":null,"s":null,"t":null,"d":null}`,
		`{"op":0,"s":null,"t":"READY","d":null}`,
		`{"op":0,"s":null,"t":"READY","d":{"session_id":"","guilds":[null]}}`,
		`{"op":0,"s":null,"t":"GUILD_CREATE","d":null}`, `{"op":0,"s":null,"t":"GUILD_UPDATE","d":{}}`,
		`{"op":0,"s":null,"t":"GUILD_CREATE","d":{"id":"7","channels":[null],"members":[null],"voice_states":[null]}}`,
		`{"op":0,"s":null,"t":"VOICE_STATE_UPDATE","d":null}`,
		`{"op":0,"s":null,"t":"VOICE_SERVER_UPDATE","d":null}`,
	} {
		frames = append(frames, []byte(frame))
	}
	return frames
}
