import { afterAll, beforeAll, expect, it } from "vitest";
import { GitOpsRepository } from "../helpers/gitops-repository";
import { inForce, pastEvents, withRule } from "./gitops-rules";

// The same story on GitLab, with the program of docs/review.md: YAML with the plugin.

/** A situation of docs/review.md. */
const situation = it;

let gitops: GitOpsRepository;

beforeAll(async () => {
  gitops = await GitOpsRepository.open("plugin");
  await gitops.workspace.control("/us/events", pastEvents());
  expect(await gitops.deploy()).toEqual({ create: 2 });
});
afterAll(() => gitops?.close());

situation("Two pull requests are merged one after the other", async () => {
  const one = await gitops.push("one", withRule("block-one", "192.0.2.1/32"));
  const two = await gitops.push(
    "two",
    withRule("block-two", "192.0.2.2/32", "block-other-sites"),
  );
  for (const [commit, request] of [
    [one, "23"],
    [two, "24"],
  ] as const)
    expect(await gitops.gitlab("review", commit, request)).toMatchObject({
      code: 0,
    });
  expect(gitops.host.on("24")[0]?.body).toContain("block-two");
  const first = await gitops.merge("one", { request: "23" });
  const second = await gitops.merge("two", { request: "24" });
  expect(await gitops.gitlab("apply", first)).toMatchObject({ code: 0 });
  expect(await inForce(gitops)).toContain("block-one");
  const { code, output } = await gitops.gitlab("apply", second);
  expect(code).toBe(1);
  expect(output).toContain("The way out: start the job `recover`");
  const said = gitops.host.on("24")[1]?.body;
  expect(said).toContain("was not applied");
  expect(said).toContain("block-one: added");
  expect(await inForce(gitops)).not.toContain("block-two");
});

it("The main branch is recovered on GitLab", async () => {
  const main = await gitops.ok("git rev-parse main");
  expect(await gitops.gitlab("recover", main)).toMatchObject({ code: 0 });
  expect(gitops.host.on(main)[0]?.body).toContain("block-two");
  expect(await gitops.gitlab("recover-apply", main)).toMatchObject({ code: 0 });
  expect(await inForce(gitops)).toContain("block-two");
});
