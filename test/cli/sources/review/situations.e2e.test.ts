import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rulesDigest, type Rule } from "@devid/rules";
import { createClient, optionsFromEnvironment } from "@devid/sdk";
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { ALWAYS } from "../../../../cli/src/ci/review";
import { readPlan } from "../../../../cli/src/sources/review/read-plan";
import {
  reviewSubject,
  type ReviewRequest,
} from "../../../../cli/src/sources/review/review-subject";
import {
  formatReviewMarkdown,
  isAbsent,
  parseFailCondition,
  reviewRules,
  type Review,
} from "../../../../review/src";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { FORMS, inForm, type Form } from "../../../helpers/program-form";
import { UNTHROTTLED } from "../../../helpers/unthrottled";
import { previewOutput, ruleSetArgs, type PreviewStep } from "./preview-output";
import { recordedPreview } from "./recorded-preview";
import { ReviewRepository } from "./review-repository";

// Situations that need no engine: the review of a pull request with the conditions of
// examples/gitops, and a preview in each form. Previews that change other resources or options are recorded
// from a real engine. Previews of a rule set are built in a form that recorded-previews.forms.e2e.test.ts compares with
// the engine.

const ROOT = resolve(__dirname, "../../../..");
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The conditions of the example's pipelines. */
const GATES = [
  ...ALWAYS,
  ...[
    ...textOf("examples/gitops/.github/workflows/rules-review.yml").matchAll(
      /--fail-on "?([^\s"]+)/g,
    ),
  ].map(([, condition = ""]) => condition),
];

const deny = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny",
});
const CRAWLERS = deny("crawlers", "http.user_agent.is_crawler_bot");
const OLD = deny("old", "sdk.version == '0.9.0'");
const PHONES = deny("phones", "sdk.platform.is_ios");
const TEST = {
  name: "an old agent is denied",
  request: { sdkVersion: "0.9.0" },
  expect: { deny: "old" },
};

interface Content {
  readonly rules: readonly object[];
  readonly tests?: readonly object[];
}
const MAIN: Content = { rules: [CRAWLERS, OLD, PHONES], tests: [TEST] };

const FILE = "rules.json";
const workspace = openForTests(new LocalWorkspace());
let environment: string;

beforeAll(async () => {
  ({ environment } = workspace.service.workspaces.us);
  const now = Date.now();
  await workspace.control(
    "/us/events",
    Array.from({ length: 120 }, (_, i) => ({
      timestamp: now - (i + 1) * 60_000,
      environment_id: environment,
      user_agent: "Mozilla/5.0",
      ip_address: "198.51.100.4",
      sdk: { platform: "js", version: "4.0.0" },
    })),
  );
});

let repositories: ReviewRepository[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const repository of repositories) repository.close();
  repositories = [];
});
afterAll(() => vi.unstubAllEnvs());

/** A pull request: the main branch that it meets, its own changes, and its preview. */
interface PullRequest {
  /** Path of the rule file in the repository. */
  readonly path?: string;
  /** The rule file of the main branch. Undefined when main has no rule file. */
  readonly main?: Content | string;
  /** The rule file of the branch. */
  readonly file: Content | string;
  /** Default: the rules of `MAIN`. */
  readonly inForce?: readonly object[];
  /** The planned rules. Default: the rules of the file. */
  readonly planned?: readonly object[];
  /** More arguments of the planned rule set, and of the rule set in the state. */
  readonly after?: Record<string, unknown>;
  readonly before?: Record<string, unknown>;
  readonly op?: string;
  readonly more?: readonly PreviewStep[];
  /** Changes in the repository after the branch's first commit. */
  readonly then?: (repository: ReviewRepository) => void;
}

const contentOf = (content: Content | string) =>
  typeof content === "string"
    ? (JSON.parse(content.replace(/^\s*\/\/.*$/gm, "")) as Content)
    : content;

const complete = (rules: readonly object[]) =>
  rules.map((rule) => ({ status: "enabled", ...rule })) as unknown as Rule[];

