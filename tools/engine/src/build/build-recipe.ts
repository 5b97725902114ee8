import path from "node:path";
import type { BuildOptions } from "esbuild";
import { ENGINE_VERSION } from "../engine-version.js";
import { packageFolder } from "../installed-packages.js";

/**
 * How to build an executable from a wrapper module, which pins the versions of
 * everything it needs.
 */
export interface GoRecipe {
  /**
   * Name of the executable, and how long a first build takes; both are texts
   * for people.
   */
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

/**
 * The YAML language host. Its module needs an older SDK than the CLI's module.
 */
export const yamlHostRecipe: GoRecipe = {
  name: "the Pulumi YAML language host",
  usually: "1 to 2 minutes the first time",
  module: "go/yaml-host",
  package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  linkerFlags:
    "-s -w -X github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.30.0",
};

/**
 * Folder of the source of the Node.js language host, relative to this package.
 */
export const NODE_HOST_SOURCES = "src/language-host";

/**
 * How to bundle the Node.js language host into one file.
 *
 * The bundle includes all dependencies, so that it still works after the clone
 * that built it is deleted.
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
