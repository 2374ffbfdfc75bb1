package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/joho/godotenv"

	"tradepost/bot/discordtest"
	"tradepost/core/coretest"
	"tradepost/sql/pgtest"
)

// host sets up a market in an empty folder.
type host struct {
	t       *testing.T
	dir     string
	discord *discordtest.Discord
}

func newHost(t *testing.T) *host {
	return &host{t: t, dir: t.TempDir(), discord: discordtest.New(t, discordtest.Options{Patience: coretest.Patience(time.Minute)})}
}

// types runs the program with what is typed, a line each.
func (h *host) types(command string, lines ...string) (out string, err error) {
	h.t.Helper()
	return h.run([]string{command}, strings.Join(lines, "\n")+"\n")
}

func (h *host) run(args []string, input string) (string, error) {
	cmd := exec.CommandContext(h.t.Context(), binary, args...)
	cmd.Dir = h.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "DISCORD_API_URL=" + h.discord.URL(), "SYSTEMD_UNIT_PATH=" + filepath.Join(h.dir, "units")}
	cmd.Stdin = strings.NewReader(input)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func says(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("it does not say %q but:\n%s", text, out)
		}
	}
}

func TestSetupAsksForTheSettings(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.discord.AllowRedirect("https://trade.example/auth/discord/callback")
	out, err := h.types("setup",
		"Harbour",
		"trade.example", "http://trade.example", "https://trade.example/market", "back", "Harbour Market", "https://trade.example",
		"wrong", h.discord.Token(),
		"wrong", h.discord.ClientSecret(),
		"",
		"mysql://nowhere", "compose",
		"", // the proxy
		"maple", "872031946600157194",
		"",
	)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	says(t, out, "write it as https://trade.example", "must begin with https://", "only the site itself",
		"does not accept this token", "(application ID "+h.discord.ClientID()+")", "Who may invite it: the application is public", "does not accept the client secret",
		"https://trade.example/auth/discord/callback", `"maple" is no Discord id`, "\n9. Invite the bot",
		"https://discord.com/oauth2/authorize?client_id="+h.discord.ClientID()+"&scope=bot+applications.commands&permissions=343597468672")
	if strings.Contains(out, h.discord.Token()) || strings.Contains(out, h.discord.ClientSecret()) {
		t.Error("a secret was shown")
	}

	settings := h.written()
	if settings["SITE_NAME"] != "Harbour Market" || settings["PUBLIC_URL"] != "https://trade.example" || settings["DISCORD_CLIENT_ID"] != h.discord.ClientID() ||
		settings["MODERATORS"] != "872031946600157194" || settings["TRUSTED_PROXIES"] != "private" {
		t.Errorf("written: %v", settings)
	}
	for name, want := range map[string]string{"DISCORD_TOKEN_FILE": h.discord.Token(), "DISCORD_CLIENT_SECRET_FILE": h.discord.ClientSecret()} {
		text, err := os.ReadFile(settings[name])
		if err != nil || strings.TrimSpace(string(text)) != want {
			t.Errorf("%s contains %q, %v", name, text, err)
		}
	}
	for name, want := range map[string]os.FileMode{"secrets": 0o700, ".env": 0o600} {
		if info, err := os.Stat(filepath.Join(h.dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s may be entered or read by others: %v, %v", name, info.Mode(), err)
		}
	}
	password, err := os.ReadFile(filepath.Join(h.dir, "secrets", "postgres_password"))
	address, addressErr := os.ReadFile(settings["DATABASE_URL_FILE"])
	if err != nil || addressErr != nil || !strings.Contains(string(address), ":"+strings.TrimSpace(string(password))+"@postgres:5432/tradepost") {
		t.Errorf("the database is at %q with the password %q", address, password)
	}
}

// written reads the settings.
func (h *host) written() map[string]string {
	h.t.Helper()
	settings, err := godotenv.Read(filepath.Join(h.dir, ".env"))
	if err != nil {
		h.t.Fatal(err)
	}
	return settings
}

func TestSetupEndsWithTheCommandsThatFit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		database string
		unit     bool
		want     string
	}{
		"by hand":        {"private", false, " serve\n"},
		"systemd":        {"private", true, "Start it:    sudo systemctl restart tradepost\nCheck it:    sudo -iu tradepost tradepost doctor\n"},
		"containers":     {"compose", false, "Start it:    docker compose up -d\n"},
		"both are there": {"compose", true, "Start it:    docker compose up -d\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.discord.AllowRedirect("https://trade.example/auth/discord/callback")
			if tt.unit {
				h.unit("")
			}
			out, err := h.types("setup", "Harbour Market", "https://trade.example", h.discord.Token(), h.discord.ClientSecret(), "", tt.database, "loopback", "", "")
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			says(t, out, tt.want)
		})
	}
}

