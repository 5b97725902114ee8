import { DevidError } from "@devid/sdk";
import { issueMessage } from "@devid/sdk/wire";
import { replaceInLiterals } from "@devid/rules/language";
import { z } from "zod";
import { checkInputs, fieldMeta } from "@devid/pulumi/definitions";
import { KINDS, type CloneKind } from "../read/clone-kinds";
import { assertChoices, select } from "../read/selection";
import {
  objectsOf,
  titleOf,
  type Workspace,
  type WorkspaceObject,
} from "../read/workspace";

type Values = Readonly<Record<string, unknown>>;

/** Where texts are replaced: in names, in the addresses of webhooks, in the texts within rule expressions. */
const PLACES = ["names", "urls", "rules"] as const;

/** Intended differences between a copy and its source. */
const TargetDifferences = z.strictObject({
  /** Choices of objects that the copy does not have, as of `devid export --exclude`. */
  exclude: z.array(z.string()).default([]),
  replace: z
    .array(
      z.strictObject({
        from: z.string().min(1),
        to: z.string(),
        /** Default: everywhere. */
        in: z.array(z.enum(PLACES)).default([...PLACES]),
      }),
    )
    .default([]),
  /** Arguments by kind and by the name, the address or the ID of an object in the source. */
  set: z
    .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
    .default({}),
});

const Differences = z.record(z.string(), TargetDifferences);

/** Intended differences between the copy in one region and its source. */
export type TargetDifferences = z.output<typeof TargetDifferences>;

/** A file of differences is not valid; nothing was written. */
export class DifferencesError extends DevidError {
  override readonly name = "DifferencesError";
}

/**
 * The intended differences of a target, from a parsed file. Empty if the file does not
 * name the target.
 * @throws DifferencesError
 */
export function readDifferences(
  content: unknown,
  target: string,
  path: string,
): TargetDifferences {
  const parsed = Differences.safeParse(content ?? {}, { error: issueMessage });
  if (!parsed.success)
    throw new DifferencesError(
      `${path} is not valid, so nothing was written:${parsed.error.issues
        .map((issue) => `\n  ${z.core.toDotPath(issue.path)}: ${issue.message}`)
        .join("")}`,
    );
  return parsed.data[target] ?? TargetDifferences.parse({});
}

