package core

import (
	"fmt"
	"slices"
	"strings"
)

// Features says which parts of the market are on. One that is off leaves no trace in page, bot and API.
type Features struct {
	Items bool // the catalogue: names, pages and completion of items
}

// AllFeatures returns every feature, which is the default of the program.
func AllFeatures() Features { return Features{Items: true} }

// FeatureNames lists the names of the features, in the order in which the documentation has them.
var FeatureNames = []string{"items"}

// ParseFeatures reads names of features; "all" is all of them and "none" is none.
func ParseFeatures(names []string) (Features, error) {
	if len(names) == 1 && names[0] == "all" {
		return AllFeatures(), nil
	}
	if len(names) == 1 && names[0] == "none" {
		return Features{}, nil
	}
	for _, name := range names {
		if !slices.Contains(FeatureNames, name) {
			return Features{}, fmt.Errorf("%q is no feature: want all, none, or some of %s, separated by commas", name, strings.Join(FeatureNames, ", "))
		}
	}
	return Features{Items: slices.Contains(names, "items")}, nil
}

// Names lists the features that are on.
func (f Features) Names() []string {
	names := []string{}
	if f.Items {
		names = append(names, "items")
	}
	return names
}
