package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// pinned is an action by the digest of a commit, with its version for people and Renovate.
var pinned = regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d`)

// checkWorkflows wants every action pinned by digest, no permission for all jobs, and of each job those
// that it needs.
func checkWorkflows(pattern string) error {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s: there are none (%w)", pattern, err)
	}
	var problems []error
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
				problems = append(problems,
					fmt.Errorf("%s: not pinned by digest, with its version behind it: %s", path,
						strings.TrimSpace(line)))
			}
		}
		var workflow struct {
			Permissions *map[string]string
			Jobs        map[string]struct{ Permissions *map[string]string }
		}
		if err := yaml.Unmarshal(text, &workflow); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if workflow.Permissions == nil || len(*workflow.Permissions) > 0 {
			problems = append(problems, fmt.Errorf("%s: every job has the permissions of the whole workflow: want permissions: {}", path))
		}
		for name, job := range workflow.Jobs {
			if job.Permissions == nil {
				problems = append(problems, fmt.Errorf("%s: the job %s does not say what it may", path, name))
			}
		}
	}
	return errors.Join(problems...)
}

// checkRenovate wants digests of actions and images to be kept up to date.
func checkRenovate(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var config struct{ Extends []string }
	if err := json.Unmarshal(text, &config); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, preset := range []string{"helpers:pinGitHubActionDigests", "docker:pinDigests"} {
		if !slices.Contains(config.Extends, preset) {
			return fmt.Errorf("%s: %s is missing", path, preset)
		}
	}
	return nil
}
