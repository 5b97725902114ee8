// A language host for Node.js, which the engine of the same version starts. It runs
// programs, plugins and policy packs.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	codegen "github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"devid.invalid/engine/language-hosts/host"
)

func main() {
	host.Main(func(host *host.Host) (pulumirpc.LanguageRuntimeServer, error) {
		host.Program = codegen.GenerateProgram
		host.Package = func(pkg *schema.Package, extra Files, loader schema.ReferenceLoader) (Files, error) {
			return codegen.GeneratePackage("pulumi-language-nodejs", pkg, extra, nil, false, loader)
		}
		return &nodeHost{host}, nil
	})
}

// Files are the paths and the texts of what is generated.
type Files = host.Files

type nodeHost struct{ *host.Host }

// command starts a script of the SDK that the code in a folder uses: `run`, `run-plugin` or
// `run-policy-pack`. It ends with its call.
func (node *nodeHost) command(
	call context.Context, info *pulumirpc.ProgramInfo, script string, args ...string,
) (*exec.Cmd, error) {
	folder := info.GetProgramDirectory()
	path, err := sdkScript(folder, script)
	if err != nil {
		return nil, err
	}
	nodeArgs, _ := info.GetOptions().AsMap()["nodeargs"].(string)
	args = append(append(strings.Fields(nodeArgs), path), args...)
	command := exec.CommandContext(node.Until(call), "node", args...)
	command.Dir = folder
	return command, nil
}

