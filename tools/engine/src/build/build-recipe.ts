import { languageHost, NODE_HOST } from "../engine-files.js";
import { ENGINE_VERSION } from "../engine-version.js";

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

/**
 * What our own hosts share. They are made of parts of the official hosts, whose modules
 * cannot be downloaded.
 */
const OWN_HOST = {
  usually: "seconds beside a built engine, else 2 minutes the first time",
  module: "go/language-hosts",
  linkerFlags: `-s -w ${sdkVersion}`,
};

/** The Node.js language host, a part of every engine. */
export const nodeHostRecipe: GoRecipe = {
  ...OWN_HOST,
  name: "a Pulumi Node.js language host",
  package: "devid.invalid/engine/language-hosts/nodejs",
  executable: NODE_HOST,
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
  python: {
    ...OWN_HOST,
    name: "a Pulumi Python language host",
    package: "devid.invalid/engine/language-hosts/python",
    executable: languageHost("python"),
    script: {
      module: "github.com/pulumi/pulumi/sdk/v3",
      file: "python/cmd/pulumi-language-python-exec",
    },
  },
} satisfies Record<string, GoRecipe>;

/** A language whose host is built on request. */
export type HostLanguage = keyof typeof languageHostRecipes;
