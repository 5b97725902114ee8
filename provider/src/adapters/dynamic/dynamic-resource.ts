import * as pulumi from "@pulumi/pulumi";
import { providerText } from "./provider-text";
import { refuseImport } from "./refuse-import";
import { resourceType, resourceUrns, type Place } from "./resource-urns";
import { secretInputs } from "./secret-inputs";
import { hasEngine, stackState } from "./stack-state";
import { beforeRegistration, watchProgram } from "./watch-program";

/** What a resource class tells its base about itself. */
export interface DynamicResourceSpec {
  readonly kind: string;
  /** Every output: one that is not named here is no property of the object, even if it is an input. */
  readonly outputs: readonly string[];
  readonly secretOutputs: readonly string[];
}

/**
 * A resource that Pulumi's dynamic provider host manages. Unlike
 * `pulumi.dynamic.Resource`, its provider is a constant text, so neither code
 * nor credentials end up in state.
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
    if (opts.import !== undefined)
      refuseImport(kind, name, {
        id: opts.import,
        adopts: spec.outputs.includes("adopt"),
      });
    const outputs = Object.fromEntries(
      spec.outputs.map((output) => [output, undefined]),
    );
    const type = resourceType(kind);
    const place = { type, name, parent: opts.parent, aliases: opts.aliases };
    super(
      type,
      name,
      {
        ...outputs,
        ...args,
        ...(hasEngine() && ofTheEngine(kind, place, args)),
        __provider: providerText(kind),
      },
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: [...spec.secretOutputs],
      }),
    );
    watchProgram(kind, { resource: this, name, args: { ...args } });
  }
}

/** Properties that depend on the stack and on what Outputs tell beside their values. */
function ofTheEngine(
  kind: string,
  place: Place,
  args: { readonly adopt?: unknown },
): pulumi.Inputs {
  const secrets = secretInputs(args);
  const said = beforeRegistration(kind, place.name);
  return {
    ...(args.adopt !== undefined && {
      adopt: adoptOnce(kind, place, args.adopt),
    }),
    // The engine gets no property of a promise without a value, and waits for it.
    ...((secrets ?? said) && {
      __secretInputs: Promise.resolve(said).then(() => secrets),
    }),
  };
}

/**
 * `adopt` for a resource that the stack does not have yet. The engine checks
 * the inputs of a replacement as those of a new resource, so a provider that
 * was told `adopt` would take over the very object that is to be replaced.
 */
async function adoptOnce(
  kind: string,
  place: Place,
  adopt: unknown,
): Promise<unknown> {
  const [urns, state] = await Promise.all([resourceUrns(place), stackState()]);
  if (!state)
    await pulumi.log.warn(
      `The state of the stack cannot be read, so the ${kind} "${place.name}" adopts as a new one would. If it is to be replaced, take adopt out of its arguments.`,
    );
  return urns.some((urn) => state?.has(urn)) ? undefined : adopt;
}
