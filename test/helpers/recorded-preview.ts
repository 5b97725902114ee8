import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "yaml";

type Json = Readonly<Record<string, unknown>>;
type State = Json & { readonly inputs?: Json; readonly outputs?: Json };
type Step = { readonly urn: string } & Json;
export type Preview = Json & { readonly steps: readonly Step[] };

/** The preview in a file, as the engine prints it. */
export function readRecorded(path: string): Preview {
  const text = readFileSync(path, "utf8");
  const { provider, ...preview } = parse(text) as Preview;
  return withStates(preview, (state, urn) => {
    const { inputs, ...derived } = derivedOf(urn, state, provider);
    const own = state.inputs && { ...inputs, ...state.inputs };
    return {
      ...{ ...derived, ...state, ...(own && { inputs: own }) },
      ...(state.outputs && { outputs: { ...own, ...state.outputs } }),
    };
  });
}

/** Writes a preview to a file: without what follows from the rest of a state, and equal parts once. */
export function writeRecorded(path: string, preview: Preview): void {
  const [, provider] =
    /"provider":"([^"]+::default::[^"]+)"/.exec(JSON.stringify(preview)) ?? [];
  const recorded = withStates(preview, (state, urn) => {
    const { inputs, ...derived } = derivedOf(urn, state, provider);
    return {
      ...without(state, derived),
      ...(state.inputs && { inputs: without(state.inputs, inputs) }),
      ...(state.outputs && { outputs: without(state.outputs, state.inputs) }),
    };
  });
  const known = new Map<string, unknown>();
  const once = (_: string, part: unknown) => {
    if (typeof part !== "object" || part === null) return part;
    const key = JSON.stringify(part);
    if (key.length > 2 && !known.has(key)) known.set(key, part);
    return known.get(key) ?? part;
  };
  const text = JSON.stringify({ provider, ...recorded });
  const shared: unknown = JSON.parse(text, once);
  writeFileSync(path, stringify(shared, { lineWidth: 0 }));
}

function withStates(
  preview: Preview,
  change: (state: State, urn: string) => Json,
): Preview {
  const steps = preview.steps.map((step) => {
    const states = Object.entries(step).filter(([name]) => /State$/.test(name));
    const changed = states.map(([name, state]) => [
      ...[name, change(state as State, step.urn)],
    ]);
    return { ...step, ...(Object.fromEntries(changed) as Json) };
  });
  return { ...preview, steps };
}

/** What the engine prints of each state of a resource, and those inputs that it prints of each. */
function derivedOf(urn: string, { inputs }: State, provider: unknown) {
  const type = urn.split("::").at(-2)?.split("$").at(-1) ?? "";
  const [, kind] = type.split("dynamic/devid:");
  const __provider = `exports.handler = () => require("@devid/pulumi/provider").${kind};`;
  return {
    ...{ type, custom: inputs !== undefined, ...(kind && { provider }) },
    inputs: kind === undefined ? {} : { __provider },
  };
}

const without = (value: Json, known: Json = {}): Json =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([name, part]) => !isDeepStrictEqual(part, known[name]),
    ),
  );
