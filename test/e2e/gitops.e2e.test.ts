import { afterAll, beforeAll, expect, it } from "vitest";
import { FakeCodeHost } from "../helpers/fake-code-host";
import { GitOpsRepository } from "../helpers/gitops-repository";
import { GITHUB, TOKENS } from "../helpers/host-cases";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import {
  inForce,
  pastEvents,
  rulesInForce,
  withTakeoverRule,
} from "./gitops-rules";

// Situations of docs/review.md that need an engine, on GitHub, with the program of examples/gitops. They are
// one story: the main branch, the rules in force and the stack are as the situation before left them.
// gitops-refused.deep.test.ts goes on with refusals, and test/cli/ci has the others.

/** A situation of docs/review.md. */
const situation = it;

const workspace = openForTests(new LocalWorkspace());
const host = openForTests(new FakeCodeHost(TOKENS));
let gitops: GitOpsRepository;

beforeAll(async () => {
  gitops = await GitOpsRepository.open("dynamic", workspace, host);
  await workspace.control("/us/events", pastEvents());
  expect(await gitops.deploy()).toEqual({ create: 2 });
  // The keys that every local service has at its start.
  const keys = await workspace.list("api-keys");
  gitops.push("main", {
    "drift-allowed.txt": keys.map(({ id }) => String(id)).join("\n"),
  });
});
afterAll(() => gitops?.close());

/** The comment of the last apply on a request. */
const said = (request: string) => host.on(request)[1]?.body ?? "";

it("A rule is added, removed, moved or edited", async () => {
  const head = gitops.edit("takeovers", withTakeoverRule);
  expect(await gitops.review(GITHUB, head)).toMatchObject({ code: 0 });
  const body = host.review();
  expect(body).toMatch(
    /^<!-- devid-review:rules\.yaml:stack=test -->\n### Review of `rules\.yaml` against `origin\/main at \w+`\n/,
  );
  const headings = [...body.matchAll(/^#### (.*)$/gm)].map(([, one]) => one);
  expect(headings).toEqual(["Changes", "Plan", "Past events", "Tests"]);
  expect(body).toContain("| 2 | `block-takeovers` | `deny` | added after ");
  expect(body).toContain("of stack `devid-gitops/test`, does what the file");
  expect(body).toContain("- ✓ `newly-denied>5%`: `2 (1%)`\n");
  expect(body).not.toContain("✗");
  expect(body.trimEnd()).toMatch(
    new RegExp(`\n<!-- devid-plan:sha256:\\w+:run=501:commit=${head} -->$`),
  );
});

it("The pull request is merged", async () => {
  const merged = gitops.merge("takeovers", { isSquashed: true });
  const mark = await workspace.mark();
  expect(await gitops.apply(GITHUB, merged)).toMatchObject({ code: 0 });
  expect(await workspace.writesSince(mark)).toEqual([
    "POST /filtering-rules/bulk",
  ]);
  expect(said("7")).toContain("was applied\n");
  expect(said("7")).toMatch(/Rules in force: `sha256:[0-9a-f]{64}`/);
  expect(said("7")).toContain(merged);
  expect(await inForce(gitops)).toEqual([
    "block-crawlers",
    "block-takeovers",
    "allow-our-shop",
    "block-other-sites",
  ]);
});

situation("Somebody edits a rule in the dashboard", async () => {
  const [rule] = await rulesInForce(gitops);
  const edit = (status: string) =>
    workspace.call("POST", `/filtering-rules/${String(rule?.id)}`, {
      status,
    });
  await edit("disabled");
  expect(await gitops.run(GITHUB, "drift")).toMatchObject({ code: 2 });
  const [issue] = host.issues;
  expect(issue?.title).toBe("Drift of test (rules.yaml)");
  expect(issue?.body).toContain(`\`${String(rule?.name)}\``);
  expect(issue?.body).toContain("disabled");
  await edit("enabled");
  expect(await gitops.run(GITHUB, "drift")).toMatchObject({ code: 0 });
  expect(host.issues.map(({ isOpen }) => isOpen)).toEqual([false]);
});
