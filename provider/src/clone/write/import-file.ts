import { providerText } from "../../adapters/dynamic/wire";
import { fieldsMarked } from "../../definition/field";
import type { DeclaredResource } from "../declare/declare-workspace";
import type { CloneKind } from "../read/clone-kinds";

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
  kinds: readonly CloneKind[],
  { project, stack }: StackNames,
): string {
  const urn = (type: string, name: string) =>
    `urn:pulumi:${stack}::${project}::${type}::${name}`;
  const ofKind = (kind: string, name: string) => urn(typeOf(kind), name);
  const root = urn("pulumi:pulumi:Stack", `${project}-${stack}`);
  const providerType = "pulumi:providers:pulumi-nodejs";
  const provider = urn(providerType, "default");
  const secrets = new Map(
    kinds.map(({ kind, definition }) => [
      kind,
      fieldsMarked(definition.outputs, "secret"),
    ]),
  );
  const entries = resources.map((resource) => {
    const { kind, name, id, inputs, state } = resource;
    const __provider = providerText(kind);
    const propertyDependencies = Object.fromEntries(
      Object.entries(resource.dependencies).map(([input, on]) => [
        input,
        [ofKind(on.kind, on.name)],
      ]),
    );
    return {
      urn: ofKind(kind, name),
      custom: true,
      id,
      type: typeOf(kind),
      inputs: { ...inputs, __provider },
      outputs: { ...state, __provider },
      parent: root,
      dependencies: [...new Set(Object.values(propertyDependencies).flat())],
      provider: `${provider}::${DEFAULT_PROVIDER_ID}`,
      propertyDependencies,
      additionalSecretOutputs: secrets.get(kind),
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
