import { issueMessage } from "@devid/sdk";
import { z } from "zod";
import type { ResourceDefinition } from "../../definition/define-resource";
import * as registry from "../../registry";
import { toState } from "../../lifecycle/state";
import { withoutNulls } from "../../definition/without-nulls";
import { Code, type CodeValue } from "./code";
import type { DeclaredResource } from "./declared-resource";
import {
  EnvironmentPlaces,
  type LookedUpEnvironment,
} from "./environment-places";
import type { DeclaredRuleFile, FoundObject } from "./found-object";
import { foundObjects } from "./found-objects";
import type { LeftOut } from "./left-out";
import type { Selection } from "../read/selection";

/** A workspace as a program declares it. */
export interface DeclaredWorkspace {
  /** Ordered by kind, so that what is referred to comes first. */
  readonly resources: readonly DeclaredResource[];
  readonly ruleFiles: readonly DeclaredRuleFile[];
  readonly lookedUp: readonly LookedUpEnvironment[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Turns what was chosen of a workspace into resources. An object that the
 * provider would refuse is left out, with the reason. `isLocal` tells whether
 * the workspace is on this machine, where the address of a webhook may be http.
 */
export function declareWorkspace(
  selection: Selection,
  { isLocal }: { readonly isLocal: boolean },
): DeclaredWorkspace {
  const places = new EnvironmentPlaces(selection);
  const resources: DeclaredResource[] = [];
  const leftOut: LeftOut[] = [];
  const found = foundObjects(selection, places);
  for (const object of found) {
    const reason = object.obstacle ?? refusal(object, isLocal);
    if (reason === undefined) resources.push(declared(object, places));
    else {
      const { what, id, title } = object;
      leftOut.push({ what, id, name: title, reason });
    }
  }
  const ruleFiles = found.flatMap(({ ruleFile }) => ruleFile ?? []);
  return { resources, ruleFiles, leftOut, lookedUp: places.lookedUp };
}

const definitionOf = ({ kind }: FoundObject) =>
  registry[kind] as unknown as ResourceDefinition;

function inputsOf({ args, inputs }: FoundObject): Record<string, unknown> {
  const { rulesFile, ...plain } = withoutNulls(args);
  const values = Object.entries(plain).map(([name, value]) => [
    name,
    value instanceof Code ? value.value : value,
  ]);
  return { ...(Object.fromEntries(values) as object), ...inputs };
}

/** Why the provider would refuse an object, if it would. */
function refusal(object: FoundObject, isLocal: boolean): string | undefined {
  const definition = definitionOf(object);
  const inputs = inputsOf(object);
  const parsed = definition.inputs.safeParse(inputs, { error: issueMessage });
  if (!parsed.success)
    return parsed.error.issues
      .map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`)
      .join(", ");
  const given = new Set(
    Object.keys(inputs).filter((name) => inputs[name] !== undefined),
  );
  const failures =
    definition.validate?.(parsed.data, {
      isLocal,
      given,
      secrets: new Set(),
    }) ?? [];
  return failures.length === 0
    ? undefined
    : failures.map((f) => `${f.property}: ${f.reason}`).join(", ");
}

function declared(
  object: FoundObject,
  places: EnvironmentPlaces,
): DeclaredResource {
  const { kind, name, identifier, id, title, computed } = object;
  const definition = definitionOf(object);
  const parsed = definition.inputs.parse(inputsOf(object));
  const inputs = toState(definition.normalize?.(parsed) ?? parsed);
  const { schemaVersion } = definition;
  return {
    kind,
    name,
    identifier,
    id,
    title,
    args: withoutDefaults(definition, object.args),
    inputs,
    outputs: toState({ ...inputs, ...withoutNulls(computed), schemaVersion }),
    environment:
      object.args.environment && object.environmentId
        ? places.declared(object.environmentId)
        : undefined,
  };
}

function withoutDefaults(
  { inputs }: ResourceDefinition,
  args: FoundObject["args"],
): Record<string, CodeValue> {
  const shape: Readonly<Record<string, z.ZodType>> = inputs.shape;
  const kept = Object.entries(args).filter(([name, value]) => {
    if (value === undefined || value === null) return false;
    return shape[name]?.safeParse(undefined).data !== value;
  });
  return Object.fromEntries(kept) as Record<string, CodeValue>;
}
