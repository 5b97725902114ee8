import { afterAll, beforeAll, expect, it } from "vitest";
import { GitOpsRepository } from "../helpers/gitops-repository";
import { addInDashboard, inForce, pastEvents, withRule } from "./gitops-rules";

// Situations of docs/review.md on GitHub with an engine, in which the state or the rules in force have changed
// since the review: one story, with the program of examples/gitops.

/** A situation of docs/review.md. */
const situation = it;

let gitops: GitOpsRepository;

beforeAll(async () => {
  gitops = await GitOpsRepository.open("dynamic");
  await gitops.workspace.control("/us/events", pastEvents());
  expect(await gitops.deploy()).toEqual({ create: 2 });
});
afterAll(() => gitops?.close());

/** The comment of the last apply on a request. */
const said = (request: string) => gitops.host.on(request)[1]?.body ?? "";

situation("The same program is updated by hand before the merge", async () => {
  const { us } = gitops.workspace.service.workspaces;
  const head = await gitops.push(
    "cafe",
    withRule("block-cafe", "192.0.2.9/32"),
  );
  expect(await gitops.review(head, "8")).toMatchObject({ code: 0 });
  // Without EXPECTED_IN_FORCE, this takes expectedInForce out of the state.
  await gitops.ok(
    "git checkout -q --force main && pulumi up --yes --skip-preview --stack test",
    { DEVID_MANAGEMENT_KEY: us.managementKey },
  );
  const merged = await gitops.merge("cafe", { request: "8" });
  expect(await gitops.apply(head, merged, "8")).toMatchObject({ code: 0 });
  expect(await inForce(gitops)).toContain("block-cafe");
});

situation("A rule is added in the dashboard after the review", async () => {
  const head = await gitops.push("bar", withRule("block-bar", "192.0.2.10/32"));
  expect(await gitops.review(head, "9")).toMatchObject({ code: 0 });
  await addInDashboard(gitops, "hot-fix");
  const merged = await gitops.merge("bar", { request: "9" });
  const { code, output } = await gitops.apply(head, merged, "9");
  expect(code).toBe(1);
  expect(output).toContain("hot-fix");
  expect(said("9")).toContain("was not applied");
  expect(said("9")).toContain("hot-fix");
  expect(said("9")).toContain("The way out: start the workflow");
  expect(await inForce(gitops)).toContain("hot-fix");
  expect(await inForce(gitops)).not.toContain("block-bar");
});

it("The main branch is recovered", async () => {
  const [planned, applied] = await gitops.recover();
  expect([planned.code, applied.code]).toEqual([0, 0]);
  const main = await gitops.ok("git rev-parse main");
  const [review, done] = gitops.host.on(main);
  expect(review?.body).toMatch(
    /^<!-- devid-recovery:rules.yaml:stack=test -->/,
  );
  expect(review?.body).toContain("hot-fix");
  expect(review?.body).toContain("block-bar");
  expect(done?.body).toContain("was applied\n");
  expect(await inForce(gitops)).toContain("block-bar");
  expect(await inForce(gitops)).not.toContain("hot-fix");
});
