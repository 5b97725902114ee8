import type { Properties } from "../engine/property-value";
import type { Snapshot } from "../engine/resource";
import type { ProviderCall } from "../forms";
import { kindOfCollection } from "../kinds";
import { keyOf, type LiveObject, type LiveRule } from "../mirror";
import type { Exchange } from "../network";
import type { Declaration, Program } from "../program";
import type { Stack } from "../world";
import { kindOf, type Memory } from "./memory";

/** Why a stack must not make a call; undefined if it may. */
export function objectionTo(
  memory: Memory,
  stack: Stack,
  states: ReadonlyMap<string, Snapshot>,
  exchange: Exchange,
  calls: readonly ProviderCall[],
): string | undefined {
  const { method, path, body } = exchange;
  const [, collection = "", id] = path.split("/");
  if (collection === "filtering-rules")
    return objectionToRules(memory, stack, exchange, calls);
  const kind = kindOfCollection(collection);
  if (!kind || id === undefined) return undefined;
  const object = memory.mirror.object(kind, id);
  if (!object) return undefined;
  const key = keyOf(kind, id);
  const isInState = (snapshot: Snapshot | undefined) =>
    snapshot?.resources.some((one) => kindOf(one) === kind && one.id === id) ??
    false;
  const own = isInState(stack.snapshot) || isInState(states.get(stack.name));
  const isDeleting = calls.some(
    (call) =>
      call.method === "delete" &&
      (call.request as { readonly id: string }).id === id,
  );
  if (
    kind === "EncryptionKey" &&
    isDeleting &&
    memory.switchedByPeople.has(key) &&
    (body as Properties | undefined)?.status !== undefined &&
    !calls.some(
      (call) =>
        (call.method === "update" || call.method === "create") &&
        call.urn.includes("EncryptionKey"),
    )
  )
    return `${method} ${path} undoes what somebody set by hand`;
  if (own) return undefined;
  if (mayAdopt(memory, stack.program, object)) return undefined;
  const environment = object.record.environment;
  const isWithEnvironment =
    typeof environment === "string" &&
    calls.some(
      (call) =>
        call.method === "delete" &&
        (call.request as { readonly id: string }).id === environment,
    );
  if (isWithEnvironment) return undefined;
  const isJustMade = object.madeBy === stack.name && !memory.released.has(key);
  if (isJustMade) return undefined;
  return `${method} ${path}: it is ${object.madeBy === undefined ? "not the program's" : `of ${object.madeBy}`}`;
}

/**
 * Why a stack must not write or delete rules; undefined if it may. Rules that never
 * were in a state belong to somebody else. They stay, unless the program takes them
 * over.
 */
function objectionToRules(
  { mirror }: Memory,
  { program }: Stack,
  { method, path, body, answer }: Exchange,
  calls: readonly ProviderCall[],
): string | undefined {
  const mayOverwrite = program.resources.some(
    ({ kind, args }) =>
      kind === "FilteringRuleSet" &&
      (args.takeOver === true || args.onDrift === "overwrite"),
  );
  if (mayOverwrite) return undefined;
  const known = JSON.stringify(calls.map(({ request }) => request));
  const { environment } = (body ?? {}) as { readonly environment?: string };
  const written = (answer as { readonly data?: unknown } | undefined)?.data;
  const left = (Array.isArray(written) ? written : []) as LiveRule[];
  const lost = mirror
    .rulesTouched(method, path, environment)
    .filter(({ id }) => !known.includes(id))
    .find(
      ({ name, expression }) =>
        !left.some((one) => one.name === name && one.expression === expression),
    );
  return (
    lost &&
    `${method} ${path}: the rule ${lost.name} (${lost.id}) is in no state`
  );
}

/** Whether a program takes over an object. */
function mayAdopt(
  memory: Memory,
  { resources }: Program,
  object: LiveObject,
): boolean {
  return resources.some((one) => adopts(memory, one, object));
}

/** Whether a declaration takes over an object. */
export function adopts(
  memory: Memory,
  one: Declaration,
  { kind, id }: LiveObject,
): boolean {
  if (one.kind !== kind) return false;
  if (kind === "EncryptionKey") return true;
  const adopt = one.args.adopt as
    | { readonly id: { readonly object?: string } }
    | undefined;
  return (
    adopt !== undefined && memory.world.idOf(String(adopt.id.object)) === id
  );
}
