import {
  pluginType,
  providerText,
  resourceType,
} from "@devid/pulumi/definitions";
import { STACK_TYPE } from "@devid/pulumi/state";
import type { DeclaredResource } from "../declare/declare-workspace";

/** The names of project and stack, which are parts of each URN. */
export interface StackNames {
  readonly project: string;
  readonly stack: string;
}

/** Any constant works, because the engine only needs the same ID everywhere. */
const DEFAULT_PROVIDER_ID = "00000000-0000-4000-8000-000000000000";

/**
 * The state of a stack that has all resources already, for
 * `pulumi stack import --file`. `pulumi import` fails for dynamic resources, because
 * it reads them without their provider. The state holds no secret; the next refresh
 * reads the tokens that the service still shows.
 */
export function stackImportFile(
  resources: readonly DeclaredResource[],
  { project, stack }: StackNames,
): string {
  const urn = (type: string, name: string) =>
    `urn:pulumi:${stack}::${project}::${type}::${name}`;
  const ofKind = (kind: string, name: string) => urn(resourceType(kind), name);
  const root = urn(STACK_TYPE, `${project}-${stack}`);
  const providerType = "pulumi:providers:pulumi-nodejs";
  const provider = urn(providerType, "default");
  const entries = resources.map((resource) =>
    stateRecord(resource, {
      urn: ofKind(resource.kind, resource.name),
      parent: root,
      provider: `${provider}::${DEFAULT_PROVIDER_ID}`,
      propertyDependencies: Object.fromEntries(
        Object.entries(resource.dependencies).map(([input, on]) => [
          input,
          [ofKind(on.kind, on.name)],
        ]),
      ),
    }),
  );
  const state = {
    version: 3,
    deployment: {
      manifest: { time: "0001-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        { urn: root, custom: false, type: STACK_TYPE },
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

/** The record of a dynamic resource, or of one of the plugin, in the state of a stack. */
export function stateRecord(
  { kind, id, inputs, state, secretOutputs }: DeclaredResource,
  {
    isPlugin = false,
    propertyDependencies = {},
    urn,
    parent,
    provider,
  }: {
    readonly isPlugin?: boolean;
    readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
    readonly urn: string;
    readonly parent: unknown;
    readonly provider: unknown;
  },
) {
  const own = isPlugin ? {} : { __provider: providerText(kind) };
  return {
    urn,
    custom: true,
    id,
    type: isPlugin ? pluginType(kind) : resourceType(kind),
    inputs: { ...inputs, ...own },
    outputs: { ...state, ...own },
    parent,
    dependencies: [...new Set(Object.values(propertyDependencies).flat())],
    provider,
    propertyDependencies,
    additionalSecretOutputs: secretOutputs,
  };
}

/**
 * The list of objects for `pulumi import --file`. Pulumi reads each object through the
 * provider plugin, so the list has names and IDs only.
 */
export function pluginImportFile(
  resources: readonly DeclaredResource[],
): string {
  const entries = resources.map(({ kind, name, id }) => ({
    type: pluginType(kind),
    name,
    id,
  }));
  return `${JSON.stringify({ resources: entries }, undefined, 2)}\n`;
}
