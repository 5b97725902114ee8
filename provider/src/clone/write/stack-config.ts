import {
  REGIONS,
  resolveConfiguration,
  type Configuration,
  type Region,
} from "@devid/sdk";
import { stringify } from "yaml";

const URLS = ["managementUrl", "eventsUrl", "drnUrl"] as const;

/**
 * `Pulumi.<region>.yaml` of every region, by path. That of the exported region
 * has its addresses, unless they are the public ones; the others have the
 * endpoint, where one serves every region.
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

/** The one origin of all surfaces, if that is what was configured. */
function endpointOf(configuration: Configuration): string | undefined {
  const { managementUrl, eventsUrl, drnUrl, region } = configuration;
  const matches =
    managementUrl === `${drnUrl}/management` &&
    eventsUrl === `${drnUrl}/${region}`;
  return matches ? drnUrl : undefined;
}

function otherThanPublic(configuration: Configuration) {
  const env = { DEVID_REGION: configuration.region };
  const standard = resolveConfiguration([], env);
  const different = URLS.filter((url) => configuration[url] !== standard[url]);
  return Object.fromEntries(different.map((url) => [url, configuration[url]]));
}

/** What must be supplied; it stands in no file. */
const header = (region: Region) =>
  `# Before the first pulumi up or preview:\n` +
  `#   pulumi config set --secret devid:managementKey --stack ${region}\n` +
  `# What differs from the program in this region: settings, see README.md.\n`;
