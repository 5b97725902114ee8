// A language host for Python programs, which the engine of the same version starts.
//
// It is made of the parts that the official host is made of: the module of the
// official host is missing from the module proxies of closed networks. It has
// what programs, generated SDKs and imports need, and runs no plugins in Python.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	codegen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/cmdutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/version"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/python/toolchain"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Pulumi's script that runs a program; it is next to this executable.
const script = "pulumi-language-python-exec"

// The script's exit code after it has told the user what is wrong.
const alreadyTold = 32

func main() {
	if len(os.Args) < 2 {
		cmdutil.Exit(errors.New("only the engine starts this language host"))
	}
	if err := serve(os.Args[len(os.Args)-1]); err != nil {
		cmdutil.Exit(err)
	}
}

func serve(engine string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	context, cancel := context.WithCancel(context.Background())
	ended := make(chan bool)
	go func() {
		<-context.Done()
		close(ended)
	}()
	if err := rpcutil.Healthcheck(context, engine, time.Minute, cancel); err != nil {
		return err
	}
	host := &pythonHost{engine: engine, script: filepath.Join(filepath.Dir(self), script)}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Cancel: ended,
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, host)
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

type pythonHost struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	engine string
	script string
}

// pythonOf is the Python that a program's `runtime` options in Pulumi.yaml name.
func pythonOf(info *pulumirpc.ProgramInfo) (toolchain.Toolchain, error) {
	virtualenv, _ := info.GetOptions().AsMap()["virtualenv"].(string)
	return toolchain.ResolveToolchain(toolchain.PythonOptions{
		Root:       info.GetRootDirectory(),
		ProgramDir: info.GetProgramDirectory(),
		Virtualenv: virtualenv,
		Toolchain:  toolchain.Pip,
	})
}

func (*pythonHost) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: version.Version}, nil
}

// Programs name the plugin in Pulumi.yaml, so that none has to be downloaded.
func (*pythonHost) GetRequiredPackages(
	context.Context, *pulumirpc.GetRequiredPackagesRequest,
) (*pulumirpc.GetRequiredPackagesResponse, error) {
	return &pulumirpc.GetRequiredPackagesResponse{}, nil
}

func (*pythonHost) RuntimeOptionsPrompts(
	context.Context, *pulumirpc.RuntimeOptionsRequest,
) (*pulumirpc.RuntimeOptionsResponse, error) {
	return &pulumirpc.RuntimeOptionsResponse{}, nil
}

func (*pythonHost) About(
	ctx context.Context, request *pulumirpc.AboutRequest,
) (*pulumirpc.AboutResponse, error) {
	python, err := pythonOf(request.GetInfo())
	if err != nil {
		return nil, err
	}
	about, err := python.About(ctx)
	if err != nil {
		return nil, err
	}
	return &pulumirpc.AboutResponse{
		Executable: about.PythonExecutable,
		Version:    about.PythonVersion.String(),
	}, nil
}

func (*pythonHost) GetProgramDependencies(
	ctx context.Context, request *pulumirpc.GetProgramDependenciesRequest,
) (*pulumirpc.GetProgramDependenciesResponse, error) {
	python, err := pythonOf(request.GetInfo())
	if err != nil {
		return nil, err
	}
	packages, err := python.ListPackages(ctx, request.GetTransitiveDependencies())
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.GetProgramDependenciesResponse{}
	for _, one := range packages {
		response.Dependencies = append(response.Dependencies,
			&pulumirpc.DependencyInfo{Name: one.Name, Version: one.Version})
	}
	return response, nil
}

func (*pythonHost) InstallDependencies(
	request *pulumirpc.InstallDependenciesRequest,
	server pulumirpc.LanguageRuntime_InstallDependenciesServer,
) error {
	closer, stdout, stderr, err := rpcutil.MakeInstallDependenciesStreams(server, request.GetIsTerminal())
	if err != nil {
		return err
	}
	defer closer.Close()
	info := request.GetInfo()
	python, err := pythonOf(info)
	if err != nil {
		return err
	}
	return python.InstallDependencies(server.Context(), info.GetProgramDirectory(),
		request.GetUseLanguageVersionTools(), true, stdout, stderr)
}

