import { z } from "zod";
import { FailedPreviewError, UsageError } from "../errors";

const RULE_SET = "FilteringRuleSet";
const DEVID_TYPE = /^pulumi-nodejs:dynamic\/devid:(\w+)$/;
const STACK_TYPE = "pulumi:pulumi:Stack";

const ResourceState = z.object({
  type: z.string(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
});

const Step = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: ResourceState.nullish(),
  newState: ResourceState.nullish(),
});

/** The parts of the output of `pulumi preview --json` that we read. */
const PreviewOutput = z.object({
  steps: z.array(Step).default([]),
  diagnostics: z
    .array(z.object({ severity: z.string(), message: z.string() }))
    .default([]),
});

/** A resource in the state, or as a deployment would leave it. */
export type PreviewedState = z.output<typeof ResourceState>;

/** What a deployment does with a resource. */
export type Operation = "create" | "update" | "replace" | "delete" | "same";

/** A resource of a preview. */
export interface PreviewedResource {
  readonly urn: string;
  readonly name: string;
  /** `Webhook`, or the whole type of a resource that is not devid's. */
  readonly type: string;
  readonly operation: Operation;
  /**
   * The resource in the state, after a refresh if there was one; absent for a
   * new resource.
   */
  readonly before?: PreviewedState;
  /** The resource after the deployment; absent if it is deleted. */
  readonly after?: PreviewedState;
}

/** The resources of a preview, in the preview's order. */
export interface Preview {
  /** `project/stack`; absent if the preview shows no resource. */
  readonly stack?: string;
  readonly ruleSets: readonly PreviewedResource[];
  /** All other resources, without the stack itself. */
  readonly others: readonly PreviewedResource[];
}

/** Whether a text is the output of `pulumi preview --json`. */
export function isPreview(text: string): boolean {
  // Most rule files are YAML, and this check avoids parsing them.
  if (!text.trimStart().startsWith("{")) return false;
  try {
    return hasPreviewParts(JSON.parse(text));
  } catch {
    return false;
  }
}

const hasPreviewParts = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  ["steps", "changeSummary", "diagnostics"].some((part) => part in value);

/**
 * The stack of a preview, `project/stack`. It is also found if the preview
 * failed or is incomplete; undefined if no resource names it.
 */
export function previewedStack(text: string): string | undefined {
  const [, stack, project] =
    /"urn:pulumi:([^":]+)::([^":]+)::/.exec(text) ?? [];
  return stack && project && `${project}/${stack}`;
}

/**
 * Parses the output of `pulumi preview --json`.
 * @param path name of the preview in error messages
 * @throws FailedPreviewError; UsageError for any other text
 */
export function readPreview(text: string, path: string): Preview {
  const { steps, diagnostics } = outputOf(text, path);
  const failures = diagnostics.filter(({ severity }) => severity === "error");
  if (failures.length > 0)
    throw new FailedPreviewError(
      `The preview ${path} failed, so it does not show which rules there would be: ${messageOf(failures)}`,
    );
  const byUrn = new Map<string, (typeof steps)[number][]>();
  for (const step of steps)
    byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  const resources = [...byUrn].flatMap(([urn, own]) => resourceOf(urn, own));
  const stack = previewedStack(text);
  return {
    ...(stack !== undefined && { stack }),
    ruleSets: resources.filter(({ type }) => type === RULE_SET),
    others: resources.filter(
      ({ type }) => type !== RULE_SET && type !== STACK_TYPE,
    ),
  };
}

function outputOf(text: string, path: string): z.output<typeof PreviewOutput> {
  if (text.trim() === "")
    throw new FailedPreviewError(
      `The preview ${path} is empty: pulumi preview --json printed nothing. What stopped it stands in the log of that step.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!text.trimStart().startsWith("{"))
      throw new UsageError(
        `${path} is not the output of pulumi preview --json: it does not begin as JSON does.`,
      );
    throw new FailedPreviewError(
      `The preview ${path} is not whole (${(error as Error).message}): pulumi preview --json was stopped. What stopped it stands in the log of that step.`,
    );
  }
  const read = PreviewOutput.safeParse(value);
  if (read.success && hasPreviewParts(value)) return read.data;
  const problem = read.error
    ? z.prettifyError(read.error)
    : "it has neither steps nor diagnostics";
  throw new UsageError(
    `${path} is not the output of pulumi preview --json: ${problem}.`,
  );
}

/**
 * Explains why a preview failed. The engine's own last message, that it failed,
 * is used only if there is no other.
 */
function messageOf(failures: readonly { readonly message: string }[]): string {
  const messages = failures.map(({ message }) => message.trim());
  const telling = messages.filter((text) => text !== "error: preview failed");
  return [...new Set(telling.length > 0 ? telling : messages)].join("\n");
}

function resourceOf(
  urn: string,
  steps: readonly z.output<typeof Step>[],
): PreviewedResource[] {
  const refreshed = steps.findLast(({ op }) => op === "refresh");
  const own = steps.filter(({ op }) => op !== "refresh");
  const was = own.findLast(({ oldState }) => oldState)?.oldState;
  const before = was ?? refreshed?.newState ?? undefined;
  const becomes =
    own.length > 0 ? own.findLast(({ newState }) => newState) : refreshed;
  const after = becomes?.newState ?? undefined;
  const type = (after ?? before)?.type;
  // A refresh found that the resource is gone, and the program does not declare
  // it.
  if (type === undefined) return [];
  const [, short] = DEVID_TYPE.exec(type) ?? [];
  return [
    {
      urn,
      name: urn.split("::").slice(3).join("::"),
      type: short ?? type,
      operation: operationOf(own.map(({ op }) => op)),
      ...(before && { before }),
      ...(after && { after }),
    },
  ];
}

/**
 * Summarises the steps of a resource in one word; a replacement has two or
 * three steps.
 */
function operationOf(steps: readonly string[]): Operation {
  const has = (...names: string[]) => names.some((op) => steps.includes(op));
  const isNew = has("create", "import");
  if (has("replace", "create-replacement", "import-replacement"))
    return "replace";
  if (has("delete-replaced") || (isNew && has("delete"))) return "replace";
  if (isNew) return "create";
  if (has("delete")) return "delete";
  return has("update") ? "update" : "same";
}
