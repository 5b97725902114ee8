import { isDeepStrictEqual } from "node:util";
import { fieldsMarked } from "../../../provider/src/definition/field";
import { definitionOf } from "../forms";
import {
  containsPath,
  parsePath,
  type PropertyPath,
} from "../engine/property-path";
import { revealed, type Properties } from "../engine/property-value";
import type { Snapshot } from "../engine/resource";
import { keyOf, type LiveObject, type LiveRule } from "../mirror";
import { urnOfDeclared, type Kind } from "../program";
import type { Outcome, Stack } from "../world";
import { kindOf, type Memory } from "./memory";

/**
 * Checks that no change under `ignoreChanges` is sent, and that no change under
 * `replaceOnChanges` is an update.
 */
export function checkIgnored(
  memory: Memory,
  { name, program }: Stack,
  before: Snapshot,
  after: Snapshot,
  { steps }: Outcome,
  records: ReadonlyMap<string, LiveObject>,
  rules: ReadonlyMap<string, readonly LiveRule[]>,
): void {
  for (const declaration of program.resources) {
    const { ignoreChanges = [], replaceOnChanges = [] } = declaration;
    if (ignoreChanges.length + replaceOnChanges.length === 0) continue;
    const urn = urnOfDeclared(program, name, declaration.name);
    const isUpdated = steps.some(
      (step) => step.op === "update" && step.urn === urn,
    );
    const old = before.resources.find((one) => one.urn === urn);
    const now = after.resources.find((one) => one.urn === urn);
    if (!isUpdated || !old || !now || old.id !== now.id) continue;
    const kind = kindOf(now);
    if (!kind) continue;
    const was = liveValues(
      kind,
      records.get(keyOf(kind, now.id)),
      rules.get(now.id),
    );
    const is = liveValues(
      kind,
      memory.mirror.object(kind, now.id),
      memory.mirror.rulesOf(now.id),
    );
    const changed = changedPaths(was, is);
    for (const ignored of ignoreChanges) {
      const path = byName(parsePath(ignored), is);
      const sent = changed.find((one) => path && containsPath(path, one));
      if (sent)
        memory.wrong("ignored change sent", `${urn}: ${sent.join(".")}`);
    }
    // An ignored change does not count as a change.
    const isIgnored = (changed: PropertyPath) =>
      [changed, byName(changed, is)].some((one) =>
        ignoreChanges.some((ignored) => {
          const path = parsePath(ignored);
          return path && one && containsPath(path, one);
        }),
      );
    const given = programForm(revealed(now.inputs));
    const unmanaged = fieldsMarked(definitionOf(kind).inputs, "managedIfSet");
    // An input that the program leaves out keeps its value if devid manages it only where it is set.
    const isLeftOut = ([field = ""]: PropertyPath) =>
      unmanaged.includes(String(field)) && given[String(field)] === undefined;
    const inputs = changedPaths(
      programForm(revealed(old.inputs)),
      given,
    ).filter((changed) => !isIgnored(changed) && !isLeftOut(changed));
    for (const replacing of replaceOnChanges) {
      const path = parsePath(replacing);
      const left = inputs.find((one) => path && containsPath(path, one));
      if (left && old.initErrors.length === 0)
        memory.wrong("replacement left out", `${urn}: ${left.join(".")}`);
    }
  }
}

/** The values of a resource in the service, by the names of its inputs. */
function liveValues(
  kind: Kind,
  object: LiveObject | undefined,
  rules: readonly LiveRule[] | undefined,
): Properties {
  if (kind === "FilteringRuleSet")
    return {
      rules: Object.fromEntries(
        (rules ?? []).map(({ name, expression }) => [name, { expression }]),
      ),
    };
  // No argument of a verification can change in place but its time limit.
  if (kind === "WebhookVerification") return {};
  // `verified` is no argument of a webhook.
  return { ...object?.record, verified: undefined };
}

/**
 * A path in which the name of a rule replaces its index. Undefined for a new rule,
 * which has no old value to keep.
 */
function byName(
  path: PropertyPath | undefined,
  { rules = {} }: Properties,
): PropertyPath | undefined {
  const [input, place, ...rest] = path ?? [];
  if (input !== "rules" || typeof place !== "number") return path;
  const name = Object.keys(rules as object)[place];
  return name === undefined ? undefined : [input, name, ...rest];
}

/** Converts rules from the form of the state to the list that a program writes. */
function programForm(inputs: Properties): Properties {
  // Properties of a dynamic resource that are no arguments begin with underscores.
  const { rules, ...others } = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => !name.startsWith("__")),
  );
  if (typeof rules !== "object" || rules === null || Array.isArray(rules))
    return { ...others, ...(rules !== undefined && { rules }) };
  const left = Object.entries(rules as Record<string, Properties>);
  const ordered: Properties[] = [];
  let last = "";
  for (;;) {
    const next = left.find(([, rule]) => (rule.after ?? "") === last);
    if (!next || ordered.length > left.length) break;
    const [name, { after: _, ...rule }] = next;
    ordered.push({ name, ...rule });
    last = name;
  }
  return { ...others, rules: ordered };
}

/** Paths of the leaves that differ. */
function changedPaths(
  was: unknown,
  is: unknown,
  at: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (isDeepStrictEqual(was, is)) return [];
  const isBranch = (value: unknown): value is Properties =>
    typeof value === "object" && value !== null;
  if (!isBranch(was) || !isBranch(is)) return [at];
  const isList = Array.isArray(was) && Array.isArray(is);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(
    (key) =>
      changedPaths(was[key], is[key], [...at, isList ? Number(key) : key]),
  );
}
