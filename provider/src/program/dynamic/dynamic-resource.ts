import * as pulumi from "@pulumi/pulumi";
import {
  pluginType,
  resourceType,
  providerText,
} from "../../definition/engine-names";
import {
  IGNORE_CHANGES,
  REPLACE_ON_CHANGES,
  RESOURCE_URN,
  SECRET_INPUTS,
} from "../../adapters/dynamic/host-protocol";
import { runError } from "../program-errors";
import { refuseOptions } from "../resource-options";
import { shortStacks } from "../short-stacks";
import {
  aliasOfType,
  ownUrn,
  registered,
  resourceUrns,
  type ResourcePlace,
} from "../resource-urns";
import { hasEngine, stackState } from "../stack-state";
import { beforeRegistration, watchProgram } from "../watch-program";

/** What a resource class tells its base class about itself. */
export interface DynamicResourceSpec {
  readonly kind: string;
  /** Names of all outputs. An input that is missing here is no property of the object. */
  readonly outputs: readonly string[];
  /** Whether there is the argument `adopt`. */
  readonly adopts: boolean;
  readonly secretOutputs: readonly string[];
  /** Outputs that are secret where one of the named arguments is. */
  readonly secretWith?: Readonly<Record<string, readonly string[]>>;
}

type Args = Readonly<Record<string, unknown>>;

/**
 * A resource that Pulumi's dynamic provider host manages. In place of the
 * provider's code, which `pulumi.dynamic.Resource` puts into state, it carries a
 * constant text.
 */
export abstract class DynamicResource extends pulumi.CustomResource {
  /** @throws RunError where the options have `import` */
  constructor(
    spec: DynamicResourceSpec,
    name: string,
    args: object,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const { kind } = spec;
    if (opts.import !== undefined) refuseImport(spec, name, opts.import);
    refuseOptions(kind, name, opts);
    const outputs = Object.fromEntries(
      spec.outputs.map((output) => [output, undefined]),
    );
    const type = resourceType(kind);
    const allOpts = pulumi.mergeOptions(opts, {
      additionalSecretOutputs: [
        ...spec.secretOutputs,
        // Whether an Output is a secret is known too late for an option.
        ...Object.entries(spec.secretWith ?? {}).flatMap(([output, inputs]) =>
          inputs.some((input) => holdsOutput((args as Args)[input]))
            ? [output]
            : [],
        ),
      ],
      // Keeps the object of a stack whose program had the plugin's resources.
      aliases: [aliasOfType(pluginType(kind), name, opts.parent)],
    });
    const { parent, aliases } = allOpts;
    const place = { type, name, parent, aliases };
    const properties = {
      ...outputs,
      ...args,
      ...(hasEngine() && propertiesForEngine(kind, place, args, opts)),
      __provider: providerText(kind),
    };
    const longStacks = shortStacks(__filename);
    try {
      super(type, name, properties, allOpts);
    } catch (error) {
      longStacks();
      throw error;
    }
    registered(this).then(longStacks, longStacks);
    watchProgram(kind, { resource: this, name, args: { ...args } });
  }
}

/** What a program writes instead of `import`, for kinds without the argument `adopt`. */
const INSTEAD_OF_IMPORT: Readonly<Record<string, string>> = {
  EncryptionKey: "leave it out, for an EncryptionKey takes over what exists",
  FilteringRuleSet:
    "set takeOver: true in its arguments to put its rules in place of those that exist",
};

/**
 * Refuses the option `import`. Pulumi reads an imported resource before it has
 * the provider's text, so for a dynamic resource it ends in a stack trace.
 */
function refuseImport(
  { kind, adopts }: DynamicResourceSpec,
  name: string,
  id: unknown,
): never {
  const shown = JSON.stringify(typeof id === "string" ? id : "...");
  const instead = adopts
    ? `write adopt: { id: ${shown} } in its arguments to take over what exists`
    : (INSTEAD_OF_IMPORT[kind] ?? "leave it out");
  throw runError(
    `The ${kind} "${name}" has the option import, which Pulumi cannot do for a dynamic resource; ${instead}.`,
  );
}

/** The properties that no argument is: the URN, what depends on the stack's state, and which arguments are secret. */
function propertiesForEngine(
  kind: string,
  place: ResourcePlace,
  args: { readonly adopt?: unknown },
  { replaceOnChanges = [], ignoreChanges = [] }: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  const secrets = secretInputs(args);
  const warned = beforeRegistration(kind, place.name);
  return {
    [RESOURCE_URN]: ownUrn(place),
    ...(replaceOnChanges.length > 0 && {
      [REPLACE_ON_CHANGES]: replaceOnChanges,
    }),
    ...pathsInto(ignoreChanges),
    ...(args.adopt !== undefined && {
      adopt: adoptOnce(kind, place, args.adopt),
    }),
    // The engine waits for a promise, and drops the property where it has no value.
    ...((secrets ?? warned) && {
      [SECRET_INPUTS]: Promise.resolve(warned).then(() => secrets),
    }),
  };
}

/** The property for paths of the option ignoreChanges that lead into an input, if there are any. */
export function pathsInto(ignoreChanges: readonly string[]): pulumi.Inputs {
  const paths = ignoreChanges.filter((path) => /[.[]/.test(path));
  return paths.length > 0 ? { [IGNORE_CHANGES]: paths } : {};
}

/**
 * The argument `adopt` where the stack does not have the resource yet, and
 * undefined where it has. The engine checks a replacement as it checks a new
 * resource; with `adopt`, the provider would take over the object that the
 * replacement is to delete.
 */
export async function adoptOnce(
  kind: string,
  place: ResourcePlace,
  adopt: unknown,
): Promise<unknown> {
  const [urns, state] = await Promise.all([resourceUrns(place), stackState()]);
  if (!state)
    await pulumi.log.warn(
      `The state of the stack cannot be read, so the ${kind} "${place.name}" adopts as a new one would. If it is to be replaced, take adopt out of its arguments.`,
    );
  return urns.some((urn) => state?.has(urn)) ? undefined : adopt;
}

/**
 * Names of the arguments that the program marks as secret, in whole or in part.
 * The names come as soon as the arguments are there; nothing else is waited for.
 * @returns undefined where no argument can be secret; a promise of undefined
 * where none turns out to be
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

/** Each Output that is made of a rejected one slows the program's end: see `endProgram`. */
const asOutput = (value: unknown): pulumi.Output<unknown> =>
  pulumi.Output.isInstance(value) ? value : pulumi.output(value);

function holdsOutput(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return Object.values(value).some(holdsOutput);
}