async function review(form: Form, request: PullRequest): Promise<Review> {
  const { main, file, inForce = MAIN.rules, then, op = "update" } = request;
  const { path = FILE } = request;
  const repository = new ReviewRepository();
  repositories.push(repository);
  repository.file("README.md", "Rules\n");
  if (main !== undefined) repository.file(path, main);
  repository.commit();
  repository.git("checkout", "--quiet", "-b", "change");
  repository.file(path, file);
  repository.commit();
  then?.(repository);
  await workspace.call("POST", "/filtering-rules/bulk", {
    environment,
    mode: "overwrite",
    rules: inForce,
  });
  const expected = { expectedInForce: rulesDigest(complete(inForce)) };
  const planned = request.planned ?? contentOf(file).rules;
  const preview = inForm(
    form,
    previewOutput(
      {
        op,
        name: "rules",
        ...(op !== "create" && {
          id: environment,
          before: ruleSetArgs(inForce, { ...expected, ...request.before }),
        }),
        after: ruleSetArgs(planned, { ...expected, ...request.after }),
      },
      ...(request.more ?? []),
    ),
  );
  return reviewed({
    path: join(repository.path, path),
    plan: repository.file("preview.json", preview),
  });
}

async function reviewed(
  request: Pick<ReviewRequest, "path" | "plan"> & Partial<ReviewRequest>,
): Promise<Review> {
  const { managementKey, secretKey } = workspace.service.workspaces.us;
  vi.stubEnv("GITHUB_BASE_REF", "");
  for (const [name, value] of Object.entries({
    ...UNTHROTTLED,
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: managementKey,
    DEVID_SECRET_KEY: secretKey,
  }))
    vi.stubEnv(name, value);
  const subject = await reviewSubject(
    {
      base: "main",
      impact: true,
      since: new Date(Date.now() - 24 * 3_600_000),
      minEvents: 100,
      maxUndetermined: 5,
      assumeNotSent: [],
      ...request,
    },
    createClient(optionsFromEnvironment([])),
    GATES.map(parseFailCondition),
  );
  return reviewRules(subject);
}

/** The review of the recorded deployment that touches other resources and options. */
async function ofTouched(form: Form, name: "rules" | "rules-test") {
  const plan = await readPlan({
    text: recordedPreview("touched", form),
    path: "preview.json",
    resource: [name],
  });
  const rules = [deny("a", "true")];
  return reviewRules({
    path: FILE,
    text: JSON.stringify({ rules, tests: [] }),
    base: { name: "main", rules: complete(rules) },
    impact: { absent: "not asked for" },
    plan: isAbsent(plan) ? plan : plan.subject,
    failOn: GATES.map(parseFailCondition),
  });
}

/** The conditions that fail a review, with a star after a condition that cannot be judged. */
const failing = ({ conditions }: Review) =>
  conditions
    .filter(({ outcome }) => outcome !== "does not hold")
    .map(({ condition, outcome }) =>
      outcome === "holds" ? condition : `${condition}*`,
    );

const changes = ({ diff }: Review) =>
  isAbsent(diff)
    ? diff.absent
    : diff.changes.map(({ kind, rule }) => `${kind} ${rule.name}`);

function planOf({ plan }: Review) {
  if (!plan || isAbsent(plan)) return expect.fail(JSON.stringify(plan));
  return plan;
}

/** A situation, in both forms. */
function situation(name: string, act: (form: Form) => Promise<void>): void {
  describe(name, () => {
    it.each(FORMS)("%s", act);
  });
}

const touches =
  (operation: string, resource: string, risk: string, condition?: string) =>
  async (form: Form) => {
    const made = await ofTouched(form, "rules");
    const found = planOf(made).others.filter(
      (one) =>
        one.operation === operation && `${one.type} ${one.name}` === resource,
    );
    expect(found).toMatchObject([{ effects: [{ risk }] }]);
    if (condition !== undefined) expect(failing(made)).toContain(condition);
    expect(formatReviewMarkdown(made)).toContain(
      `| ${operation} | \`${resource}\` |`,
    );
  };

situation(
  "A webhook gets an address at another host",
  touches("update", "Webhook hook", "high", "changes:Webhook.url"),
);

situation("A key is deleted or replaced", async (form) => {
  await touches("delete", "ApiKey secretkey", "high", "deletes:ApiKey")(form);
  await touches("replace", "ApiKey pub", "high", "deletes:ApiKey")(form);
});

situation("A `RotatingApiKey` gets another generation", async (form) => {
  // The component is a class of the TypeScript package alone.
  if (form === "plugin") return;
  await touches("create", "ApiKey server-two", "low")(form);
  await touches("delete", "ApiKey server-one", "high", "deletes:ApiKey")(form);
});

situation("A webhook is made or deleted", async (form) => {
  await touches("create", "Webhook new", "medium")(form);
  await touches("delete", "Webhook gone", "medium")(form);
});

const loosened = async (form: Form, name: "rules" | "rules-test") => {
  const made = await ofTouched(form, name);
  expect(failing(made)).toContain("plan-differs");
  return planOf(made).differences.join("\n");
};

