import { RuleExpression, RuleName } from "@devid/sdk/wire/filtering-rules";
import { z } from "zod";
import { HeaderName, refuseEqualNames, RuleContent } from "../rule-set/rule";
import { RuleTest } from "./rule-test";

/** Unquoted, `true` and `false` are booleans in YAML and JSON; they are expressions all the same. */
const FileExpression = z
  .union([RuleExpression, z.boolean().transform(String)], {
    error: ({ input }) =>
      input === undefined
        ? "is required"
        : "must be an expression, which is a text",
  })
  .describe(RuleContent.shape.expression.description ?? "");

/** Fields that begin with `x-` are the user's own, such as anchors that rules share: they are kept and never read. */
const OWN_FIELDS = { patternProperties: { "^x-": {} } };

const withoutOwnFields = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).filter(([name]) => !name.startsWith("x-")),
      )
    : value;

/** A schema of an object that may have fields of the user's own. */
const extensible = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(withoutOwnFields, schema.meta(OWN_FIELDS));

/** A rule as a file spells it: `deny_with`, as the service does. */
const RULE_FIELDS = z.strictObject({
  name: RuleName.describe(
    "Name, unique in the file: the identity of the rule.",
  ),
  expression: FileExpression,
  action: RuleContent.shape.action,
  status: RuleContent.shape.status,
  deny_with: RuleContent.shape.denyWith,
});

const FileRule = extensible(RULE_FIELDS)
  .refine((rule) => rule.action === "deny" || rule.deny_with === undefined, {
    path: ["deny_with"],
    message: 'needs action "deny"',
  })
  .transform(({ deny_with: denyWith, ...rule }) => ({ ...rule, denyWith }));

const FILE_FIELDS = z.strictObject(
  {
    rules: z
      .array(FileRule)
      .superRefine(refuseEqualNames("rule"))
      .describe("The rules in order: the first that matches decides."),
    tests: z
      .array(extensible(RuleTest))
      .superRefine(refuseEqualNames("test"))
      .default([])
      .describe("Tests of the rules, which `devid rules test` runs."),
    assume_not_sent: z
      .array(HeaderName, {
        error: ({ code }) =>
          code === "invalid_type"
            ? "must be a list of header names"
            : undefined,
      })
      .default([])
      .describe(
        "Names of headers that no client ever sends: past events are judged without them.",
      ),
    lint: z
      .record(
        z.string(),
        z.enum(["error", "warning", "note", "off"], {
          error: "must be error, warning, note or off",
        }),
      )
      .default({})
      .describe(
        "Severities by the code of a lint, in place of its own; off: not looked for.",
      ),
  },
  {
    error: ({ code, input }) =>
      code !== "invalid_type"
        ? undefined
        : input === null
          ? "the file is empty; it needs rules, a list, which may be []"
          : "the file needs rules, a list, which may be []",
  },
);

/** The names of the fields of a file, and of what its lists hold. */
export const FIELD_NAMES: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(FILE_FIELDS.shape),
  rules: Object.keys(RULE_FIELDS.shape),
  tests: Object.keys(RuleTest.shape),
  request: Object.keys(RuleTest.shape.request.shape),
};

/** What a rule file holds: rules in their order of precedence, and tests of them. */
export const RuleFileContent = extensible(FILE_FIELDS)
  .superRefine(({ rules, tests }, context) => {
    const names = new Set(rules.map(({ name }) => name));
    tests.forEach(({ expect: { result, rule } }, index) => {
      if (rule !== undefined && !names.has(rule))
        context.addIssue({
          code: "custom",
          path: ["tests", index, "expect", result],
          message: `no rule of the file is named "${rule}"`,
        });
    });
  })
  .transform(({ assume_not_sent: assumeNotSent, ...content }) => ({
    ...content,
    assumeNotSent: [...new Set(assumeNotSent)],
  }));
