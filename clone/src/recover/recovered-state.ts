import { randomUUID } from "node:crypto";
import {
  claimed,
  DYNAMIC_PREFIX,
  nameOfUrn,
  typeOfUrn,
  providerText,
  readState,
  SECRET_MARK,
  toState,
  type WorkspaceIdentity,
} from "@devid/pulumi/definitions";
import { splitProvider, UNKNOWN_TEXT } from "@devid/pulumi/state";
import type { Match } from "./match-resources";
import {
  knownPart,
  type PreviewedProgram,
  type ProgramResource,
} from "./previewed-program";

type Values = Readonly<Record<string, unknown>>;

/** The members of the output of `pulumi stack export` that are used here. */
export interface StackDeployment {
  readonly version: number;
  readonly deployment: {
    readonly resources?: readonly Values[];
    readonly pending_operations?: readonly Values[];
    /** Encrypts the secrets of the state; absent in a stack that never had any. */
    readonly secrets_providers?: unknown;
    readonly [other: string]: unknown;
  };
}

/** A match, with the workspace of its object. */
export interface OwnedMatch extends Match {
  readonly owner: WorkspaceIdentity;
  /** IDs of all objects of its kind in the workspace. */
  readonly siblings: ReadonlySet<string>;
}

/**
 * The state of a stack for `pulumi stack import --file`. It has the resources of the
 * old state, the matched resources with the values of the workspace, and the components
 * and providers that they need. Secret inputs are marked if the stack can encrypt them;
 * the import then encrypts them.
 */
export function recoveredState(
  program: PreviewedProgram,
  matches: readonly OwnedMatch[],
  before: StackDeployment,
): StackDeployment {
  const { deployment } = before;
  const existing = deployment.resources ?? [];
  const known = new Map(existing.map((one) => [String(one.urn), one]));
  const matched = new Map(matches.map((one) => [one.resource.urn, one]));
  const canEncrypt = deployment.secrets_providers !== undefined;
  const providers = new Map<string, string>();
  const added: Values[] = [];
  const add = (urn: string, record: Values) => {
    if (known.has(urn)) return;
    known.set(urn, record);
    added.push(record);
  };
  const providerOf = (resource: ProgramResource): string | undefined => {
    const { provider: urn, record } = resource;
    if (urn === undefined) return undefined;
    const inState = known.get(urn)?.id;
    const previewed = splitProvider(String(record.provider)).id;
    const id =
      typeof inState === "string"
        ? inState
        : previewed && previewed !== UNKNOWN_TEXT
          ? previewed
          : (providers.get(urn) ?? randomUUID());
    providers.set(urn, id);
    return `${urn}::${id}`;
  };
  for (const resource of program.resources) {
    const { urn, type, custom, record } = resource;
    if (known.has(urn)) continue;
    const match = matched.get(urn);
    const isProvider = type.startsWith(PROVIDER_TYPE);
    if (custom && !match && !isProvider) continue;
    const base = withoutMissing(record, new Set(known.keys()));
    if (isProvider) {
      const id = providers.get(urn) ?? randomUUID();
      providers.set(urn, id);
      const inputs = marked(
        { ...knownPart(values(record.inputs)), ...resource.inputs },
        resource.secret,
        canEncrypt,
      );
      add(urn, { ...base, id, inputs, outputs: inputs });
    } else if (match) {
      const provider = providerOf(resource);
      // The engine does not show the providers that it makes itself.
      if (provider !== undefined) {
        const { urn: providerUrn, id } = splitProvider(provider);
        add(providerUrn, defaultProvider(providerUrn, id));
      }
      add(urn, {
        ...base,
        ...(provider !== undefined && { provider }),
        ...objectRecord(match, canEncrypt),
      });
    } else
      add(urn, {
        ...toState({ ...base, provider: undefined }),
        inputs: knownPart(values(record.inputs)),
        outputs: knownPart(values(record.outputs)),
      });
  }
  return {
    ...before,
    deployment: {
      manifest: { time: "0001-01-01T00:00:00Z", magic: "", version: "" },
      ...deployment,
      resources: [...existing, ...added],
    },
  };
}

const PROVIDER_TYPE = "pulumi:providers:";

/** The ID, inputs and outputs of a resource, as after a refresh. */
function objectRecord(
  { resource, kind, object, owner, siblings, inputs }: OwnedMatch,
  canEncrypt: boolean,
): Values {
  const { definition } = kind;
  const declared = definition.normalize?.(inputs) ?? inputs;
  const last = { ...declared } as Values;
  const outputs = {
    ...object.outputs,
    ...definition.clone?.recovered?.(last, siblings),
  };
  const state = readState(definition, outputs, last, claimed(owner));
  const given = Object.fromEntries(
    Object.entries(state).filter(([name]) => name in definition.inputs.shape),
  );
  const own = resource.type.startsWith(DYNAMIC_PREFIX)
    ? { __provider: providerText(kind.kind) }
    : {};
  return {
    id: object.id,
    inputs: { ...marked(given, resource.secret, canEncrypt), ...own },
    outputs: { ...marked(state, resource.secret, canEncrypt), ...own },
  };
}

/**
 * The record of a default provider, which the engine makes for resources without an
 * explicit provider.
 */
function defaultProvider(urn: string, id: string): Values {
  const type = typeOfUrn(urn);
  const version = /^default_(\d+)_(\d+)_(\d+)$/.exec(nameOfUrn(urn));
  const inputs = version && { version: version.slice(1).join(".") };
  return {
    urn,
    custom: true,
    id,
    type,
    ...(inputs && { inputs, outputs: inputs }),
  };
}

/** A record that refers only to resources in the state. */
function withoutMissing(
  record: Values,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const { parent, dependencies, propertyDependencies, ...others } = record;
  const present = (urns: unknown) =>
    Array.isArray(urns) ? urns.map(String).filter((urn) => known.has(urn)) : [];
  return toState({
    ...others,
    parent: known.has(String(parent)) ? parent : undefined,
    dependencies: present(dependencies),
    propertyDependencies: Object.fromEntries(
      Object.entries(values(propertyDependencies)).map(([name, urns]) => [
        name,
        present(urns),
      ]),
    ),
    sourcePosition: undefined,
    stackTrace: undefined,
  });
}

/** Marks secret values, if the stack can encrypt them. */
function marked(
  all: Values,
  secret: ReadonlySet<string>,
  canEncrypt: boolean,
): Record<string, unknown> {
  const [mark, isSecret] = SECRET_MARK;
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      canEncrypt && secret.has(name)
        ? { [mark]: isSecret, plaintext: JSON.stringify(value) }
        : value,
    ]),
  );
}

const values = (value: unknown) => (value ?? {}) as Values;
