// A language host for Go programs, which the engine of the same version starts.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	codegen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"devid.invalid/engine/language-hosts/host"
)

func main() {
	host.Main(func(engine string) (pulumirpc.LanguageRuntimeServer, error) {
		return &goHost{host.Host{
			Engine: engine,
			Package: func(pkg *schema.Package, _ host.Files, _ schema.ReferenceLoader) (host.Files, error) {
				return codegen.GeneratePackage("pulumi-language-go", pkg, nil)
			},
			Program: codegen.GenerateProgram,
		}}, nil
	})
}

type goHost struct{ host.Host }

// goTool is a command of Go in a program's folder.
func goTool(ctx context.Context, info *pulumirpc.ProgramInfo, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = info.GetProgramDirectory()
	return command
}

// outputOf runs a command of Go; what Go says is in the error.
func outputOf(command *exec.Cmd) (string, error) {
	var told bytes.Buffer
	command.Stderr = &told
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("`%s` failed: %w\n%s", strings.Join(command.Args, " "), err, told.String())
	}
	return strings.TrimSpace(string(output)), nil
}

func (*goHost) About(
	ctx context.Context, request *pulumirpc.AboutRequest,
) (*pulumirpc.AboutResponse, error) {
	executable, err := exec.LookPath("go")
	if err != nil {
		return nil, err
	}
	version, err := outputOf(goTool(ctx, request.GetInfo(), "version"))
	if err != nil {
		return nil, err
	}
	return &pulumirpc.AboutResponse{Executable: executable, Version: version}, nil
}

func (*goHost) GetProgramDependencies(
	ctx context.Context, request *pulumirpc.GetProgramDependenciesRequest,
) (*pulumirpc.GetProgramDependenciesResponse, error) {
	listed, err := outputOf(goTool(ctx, request.GetInfo(), "list", "-m", "-json", "all"))
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.GetProgramDependenciesResponse{}
	for decoder := json.NewDecoder(strings.NewReader(listed)); decoder.More(); {
		var module struct {
			Path, Version  string
			Main, Indirect bool
		}
		if err := decoder.Decode(&module); err != nil {
			return nil, err
		}
		if module.Main || (module.Indirect && !request.GetTransitiveDependencies()) {
			continue
		}
		response.Dependencies = append(response.Dependencies,
			&pulumirpc.DependencyInfo{Name: module.Path, Version: module.Version})
	}
	return response, nil
}

func (*goHost) InstallDependencies(
	request *pulumirpc.InstallDependenciesRequest,
	server pulumirpc.LanguageRuntime_InstallDependenciesServer,
) error {
	closer, stdout, stderr, err := rpcutil.MakeInstallDependenciesStreams(server, request.GetIsTerminal())
	if err != nil {
		return err
	}
	defer closer.Close()
	tidy := goTool(server.Context(), request.GetInfo(), "mod", "tidy")
	tidy.Stdout, tidy.Stderr = stdout, stderr
	return tidy.Run()
}

// Run builds the program and runs it. `go run` would hide the program's exit code.
func (goProgram *goHost) Run(
	ctx context.Context, request *pulumirpc.RunRequest,
) (*pulumirpc.RunResponse, error) {
	info := request.GetInfo()
	folder, err := os.MkdirTemp("", "pulumi-go-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	executable := filepath.Join(folder, "program")
	entry := info.GetEntryPoint()
	if entry == "" {
		entry = "."
	}
	if _, err := outputOf(goTool(ctx, info, "build", "-o", executable, entry)); err != nil {
		return &pulumirpc.RunResponse{Error: err.Error()}, nil
	}
	program := exec.CommandContext(ctx, executable, request.GetArgs()...)
	program.Dir = request.GetPwd()
	return host.RunToEnd(program, request,
		"PULUMI_ORGANIZATION="+request.GetOrganization(),
		"PULUMI_PROJECT="+request.GetProject(),
		"PULUMI_ROOT_DIRECTORY="+info.GetRootDirectory(),
		"PULUMI_STACK="+request.GetStack(),
		"PULUMI_DRY_RUN="+strconv.FormatBool(request.GetDryRun()),
		"PULUMI_PARALLEL="+strconv.Itoa(int(request.GetParallel())),
		"PULUMI_MONITOR="+request.GetMonitorAddress(),
		"PULUMI_ENGINE="+goProgram.Engine,
	)
}

// Link has a program's module find generated SDKs in their folders.
func (*goHost) Link(
	ctx context.Context, request *pulumirpc.LinkRequest,
) (*pulumirpc.LinkResponse, error) {
	info := request.GetInfo()
	var imports strings.Builder
	for _, one := range request.GetPackages() {
		folder := "./" + filepath.ToSlash(one.GetPath())
		sdk := goTool(ctx, info, "list", "-m")
		sdk.Dir = filepath.Join(info.GetProgramDirectory(), one.GetPath())
		module, err := outputOf(sdk)
		if err != nil {
			return nil, err
		}
		edit := goTool(ctx, info, "mod", "edit",
			"-require", module+"@v0.0.0", "-replace", module+"="+folder)
		if _, err := outputOf(edit); err != nil {
			return nil, err
		}
		fmt.Fprintf(&imports, "  import %q\n", module+"/"+one.GetPackage().GetName())
	}
	return &pulumirpc.LinkResponse{
		ImportInstructions: "You can import the SDK in your Go code with:\n\n" + imports.String(),
	}, nil
}
