import { stripVTControlCharacters } from "node:util";
import { DevidError } from "@devid/sdk";
import { z } from "zod";
import { kindOfType, nameOfUrn } from "../definition/engine-names";

const Json = z.record(z.string(), z.unknown());

const ResourceState = z.looseObject({
  type: z.string(),
  custom: z.boolean().default(false),
  id: z.string().optional(),
  provider: z.string().optional(),
  inputs: Json.default({}),
  outputs: Json.default({}),
  propertyDependencies: z.record(z.string(), z.array(z.string())).default({}),
});

const Step = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: ResourceState.nullish(),
  newState: ResourceState.nullish(),
});

const PreviewOutput = z.object({
  steps: z.array(Step).default([]),
  config: z.record(z.string(), z.string()).default({}),
  changeSummary: z.record(z.string(), z.number()).default({}),
  diagnostics: z
    .array(z.object({ severity: z.string(), message: z.string() }))
    .default([]),
});

/**
 * A resource in the state, or as a deployment would leave it: the whole record.
 * `SECRET_TEXT` stands in place of a secret, and `UNKNOWN_TEXT` in place of a
 * value that is known only after the deployment.
 */
export type PreviewedState = z.output<typeof ResourceState>;

/** What a deployment does with a resource. */
export type Operation = "create" | "update" | "replace" | "delete" | "same";

/** A resource of a preview. */
export interface PreviewedResource {
  readonly urn: string;
  readonly name: string;
  /** `devid:index:ApiKey` */
  readonly type: string;
  /** `ApiKey` for either form of a resource of devid; absent for resources of other packages. */
  readonly kind?: string;
  readonly operation: Operation;
  /**
   * The resource in the state, after a refresh if there was one; absent for a
   * new resource.
   */
  readonly before?: PreviewedState;
  /**
   * The resource as the last deployment or refresh left it in the state: before
   * the refresh of this preview, if there was one. Absent for a new resource.
   */
  readonly recorded?: PreviewedState;
  /** The resource after the deployment; absent if it is deleted. */
  readonly after?: PreviewedState;
}

/** What a preview shows. */
export interface Preview {
  /** `project/stack`; absent if the preview shows no resource. */
  readonly stack?: string;
  /**
   * The resources in the preview's order, the stack itself included, without those
   * that the program only reads. A resource that stays as it is appears
   * only with `--show-sames`.
   */
  readonly resources: readonly PreviewedResource[];
  /** The stack's configuration: `devid:region`. Secrets are `SECRET_TEXT`. */
  readonly config: Readonly<Record<string, string>>;
  /** Whether the preview leaves out resources that stay as they are. */
  readonly hidesSames: boolean;
}

/** A text is not the output of `pulumi preview --json`. */
export class UnreadablePreviewError extends DevidError {
  override readonly name: string = "UnreadablePreviewError";
}

/**
 * The output of `pulumi preview --json` does not describe a deployment: the
 * preview failed, or its output is incomplete.
 */
