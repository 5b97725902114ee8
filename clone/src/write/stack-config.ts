import {
  configurationOf,
  REGIONS,
  optionsFromEnvironment,
  type Configuration,
  type Region,
} from "@devid/sdk";
import { stringify } from "yaml";
import { identityOf, type Overrides } from "@devid/pulumi/definitions";
import type { DeclaredResource } from "../declare/declare-workspace";
import { KINDS } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import { objectsOf } from "../read/workspace";

const URLS = ["managementUrl", "eventsUrl", "drnUrl"] as const;

/**
 * `Pulumi.<region>.yaml` of every region, by path. The file of the exported region
 * has the configured addresses, unless they are the public ones. The files of the
 * other regions have the endpoint, if one endpoint serves every region. The stack of
 * the exported region takes over what is there; `chosen` names the objects that it
 * cannot find by name.
 */
export function stackConfigs(
  configuration: Configuration,
  chosen: Overrides,
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
    const takingOver =
      region === own
        ? {
            adopt: "byName",
            ...(Object.keys(chosen).length > 0 && { overrides: chosen }),
          }
        : {};
    const config = Object.fromEntries(
      Object.entries({ region, ...addresses, ...takingOver }).map(
        ([name, value]) => [`devid:${name}`, value],
      ),
    );
    // Pulumi reads the name 2026-01-01 as a time, and 0b1 as a number, unless they are quoted.
    const text = stringify({ config }, { compat: "yaml-1.1" });
    return [`Pulumi.${region}.yaml`, header(region) + text];
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
  `# What differs from the program in this region: devid:overrides, see README.md.\n`;

/**
 * The objects that a stack over the exported workspace cannot find by name, because
 * several have the same identity: each resource names its object by ID.
 */
export function chosenObjects(
  resources: readonly DeclaredResource[],
  { whole }: Selection,
): Overrides {
  const chosen: Record<string, Record<string, { adopt: { id: string } }>> = {};
  for (const kind of KINDS.filter(({ definition }) => definition.adoption)) {
    const identities = new Map(
      objectsOf(whole, kind).map(({ id, outputs }) => [
        id,
        JSON.stringify(identityOf(kind.definition, outputs)),
      ]),
    );
    const counts = new Map<string, number>();
    for (const identity of identities.values())
      counts.set(identity, (counts.get(identity) ?? 0) + 1);
    for (const { kind: of, id, name } of resources) {
      const identity = identities.get(id);
      if (of !== kind.kind || identity === undefined) continue;
      if ((counts.get(identity) ?? 0) > 1)
        (chosen[of] ??= {})[name] = { adopt: { id } };
    }
  }
  return chosen;
}
