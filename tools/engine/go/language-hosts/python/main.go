// A language host for Python programs, which the engine of the same version starts.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	codegen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/python/toolchain"

	"devid.invalid/engine/language-hosts/host"
)

// Pulumi's script that runs a program; it is next to this executable.
const script = "pulumi-language-python-exec"

func main() {
	host.Main(func(host *host.Host) (pulumirpc.LanguageRuntimeServer, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		host.Program = codegen.GenerateProgram
		host.Package = func(pkg *schema.Package, extra Files, loader schema.ReferenceLoader) (Files, error) {
			return codegen.GeneratePackage("pulumi-language-python", pkg, extra, loader)
		}
		return &pythonHost{host, filepath.Join(filepath.Dir(self), script)}, nil
	})
}

// Files are the paths and the texts of what is generated.
type Files = host.Files

type pythonHost struct {
	*host.Host
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

// Programs name the plugin in Pulumi.yaml, so that none has to be downloaded.
func (*pythonHost) GetRequiredPackages(
	context.Context, *pulumirpc.GetRequiredPackagesRequest,
) (*pulumirpc.GetRequiredPackagesResponse, error) {
	return &pulumirpc.GetRequiredPackagesResponse{}, nil
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

func (python *pythonHost) Run(
	ctx context.Context, request *pulumirpc.RunRequest,
) (*pulumirpc.RunResponse, error) {
	info := request.GetInfo()
	tools, err := pythonOf(info)
	if err != nil {
		return nil, err
	}
	if err := tools.ValidateVenv(ctx); err != nil {
		return nil, err
	}
	program, err := tools.Command(python.Until(ctx), append([]string{
		"-u", python.script,
		"--monitor", request.GetMonitorAddress(),
		"--engine", python.Engine,
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
	return host.RunToEnd(program, request)
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
