import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import {
  describeLostRules,
  describeRenames,
  type DeclaredRuleSet,
  type KnownRuleSet,
} from "./describe-lost-rules";
import { resourceType, resourceUrns } from "./resource-urns";
import { hasEngine, stackState, useBuiltinProvider } from "./stack-state";

/** A rule set as it was declared. */
interface Seen {
  readonly resource: pulumi.CustomResource;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What is kept of a program that runs, by all copies of this package in its process. */
interface Program {
  readonly ruleSets: Set<Seen>;
  /** What was said already. */
  readonly said: Set<string>;
}

const PROGRAM = Symbol.for("@devid/pulumi program");
const holder = globalThis as { [PROGRAM]?: Program };

const KIND = "FilteringRuleSet";

/** Longest wait for what other resources tell before a rule set is registered. */
const PATIENCE_MS = 1_000;

/**
 * Notes what a program declares. At the end of a preview it says which
 * environments a deployment would leave without filtering rules; an update
 * says nothing. The end of a program that runs within another process (an
 * inline program of the Automation API) cannot be seen: nothing is said there.
 */
export function watchProgram(kind: string, declared: Seen): void {
  if (!isWatched()) return;
  const program = (holder[PROGRAM] ??= startWatching());
  if (kind === KIND) program.ruleSets.add(declared);
}

/**
 * Says, before a new rule set of a preview is registered, which alias it may
 * lack: without it the provider may refuse the rule set, which ends the program.
 * @returns undefined where there is nothing to wait for
 */
export function beforeRegistration(
  kind: string,
  name: string,
): Promise<void> | undefined {
  if (kind !== KIND || !isWatched() || !pulumi.runtime.isDryRun())
    return undefined;
  // What is only told may never fail a program.
  return tellRename(name).catch(() => undefined);
}

const isWatched = () =>
  hasEngine() && process.env.PULUMI_NODEJS_MONITOR !== undefined;

function startWatching(): Program {
  const program = { ruleSets: new Set<Seen>(), said: new Set<string>() };
  if (!pulumi.runtime.isDryRun()) {
    // At once: an update that fails would not come to it, and then say of its plan that this is missing.
    useBuiltinProvider().catch(() => undefined);
    return program;
  }
  let isWhole = false;
  const outputs = pulumi.runtime.getStackResource()?.outputs;
  (outputs as unknown as Resolving | undefined)?.promise().then(
    () => (isWhole = true),
    () => undefined,
  );
  // Pulumi waits for what listeners of others do here: its cmd/run/index.js.
  process.once("beforeExit", () => {
    if (!isWhole || pulumi.log.hasErrors()) return;
    tellLostRules(program).catch(() => undefined);
  });
  return program;
}

async function tellRename(name: string): Promise<void> {
  const known = await knownRuleSets();
  const program = holder[PROGRAM];
  if (known.length === 0 || !program) return;
  const declared = await Promise.race([
    Promise.all([...program.ruleSets].map((seen) => declaredAs(seen, known))),
    // Another rule set may wait for this one.
    sleep(PATIENCE_MS),
  ]);
  const isNew = declared?.some((other) => other.name === name && other.isNew);
  if (isNew) await say(program, describeRenames(known, declared ?? []));
}

async function tellLostRules(program: Program): Promise<void> {
  const known = await knownRuleSets();
  if (known.length === 0) return;
  const declared = await Promise.all(
    [...program.ruleSets].map(async (seen) => {
      const ruleSet = await declaredAs(seen, known);
      const { id, environmentId } = seen.resource as pulumi.CustomResource & {
        readonly environmentId?: unknown;
      };
      if ((await knownValue(id)) === undefined) return ruleSet;
      // It exists, be it by an alias that a transform has given it.
      const environment = await knownValue(environmentId);
      return {
        ...ruleSet,
        isNew: false,
        ...(typeof environment === "string" && { environment }),
      };
    }),
  );
  await say(program, describeLostRules(known, declared));
  await say(program, describeRenames(known, declared));
}

async function say({ said }: Program, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    if (said.has(line)) continue;
    said.add(line);
    await pulumi.log.warn(line);
  }
}

async function knownRuleSets(): Promise<KnownRuleSet[]> {
  const state = await stackState();
  const found = state?.ofType(resourceType(KIND)) ?? [];
  return [...found].map(([urn, outputs]) => ({ urn, outputs }));
}

async function declaredAs(
  { resource, name, args }: Seen,
  known: readonly KnownRuleSet[],
): Promise<DeclaredRuleSet> {
  const { __parentResource: parent, __aliases: aliases } =
    resource as unknown as Placed;
  const type = resourceType(KIND);
  const urns = await resourceUrns({ name, type, parent, aliases });
  const last = known.find(({ urn }) => urns.includes(urn));
  const environment =
    (await knownValue(args.environment)) ??
    last?.outputs.environmentId ??
    (args.environment === undefined ? "default" : undefined);
  return {
    name,
    urns,
    isNew: last === undefined,
    ...(typeof environment === "string" && { environment }),
    takeOver: (await knownValue(args.takeOver)) === true,
  };
}

/** The members of a resource that Pulumi's declarations leave out. */
interface Placed {
  readonly __parentResource?: pulumi.Resource;
  readonly __aliases?: readonly pulumi.Output<pulumi.URN>[];
}

/** Those of an Output. */
interface Resolving {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<unknown>;
}

/** A value of the program as far as a preview knows it. */
async function knownValue(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const output = value as unknown as Resolving;
  return (await output.isKnown) ? output.promise() : undefined;
}