func (host *pythonHost) Run(
	ctx context.Context, request *pulumirpc.RunRequest,
) (*pulumirpc.RunResponse, error) {
	info := request.GetInfo()
	python, err := pythonOf(info)
	if err != nil {
		return nil, err
	}
	if err := python.ValidateVenv(ctx); err != nil {
		return nil, err
	}
	program, err := python.Command(ctx, append([]string{
		"-u", host.script,
		"--monitor", request.GetMonitorAddress(),
		"--engine", host.engine,
		"--project", request.GetProject(),
		"--root_directory", info.GetRootDirectory(),
		"--stack", request.GetStack(),
		"--organization", request.GetOrganization(),
		"--pwd", request.GetPwd(),
		"--dry_run", strconv.FormatBool(request.GetDryRun()),
		"--parallel", strconv.Itoa(int(request.GetParallel())),
		info.GetEntryPoint(),
	}, request.GetArgs()...)...)
	if err != nil {
		return nil, err
	}
	// The script reads an object and a list: an absent one would be `null`.
	settings := map[string]string{}
	maps.Copy(settings, request.GetConfig())
	config, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	secretKeys, err := json.Marshal(append([]string{}, request.GetConfigSecretKeys()...))
	if err != nil {
		return nil, err
	}
	if program.Env == nil {
		program.Env = os.Environ()
	}
	program.Env = append(program.Env,
		"PULUMI_CONFIG="+string(config), "PULUMI_CONFIG_SECRET_KEYS="+string(secretKeys))
	program.Stdout, program.Stderr = os.Stdout, os.Stderr
	err = program.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return &pulumirpc.RunResponse{}, nil
	case !errors.As(err, &exit):
		return nil, fmt.Errorf("starting Python failed: %w", err)
	case exit.ExitCode() == alreadyTold:
		return &pulumirpc.RunResponse{Bail: true}, nil
	}
	return &pulumirpc.RunResponse{Error: fmt.Sprintf("the program ended with %v", exit)}, nil
}

// GeneratePackage writes the SDK of a plugin.
func (*pythonHost) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.GetLoaderTarget())
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.GetSchema()), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	response := &pulumirpc.GeneratePackageResponse{
		Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics),
	}
	if err != nil || diagnostics.HasErrors() {
		return response, err
	}
	files, err := codegen.GeneratePackage("pulumi-language-python", pkg, request.GetExtraFiles(), loader)
	if err != nil {
		return nil, err
	}
	for name, content := range files {
		path := filepath.Join(request.GetDirectory(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// Link adds generated SDKs to the requirements of a program.
func (*pythonHost) Link(
	ctx context.Context, request *pulumirpc.LinkRequest,
) (*pulumirpc.LinkResponse, error) {
	python, err := pythonOf(request.GetInfo())
	if err != nil {
		return nil, err
	}
	folders := map[string]string{}
	var imports strings.Builder
	for _, one := range request.GetPackages() {
		name := one.GetPackage().GetName()
		module := codegen.PyPack("", name)
		folders[module] = one.GetPath()
		fmt.Fprintf(&imports, "  import %s as %s\n", module, codegen.PyName(name))
	}
	if err := python.LinkPackages(ctx, folders); err != nil {
		return nil, err
	}
	return &pulumirpc.LinkResponse{
		ImportInstructions: "You can import the SDK in your Python code with:\n\n" + imports.String(),
	}, nil
}

// GenerateProgram writes the program of `pulumi import`.
func (*pythonHost) GenerateProgram(
	_ context.Context, request *pulumirpc.GenerateProgramRequest,
) (*pulumirpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(request.GetLoaderTarget())
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	parser := syntax.NewParser()
	for path, source := range request.GetSource() {
		if err := parser.ParseFile(strings.NewReader(source), path); err != nil {
			return nil, err
		}
	}
	options := []pcl.BindOption{pcl.Loader(schema.NewCachedLoader(loader))}
	if !request.GetStrict() {
		options = append(options, pcl.NonStrictBindOptions()...)
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, options...)
	response := &pulumirpc.GenerateProgramResponse{
		Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(append(parser.Diagnostics, diagnostics...)),
	}
	if err != nil || program == nil || diagnostics.HasErrors() {
		return response, err
	}
	files, diagnostics, err := codegen.GenerateProgram(program)
	if err != nil {
		return nil, err
	}
	response.Source = files
	response.Diagnostics = append(response.Diagnostics, plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)...)
	return response, nil
}
