import * as pulumi from "@pulumi/pulumi";
import { requireOutputs, type Absences } from "./require-outputs";
import {
  refuseOptions,
  toldOptions,
  type KindOptions,
} from "./resource-options";
import { aliasOfType, resourceUrns, type ResourcePlace } from "./resource-urns";
import { hasEngine } from "./engine";
import { stackUrns } from "./stack-urns";
import { noteResource } from "./note-overrides";

/** What the class of a resource knows about its kind. */
export interface ResourceSpec extends KindOptions {
  /** Names of all outputs. An input that is missing here is no property of the object. */
  readonly outputs: readonly string[];
  readonly adopts?: boolean;
  /** What a program should do instead of using the option `import`. */
  readonly insteadOfImport?: string;
  readonly secretOutputs?: readonly string[];
  /** Outputs that are secret if one of the named arguments is secret. */
  readonly secretWith?: Readonly<Record<string, readonly string[]>>;
  /** By the name of an output, why it may have no value: see `requireOutputs`. */
  readonly absences?: Absences;
  /** Turns arguments that only programs have into inputs. */
  readonly expand?: (args: never) => object;
}

/** Inputs of a resource, as the program gives them. */
export type Inputs = Readonly<Record<string, unknown>>;

/** How the dynamic provider, or the plugin, registers resources. */
export interface Adapter {
  readonly typeOf: (kind: string) => string;
  /** The type that the other adapter gives the same resources. An alias keeps their objects when a program changes from one to the other. */
  readonly otherTypeOf: (kind: string) => string;
  /** Refuses what the adapter cannot do. @throws RunError */
  readonly refuse?: (
    spec: ResourceSpec,
    name: string,
    opts: pulumi.CustomResourceOptions,
  ) => void;
  /** Options besides those of the program. */
  readonly options: (
    spec: ResourceSpec,
    inputs: Inputs,
    opts: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResourceOptions;
  /** Properties besides the inputs. */
  readonly properties?: (
    kind: string,
    place: ResourcePlace,
    inputs: Inputs,
  ) => pulumi.Inputs;
}

/** The class of a resource with its arguments. */
export type ResourceClass<R, Args> = Pick<
  typeof pulumi.CustomResource,
  "isInstance"
> &
  (new (name: string, args: Args, opts?: pulumi.CustomResourceOptions) => R) & {
    /**
     * Reads an existing object by its ID. The program does not own it: nothing changes
     * or deletes the object.
     */
    get(
      name: string,
      id: pulumi.Input<pulumi.ID>,
      opts?: pulumi.CustomResourceOptions,
    ): R;
  };

/**
 * The class of a kind's resources, for one of the adapters. It extends Pulumi's class
 * directly, because the engine uses the next stack frame as the place of the
 * declaration.
 */
export function resourceClass<R, Args>(
  spec: ResourceSpec,
  adapter: Adapter,
): ResourceClass<R, Args> {
  const { kind, absences, expand = (args: object) => args } = spec;
  const type = adapter.typeOf(kind);
  const outputs = Object.fromEntries(
    spec.outputs.map((output) => [output, undefined]),
  );
  class DevidResource extends pulumi.CustomResource {
    static get(
      name: string,
      id: pulumi.Input<pulumi.ID>,
      opts?: pulumi.CustomResourceOptions,
    ): DevidResource {
      return new DevidResource(name, {}, { ...opts, id });
    }

    constructor(
      name: string,
      args: object,
      opts: pulumi.CustomResourceOptions = {},
    ) {
      adapter.refuse?.(spec, name, opts);
      refuseOptions(spec, name, opts);
      noteResource(kind, name);
      const inputs: Inputs = { ...expand(args as never) };
      const alias = aliasOfType(adapter.otherTypeOf(kind), name, opts.parent);
      const allOpts = pulumi.mergeOptions(opts, {
        ...adapter.options(spec, inputs, opts),
        aliases: [alias],
      });
      const { parent, aliases } = allOpts;
      const place = { type, name, parent, aliases };
      const isTold = hasEngine() && opts.id === undefined;
      const properties: pulumi.Inputs = {
        ...outputs,
        ...inputs,
        ...adapter.properties?.(kind, place, inputs),
        ...(isTold && toldOptions(opts)),
        ...(hasEngine() &&
          inputs.adopt !== undefined && {
            adopt: adoptOnce(kind, place, inputs.adopt),
          }),
      };
      // Pulumi takes the stack of each promise that it makes, four for a property, to
      // name those that never end. With source maps, these stacks are most of the
      // processor time of a declaration (docs/benchmarks.md).
      const { stackTraceLimit } = Error;
      if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
      try {
        super(type, name, properties, allOpts);
      } catch (error) {
        Error.stackTraceLimit = stackTraceLimit;
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      }
      Error.stackTraceLimit = stackTraceLimit;
      if (absences) requireOutputs(this, `${kind} "${name}"`, absences);
    }
  }
  Object.defineProperty(DevidResource, "name", { value: kind });
  return DevidResource as unknown as ResourceClass<R, Args>;
}

/**
 * The argument `adopt`, or undefined if the stack already has the resource. The engine
 * checks a replacement like a new resource, and with `adopt` the provider would take
 * over the object that the replacement deletes.
 */
async function adoptOnce(
  kind: string,
  place: ResourcePlace,
  adopt: unknown,
): Promise<unknown> {
  const [urns, inState] = await Promise.all([resourceUrns(place), stackUrns()]);
  if (!inState)
    await pulumi.log.warn(
      `The state of the stack cannot be read, so the ${kind} "${place.name}" adopts as a new resource does. If it is about to be replaced, remove adopt from its arguments.`,
    );
  return urns.some((urn) => inState?.has(urn)) ? undefined : adopt;
}
