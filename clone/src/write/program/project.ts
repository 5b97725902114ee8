import { version } from "@devid/sdk";

/** The names of a written program. */
export interface ProjectNames {
  readonly project: string;
  /** A sentence for `pulumi stack ls` and Pulumi's console. */
  readonly description: string;
}

/** The version of the Pulumi SDK that a written program depends on: devid is tested with it. */
export const PULUMI_SDK = "3.246.0";

/** Where the installed package has the provider plugin. */
const PLUGIN = "node_modules/@devid/pulumi/bin";

/** The plugin's entry in Pulumi.yaml, for `pulumi import`. */
export const PLUGINS = { providers: [{ name: "devid", path: PLUGIN }] };

/** The text of package.json: `npm install` installs devid, and what else the program needs. */
export function packageManifest(
  { project }: ProjectNames,
  more: {
    readonly main?: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  } = {},
): string {
  const manifest = {
    name: project,
    version: "0.0.0",
    private: true,
    ...more,
    dependencies: { "@devid/pulumi": version, ...more.dependencies },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
