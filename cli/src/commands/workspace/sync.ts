import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  applyDifferences,
  compareWorkspaces,
  deletedRules,
  exportProgram,
  formatRecovery,
  LANGUAGES,
  onlyInTarget,
  readDifferences,
  readManifest,
  readSyncMap,
  readWorkspace,
  recoverStack,
  select,
  summarizeRecovery,
  SYNC_MAP,
  syncMapText,
  withoutUndeclared,
  withUnclaimed,
  writeProgram,
  type DifferingValue,
  type ExportedProgram,
  type OnlyInTarget,
  type ProgramForm,
  type Recovery,
  type Selection,
  type StackDeployment,
  type Workspace,
} from "@devid/clone";
import { REGIONS, type Client, type Region } from "@devid/sdk";
import { Argument, Command, Option } from "commander";
import { parseDocument } from "yaml";
import { readText, UsageError } from "../../errors";
import { repeatedFlag } from "../../flags/flag-values";
import { jsonOption } from "../../flags/shared-options";
import { confirm } from "../../output/confirm";
import { ReadProgressLine } from "../../output/progress";
import { EXIT } from "../../output/report-error";
import { printJson, writePrivately } from "../../output/write-output";
import { assertTwoWorkspaces } from "../../sources/compared-source";
import { configuredClient } from "../../sources/configured-client";
import {
  StackOfProgram,
  type PlannedStep,
} from "../../sources/stack-of-program";

interface Flags extends Partial<ProgramForm> {
  readonly out: string;
  readonly stack?: string;
  readonly differences?: string;
  readonly choose?: readonly string[];
  readonly plan?: true;
  readonly prune?: true;
  readonly yes?: true;
  readonly json?: true;
}

const DIFFERENCES = "differences.yaml";

/** `devid sync`: makes the workspace of one region like that of another. */
export function sync(): Command {
  const region = (name: string, about: string) =>
    new Argument(name, about).choices(REGIONS);
  return new Command("sync")
    .addArgument(
      region("<from>", "the region to read; nothing is changed there"),
    )
    .addArgument(region("<to>", "the region to change"))
    .requiredOption(
      "--out <folder>",
      "folder of the program, kept between runs",
    )
    .option("--plan", "show what would change, and change nothing")
    .option("--prune", "delete what only the second region has, rules included")
    .option(
      "--differences <file>",
      `what differs on purpose; default: ${DIFFERENCES} in the folder`,
    )
    .option("--stack <name>", "Pulumi stack; default: the second region")
    .option(
      "--choose <name=id>",
      "match the resource of this name to the object with this ID; repeatable",
      repeatedFlag,
    )
    .addOption(
      new Option("--language <language>", "language of the program").choices(
        LANGUAGES,
      ),
    )
    .option("--plugin", "use the provider plugin; YAML programs always do")
    .option("--yes", "make the changes without asking")
    .addOption(jsonOption())
    .action(async (from: Region, to: Region, flags: Flags) => {
      if (from === to)
        throw new UsageError(`${from} and ${to} are one region; name two.`);
      const report = await synchronize(from, to, flags);
      if (flags.json) printJson(report);
      else process.stdout.write(formatted(report, flags));
      const isOpen = flags.plan && report.changes.length > 0;
      if (isOpen) process.exitCode = EXIT.differences;
    });
}

interface SyncReport {
  readonly from: Region;
  readonly to: Region;
  readonly folder: string;
  readonly stack: string;
  /** Values that differ on purpose. */
  readonly values: readonly DifferingValue[];
  /** Lines of the differences file that have no effect. */
  readonly unused: readonly string[];
  readonly changes: readonly PlannedStep[];
  readonly onlyThere: readonly OnlyInTarget[];
  readonly applied: boolean;
}

