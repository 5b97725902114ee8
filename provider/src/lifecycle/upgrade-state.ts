import type { ResourceDefinition } from "../definition/define-resource";

type Properties = Record<string, unknown>;

/** A state in the shape that this version knows. @throws Error for one of a newer version */
export function upgradeState(
  { kind, schemaVersion, upgrades = [] }: ResourceDefinition,
  state: Properties,
): Properties {
  const version = Number(state.schemaVersion ?? schemaVersion);
  if (version > schemaVersion)
    throw new Error(
      `The state of this ${kind} was written by a newer devid (version ${version} of its shape, this one knows ${schemaVersion}); upgrade @devid/pulumi.`,
    );
  return upgrades
    .slice(version - 1)
    .reduce<Properties>((s, upgrade) => upgrade(s) as Properties, state);
}
