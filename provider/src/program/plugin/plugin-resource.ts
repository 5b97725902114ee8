import * as pulumi from "@pulumi/pulumi";
import { resolve } from "node:path";
import { adoptOnce } from "../dynamic/dynamic-resource";
import { refuseOptions } from "../resource-options";
import { versionOf } from "../require-installed";
import { requireOutputs, type Absences } from "../require-outputs";
import { aliasOfType, registered } from "../resource-urns";
import { shortStacks } from "../short-stacks";
import { hasEngine } from "../stack-state";
import { watchProgram } from "../watch-program";
import { pluginType, resourceType } from "../../definition/engine-names";

/** What the class of a resource must know of its kind. */
export interface PluginResourceSpec<A> {
  readonly kind: string;
  readonly outputs: readonly string[];
  /** By the name of an output, why it may have no value: see `requireOutputs`. */
  readonly absences?: Absences;
  /** Turns arguments that only programs have into inputs. */
  readonly expand?: (args: A) => object;
}

/** The constructor of a resource. */
export type ResourceConstructor<R, A> = new (
  name: string,
  args: A,
  opts?: pulumi.CustomResourceOptions,
) => R;

/**
 * A base class for the resources of a kind that the provider plugin manages. `R`
 * and `A` are the resource's outputs and arguments, which are those of the dynamic
 * resource of that kind. The alias lets a stack keep an object when its program
 * changes from the one to the other.
 */
export function pluginResource<R, A extends object>(
  spec: PluginResourceSpec<A>,
): ResourceConstructor<R, A> {
  const { kind, absences, expand = (args: A) => args } = spec;
  const outputs = Object.fromEntries(
    spec.outputs.map((output) => [output, undefined]),
  );
  const type = pluginType(kind);
  class PluginResource extends pulumi.CustomResource {
    constructor(name: string, given: A, opts?: pulumi.CustomResourceOptions) {
      const args: { readonly adopt?: unknown } = expand(given);
      refuseOptions(kind, name, opts ?? {});
      const allOpts = pulumi.mergeOptions(
        {
          version: VERSION,
          aliases: [aliasOfType(resourceType(kind), name, opts?.parent)],
        },
        opts,
      );
      const { parent, aliases } = allOpts;
      const properties: pulumi.Inputs = {
        ...outputs,
        ...args,
        ...(hasEngine() &&
          args.adopt !== undefined && {
            adopt: adoptOnce(
              kind,
              {
                type,
                name,
                ...(parent && { parent }),
                ...(aliases && { aliases }),
              },
              args.adopt,
            ),
          }),
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
      if (absences) requireOutputs(this, `${kind} "${name}"`, absences);
    }
  }
  return PluginResource as unknown as ResourceConstructor<R, A>;
}

/** Version of this package: the engine starts a plugin of the same version. */
export const VERSION = versionOf(resolve(__dirname, "../../.."));