export class FailedPreviewError extends UnreadablePreviewError {
  override readonly name = "FailedPreviewError";
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
 * failed or is incomplete; undefined if no resource names it. Stack config, which comes first,
 * may name another stack.
 */
export function previewedStack(text: string): string | undefined {
  const [, stack, project] =
    /"urn":\s*"urn:pulumi:([^":]+)::([^":]+)::/.exec(text) ?? [];
  return stack && project && `${project}/${stack}`;
}

/**
 * Reads the output of `pulumi preview --json`, for dynamic resources and the plugin.
 * All code that needs a preview uses this function.
 * @param name name of the preview in error messages: `preview.json`
 * @throws FailedPreviewError; UnreadablePreviewError for any other text
 */
export function readPreview(text: string, name: string): Preview {
  const { steps, config, changeSummary, diagnostics } = outputOf(text, name);
  const failures = failuresIn(diagnostics);
  if (failures.length > 0)
    throw new FailedPreviewError(
      `The preview ${name} failed, so it does not show what the deployment would do: ${messageOf(failures)}`,
    );
  const byUrn = new Map<string, PreviewStep[]>();
  for (const step of steps)
    byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  const stack = previewedStack(text);
  return {
    ...(stack !== undefined && { stack }),
    resources: [...byUrn].flatMap(([urn, own]) => resourceOf(urn, own)),
    config,
    // A refresh shows every resource.
    hidesSames:
      (changeSummary.same ?? 0) > 0 &&
      !steps.some(({ op }) => op === "same" || op === "refresh"),
  };
}

type PreviewStep = z.output<typeof Step>;

// No message quotes the text: with --show-secrets it holds secrets.
function outputOf(text: string, name: string): z.output<typeof PreviewOutput> {
  if (text.trim() === "")
    throw new FailedPreviewError(
      `The preview ${name} is empty: pulumi preview --json printed nothing. The log of that step shows why.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (!text.trimStart().startsWith("{"))
      throw new UnreadablePreviewError(
        `${name} is not the output of pulumi preview --json: it is not JSON.`,
      );
    throw new FailedPreviewError(
      `The preview ${name} is not whole: pulumi preview --json was stopped. The log of that step shows why.`,
    );
  }
  const read = PreviewOutput.safeParse(value);
  if (read.success && hasPreviewParts(value)) return read.data;
  const problem = read.error
    ? z.prettifyError(read.error)
    : "it has neither steps nor diagnostics";
  throw new UnreadablePreviewError(
    `${name} is not the output of pulumi preview --json: ${problem}.`,
  );
}

/**
 * The diagnostics that say why a preview failed. For a mistake in a YAML program, the
 * engine reports no error, but the coloured output of the language host.
 */
function failuresIn(
  diagnostics: z.output<typeof PreviewOutput>["diagnostics"],
): readonly { readonly message: string }[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors;
  const start = diagnostics.findIndex(({ message }) =>
    message.startsWith(YAML_ERROR),
  );
  return start < 0
    ? []
    : diagnostics
        .slice(start)
        .map(({ message }) => ({ message: stripVTControlCharacters(message) }));
}

const YAML_ERROR = "\u001b[31mError\u001b[0m: ";

/**
 * Explains why a preview failed. The engine's own last message, that it failed,
 * is used only if there is no other.
 */
function messageOf(failures: readonly { readonly message: string }[]): string {
  const messages = failures.map(({ message }) => message.trim());
  const specific = messages.filter((text) => text !== "error: preview failed");
  return [...new Set(specific.length > 0 ? specific : messages)].join("\n");
}

/** Steps of resources that the program only reads. */
const READING = new Set([
  "read",
  "read-replacement",
  "read-discard",
  "discard",
  "discard-replaced",
]);

function resourceOf(
  urn: string,
  steps: readonly PreviewStep[],
): PreviewedResource[] {
  const refreshed = steps.findLast(({ op }) => op === "refresh");
  const own = steps.filter(({ op }) => op !== "refresh");
  if (own.length > 0 && own.every(({ op }) => READING.has(op))) return [];
  const was = own.findLast(({ oldState }) => oldState)?.oldState;
  const before = was ?? refreshed?.newState ?? undefined;
  const recorded = refreshed?.oldState ?? was;
  const becomes =
    own.length > 0 ? own.findLast(({ newState }) => newState) : refreshed;
  const after = becomes?.newState ?? undefined;
  const type = (after ?? before)?.type;
  // A refresh found that the resource is gone, and the program does not declare
  // it.
  if (type === undefined) return [];
  const kind = kindOfType(type);
  return [
    {
      urn,
      name: nameOfUrn(urn),
      type,
      ...(kind !== undefined && { kind }),
      operation: operationOf(own.map(({ op }) => op)),
      ...(before && { before }),
      ...(recorded && { recorded }),
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
