import * as pulumi from "@pulumi/pulumi";
import { providerText } from "./provider-text";

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
  constructor(
    spec: DynamicResourceSpec,
    name: string,
    args: object,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const outputs = Object.fromEntries(
      spec.outputs.map((output) => [output, undefined]),
    );
    super(
      `pulumi-nodejs:dynamic/devid:${spec.kind}`,
      name,
      { ...outputs, ...args, __provider: providerText(spec.kind) },
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: [...spec.secretOutputs],
      }),
    );
  }
}
