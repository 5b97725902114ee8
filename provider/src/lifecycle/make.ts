import { maskUrls } from "@devid/sdk";
import type {
  FoundObject,
  MadeObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { describeCandidates } from "../definition/find-one";
import { IncompleteError, OperationError } from "../definition/errors";
import { fieldsMarked } from "../definition/field";
import { everyItem } from "../session/answers";
import { resolveAmbiguous } from "../session/resolve-ambiguous";
import type { Session } from "../session/session";
import { changedInService } from "./difference";
import { freeMatches, listedOnce, wantedObject } from "./match";
import type { Values } from "../definition/value";

type CreateContext = Parameters<ResourceDefinition["create"]>[0];

/**
 * Makes an object of a kind. All look-ups come first: the service's answer may show a
 * secret once, so no call may come between this answer and the answer to the engine. If
 * the service's answer does not arrive, it looks for a new object with the declared values.
 * @throws AmbiguousError which names the objects, if there are several
 * @throws IncompleteError if the object was found, without its secret
 */
export async function make(
  definition: ResourceDefinition,
  context: OperationContext,
  inputs: Values,
  assertAlone?: CreateContext["assertAlone"],
): Promise<MadeObject> {
  const { session, client } = context;
  const { adoption, kind } = definition;
  // One list before the first create of the session. If it fails, the create goes on.
  const before =
    adoption && (await listedOnce(definition, context).catch(() => undefined));
  const expected = await wantedObject(definition, session, inputs);
  if (before) await warnOfDuplicates(definition, context, before, expected);
  let start = 0;
  const create = async () => {
    start = performance.now();
    const made = (await definition.create({
      ...context,
      assertAlone,
      inputs,
    })) as MadeObject;
    const at = Date.parse(String(made.outputs.createdAt));
    if (!Number.isNaN(at)) clocks.set(session, at - performance.now());
    return made;
  };
  if (!before) return create();
  const look = async (error: Error) => {
    const since = start + (clocks.get(session) ?? -Infinity) - TOLERANCE_MS;
    const known = new Set(before.map(({ id }) => id));
    const made = freeMatches(
      definition,
      session,
      expected,
      await everyItem(definition.list(client)),
      await session.workspace(),
    ).filter(
      ({ id, outputs }) =>
        !known.has(id) && !(Date.parse(String(outputs.createdAt)) < since),
    );
    const [found, ...others] = made;
    if (others.length === 0)
      return found && recovered(definition, context, found, inputs);
    error.message += `\nThis create made one of these objects, but devid cannot tell which one. None of them is in the state. Delete those that nobody uses:${describeCandidates(made)}`;
    return undefined;
  };
  // The look must not find the object of an equal resource whose create has no answer yet.
  return session.mutex.run(JSON.stringify([kind, expected]), () =>
    resolveAmbiguous(create, look),
  );
}

/** Tolerance in ms for times of the service, which may be in whole seconds. */
const TOLERANCE_MS = 2_000;

/**
 * What to add to `performance.now()` for the time of a session's service, in ms. The machine's
 * date may be set between two calls.
 */
const clocks = new WeakMap<Session, number>();

/**
 * Warns about objects that equal the new object, and that no known state has or had. For
 * `--replace` and a tainted resource, the engine calls neither `check` with the last
 * inputs nor `diff`, so the old object looks like any other until its delete.
 */
async function warnOfDuplicates(
  definition: ResourceDefinition,
  { session, log }: OperationContext,
  before: readonly FoundObject[],
  expected: Values,
): Promise<void> {
  const { singular, adoption } = definition;
  const here = await session.workspace();
  const duplicates = freeMatches(definition, session, expected, before, here);
  if (duplicates.length === 0) return;
  for (const { id } of duplicates) session.suspected.add(id);
  const title = maskUrls(String(expected[adoption?.by ?? ""]));
  const [it, them] =
    duplicates.length === 1 ? ["it", "it"] : ["one of them", "them"];
  await log(
    "warning",
    `A new ${singular} is created, although the workspace already has ${duplicates.map(({ id }) => id).join(", ")} with the same ${Object.keys(expected).join(", ")} (${title}). ` +
      `If this update replaces ${it}, or another resource has ${them}, that is as it should be. ` +
      `devid drift lists the objects that no state has, for example after a killed update.`,
  );
}

/** The object of a create without a clear answer. */
async function recovered(
  definition: ResourceDefinition,
  { log }: OperationContext,
  { id, outputs }: FoundObject,
  inputs: Values,
): Promise<MadeObject> {
  const { kind } = definition;
  const [lost] = fieldsMarked(definition.outputs, "revealOnce").filter(
    (name) => outputs[name] === undefined,
  );
  if (lost !== undefined)
    throw new IncompleteError(
      id,
      { ...outputs, owner: { lost } },
      new OperationError(
        `${kind} ${id} was created at ${String(outputs.createdAt)}, but the service's answer did not arrive, and only that answer showed its ${lost}. The next pulumi up creates a new one and deletes ${id}; its preview shows that.`,
      ),
    );
  await log(
    "info",
    `${kind} ${id} was created. The service's answer did not arrive, but the object was found in the workspace.`,
  );
  const unfinished = changedInService(definition.inputs, outputs, inputs).map(
    (name) => [name, outputs[name]],
  );
  return {
    id,
    outputs,
    unfinished: Object.fromEntries(unfinished) as Values,
  };
}
