import { issueMessage } from "@devid/sdk/wire";
import { readRuleFile, type Rule } from "@devid/rules";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { runError } from "./program-errors";
import type { ResourceDefinition } from "../../../definition/define-resource";
import * as registry from "../../../registry";
import { kindOfType } from "../wire";

const DEFINITIONS = Object.values(registry) as unknown as ResourceDefinition[];

const Overrides = z.record(z.string(), z.record(z.string(), z.unknown()));

/** `settings` of stack config: arguments by kind and by name of a resource. */
const Settings = z.strictObject(
  Object.fromEntries(
    DEFINITIONS.map(({ kind }) => [kind, Overrides.optional()]),
  ),
);

/** What stack config may say of a rule set besides its arguments. */
const RuleOverrides = z.looseObject({
  without: z.array(z.string()).default([]),
  first: z.string().optional(),
  last: z.string().optional(),
});

/** The applied settings of a stack. */
export interface AppliedStackSettings {
  /**
   * Call it at the end of a program.
   * @throws RunError naming each resource of the settings that was not declared
   */
  assertUsed(): void;
}

/**
 * Lets stack config replace arguments of the resources that are declared after
 * this call, so that one program can declare a workspace in several regions. The
 * setting `settings` holds the arguments by kind and by name of a resource. A
 * rule set also takes `without` (names of rules that this stack does not have),
 * and `first` and `last` (paths of rule files whose rules stand before and after
 * the program's).
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
        `\nIt holds arguments by kind (${DEFINITIONS.map(({ kind }) => kind).join(", ")}) and by the name of a resource.`,
    );
  const settings = parsed.data;
  const unused = new Set(
    DEFINITIONS.flatMap(({ kind }) =>
      Object.keys(settings[kind] ?? {}).map((name) => `${kind} ${name}`),
    ),
  );
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    const definition = DEFINITIONS.find(
      ({ kind }) => kind === kindOfType(type),
    );
    const overrides = definition && settings[definition.kind]?.[name];
    if (!overrides) return undefined;
    unused.delete(`${definition.kind} ${name}`);
    return { props: overridden(definition, name, props, overrides), opts };
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
  { kind, clone, fileInput }: ResourceDefinition,
  name: string,
  props: pulumi.Inputs,
  overrides: Readonly<Record<string, unknown>>,
): pulumi.Inputs {
  const rulesInput = clone?.ruleFile && fileInput?.inPlaceOf;
  if (rulesInput === undefined) return { ...props, ...overrides };
  const parsed = RuleOverrides.safeParse(overrides, { error: issueMessage });
  if (!parsed.success)
    throw runError(
      `The settings of ${kind} ${name} are not valid: ${parsed.error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`).join(", ")}.`,
    );
  const { without, first, last, ...args } = parsed.data;
  const own = props[rulesInput] as readonly Rule[] | undefined;
  // Absent rules, and rules that are an Output, stay as they are.
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
