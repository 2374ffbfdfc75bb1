package main_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// unitsWithThisProgram copies the units to a folder, with the program of the tests in the place of the installed one.
func unitsWithThisProgram(t *testing.T) (files []string) {
	t.Helper()
	units, err := filepath.Glob("../../deploy/tradepost*.*")
	if err != nil || len(units) < 3 {
		t.Fatalf("units %q, %v", units, err)
	}
	folder := t.TempDir()
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, filepath.Base(unit))
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "/usr/local/bin/tradepost", binary)), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func TestTheSystemdUnitsAreValidAndHardened(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	units := unitsWithThisProgram(t)
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", append([]string{"verify", "--man=no"}, units...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("verify: %v\n%s", err, out)
	}
	for _, file := range units {
		if !strings.HasSuffix(file, ".service") {
			continue
		}
		// The threshold is in tenths: 2.0 of 10 is within "OK", green.
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", file).CombinedOutput()
		if err != nil || !strings.Contains(string(out), " OK ") {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "StartLimitIntervalSec=0\n") || !strings.Contains(string(text), "\nRestartSec=") {
			t.Errorf("%s is not restarted without limit (%v)", file, err)
		}
		// The exposure level stays green without any one of these.
		for _, line := range []string{"NoNewPrivileges=true", "ProtectSystem=strict", "CapabilityBoundingSet=", "PrivateTmp=true", "ProtectHome=true"} {
			if !strings.Contains(string(text), "\n"+line+"\n") {
				t.Errorf("%s lacks %s", file, line)
			}
		}
	}
}

func TestTheConfigurationsOfProxiesAreValid(t *testing.T) {
	t.Parallel()
	certificate, key := selfSigned(t)
	for _, tt := range []struct {
		file string
		args func(path string) []string
	}{
		{"Caddyfile", caddyValidates}, {"Caddyfile.replicas", caddyValidates}, {"nginx.conf", nginxTests}, {"nginx.replicas.conf", nginxTests},
		{"cache/nginx.conf", nginxTests}, {"cache/programs.vcl", varnishCompiles}, {"cache/programs.replicas.vcl", varnishCompiles},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../deploy/" + tt.file)
			if err != nil {
				t.Fatal(err)
			}
			content, folder := string(text), t.TempDir()
			if strings.HasSuffix(tt.file, "nginx.conf") || strings.HasPrefix(tt.file, "nginx") {
				content = strings.ReplaceAll(content, "/etc/letsencrypt/live/trade.example/fullchain.pem", certificate)
				content = strings.ReplaceAll(content, "/etc/letsencrypt/live/trade.example/privkey.pem", key)
				var temporary strings.Builder // its own are root's
				for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
					fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", name, folder, name)
				}
				content = "error_log stderr;\npid " + folder + "/pid;\nevents {}\nhttp {\naccess_log off;\n" + temporary.String() + content + "}\n"
			}
			path := filepath.Join(folder, filepath.Base(tt.file))
			if strings.HasSuffix(tt.file, ".vcl") {
				if found, _ := filepath.Glob("/usr/lib/*/varnish/vmods/libvmod_xkey.so"); len(found) == 0 {
					t.Skip("varnish-modules is not installed")
				}
				path = filepath.Join(folder, "programs.vcl")
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			args := tt.args(path)
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skip(args[0] + " is not installed")
			}
			cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
			cmd.Env = append(os.Environ(), "HOME="+folder)
			if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "warn") && !strings.HasSuffix(tt.file, ".vcl") {
				t.Errorf("%q: %v\n%s", args, err, out)
			}
		})
	}
}

func caddyValidates(path string) []string {
	return []string{"caddy", "validate", "--adapter", "caddyfile", "--config", path}
}

func nginxTests(path string) []string { return []string{"nginx", "-t", "-q", "-c", path} }

// varnishCompiles compiles the rules of the cache with the programs that it is in front of.
func varnishCompiles(path string) []string {
	rules, err := filepath.Abs("../../deploy/cache/tradepost.vcl")
	if err != nil {
		panic(err)
	}
	return []string{"varnishd", "-j", "none", "-C", "-n", filepath.Join(filepath.Dir(path), "work"), "-p", "vcl_path=" + filepath.Dir(path), "-f", rules}
}

// selfSigned makes a certificate and its key.
func selfSigned(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"trade.example"}, NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, &template, &template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	certificate, key = filepath.Join(folder, "fullchain.pem"), filepath.Join(folder, "privkey.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: signed}, key: {Type: "EC PRIVATE KEY", Bytes: encoded}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// What the documents print for systemd and proxies is a file in deploy, and the other way round.
func TestTheDocumentsPrintTheFilesOfDeploy(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	paths, err := filepath.Glob("../../deploy/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.IsDir() || filepath.Ext(path) == ".go" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = strings.TrimSpace(strings.ReplaceAll(string(text), "\t", "    "))
	}
	printed := map[string]bool{}
	deployed := regexp.MustCompile(`(?m)^\[(Service|Timer|Unit)\]$|\breverse_proxy\b|\bproxy_pass\b|^\[(global|pgbouncer)\]$|^archive_command\b`)
	err = filepath.WalkDir("../../docs", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, block := range codeBlocks(string(text)) {
			if !deployed.MatchString(block) {
				continue
			}
			name := ""
			for file, content := range files {
				if content == block {
					name = file
				}
			}
			if printed[name] = true; name == "" {
				t.Errorf("%s prints what is no file in deploy:\n%s", path, block)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range files {
		if !strings.HasPrefix(file, "tradepost") && file != "upgrade-from" && file != "publisher.env" && file != "postgres-init.sql" && !printed[file] { // compose.yaml mounts the last
			t.Errorf("no document prints %s", file)
		}
	}
}

// codeBlocks returns the indented and the fenced blocks of a page, without their indentation.
func codeBlocks(page string) (blocks []string) {
	var block []string
	fenced := false
	end := func() {
		if text := strings.TrimSpace(strings.ReplaceAll(strings.Join(block, "\n"), "\t", "    ")); text != "" {
			blocks = append(blocks, text)
		}
		block = nil
	}
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		indented, is := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasPrefix(line, "```"):
			end()
			fenced = !fenced
		case fenced:
			block = append(block, line)
		case is, line == "" && block != nil:
			block = append(block, indented)
		default:
			end()
		}
	}
	end()
	return blocks
}

// Where nothing can be asked, that is said, and it is a failure only where it is wanted to be one.
func TestVulnerabilitiesThatCannotBeCheckedAreSaidSo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	for _, tt := range []struct {
		required string
		status   int
	}{{"", 0}, {"required", 1}} {
		cmd := exec.CommandContext(t.Context(), "../../scripts/vulns.sh")
		cmd.Env = append(os.Environ(), "VULNS="+tt.required, "VULNS_DATABASE=http://127.0.0.1:1", "npm_config_registry=http://127.0.0.1:1", "npm_config_fetch_retries=0")
		out, _ := cmd.CombinedOutput() // the status is compared
		if got := cmd.ProcessState.ExitCode(); got != tt.status || strings.Count(string(out), "not checked: ") != 4 {
			t.Errorf("VULNS=%q: status %d, want %d\n%s", tt.required, got, tt.status, out)
		}
	}
}