func TestSetupRunAgainKeepsWhatItDoesNotAskFor(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.discord.AllowRedirect("https://trade.example/auth/discord/callback")
	answers := []string{"Harbour Market", "https://trade.example", h.discord.Token(), h.discord.ClientSecret(), "", "compose", "loopback", "872031946600157194", ""}
	if out, err := h.types("setup", answers...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := filepath.Join(h.dir, ".env")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	byHand := "# ours\nMODERATOR_ROLES=872031946600157195\nWELCOME=\"Trade fair.\"\n" + string(before)
	if err := os.WriteFile(path, []byte(byHand), 0o600); err != nil {
		t.Fatal(err)
	}
	password, err := os.ReadFile(filepath.Join(h.dir, "secrets", "postgres_password"))
	if err != nil {
		t.Fatal(err)
	}

	out, err := h.types("setup", "", "", "", "", "", "", "", "", "") // Enter for each
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	says(t, out, "your earlier answers are offered again", "[Harbour Market]", "[https://trade.example]", "[Enter for the one that you have]", "[compose]", "[loopback]", "[872031946600157194]")
	if after, err := os.ReadFile(path); err != nil || string(after) != byHand {
		t.Errorf("%v: the settings were\n%s\nand are\n%s", err, byHand, after)
	}
	if after, err := os.ReadFile(filepath.Join(h.dir, "secrets", "postgres_password")); err != nil || string(after) != string(password) {
		t.Errorf("%v: the database's password has changed", err)
	}

	h.discord.AllowRedirect("http://localhost:8080/auth/discord/callback")
	if out, err := h.types("setup", "", "http://localhost:8080", "", "", "", "private", "nobody", ""); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	settings := h.written()
	for _, gone := range []string{"TRUSTED_PROXIES", "DATABASE_URL_FILE", "MODERATORS"} {
		if value, there := settings[gone]; there {
			t.Errorf("%s is still %q", gone, value)
		}
	}
	if settings["LISTEN"] != "127.0.0.1:8080" || settings["MODERATOR_ROLES"] != "872031946600157195" || settings["WELCOME"] != "Trade fair." {
		t.Errorf("written: %v", settings)
	}
}

func TestASetUpIsRehearsedWithoutDiscord(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	cmd := exec.CommandContext(t.Context(), binary, "setup", "--rehearse")
	cmd.Dir, cmd.Env = h.dir, []string{"HOME=" + h.dir}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	lines := bufio.NewScanner(io.TeeReader(read, &out))
	given := regexp.MustCompile(`^   the (token|client secret)  +(\S+)$`)
	var secrets []string
	for len(secrets) < 2 && lines.Scan() {
		if found := given.FindStringSubmatch(lines.Text()); found != nil {
			secrets = append(secrets, found[2])
		}
	}
	if len(secrets) < 2 {
		t.Fatalf("it does not say what to answer:\n%s", out.String())
	}
	if _, err := io.WriteString(in, strings.Join([]string{"", "https://trade.example", secrets[0], secrets[1], "", "private", "", "", "", ""}, "\n")); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, out.String())
	}
	says(t, out.String(), "Nothing was written")
	if entries, err := os.ReadDir(h.dir); err != nil || len(entries) > 0 {
		t.Errorf("%v: it left %v", err, entries)
	}
}

