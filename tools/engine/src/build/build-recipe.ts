import path from "node:path";
import type { BuildOptions } from "esbuild";
import { ENGINE_VERSION } from "../engine-version.js";
import { packageFolder } from "../installed-packages.js";

/** How one executable is built from a wrapper module, which pins every version it needs. */
export interface GoRecipe {
  /** Name of the executable, and how long a first build takes, for people. */
  name: string;
  usually: string;
  /** Folder of the wrapper module, relative to this package. */
  module: string;
  /** Go package of the executable. */
  package: string;
  linkerFlags: string;
}

/** The Pulumi CLI. */
export const cliRecipe: GoRecipe = {
  name: `the Pulumi CLI ${ENGINE_VERSION}`,
  usually: "4 to 5 minutes the first time",
  module: "go/cli",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  linkerFlags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`,
};

/** The YAML language host; its module still needs an older SDK than the CLI's. */
export const yamlHostRecipe: GoRecipe = {
  name: "the Pulumi YAML language host",
  usually: "1 to 2 minutes the first time",
  module: "go/yaml-host",
  package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  linkerFlags:
    "-s -w -X github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.30.0",
};

/** Folder of the Node.js language host's sources, relative to this package. */
export const NODE_HOST_SOURCES = "src/language-host";

/**
 * How the Node.js language host becomes one file.
 *
 * Everything is inside, so that it keeps working when the clone that built it
 * is gone.
 */
export const nodeHostBundle = {
  absWorkingDir: packageFolder,
  entryPoints: [path.posix.join(NODE_HOST_SOURCES, "main.ts")],
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
  legalComments: "none",
  logLevel: "silent",
} satisfies BuildOptions;
