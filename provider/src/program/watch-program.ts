import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import {
  describeLostRules,
  describeRenames,
  type DeclaredRuleSet,
  type KnownRuleSet,
} from "./describe-lost-rules";
import { pluginType, resourceType } from "../definition/engine-names";
import type { OutputMembers, ResourceMembers } from "./pulumi-members";
import { resourceUrns } from "./resource-urns";
import { hasEngine, stackState, useBuiltinProvider } from "./stack-state";

/** A resource as the program declared it. */
interface Declared {
  readonly resource: pulumi.CustomResource;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The running program, shared by all copies of this package in the process. */
interface Program {
  readonly ruleSets: Set<Declared>;
  readonly shown: Set<string>;
}

const PROGRAM = Symbol.for("@devid/pulumi program");
const holder = globalThis as { [PROGRAM]?: Program };

const KIND = "FilteringRuleSet";

/** Longest wait for the values of other rule sets before one is registered. */
const PATIENCE_MS = 1_000;

/**
 * Records what a program declares. At the end of a preview it warns about each
 * environment that a deployment would leave without filtering rules; an update
 * shows no warning. Neither does an inline program of the Automation API: it runs
 * inside another process, where the end of the program cannot be noticed.
 */
export function watchProgram(kind: string, declared: Declared): void {
  if (!isWatched()) return;
  const program = (holder[PROGRAM] ??= startWatching());
  if (kind === KIND) program.ruleSets.add(declared);
}

/**
 * In a preview, warns about an alias that a new rule set may lack. It comes before
 * the rule set is registered, because the provider may refuse it then, which ends
 * the program.
 * @returns undefined where there is nothing to wait for
 */
export function beforeRegistration(
  kind: string,
  name: string,
): Promise<void> | undefined {
  if (kind !== KIND || !isWatched() || !pulumi.runtime.isDryRun())
    return undefined;
  // A failed warning must not fail the program.
  return warnOfRename(name).catch(() => undefined);
}

const isWatched = () =>
  hasEngine() && process.env.PULUMI_NODEJS_MONITOR !== undefined;

function startWatching(): Program {
  const program = { ruleSets: new Set<Declared>(), shown: new Set<string>() };
  if (!pulumi.runtime.isDryRun()) {
    // Called at once, because an update that fails early would otherwise lack a call
    // that its saved plan has.
    useBuiltinProvider().catch(() => undefined);
    return program;
  }
  let isWhole = false;
  const outputs = pulumi.runtime.getStackResource()?.outputs;
  (outputs as unknown as OutputMembers | undefined)?.promise().then(
    () => (isWhole = true),
    () => undefined,
  );
  // Pulumi waits for the work of such listeners: see its cmd/run/index.js.
  process.once("beforeExit", () => {
    if (!isWhole || pulumi.log.hasErrors()) return;
    warnOfLostRules(program).catch(() => undefined);
  });
  return program;
}

async function warnOfRename(name: string): Promise<void> {
  const known = await knownRuleSets();
  const program = holder[PROGRAM];
  if (known.length === 0 || !program) return;
  const declared = await Promise.race([
    Promise.all([...program.ruleSets].map((one) => declaredAs(one, known))),
    // Its values may themselves depend on the rule set that waits here.
    sleep(PATIENCE_MS),
  ]);
  const isNew = declared?.some((other) => other.name === name && other.isNew);
  if (isNew) await warn(program, describeRenames(known, declared ?? []));
}

async function warnOfLostRules(program: Program): Promise<void> {
  const known = await knownRuleSets();
  if (known.length === 0) return;
  const declared = await Promise.all(
    [...program.ruleSets].map(async (one) => {
      const ruleSet = await declaredAs(one, known);
      const { id, environmentId } = one.resource as pulumi.CustomResource & {
        readonly environmentId?: unknown;
      };
      if ((await knownValue(id)) === undefined) return ruleSet;
      // A known ID says that it exists, perhaps by an alias that a transform added.
      const environment = await knownValue(environmentId);
      return {
        ...ruleSet,
        isNew: false,
        ...(typeof environment === "string" && { environment }),
      };
    }),
  );
  await warn(program, describeLostRules(known, declared));
  await warn(program, describeRenames(known, declared));
}

async function warn(
  { shown }: Program,
  lines: readonly string[],
): Promise<void> {
  for (const line of lines) {
    if (shown.has(line)) continue;
    shown.add(line);
    await pulumi.log.warn(line);
  }
}

async function knownRuleSets(): Promise<KnownRuleSet[]> {
  const state = await stackState();
  const types = [resourceType(KIND), pluginType(KIND)];
  const found = types.flatMap((type) => [...(state?.ofType(type) ?? [])]);
  return found.map(([urn, outputs]) => ({ urn, outputs }));
}

async function declaredAs(
  { resource, name, args }: Declared,
  known: readonly KnownRuleSet[],
): Promise<DeclaredRuleSet> {
  const {
    __pulumiType: type,
    __parentResource: parent,
    __aliases: aliases,
  } = resource as unknown as ResourceMembers;
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

/** A value of the program; undefined where a preview does not know it. */
export async function knownValue(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const output = value as unknown as OutputMembers;
  return (await output.isKnown) ? output.promise() : undefined;
}
