import { afterAll, beforeAll, expect, it } from "vitest";
import { FakeCodeHost } from "../helpers/fake-code-host";
import { GitOpsRepository } from "../helpers/gitops-repository";
import { GITHUB, TOKENS } from "../helpers/host-cases";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { addInDashboard, inForce, pastEvents, withRule } from "./gitops-rules";

// Situations of docs/review.md on GitHub with an engine, in which the state or the rules in force have changed
// since the review: one story, with the program of examples/gitops.

/** A situation of docs/review.md. */
const situation = it;

const workspace = openForTests(new LocalWorkspace());
const host = openForTests(new FakeCodeHost(TOKENS));
let gitops: GitOpsRepository;

beforeAll(async () => {
  gitops = await GitOpsRepository.open("dynamic", workspace, host);
  await workspace.control("/us/events", pastEvents());
  expect(await gitops.deploy()).toEqual({ create: 2 });
});
afterAll(() => gitops?.close());

/** The comment of the last apply on a request. */
const said = (request: string) => host.on(request)[1]?.body ?? "";

situation("The same program is updated by hand before the merge", async () => {
  const head = gitops.edit("cafe", withRule("block-cafe", "192.0.2.9/32"));
  expect(await gitops.review(GITHUB, head, { request: "8" })).toMatchObject({
    code: 0,
  });
  // Without EXPECTED_IN_FORCE, this takes expectedInForce out of the state.
  gitops.git.git("checkout", "--quiet", "--force", "main");
  await gitops.deploy();
  const merged = gitops.merge("cafe", { request: "8" });
  expect(await gitops.apply(GITHUB, merged, { request: "8" })).toMatchObject({
    code: 0,
  });
  expect(await inForce(gitops)).toContain("block-cafe");
});

situation("A rule is added in the dashboard after the review", async () => {
  const head = gitops.edit("bar", withRule("block-bar", "192.0.2.10/32"));
  expect(await gitops.review(GITHUB, head, { request: "9" })).toMatchObject({
    code: 0,
  });
  await addInDashboard(gitops, "hot-fix");
  const merged = gitops.merge("bar", { request: "9" });
  const { code, output } = await gitops.apply(GITHUB, merged, { request: "9" });
  expect(code).toBe(1);
  expect(output).toContain("hot-fix");
  expect(said("9")).toContain("was not applied");
  expect(said("9")).toContain("hot-fix");
  expect(said("9")).toContain("The way out: start the workflow");
  expect(await inForce(gitops)).toContain("hot-fix");
  expect(await inForce(gitops)).not.toContain("block-bar");
});

it("The main branch is recovered", async () => {
  const planned = await gitops.run(GITHUB, "recover");
  const applied = await gitops.run(GITHUB, "recover-apply");
  expect([planned.code, applied.code]).toEqual([0, 0]);
  const main = gitops.commitOf("main");
  const [review, done] = host.on(main);
  expect(review?.body).toMatch(
    /^<!-- devid-recovery:rules.yaml:stack=test -->/,
  );
  expect(review?.body).toContain("hot-fix");
  expect(review?.body).toContain("block-bar");
  expect(done?.body).toContain("was applied\n");
  expect(await inForce(gitops)).toContain("block-bar");
  expect(await inForce(gitops)).not.toContain("hot-fix");
});
