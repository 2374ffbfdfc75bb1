package discordtest_test

import (
	"fmt"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

func TestThreads(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, tavern, rowan := d.Session(t), d.Channel("tavern"), d.Player(t, "rowan.ashdown")
	begun := tavern.StartThread("Ore")
	if _, err := s.ChannelMessageSend(begun.ID(), "hello"); err != nil {
		t.Fatalf("write in a thread: %v", err)
	}
	sent, err := s.ChannelMessageSend(begun.ID(), "again")
	if err != nil {
		t.Fatal(err)
	}
	if seen := rowan.In(begun.ID()).Messages(); len(seen) != 2 {
		t.Errorf("a member sees %d messages in the thread", len(seen))
	}
	begun.Archive()
	if _, err := s.ChannelMessageEdit(begun.ID(), sent.ID, "changed"); code(err) != 50083 {
		t.Errorf("editing in an archived thread: %v", err)
	}
	if err := s.ChannelMessageDelete(begun.ID(), sent.ID); code(err) != 50083 {
		t.Errorf("deleting in an archived thread: %v", err)
	}
	if _, err := s.ChannelMessageSend(begun.ID(), "more"); err != nil || begun.Archived() {
		t.Errorf("a message opens the thread again: %v, archived %v", err, begun.Archived())
	}
	begun.Lock()
	if _, err := s.ChannelMessageSend(begun.ID(), "more"); code(err) != 160005 {
		t.Errorf("writing in a locked thread: %v", err)
	}
	tavern.DenyBot(discordgo.PermissionSendMessagesInThreads)
	if _, err := s.ChannelMessageSend(begun.ID(), "more"); code(err) != 50013 {
		t.Errorf("writing without the permission: %v", err)
	}
	tavern.Open()
	first, err := s.ChannelMessageSend(tavern.ID(), "Iron Ore")
	if err != nil {
		t.Fatal(err)
	}
	under, err := s.MessageThreadStart(tavern.ID(), first.ID, "Iron Ore", 1440)
	if err != nil || under.ID != first.ID || under.ParentID != tavern.ID() || under.ThreadMetadata.AutoArchiveDuration != 1440 {
		t.Errorf("a thread under a message: %+v, %v", under, err)
	}
	if _, err := s.MessageThreadStart(tavern.ID(), first.ID, "twice", 60); code(err) != 160004 {
		t.Errorf("a second one: %v", err)
	}
	secret, err := s.ThreadStart(tavern.ID(), "Trade", discordgo.ChannelTypeGuildPrivateThread, 60)
	if err != nil {
		t.Fatalf("a private thread: %v", err)
	}
	if _, err := s.ChannelMessageSend(secret.ID, "between us"); err != nil {
		t.Fatal(err)
	}
	if len(rowan.In(secret.ID).Messages()) != 0 {
		t.Error("a member who was not added sees it")
	}
	if err := s.ThreadMemberAdd(secret.ID, rowan.ID()); err != nil {
		t.Fatal(err)
	}
	if len(rowan.In(secret.ID).Messages()) != 1 {
		t.Error("one who was added does not")
	}
	yes := true
	if closed, err := s.ChannelEditComplex(secret.ID, &discordgo.ChannelEdit{Archived: &yes}); err != nil || !closed.ThreadMetadata.Archived {
		t.Errorf("closing it: %+v, %v", closed, err)
	}
	if active, err := s.GuildThreadsActive(d.HomeServer().ID()); err != nil || len(active.Threads) != 2 {
		t.Errorf("active threads: %+v, %v", active, err)
	}
	tavern.DenyBot(discordgo.PermissionCreatePrivateThreads)
	if _, err := s.ThreadStart(tavern.ID(), "Trade", discordgo.ChannelTypeGuildPrivateThread, 60); code(err) != 50013 {
		t.Errorf("a private thread without the permission: %v", err)
	}
}

func TestForums(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	forum := d.HomeServer().AddChannel("requests", discordtest.ForumChannel).AddTags("Miner", "Chef").NeedTag()
	if _, err := s.ChannelMessageSend(forum.ID(), "x"); code(err) != 50008 {
		t.Errorf("a message in a forum: %v", err)
	}
	shown, err := s.Channel(forum.ID())
	if err != nil || len(shown.AvailableTags) != 2 {
		t.Fatalf("the forum is %+v, %v", shown, err)
	}
	post := func(tags ...string) (*discordgo.Channel, error) {
		return s.ForumThreadStartComplex(forum.ID(), &discordgo.ThreadStart{Name: "Iron Ore", AutoArchiveDuration: 60, AppliedTags: tags},
			&discordgo.MessageSend{Content: "500 wanted"})
	}
	if _, err := post(); code(err) != 40067 {
		t.Errorf("a post without a tag: %v", err)
	}
	if _, err := post("17"); code(err) != 10087 {
		t.Errorf("a post with a tag of none: %v", err)
	}
	made, err := post(shown.AvailableTags[0].ID)
	if err != nil {
		t.Fatalf("a post: %v", err)
	}
	one := forum.Threads()[0]
	if text := d.Player(t, "rowan.ashdown").In(one.ID()).Messages()[0]; text.Content != "500 wanted" || text.ID != made.ID || fmt.Sprint(one.Tags()) != "[Miner]" {
		t.Errorf("the post is %q with %v", text.Content, one.Tags())
	}
	tags, yes := []string{shown.AvailableTags[1].ID}, true
	if _, err := s.ChannelEditComplex(made.ID, &discordgo.ChannelEdit{AppliedTags: &tags, Archived: &yes}); err != nil || !one.Archived() || fmt.Sprint(one.Tags()) != "[Chef]" {
		t.Errorf("closing the post: %v, %v", one.Tags(), err)
	}
	if _, err := s.ChannelEditComplex(made.ID, &discordgo.ChannelEdit{AppliedTags: &tags}); code(err) != 50083 {
		t.Errorf("changing an archived post: %v", err)
	}
	forum.DenyBot(discordgo.PermissionSendMessages)
	if _, err := post(shown.AvailableTags[0].ID); code(err) != 50013 {
		t.Errorf("a post without the permission: %v", err)
	}
}

func TestAnnouncementChannels(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, news := d.Session(t), d.HomeServer().AddChannel("news", discordtest.AnnouncementChannel)
	sent, err := s.ChannelMessageSend(news.ID(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if published, err := s.ChannelMessageCrosspost(news.ID(), sent.ID); err != nil || published.Flags&discordgo.MessageFlagsCrossPosted == 0 {
		t.Errorf("publishing: %+v, %v", published, err)
	}
	if _, err := s.ChannelMessageCrosspost(news.ID(), sent.ID); code(err) != 40033 {
		t.Errorf("publishing twice: %v", err)
	}
	if under, err := s.MessageThreadStart(news.ID(), sent.ID, "Talk", 60); err != nil || under.Type != discordgo.ChannelTypeGuildNewsThread {
		t.Errorf("a thread there is %+v, %v", under, err)
	}
	other, _ := s.ChannelMessageSend(d.Channel("tavern").ID(), "x")
	if _, err := s.ChannelMessageCrosspost(d.Channel("tavern").ID(), other.ID); code(err) != 50024 {
		t.Errorf("publishing elsewhere: %v", err)
	}
}
