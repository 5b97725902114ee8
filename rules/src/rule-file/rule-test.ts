import { RuleName, TestRequestPayload } from "@devid/sdk/wire/filtering-rules";
import { z } from "zod";
import { refuseBothBots } from "../language/request/bot-flags";
import { canonicalHeaderName } from "../language/request/header-names";
import { parseIp } from "../language/request/ip-address";

const { ip, userAgent, sdkVersion, appPackageName } = TestRequestPayload.shape;

/** A header of a test's request: a list of values, or one value as a text. */
const HeaderValues = z.union(
  [z.string().transform((value) => [value]), z.array(z.string())],
  { error: "must be a text or a list of texts" },
);

/**
 * Headers under their canonical names, under which rules see them. The service renames
 * the headers of a request in the same way (docs/assumptions.md, A39).
 */
function underCanonicalNames(
  headers: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [given, values] of Object.entries(headers)) {
    const name = canonicalHeaderName(given) ?? given;
    byName.set(name, [...(byName.get(name) ?? []), ...values]);
  }
  return Object.fromEntries(byName);
}

const flag = (field: string) =>
  z
    .boolean()
    .optional()
    .describe(
      `What ${field} says. Default: what a public list says of the user agent.`,
    );

/**
 * The request of a test: the service's `test_request_payload`
 * (docs/contract.md, "POST /filtering-rules/test"), and what the service would
 * find about the user agent.
 */
const TestRequest = z
  .strictObject({
    headers: z
      .record(z.string(), HeaderValues)
      .default({})
      .superRefine((headers, context) => {
        for (const name of Object.keys(headers))
          if (canonicalHeaderName(name) === undefined)
            context.addIssue({
              code: "custom",
              path: [name],
              message: "no header can be called so, so no request has it",
            });
      })
      .transform(underCanonicalNames)
      .describe(
        "Headers by name in any letter case, each a text or a list of texts.",
      ),
    ip: ip
      .refine(
        (text) => text === undefined || parseIp(text) !== undefined,
        "is no IP address",
      )
      .describe("Address of the client."),
    userAgent: userAgent.describe(
      "User agent, what http.user_agent.string is compared with.",
    ),
    sdkPlatform: z
      .enum(["js", "android", "ios", "unknown"])
      .optional()
      .describe("Where the agent runs. Default: unknown."),
    sdkVersion: sdkVersion.describe("Version of the agent, in quotes."),
    appPackageName: appPackageName.describe(
      "Package name or bundle ID of the app.",
    ),
    isAiBot: flag("is_ai_bot"),
    isCrawlerBot: flag("is_crawler_bot"),
  })
  .superRefine(refuseBothBots);

/** What a test expects of the rules: the result, and the rule that has to decide. */
export interface Expectation {
  readonly result: "allow" | "deny";
  /** Absent: any rule may decide, or none. */
  readonly rule?: string;
}

const decidedBy = (result: Expectation["result"]) =>
  z
    .strictObject({
      [result]: RuleName.describe("Name of the rule that decides."),
    })
    .transform((by): Expectation => ({ result, rule: by[result] }));

/** `expect` of a test as a file spells it. */
const FileExpectation = z
  .union(
    [
      z
        .enum(["allow", "deny"])
        .transform((result): Expectation => ({ result })),
      decidedBy("allow"),
      decidedBy("deny"),
    ],
    {
      error: (issue) =>
        issue.input === undefined
          ? "is required"
          : "must be allow, deny, { allow: RULE } or { deny: RULE }, with the name of a rule",
    },
  )
  .describe(
    "What the rules decide: allow or deny, or the same with the name of the rule that decides.",
  );

/** A test of a rule file's rules. */
export const RuleTest = z.strictObject({
  name: z.string().min(1).describe("What the test shows, unique in the file."),
  request: TestRequest.describe("The request that is decided about."),
  expect: FileExpectation,
});

/** A test as it is run: each header a list, the expectation in one form. */
export type RuleTest = z.output<typeof RuleTest>;
