import path from "node:path";
import type { BuildOptions } from "esbuild";
import { CODE_WRITER, languageHost } from "../engine-files.js";
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
  /** File name of the executable in the cache. */
  executable: string;
  /** A script that must be next to the executable, and the Go module that has it. */
  script?: { module: string; file: string };
  linkerFlags: string;
}

const sdkVersion = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`;

/** The Pulumi CLI. */
export const cliRecipe: GoRecipe = {
  name: `the Pulumi CLI ${ENGINE_VERSION}`,
  usually: "4 to 5 minutes the first time",
  module: "go/cli",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  executable: "cli",
  linkerFlags: `-s -w ${sdkVersion}`,
};

const BESIDE_ENGINE =
  "seconds beside a built engine, else 2 minutes the first time";

/** The program that the Node.js language host starts to write programs and SDKs. */
export const codeWriterRecipe: GoRecipe = {
  name: "what writes TypeScript programs",
  usually: BESIDE_ENGINE,
  module: "go/language-hosts",
  package: "devid.invalid/engine/language-hosts/nodejs",
  executable: CODE_WRITER,
  linkerFlags: `-s -w ${sdkVersion}`,
};

/** The language hosts that are built on request, by the name of their language. */
export const languageHostRecipes = {
  /** The official host. Its module needs an older SDK than the CLI's module. */
  yaml: {
    name: "the Pulumi YAML language host",
    usually: "1 to 2 minutes the first time",
    module: "go/yaml-host",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    executable: languageHost("yaml"),
    linkerFlags:
      "-s -w -X github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.30.0",
  },
  /**
   * Our own host, made of parts of the official host, whose module cannot be
   * downloaded.
   */
  python: {
    name: "a Pulumi Python language host",
    usually: BESIDE_ENGINE,
    module: "go/language-hosts",
    package: "devid.invalid/engine/language-hosts/python",
    executable: languageHost("python"),
    script: {
      module: "github.com/pulumi/pulumi/sdk/v3",
      file: "python/cmd/pulumi-language-python-exec",
    },
    linkerFlags: `-s -w ${sdkVersion}`,
  },
} satisfies Record<string, GoRecipe>;

/** A language whose host is built on request. */
export type HostLanguage = keyof typeof languageHostRecipes;

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
