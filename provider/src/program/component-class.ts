import * as pulumi from "@pulumi/pulumi";
import type { Composition, ValueReader } from "../definition/define-component";
import { pluginType } from "../definition/engine-names";
import { runError } from "./program-errors";
import { requireOutputs } from "./require-outputs";
import type { ResourceClass } from "./resource-class";
import { stackState, useBuiltinProvider } from "./stack-state";

/** What the class of a component knows of it. */
export interface ComponentSpec {
  readonly kind: string;
  /** Outputs that are not in the component's own state: its resources have them. */
  readonly secretOutputs: readonly string[];
  readonly composition: Composition;
}

/** The class of a component with its arguments. */
export type ComponentClass<C, Args> = Pick<
  typeof pulumi.ComponentResource,
  "isInstance"
> &
  (new (name: string, args: Args, opts?: pulumi.ComponentResourceOptions) => C);

/** Arguments of a program are plain values or Outputs. */
const OUTPUTS: ValueReader = {
  withText: (value, change) =>
    pulumi.output(value as pulumi.Input<string>).apply(change),
  bare: (value) => value,
};

/**
 * The class of a component, whose resources have the class `Part`. Its constructor
 * throws a RunError for arguments that the component's composition refuses.
 */
export function componentClass(
  { kind, secretOutputs, composition }: ComponentSpec,
  Part: ResourceClass<pulumi.CustomResource, object>,
): ComponentClass<pulumi.ComponentResource, object> {
  class DevidComponent extends pulumi.ComponentResource {
    constructor(
      name: string,
      args: object,
      opts?: pulumi.ComponentResourceOptions,
    ) {
      const inputs = { ...args };
      const [failure] = composition.validate(inputs);
      if (failure) throw runError(`The ${kind} "${name}" ${failure.reason}.`);
      super(pluginType(kind), name, {}, opts);
      const members: Record<string, pulumi.CustomResource> = {};
      const values: Record<string, unknown> = {};
      for (const part of composition.parts(name, inputs, OUTPUTS)) {
        const { outputs = {}, absences = {} } = part;
        const made = new Part(part.name, part.inputs, { parent: this });
        const title = `${composition.partKind} "${part.name}"`;
        requireOutputs(made, title, absences);
        members[part.label] = made;
        for (const [output, property] of Object.entries(outputs))
          values[output] = made[property as keyof typeof made];
      }
      Object.assign(this, { [composition.member]: members, ...values });
      // Without secrets, which would be stored in state twice.
      const stored = Object.entries(values).filter(
        ([output]) => !secretOutputs.includes(output),
      );
      this.registerOutputs(Object.fromEntries(stored));
      // A warning that fails must not fail the program.
      this.#warn(inputs).catch(() => undefined);
    }

    async #warn(inputs: object): Promise<void> {
      if (!pulumi.runtime.isDryRun()) return useBuiltinProvider();
      const state = await stackState();
      const urn = await new Promise<string>((known) => this.urn.apply(known));
      const warning = composition.warning?.(
        urn,
        { ...inputs },
        state?.urns ?? [],
      );
      if (warning !== undefined) await pulumi.log.warn(warning, this);
    }
  }
  Object.defineProperty(DevidComponent, "name", { value: kind });
  return DevidComponent;
}