func TestCtrlCEndsASetUp(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	cmd := exec.CommandContext(t.Context(), binary, "setup")
	cmd.Dir, cmd.Env = h.dir, []string{"HOME=" + h.dir}
	if _, err := cmd.StdinPipe(); err != nil { // it stays open
		t.Fatal(err)
	}
	read, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(read); lines.Scan() && !strings.HasPrefix(lines.Text(), "This sets up"); {
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || said.String() != "tradepost: stopped: nothing was changed\n" {
		t.Errorf("it ended with %v and %q", err, said.String())
	}
}

func TestASetUpThatIsBrokenOffWritesNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	if out, err := h.types("setup", "Harbour Market", "https://trade.example"); err == nil {
		t.Errorf("it ended well:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(h.dir, ".env")); !os.IsNotExist(err) {
		t.Errorf("settings were written: %v", err)
	}
}

func TestDoctorReportsProblems(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	out, err := h.run([]string{"doctor", "--listen", "127.0.0.1:1"}, "") // a developer's own market may be at the usual address
	if err == nil {
		t.Errorf("nothing is set, and the doctor is content:\n%s", out)
	}
	says(t, out, "PUBLIC_URL is not set", "DISCORD_TOKEN: it is missing", "nobody can sign in", "not running")

	h.discord.SetBotPermissions(0)
	flags := []string{"doctor", "--public-url", "http://127.0.0.1:1", "--listen", "127.0.0.1:1", "--discord-token", h.discord.Token(),
		"--discord-client-id", h.discord.ClientID(), "--discord-client-secret", "wrong", "--database-url", pgtest.New(t)}
	out, err = h.run(flags, "")
	if err == nil {
		t.Errorf("the doctor is content:\n%s", out)
	}
	says(t, out, "✓ the database", "✓ the bot's token", "✗ the client secret", "does not have the redirect http://127.0.0.1:1/auth/discord/callback",
		"it may not: View Channels, Send Messages, Send Messages in Threads, Embed Links, Read Message History, Create Private Threads", "nothing answers at 127.0.0.1:1")
}

func TestTheDoctorIsContentWithADemo(t *testing.T) {
	t.Parallel()
	d := startDemo(t, t.TempDir(), "--empty")
	h := newHost(t)
	h.discord.AllowRedirect(d.board + "/auth/discord/callback")
	out, err := h.run([]string{"doctor", "--public-url", d.board, "--listen", strings.TrimPrefix(d.board, "http://"), "--discord-token", h.discord.Token(),
		"--discord-client-id", h.discord.ClientID(), "--discord-client-secret", h.discord.ClientSecret()}, "")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	says(t, out, "Everything is as it should be.", "- roles to ping: not possible without Manage Roles. For /board pings and /board role, invite the bot again with", "permissions=343865904128")
}

// served is a market that runs.
type served struct {
	cmd *exec.Cmd
	log *bytes.Buffer // to be read once it has ended
}

// serve starts a market that reaches the host's Discord.
func (h *host) serve(args ...string) *served {
	h.t.Helper()
	cmd := exec.Command(binary, append([]string{"serve"}, args...)...)
	cmd.Dir = h.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "DISCORD_API_URL=" + h.discord.URL(),
		"OPEN_REQUESTS=0", "NEW_REQUESTS=0", "OFFERS=0", "OFFERS_PER_REQUEST=0", "REPORTS=0", "DM_PAIR=0", "DM_READER=0", "DM_ALERTS=0", "DM_REACH=0", "VISITOR_LIMIT=0", // people here trade all the time
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	m := &served{cmd, &bytes.Buffer{}}
	cmd.Stderr = m.log
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	return m
}

// end asks it to end and waits until it has.
func (s *served) end(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("asked to end, it ended with %v", err)
	}
}

// waitFor asks until the answer is 200. A market that starts does not tell when it can be asked.
func waitFor(t *testing.T, url string) {
	t.Helper()
	for end := time.Now().Add(coretest.Patience(30 * time.Second)); ; time.Sleep(20 * time.Millisecond) {
		resp, err := http.Get(url)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not answer as it should: %v", url, err)
		}
	}
}

func TestSecretsShowNeitherInTheLogNorInTheListOfProcesses(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	address := freeAddress(t)
	dsn := overTCP(t, pgtest.New(t))
	dsn = strings.Replace(dsn, ":@", ":hush-database@", 1)
	secrets := map[string]string{"DISCORD_TOKEN": h.discord.Token(), "DISCORD_CLIENT_SECRET": h.discord.ClientSecret(), "DATABASE_URL": dsn}
	env := map[string]string{"DISCORD_CLIENT_ID": h.discord.ClientID(), "LISTEN": address, "LOG_LEVEL": "debug", "LOG_FORMAT": "json"}
	for name, value := range secrets {
		env[name+"_FILE"] = filepath.Join(h.dir, name)
		if err := os.WriteFile(env[name+"_FILE"], []byte(value+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := godotenv.Write(env, filepath.Join(h.dir, ".env")); err != nil { // as tradepost setup does
		t.Fatal(err)
	}
	m := h.serve()
	waitFor(t, "http://"+address+"/readyz")
	h.discord.WaitForBot(t)
	h.discord.Player(t, "maple").Slash("request browse")
	listed, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", m.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m.end(t)
	if m.log.Len() == 0 {
		t.Error("nothing was logged")
	}
	for name, value := range map[string]string{"token": h.discord.Token(), "client secret": h.discord.ClientSecret(), "password": "hush-database"} {
		if strings.Contains(string(listed), value) || strings.Contains(m.log.String(), value) {
			t.Errorf("the %s shows", name)
		}
	}
}
