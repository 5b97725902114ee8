import { providerText } from "../../adapters/dynamic/provider-text";
import { fieldsMarked } from "../../definition/field";
import * as registry from "../../registry";
import type { DeclaredResource } from "../declare/declared-resource";

/** What a stack is called: it stands in the name of each of its resources. */
export interface StackNames {
  readonly project: string;
  readonly stack: string;
}

/** Any constant will do: the engine only wants it to be the same everywhere. */
const DEFAULT_PROVIDER_ID = "00000000-0000-4000-8000-000000000000";

/**
 * The state of a stack in which every resource is there already, as
 * `pulumi stack import --file` takes it. `pulumi import` cannot take dynamic
 * resources over, for it reads them without their provider. No secret is in it:
 * tokens come with the next refresh, where the service shows them.
 */
export function importFile(
  resources: readonly DeclaredResource[],
  { project, stack }: StackNames,
): string {
  const urn = (type: string, name: string) =>
    `urn:pulumi:${stack}::${project}::${type}::${name}`;
  const ofKind = (kind: string, name: string) => urn(typeOf(kind), name);
  const root = urn("pulumi:pulumi:Stack", `${project}-${stack}`);
  const providerType = "pulumi:providers:pulumi-nodejs";
  const provider = urn(providerType, "default");
  const entries = resources.map((resource) => {
    const { kind, name, id, inputs, outputs, environment } = resource;
    const __provider = providerText(kind);
    const secrets = fieldsMarked(registry[kind].outputs, "secret");
    const on =
      environment === undefined ? [] : [ofKind("Environment", environment)];
    return {
      urn: ofKind(kind, name),
      custom: true,
      id,
      type: typeOf(kind),
      inputs: { ...inputs, __provider },
      outputs: { ...outputs, __provider },
      parent: root,
      dependencies: on,
      provider: `${provider}::${DEFAULT_PROVIDER_ID}`,
      propertyDependencies: on.length > 0 ? { environment: on } : {},
      additionalSecretOutputs: secrets,
    };
  });
  const state = {
    version: 3,
    deployment: {
      manifest: { time: "0001-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        { urn: root, custom: false, type: "pulumi:pulumi:Stack" },
        {
          urn: provider,
          custom: true,
          id: DEFAULT_PROVIDER_ID,
          type: providerType,
        },
        ...entries,
      ],
    },
  };
  return `${JSON.stringify(state, undefined, 2)}\n`;
}

const typeOf = (kind: string) => `pulumi-nodejs:dynamic/devid:${kind}`;
