import { issueMessage } from "@devid/sdk/wire";
import { readRuleFile, type Rule } from "@devid/rules";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { runError } from "../adapters/dynamic/run-error";
import { KINDS, type CloneKind } from "./read/clone-kinds";

const Overrides = z.record(z.string(), z.record(z.string(), z.unknown()));

/** `settings` of stack config: arguments by kind and by name of a resource. */
const Settings = z.strictObject(
  Object.fromEntries(KINDS.map(({ kind }) => [kind, Overrides.optional()])),
);

/** What stack config may say of a rule set beside its arguments. */
const RuleOverrides = z.looseObject({
  without: z.array(z.string()).default([]),
  first: z.string().optional(),
  last: z.string().optional(),
});

/** The settings of a stack, once they are applied. */
export interface AppliedStackSettings {
  /**
   * Fails unless every resource that the settings name was declared: called at
   * the end of a program.
   * @throws RunError naming those that were not
   */
  assertUsed(): void;
}

/**
 * Gives the resources that are declared from now on the arguments that stack
 * config has for them, under `settings`, by kind and by name: they win over the
 * program's. So one program declares a workspace in several regions. A rule set
 * takes, besides its arguments, `without` (names of rules that this stack does
 * not have) and `first` and `last` (paths of rule files whose rules stand before
 * and behind the program's).
 *
 * @throws RunError for settings of another form
 * @example
 * // Pulumi.eu.yaml
 * // config:
 * //   shop:settings:
 * //     ApiKey: { server: { rateLimit: 50 } }
 * //     FilteringRuleSet: { default: { without: [block-office] } }
 */
export function applyStackSettings(
  config: pulumi.Config = new pulumi.Config(),
): AppliedStackSettings {
  const parsed = Settings.safeParse(config.getObject("settings") ?? {}, {
    error: issueMessage,
  });
  if (!parsed.success)
    throw runError(
      `Stack config ${config.name}:settings is not valid:` +
        parsed.error.issues
          .map(
            ({ path, message }) => `\n  ${z.core.toDotPath(path)}: ${message}`,
          )
          .join("") +
        `\nIt holds arguments by kind (${KINDS.map(({ kind }) => kind).join(", ")}) and by the name of a resource.`,
    );
  const settings = parsed.data;
  const unused = new Set(
    KINDS.flatMap(({ kind }) =>
      Object.keys(settings[kind] ?? {}).map((name) => `${kind} ${name}`),
    ),
  );
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    const kind = KINDS.find(
      (known) => type === `pulumi-nodejs:dynamic/devid:${known.kind}`,
    );
    const overrides = kind && settings[kind.kind]?.[name];
    if (!overrides) return undefined;
    unused.delete(`${kind.kind} ${name}`);
    return { props: overridden(kind, name, props, overrides), opts };
  });
  return {
    assertUsed() {
      if (unused.size === 0) return;
      throw runError(
        `Stack config ${config.name}:settings names what the program does not declare: ${[...unused].join(", ")}.`,
      );
    },
  };
}

function overridden(
  { kind, definition }: CloneKind,
  name: string,
  props: pulumi.Inputs,
  overrides: Readonly<Record<string, unknown>>,
): pulumi.Inputs {
  const rulesInput =
    definition.clone?.ruleFile && definition.programArgs?.inPlaceOf;
  if (rulesInput === undefined) return { ...props, ...overrides };
  const parsed = RuleOverrides.safeParse(overrides, { error: issueMessage });
  if (!parsed.success)
    throw runError(
      `The settings of ${kind} ${name} are not valid: ${parsed.error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`).join(", ")}.`,
    );
  const { without, first, last, ...args } = parsed.data;
  const own = props[rulesInput] as readonly Rule[] | undefined;
  // Rules that are not there yet, or an Output, are left as they are.
  if (!own || !("filter" in own)) return { ...props, ...args };
  const missing = without.filter(
    (left) => !own.some((rule) => rule.name === left),
  );
  if (missing.length > 0)
    throw runError(
      `The settings of ${kind} ${name} leave out rules that it does not have: ${missing.join(", ")}.`,
    );
  const rules = [
    ...(first === undefined ? [] : readRuleFile(first)),
    ...own.filter((rule) => !without.includes(rule.name)),
    ...(last === undefined ? [] : readRuleFile(last)),
  ];
  return { ...props, [rulesInput]: rules, ...args };
}
