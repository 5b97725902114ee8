import { DevidError } from "@devid/sdk";
import { z } from "zod";
import {
  containsUnknownText,
  kindOfType,
  UNKNOWN_TEXT,
} from "../../adapters/dynamic/wire";

const Json = z.record(z.string(), z.unknown());

const State = z.looseObject({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean().default(false),
  id: z.string().optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
  inputs: Json.default({}),
  outputs: Json.default({}),
  dependencies: z.array(z.string()).default([]),
  propertyDependencies: z.record(z.string(), z.array(z.string())).default({}),
});

const Output = z.object({
  steps: z
    .array(
      z.object({
        op: z.string(),
        urn: z.string(),
        newState: State.nullish(),
      }),
    )
    .default([]),
  diagnostics: z
    .array(z.object({ severity: z.string(), message: z.string() }))
    .default([]),
});

const Plan = z.object({
  resourcePlans: z
    .record(
      z.string(),
      z.object({
        goal: z
          .object({
            inputDiff: z
              .object({ adds: Json.default({}), updates: Json.default({}) })
              .default({ adds: {}, updates: {} }),
          })
          .optional(),
      }),
    )
    .default({}),
});

const Kept = z.object({
  deployment: z.object({
    resources: z
      .array(z.object({ urn: z.string(), inputs: Json.default({}) }))
      .default([]),
  }),
});

/** What a preview prints in place of a secret. */
const HIDDEN = "[secret]";

/** How the engine writes a secret in JSON: the member and value that mark it. */
export const SECRET_MARK = [
  "4dabf18193072939515e22adb298388d",
  "1b47061264138c4ac30d75fd1eb44270",
] as const;

