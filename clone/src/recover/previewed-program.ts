import { z } from "zod";
import { nameOfUrn, SECRET_MARK } from "@devid/pulumi/definitions";
import {
  containsSecretText,
  containsUnknownText,
  kindOfType,
  type PreviewedResource,
  readPreview,
  SECRET_TEXT,
  splitProvider,
  typeOfUrn,
  UnreadablePreviewError,
} from "@devid/pulumi/state";

const Json = z.record(z.string(), z.unknown());

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

/** A resource that a program declares, as a preview shows it. */
export interface ProgramResource {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  /** The kind of a resource of devid: `ApiKey`. */
  readonly kind?: string;
  /** False for a component. */
  readonly custom: boolean;
  /** Whether the state of the stack has it already. */
  readonly isInState: boolean;
  /** The checked inputs. Unknown values and hidden secrets are absent. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the inputs whose values are known only after an update. */
  readonly unknown: ReadonlySet<string>;
  /** Names of the inputs that are secret, in whole or in part. */
  readonly secret: ReadonlySet<string>;
  /** Names of the secret inputs whose values the preview hides. */
  readonly hidden: ReadonlySet<string>;
  /** URN of the provider, without its ID. */
  readonly provider?: string;
  /** The URNs of the resources that an input depends on, by the name of the input. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** The whole record, as a state would have it. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** The resources of a program in a stack, each after its dependencies. */
export interface PreviewedProgram {
  readonly project: string;
  readonly stack: string;
  readonly resources: readonly ProgramResource[];
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
  {
    name = "of the program",
    plan,
    state,
  }: {
    readonly name?: string;
    readonly plan?: string;
    readonly state?: string;
  } = {},
): PreviewedProgram {
  const { stack: path, resources } = readPreview(preview, name);
  const [project, stack] = path?.split("/") ?? [];
  if (stack === undefined || project === undefined)
    throw new UnreadablePreviewError(
      `The preview ${name} shows no resource: the program declares none, or the preview is of another kind than pulumi preview --json prints.`,
    );
  const planned = plan === undefined ? {} : plannedInputs(plan);
  const kept = state === undefined ? {} : keptInputs(state);
  return {
    project,
    stack,
    resources: resources.flatMap((resource) => {
      const { urn } = resource;
      const plain = { ...kept[urn], ...planned[urn] };
      return declaredResource(resource, plain);
    }),
  };
}

/** A resource of a preview as the program declares it; empty if the program does not. */
function declaredResource(
  { urn, name, type, kind, operation, after }: PreviewedResource,
  plain: Readonly<Record<string, unknown>>,
): ProgramResource[] {
  if (!after) return [];
  const { custom, provider, propertyDependencies } = after;
  const inputs: Record<string, unknown> = {};
  const unknown = new Set<string>();
  const secret = new Set<string>();
  const hidden = new Set<string>();
  for (const [input, shown] of Object.entries(after.inputs)) {
    if (input.startsWith("__")) continue;
    const isSecret = containsSecretText(shown);
    const value =
      isSecret && input in plain ? withoutMarks(plain[input]) : shown;
    if (isSecret) secret.add(input);
    if (containsUnknownText(value)) unknown.add(input);
    else if (containsSecretText(value)) hidden.add(input);
    else inputs[input] = value;
  }
  return [
    {
      urn,
      name,
      type,
      ...(kind !== undefined && { kind }),
      custom,
      isInState: operation !== "create",
      inputs,
      unknown,
      secret,
      hidden,
      ...(provider && { provider: splitProvider(provider).urn }),
      propertyDependencies,
      record: after,
    },
  ];
}

/** A resource as messages name it: `ApiKey "shop"`. */
export function resourceLabel(urn: string): string {
  const type = typeOfUrn(urn);
  return `${kindOfType(type) ?? type} "${nameOfUrn(urn)}"`;
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
      : SECRET_TEXT;
  return Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, withoutMarks(one)]),
  );
}

/** A record without unknown and hidden values, as in a state. */
export function knownPart(
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => !containsUnknownText(value) && !containsSecretText(value),
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
    // The parser's message is left out, because it may quote a secret.
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
