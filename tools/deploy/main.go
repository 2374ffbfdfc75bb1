// Command deploy reads the files that a market is deployed with by their formats' own libraries, and says
// what is wrong with them. It is run by make verify, from the repository's root.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func main() {
	if err := errors.Join(checkDockerfile("Dockerfile"), checkCompose("compose.yaml"),
		checkImages("compose.yaml", "compose.build.yaml"),
		checkWorkflows(".github/workflows/*.yml"), checkRenovate("renovate.json")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// checkDockerfile wants a last stage without a shell, that does not run as root and knows whether it is well.
func checkDockerfile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	parsed, err := parser.Parse(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	last := stages[len(stages)-1]
	var user, health bool
	var problems []error
	for _, command := range last.Commands {
		switch c := command.(type) {
		case *instructions.UserCommand:
			user = !slices.Contains([]string{"", "0", "root"}, strings.Split(c.User, ":")[0])
		case *instructions.HealthCheckCommand:
			health = c.Health != nil && len(c.Health.Test) > 0 && c.Health.Test[0] == "CMD"
		case *instructions.RunCommand:
			problems = append(problems, fmt.Errorf("%s: the last stage runs %v, and it has no shell", path,
				c.CmdLine))
		}
	}
	if len(stages) < 2 || !strings.Contains(last.BaseName, "distroless/static") {
		problems = append(problems, fmt.Errorf("%s: the last of %d stages is from %s", path, len(stages),
			last.BaseName))
	}
	if !user {
		problems = append(problems, fmt.Errorf("%s: it runs as root", path))
	}
	if !health {
		problems = append(problems, fmt.Errorf("%s: it has no health check that does without a shell", path))
	}
	return errors.Join(problems...)
}

// checkCompose wants every service to come back by itself, within limits and without rights that it does
// not need, its secrets in files, health checks that others wait for, and a database that reaches nothing.
func checkCompose(path string) error {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithEnv([]string{
		"PUBLIC_URL=https://trade.example", "DISCORD_CLIENT_ID=1", // what has no default
	}))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var problems []error
	complain := func(format string, args ...any) {
		problems = append(problems,
			fmt.Errorf(path+": "+format, args...))
	}
	for _, name := range []string{"tradepost", "postgres", "backup"} {
		service, err := project.GetService(name)
		if err != nil {
			complain("there is no service %s", name)
			continue
		}
		if service.Restart != "unless-stopped" {
			complain("%s does not come back by itself", name)
		}
		if service.HealthCheck != nil && service.HealthCheck.Disable {
			complain("nothing asks %s for its health", name)
		}
		if service.Logging == nil || service.Logging.Options["max-size"] == "" ||
			service.Logging.Options["max-file"] == "" {
			complain("what %s logs grows without limit", name)
		}
		if service.MemLimit == 0 || service.PidsLimit == 0 || service.CPUS == 0 {
			complain("%s has no limit of memory, processes or processors", name)
		}
		if !slices.Contains(service.CapDrop, "ALL") ||
			!slices.Contains(service.SecurityOpt, "no-new-privileges:true") {
			complain("%s has rights that it does not need", name)
		}
		if _, out := service.Networks["front"]; out != (name == "tradepost") || len(service.Networks) == 0 {
			complain("%s is in the networks %v", name, slices.Collect(maps.Keys(service.Networks)))
		}
		for variable, value := range service.Environment {
			if value != nil && *value != "" && secret(variable) {
				complain("%s has the secret %s in its environment", name, variable)
			}
		}
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				complain("%s is reachable from everywhere at port %s", name, port.Published)
			}
		}
		for on, how := range service.DependsOn {
			if how.Condition != types.ServiceConditionHealthy {
				complain("%s does not wait until %s is well", name, on)
			}
		}
	}
	if store, there := project.Networks["store"]; !there || !store.Internal {
		complain("the database's network reaches the outside")
	}
	if postgres, err := project.GetService("postgres"); err == nil {
		checkRole(path, postgres, complain)
	}
	if postgres, err := project.GetService("postgres"); err == nil &&
		(postgres.HealthCheck == nil || len(postgres.Volumes) == 0) {
		complain("postgres has no health check, or keeps nothing")
	}
	return errors.Join(problems...)
}

// checkRole wants the market to connect as another role than the superuser, which PostgreSQL makes by a
// script when its folder is empty.
func checkRole(path string, postgres types.ServiceConfig, complain func(string, ...any)) {
	if user := postgres.Environment["POSTGRES_USER"]; user == nil || *user != "postgres" {
		complain("the superuser of postgres is not postgres: the market connects as tradepost, which must be no superuser")
	}
	i := slices.IndexFunc(postgres.Volumes, func(v types.ServiceVolumeConfig) bool {
		return strings.HasPrefix(v.Target, "/docker-entrypoint-initdb.d/")
	})
	if i < 0 {
		complain("nothing makes the role of the market")
		return
	}
	script, err := os.ReadFile(filepath.Join(filepath.Dir(path), "deploy",
		filepath.Base(postgres.Volumes[i].Source)))
	if err != nil || !strings.Contains(string(script), "create role tradepost login") ||
		strings.Contains(string(script), "login superuser") {
		complain("%s does not make the role of the market, or makes it a superuser (%v)",
			postgres.Volumes[i].Source, err)
	}
}

// checkImages wants the market's services to run a named image of a chosen version, and to be built with
// the override only.
func checkImages(path, override string) error {
	required := []string{"PUBLIC_URL=https://trade.example", "DISCORD_CLIENT_ID=1"}
	var problems []error
	for _, tt := range []struct {
		files  []string
		chosen []string
		image  string
		built  bool
	}{
		{[]string{path}, nil, "tradepost:latest", false},
		{[]string{path}, []string{"TRADEPOST_IMAGE=registry.example/market", "TRADEPOST_VERSION=v1.4.0"},
			"registry.example/market:v1.4.0", false},
		{[]string{path, override}, []string{"TRADEPOST_VERSION=v1.4.0"}, "tradepost:v1.4.0", true},
	} {
		options, err := cli.NewProjectOptions(tt.files, cli.WithEnv(append(required, tt.chosen...)))
		if err != nil {
			return fmt.Errorf("%v: %w", tt.files, err)
		}
		project, err := options.LoadProject(context.Background())
		if err != nil {
			return fmt.Errorf("%v: %w", tt.files, err)
		}
		for _, name := range []string{"tradepost", "backup"} {
			if service := project.Services[name]; service.Image != tt.image ||
				(service.Build != nil) != tt.built {
				problems = append(problems,
					fmt.Errorf("%v with %v: %s runs %s, built: %v", tt.files, tt.chosen, name, service.Image,
						service.Build != nil))
			}
		}
	}
	return errors.Join(problems...)
}

// secret tells whether a variable of this name holds one itself, and not the path of a file.
func secret(variable string) bool {
	return !strings.HasSuffix(variable, "_FILE") &&
		(strings.Contains(variable, "TOKEN") || strings.Contains(variable, "SECRET") ||
			strings.Contains(variable, "PASSWORD") || strings.HasSuffix(variable, "_KEY") ||
			variable == "DATABASE_URL" || variable == "DATABASE_OWNER_URL")
}
