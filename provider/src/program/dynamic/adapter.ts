import * as pulumi from "@pulumi/pulumi";
import {
  pluginType,
  resourceType,
  providerText,
} from "../../definition/engine-names";
import { RESOURCE_URN, SECRET_INPUTS } from "../../definition/host-protocol";
import { runError } from "../program-errors";
import { requireInstalled } from "../require-installed";
import type { Adapter, Inputs, ResourceSpec } from "../resource-class";
import { ownUrn, type ResourcePlace } from "../resource-urns";
import { hasEngine } from "../engine";

/**
 * Pulumi's dynamic provider host manages the resources. `pulumi.dynamic.Resource` would
 * put the provider's code into state; our resources have a constant text instead.
 */
export const ADAPTER: Adapter = {
  typeOf: resourceType,
  otherTypeOf: pluginType,
  refuse(spec, name, opts) {
    requireInstalled();
    if (opts.import !== undefined) refuseImport(spec, name, opts.import);
  },
  options: ({ secretOutputs = [], secretWith = {} }, inputs) => ({
    additionalSecretOutputs: [
      ...secretOutputs,
      // Whether an Output is a secret is known too late for an option.
      ...Object.entries(secretWith).flatMap(([output, names]) =>
        names.some((name) => holdsOutput(inputs[name])) ? [output] : [],
      ),
    ],
  }),
  properties: (kind, place, inputs) => ({
    ...(hasEngine() && propertiesForEngine(place, inputs)),
    __provider: providerText(kind),
  }),
};

/**
 * Refuses the option `import`. Pulumi reads an imported resource before it has
 * the provider's text, so for a dynamic resource it ends in a stack trace.
 */
function refuseImport(
  { kind, adopts, insteadOfImport = "leave it out" }: ResourceSpec,
  name: string,
  id: unknown,
): never {
  const shown = JSON.stringify(typeof id === "string" ? id : "...");
  const instead = adopts
    ? `write adopt: { id: ${shown} } in its arguments to take over what exists`
    : insteadOfImport;
  throw runError(
    `The ${kind} "${name}" has the option import, which Pulumi does not support for a dynamic resource; ${instead}.`,
  );
}

/**
 * Properties in addition to the arguments: the URN, values from the stack's state, and
 * the names of secret arguments.
 */
function propertiesForEngine(
  place: ResourcePlace,
  args: Inputs,
): pulumi.Inputs {
  const secrets = secretInputs(args);
  return {
    [RESOURCE_URN]: ownUrn(place),
    // The engine waits for a promise, and drops the property if the promise has no
    // value.
    ...(secrets && { [SECRET_INPUTS]: secrets }),
  };
}

/**
 * Names of the arguments that the program marks as secret, in whole or in part.
 * The names come as soon as the arguments are there; nothing else is waited for.
 * @returns undefined if no argument can be secret; a promise of undefined if no
 * argument is secret
 */
export function secretInputs(
  args: object,
): Promise<string[] | undefined> | undefined {
  const waiting = Object.entries(args).filter(([, value]) =>
    holdsOutput(value),
  );
  if (waiting.length === 0) return undefined;
  const marks = waiting.map(async ([name, value]) =>
    (await pulumi.isSecret(asOutput(value))) ? [name] : [],
  );
  return Promise.all(marks).then(
    (names) => (names.flat().length > 0 ? names.flat().sort() : undefined),
    // The error is reported where the argument itself is used.
    () => undefined,
  );
}

/**
 * Each Output that is made from a rejected Output slows the end of the program: see
 * `endProgram`.
 */
const asOutput = (value: unknown): pulumi.Output<unknown> =>
  pulumi.Output.isInstance(value) ? value : pulumi.output(value);

function holdsOutput(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return Object.values(value).some(holdsOutput);
}
