// Package host has what the language hosts for Python and Go share. It is made of the
// parts that the official hosts are made of: their modules are missing from the module
// proxies of closed networks.
package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/cmdutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/version"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// The exit code of a program that has already told the user what is wrong.
const alreadyTold = 32

// Files are the paths and the texts of what is generated.
type Files = map[string][]byte

// Host is a language host without what differs between languages. It runs programs,
// and no plugins.
type Host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	// Engine is the address of the engine that has started this host.
	Engine string
	// Package makes the SDK of a plugin.
	Package func(pkg *schema.Package, extra Files, loader schema.ReferenceLoader) (Files, error)
	// Program makes the program of `pulumi import`.
	Program func(program *pcl.Program) (Files, hcl.Diagnostics, error)
}

// Main serves the language host for the engine whose address is the last argument.
func Main(open func(engine string) (pulumirpc.LanguageRuntimeServer, error)) {
	if len(os.Args) < 2 {
		cmdutil.Exit(errors.New("only the engine starts this language host"))
	}
	if err := serve(os.Args[len(os.Args)-1], open); err != nil {
		cmdutil.Exit(err)
	}
}

func serve(engine string, open func(engine string) (pulumirpc.LanguageRuntimeServer, error)) error {
	host, err := open(engine)
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

func (*Host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: version.Version}, nil
}

// Programs name the plugin in Pulumi.yaml, so that none has to be downloaded.
func (*Host) GetRequiredPackages(
	context.Context, *pulumirpc.GetRequiredPackagesRequest,
) (*pulumirpc.GetRequiredPackagesResponse, error) {
	return &pulumirpc.GetRequiredPackagesResponse{}, nil
}

func (*Host) RuntimeOptionsPrompts(
	context.Context, *pulumirpc.RuntimeOptionsRequest,
) (*pulumirpc.RuntimeOptionsResponse, error) {
	return &pulumirpc.RuntimeOptionsResponse{}, nil
}

// GeneratePackage writes the SDK of a plugin.
func (host *Host) GeneratePackage(
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
	files, err := host.Package(pkg, request.GetExtraFiles(), loader)
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

// GenerateProgram writes the program of `pulumi import`.
func (host *Host) GenerateProgram(
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
	files, diagnostics, err := host.Program(program)
	if err != nil {
		return nil, err
	}
	response.Source = files
	response.Diagnostics = append(response.Diagnostics, plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)...)
	return response, nil
}

// RunToEnd runs a program whose environment gets more variables, with the
// configuration of the request among them.
func RunToEnd(
	program *exec.Cmd, request *pulumirpc.RunRequest, variables ...string,
) (*pulumirpc.RunResponse, error) {
	// Programs read an object and a list: an absent one would be `null`.
	settings := request.GetConfig()
	if settings == nil {
		settings = map[string]string{}
	}
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
	program.Env = append(append(program.Env, variables...),
		"PULUMI_CONFIG="+string(config), "PULUMI_CONFIG_SECRET_KEYS="+string(secretKeys))
	program.Stdout, program.Stderr = os.Stdout, os.Stderr
	err = program.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return &pulumirpc.RunResponse{}, nil
	case !errors.As(err, &exit):
		return nil, fmt.Errorf("starting the program failed: %w", err)
	case exit.ExitCode() == alreadyTold:
		return &pulumirpc.RunResponse{Bail: true}, nil
	}
	return &pulumirpc.RunResponse{Error: fmt.Sprintf("the program ended with %v", exit)}, nil
}
