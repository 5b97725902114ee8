import {
  driftCount,
  findDrift,
  type Drift,
  StackDeployment,
} from "@devid/clone";
import {
  overridesInText,
  readPreview,
  unusedOverrides,
} from "@devid/pulumi/state";
import { parsedJson, UsageError } from "../errors";
import { withReadProgress } from "../output/progress";
import { EXIT } from "../output/report-error";
import { configOf, previewOf } from "./pulumi";
import { readOutput, readTextFile } from "./rule-files";

/** What a stack is compared with. */
export interface DriftRequest {
  readonly stack?: string;
  /** Path of the output of `pulumi preview --json --show-sames`, instead of running pulumi. */
  readonly plan?: string;
  /** The states of other stacks with objects in the workspace. */
  readonly otherStates?: readonly StackDeployment[];
  /** Path of a list of IDs of objects that are meant to be in no state. */
  readonly allowed?: string;
  /** Whether objects that are in no state are left out. */
  readonly oursOnly?: true;
}

/**
 * Compares a stack's workspace with its state and program.
 * @throws UsageError if there is no preview; the errors of the client
 */
export async function driftOf(
  folder: string,
  request: DriftRequest,
): Promise<Drift> {
  const { otherStates, allowed, oursOnly } = request;
  const source = await sourceOf(folder, request);
  warnOfUnusedOverrides(source);
  const found = await withReadProgress("Reading", (onProgress) =>
    findDrift({
      ...source,
      otherStates,
      allowed: allowed === undefined ? undefined : idsIn(allowed),
      onProgress,
    }),
  );
  return oursOnly ? { ...found, unmanaged: [] } : found;
}

/** The exit code of a command that has looked for drift. */
export function driftExit(found: Drift): number {
  if (driftCount(found) > 0) return EXIT.differences;
  return found.notJudged.length > 0 ? EXIT.error : EXIT.ok;
}

/**
 * Names the resources of the setting `overrides` that the program does not declare. An
 * update of the plugin cannot name them: Pulumi does not tell a provider that the program
 * has ended.
 */
function warnOfUnusedOverrides({ preview, name, stackConfig }: DriftSource) {
  const overrides = overridesInText(stackConfig?.["devid:overrides"]);
  if (overrides === undefined) return;
  const declared = new Map<string, Set<string>>();
  for (const { kind, after, name: own } of readPreview(preview, name).resources)
    if (kind !== undefined && after !== undefined)
      declared.set(kind, (declared.get(kind) ?? new Set()).add(own));
  const from = "stack config devid:overrides";
  for (const message of unusedOverrides(from, overrides, declared))
    process.stderr.write(`Warning: ${message}\n`);
}

type DriftSource = Pick<
  Parameters<typeof findDrift>[0],
  "preview" | "name" | "stackConfig"
>;

async function sourceOf(
  folder: string,
  { plan, stack }: DriftRequest,
): Promise<DriftSource> {
  if (plan !== undefined) return { preview: readOutput(plan), name: plan };
  const program = { folder, stack };
  process.stderr.write("Previewing the program\n");
  return {
    preview: await previewOf(program),
    name: `of ${folder}`,
    stackConfig: await configOf(program),
  };
}

const idsIn = (path: string) =>
  readTextFile(path)
    .text.split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((id) => id !== "");

/**
 * The state in the output of `pulumi stack export`.
 * @param name of a file or stack, for the message
 * @throws UsageError for another text
 */
export function stateIn(text: string, name: string): StackDeployment {
  const state = StackDeployment.safeParse(parsedJson(text));
  if (state.success) return state.data;
  throw new UsageError(
    `${name} is not a state: it takes the output of pulumi stack export.`,
  );
}