situation(
  '`ignoreChanges: ["rules"]`, `retainOnDelete` are set',
  async (form) => {
    const output = await loosened(form, "rules");
    expect(output).toMatch(
      /loosens ignoreChanges of .*, from not set to \["rules"\]/,
    );
    expect(output).toMatch(
      /loosens retainOnDelete of .*, from not set to true/,
    );
  },
);

situation("`protect` is taken away, or the provider changes", async (form) => {
  expect(await loosened(form, "rules")).toMatch(
    /loosens protect of .*, from true to not set/,
  );
  expect(await loosened(form, "rules-test")).toMatch(
    /loosens provider of .*, from "default" to "usp"/,
  );
});

situation("Each guard is loosened", async (form) => {
  const GUARDS = {
    takeOver: [false, true],
    allowEmpty: [false, true],
    maxDeletedPercent: [50, 100],
    onDrift: ["fail", "overwrite"],
    expectedInForce: ["sha256:1", undefined],
  } as const;
  for (const [name, [before, after]] of Object.entries(GUARDS)) {
    const made = await review(form, {
      main: MAIN,
      file: MAIN,
      before: { [name]: before },
      after: { [name]: after },
    });
    expect(failing(made)).toEqual(["plan-differs"]);
    expect(planOf(made).differences).toEqual([
      expect.stringContaining(`The plan loosens ${name} of rules`) as string,
    ]);
  }
});

situation("A rule of no commit is in force", async (form) => {
  // The state has it, because somebody deployed it from a laptop.
  const allowPartner = {
    name: "allow-partner",
    expression: "http.request.ip in cidr('198.51.100.0/24')",
    action: "allow",
  };
  const made = await review(form, {
    main: MAIN,
    file: {
      ...MAIN,
      rules: [...MAIN.rules, deny("late", "sdk.version == '0.8.0'")],
    },
    inForce: [...MAIN.rules, allowPartner],
  });
  expect(failing(made)).toContain("plan-differs");
  expect(planOf(made).differences).toEqual([
    expect.stringMatching(
      /^The plan deletes allow-partner, which is in force .* and not in main/,
    ) as string,
  ]);
  expect(formatReviewMarkdown(made)).not.toContain("merged before");
});

situation("A rule set is created with a loose guard", async (form) => {
  const made = await review(form, {
    main: MAIN,
    file: MAIN,
    op: "create",
    after: { takeOver: true },
  });
  expect(planOf(made).differences).toEqual([
    `The plan creates rules of Default (${environment}) with takeOver: true.`,
  ]);
  expect(formatReviewMarkdown(made)).not.toContain("looser");
});

situation("Only tests are changed", async (form) => {
  const tests = [TEST, { ...TEST, name: "again" }];
  const made = await review(form, {
    main: MAIN,
    file: { ...MAIN, tests },
    op: "same",
  });
  expect(changes(made)).toEqual([]);
  expect([failing(made), made.verdict.risk]).toEqual([[], "low"]);
  const fewer = await review(form, {
    main: { ...MAIN, tests },
    file: MAIN,
    op: "same",
  });
  expect(failing(fewer)).toEqual(["fewer-tests"]);
});

situation("Only comments are changed", async (form) => {
  const text = `# Why each rule is there\n${JSON.stringify(MAIN)}\n`;
  const made = await review(form, {
    main: MAIN,
    file: text,
    planned: MAIN.rules,
    op: "same",
  });
  expect(changes(made)).toEqual([]);
  expect([failing(made), made.verdict.risk]).toEqual([[], "low"]);
});

situation("Only the order of rules is changed", async (form) => {
  const made = await review(form, {
    main: MAIN,
    file: { ...MAIN, rules: [CRAWLERS, PHONES, OLD], tests: [TEST] },
  });
  expect(changes(made)).toEqual([expect.stringMatching(/^moved /) as string]);
  expect(made.verdict.getsThrough.answer).toBe("none");
  expect([failing(made), made.verdict.risk]).toEqual([[], "low"]);
});

situation("Only the status of a rule is changed", async (form) => {
  const disabled = { ...PHONES, status: "disabled" };
  const made = await review(form, {
    main: MAIN,
    file: { ...MAIN, rules: [CRAWLERS, OLD, disabled] },
  });
  expect(changes(made)).toEqual(["disabled phones"]);
  expect(failing(made)).toEqual(["gets-through"]);
});

situation("A merge is reverted", async (form) => {
  const made = await review(form, {
    main: MAIN,
    file: { ...MAIN, rules: [CRAWLERS, OLD] },
  });
  expect(changes(made)).toEqual(["removed phones"]);
  expect(failing(made)).toEqual(["gets-through"]);
  expect(planOf(made).differences).toEqual([]);
});

