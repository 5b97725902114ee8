import * as pulumi from "@pulumi/pulumi";
import {
  describeRuleSetsThatGo,
  type DeclaredRuleSet,
} from "./describe-rule-sets-that-go";
import { resourceType, resourceUrns } from "./resource-urns";
import { hasEngine, stackState, useBuiltinProvider } from "./stack-state";

/** What is kept of a program that runs, by all copies of this package in its process. */
interface Program {
  readonly ruleSets: Set<Seen>;
}

/** A rule set as it was declared. */
interface Seen {
  readonly resource: pulumi.CustomResource;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const PROGRAM = Symbol.for("@devid/pulumi program");
const holder = globalThis as { [PROGRAM]?: Program };

/**
 * Notes what a program declares. At the end of a preview it says which
 * environments a deployment would leave without filtering rules; an update
 * says nothing. In a program that runs within another process (the Automation
 * API's inline programs) the end cannot be seen, and nothing is said.
 */
export function watchProgram(kind: string, declared: Seen): void {
  if (!hasEngine() || process.env.PULUMI_NODEJS_MONITOR === undefined) return;
  const program = (holder[PROGRAM] ??= startWatching());
  if (kind === "FilteringRuleSet") program.ruleSets.add(declared);
}

function startWatching(): Program {
  const program = { ruleSets: new Set<Seen>() };
  let isWhole = false;
  const outputs = pulumi.runtime.getStackResource()?.outputs;
  (outputs as unknown as Resolving | undefined)?.promise().then(
    () => (isWhole = true),
    () => undefined,
  );
  // Pulumi waits for what listeners of others do here: its cmd/run/index.js.
  process.once("beforeExit", () => {
    if (!isWhole || pulumi.log.hasErrors()) return;
    const work = pulumi.runtime.isDryRun()
      ? tellWhatGoes(program)
      : useBuiltinProvider();
    // What is only told may never fail a program.
    work.catch(() => undefined);
  });
  return program;
}

async function tellWhatGoes({ ruleSets }: Program): Promise<void> {
  const state = await stackState();
  const ofState = state?.ofType(resourceType("FilteringRuleSet"));
  if (!ofState?.size) return;
  const declared = await Promise.all(
    [...ruleSets].map((seen) => describe(seen, ofState)),
  );
  const known = [...ofState].map(([urn, outputs]) => ({ urn, outputs }));
  for (const line of describeRuleSetsThatGo(known, declared))
    await pulumi.log.warn(line);
}

async function describe(
  { resource, name, args }: Seen,
  ofState: ReadonlyMap<string, Record<string, unknown>>,
): Promise<DeclaredRuleSet> {
  const { __parentResource: parent, __aliases: aliases } =
    resource as unknown as Placed;
  const type = resourceType("FilteringRuleSet");
  const urns = await resourceUrns({ name, type, parent, aliases });
  const last = urns.map((urn) => ofState.get(urn)).find(Boolean);
  const { environmentId } = resource as unknown as Record<string, unknown>;
  const environment =
    (await known(args.environment)) ??
    (await known(environmentId)) ??
    last?.environmentId ??
    (args.environment === undefined ? "default" : undefined);
  return {
    name,
    urns,
    isNew: last === undefined && (await known(resource.id)) === undefined,
    ...(typeof environment === "string" && { environment }),
    takeOver: (await known(args.takeOver)) === true,
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
async function known(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const output = value as unknown as Resolving;
  return (await output.isKnown) ? output.promise() : undefined;
}