async function synchronize(
  from: Region,
  to: Region,
  flags: Flags,
): Promise<SyncReport> {
  const { out, stack = to, plan, prune } = flags;
  const { source, target, configuration } = await readBoth(from, to);
  const { workspace, values, unused } = applyDifferences(
    source,
    readDifferences(differencesFile(flags), to, differencesPath(flags)),
  );
  for (const one of unused)
    process.stderr.write(`${differencesPath(flags)}: ${one}.\n`);
  const earlier = readManifest(out);
  const selection = select(workspace);
  const program = exportProgram(selection, configuration, {
    ...(earlier.form ?? {}),
    ...(flags.language && { language: flags.language, plugin: false }),
    ...(flags.plugin && { plugin: true }),
    names: earlier.names,
    target: to,
  });
  writeProgram(out, program, { mayLose: true });
  const report = { from, to, folder: out, stack, values, unused };
  const onlyThere = sameAlready(selection, target, program, out);
  if (onlyThere && !(prune && onlyThere.length > 0))
    return { ...report, changes: [], onlyThere, applied: false };

  assertInstalled(out);
  const pulumi = new StackOfProgram(out, stack);
  await pulumi.selectOrCreate();
  const before = await pulumi.state();
  const recovery = await recovered(pulumi, before, flags);
  const { state } = recovery;
  if (!state)
    throw new UsageError(
      `${formatRecovery(summarizeRecovery(recovery))}\nNothing was changed.`,
    );
  if (!prune) assertKeepsRules(recovery, from, to);
  await pulumi.importState(
    prune ? withUnclaimed(state, recovery, configuration) : state,
  );
  try {
    const changes = await pulumi.plannedSteps();
    const shown = { ...report, changes, onlyThere: onlyInTarget(recovery) };
    if (plan) return { ...shown, applied: false };
    if (changes.length > 0) {
      await assertWanted(shown, flags);
      await pulumi.up();
    }
    return { ...shown, applied: changes.length > 0 };
  } finally {
    // With --plan, the stack does not change.
    if (plan) await pulumi.importState(before);
    else await writeMap(pulumi, out, program, { source, target });
  }
}

/**
 * Reads both workspaces at once, because each has a throttle of its own.
 * @returns them, with the configuration of the first one's client
 * @throws UsageError where both keys are for one workspace
 */
async function readBoth(from: Region, to: Region) {
  const clients = {
    from: configuredClient({ region: from }),
    to: configuredClient({ region: to }),
  };
  process.stderr.write(`Reading ${from} and ${to}\n`);
  const [source, target] = await Promise.all([
    readWhole(clients.from, from),
    readWhole(clients.to, to),
  ]);
  const side = (
    name: Region,
    workspace: Workspace,
    { configuration }: Client,
  ) => {
    const keyFrom = configuration.managementKey?.from;
    return {
      ...{ kind: "workspace" as const, name, workspace },
      ...(keyFrom !== undefined && { keyFrom }),
    };
  };
  assertTwoWorkspaces(
    side(from, source, clients.from),
    side(to, target, clients.to),
  );
  return { source, target, configuration: clients.from.configuration };
}

/** @throws UsageError where the service does not list all kinds of objects */
async function readWhole(client: Client, region: Region): Promise<Workspace> {
  const workspace = await readWorkspace(client);
  const [unread] = workspace.unread;
  if (unread)
    throw new UsageError(
      `The ${unread.what} of ${region} could not be read, so nothing was changed. ${unread.reason}`,
    );
  return workspace;
}

const differencesPath = ({ differences, out }: Flags) =>
  differences ?? join(out, DIFFERENCES);

function differencesFile(flags: Flags): unknown {
  const path = differencesPath(flags);
  if (flags.differences === undefined && !existsSync(path)) return undefined;
  const document = parseDocument(readText(path));
  const [mistake] = document.errors;
  if (mistake) throw new UsageError(`${path}: ${mistake.message}`);
  return document.toJS();
}

/**
 * If there is nothing to do, the objects that only the target has. Undefined if the
 * target differs, or if the ID map of the last sync differs.
 */
function sameAlready(
  selection: Selection,
  target: Workspace,
  { names }: ExportedProgram,
  folder: string,
): OnlyInTarget[] | undefined {
  const map = readSyncMap(folder);
  if (map?.to.workspace !== target.defaultEnvironment.id) return undefined;
  const isMapped = Object.entries(names).every(([kind, ofKind]) =>
    Object.keys(ofKind).every((id) => {
      const copy = map.ids[kind]?.[id];
      return target.objects[kind]?.some((object) => object.id === copy);
    }),
  );
  if (!isMapped) return undefined;
  const { objects, ruleSets } = compareWorkspaces(
    { name: "from", selection },
    { name: "to", selection: select(target) },
  );
  const isSame =
    ruleSets.length === 0 && objects.every(({ change }) => change === "added");
  return isSame
    ? objects.map(({ what, name, ids }) => ({
        what,
        name,
        id: ids.after ?? "",
      }))
    : undefined;
}

