// What the language host for TypeScript programs has from Go: it writes programs and
// SDKs. The host, a script, starts it beside itself and passes such calls on.
package main

import (
	codegen "github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"devid.invalid/engine/language-hosts/host"
)

func main() {
	host.Main(func(engine string) (pulumirpc.LanguageRuntimeServer, error) {
		return &host.Host{
			Engine: engine,
			Package: func(pkg *schema.Package, extra host.Files, loader schema.ReferenceLoader) (host.Files, error) {
				return codegen.GeneratePackage("pulumi-language-nodejs", pkg, extra, nil, false, loader)
			},
			Program: codegen.GenerateProgram,
		}, nil
	})
}