situation("The branch is rebased, and pushed by force", async (form) => {
  const more = deny("other", "sdk.version == '1.2.3'");
  const own = deny("own", "sdk.version == '1.2.4'");
  const newer = { ...MAIN, rules: [...MAIN.rules, more] };
  const made = await review(form, {
    main: MAIN,
    file: { ...newer, rules: [...newer.rules, own] },
    inForce: newer.rules,
    then: (repository) => {
      repository.git("checkout", "--quiet", "main");
      repository.file(FILE, newer);
      repository.commit();
      repository.git("rebase", "--quiet", "-Xtheirs", "main", "change");
    },
  });
  expect(changes(made)).toEqual(["added own"]);
  expect([failing(made), planOf(made).differences]).toEqual([[], []]);
});

situation("Two pull requests are merged, in either order", async (form) => {
  const added = [
    deny("one", "sdk.version == '1.2.3'"),
    deny("two", "sdk.version == '1.2.4'"),
  ];
  for (const [first, second] of [added, added.toReversed()]) {
    if (!first || !second) return expect.unreachable();
    // The plan was made before the first change was merged and applied.
    const made = await review(form, {
      main: MAIN,
      file: { ...MAIN, rules: [...MAIN.rules, second] },
      inForce: [...MAIN.rules, first],
      after: { expectedInForce: rulesDigest(complete(MAIN.rules)) },
      then: (repository) => {
        repository.git("checkout", "--quiet", "main");
        repository.file(FILE, { ...MAIN, rules: [...MAIN.rules, first] });
        repository.commit();
        repository.git("checkout", "--quiet", "change");
      },
    });
    expect(failing(made)).toContain("plan-differs");
    expect(planOf(made).differences).toEqual(
      expect.arrayContaining([
        expect.stringContaining("its update would be refused: plan it anew"),
        expect.stringContaining(
          `The plan deletes ${first.name}, which is in force`,
        ),
      ]),
    );
  }
});

situation("Rules move from the program to a file", async (form) => {
  const made = await review(form, { file: MAIN, op: "same" });
  expect(made.base.isMissing).toBe(true);
  expect([failing(made), planOf(made).differences]).toEqual([[], []]);
  const others = { ...MAIN, rules: [CRAWLERS, OLD] };
  const changed = await review(form, { file: others });
  expect(failing(changed)).toEqual(["gets-through"]);
});

situation("200 rules are edited at once", async (form) => {
  const many = (version: number) =>
    Array.from({ length: 200 }, (_, i) =>
      deny(`rule-${i}`, `sdk.version == '${version}.${i}'`),
    );
  const made = await review(form, {
    main: { rules: many(1), tests: [] },
    file: { rules: many(2), tests: [] },
    inForce: many(1),
  });
  expect(changes(made)).toHaveLength(200);
  const comment = formatReviewMarkdown(made);
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toContain("200 changes: 200 edited");
  expect(planOf(made).differences).toEqual([]);
});

situation("The comment would be longer than the host takes", async (form) => {
  const versions = (rule: number) =>
    Array.from({ length: 60 }, (_, n) => `'${rule}.${n}.1'`).join(", ");
  const long = Array.from({ length: 140 }, (_, i) =>
    deny(`rule-${i}`, `sdk.version in [${versions(i)}]`),
  );
  const made = await review(form, {
    main: { ...MAIN, rules: [...MAIN.rules, ...long] },
    file: MAIN,
    inForce: [...MAIN.rules, ...long],
  });
  expect(changes(made)).toHaveLength(140);
  const comment = formatReviewMarkdown(made);
  expect([...comment].length).toBeLessThanOrEqual(65_536);
  expect(comment).toContain("140 changes: 140 removed");
  expect(comment).toMatch(/of 140 changes are left out here/);
});

situation("The plan deletes an environment", async (form) => {
  const made = await review(form, {
    main: MAIN,
    file: MAIN,
    op: "same",
    more: [
      {
        op: "delete",
        name: "old",
        type: "pulumi-nodejs:dynamic/devid:Environment",
        id: "ae_old",
        before: { name: "Old" },
      },
    ],
  });
  expect(failing(made)).toEqual(["plan-differs", "deletes:Environment"]);
});

situation("The rule file is in a folder of the repository", async (form) => {
  const path = "shops/berlin/rules.json";
  const made = await review(form, { path, main: MAIN, file: MAIN, op: "same" });
  expect(made.file).toBe(path);
  expect(formatReviewMarkdown(made)).toMatch(
    /^<!-- devid-review:shops\/berlin\/rules.json:stack=shop\/prod -->/,
  );
});