// sdkScript looks for a script in the folders in which Node.js looks for packages.
func sdkScript(folder, script string) (string, error) {
	for _, packages := range append(nodeModules(folder), filepath.SplitList(os.Getenv("NODE_PATH"))...) {
		path := filepath.Join(packages, "@pulumi/pulumi/cmd", script)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("Cannot find module '@pulumi/pulumi/cmd/%s' from %s: "+
		"it looks like its dependencies are not installed; run `npm install` there.", script, folder)
}

// nodeModules has `node_modules` of a folder and of the folders above it.
func nodeModules(folder string) []string {
	packages := []string{filepath.Join(folder, "node_modules")}
	if above := filepath.Dir(folder); above != folder {
		return append(packages, nodeModules(above)...)
	}
	return packages
}

func (*nodeHost) About(ctx context.Context, _ *pulumirpc.AboutRequest) (*pulumirpc.AboutResponse, error) {
	command := exec.CommandContext(ctx, "node", "--version")
	version, err := command.Output()
	return &pulumirpc.AboutResponse{
		Executable: command.Path,
		Version:    strings.TrimSpace(string(version)),
	}, err
}

func (node *nodeHost) InstallDependencies(
	request *pulumirpc.InstallDependenciesRequest,
	server pulumirpc.LanguageRuntime_InstallDependenciesServer,
) error {
	_, stdout, stderr, err := rpcutil.MakeInstallDependenciesStreams(server, false)
	if err != nil {
		return err
	}
	stdout, stderr = inTurn(stdout, stderr)
	folder := request.GetInfo().GetProgramDirectory()
	npm := exec.CommandContext(node.Until(server.Context()), "npm", "install")
	npm.Dir, npm.Stdout, npm.Stderr = folder, stdout, stderr
	if err := host.Run(npm); err != nil {
		return fmt.Errorf("`npm install` in %s ended with %w.", folder, err)
	}
	return nil
}

func (node *nodeHost) Run(
	ctx context.Context, request *pulumirpc.RunRequest,
) (*pulumirpc.RunResponse, error) {
	info := request.GetInfo()
	program, err := node.command(ctx, info, "run", append([]string{
		"--monitor", request.GetMonitorAddress(),
		"--engine", node.Engine,
		"--organization", request.GetOrganization(),
		"--project", request.GetProject(),
		"--root-directory", info.GetRootDirectory(),
		"--stack", request.GetStack(),
		"--pwd", info.GetProgramDirectory(),
		"--parallel", strconv.Itoa(int(request.GetParallel())),
		"--dry-run=" + strconv.FormatBool(request.GetDryRun()),
		info.GetEntryPoint(),
	}, request.GetArgs()...)...)
	if err != nil {
		return &pulumirpc.RunResponse{Error: err.Error()}, nil
	}
	options := info.GetOptions().AsMap()
	variables := []string{"PULUMI_NODEJS_TYPESCRIPT=" + strconv.FormatBool(options["typescript"] != false)}
	if tsconfig, _ := options["tsconfig"].(string); tsconfig != "" {
		variables = append(variables, "PULUMI_NODEJS_TSCONFIG_PATH="+tsconfig)
	}
	return host.RunToEnd(program, request, variables...)
}

func (node *nodeHost) RunPlugin(
	request *pulumirpc.RunPluginRequest, server pulumirpc.LanguageRuntime_RunPluginServer,
) error {
	_, stdout, stderr, err := rpcutil.MakeRunPluginStreams(server, false)
	if err != nil {
		return err
	}
	stdout, stderr = inTurn(stdout, stderr)
	call, info := server.Context(), request.GetInfo()
	folder := info.GetProgramDirectory()
	script, args := "run-plugin", append([]string{folder}, request.GetArgs()...)
	isPolicyPack := request.GetKind() == "analyzer"
	if isPolicyPack {
		script, args = "run-policy-pack", append(request.GetArgs(), folder)
	}
	plugin, err := node.command(call, info, script, args...)
	if err != nil {
		return status.Error(codes.FailedPrecondition, err.Error())
	}
	plugin.Env, plugin.Stdout, plugin.Stderr = request.GetEnv(), stdout, stderr
	if isPolicyPack {
		err = runPolicyPack(call, plugin)
	} else {
		if pwd := request.GetPwd(); pwd != "" {
			plugin.Dir = pwd
		}
		err = host.Run(plugin)
	}
	if call.Err() != nil || plugin.ProcessState == nil {
		return err
	}
	code := plugin.ProcessState.ExitCode()
	if code < 0 {
		// By convention, the exit code of a process that a signal ended is above 128.
		code = 130
	}
	return server.Send(&pulumirpc.RunPluginResponse{
		Output: &pulumirpc.RunPluginResponse_Exitcode{Exitcode: int32(code)},
	})
}

// runPolicyPack runs a policy pack behind Pulumi's proxy. A pack reads the stack's
// configuration from its environment when it starts, and the engine sends the configuration
// to the proxy. Without a stack, as when a pack is published, there is none.
func runPolicyPack(call context.Context, pack *exec.Cmd) error {
	proxy, toProxy, err := sdk.NewPolicyProxy(call, pack.Stdout)
	if err != nil {
		return err
	}
	stack, err := proxy.AwaitConfiguration(call)
	if err != nil {
		return err
	}
	if stack != nil {
		pack.Env = append(pack.Env, host.Configuration(stack.GetConfig(), stack.GetConfigSecretKeys())...)
		for name, value := range map[string]string{
			"ORGANIZATION": stack.GetOrganization(),
			"PROJECT":      stack.GetProject(),
			"STACK":        stack.GetStack(),
			"DRY_RUN":      strconv.FormatBool(stack.GetDryRun()),
		} {
			pack.Env = append(pack.Env, "PULUMI_"+name+"="+value, "PULUMI_NODEJS_"+name+"="+value)
		}
	}
	output := &portFirst{proxy: toProxy, stdout: pack.Stdout}
	pack.Stdout = output
	if err := host.Gently(pack).Start(); err != nil {
		return err
	}
	err = proxy.Attach(call, pack)
	if call.Err() == nil && !output.isReady {
		fmt.Fprintf(output.stdout, "%s\n", output.unread)
		fmt.Fprintf(pack.Stderr, "The policy pack in %s ended with %v before it was ready.\n", pack.Dir, pack.ProcessState)
	}
	return err
}

// portFirst is the output of a policy pack: the proxy expects the line with the port first,
// so what a pack prints before it goes to the user.
type portFirst struct {
	proxy, stdout io.Writer
	unread        []byte
	isReady       bool
}

func (output *portFirst) Write(chunk []byte) (int, error) {
	if output.isReady {
		return output.proxy.Write(chunk)
	}
	output.unread = append(output.unread, chunk...)
	for {
		line, rest, isWhole := bytes.Cut(output.unread, []byte("\n"))
		if !isWhole {
			return len(chunk), nil
		}
		if _, err := strconv.Atoi(string(line)); err == nil {
			output.isReady = true
			_, err := output.proxy.Write(output.unread)
			return len(chunk), err
		}
		if _, err := fmt.Fprintf(output.stdout, "%s\n", line); err != nil {
			return 0, err
		}
		output.unread = rest
	}
}

// inTurn lets a process write to two streams of one call, which sends one message at a time.
func inTurn(stdout, stderr io.Writer) (io.Writer, io.Writer) {
	mutex := &sync.Mutex{}
	return &turn{stdout, mutex}, &turn{stderr, mutex}
}

type turn struct {
	io.Writer
	mutex *sync.Mutex
}

func (stream *turn) Write(chunk []byte) (int, error) {
	stream.mutex.Lock()
	defer stream.mutex.Unlock()
	return stream.Writer.Write(chunk)
}

// manifest has the parts of a package.json that matter here.
type manifest struct {
	Name, Version string
	// Pulumi is how a package that wraps a plugin describes it.
	Pulumi struct {
		Resource              bool
		Name, Version, Server string
		Parameterization      *pulumirpc.PackageParameterization
	}
}

// GetRequiredPackages lists the plugins that a program may need: one for each installed npm
// package that says so (`"pulumi": { "resource": true }` in its package.json). The packages
// are those in `node_modules` of the folder and of the folders above it, and packages nested
// in these packages.
func (*nodeHost) GetRequiredPackages(
	_ context.Context, request *pulumirpc.GetRequiredPackagesRequest,
) (*pulumirpc.GetRequiredPackagesResponse, error) {
	response := &pulumirpc.GetRequiredPackagesResponse{}
	seen := map[string]bool{}
	for _, packages := range nodeModules(request.GetInfo().GetProgramDirectory()) {
		collect(packages, seen, response)
	}
	return response, nil
}

func collect(nodeModules string, seen map[string]bool, response *pulumirpc.GetRequiredPackagesResponse) {
	folder, err := filepath.EvalSymlinks(nodeModules)
	if err != nil || seen[folder] {
		return
	}
	seen[folder] = true
	// The patterns are right, so they have no error.
	packages, _ := fs.Glob(os.DirFS(folder), "[^.@]*/package.json")
	scoped, _ := fs.Glob(os.DirFS(folder), "@*/*/package.json")
	for _, path := range append(packages, scoped...) {
		path = filepath.Join(folder, path)
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		var installed manifest
		// A member of another type is absent; the others are read.
		var otherType *json.UnmarshalTypeError
		if err := json.Unmarshal(text, &installed); err != nil && !errors.As(err, &otherType) {
			continue
		}
		if dependency := installed.dependency(); dependency != nil && !seen[dependency.String()] {
			seen[dependency.String()] = true
			response.Packages = append(response.Packages, dependency)
		}
		collect(filepath.Join(filepath.Dir(path), "node_modules"), seen, response)
	}
}

func (installed *manifest) dependency() *pulumirpc.PackageDependency {
	pulumi := installed.Pulumi
	if !pulumi.Resource {
		return nil
	}
	name, version := pulumi.Name, pulumi.Version
	if name == "" {
		// The name of a plugin of the @pulumi scope has no scope.
		name = strings.TrimPrefix(strings.TrimPrefix(installed.Name, "@pulumi/"), "@")
	}
	if version == "" {
		version = installed.Version
	}
	return &pulumirpc.PackageDependency{
		Kind: "resource", Name: name, Version: version, Server: pulumi.Server,
		Parameterization: pulumi.Parameterization,
	}
}