/** A value that the copy has in place of the source's. */
export interface DifferingValue {
  /** What reports call such an object: `API key`. */
  readonly what: string;
  readonly name: string;
  /** The field, or the rule: `url`, `rules["block-crawlers"]`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A workspace with the intended differences applied. */
export interface DifferingWorkspace {
  readonly workspace: Workspace;
  readonly values: readonly DifferingValue[];
  /** Sentences about lines of the file that have no effect. */
  readonly unused: readonly string[];
}

/**
 * Applies the differences of a copy to a workspace. Texts are replaced in the order of
 * the file; `set` wins over replaced texts.
 * @throws DifferencesError for a value that a resource would refuse
 */
export function applyDifferences(
  workspace: Workspace,
  { exclude, replace, set }: TargetDifferences,
  kinds: readonly CloneKind[] = KINDS,
): DifferingWorkspace {
  assertChoices(workspace, { exclude });
  const { workspace: chosen } = select(workspace, { exclude }, kinds);
  const values: DifferingValue[] = [];
  const used = new Set<unknown>();
  const unused: string[] = [];
  for (const choice of exclude)
    if (isEmpty(select(workspace, { include: [choice] }, kinds).workspace))
      unused.push(`exclude ${JSON.stringify(choice)} means nothing there`);
  const objects = Object.fromEntries(
    kinds.map((kind) => [
      kind.kind,
      objectsOf(chosen, kind).map((object) => {
        const name = titleOf(workspace, kind, object);
        const note = (field: string, before: unknown, after: unknown) =>
          values.push({
            what: kind.definition.singular,
            ...{ name, field, before, after },
          });
        const replaced = replacedTexts(kind, object, replace, used, note);
        const wanted = Object.entries(set[kind.kind] ?? {}).filter(
          ([key]) => key === name || key === object.id,
        );
        for (const [key] of wanted) used.add(`${kind.kind} ${key}`);
        const outputs = wanted.reduce<Values>(
          (all, [key, fields]) => withFields(kind, key, all, fields, note),
          replaced,
        );
        return { ...object, outputs };
      }),
    ]),
  );
  for (const one of replace)
    if (!used.has(one))
      unused.push(
        `replace ${JSON.stringify(one.from)} is in none of the ${one.in.join(", ")}`,
      );
  for (const [kind, ofKind] of Object.entries(set)) {
    if (!kinds.some((one) => one.kind === kind))
      throw new DifferencesError(
        `set.${kind} is no kind; there are ${kinds.map((one) => one.kind).join(", ")}.`,
      );
    for (const key of Object.keys(ofKind))
      if (!used.has(`${kind} ${key}`))
        unused.push(`set.${kind} ${JSON.stringify(key)} is not there`);
  }
  // Names of environments are shown and looked up, so they change with the objects.
  const renamed = new Map(
    (objects.Environment ?? []).map(({ id, outputs }) => [
      id,
      String(outputs.name),
    ]),
  );
  const environments = workspace.environments.map(({ id, name }) => ({
    id,
    name: renamed.get(id) ?? name,
  }));
  return {
    workspace: { ...workspace, environments, objects },
    values,
    unused,
  };
}

const isEmpty = ({ objects }: Workspace) =>
  Object.values(objects).every(({ length }) => length === 0);

type Note = (field: string, before: unknown, after: unknown) => void;

function replacedTexts(
  { definition }: CloneKind,
  { outputs }: WorkspaceObject,
  replace: TargetDifferences["replace"],
  used: Set<unknown>,
  note: Note,
): Values {
  const by = definition.adoption?.by ?? "name";
  const change = (
    place: (typeof PLACES)[number],
    text: string,
    how: (text: string, from: string, to: string) => string = (t, from, to) =>
      t.replaceAll(from, to),
  ) =>
    replace.reduce((before, one) => {
      if (!one.in.includes(place)) return before;
      const after = how(before, one.from, one.to);
      if (after !== before) used.add(one);
      return after;
    }, text);
  const changed: Record<string, unknown> = { ...outputs };
  const own = outputs[by];
  if (typeof own === "string") {
    const text = change(by === "url" ? "urls" : "names", own);
    if (text !== own) note(by, own, text);
    changed[by] = text;
  }
  if (definition.clone?.ruleFile && typeof outputs.rules === "object")
    changed.rules = Object.fromEntries(
      Object.entries(outputs.rules as Record<string, Values>).map(
        ([name, rule]) => {
          const before = String(rule.expression);
          const expression = change("rules", before, replaceInLiterals);
          if (expression !== before)
            note(`rules[${JSON.stringify(name)}]`, before, expression);
          return [name, { ...rule, expression }];
        },
      ),
    );
  return changed;
}

/** Changes the arguments of an object. @throws DifferencesError */
function withFields(
  { kind, definition }: CloneKind,
  key: string,
  outputs: Values,
  fields: Values,
  note: Note,
): Values {
  const shape = definition.inputs.shape as Readonly<Record<string, z.ZodType>>;
  const place = `set.${kind}[${JSON.stringify(key)}]`;
  const settable = Object.keys(shape).filter((name) => {
    const { local, secret, references } = fieldMeta(shape[name] as z.ZodType);
    return !local && !secret && references === undefined && name !== "rules";
  });
  for (const name of Object.keys(fields))
    if (!settable.includes(name))
      throw new DifferencesError(
        `${place}.${name} cannot be set; there are ${settable.join(", ")}.`,
      );
  const { failures } = checkInputs(
    z.object(
      Object.fromEntries(
        Object.keys(fields).map((name) => [name, shape[name] as z.ZodType]),
      ),
    ),
    fields,
  );
  for (const { property, reason } of failures)
    throw new DifferencesError(`${place}.${property} ${reason}.`);
  for (const [name, value] of Object.entries(fields))
    if (outputs[name] !== value) note(name, outputs[name], value);
  return { ...outputs, ...fields };
}
