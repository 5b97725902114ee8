import { providerText } from "../../provider/src/definition/engine-names";
import { RESOURCE_URN } from "../../provider/src/definition/host-protocol";
import { pluginCalls } from "../../provider/src/adapters/plugin/plugin-service";
import { fieldsMarked } from "../../provider/src/definition/field";
import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import { loadKind } from "../../provider/src/kinds";
import { DynamicProvider, type ProcessParts } from "./dynamic-provider";
import type { Properties } from "./engine/property-value";
import type { Provider } from "./engine/provider";
import { FORMS, type Form } from "../helpers/program-form";
import { ProtocolProvider, type Call } from "../helpers/protocol-provider";

/** Each story in both forms. */
export const inEachForm = <S extends object>(stories: readonly S[]) =>
  stories.flatMap((story) => FORMS.map((form) => ({ ...story, form })));

/** A call of a provider, in the form of the engine's debug log. */
export interface ProviderCall {
  readonly method: string;
  readonly urn: string;
  readonly request: unknown;
}

/**
 * Definitions by kind. They are loaded before stories, because no time may pass while a
 * module loads.
 */
const definitions: Record<string, ResourceDefinition> = {};

/** Loads the modules that a provider process loads on first use. */
export async function loadKinds(): Promise<void> {
  for (const [kind, load] of Object.entries(loadKind))
    definitions[kind] = await load();
}

/** The definition of a kind. */
export const definitionOf = (kind: string): ResourceDefinition => {
  const found = definitions[kind];
  if (found) return found;
  throw new Error(`There is no kind ${kind}.`);
};

/** The outputs that a resource's class marks as secret. The plugin itself marks secrets. */
export const additionalSecretOutputs = (
  form: Form,
  kind: string,
): readonly string[] =>
  form === "dynamic" ? fieldsMarked(definitionOf(kind).outputs, "secret") : [];

/** Starts a provider process of a form. */
export function startProvider(form: Form, parts: ProcessParts): Provider {
  return form === "dynamic"
    ? new DynamicProvider(parts, (kind) => Promise.resolve(definitionOf(kind)))
    : startPlugin(parts);
}

/** Starts a plugin in this process. */
export function startPlugin({
  settings,
  providerName,
  fetch,
  log,
}: ProcessParts): ProtocolProvider {
  const calls = pluginCalls({
    readFile: () => "{}",
    log,
    transport: { fetch },
  }) as Readonly<Record<Call, (call: object, done: unknown) => void>>;
  const plugin = new ProtocolProvider(async (call, request, done) => {
    if (call !== "configure") await configured;
    calls[call]({ request }, done);
  });
  const configured = plugin.configure(settings, providerName);
  return plugin;
}

/** Properties that the class of a dynamic resource adds. */
export const dynamicProperties = (
  kind: string,
  secretInputs: readonly string[],
  urn?: string,
): Properties => ({
  __provider: providerText(kind),
  ...(urn !== undefined && { [RESOURCE_URN]: urn }),
  ...(secretInputs.length > 0 && { __secretInputs: [...secretInputs].sort() }),
});
