import {
  configurationOf,
  version,
  REGIONS,
  optionsFromEnvironment,
  type Configuration,
  type Region,
} from "@devid/sdk";
import { stringify } from "yaml";

/** The version of the Pulumi SDK that a written program depends on: devid is tested with it. */
export const PULUMI_SDK = "3.246.0";

/** The files that every written program has, by path. */
export function projectFiles(
  project: string,
  description: string,
): Map<string, string> {
  const manifest = {
    name: project,
    version: "0.0.0",
    private: true,
    main: "index.ts",
    dependencies: { "@devid/pulumi": version, "@pulumi/pulumi": PULUMI_SDK },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  };
  return new Map([
    [
      "Pulumi.yaml",
      stringify({ name: project, description, runtime: "nodejs" }),
    ],
    ["package.json", `${JSON.stringify(manifest, undefined, 2)}\n`],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\nbin/\n"],
    ["settings.ts", SETTINGS],
  ]);
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "node16",
    "moduleResolution": "node16",
    "strict": true,
    "skipLibCheck": true,
    "outDir": "bin"
  },
  "files": ["index.ts"]
}
`;

const SETTINGS = `import { applyStackSettings } from "@devid/pulumi/settings";

/** Arguments that differ in a stack: \`settings\` in its config, see README.md. */
export const settings = applyStackSettings();
`;

const URLS = ["managementUrl", "eventsUrl", "drnUrl"] as const;

/**
 * `Pulumi.<region>.yaml` of every region, by path. The file of the exported region
 * has the configured addresses, unless they are the public ones. The files of the
 * other regions have the endpoint, if one endpoint serves every region.
 */
export function stackConfigs(
  configuration: Configuration,
): Map<string, string> {
  const { region: own } = configuration;
  const endpoint = endpointOf(configuration);
  const files = REGIONS.map((region): [string, string] => {
    const addresses =
      endpoint !== undefined
        ? { endpoint }
        : region === own
          ? otherThanPublic(configuration)
          : {};
    const config = Object.fromEntries(
      Object.entries({ region, ...addresses }).map(([name, value]) => [
        `devid:${name}`,
        value,
      ]),
    );
    return [`Pulumi.${region}.yaml`, header(region) + stringify({ config })];
  });
  return new Map(files);
}

/** The configured endpoint, if all addresses follow from one. */
function endpointOf(configuration: Configuration): string | undefined {
  const { managementUrl, eventsUrl, drnUrl, region } = configuration;
  const matches =
    managementUrl === `${drnUrl}/management` &&
    eventsUrl === `${drnUrl}/${region}`;
  return matches ? drnUrl : undefined;
}

function otherThanPublic(configuration: Configuration) {
  const env = { DEVID_REGION: configuration.region };
  const standard = configurationOf(optionsFromEnvironment([], env));
  const different = URLS.filter((url) => configuration[url] !== standard[url]);
  return Object.fromEntries(different.map((url) => [url, configuration[url]]));
}

/** A comment about what the user must add, because no file has it. */
const header = (region: Region) =>
  `# Before the first pulumi up or preview:\n` +
  `#   pulumi config set --secret devid:managementKey --stack ${region}\n` +
  `# What differs from the program in this region: settings, see README.md.\n`;
