// Writes programs in the languages that `npm run gen` has no writer for, with Pulumi's
// writers. Input: the schema of the plugin and programs in Pulumi's neutral language, by
// their names. Output: the programs, by name and language. Both are JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	java "github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var writers = map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
	"go":     golang.GenerateProgram,
	"csharp": dotnet.GenerateProgram,
	"java":   java.GenerateProgram,
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var input struct {
		Schema   schema.PackageSpec
		Programs map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		return err
	}
	// A writer changes the schema, so each writer gets its own copy.
	output := map[string]map[string]string{}
	for name, source := range input.Programs {
		output[name] = map[string]string{}
		for language, write := range writers {
			text, err := written(source, input.Schema, write)
			if err != nil {
				return fmt.Errorf("%s in %s: %w", name, language, err)
			}
			output[name][language] = text
		}
	}
	return json.NewEncoder(os.Stdout).Encode(output)
}

func written(
	source string, spec schema.PackageSpec,
	write func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error),
) (string, error) {
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(source), "example.pp"); err != nil {
		return "", err
	}
	if parser.Diagnostics.HasErrors() {
		return "", parser.Diagnostics
	}
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return "", err
	}
	if diagnostics.HasErrors() {
		return "", diagnostics
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, pcl.Loader(only{pkg}))
	if err != nil {
		return "", err
	}
	if diagnostics.HasErrors() {
		return "", diagnostics
	}
	files, diagnostics, err := write(program)
	if err != nil {
		return "", err
	}
	if len(diagnostics) > 0 {
		return "", diagnostics
	}
	if len(files) != 1 {
		return "", fmt.Errorf("%d files", len(files))
	}
	for _, text := range files {
		return string(text), nil
	}
	return "", nil
}

// only loads the same package for every request.
type only struct{ pkg *schema.Package }

func (loader only) LoadPackage(string, *semver.Version) (*schema.Package, error) {
	return loader.pkg, nil
}

func (loader only) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return loader.pkg, nil
}