/** A resource that a program declares, as a preview shows it. */
export interface ProgramResource {
  readonly urn: string;
  /** The name that the program gives it. */
  readonly name: string;
  readonly type: string;
  /** The kind of a resource of devid: `ApiKey`. */
  readonly kind?: string;
  /** False for a component. */
  readonly custom: boolean;
  /** Whether the state of the stack has it already. */
  readonly isInState: boolean;
  /** The checked inputs. Those that a preview does not know are absent, as are secrets that it hides. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the inputs whose values are known only after an update. */
  readonly unknown: ReadonlySet<string>;
  /** Names of the inputs that are secret, in whole or in part. */
  readonly secret: ReadonlySet<string>;
  /** Names of the secret inputs whose values the preview hides. */
  readonly hidden: ReadonlySet<string>;
  /** URN of the provider, without its ID. */
  readonly provider?: string;
  /** By the name of an input, the URNs of the resources that its value comes from. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** The whole record, as a state would have it. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** The resources that a program declares in a stack, each after those that it depends on. */
export interface PreviewedProgram {
  readonly project: string;
  readonly stack: string;
  readonly resources: readonly ProgramResource[];
}

/** A preview does not show which resources a program declares. */
export class UnreadablePreviewError extends DevidError {
  override readonly name = "UnreadablePreviewError";
}

/**
 * Reads what a program declares from the output of `pulumi preview --json`. The
 * secrets that the output hides are in the plan of the same preview (`--save-plan
 * FILE --show-secrets`) and, for inputs that do not change, in the state (`pulumi
 * stack export --show-secrets`).
 * @throws UnreadablePreviewError
 */
export function readPreviewedProgram(
  preview: string,
  { plan, state }: { readonly plan?: string; readonly state?: string } = {},
): PreviewedProgram {
  const { steps, diagnostics } = parse(Output, preview, "pulumi preview");
  const failures = diagnostics.filter(({ severity }) => severity === "error");
  if (failures.length > 0)
    throw new UnreadablePreviewError(
      `The preview of the program failed, so it does not show all that the program declares:\n${failures.map(({ message }) => message.trim()).join("\n")}`,
    );
  const planned = plan === undefined ? {} : plannedInputs(plan);
  const kept = state === undefined ? {} : keptInputs(state);
  const found = new Map<string, ProgramResource>();
  for (const { op, urn, newState } of steps)
    if (newState && !GONE.has(op))
      found.set(
        urn,
        resourceOf(newState, op, { ...kept[urn], ...planned[urn] }),
      );
  const resources = [...found.values()];
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(
    resources[0]?.urn ?? "",
  ) ?? [undefined, undefined, undefined];
  if (stack === undefined || project === undefined)
    throw new UnreadablePreviewError(
      "The preview shows no resource: the program declares none, or the preview is of another kind than pulumi preview --json prints.",
    );
  return { project, stack, resources };
}

/** Steps that a resource of the program does not remain from. */
const GONE = new Set(["delete", "delete-replaced", "discard", "read"]);

function resourceOf(
  state: z.output<typeof State>,
  op: string,
  told: Readonly<Record<string, unknown>>,
): ProgramResource {
  const { urn, type, custom, provider, propertyDependencies } = state;
  const inputs: Record<string, unknown> = {};
  const unknown = new Set<string>();
  const secret = new Set<string>();
  const hidden = new Set<string>();
  for (const [name, shown] of Object.entries(state.inputs)) {
    if (name.startsWith("__")) continue;
    const isSecret = contains(shown, HIDDEN);
    const value = isSecret && name in told ? withoutMarks(told[name]) : shown;
    if (isSecret) secret.add(name);
    if (containsUnknownText(value)) unknown.add(name);
    else if (contains(value, HIDDEN)) hidden.add(name);
    else inputs[name] = value;
  }
  const kind = kindOfType(type);
  return {
    urn,
    name: nameOf(urn),
    type,
    ...(kind !== undefined && { kind }),
    custom,
    isInState: op !== "create",
    inputs,
    unknown,
    secret,
    hidden,
    ...(provider && { provider: splitProvider(provider).urn }),
    propertyDependencies,
    record: state,
  };
}

/** The name in a URN. */
export const nameOf = (urn: string): string =>
  urn.split("::").slice(3).join("::");

/** A resource as messages name it: `ApiKey "shop"`. */
export function resourceLabel(urn: string): string {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  return `${kindOfType(type) ?? type} "${nameOf(urn)}"`;
}

/** The URN and the ID in a reference to a provider. */
export function splitProvider(reference: string): { urn: string; id: string } {
  const at = reference.lastIndexOf("::");
  return { urn: reference.slice(0, at), id: reference.slice(at + 2) };
}

/** The inputs of a plan by URN, secrets included. */
function plannedInputs(plan: string): Record<string, Record<string, unknown>> {
  const { resourcePlans } = parse(Plan, plan, "pulumi preview --save-plan");
  return Object.fromEntries(
    Object.entries(resourcePlans).map(([urn, { goal }]) => [
      urn,
      { ...goal?.inputDiff.adds, ...goal?.inputDiff.updates },
    ]),
  );
}

/** The inputs of a state by URN, secrets included. */
function keptInputs(state: string): Record<string, Record<string, unknown>> {
  const { deployment } = parse(Kept, state, "pulumi stack export");
  return Object.fromEntries(
    deployment.resources.map(({ urn, inputs }) => [urn, inputs]),
  );
}

/** A value of a plan or a state in which the secrets are plain values. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  const [mark, secret] = SECRET_MARK;
  if (members[mark] === secret)
    return typeof members.plaintext === "string"
      ? withoutMarks(JSON.parse(members.plaintext))
      : HIDDEN;
  return Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, withoutMarks(one)]),
  );
}

function contains(value: unknown, text: string): boolean {
  if (value === text) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => contains(part, text));
}

/** A record without the values that are unknown or hidden, as a state may have it. */
export function knownPart(
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) =>
        value !== UNKNOWN_TEXT &&
        !containsUnknownText(value) &&
        !contains(value, HIDDEN),
    ),
  );
}

function parse<S extends z.ZodType>(
  schema: S,
  text: string,
  command: string,
): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message is left out, for it may quote a secret.
    throw new UnreadablePreviewError(
      `What ${command} wrote is no JSON: it was stopped, or is another file.`,
    );
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const paths = read.error.issues.map(({ path }) => z.core.toDotPath(path));
  throw new UnreadablePreviewError(
    `What ${command} wrote has another form than is known here, at ${paths.join(", ")}.`,
  );
}
