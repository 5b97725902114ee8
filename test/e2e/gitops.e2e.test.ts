import { afterAll, beforeAll, expect, it } from "vitest";
import { GitOpsRepository } from "../helpers/gitops-repository";
import { expectGolden } from "../helpers/golden";
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

let gitops: GitOpsRepository;

beforeAll(async () => {
  gitops = await GitOpsRepository.open("dynamic");
  await gitops.workspace.control("/us/events", pastEvents());
  expect(await gitops.deploy()).toEqual({ create: 2 });
  // The keys that every local service has at its start.
  await gitops.allow(
    (await gitops.workspace.list("api-keys")).map(({ id }) => String(id)),
  );
});
afterAll(() => gitops?.close());

/** The only review on a request. */
function comment(request = "7"): string {
  const own = gitops.host
    .on(request)
    .filter(({ body }) => body.startsWith("<!-- devid-review"));
  expect(own).toHaveLength(1);
  return own[0]?.body ?? "";
}

/** The comment of the last apply on a request. */
const said = (request: string) => gitops.host.on(request)[1]?.body ?? "";

/** A review without parts that depend on the day or the repository. */
const timeless = (review: string) =>
  review
    .replace(
      /from [-\d]+ [:\d]+ to [-\d]+ [:\d]+ UTC/,
      "from 2026-01-01 08:00:00 to 2026-01-02 08:00:00 UTC",
    )
    .replace(/\bae_\w{16}/g, "ae_0123456789abcdef")
    .replace(/(?<=at |Commit `)[0-9a-f]{10}\b/g, "0123456789")
    .replace(/sha256:[0-9a-f]{64}/, `sha256:${"0".repeat(64)}`)
    .replace(/run=\d+:commit=[0-9a-f]{40}/, `run=501:commit=${"0".repeat(40)}`);

it("A rule is added, removed, moved or edited", async () => {
  const head = await gitops.push("takeovers", withTakeoverRule);
  expect(await gitops.review(head)).toMatchObject({ code: 0 });
  expectGolden("gitops/comment.md", timeless(comment()));
});

it("The pull request is merged", async () => {
  const head = await gitops.ok("git rev-parse takeovers");
  const merged = await gitops.merge("takeovers", { isSquashed: true });
  const mark = await gitops.workspace.mark();
  expect(await gitops.apply(head, merged)).toMatchObject({ code: 0 });
  expect(await gitops.workspace.writesSince(mark)).toEqual([
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
    gitops.workspace.call("POST", `/filtering-rules/${String(rule?.id)}`, {
      status,
    });
  await edit("disabled");
  expect(await gitops.drift()).toMatchObject({ code: 2 });
  const [issue] = gitops.host.issues;
  expect(issue?.title).toBe("Drift of test (rules.yaml)");
  expect(issue?.body).toContain(`\`${String(rule?.name)}\``);
  expect(issue?.body).toContain("disabled");
  await edit("enabled");
  expect(await gitops.drift()).toMatchObject({ code: 0 });
  expect(gitops.host.issues.map(({ isOpen }) => isOpen)).toEqual([false]);
});