function assertInstalled(folder: string): void {
  if (!existsSync(join(folder, "node_modules/@devid/pulumi")))
    throw new UsageError(
      `The program is in ${folder}, and its packages are not installed. Run npm install there, and then this command again.`,
    );
}

/**
 * The objects of the target that belong to the program's resources, and the resulting
 * state.
 */
async function recovered(
  pulumi: StackOfProgram,
  before: StackDeployment,
  { choose = [] }: Flags,
): Promise<Recovery> {
  const { program, stackConfig } = await pulumi.previewed(before);
  const progress = new ReadProgressLine("Reading");
  return recoverStack({
    ...{ program, stackConfig, choices: choose },
    before: withoutUndeclared(before, program),
    onProgress: progress.show,
  }).finally(() => progress.end());
}

/** @throws UsageError where rules would be deleted that only the target has */
function assertKeepsRules(recovery: Recovery, from: Region, to: Region): void {
  const deleted = deletedRules(recovery);
  if (deleted.length === 0) return;
  const lines = deleted.map(
    ({ environment, names }) => `\n  ${environment}: ${names.join(", ")}`,
  );
  throw new UsageError(
    `${to} has filtering rules that ${from} does not have, so nothing was changed:${lines.join("")}\n` +
      `Take them into ${from}, or let this command delete them with --prune.`,
  );
}

/** @throws UsageError unless the user agrees */
async function assertWanted(
  report: Omit<SyncReport, "applied">,
  { yes, json }: Flags,
): Promise<void> {
  if (yes) return;
  if (json || !process.stdin.isTTY)
    throw new UsageError(
      `${report.changes.length} changes are to be made in ${report.to}. See them with --plan, and make them with --yes.`,
    );
  process.stderr.write(changesText(report));
  if (!(await confirm(`Make these changes in ${report.to}?`)))
    throw new UsageError("Nothing was changed.");
}

async function writeMap(
  pulumi: StackOfProgram,
  folder: string,
  { names }: ExportedProgram,
  {
    source,
    target,
  }: { readonly source: Workspace; readonly target: Workspace },
): Promise<void> {
  const side = ({ region, defaultEnvironment }: Workspace) => ({
    region,
    workspace: defaultEnvironment.id,
  });
  const after = await pulumi.state();
  const sides = { from: side(source), to: side(target) };
  writePrivately(join(folder, SYNC_MAP), syncMapText(sides, names, after));
}

const SIGNS = { create: "+", update: "~", replace: "+-", delete: "-" } as const;

const changesText = ({ changes }: Pick<SyncReport, "changes">) =>
  changes
    .map(
      ({ operation, kind, name }) => `  ${SIGNS[operation]} ${kind} ${name}\n`,
    )
    .join("");

function formatted(report: SyncReport, { plan, prune }: Flags): string {
  const { from, to, values, changes, onlyThere, applied, folder } = report;
  const parts = [`${from} -> ${to}\n`];
  if (values.length > 0)
    parts.push(
      values.length === 1
        ? "1 value differs on purpose:\n"
        : `${values.length} values differ on purpose:\n`,
      ...values.map(
        ({ what, name, field, before, after }) =>
          `  ${what} ${name}: ${field} ${JSON.stringify(before)} -> ${JSON.stringify(after)}\n`,
      ),
    );
  if (changes.length > 0)
    parts.push(
      plan ? `To be changed in ${to}:\n` : `Changed in ${to}:\n`,
      changesText(report),
    );
  else parts.push(`Nothing to do: ${to} has what ${from} has.\n`);
  if (onlyThere.length > 0 && !prune)
    parts.push(
      `Only ${to} has these, and they stay:\n`,
      ...onlyThere.map(({ what, id, name }) => `  ${what} ${name} (${id})\n`),
    );
  if (applied)
    parts.push(
      `${join(folder, "REPORT.md")} says who needs new tokens and keys.\n`,
    );
  return parts.join("");
}
