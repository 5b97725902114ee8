// Package host has what the language hosts for Node.js and Python share. It is made of the
// parts that the official hosts are made of: their modules are missing from the module
// proxies of closed networks.
package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
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

// Host has the calls of a language host that do not differ between languages.
type Host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	// Engine is the address of the engine that has started this host.
	Engine string
	// Package makes the SDK of a plugin.
	Package func(pkg *schema.Package, extra Files, loader schema.ReferenceLoader) (Files, error)
	// Program makes the program of `pulumi import`.
	Program func(program *pcl.Program) (Files, hcl.Diagnostics, error)

	// ended is done when the engine has ended, or ends this host.
	ended context.Context
	end   context.CancelFunc
}

// Main serves a language host for the engine whose address is the last argument.
func Main(open func(host *Host) (pulumirpc.LanguageRuntimeServer, error)) {
	if len(os.Args) < 2 {
		cmdutil.Exit(errors.New("only the engine starts this language host"))
	}
	if err := serve(os.Args[len(os.Args)-1], open); err != nil {
		cmdutil.Exit(err)
	}
}

func serve(engine string, open func(host *Host) (pulumirpc.LanguageRuntimeServer, error)) error {
	ended, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer end()
	server, err := open(&Host{Engine: engine, ended: ended, end: end})
	if err != nil {
		return err
	}
	cancel := make(chan bool)
	context.AfterFunc(ended, func() { close(cancel) })
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Cancel: cancel,
		Init: func(registrar *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(registrar, server)
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	go func() {
		// The engine holds the other end. When the input ends, the engine has ended.
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	return <-handle.Done
}

// Cancel ends this host, and before it every process that a call has started.
func (host *Host) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	host.end()
	return &emptypb.Empty{}, nil
}

// Until is a context that ends with a call and with this host.
func (host *Host) Until(call context.Context) context.Context {
	until, cancel := context.WithCancel(call)
	context.AfterFunc(host.ended, cancel)
	return until
}

// Run runs a command that ends gently. A process that it leaves behind may keep its output
// open: the command has succeeded nevertheless.
func Run(command *exec.Cmd) error {
	err := Gently(command).Run()
	if state := command.ProcessState; state != nil && state.Success() {
		return nil
	}
	return err
}

// Gently asks a command to end when its context ends, and kills it two seconds later.
func Gently(command *exec.Cmd) *exec.Cmd {
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 2 * time.Second
	return command
}

func (*Host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: version.Version}, nil
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
	if program.Env == nil {
		program.Env = os.Environ()
	}
	program.Env = append(append(program.Env, variables...),
		Configuration(request.GetConfig(), request.GetConfigSecretKeys())...)
	program.Stdout, program.Stderr = os.Stdout, os.Stderr
	err := Run(program)
	switch {
	case err == nil:
		return &pulumirpc.RunResponse{}, nil
	case program.ProcessState == nil:
		return nil, fmt.Errorf("starting the program failed: %w", err)
	case program.ProcessState.ExitCode() == alreadyTold:
		return &pulumirpc.RunResponse{Bail: true}, nil
	}
	return &pulumirpc.RunResponse{Error: fmt.Sprintf("The program ended with %v.", err)}, nil
}

// Configuration is the configuration of a stack as variables. Programs read an object and a
// list: an absent one would be `null`.
func Configuration(settings map[string]string, secretKeys []string) []string {
	if settings == nil {
		settings = map[string]string{}
	}
	// Texts always have a form in JSON.
	config, _ := json.Marshal(settings)
	keys, _ := json.Marshal(append([]string{}, secretKeys...))
	return []string{"PULUMI_CONFIG=" + string(config), "PULUMI_CONFIG_SECRET_KEYS=" + string(keys)}
}
